"""The options of an explanation, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import nearest
from arbitree.groups.intervals import normal_quantile
from arbitree.influence.compared import METRICS


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Options:
    """How to explain. Every value makes sense."""

    metric: str
    max_order: int
    n_intervals: int
    groups: tuple[Any, Any] | None
    pairs: Any
    cross_fit: int
    n_bootstrap: int
    seed: int
    penalty: str | float
    knots: str
    confidence: float
    min_group_size: int
    missing: str
    n_threads: int | None


def explain_options(
    *,
    metric: str,
    max_order: int,
    n_intervals: int,
    groups: Any,
    pairs: Any,
    cross_fit: int,
    n_bootstrap: int,
    random_state: int | np.random.Generator | None,
    penalty: str | float,
    knots: str,
    confidence: float,
    min_group_size: int,
    missing: str,
    n_threads: int | None,
) -> Options:
    """Check what was asked for.  Parameters are those of `arbitree.explain_gap`."""
    if metric not in METRICS:
        raise InputError(f"metric is {metric!r}. {nearest(metric, METRICS)}")
    normal_quantile(confidence)
    if knots not in ("rank", "value"):
        raise InputError(f"knots is {knots!r}. Pass 'rank' or 'value'.")
    if cross_fit == 1:
        raise InputError("cross_fit is 1. Pass 0 for none, or at least 2 folds.")
    return Options(
        metric=metric,
        max_order=whole("max_order", max_order, 1, 3),
        n_intervals=whole("n_intervals", n_intervals, 1, 200),
        groups=two_groups(groups),
        pairs=pairs,
        cross_fit=whole("cross_fit", cross_fit, 0, 100),
        n_bootstrap=whole("n_bootstrap", n_bootstrap, 0, 10**6),
        seed=seed_of(random_state),
        penalty=_penalty(penalty),
        knots=knots,
        confidence=confidence,
        min_group_size=whole("min_group_size", min_group_size, 0, 10**12),
        missing=missing,
        n_threads=n_threads,
    )


def two_groups(groups: Any) -> tuple[Any, Any] | None:
    """The groups to compare, if the user names them.

    >>> two_groups(["Male", "Female"])
    ('Male', 'Female')
    """
    if groups is None:
        return None
    named = groups.tolist() if hasattr(groups, "tolist") else groups
    if not (isinstance(named, tuple | list) and len(named) == 2):
        raise InputError(f"groups is {groups!r}. Pass the two groups to compare.")
    return named[0], named[1]


def whole(name: str, value: Any, least: int, most: int) -> int:
    """An option that is a whole number, within its bounds.

    >>> whole("max_order", 2, 1, 3)
    2
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InputError(f"{name} is {value!r}. Pass a whole number.")
    if not least <= value <= most:
        raise InputError(f"{name} is {value}. Pass a whole number from {least} to {most}.")
    return int(value)


def _penalty(value: Any) -> str | float:
    if value == "reml":
        return "reml"
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not number or not np.isfinite(value) or value < 0:
        raise InputError(f"penalty is {value!r}. Pass 'reml', or a number that is not negative.")
    return float(value)


def seed_of(random_state: int | np.random.Generator | None) -> int:
    """A seed: the one given, or one drawn.

    >>> seed_of(7)
    7
    """
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if random_state is None:
        return int(np.random.default_rng().integers(2**31))
    return whole("random_state", random_state, 0, 2**63 - 1)
