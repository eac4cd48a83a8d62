"""Rates of groups, with intervals, and their comparison with a reference group."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbitree.groups.intervals import effective_counts, newcombe, wilson
from arbitree.groups.metrics import Rate
from arbitree.groups.ratios import ratio_interval


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trials:
    """How often something happened, for each segment and group: arrays (s, g).

    `value` is NaN exactly where `n_effective` is 0. Without weights `n_effective == n`.
    """

    n: np.ndarray  # rows, int64
    k: np.ndarray  # rows that are hits, int64
    value: np.ndarray  # share of the weight that is hits
    n_effective: np.ndarray  # rows of equal weight that would be as informative

    @property
    def k_effective(self) -> np.ndarray:
        return np.nan_to_num(self.value) * self.n_effective


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupCounts:
    """Rows by (segment, group, label, decision): counts, and sums of weights and their squares."""

    n: np.ndarray  # (s, g, 3, 3) int64
    w: np.ndarray | None = None
    w2: np.ndarray | None = None

    def trials(self, rate: Rate) -> Trials:
        """Count what a rate asks for."""
        n, k = self.n[..., rate.trials].sum(-1), self.n[..., rate.hits].sum(-1)
        if self.w is None or self.w2 is None:
            weight, hit = n.astype(float), k.astype(float)
            size = weight
        else:
            weight, hit = self.w[..., rate.trials].sum(-1), self.w[..., rate.hits].sum(-1)
            squares = self.w2[..., rate.trials].sum(-1), self.w2[..., rate.hits].sum(-1)
            size = effective_counts(np.minimum(hit, weight), weight, squares[1], squares[0])[1]
        value = np.divide(hit, weight, out=np.full(weight.shape, np.nan), where=weight > 0)
        # A sum of float weights can exceed its own total by a rounding.
        value = np.where(value > 1, 1.0, value)
        return Trials(n=n, k=k, value=value, n_effective=size)

    def size(self, rate: Rate) -> np.ndarray:
        """Sum of the weights of the trials; rows, without weights.  (s, g)"""
        return (self.n if self.w is None else self.w)[..., rate.trials].sum(-1)

    def pooled(self, segment: int, groups: np.ndarray) -> GroupCounts:
        """Some groups of a segment as one."""

        def pool(counts: np.ndarray | None) -> np.ndarray | None:
            return None if counts is None else counts[segment, groups].sum(axis=0)[None, None]

        n = self.n[segment, groups].sum(axis=0)[None, None]
        return GroupCounts(n=n, w=pool(self.w), w2=pool(self.w2))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Compared:
    """A rate of each group, with its interval, and against the reference: arrays (s, g).

    Differences are group minus reference, ratios group over reference. NaN where either of the
    two has no trials; a ratio is also NaN where the reference's rate is 0.
    """

    trials: Trials
    low: np.ndarray
    high: np.ndarray
    difference: np.ndarray
    difference_low: np.ndarray
    difference_high: np.ndarray
    ratio: np.ndarray
    ratio_low: np.ndarray
    ratio_high: np.ndarray


def compare(
    trials: Trials,
    reference: np.ndarray,
    confidence: float,
    *,
    compared_confidence: float | None = None,
) -> Compared:
    """Put intervals around rates, and compare each group with its segment's reference.

    Parameters
    ----------
    trials : Trials (s, g)
    reference : ndarray (s,) of int
        Position of the reference group, -1 where the segment has none.
    confidence : float
        Of each interval on its own, not of all together.
    compared_confidence : float, optional
        Asked of differences and ratios instead, where the reference was chosen by its rate.

    Returns
    -------
    Compared
        Wilson intervals of the rates, Newcombe intervals of the differences.
    """
    asked = confidence if compared_confidence is None else compared_confidence
    low, high = wilson(trials.k_effective, trials.n_effective, confidence)
    has = reference >= 0
    at = np.arange(len(reference))[:, None], np.where(has, reference, 0)[:, None]
    k, n = trials.k_effective, trials.n_effective
    k_ref, n_ref = k[at], np.where(has[:, None], n[at], 0.0)
    value_ref = np.where(has[:, None], trials.value[at], np.nan)
    difference_low, difference_high = newcombe(k, n, k_ref, n_ref, asked)
    ratio_low, ratio_high = ratio_interval(k, n, k_ref, n_ref, asked)
    difference = trials.value - value_ref
    ratio = np.divide(
        trials.value, value_ref, out=np.full(difference.shape, np.nan), where=value_ref > 0
    )
    itself = (np.arange(difference.shape[1]) == reference[:, None]) & ~np.isnan(difference)
    return Compared(
        trials=trials,
        low=low,
        high=high,
        difference=difference,
        difference_low=_where(itself, 0.0, difference, difference_low),
        difference_high=_where(itself, 0.0, difference, difference_high),
        ratio=ratio,
        ratio_low=_where(itself, 1.0, ratio, ratio_low),
        ratio_high=_where(itself, 1.0, ratio, ratio_high),
    )


def _where(
    itself: np.ndarray, identity: float, estimate: np.ndarray, limit: np.ndarray
) -> np.ndarray:
    """A limit, exact for the reference against itself, NaN where there is no estimate."""
    return np.where(np.isnan(estimate), np.nan, np.where(itself, identity, limit))
