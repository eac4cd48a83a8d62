"""Influences against closed forms: truth tables, a copied feature, a linear score, thresholds.

python benchmarks/influence/truth.py           about 5 minutes on one core
python benchmarks/influence/truth.py --quick   2 draws, prints and writes nothing

Writes docs/benchmarks/influence-truth.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import known
import numpy as np
from ours import Set, explained
from page import environment, progress, table, write
from populations import Population, Sample
from reference_terms import Failed, reference

N = 10_000  # rows a group
DRAWS = 20
WITHIN = 0.01
POPULATIONS = (
    known.xor(),
    known.xor(numeric=True),
    known.majority(),
    known.additive(),
    known.duplicated(),
    known.gaussian(),
    known.example(),
)
INTERVALS = (2, 6)  # of fairxplainer: its default, and the paper's setting
Errors = dict[Set, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Errors on one population: on rows spread evenly, and on draws."""

    population: Population
    truth: dict[Set, float]
    even: Errors
    reference: dict[int, Errors | None]  # by intervals; None where it gives no result
    draws: np.ndarray  # (n_draws, n_terms)


def our_errors(population: Population, sample: Sample, truth: dict[Set, float]) -> Errors:
    found = explained(*sample, n_bootstrap=0, **population.options).influences
    return {names: found[names] - value for names, value in truth.items()}


def reference_errors(
    population: Population, sample: Sample, truth: dict[Set, float], intervals: int
) -> Errors | None:
    if population.options.get("scores"):
        return None  # it explains decisions only
    X, decided, groups = sample
    order = population.options.get("max_order", 2)
    try:
        found = reference(X, decided, groups == "high", order=order, intervals=intervals)
    except Failed as reason:
        print(f"{population.name}, {intervals} intervals: {reason}", file=sys.stderr)
        return None
    return {names: found.influences[names] - value for names, value in truth.items()}


def measured(population: Population, n_draws: int) -> Measured:
    order = population.options.get("max_order", 2)
    closed = population.influences()
    truth = {frozenset(names): value for names, value in closed.items() if len(names) <= order}
    even = population.even_sample(N, 0)
    of_draws = (
        our_errors(population, population.sample(N, seed), truth).values()
        for seed in progress(range(n_draws), population.name)
    )
    return Measured(
        population=population,
        truth=truth,
        even=our_errors(population, even, truth),
        reference={k: reference_errors(population, even, truth, k) for k in INTERVALS},
        draws=np.array([list(errors) for errors in of_draws]),
    )


def summaries(found: Sequence[Measured]) -> Iterator[list[str]]:
    for one in found:
        worst = largest(one.even)
        rmse = np.sqrt((one.draws**2).mean(axis=0)).max()
        within = (np.abs(one.draws) <= WITHIN).all(axis=1).mean()
        yield [
            one.population.name,
            f"{one.population.gap:.3f}",
            f"{worst:.4f}",
            "yes" if worst <= WITHIN else "**no**",
            *(f"{largest(errors):.3f}" if errors else "–" for errors in one.reference.values()),
            f"{np.abs(one.draws.mean(axis=0)).max():.4f}",
            f"{rmse:.4f}",
            f"{within:.0%}",
        ]


def largest(errors: Errors) -> float:
    return max(map(abs, errors.values()))


def terms(found: Sequence[Measured]) -> Iterator[list[str]]:
    for one in found:
        for k, (names, truth) in enumerate(one.truth.items()):
            errors = [each[names] if each else None for each in one.reference.values()]
            yield [
                one.population.name,
                " & ".join(name for name in one.population.features if name in names),
                f"{truth:+.4f}",
                f"{one.even[names]:+.4f}",
                *("–" if error is None else f"{error:+.4f}" for error in errors),
                f"{one.draws[:, k].mean():+.4f}",
                f"{np.sqrt((one.draws[:, k] ** 2).mean()):.4f}",
            ]


PAGE = """# Influences against closed forms

Made by `python benchmarks/influence/truth.py`. {environment}

{n:,} rows in each of two groups; default settings, but orders up to 3 for the majority. Influences
are known: decisions depend on levels of independent features, so the functions are conditional
means (Hoeffding 1948); in the linear score they are linear.

{about}

"Spread evenly" are rows of a scrambled Sobol sequence: hardly any sampling error, so what is left
is the method's. "Draws" are {draws} random samples: there the gap itself has a standard error of
0.005 to 0.02. Columns of fairxplainer 0.4.0 are for the same evenly spread rows, with 2 intervals
(its default) and 6 (the paper's setting); it does not explain scores.

## The largest error of any term

{summaries}

{verdict}

## Every term

{terms}
"""


def verdict(found: Sequence[Measured]) -> str:
    failed = [one.population.name for one in found if largest(one.even) > WITHIN]
    held = [one.population.name for one in found if one.population.name not in failed]
    lines = [f"- Within {WITHIN} of the closed form in every term: {'; '.join(held) or 'none'}."]
    if failed:
        lines.append(f"- Not within {WITHIN}: {'; '.join(failed)}.")
    lines.append(
        "- fairxplainer drops a column of two values from 4 intervals on, where a basis function "
        "is zero in every row; with 2 intervals it keeps it."
    )
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    quick = "--quick" in arguments
    n_draws = 2 if quick else DRAWS
    found = [measured(population, n_draws) for population in POPULATIONS]
    of_reference = [f"fairxplainer, {k}" for k in INTERVALS]
    columns = ["population", "gap", "spread evenly", f"within {WITHIN}", *of_reference]
    columns += ["draws: mean error", "draws: RMSE", f"draws within {WITHIN}"]
    by_term = ["population", "influence of", "truth", "spread evenly", *of_reference]
    by_term += ["draws: mean error", "draws: RMSE"]
    text = PAGE.format(
        environment=environment(),
        n=N,
        about="\n".join(f"- {p.name}: {p.about}." for p in POPULATIONS),
        draws=n_draws,
        summaries=table(columns, summaries(found)),
        verdict=verdict(found),
        terms=table(by_term, terms(found)),
    )
    write(text, "influence-truth", quick=quick)


if __name__ == "__main__":
    main(sys.argv[1:])
