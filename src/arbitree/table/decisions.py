"""Decisions and groups in memory -> one coded table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arbitree._errors import InputError
from arbitree.table.align import aligned, alignment_notices
from arbitree.table.code import code_groups
from arbitree.table.coded import CodedTable
from arbitree.table.frames import Column, column, columns
from arbitree.table.labels import outcome, scores
from arbitree.table.probabilities import group_probabilities as probabilities_of
from arbitree.table.true_labels import true_labels
from arbitree.table.weights import sample_weights


def code_decisions(
    decisions: Any,
    *,
    sensitive_features: Any,
    y_true: Any = None,
    favorable_label: Any = None,
    score_threshold: float | str | None = None,
    control_features: Any = None,
    y_true_favorable: Any = None,
    lower_score_favorable: bool = False,
    sample_weight: Any = None,
    missing: str = "error",
    bins: Mapping[Any, Sequence[float]] | None = None,
    group_probabilities: Any = None,
) -> CodedTable:
    """Code what an audit needs.  Parameters are those of `arbitree.audit`."""
    if y_true_favorable is not None and y_true is None:
        raise InputError("y_true_favorable is of labels. Pass y_true too.")
    if sensitive_features is None and group_probabilities is None:
        raise InputError("There are no groups. Pass sensitive_features or group_probabilities.")
    given = _columns(decisions, sensitive_features, y_true, control_features, sample_weight)
    if group_probabilities is not None:
        what = "group_probabilities"
        given[what] = columns(group_probabilities, what=what, default_name="group")
    rows = aligned(given)
    decided = rows["decisions"][0]
    n_rows = len(decided.values)
    if n_rows == 0:
        raise InputError("There are no rows. Give at least one decision.")
    sensitive = rows.get("sensitive_features", [])
    groups = [*sensitive, *rows.get("control_features", [])]
    coded, notices = code_groups(groups, bins=bins) if groups else ((), ())
    n_sensitive = len(sensitive)
    probable, told = None, tuple[str, ...]()
    if group_probabilities is not None:
        probable, told = probabilities_of(rows["group_probabilities"], missing=missing)
    return CodedTable(
        n_rows=n_rows,
        sensitive=coded[:n_sensitive],
        control=coded[n_sensitive:],
        decisions=outcome(
            decided,
            favorable_label=favorable_label,
            score_threshold=score_threshold,
            lower_score_favorable=lower_score_favorable,
            what="decisions",
            missing=missing,
        ),
        labels=None
        if y_true is None
        else true_labels(
            rows["y_true"][0],
            favorable_label=y_true_favorable,
            favorable_decision=favorable_label,
            lower_score_favorable=lower_score_favorable,
            missing=missing,
        ),
        scores=None if score_threshold is None else scores(decided),
        weights=None if sample_weight is None else sample_weights(rows["sample_weight"][0], n_rows),
        probabilities=probable,
        notices=(*alignment_notices(given), *notices, *told),
    )


def _columns(
    decisions: Any,
    sensitive_features: Any,
    y_true: Any,
    control_features: Any,
    sample_weight: Any,
) -> dict[str, list[Column]]:
    """What was given, by the name of its parameter."""
    given = {"decisions": [column(decisions, what="decisions", default_name="decision")]}
    if sensitive_features is not None:
        given["sensitive_features"] = columns(
            sensitive_features, what="sensitive_features", default_name="sensitive_feature"
        )
    if y_true is not None:
        given["y_true"] = [column(y_true, what="y_true", default_name="label")]
    if control_features is not None:
        given["control_features"] = columns(
            control_features, what="control_features", default_name="control_feature"
        )
    if sample_weight is not None:
        given["sample_weight"] = [
            column(sample_weight, what="sample_weight", default_name="weight")
        ]
    return given
