"""What a page says of the kept results: medians at bounds, curves, who wins by how much."""

from __future__ import annotations

from dataclasses import dataclass

import frontier_kept
import numpy as np
from frontier_data import TABLES
from frontier_kept import Found, chosen, chosen_point
from frontier_methods import METHODS

TARGETS = (0.01, 0.02, 0.05, 0.10)
FINE = (
    0.0025,
    0.005,
    0.0075,
    0.01,
    0.015,
    0.02,
    0.03,
    0.04,
    0.05,
    0.06,
    0.08,
    0.1,
    0.13,
    0.16,
    0.2,
)
OURS = "budget"
OURS_AND_TUNED = ("budget", "budget-training", "budget-leaves")
LEAST_SPLITS = 3  # for a standard error
MOST_OF_OURS = 0.6  # of our splits: methods that ran on fewer are not compared on the same splits


@dataclass(frozen=True)
class Result:
    """A method on a table at one size: a row a split, a column a bound."""

    accuracy: np.ndarray
    gap: np.ndarray
    constant: np.ndarray
    seconds: np.ndarray  # of the whole grid
    of_one: np.ndarray  # of one point of it

    @property
    def n_splits(self) -> int:
        return len(self.accuracy)

    @property
    def medians(self) -> tuple[np.ndarray, np.ndarray]:
        return np.median(self.accuracy, axis=0), np.median(self.gap, axis=0)

    def first(self, n_splits: int) -> Result:
        return Result(*(part[:n_splits] for part in vars(self).values()))


@dataclass(frozen=True)
class Kept:
    """Everything that has been run, with the code as it is."""

    by_method: dict[str, dict[str, Found]]

    @classmethod
    def read(cls) -> Kept:
        return cls({name: frontier_kept.kept(name) for name in METHODS})

    def runs(self, method: str, table: str, size: tuple[int, int]) -> list[Found]:
        """The first splits without a gap."""
        found = []
        for number in range(1000):
            one = self.by_method[method].get(frontier_kept.key(table, number, *size))
            if one is None or "error" in one:
                return found
            found.append(one)
        return found

    def error(self, method: str, table: str, size: tuple[int, int]) -> str | None:
        one = self.by_method[method].get(frontier_kept.key(table, 0, *size), {})
        return one.get("error")

    def result(
        self,
        method: str,
        table: str,
        size: tuple[int, int],
        targets: tuple[float, ...] = TARGETS,
    ) -> Result | None:
        runs = self.runs(method, table, size)
        if not runs:
            return None
        points = np.array([[chosen(one, target) for target in targets] for one in runs])
        return Result(
            accuracy=points[:, :, 0],
            gap=points[:, :, 1],
            constant=points[:, :, 2] > 0,
            seconds=np.array([sum(one["seconds"]) for one in runs]),
            of_one=np.array([np.median(one["seconds"]) for one in runs]),
        )

    def results(
        self, table: str, size: tuple[int, int], targets: tuple[float, ...] = TARGETS
    ) -> dict[str, Result]:
        """Of the methods that ran, all on the same splits as ours where they ran on more."""
        found = {name: self.result(name, table, size, targets) for name in METHODS}
        return {name: one for name, one in found.items() if one is not None}

    def tables(self, size: tuple[int, int]) -> list[str]:
        return [table for table in TABLES if self.runs(OURS, table, size)]


def on_most_splits(results: dict[str, Result]) -> dict[str, Result]:
    """Methods that ran on most of the splits that ours ran on, each on those of all of them."""
    most = MOST_OF_OURS * results[OURS].n_splits
    kept = {name: one for name, one in results.items() if one.n_splits >= most}
    n_splits = min(one.n_splits for one in kept.values())
    return {name: one.first(n_splits) for name, one in kept.items()}


@dataclass(frozen=True)
class Comparison:
    """Ours against the best other single tree at one bound, on the splits of both."""

    best: str
    behind: float  # how much better its median accuracy is
    error: float  # standard error of the mean difference by split

    @property
    def verdict(self) -> str:
        if self.behind <= 0:
            return "best"
        return "within" if self.behind <= self.error else "behind"


def comparison(results: dict[str, Result], at: int) -> Comparison | None:
    """None where ours shares fewer than three splits with every peer."""
    found = []
    for name, result in results.items():
        if name in OURS_AND_TUNED or not METHODS[name].single:
            continue
        n = min(results[OURS].n_splits, result.n_splits)
        if n < LEAST_SPLITS:
            continue
        theirs, ours = (one.accuracy[:n, at] for one in (result, results[OURS]))
        error = float((theirs - ours).std(ddof=1) / np.sqrt(n))
        found.append(Comparison(name, float(np.median(theirs) - np.median(ours)), error))
    return max(found, key=lambda one: one.behind, default=None)


def at_test_gap(result: Result, most: float) -> float | None:
    """The best mean test accuracy of points whose mean test gap is at most a bound.

    Chosen on test rows, the same for every method: not what a user could do.
    """
    accuracy, gap = result.accuracy.mean(axis=0), result.gap.mean(axis=0)
    allowed = accuracy[gap <= most]
    return float(allowed.max()) if len(allowed) else None


def at_mean_gap(runs: list[Found], most: float) -> float | None:
    """The same where the gap is that of the mean, not the mean of gaps: chance evens out.

    For methods whose points know the sign of their gap.
    """
    accuracy = []
    for target in FINE:
        points = [chosen_point(one, target) for one in runs]
        gaps = [0.0 if k is None else one["signed"][k] for one, k in zip(runs, points)]
        if abs(np.mean(gaps)) <= most:
            accuracy.append(np.mean([chosen(one, target)[0] for one in runs]))
    return float(max(accuracy)) if accuracy else None
