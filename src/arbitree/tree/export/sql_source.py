"""A tree as an SQL expression: nested CASE, NULL for missing."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import nearest
from arbitree.model.tree import LEAF, Tree
from arbitree.table import units
from arbitree.table.codings import CategoryCoding, NumericCoding
from arbitree.table.levels import level_texts
from arbitree.tree.export.branches import Branch, guarded, leaves_below
from arbitree.tree.export.exact_bounds import largest_float64, last_microsecond, moment
from arbitree.tree.export.refusals import refuse_ranges

_WHOLE = 2.0**24  # up to here float32 holds every whole number
_FEATURES = "Turn the column into text or a number before training."


def sql_source(tree: Tree, *, columns: Mapping[Hashable, str] | None = None) -> str:
    """An expression in standard SQL whose value is the tree's decision.

    Parameters
    ----------
    tree : Tree
    columns : mapping of feature to str, optional
        SQL to use for a feature instead of its quoted name: ``{"age": 't."age"'}``. It is used as
        it is; never build it from data.

    Returns
    -------
    str
        A ``CASE`` expression, or a literal if the tree has one leaf. NULL is missing.

    Raises
    ------
    InputError
        If the tree reads what SQL databases write each in their own way.

    Examples
    --------
    >>> from arbitree.tree.estimator import TreeClassifier
    >>> tree = TreeClassifier().fit({"age": [1, 2]}, ["no", "yes"]).tree_
    >>> print(sql_source(tree))
    CASE
      WHEN "age" > 1.5e0 THEN 'yes'
      ELSE 'no'
    END
    """
    refuse_ranges(tree)
    known = [feature.name for feature in tree.features]
    for name in columns or {}:
        if name not in known:
            raise InputError(f"columns names {name!r}. {nearest(name, known)}")
    names = _names(tree, columns or {})
    write = _Written(labels=_class_literals(tree.classes), n_leaves=leaves_below(tree))
    return _node(tree, 0, names, write, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """What is the same for every node."""

    labels: Sequence[str]  # a literal for each class
    n_leaves: np.ndarray


def _names(tree: Tree, columns: Mapping[Hashable, str]) -> dict[int, str]:
    """SQL for each feature that the tree reads."""
    found: dict[int, str] = {}
    for j in sorted(set(tree.feature.tolist()) - {LEAF}):
        name = tree.features[j].name
        written = columns.get(name) or _identifier(name)
        if written in found.values():
            raise InputError(
                f"The names of two features are written {written} in SQL. Pass other SQL for one "
                "of them in columns."
            )
        found[j] = written
    return found


def _node(tree: Tree, node: int, names: Mapping[int, str], write: _Written, indent: str) -> str:
    inner = f"{indent}  "
    lines = []
    while tree.feature[node] != LEAF:
        branches, rest = guarded(tree, node, write.n_leaves)
        for branch in branches:
            condition = _condition(tree, node, branch, names[int(tree.feature[node])])
            decided = _node(tree, branch.child, names, write, inner)
            lines.append(f"{inner}WHEN {condition} THEN {decided}\n")
        node = rest
    label = write.labels[tree.label[node]]
    return f"CASE\n{''.join(lines)}{inner}ELSE {label}\n{indent}END" if lines else label


def _condition(tree: Tree, node: int, branch: Branch, name: str) -> str:
    """What sends a value to a child; what is not known to be true counts as false."""
    feature = tree.features[tree.feature[node]]
    if isinstance(feature.coding, CategoryCoding):
        levels = branch.others if branch.missing else branch.levels
        listed = ", ".join(_level(level, feature.name) for level in levels)
        return (
            f"{name} NOT IN ({listed}) OR {name} IS NULL"
            if branch.missing
            else f"{name} IN ({listed})"
        )
    bound = _bound(feature.coding, tree.threshold[node], feature.name)
    if bound is None:
        return f"{name} IS {'NULL' if branch.missing else 'NOT NULL'}"
    compared = f"{name} {'>' if branch.place else '<='} {bound}"
    return f"{compared} OR {name} IS NULL" if branch.missing else compared


def _bound(coding: NumericCoding, threshold: np.floating, name: Hashable) -> str | None:
    """The literal at or below which values go left; None if all do."""
    if coding.kind == "duration":
        raise InputError(
            f"The tree compares durations in {name!r}, which databases write each in their own "
            "way. Turn the column into a number before training."
        )
    if coding.kind == "date":
        assert coding.unit is not None
        last = last_microsecond(threshold, coding.unit)
        return None if last is None else _moment_literal(last, coding.unit)
    if np.isposinf(threshold):
        return None
    whole = coding.kind == "integer" and abs(threshold) < _WHOLE
    return _float(float(threshold) if whole else largest_float64(threshold))


def _moment_literal(microseconds: int, unit: str) -> str:
    """An untyped text, which databases read as the type of the column that it is compared with."""
    text = moment(microseconds).isoformat(sep=" ").removesuffix(" 00:00:00")
    return f"'{text}+00:00'" if units.has_time_zone(unit) else f"'{text}'"


def _level(level: object, name: Hashable) -> str:
    found = _plain_literal(level)
    if found is None:
        raise InputError(
            f"The feature {name!r} has the level {level!r} of type {type(level).__name__}, which "
            f"SQL cannot write. {_FEATURES}"
        )
    return found


def _class_literals(classes: Sequence[object]) -> list[str]:
    """Classes of one type as such, else as their texts: a CASE has one type."""
    found = [_plain_literal(label) for label in classes]
    if len({type(label) for label in classes}) == 1 and None not in found:
        return [literal for literal in found if literal is not None]
    return [_text(text) for text in level_texts(classes)]


def _plain_literal(value: object) -> str | None:
    """SQL for a value of a type that all databases know; None for others."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float):
        return _float(value) if math.isfinite(value) else None
    if isinstance(value, int | Decimal):
        return format(value, "f") if isinstance(value, Decimal) else str(value)
    if isinstance(value, dt.datetime):
        return _text(value.isoformat(sep=" ").removesuffix(" 00:00:00"))
    return _text(value.isoformat()) if isinstance(value, dt.date) else None


def _float(number: float) -> str:
    """Digits with an exponent, which are a double everywhere and nowhere a decimal."""
    text = repr(number)
    return text if "e" in text else f"{text}e0"


def _text(text: str) -> str:
    return "'" + _encodable(text).replace("'", "''") + "'"


def _identifier(name: Any) -> str:
    text = _encodable(str(name))
    if not text:
        raise InputError("A feature has an empty name. Pass SQL for it in columns.")
    return '"' + text.replace('"', '""') + '"'


def _encodable(text: str) -> str:
    """The text, which SQL cannot hold if it has a NUL or half a surrogate pair."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise InputError(f"{text!r} has a character that SQL cannot hold. Rename it.")
    return text
