"""Rows of the user -> a training table: features, labels, groups and weights of the same rows."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from arbitree._errors import InputError, LabelError
from arbitree._wording import counted, listed, nearest
from arbitree.model.tree import Feature
from arbitree.table.align import aligned
from arbitree.table.code import code_features, code_groups
from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import NumericCoding
from arbitree.table.edges import code_dtype
from arbitree.table.favorable import asked_values
from arbitree.table.frames import Column, columns
from arbitree.table.measures import numbers
from arbitree.table.missing import is_missing
from arbitree.table.weights import sample_weights
from arbitree.tree.code_values import code_values
from arbitree.tree.favorable import Favorable, say_themselves
from arbitree.tree.identifiers import identifier_notices
from arbitree.tree.labels import class_values
from arbitree.tree.parity import Parity, metrics_of
from arbitree.tree.populations import grouping, uncompared
from arbitree.tree.sensitive_copies import copy_notices
from arbitree.tree.table import TrainingTable

_ENCODED = (
    " Ensembles and some functions of scikit-learn number the classes before they fit: number them "
    "yourself, and pass the number."
)
_ONE_SIDED = ("equal_opportunity", "predictive_equality")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rows:
    """What was passed to `fit`, paired, without rows of weight 0."""

    features: list[Column]
    sensitive: list[Column]
    control: list[Column]
    y: np.ndarray  # (n,) int, index into the classes
    weights: np.ndarray | None  # (n,) float64, positive


def paired_rows(
    features: list[Column],
    y: np.ndarray,
    y_index: Any,
    *,
    sensitive_features: Any,
    control_features: Any,
    sample_weight: Any,
) -> Rows:
    """Columns of every argument, of the same rows.

    Parameters
    ----------
    features : list of Column
    y : ndarray of int, shape (n,)
        Codes of labels.
    y_index : Index or None
        Of the labels, where they have one.
    sensitive_features, control_features, sample_weight
        As passed to `fit`.
    """
    label = columns(y, what="y", default_name="y")[0]
    given = {"X": features, "y": [replace(label, index=y_index)]}
    others = {"sensitive_features": sensitive_features, "control_features": control_features}
    for what, data in others.items():
        if data is not None:
            given[what] = columns(data, what=what, default_name=what.removesuffix("s"))
    if sample_weight is not None and not isinstance(sample_weight, int | float | np.number):
        given["sample_weight"] = columns(sample_weight, what="sample_weight", default_name="weight")
        if len(given["sample_weight"]) != 1:
            raise InputError(
                f"sample_weight has {counted(len(given['sample_weight']), 'column')}. Pass one "
                "weight a row."
            )
    rows = aligned(given)
    weights = None
    if "sample_weight" in rows:
        weights = sample_weights(rows["sample_weight"][0], len(y))
    found = Rows(
        features=rows["X"],
        sensitive=rows.get("sensitive_features", []),
        control=rows.get("control_features", []),
        y=np.asarray(rows["y"][0].values.to_numpy()),
        weights=weights,
    )
    _refuse_missing_groups(found.sensitive, "sensitive_features")
    _refuse_missing_groups(found.control, "control_features")
    return found if weights is None or weights.all() else _positive(found, weights)


def _positive(rows: Rows, weights: np.ndarray) -> Rows:
    """Only the rows that weigh something, as if the others had not been passed."""
    at = np.flatnonzero(weights)
    features, sensitive, control = (
        [replace(c, values=c.values[at], index=None) for c in found]
        for found in (rows.features, rows.sensitive, rows.control)
    )
    return Rows(
        features=features,
        sensitive=sensitive,
        control=control,
        y=rows.y[at],
        weights=weights[at],
    )


def _refuse_missing_groups(found: Sequence[Column], what: str) -> None:
    for column in found:
        missing = is_missing(column)
        if missing.any():
            raise InputError(
                f"{what} column {column.name!r} has "
                f"{counted(int(missing.sum()), 'missing value')}, the first at row "
                f"{int(np.argmax(missing))}. Drop those rows, or give them a label such as "
                "'unknown'."
            )


def refuse_sensitive_splits(features: Sequence[Column], sensitive: Sequence[Column]) -> None:
    """Refuse features that are sensitive columns, by their names.

    Raises
    ------
    InputError
    """
    both = [column.name for column in sensitive if column.name in {f.name for f in features}]
    if both:
        raise InputError(
            f"{listed(both)} {'is' if len(both) == 1 else 'are'} sensitive and a column of X too, "
            f"so that the tree could split on {'it' if len(both) == 1 else 'them'}. Drop "
            f"{'it' if len(both) == 1 else 'them'} from X, or pass allow_sensitive_splits=True."
        )


def favorable_classes(
    classes: np.ndarray, favorable_label: Any, *, parity: Parity | None, compares: bool
) -> Favorable:
    """The position of the favourable class, by default the second of two, or of several.

    Raises
    ------
    LabelError
        If it has to be known and is not: with groups of more than two classes, or where a metric
        asks for one of two classes that do not say which is which.
    """
    labels = class_values(classes)
    if favorable_label is not None:
        return _chosen(labels, favorable_label)
    if compares and len(labels) > 2:
        raise LabelError(
            f"y has {len(labels)} classes, {listed(labels)}: it cannot be known which one is "
            "favourable. Pass favorable_label, one of them or a list."
        )
    asked = () if parity is None else metrics_of(parity.metric)
    one_sided = [metric for metric in asked if metric in _ONE_SIDED]
    if one_sided and not say_themselves(labels):
        raise LabelError(
            f"metric {one_sided[0]!r} is about one of the classes {listed(labels)}, and it "
            "cannot be known which one is favourable. Pass favorable_label."
        )
    return min(1, len(labels) - 1)


def _chosen(labels: list[Any], favorable_label: Any) -> Favorable:
    asked = asked_values(favorable_label)
    for label in asked:
        if label not in labels:
            raise LabelError(
                f"y never has the value {label!r} of favorable_label. {nearest(label, labels)}"
                f"{_ENCODED if labels == list(range(len(labels))) else ''}"
            )
    found = tuple(place for place, label in enumerate(labels) if label in asked)
    if not found or (len(found) == len(labels) and len(found) > 1):
        raise LabelError(
            f"favorable_label is {favorable_label!r}, and y has {listed(labels)}. Pass some of "
            "these labels, not none and not all."
        )
    return found if len(found) > 1 else found[0]


def training_table(
    rows: Rows,
    *,
    classes: Sequence[object],
    favorable: Favorable,
    class_weight: np.ndarray | None,
    max_bins: int,
    parity: Parity | None,
    with_values: bool,
) -> tuple[TrainingTable, tuple[str, ...]]:
    """Code the rows; also sentences that the user should read.

    Parameters
    ----------
    with_values : bool
        Work out what number each code stands for.
    """
    coded, notices = code_features(rows.features, max_bins=max_bins, weights=rows.weights)
    notices = (*notices, *identifier_notices(coded))
    groups: dict[str, Any] = {}
    if rows.sensitive:
        sensitive, more = code_groups(rows.sensitive)
        control, most = code_groups(rows.control)
        notices = (*notices, *more, *most, *copy_notices(coded, sensitive))
        found = grouping(
            sensitive,
            control,
            metric="statistical_parity" if parity is None else parity.metric,
            joint=parity is None or parity.joint,
            classes=classes,
            favorable=favorable,
        )
        if parity is not None and not found.populations:
            names = listed(column.name for column in sensitive)
            raise InputError(
                f"sensitive_features {names} make no two groups to compare, which {parity!r} "
                "asks for. Pass columns with at least two groups."
            )
        alone = [] if parity is None else uncompared(found, rows.y, len(classes))
        if alone and len(alone) == len(found.populations):
            raise InputError(
                f"{' '.join(alone)} {parity!r} asks for two groups with rows. Pass more rows, or "
                "another metric."
            )
        notices = (*notices, *alone)
        groups = {"group": found.group, "groups": found.groups, "populations": found.populations}
    table = TrainingTable(
        features=tuple(Feature(name=_name(c.name), coding=c.coding) for c in coded),
        codes=tuple(column.codes for column in coded),
        y=rows.y.astype(code_dtype(len(classes))),
        classes=tuple(classes),
        favorable=favorable,
        weights=rows.weights,
        class_weight=class_weight,
        values=_values(rows, coded) if with_values else None,
        **groups,
    )
    return table, notices


def _name(name: Hashable) -> Hashable:
    return name.item() if isinstance(name, np.generic) else name


def _values(rows: Rows, coded: Sequence[CodedColumn]) -> tuple[np.ndarray | None, ...]:
    return tuple(
        _values_of_codes(of_code, column, rows.weights)
        for of_code, column in zip(coded, rows.features)
    )


def _values_of_codes(
    coded: CodedColumn, column: Column, weights: np.ndarray | None
) -> np.ndarray | None:
    """What number each code stands for: its value, or the mean of the finite ones in its range."""
    coding = coded.coding
    if not isinstance(coding, NumericCoding):
        return None
    plain = code_values(coding)
    if coding.exact and coding.values is not None:
        return plain
    raw = numbers(column, coding.unit).astype(np.float64)
    amount = np.where(np.isfinite(raw), 1.0 if weights is None else weights, 0.0)
    n_codes = coding.n_codes
    total = np.bincount(coded.codes, weights=amount, minlength=n_codes)[:-1]
    sums = np.bincount(
        coded.codes, weights=amount * np.where(amount > 0, raw, 0.0), minlength=n_codes
    )[:-1]
    return np.where(total > 0, sums / np.where(total > 0, total, 1.0), plain)
