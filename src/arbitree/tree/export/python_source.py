"""A tree as Python source that needs nothing but Python."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from arbitree._errors import InputError
from arbitree.model.tree import LEAF, Tree
from arbitree.table.codings import CategoryCoding, NumericCoding
from arbitree.table.levels import level_texts
from arbitree.tree.export.branches import Branch, guarded, leaves_below
from arbitree.tree.export.exact_bounds import last_microsecond, moment
from arbitree.tree.export.python_readers import needed_readers
from arbitree.tree.export.refusals import refuse_ranges
from arbitree.tree.export.shares import share_words

_HEAD = '''"""The decisions of a tree. Written by arbitree; needs nothing but Python."""
'''
_FUNCTION = '''

def predict(row):
    """The class of one row: a mapping from the name of each column to its value.

    None and NaN are missing; a level that training did not know counts as missing.
    """
'''


def python_source(tree: Tree) -> str:
    """A module with a function ``predict(row)``.

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    str
        Its comments tell the training rows of each leaf and their shares of classes.

    Raises
    ------
    InputError
        If the tree has a name, level or class that Python cannot write.

    Examples
    --------
    >>> from arbitree.tree.estimator import TreeClassifier
    >>> tree = TreeClassifier().fit({"age": [1.0, 2.0]}, ["no", "yes"]).tree_
    >>> names = {}
    >>> exec(python_source(tree), names)
    >>> names["predict"]({"age": 1.5}), names["predict"]({"age": 1.6})
    ('no', 'yes')
    """
    refuse_ranges(tree)
    used = sorted(set(tree.feature.tolist()) - {LEAF})
    readers = {j: _reader(tree, j) for j in used}
    reads = [
        f"    x{j} = {readers[j]}(row[{_literal(tree.features[j].name, 'name')}])\n" for j in used
    ]
    write = _Written(
        labels=[_literal(label, "class") for label in tree.classes],
        texts=[ascii(text) for text in level_texts(tree.classes)],
        n_leaves=leaves_below(tree),
    )
    body = _node(tree, 0, write, "    ")
    functions = needed_readers(set(readers.values()))
    source = "".join([_FUNCTION, *reads, body])
    modules = [m for m in ("datetime", "decimal", "struct") if f"{m}." in functions + source]
    imports = "".join(f"\nimport {module}" for module in modules)
    return f"{_HEAD}{imports}\n{functions}{source}" if imports else f"{_HEAD}{functions}{source}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """What is the same for every node."""

    labels: Sequence[str]  # a literal for each class
    texts: Sequence[str]  # for comments
    n_leaves: np.ndarray


def _reader(tree: Tree, j: int) -> str:
    """The function that reads a feature's value as the tree compares it."""
    coding = tree.features[j].coding
    if isinstance(coding, CategoryCoding):
        return "_level"
    return {"date": "_moment", "duration": "_duration"}.get(coding.kind, "_number")


def _node(tree: Tree, node: int, write: _Written, indent: str) -> str:
    lines = []
    while tree.feature[node] != LEAF:
        branches, rest = guarded(tree, node, write.n_leaves)
        for branch in branches:
            lines.append(f"{indent}if {_condition(tree, node, branch)}:\n")
            lines.append(_node(tree, branch.child, write, f"{indent}    "))
        node = rest
    told = share_words(tree, node, write.texts, decimals=2)
    return f"{''.join(lines)}{indent}return {write.labels[tree.label[node]]}  # {told}\n"


def _condition(tree: Tree, node: int, branch: Branch) -> str:
    """What sends a value, or None for a missing one, to a child."""
    j = int(tree.feature[node])
    feature = tree.features[j]
    if isinstance(feature.coding, CategoryCoding):
        levels = branch.others if branch.missing else branch.levels
        written = [_literal(level, "level") for level in levels]
        if len(written) == 1:
            return f"x{j} {'!=' if branch.missing else '=='} {written[0]}"
        return f"x{j} {'not in' if branch.missing else 'in'} ({', '.join(written)})"
    bound = _bound(feature.coding, tree.threshold[node])
    if bound is None:
        return f"x{j} is {'None' if branch.missing else 'not None'}"
    compared = f"x{j} {'>' if branch.place else '<='} {bound}"
    return f"x{j} is {'None or' if branch.missing else 'not None and'} {compared}"


def _bound(coding: NumericCoding, threshold: np.floating) -> str | None:
    """The literal at or below which values go left; None if all do."""
    if coding.unit is None:
        return None if np.isposinf(threshold) else _float(float(threshold))
    last = last_microsecond(threshold, coding.unit)
    if last is None:
        return None
    if coding.kind == "duration":
        return _literal(dt.timedelta(microseconds=last), "threshold")
    return _literal(moment(last), "threshold")


def _literal(value: object, what: str) -> str:
    """Source for a value, which reads back as an equal one."""
    if value is None or type(value) in (bool, int):
        return repr(value)
    if isinstance(value, str):
        return ascii(value) if not value.isprintable() else repr(str(value))
    if isinstance(value, float):
        return _float(float(value))
    if isinstance(value, Decimal):
        return f"decimal.Decimal({str(value)!r})"
    if type(value) in (dt.date, dt.datetime, dt.timedelta, dt.time) and not _zone(value):
        return repr(value)
    if isinstance(value, dt.datetime) and not _zone(value) and not getattr(value, "nanosecond", 0):
        return repr(dt.datetime.fromisoformat(value.isoformat()))
    if isinstance(value, tuple):
        return f"({''.join(f'{_literal(part, what)}, ' for part in value)})"
    raise InputError(
        f"The {what} {value!r} is of type {type(value).__name__}, which Python source without "
        "imports cannot write. Turn it into text before training."
    )


def _zone(value: Hashable) -> bool:
    return getattr(value, "tzinfo", None) is not None


def _float(number: float) -> str:
    return repr(number) if np.isfinite(number) else f'float("{number}")'
