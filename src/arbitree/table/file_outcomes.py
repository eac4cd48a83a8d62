"""Decisions, labels, scores and weights of a file: what is collected, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arbitree._errors import InputError
from arbitree.table.gather import LevelPart, NumberPart
from arbitree.table.labels import Outcome, outcome, scores
from arbitree.table.roles import Roles
from arbitree.table.text import NumberStyle
from arbitree.table.true_labels import true_labels
from arbitree.table.weights import sample_weights


@dataclass(frozen=True, slots=True, kw_only=True)
class Favor:
    """Which outcomes are favourable, as the user says it."""

    favorable_label: Any
    label_favorable: Any
    score_threshold: float | str | None
    lower_score_favorable: bool
    missing: str


class FileOutcomes:
    """Collects the outcomes that were asked for. `parts` are to be fed, then call the rest."""

    def __init__(self, wanted: Roles, favor: Favor, style: NumberStyle, *, text: bool) -> None:
        _refuse_what_would_be_ignored(wanted, favor)
        self._favor = favor
        scored = wanted.score or wanted.decision
        self._threshold = favor.score_threshold is not None
        self._scores = self._labels = self._weights = self._levels = None
        if wanted.score or self._threshold:
            self._scores = NumberPart(str(scored), style, what="score")
        if wanted.decision and not self._threshold:
            self._levels = LevelPart(wanted.decision, text=text, what="decision")
        if wanted.label:
            self._labels = LevelPart(wanted.label, text=text, what="label")
        if wanted.weight:
            self._weights = NumberPart(wanted.weight, style, what="weight")

    @property
    def parts(self) -> list[LevelPart | NumberPart]:
        """What to feed with batches."""
        parts = (self._levels, self._labels, self._scores, self._weights)
        return [part for part in parts if part is not None]

    def finish(self, n_rows: int) -> dict[str, Any]:
        """Fields of a CodedTable: decisions, labels, scores, weights."""
        scored = None if self._scores is None else self._scores.finish()
        decisions = None
        if self._threshold and scored is not None:
            decisions = outcome(
                scored,
                score_threshold=self._favor.score_threshold,
                lower_score_favorable=self._favor.lower_score_favorable,
                what="score",
                missing=self._favor.missing,
            )
        elif self._levels is not None:
            decisions = self._decisions(self._levels)
        weights = None
        if self._weights is not None:
            weights = sample_weights(self._weights.finish(), n_rows, what="weight")
        return {
            "decisions": decisions,
            "labels": None if self._labels is None else self._true_labels(self._labels),
            "scores": None if scored is None else scores(scored, what="score"),
            "weights": weights,
        }

    def _decisions(self, levels: LevelPart) -> Outcome:
        return outcome(
            levels.finish(),
            favorable_label=self._favor.favorable_label,
            lower_score_favorable=self._favor.lower_score_favorable,
            what="decision",
            missing=self._favor.missing,
        )

    def _true_labels(self, levels: LevelPart) -> Outcome:
        return true_labels(
            levels.finish(),
            favorable_label=self._favor.label_favorable,
            favorable_decision=None if self._threshold else self._favor.favorable_label,
            lower_score_favorable=self._favor.lower_score_favorable,
            what="label",
            parameter="label_favorable",
            missing=self._favor.missing,
        )


def _refuse_what_would_be_ignored(wanted: Roles, favor: Favor) -> None:
    threshold = favor.score_threshold is not None
    if threshold and not (wanted.decision or wanted.score):
        raise InputError("score_threshold needs a column of scores. Name it as score.")
    if threshold and wanted.decision and wanted.score:
        raise InputError(
            "Decisions come from decision or from score and score_threshold, not from both. "
            "Name one of them."
        )
    if favor.lower_score_favorable and not threshold:
        raise InputError("lower_score_favorable is for scores. Pass a score threshold too.")
    if favor.favorable_label is not None and (threshold or not (wanted.decision or wanted.label)):
        raise InputError("favorable_label is of decisions. Name their column as decision.")
    if favor.label_favorable is not None and not wanted.label:
        raise InputError("label_favorable is of labels. Name their column as label.")
