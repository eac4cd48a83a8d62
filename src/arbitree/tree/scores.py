"""How well and how fairly decisions were made, and the mean of that over repeated splits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from arbitree._errors import InputError
from arbitree._wording import nearest
from arbitree.groups.metrics import GAPS, Rate
from arbitree.tree.parity import CONDITIONAL


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Truth:
    """What is known of rows before anything is decided; arrays of one length."""

    labels: np.ndarray  # (n,) int, index into classes
    n_classes: int
    favorable: np.ndarray  # (n,) uint8: 1 where the label is favourable
    groups: tuple[np.ndarray, ...]  # a code of each row, for each grouping that is compared
    strata: np.ndarray | None = None  # (n,) int: groups are compared within each; None for all rows

    def at(self, rows: np.ndarray) -> Truth:
        """Of some rows."""
        return Truth(
            labels=self.labels[rows],
            n_classes=self.n_classes,
            favorable=self.favorable[rows],
            groups=tuple(codes[rows] for codes in self.groups),
            strata=None if self.strata is None else self.strata[rows],
        )

    def parts(self) -> Iterator[np.ndarray]:
        """Rows within which groups are compared."""
        strata = np.zeros(len(self.labels), int) if self.strata is None else self.strata
        for stratum in np.unique(strata):
            yield np.flatnonzero(strata == stratum)


def rates_of(metric: str) -> tuple[Rate, ...]:
    """The rates that a metric compares.

    Raises
    ------
    InputError
        If there is no such metric.
    """
    if metric == CONDITIONAL:
        return GAPS["statistical_parity"]
    if metric not in GAPS:
        known = [*GAPS, CONDITIONAL]
        raise InputError(f"There is no metric {metric!r} here. {nearest(metric, known)}")
    return GAPS[metric]


def accuracy(truth: Truth, predicted: np.ndarray) -> float:
    """Share of rows whose predicted class, (n,) index, is the label."""
    return float(np.mean(predicted == truth.labels))


def balanced_accuracy(truth: Truth, predicted: np.ndarray) -> float:
    """Mean over the classes that occur of the share of their rows that is predicted as such."""
    n = np.bincount(truth.labels, minlength=truth.n_classes)
    hits = np.bincount(truth.labels[predicted == truth.labels], minlength=truth.n_classes)
    return float(np.mean(hits[n > 0] / n[n > 0]))


def gap(truth: Truth, decided: np.ndarray, metric: str) -> float:
    """The largest difference of two groups' rates; NaN where fewer than two groups have any.

    Parameters
    ----------
    decided : (n,) uint8
        1 where the decision is favourable.

    Examples
    --------
    >>> truth = Truth(
    ...     labels=np.array([0, 1, 0, 1]), n_classes=2, favorable=np.uint8([0, 1, 0, 1]),
    ...     groups=(np.array([0, 0, 1, 1]),),
    ... )
    >>> gap(truth, np.uint8([0, 1, 0, 0]), "statistical_parity")
    0.5
    """
    found = [
        _spread(rate, truth.favorable[part], decided[part], group[part])
        for rate in rates_of(metric)
        for group in truth.groups
        for part in truth.parts()
    ]
    known = [value for value in found if not np.isnan(value)]
    return max(known, default=float("nan"))


def _spread(rate: Rate, label: np.ndarray, decided: np.ndarray, group: np.ndarray) -> float:
    trials, hits = rate.trials[label, decided], rate.hits[label, decided]
    n = np.bincount(group[trials])
    k = np.bincount(group[hits], minlength=len(n))
    if (n > 0).sum() < 2:
        return float("nan")
    return float(np.ptp(k[n > 0] / n[n > 0]))


def corrected_interval(
    values: np.ndarray, *, share_of_test: float, confidence: float
) -> tuple[float, float, float]:
    """Mean over repeated splits of the same rows, with an interval.

    Training sets overlap, so that values of different splits are correlated: their variance is
    taken times 1/J + n_test / n_train instead of 1/J.

    Parameters
    ----------
    values : ndarray (J,)
        One a split, NaN left out.
    share_of_test : float
        Rows for testing over rows for training.
    confidence : float

    Returns
    -------
    mean, low, high : float
        NaN without values; limits NaN of a single value.

    References
    ----------
    Nadeau and Bengio (2003), Machine Learning 52:239, the corrected resampled t-test.

    Examples
    --------
    >>> values = np.array([0.80, 0.82, 0.81])
    >>> found = corrected_interval(values, share_of_test=3 / 7, confidence=0.95)
    >>> [round(value, 3) for value in found]
    [0.81, 0.772, 0.848]
    """
    known = values[~np.isnan(values)]
    nan = float("nan")
    if not len(known):
        return nan, nan, nan
    mean = float(known.mean())
    if len(known) == 1:
        return mean, nan, nan
    error = np.sqrt(known.var(ddof=1) * (1 / len(known) + share_of_test))
    half = float(stdtrit(len(known) - 1, (1 + confidence) / 2) * error)
    return mean, mean - half, mean + half
