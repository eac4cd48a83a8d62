"""What features seem to explain of decisions that were shuffled: nothing is there to explain."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from datasets_of_paper import BY_NAME, Coded, load
from page import progress, table
from reference_terms import reference
from simulations import Kept

import arbitree as ar

SENSITIVE = {"Titanic": "sex", "German": "Sex", "COMPAS": "sex"}
TOO_SLOW = "German"  # for fairxplainer: a shuffle had not ended after 5 minutes of CPU
SHUFFLES = 20
SHUFFLES_OF_REFERENCE = 3  # minutes each
INTERVALS = 6  # the paper's

# of one shuffle: explained share of the high and the low group, mean R2, sum of influences
Numbers = list[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """Something that explains shuffled decisions."""

    name: str
    explain: Callable[[Coded, str, np.ndarray], Numbers]
    shuffles: int


def ours(column: str, **options: object) -> Callable[[Coded, str, np.ndarray], Numbers]:
    def explain(coded: Coded, sensitive: str, decided: np.ndarray) -> Numbers:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ar.ArbitreeWarning)
            found = ar.explain_gap(
                coded.table,
                decided,
                sensitive_features=coded.table[[sensitive]],
                n_bootstrap=0,
                n_threads=1,
                **options,
            )
        shares = found.table[["share_high", "share_low"]].sum().tolist()
        return [*shares, float(found.r2[column].mean()), float(found.table.influence.sum())]

    return explain


def of_fairxplainer(coded: Coded, sensitive: str, decided: np.ndarray) -> Numbers:
    X = coded.matrix.drop(columns=sensitive)
    high = coded.matrix[sensitive].to_numpy() == 1
    found = reference(X, decided, high, order=2, intervals=INTERVALS)
    return [found.share_high, found.share_low, np.nan, sum(found.influences.values())]


METHODS = (
    Method(name="arbitree, default", explain=ours("out_of_fold"), shuffles=SHUFFLES),
    Method(
        name="arbitree, `cross_fit=0`", explain=ours("in_sample", cross_fit=0), shuffles=SHUFFLES
    ),
    Method(name="fairxplainer 0.4.0", explain=of_fairxplainer, shuffles=SHUFFLES_OF_REFERENCE),
)


def numbers(name: str, method: Method, shuffles: int) -> np.ndarray:
    """(n_shuffles, 4)"""
    coded = load(BY_NAME[name], age_binned=False)
    kept = Kept("influence-shuffled", f"{name} {method.name}".replace("`", ""))

    def one(seed: int) -> Numbers:
        decided = np.random.default_rng(seed).permutation(coded.labels)
        return method.explain(coded, SENSITIVE[name], decided)

    seeds = progress(range(shuffles), f"{name}, {method.name}")
    return np.array([kept.of(seed, lambda seed=seed: one(seed)) for seed in seeds], dtype=float)


def rows(quick: bool) -> Iterator[list[str]]:
    for name in SENSITIVE:
        for method in METHODS:
            if method.explain is of_fairxplainer and (quick or name == TOO_SLOW):
                continue
            found = numbers(name, method, 2 if quick else method.shuffles)
            share = found[:, :2].mean(axis=1)
            error = share.std(ddof=1) / np.sqrt(len(share))
            r2 = found[:, 2].mean()
            yield [
                name,
                method.name,
                str(len(found)),
                f"{share.mean():+.1%} ± {1.96 * error:.1%}",
                f"{np.abs(found[:, :2]).max():.1%}",
                "" if np.isnan(r2) else f"{r2:+.3f}",
                f"{np.abs(found[:, 3]).mean():.3f}",
            ]


TEXT = """Labels of three real datasets, shuffled over all rows, explained between the sexes with
all pairs: nothing is there to explain. "Explained" is the part of a group's variance that all
influences carry together, the mean of both groups over all shuffles (± 1.96 standard errors over
shuffles), and the largest of any group and shuffle. R2 is out of fold for the default, in sample
for `cross_fit=0`. fairxplainer explains what its benchmark does: columns of numbers, with dummy
columns for categories, order 2, {intervals} intervals, on the rows it was fitted to. On German one
shuffle had not ended after 5 minutes of CPU, so it is left out there.

{table}
"""


def shuffled_rows(*, quick: bool) -> str:
    columns = ["data", "method", "shuffles", "explained", "at most", "R2", "mean abs. sum"]
    return TEXT.format(intervals=INTERVALS, table=table(columns, rows(quick)))
