"""What is asked of a tree's fairness, as values: a bound, and which groups it compares where."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import nearest

CONDITIONAL = "conditional_statistical_parity"
METRICS = (
    "statistical_parity",
    "equal_opportunity",
    "predictive_equality",
    "equalized_odds",
    CONDITIONAL,
)
ERRORS = ("auto", "training", "expected")


@dataclass(frozen=True, slots=True)
class Covariance:
    """Bound each split's covariance with the groups: C-LRT, with ``split="logistic"``.

    A node's logistic regression theta0 + theta1 x of one feature is fitted subject to
    ``|Cov(theta0 + theta1 x, A)| <= c`` for the indicator A of each group. Of other splits, which
    have no regression, the covariance of A with going to a branch is bounded, for each branch:
    for two groups the split's gap times the product of their shares.

    Parameters
    ----------
    c : float
        Not negative; the smaller, the stricter. 0 leaves no split but of features that do not
        vary with the groups at all.
    metric : str or sequence of str
        Which rows count: ``"statistical_parity"`` (all of them, as in the paper),
        ``"equal_opportunity"`` (favourable labels), ``"predictive_equality"`` (the others),
        ``"equalized_odds"`` (both, one after the other) or ``"conditional_statistical_parity"``
        (each level of the control features). Of several metrics each is bounded.
    joint : bool
        Compare combinations of all sensitive columns; with False the groups of each column.

    References
    ----------
    Algorithm 1 (C-LRT split) of "Local Statistical Parity" trees.

    Examples
    --------
    >>> Covariance(0.01)
    Covariance(c=0.01, metric='statistical_parity', joint=True)
    """

    c: float
    metric: str | tuple[str, ...] = field(default="statistical_parity", kw_only=True)
    joint: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        _check_bound("c", self.c, inf)
        object.__setattr__(self, "metric", _metric(self.metric))
        _check_joint(self.joint)


@dataclass(frozen=True, slots=True)
class SplitGap:
    """Bound each split's own gap: ``|P(branch | a, node) - P(branch | b, node)| <= eps``.

    Exact on the training rows of the node, for every branch and every pair of groups. The gap of
    the whole tree is then at most ``1 - (1 - eps) ** depth``.

    Parameters
    ----------
    eps : float
        From 0 to 1.
    metric : str or sequence of str
        Given what: as for `Covariance`.
    joint : bool
        Compare combinations of all sensitive columns; with False the groups of each column.

    Examples
    --------
    >>> SplitGap(0.05, metric="equalized_odds")
    SplitGap(eps=0.05, metric='equalized_odds', joint=True)
    """

    eps: float
    metric: str | tuple[str, ...] = field(default="statistical_parity", kw_only=True)
    joint: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        _check_bound("eps", self.eps, 1)
        object.__setattr__(self, "metric", _metric(self.metric))
        _check_joint(self.joint)


@dataclass(frozen=True, slots=True)
class GapBudget:
    """Bound the gap of the whole tree's decisions on the training rows, up to a rounding of 1e-12.

    Trees are of depth 5 unless ``max_depth`` says otherwise. With ``split="threshold"`` splits are
    re-optimised under the budget; others are grown at prices on the gap and labelled. On small
    tables the gap on other rows is larger; ``min_samples_leaf="auto"`` narrows the
    difference.

    Parameters
    ----------
    eps : float
        From 0 to 1.
    metric : str or sequence of str
        The gap of what: as for `Covariance`. Of several metrics each gap is bounded.
    joint : bool
        Compare combinations of all sensitive columns; with False the groups of each column.
    margin : float or "auto"
        What the training gap stays below `eps`, so that the gap on other rows may be larger.
        ``"auto"`` chooses it by cross-validation on the training rows: 3 times 5 trees.
    errors : {"auto", "training", "expected"}
        Which errors are to be few: those on the training labels, or those that are expected by the
        probabilities which gradient boosting on the same columns gives the training rows, so that
        less of the labels' noise is fitted. ``"auto"`` expects with threshold splits from depth 4
        on, of 200 to 100,000 rows. Trees of depth 2 and 3 have the fewest errors of all with
        ``"training"``.

    Examples
    --------
    >>> GapBudget(0.02)
    GapBudget(eps=0.02, metric='statistical_parity', joint=True, margin=0.0, errors='auto')
    >>> GapBudget(0.05, metric=["statistical_parity", "equal_opportunity"]).metric
    ('statistical_parity', 'equal_opportunity')
    """

    eps: float
    metric: str | tuple[str, ...] = field(default="statistical_parity", kw_only=True)
    joint: bool = field(default=True, kw_only=True)
    margin: float | str = field(default=0.0, kw_only=True)
    errors: str = field(default="auto", kw_only=True)

    def __post_init__(self) -> None:
        _check_bound("eps", self.eps, 1)
        object.__setattr__(self, "metric", _metric(self.metric))
        _check_joint(self.joint)
        if isinstance(self.margin, str) and self.margin != "auto":
            raise InputError(f"margin is {self.margin!r}. Pass 'auto' or a number from 0 to 1.")
        if self.margin != "auto":
            _check_bound("margin", self.margin, 1)
        if self.errors not in ERRORS:
            raise InputError(f"errors is {self.errors!r}. {nearest(str(self.errors), ERRORS)}")


_NUMBER = int | float | np.integer | np.floating
Parity = Covariance | SplitGap | GapBudget


def _check_bound(name: str, value: object, most: float) -> None:
    if isinstance(value, bool) or not isinstance(value, _NUMBER) or not 0 <= value <= most:
        wanted = "of 0 or more" if most == inf else f"from 0 to {most}"
        raise InputError(f"{name} is {value!r}. Pass a number {wanted}.")


def metrics_of(metric: str | tuple[str, ...]) -> tuple[str, ...]:
    """One metric or several, as several."""
    return (metric,) if isinstance(metric, str) else metric


def bounded_metric(model: object) -> str | tuple[str, ...]:
    """The metric, or metrics, of a tree's bound; statistical parity of what has none.

    Examples
    --------
    >>> bounded_metric(None)
    'statistical_parity'
    """
    parity = getattr(model, "parity", None)
    return parity.metric if isinstance(parity, Parity) else "statistical_parity"


def _metric(metric: object) -> str | tuple[str, ...]:
    """A metric's name, or several of them."""
    several = metric if isinstance(metric, list | tuple) else [metric]
    for one in several:
        if one not in METRICS:
            raise InputError(f"metric is {one!r}. {nearest(str(one), METRICS)}")
    if not several:
        raise InputError("metric is empty. Pass the name of a metric, or several.")
    found = tuple(dict.fromkeys(map(str, several)))
    return found[0] if len(found) == 1 else found


def _check_joint(joint: object) -> None:
    if not isinstance(joint, bool | np.bool_):
        raise InputError(f"joint is {joint!r}. Pass True or False.")
