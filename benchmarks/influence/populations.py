"""Populations of two groups whose influences are known in closed form.

Each turns uniform numbers into features and outcomes, so that rows can be drawn at random or
spread evenly over the distribution (a Sobol sequence), which leaves little but a method's error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import qmc

Names = tuple[str, ...]
Rows = tuple[np.ndarray, np.ndarray]  # features (n, d), outcomes (n,)
Sample = tuple[pd.DataFrame, np.ndarray, np.ndarray]  # features, outcomes, groups


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Group:
    """One group: how to draw it, and what is true of it."""

    draw: Callable[[np.ndarray], Rows]  # uniform numbers (n, k) -> rows
    mean: float  # of the outcome
    shares: Mapping[Names, float]  # of the variance of the outcome


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Population:
    """Two groups; `high` has the larger mean outcome."""

    name: str
    about: str
    features: Names
    n_uniforms: int
    high: Group
    low: Group
    options: Mapping[str, Any] = field(default_factory=dict)  # of `explain_gap`

    @property
    def gap(self) -> float:
        return self.high.mean - self.low.mean

    def influences(self) -> dict[Names, float]:
        """p_high S(high) - p_low S(low) of every set of features that has a share."""
        high, low = self.high, self.low
        return {
            names: high.mean * high.shares.get(names, 0.0) - low.mean * low.shares.get(names, 0.0)
            for names in {**high.shares, **low.shares}
        }

    def sample(self, n: int, seed: int) -> Sample:
        """n rows a group, drawn at random."""
        rng = np.random.default_rng(seed)
        return self._rows(*rng.random((2, n, self.n_uniforms)))

    def even_sample(self, n: int, seed: int) -> Sample:
        """n rows a group, spread evenly over the distribution, in random order."""
        power = (n - 1).bit_length()
        rng = np.random.default_rng(seed)
        sequences = [qmc.Sobol(self.n_uniforms, rng=rng).random_base2(power) for _ in range(2)]
        return self._rows(*(rng.permutation(points[:n]) for points in sequences))

    def _rows(self, high: np.ndarray, low: np.ndarray) -> Sample:
        drawn = [self.high.draw(high), self.low.draw(low)]
        X = pd.DataFrame(np.concatenate([x for x, _ in drawn]), columns=list(self.features))
        outcomes = np.concatenate([y for _, y in drawn])
        return X, outcomes, np.repeat(["high", "low"], [len(high), len(low)])


def decided_by_levels(
    features: Names,
    chance: np.ndarray,
    levels: Sequence[Sequence[float]],
    values: Sequence[Callable[[np.ndarray], np.ndarray] | None] | None = None,
) -> Group:
    """A group whose features are independent, and whose decision depends on levels of them.

    Parameters
    ----------
    features : names
    chance : (k_1, k_2, ..) float64
        Probability of a favourable decision at each combination of levels. 0 or 1 everywhere
        is a rule.
    levels : for each feature, the probabilities of its levels (k_j,)
    values : for each feature, a function from uniform numbers to values, optional
        It must increase: level 0 has the smallest values. Without one, a value is its level.
    """
    chance = np.asarray(chance, dtype=float)
    mean, shares = hoeffding(chance, levels)
    edges = [np.cumsum(p)[:-1] for p in levels]
    d = len(levels)

    def draw(u: np.ndarray) -> Rows:
        at = [np.searchsorted(edge, u[:, j], side="right") for j, edge in enumerate(edges)]
        x = [at[j] if values is None or values[j] is None else values[j](u[:, j]) for j in range(d)]
        return np.column_stack(x), (u[:, d] < chance[tuple(at)]).astype(float)

    named = {tuple(features[j] for j in subset): share for subset, share in shares.items()}
    return Group(draw=draw, mean=mean, shares=named)


def hoeffding(
    chance: np.ndarray, levels: Sequence[Sequence[float]]
) -> tuple[float, dict[tuple[int, ...], float]]:
    """Mean of a decision, and the share of its variance that each set of features carries.

    g_S is the mean of the decision given S, less g_T of every smaller T in S (Hoeffding 1948);
    its covariance with the decision is its own variance.

    Examples
    --------
    >>> mean, shares = hoeffding(np.array([[0, 1], [1, 0]]), [(0.5, 0.5), (0.5, 0.5)])
    >>> mean, shares
    (0.5, {(0,): 0.0, (1,): 0.0, (0, 1): 1.0})
    """
    d = len(levels)
    subsets = list(chain.from_iterable(combinations(range(d), k) for k in range(d + 1)))
    g: dict[tuple[int, ...], np.ndarray] = {}
    for subset in subsets:
        others = [axis for axis in range(d) if axis not in subset]
        smaller = sum(table for t, table in g.items() if set(t) < set(subset))
        g[subset] = averaged(np.asarray(chance, dtype=float), levels, others) - smaller
    mean = float(g[()].squeeze())
    variance = mean * (1 - mean)
    shares = {s: averaged(g[s] ** 2, levels, s).item() / variance for s in subsets[1:]}
    return mean, shares


def averaged(
    table: np.ndarray, levels: Sequence[Sequence[float]], axes: Sequence[int]
) -> np.ndarray:
    """The mean of a table over some axes, which stay with length 1."""
    for axis in axes:
        weights = np.asarray(levels[axis]).reshape(
            [-1 if k == axis else 1 for k in range(table.ndim)]
        )
        table = (table * weights).sum(axis, keepdims=True)
    return table


def linear(
    features: Names,
    slopes: Sequence[float],
    means: Sequence[float],
    covariance: np.ndarray,
    noise: float,
    normal: Callable[[np.ndarray], np.ndarray],
) -> Group:
    """A group whose outcome is a linear function of normal features, and noise.

    The functions of single features are linear and there is no interaction, so the share of a
    feature is its slope times its covariance with the outcome, over the outcome's variance.
    """
    a, mu = np.asarray(slopes), np.asarray(means)
    root = np.linalg.cholesky(covariance)
    carried = a * (covariance @ a)
    shares = carried / (carried.sum() + noise**2)

    def draw(u: np.ndarray) -> Rows:
        z = normal(u)
        x = mu + z[:, : len(a)] @ root.T
        return x, x @ a + noise * z[:, len(a)]

    named = {(name,): float(share) for name, share in zip(features, shares)}
    pairs = dict.fromkeys(combinations(features, 2), 0.0)
    return Group(draw=draw, mean=float(a @ mu), shares=named | pairs)


def with_copy(group: Group, feature: str, copy: str, at: int) -> Group:
    """The same group with a copy of the feature at a position, as the last feature.

    The two cannot be told apart, so each has half of what the feature carries, in every set.
    """
    shares: dict[Names, float] = {(feature, copy): 0.0}
    for names, share in group.shares.items():
        if feature in names:
            others = tuple(name for name in names if name != feature)
            shares[names] = share / 2
            shares[*others, copy] = share / 2
        else:
            shares[names] = share

    def draw(u: np.ndarray) -> Rows:
        x, y = group.draw(u)
        return np.column_stack([x, x[:, at]]), y

    return Group(draw=draw, mean=group.mean, shares=shares)
