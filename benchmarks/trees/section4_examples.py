"""Populations on which a bound on the covariance leaves the gap as it is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.special import expit, ndtri

import arbitree as ar

BOUNDS = (1.0, 0.1, 0.01, 1e-6)

Population = tuple[np.ndarray, np.ndarray, np.ndarray]  # x, y, A = 1


def review() -> Population:
    """1 with probability 0.6, else -1.5; or 1 with 0.4, else -2/3. Both means are 0."""
    x = np.repeat([1.0, -1.5, 1.0, -2 / 3], [300, 200, 200, 300])
    shares = [(300, 0.9), (200, 0.2), (200, 0.9), (300, 0.2)]
    y = np.concatenate([np.arange(n) < share * n for n, share in shares])
    return x, y, np.arange(1000) >= 500


def mirrored(d: float, n: int = 1000) -> Population:
    """1 with probability 1 - d, else -(1 - d) / d; the other group is its mirror image."""
    rare = round(d * n)
    x = np.repeat([1.0, -(1 - d) / d], [n - rare, rare])
    x = np.concatenate([x, -x])
    y = np.concatenate(
        [np.arange(size) < (0.9 if value > 0 else 0.1) * size for value, size in _runs(x)]
    )
    return x, y, np.arange(2 * n) >= n


def _runs(x: np.ndarray) -> Iterator[tuple[float, int]]:
    starts = np.flatnonzero(np.append(True, x[1:] != x[:-1]))
    yield from zip(x[starts].tolist(), np.diff(np.append(starts, len(x))).tolist())


def normal(n: int = 2000) -> Population:
    """N(0, 1) and N(0.8, 1); a share of 0.499 is favourable, likelier for larger x."""
    points = ndtri((np.arange(n) + 0.5) / n)
    x = np.concatenate([points, points + 0.8])
    score = expit(x - 0.4) - np.random.default_rng(0).random(2 * n)
    y = np.zeros(2 * n, dtype=bool)
    y[np.argsort(-score)[: round(2 * n * 0.499)]] = True
    return x, y, np.arange(2 * n) >= n


POPULATIONS = {
    "the review's two points": review(),
    "mirrored, d = 0.25": mirrored(0.25),
    "mirrored, d = 0.05": mirrored(0.05),
    "N(0, 1) and N(0.8, 1)": normal(),
}


def split_gap(population: Population, c: float) -> float:
    """The gap of the one split of a C-LRT tree; NaN where it has none."""
    x, y, other = population
    tree = ar.TreeClassifier(split="logistic", parity=ar.Covariance(c), max_depth=1)
    report = tree.fit(pd.DataFrame({"x": x}), y, sensitive_features=other).parity_report_
    return float(report["eps"].iloc[0]) if len(report) else float("nan")


def rows() -> list[list[str]]:
    """Of each population the covariance, and its gap under each bound."""
    found = []
    for name, (x, y, other) in POPULATIONS.items():
        covariance = abs(np.mean(x * other) - x.mean() * other.mean())
        gaps = [_shown(split_gap((x, y, other), c)) for c in BOUNDS]
        found.append([name, f"{covariance:.3f}", f"{y.mean():.3f}", *gaps])
    return found


def _shown(found: float) -> str:
    return "no split" if np.isnan(found) else f"{found:.3f}"
