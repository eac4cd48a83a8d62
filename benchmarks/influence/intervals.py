"""How often the intervals of influences hold the truth, and what shuffled decisions explain.

python benchmarks/influence/intervals.py           about 90 minutes on one core; can be stopped
python benchmarks/influence/intervals.py --part 0.3    three tenths of the simulations
python benchmarks/influence/intervals.py --quick   a few simulations, prints and writes nothing

Writes docs/benchmarks/influence-intervals.md and .png. Simulations are kept in a folder that git
ignores, under a hash of the code that is measured, and are not run again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import known
import numpy as np
from intervals_picture import draw
from ours import Set, explained
from page import DOCS, environment, progress, table, write
from populations import Population
from shuffled import shuffled_rows
from simulations import Kept

PLAN = {1_000: 1.0, 10_000: 0.2}  # rows a group: part of the simulations
QUICK = {1_000: 0.01}
FIRST_SEED = 1_000  # of the simulations; seeds below served to choose methods
WANTED = (0.93, 0.97)
SLACK = 1e-12  # a truth within a rounding of a limit is held
POPULATIONS = {  # simulations of 1,000 rows a group; numeric features take ten times as long
    known.example(): 300,
    known.additive(): 1_000,
    known.majority(): 1_000,
    known.xor(): 1_000,
    known.gaussian(): 300,
}
UNEXPLAINED: Set = frozenset({"(unexplained)"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One influence over all simulations of one population and size."""

    population: Population
    n: int
    name: str
    truth: float
    nothing: bool  # there is nothing to carry in either group
    estimates: np.ndarray  # (n_simulations,)
    limits: np.ndarray  # (n_simulations, 2)

    @property
    def coverage(self) -> float:
        return self.holding(self.truth)

    def holding(self, value: float) -> float:
        """Share of the intervals that hold a value."""
        low, high = self.limits.T
        return float(np.mean((low - SLACK <= value) & (value <= high + SLACK)))

    @property
    def error(self) -> float:
        """Standard error of the coverage."""
        return float(np.sqrt(max(self.coverage * (1 - self.coverage), 1e-4) / len(self.limits)))

    @property
    def excludes_zero(self) -> float:
        return float(np.mean((self.limits[:, 0] > 0) | (self.limits[:, 1] < 0)))


def truths(population: Population) -> dict[Set, float]:
    """Influences of orders that are fitted, and what they leave of the gap."""
    order = population.options.get("max_order", 2)
    found = {frozenset(s): w for s, w in population.influences().items() if len(s) <= order}
    return found | {UNEXPLAINED: population.gap - sum(found.values())}


def simulated(population: Population, n: int, seed: int) -> dict[str, list[float]]:
    """Estimate and limits of every term, by its features joined."""
    found = explained(*population.sample(n, seed), random_state=seed, **population.options)
    rows = {names: [w, *found.limits[names]] for names, w in found.influences.items()} | {
        UNEXPLAINED: [found.unexplained, *found.unexplained_limits]
    }
    return {" & ".join(sorted(names)): row for names, row in rows.items()}


def terms(population: Population, n: int, seeds: Sequence[int]) -> list[Term]:
    kept = Kept("influence-intervals", f"{population.name} {n}")
    each = [
        kept.of(seed, lambda seed=seed: simulated(population, n, seed))
        for seed in progress(seeds, f"{population.name}, {n:,} rows a group")
    ]
    nothing = {
        frozenset(s)
        for s in population.influences()
        if max(population.high.shares.get(s, 0), population.low.shares.get(s, 0)) < 1e-12
    }
    if abs(truths(population)[UNEXPLAINED]) < 1e-12:
        nothing.add(UNEXPLAINED)
    found = []
    for names, truth in truths(population).items():
        numbers = np.array([one[" & ".join(sorted(names))] for one in each])
        found.append(
            Term(
                population=population,
                n=n,
                name=" & ".join(sorted(names)),
                truth=truth,
                nothing=names in nothing,
                estimates=numbers[:, 0],
                limits=numbers[:, 1:],
            )
        )
    return found


def rows(found: Sequence[Term]) -> Iterator[list[str]]:
    for one in found:
        width = (one.limits[:, 1] - one.limits[:, 0]).mean() / 2 / 1.96
        bold = "" if WANTED[0] <= one.coverage <= WANTED[1] else "**"
        yield [
            one.population.name,
            f"{one.n:,}",
            one.name,
            f"{one.truth:+.3f}",
            f"{one.estimates.mean() - one.truth:+.4f}",
            f"{one.estimates.std(ddof=1):.4f}",
            f"{width:.4f}",
            f"{bold}{one.coverage:.1%}{bold}",
            f"{one.error:.1%}",
            f"{one.holding(float(one.estimates.mean())):.1%}",
        ]


def alarms(found: Sequence[Term]) -> Iterator[list[str]]:
    for one in found:
        yield [
            one.population.name,
            f"{one.n:,}",
            one.name,
            f"{one.estimates.mean():+.4f}",
            f"{one.estimates.std(ddof=1):.4f}",
            f"{one.excludes_zero:.1%}",
        ]


def verdict(found: Sequence[Term]) -> str:
    within = [one for one in found if WANTED[0] <= one.coverage <= WANTED[1]]
    below = [one for one in found if one.coverage < WANTED[0]]
    above = [one for one in found if one.coverage > WANTED[1]]
    lines = [
        f"- {len(within)} of {len(found)} influences are covered 93 to 97 % of the time; "
        f"{len(below)} less often, {len(above)} more often."
    ]
    if below:
        worst = min(below, key=lambda one: one.coverage)
        lines.append(
            f"- The worst: {worst.name} of {worst.population.name} at {worst.n:,} rows a group, "
            f"{worst.coverage:.1%}; its mean error is {worst.estimates.mean() - worst.truth:+.4f} "
            f"and its standard deviation {worst.estimates.std(ddof=1):.4f}."
        )
    return "\n".join(lines)


PAGE = """# Intervals of influences, and shuffled decisions

Made by `python benchmarks/influence/intervals.py{how}`. {environment}

## How often a 95 % interval holds the truth

Samples of populations whose influences are known (docs/benchmarks/influence-truth.md says which),
explained with default settings; the majority with orders up to 3. Simulations of 1,000 rows a
group: {simulations}; a fifth of that of 10,000.
"Mean error" and "deviation" are of the estimates, "standard error" is the mean half width of the
intervals over 1.96, "±" the standard error of the coverage. Bold is outside 93 to 97 %. "Of own
mean" is the coverage of the mean estimate instead of the truth: where it is near 95 % and the
coverage is not, the intervals are as wide as chance asks and the estimate is biased.

{coverage}

{verdict}

![Coverage of every influence](influence-intervals.png)

## Where the truth is exactly 0

Features that carry nothing in either group, and the unexplained part of rules that the orders
fitted can express. Penalties take most of the first to exactly 0, so there is no coverage to hold;
a false alarm is an interval that excludes 0, of which 5 % would be nominal.

{alarms}

## Shuffled decisions

{shuffled}
"""


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", type=float, default=1.0, help="of the simulations")
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args(arguments)
    quick, part_of_all = asked.quick, asked.part
    plan = QUICK if quick else {n: part * part_of_all for n, part in PLAN.items()}
    found = [
        term
        for n, part in plan.items()
        for population, times in POPULATIONS.items()
        for term in terms(population, n, range(FIRST_SEED, FIRST_SEED + round(times * part)))
    ]
    shown = [one for one in found if not one.nothing]
    columns = ["population", "rows a group", "influence of", "truth", "mean error", "deviation"]
    columns += ["standard error", "coverage", "±", "of own mean"]
    of_alarms = ["population", "rows a group", "influence of", "mean", "deviation", "false alarms"]
    text = PAGE.format(
        how="" if part_of_all == 1 else f" --part {part_of_all:g}",
        environment=environment(),
        simulations="; ".join(
            f"{p.name} {round(times * part_of_all):,}" for p, times in POPULATIONS.items()
        ),
        coverage=table(columns, rows(shown)),
        verdict=verdict(shown),
        alarms=table(of_alarms, alarms([one for one in found if one.nothing])),
        shuffled=shuffled_rows(quick=quick),
    )
    write(text, "influence-intervals", quick=quick)
    if not quick:
        draw(shown, DOCS / "influence-intervals.png")


if __name__ == "__main__":
    main(sys.argv[1:])
