"""How often 95 % intervals hold the truth, over grids of sizes and rates.

python benchmarks/coverage.py           about 3 minutes on one core; prints Markdown
python benchmarks/coverage.py --write   also writes docs/benchmarks/coverage.md

Coverage of rates, differences and ratios is not simulated: the binomial probabilities of all
counts whose interval holds the truth are summed. That of gaps over 8 groups is simulated.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import binom

from arbitree.groups.balanced import balanced_accuracy_interval
from arbitree.groups.intervals import clopper_pearson, newcombe, normal_quantile, wilson
from arbitree.groups.max_gap import max_gap_interval
from arbitree.groups.ratios import ratio_interval

Z = normal_quantile(0.95)
NEGLECTED = 1e-9  # probability of the counts left out, on either side
SLACK = 1e-12  # a truth within a rounding of a limit is held
SEED = 20_240
SIZES = (20, 50, 100, 200, 500, 1000, 5000)
RATES = np.round(np.arange(0.02, 0.99, 0.02), 2)
PAIRS_OF_SIZES = (
    *((n, n) for n in (20, 50, 200, 1000, 5000)),
    *((20, 200), (200, 20), (50, 1000), (1000, 50), (200, 5000), (5000, 200)),
)
RATES_IN_PAIRS = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98)
SIMULATED = {"equal": 2500, "close": 600, "one outlier": 600}  # misses are likeliest at no gap
SIMULATED_ODDS = 1000
N_RESAMPLES = 200
PERCENTILES_EVERY = 4  # simulations

TEMPLATE = """# Coverage of 95 % intervals

Made by `python benchmarks/coverage.py --write`. In bold, what arbitree uses; the rest is for
comparison. A cell is one setting of sizes and true rates.

| interval of | method | cells | mean coverage | cells under 93 % | worst | in the cell |
|---|---|--:|--:|--:|--:|---|
{rows}

- Rates: n in {sizes}; p from 0.02 to 0.98 by 0.02. Exact sums.
- Differences, ratios, balanced accuracies: (n1, n2) in {pairs}; both rates in {rates}. Exact sums.
  For ratios, given that not both counts are 0.
- 8 groups: rates equal, close (spread evenly over 0.03) or with one outlier (0.2 away), at 0.05,
  0.3, 0.5 and 0.9 (there downwards); 50, 200, 1000 or 5000 rows each, or 50 to 5000 by equal
  factors. {many:,} simulations a cell of equal rates (one standard error: {error:.1%}), {few:,} of
  the others ({larger_error:.1%}), each of {resamples} resamplings; seed {seed}.
- Equalized odds: true positive rates 0.7, false positive rates as the settings at 0.05.
- Methods were chosen on other grids and seeds: docs/decisions/0006-intervals.md.
"""

Limits = tuple[np.ndarray, np.ndarray]
Cells = dict[str, float]  # coverage by a description of the cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One method over one grid."""

    what: str
    method: str
    cells: Cells
    default: bool

    def text(self) -> str:
        values = np.array(list(self.cells.values()))
        worst = min(self.cells, key=lambda cell: self.cells[cell])
        method = f"**{self.method}**" if self.default else self.method
        return (
            f"| {self.what} | {method} | {len(values)} | {values.mean():.1%} | "
            f"{np.mean(values < 0.93):.0%} | {values.min():.1%} | {worst} |"
        )


# -- exact


def counts_of(n: int, p: float) -> tuple[np.ndarray, np.ndarray]:
    """Counts that are not negligible, and their probabilities."""
    k = np.arange(binom.ppf(NEGLECTED, n, p), binom.isf(NEGLECTED, n, p) + 1)
    return k, binom.pmf(k, n, p)


def covered(limits: Limits, truth: float, chance: np.ndarray) -> float:
    """Probability that the limits hold the truth, given that they exist."""
    low, high = limits
    held = (low - SLACK <= truth) & (truth <= high + SLACK)
    return float((chance * held).sum() / chance[~np.isnan(low)].sum())


def rate_cells(method: Callable[..., Limits]) -> Cells:
    cells = {}
    for n in SIZES:
        limits = method(np.arange(n + 1.0), np.float64(n))
        for p in RATES:
            k, chance = counts_of(n, p)
            at = k.astype(int)
            cells[f"n = {n}, p = {p}"] = covered((limits[0][at], limits[1][at]), p, chance)
    return cells


def pairs() -> Iterator[tuple[int, int, float, float]]:
    for n1, n2 in PAIRS_OF_SIZES:
        for p1 in RATES_IN_PAIRS:
            for p2 in RATES_IN_PAIRS:
                yield n1, n2, p1, p2


def pair_cells(method: Callable[..., Limits], truth: Callable[[float, float], float]) -> Cells:
    cells = {}
    for n1, n2, p1, p2 in pairs():
        (k1, chance1), (k2, chance2) = counts_of(n1, p1), counts_of(n2, p2)
        limits = method(k1[:, None], n1, k2, n2)
        name = f"n = {n1}, {n2}; p = {p1}, {p2}"
        cells[name] = covered(limits, truth(p1, p2), chance1[:, None] * chance2)
    return cells


# -- what is usual elsewhere, for comparison


def wald(k: np.ndarray, n: np.ndarray) -> Limits:
    error = np.sqrt(k / n * (1 - k / n) / n)
    return k / n - Z * error, k / n + Z * error


def wald_difference(k1: np.ndarray, n1: int, k2: np.ndarray, n2: int) -> Limits:
    p1, p2 = k1 / n1, k2 / n2
    error = np.sqrt(p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2)
    return p1 - p2 - Z * error, p1 - p2 + Z * error


def log_ratio(k1: np.ndarray, n1: int, k2: np.ndarray, n2: int) -> Limits:
    """Delta method on the logarithm, half a row added to every count (Walter 1975)."""
    k1, n1, k2, n2 = np.broadcast_arrays(k1 + 0.5, n1 + 0.5, k2 + 0.5, n2 + 0.5)
    error = np.sqrt(1 / k1 - 1 / n1 + 1 / k2 - 1 / n2)
    middle = np.log(k1 / n1) - np.log(k2 / n2)
    return np.exp(middle - Z * error), np.exp(middle + Z * error)


# -- simulated: 8 groups


def settings() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Sizes and true rates of 8 groups."""
    sizes = {str(n): np.full(8, n) for n in (50, 200, 1000, 5000)}
    unequal = np.rint(np.geomspace(50, 5000, 8)).astype(int)
    sizes |= {"50 ... 5000": unequal, "5000 ... 50": unequal[::-1]}
    for rate in (0.05, 0.3, 0.5, 0.9):
        sign = -1 if rate > 0.5 else 1
        shapes = {
            "equal": np.zeros(8),
            "close": np.linspace(0, 0.03, 8),
            "one outlier": np.r_[0.2, np.zeros(7)],
        }
        for shape, offset in shapes.items():
            for size, n in sizes.items():
                yield f"{shape}, p = {rate}, n = {size}", n, rate + sign * offset


def gap_cells() -> dict[str, Cells]:
    """Coverage of the gap and of the ratio, and of percentiles of the resampled gap."""
    cells: dict[str, Cells] = {"gap": {}, "ratio": {}, "percentile": {}}
    rng = np.random.default_rng(SEED)
    for name, n, p in settings():
        gap, ratio = np.ptp(p), p.min() / p.max()
        held: dict[str, list[bool]] = {what: [] for what in cells}
        for turn in range(SIMULATED[name.split(",")[0]]):
            k = rng.binomial(n, p)
            found = max_gap_interval(k, n, n_resamples=N_RESAMPLES, rng=rng)
            held["gap"].append(holds(found.low, gap, found.high))
            if not np.isnan(found.ratio):
                held["ratio"].append(holds(found.ratio_low, ratio, found.ratio_high))
            if turn % PERCENTILES_EVERY == 0:
                held["percentile"].append(percentile_holds(k, n, gap, rng))
        for what, each in held.items():
            cells[what][name] = float(np.mean(each))
    return cells


def holds(low: float, truth: float, high: float) -> bool:
    """Whether the limits hold the truth; within a rounding of a limit counts as held."""
    return bool(low - SLACK <= truth <= high + SLACK)


def percentile_holds(k: np.ndarray, n: np.ndarray, gap: float, rng: np.random.Generator) -> bool:
    maxima = np.ptp(rng.binomial(n, k / n, size=(N_RESAMPLES, 8)) / n, axis=1)
    low, high = np.quantile(maxima, [0.025, 0.975])
    return holds(low, gap, high)


def odds_cells() -> Cells:
    """Equalized odds: true and false positive rates of 8 groups at once."""
    cells = {}
    rng = np.random.default_rng(SEED + 1)
    for name, n, p in settings():
        if not name.startswith(("equal", "one outlier")) or "p = 0.05" not in name:
            continue
        n, p = np.stack([n, n]), np.stack([np.full(8, 0.7), p])
        truth, held = np.ptp(p, axis=1).max(), 0
        for _ in range(SIMULATED_ODDS):
            k = rng.binomial(n, p)
            found = max_gap_interval(k, n, n_resamples=N_RESAMPLES, rng=rng)
            held += holds(found.low, truth, found.high)
        cells[name.replace("p =", "TPR = 0.7, FPR =")] = held / SIMULATED_ODDS
    return cells


# -- the table


def rows() -> Iterator[Row]:
    for method, name in ((wilson, "Wilson"), (clopper_pearson, "Clopper-Pearson"), (wald, "Wald")):
        yield Row(what="rate", method=name, cells=rate_cells(method), default=method is wilson)
    for method, name in ((newcombe, "Newcombe"), (wald_difference, "Wald")):
        cells = pair_cells(method, lambda p1, p2: p1 - p2)
        yield Row(what="difference", method=name, cells=cells, default=method is newcombe)
    for method, name in ((ratio_interval, "MOVER-R, Wilson"), (log_ratio, "log, + 1/2")):
        cells = pair_cells(method, lambda p1, p2: p1 / p2)
        yield Row(what="ratio", method=name, cells=cells, default=method is ratio_interval)
    cells = pair_cells(balanced_accuracy_interval, lambda p1, p2: (p1 + p2) / 2)
    yield Row(what="balanced accuracy", method="MOVER, Wilson", cells=cells, default=True)
    names = {
        "gap": ("max-min gap, 8 groups", "max-T", True),
        "ratio": ("min / max ratio, 8 groups", "studentised range", True),
        "percentile": ("max-min gap, 8 groups", "percentile bootstrap", False),
    }
    for key, cells in gap_cells().items():
        what, method, default = names[key]
        yield Row(what=what, method=method, cells=cells, default=default)
    what = "equalized odds gap, 8 groups"
    yield Row(what=what, method="max-T", cells=odds_cells(), default=True)


def table(found: list[Row]) -> str:
    return TEMPLATE.format(
        rows="\n".join(row.text() for row in found),
        sizes=listed(SIZES),
        pairs="; ".join(f"{a}, {b}" for a, b in PAIRS_OF_SIZES),
        rates=listed(RATES_IN_PAIRS),
        many=SIMULATED["equal"],
        few=SIMULATED["close"],
        resamples=N_RESAMPLES,
        seed=SEED,
        error=np.sqrt(0.95 * 0.05 / SIMULATED["equal"]),
        larger_error=np.sqrt(0.95 * 0.05 / SIMULATED["close"]),
    )


def listed(values: tuple[float, ...]) -> str:
    return ", ".join(str(value) for value in values)


def main(arguments: list[str]) -> None:
    text = table(list(rows()))
    print(text)
    if "--write" in arguments:
        path = Path(__file__).resolve().parents[1] / "docs" / "benchmarks" / "coverage.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
