"""A tree as Python source that needs nothing but Python."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Sequence
from decimal import Decimal

import numpy as np

from arbitree._errors import InputError
from arbitree.model.tree import LEAF, Tree
from arbitree.table.codings import CategoryCoding, NumericCoding
from arbitree.table.levels import level_texts
from arbitree.tree.export.exact_bounds import last_microsecond, moment
from arbitree.tree.export.python_readers import needed_readers
from arbitree.tree.export.refusals import refuse_deep, refuse_ranges
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
        If the tree is too deep, or has a name, level or class that Python cannot write.

    Examples
    --------
    >>> from arbitree.tree.estimator import TreeClassifier
    >>> tree = TreeClassifier().fit({"age": [1.0, 2.0]}, ["no", "yes"]).tree_
    >>> names = {}
    >>> exec(python_source(tree), names)
    >>> names["predict"]({"age": 1.5}), names["predict"]({"age": 1.6})
    ('no', 'yes')
    """
    refuse_deep(tree, "Python source")
    refuse_ranges(tree)
    used = sorted(set(tree.feature.tolist()) - {LEAF})
    readers = {j: _reader(tree, j) for j in used}
    reads = [
        f"    x{j} = {readers[j]}(row[{_literal(tree.features[j].name, 'name')}])\n" for j in used
    ]
    texts = [ascii(text) for text in level_texts(tree.classes)]
    labels = [_literal(label, "class") for label in tree.classes]
    body = _node(tree, 0, labels, texts, "    ")
    functions = needed_readers(set(readers.values()))
    source = "".join([_FUNCTION, *reads, body])
    modules = [m for m in ("datetime", "decimal", "struct") if f"{m}." in functions + source]
    imports = "".join(f"\nimport {module}" for module in modules)
    return f"{_HEAD}{imports}\n{functions}{source}" if imports else f"{_HEAD}{functions}{source}"


def _reader(tree: Tree, j: int) -> str:
    """The function that reads a feature's value as the tree compares it."""
    coding = tree.features[j].coding
    if isinstance(coding, CategoryCoding):
        return "_level"
    return {"date": "_moment", "duration": "_duration"}.get(coding.kind, "_number")


def _node(tree: Tree, node: int, labels: Sequence[str], texts: Sequence[str], indent: str) -> str:
    if tree.feature[node] == LEAF:
        told = share_words(tree, node, texts, decimals=2)
        return f"{indent}return {labels[tree.label[node]]}  # {told}\n"
    children = tree.children(node).tolist()
    otherwise = int(tree.routes(node)[-1])
    lines, opening = [], "if"
    for place, child in enumerate(children):
        condition = "" if place == otherwise else _condition(tree, node, place)
        if condition:
            lines.append(f"{indent}{opening} {condition}:\n")
            lines.append(_node(tree, child, labels, texts, f"{indent}    "))
            opening = "elif"
    if not lines:  # nothing leads to the other children
        return _node(tree, children[otherwise], labels, texts, indent)
    lines.append(f"{indent}else:\n")
    lines.append(_node(tree, children[otherwise], labels, texts, f"{indent}    "))
    return "".join(lines)


def _condition(tree: Tree, node: int, place: int) -> str:
    """What sends a value that is there to a child, for None not true; "" if nothing does."""
    j = int(tree.feature[node])
    feature = tree.features[j]
    if isinstance(feature.coding, CategoryCoding):
        routes = tree.routes(node)[:-1]
        levels = [level for level, at in zip(feature.coding.levels, routes) if at == place]
        written = ", ".join(_literal(level, "level") for level in levels)
        if len(levels) < 2:
            return f"x{j} == {written}" if levels else ""
        return f"x{j} in ({written})"
    bound = _bound(feature.coding, tree.threshold[node])
    if bound is None:
        return "" if place else f"x{j} is not None"
    return f"x{j} is not None and x{j} {'>' if place else '<='} {bound}"


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
