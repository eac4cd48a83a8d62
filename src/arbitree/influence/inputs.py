"""Features, decisions and groups of the user -> coded columns of the same rows."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import counted, listed
from arbitree.groups.missing import check_known
from arbitree.influence.decided import decided_values, decisions_of
from arbitree.influence.named_columns import refuse_names
from arbitree.table.align import aligned
from arbitree.table.code import code_features, code_groups
from arbitree.table.coded_column import CodedColumn
from arbitree.table.crossing import Crossing, cross
from arbitree.table.frames import Column, columns
from arbitree.table.probabilities import GroupProbabilities
from arbitree.table.probabilities import group_probabilities as group_probabilities_of
from arbitree.table.true_labels import true_labels
from arbitree.table.weights import sample_weights

FINEST = 4096  # codes of a feature; each group merges them to its own


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inputs:
    """Coded rows, all arrays in the same order."""

    features: tuple[CodedColumn, ...]
    crossing: Crossing
    decided: np.ndarray  # (n,) float64, NaN where missing
    labels: np.ndarray | None  # (n,) uint8, 2 where missing
    weights: np.ndarray | None  # (n,) float64
    favorable: str
    notices: tuple[str, ...]
    scores: bool = False  # `decided` holds scores
    probabilities: GroupProbabilities | None = None  # of groups, instead of `crossing`


def read_inputs(
    X: Any,
    decisions: Any,
    *,
    sensitive_features: Any,
    y_true: Any = None,
    favorable_label: Any = None,
    y_true_favorable: Any = None,
    score_threshold: float | None = None,
    lower_score_favorable: bool = False,
    scores: bool = False,
    sample_weight: Any = None,
    missing: str = "error",
    bins: Mapping[Any, Sequence[float]] | None = None,
    group_probabilities: Any = None,
) -> Inputs:
    """Code what an explanation needs.  Parameters are those of `arbitree.explain_gap`."""
    rows = _rows(
        X,
        decisions,
        sensitive_features=sensitive_features,
        y_true=y_true,
        sample_weight=sample_weight,
        group_probabilities=group_probabilities,
    )
    sensitive, probabilities, group_notices = _groups(rows, missing, bins)
    used, dropped = _explained(rows["X"], _names(sensitive, probabilities))
    features, feature_notices = code_features(used, max_bins=FINEST)
    values, favorable = decided_values(
        rows["decisions"][0],
        favorable_label=favorable_label,
        score_threshold=score_threshold,
        lower_score_favorable=lower_score_favorable,
        scores=scores,
        missing=missing,
    )
    labels = None
    if y_true is not None:
        labels = true_labels(
            rows["y_true"][0],
            favorable_label=y_true_favorable,
            favorable_decision=favorable_label,
            missing=missing,
        ).codes
    weights = None
    if sample_weight is not None:
        weights = sample_weights(rows["sample_weight"][0], len(values))
    return Inputs(
        features=features,
        crossing=cross(sensitive) if sensitive else nobody_apart(len(values)),
        decided=values,
        labels=labels,
        weights=weights,
        favorable=favorable,
        scores=scores,
        probabilities=probabilities,
        notices=(*group_notices, *feature_notices, *dropped),
    )


def _rows(
    X: Any,
    decisions: Any,
    *,
    sensitive_features: Any,
    y_true: Any,
    sample_weight: Any,
    group_probabilities: Any,
) -> dict[str, list[Column]]:
    """The columns of every argument that is given, of the same rows."""
    if (sensitive_features is None) == (group_probabilities is None):
        raise InputError("Pass sensitive_features or group_probabilities, one of them.")
    given = {"X": columns(X, what="X", default_name="x")}
    refuse_names(sensitive_features, given["X"])
    others = {
        "decisions": (decisions_of(decisions, X), "decision"),
        "sensitive_features": (sensitive_features, "sensitive_feature"),
        "y_true": (y_true, "label"),
        "sample_weight": (sample_weight, "weight"),
        "group_probabilities": (group_probabilities, "group"),
    }
    single = ("decisions", "y_true", "sample_weight")
    for what, (data, name) in others.items():
        if data is not None or what == "decisions":
            given[what] = columns(data, what=what, default_name=name)
    for what in single:
        _only_one(given.get(what), what)
    rows = aligned(given)
    if not len(rows["decisions"][0]):
        raise InputError("There are no rows. Give at least one decision.")
    return rows


def _groups(
    rows: dict[str, list[Column]], missing: str, bins: Mapping[Any, Sequence[float]] | None
) -> tuple[tuple[CodedColumn, ...], GroupProbabilities | None, tuple[str, ...]]:
    """Columns of groups, or probabilities, and what is to be said of them."""
    if "group_probabilities" in rows:
        found, told = group_probabilities_of(rows["group_probabilities"], missing=missing)
        return (), found, told
    sensitive, notices = code_groups(rows["sensitive_features"], bins=bins)
    for column in sensitive:
        check_known(column, "sensitive", missing)
    return tuple(sensitive), None, tuple(notices)


def _names(
    sensitive: Sequence[CodedColumn], probabilities: GroupProbabilities | None
) -> set[Hashable]:
    """Columns that say the groups."""
    probable = () if probabilities is None else probabilities.groups
    return {*(column.name for column in sensitive), *probable}


def nobody_apart(n_rows: int) -> Crossing:
    """One group of all rows, where groups are known as probabilities only."""
    codes = np.zeros(n_rows, np.uint8)
    return Crossing(columns=(), cells=np.zeros((1, 0), np.int64), codes=codes)


def _explained(
    given: Sequence[Column], names: Collection[Hashable]
) -> tuple[list[Column], list[str]]:
    """Columns of X that are not sensitive, and a sentence about the others."""
    used = [column for column in given if column.name not in names]
    left = [column.name for column in given if column.name in names]
    if not used:
        raise InputError("X has no column that is not sensitive. Pass at least one feature.")
    if not left:
        return used, []
    return used, [
        f"{listed(left)} {'is' if len(left) == 1 else 'are'} sensitive and left out of the "
        "features: constant within a group, so without influence by definition."
    ]


def _only_one(found: list[Column] | None, what: str) -> None:
    if found is not None and len(found) != 1:
        raise InputError(
            f"{what} has {counted(len(found), 'column')}; it needs exactly one. Pass a single "
            "column."
        )
