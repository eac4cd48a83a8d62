"""Whom a certificate compares: counts of each group, grouping by grouping, under each condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError, LabelError, NotEstimableError
from arbitree._wording import counted, listed, nearest
from arbitree.certificate.digests import favorable_values
from arbitree.counts.cells import count_cells
from arbitree.groups.groupings import Grouping, groupings
from arbitree.groups.measure import GroupCounts
from arbitree.groups.metrics import ACCURACY, GAPS, SELECTION_RATE, Rate
from arbitree.groups.missing import check_missing, missing_notices, value_notices
from arbitree.groups.segments import Segments, segments_of
from arbitree.model.fitted import unfitted
from arbitree.table.coded import CodedTable
from arbitree.table.decisions import code_decisions
from arbitree.table.labels import FAVORABLE, MISSING
from arbitree.tree.favorable import favorable_words, labels_of
from arbitree.tree.labels import class_values
from arbitree.tree.parity import CONDITIONAL


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Family:
    """Groups that are compared with each other, at least two: k of n rows of each are hits."""

    grouping: str
    condition: str
    groups: tuple[str, ...]
    k: np.ndarray  # (G,) int64
    n: np.ndarray  # (G,) int64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """One decision rule on the calibration rows."""

    families: tuple[Family, ...]
    accuracy: float  # NaN without labels
    n: int
    sensitive: tuple[str, ...]
    favorable: str
    label_favorable: str | None
    constant: str | None  # "favourable" or "unfavourable", where everyone's decision is
    favorable_values: dict[str, list[str] | None]  # texts of those seen, of decisions and labels
    notices: tuple[str, ...]


def measured(
    model: Any,
    X: Any,
    y: Any,
    *,
    metric: str,
    joint: bool,
    missing: str,
    favorable_label: Any,
    **columns: Any,
) -> Measured:
    """Count what a rule decides, as `metric` asks for.

    Parameters are those of `certify`; `columns` are the groups and controls.
    """
    rates = rates_of(metric, has_control=columns.get("control_features") is not None)
    if y is None and any(rate.needs_labels for rate in rates):
        raise InputError(f"{metric} needs labels. Pass y_cal, or another metric.")
    if y is None:
        columns.pop("y_true_favorable", None)
    assumed: list[str] = []
    if favorable_label is None:
        favorable_label = _favorable_class(model)
        if getattr(model, "favorable_assumed_", False):
            if any(rate.needs_labels for rate in rates):  # whose gaps differ from class to class
                raise LabelError(
                    f"{metric} depends on which label is favourable, and the model was fitted "
                    f"without a word on it ({favorable_words(model)}). Pass favorable_label."
                )
            assumed = [f"{favorable_words(model)}. Pass favorable_label."]
    try:
        table = code_decisions(
            decisions_of(model, X),
            y_true=y,
            favorable_label=favorable_label,
            missing=missing,
            **columns,
        )
    except LabelError as error:
        said, scores, _ = str(error).partition("Pass score_threshold")
        decided = "Pass what is decided at a threshold, such as scores >= 0.5."
        raise LabelError(f"{said}{decided}" if scores else said) from error
    found = measured_table(table, rates, joint=joint, missing=missing)
    return replace(found, notices=(*assumed, *found.notices))


def measured_table(
    table: CodedTable, rates: Sequence[Rate], *, joint: bool, missing: str
) -> Measured:
    """Count what was decided of the rows of a table.

    Parameters
    ----------
    table : CodedTable
    rates : sequence of Rate
        As `rates_of` gives them.
    joint, missing
        As of `certify`.
    """
    check_missing(table, missing)
    families, left_out = _families(
        table, tuple(rates), joint=joint, keep_missing=missing == "group"
    )
    return Measured(
        families=families,
        accuracy=_accuracy(table),
        n=table.n_rows,
        sensitive=tuple(str(column.name) for column in table.sensitive),
        favorable="" if table.decisions is None else table.decisions.how,
        label_favorable=None if table.labels is None else table.labels.how,
        constant=_constant(table),
        favorable_values={
            "decisions": favorable_values(table.decisions),
            "label": favorable_values(table.labels),
        },
        notices=(
            *table.notices,
            *missing_notices(table, missing),
            *value_notices(table),
            *left_out,
        ),
    )


def counts_of(found: Measured) -> tuple[list[int], list[int]]:
    """k and n of every group, family by family."""
    k = [int(hits) for family in found.families for hits in family.k]
    return k, [int(rows) for family in found.families for rows in family.n]


def rates_of(metric: str, *, has_control: bool) -> tuple[Rate, ...]:
    """The rates that a metric compares."""
    if metric == CONDITIONAL:
        if not has_control:
            raise InputError(f"{metric} is within levels of controls. Pass control_features.")
        return GAPS["statistical_parity"]
    if metric not in GAPS:
        raise InputError(f"There is no metric {metric!r}. {nearest(metric, [*GAPS, CONDITIONAL])}")
    return GAPS[metric]


def decisions_of(model: Any, X: Any) -> Any:
    """The decisions, or what a model decides on X: labels that it knows, even where all are one."""
    if not hasattr(model, "predict"):
        return model
    if X is None:
        raise InputError("A model decides on features. Pass X_cal, or decisions for the model.")
    from sklearn.exceptions import NotFittedError

    try:
        found = np.asarray(model.predict(_fitted_columns(model, X)))
    except NotFittedError as error:
        raise unfitted(model, "model") from error
    index = X.index if isinstance(X, (pd.DataFrame, pd.Series)) else None
    classes = getattr(model, "classes_", None)
    if classes is None:
        return found if index is None else pd.Series(found, index=index, name="decision")
    known = pd.Categorical(found, categories=list(classes))
    series = pd.Series(known, index=index, name="decision")
    # An index made here says nothing about the order of the other inputs.
    return {"decision": series.array} if index is None else series


def _fitted_columns(model: Any, X: Any) -> Any:
    """Of a frame with more columns than the model was fitted on, those; else X."""
    names = getattr(model, "feature_names_in_", None)
    if names is None or not isinstance(X, pd.DataFrame) or not set(names) < set(X.columns):
        return X
    return X[list(names)]


def _favorable_class(model: Any) -> Any:
    """What a fitted tree takes for favourable; None of other models."""
    if not hasattr(model, "favorable_"):
        return None
    return labels_of(model.favorable_, class_values(model.classes_))


def _families(
    table: CodedTable, rates: tuple[Rate, ...], *, joint: bool, keep_missing: bool
) -> tuple[tuple[Family, ...], list[str]]:
    """Families of at least two groups with rows, and sentences about whom they leave out."""
    crossing = table.crossing(table.sensitive)
    found = groupings(crossing, cross=joint, missing_is_a_group=keep_missing)
    segments, segment = segments_of(table, keep_missing=keep_missing)
    decisions = None if table.decisions is None else table.decisions.codes
    cells = count_cells(
        crossing.codes,
        crossing.n_groups,
        decisions=[] if decisions is None else decisions,
        labels=None if table.labels is None else table.labels.codes,
        segment=segment,
        n_segments=len(segments) + 1,
    )
    families: list[Family] = []
    left_out: list[str] = []
    for grouping in found[-1:] if joint else found:
        counts = GroupCounts(n=grouping.collapse(cells.n))
        for position in range(len(segments)):
            where = _where(segments, position)
            some, without = _of_segment(grouping, counts, position, where, rates)
            families += some
            left_out += without
    if not families:
        raise NotEstimableError(
            "Nobody can be compared: no condition has rows of two groups. Pass rows of at least "
            "two groups."
        )
    return tuple(families), left_out


def _where(segments: Segments, position: int) -> str:
    pairs: Mapping[str, str] = dict(zip(segments.columns, segments.values[position]))
    return ", ".join(f"{column}={value}" for column, value in pairs.items())


def _of_segment(
    grouping: Grouping, counts: GroupCounts, position: int, where: str, rates: tuple[Rate, ...]
) -> tuple[list[Family], list[str]]:
    populated = counts.trials(SELECTION_RATE).n[position] > 0
    absent = [group for group, has in zip(grouping.groups, populated) if not has]
    of_where = f" of {where}" if where else ""
    notices = [
        f"{grouping.name}{of_where}: {counted(len(absent), 'group')} without rows, about which "
        f"nothing is said: {listed(absent)}."
    ]
    if populated.sum() < 2:
        notices = [f"{grouping.name}{of_where}: nothing to compare, fewer than two groups."]
        return [], notices
    groups = tuple(group for group, has in zip(grouping.groups, populated) if has)
    trials = [(rate, counts.trials(rate)) for rate in rates]
    families = [
        Family(
            grouping=grouping.name,
            condition=", ".join(filter(None, [rate.name, where])),
            groups=groups,
            k=trial.k[position, populated],
            n=trial.n[position, populated],
        )
        for rate, trial in trials
    ]
    return families, notices if absent else []


def _constant(table: CodedTable) -> str | None:
    """What everyone's decision is, where it is the same: parity without a choice."""
    codes = [] if table.decisions is None else np.unique(table.decisions.codes).tolist()
    known = [code for code in codes if code != MISSING]
    if len(known) != 1:
        return None
    return "favourable" if known[0] == FAVORABLE else "unfavourable"


def _accuracy(table: CodedTable) -> float:
    if table.labels is None or table.decisions is None:
        return float("nan")
    zeros = np.zeros(table.n_rows, dtype=np.uint8)
    cells = count_cells(zeros, 1, decisions=table.decisions.codes, labels=table.labels.codes)
    return float(GroupCounts(n=cells.n).trials(ACCURACY).value[0, 0])
