"""How often "the gap is at most tau" is certified of a population where it is false.

python benchmarks/trees/certificates.py           about 6 minutes on one core; prints Markdown
python benchmarks/trees/certificates.py --write   also writes docs/benchmarks/tree-certificates.md

Populations are simulated at the worst place: tau lies just below the true gap, so that every
certificate is a false one. With 50 candidates, those of smaller gap are less accurate, and the
most accurate certified one is taken.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from arbitree.certificate.gap_bounds import (
    CLOPPER_PEARSON,
    EXACT,
    HOEFFDING,
    NEWCOMBE,
    gap_bounds,
)
from arbitree.certificate.selection import BONFERRONI, FIXED_SEQUENCE, asked_confidence, certified

SEED = 20_241
POPULATIONS = 2000
CANDIDATES = 50
FAIR = 10
CONFIDENCE = 0.95
METHODS = (CLOPPER_PEARSON, NEWCOMBE, HOEFFDING)
NAIVE = "naive"
LABELS = {
    CLOPPER_PEARSON: "Clopper-Pearson",
    EXACT: "exact test",
    NEWCOMBE: "Newcombe (two one-sided)",
    HOEFFDING: "Hoeffding",
    FIXED_SEQUENCE: "fixed sequence, strictest first",
    BONFERRONI: "Bonferroni",
    NAIVE: "naive: each at 95 %",
}

TEMPLATE = """# How often certificates are false

Made by `python benchmarks/trees/certificates.py --write`; seed {seed}. A certificate says "the gap
is at most tau with 95 % confidence", so of those that are false at most 5 % may be issued.

## One rule

{populations:,} populations for each line, one calibration sample each, tau just below the true gap:
every certificate issued is false. One standard error is {error:.1%}.

| groups | widest gap | metric | method | false certificates | median bound - gap |
|---|---|---|---|--:|--:|
{single}

- Sizes of groups: 100 to 5,000, log-uniform; lowest rate from 0.02 on. The other groups of several
  lie at random between the widest pair, or all in the middle. *Equalized odds* has two conditions;
  under each the gap is drawn anew, and tau is just below the larger one.
- Certificates are false less often than they may be: of a gap that is small for the sample, since
  the limit on the other side then counts too, and of Clopper-Pearson, since the errors of two
  groups are added up as if they always came together. The exact test, which is guaranteed as
  well, does not do so; it is simulated for a single pair of groups.
- With several groups no allowance is made for the number of pairs (Berger 1982: the largest of the
  upper limits is at least that of the truly widest pair), and the lines show that none is needed.

## The most accurate of {candidates} certified candidates

{populations:,} populations; two groups of 1,000 to 20,000 rows, tau 0.02, 0.05 or 0.1. The true
gaps of {fair} candidates go from 0 to tau, those of the others from 1.02 to 1.3 times tau. Accuracy
grows with the gap, and all are tested on the same rows. They decide independently of each other,
or alike: who is accepted by one is accepted by all those with a higher rate, as along a path of
trees.

| decide | selection | method | false certificates | any certified | gap of the chosen / tau |
|---|---|---|--:|--:|--:|
{several}

- *False certificates*: share of the populations in which the chosen candidate's gap is above tau.
- *Gap of the chosen*: mean true gap over tau, of the populations with a certified candidate.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A kind of population: conditions, groups, and the range of the widest gap."""

    n_groups: int
    gaps: tuple[float, float]
    n_conditions: int = 1
    in_the_middle: bool = False

    @property
    def is_quick(self) -> bool:
        """Whether there is a single pair, as the exact test takes 10 ms for each."""
        return self.n_groups == 2 and self.n_conditions == 1

    @property
    def texts(self) -> list[str]:
        where = ", others in the middle" if self.in_the_middle else ""
        metric = "equalized odds" if self.n_conditions == 2 else "statistical parity"
        return [f"{self.n_groups}{where}", f"{self.gaps[0]:g} to {self.gaps[1]:g}", metric]


SMALL, LARGE = (0.01, 0.1), (0.1, 0.4)
SETTINGS = (
    Setting(n_groups=2, gaps=SMALL),
    Setting(n_groups=2, gaps=LARGE),
    Setting(n_groups=5, gaps=SMALL),
    Setting(n_groups=5, gaps=LARGE),
    Setting(n_groups=5, gaps=LARGE, in_the_middle=True),
    Setting(n_groups=2, gaps=LARGE, n_conditions=2),
    Setting(n_groups=4, gaps=LARGE, n_conditions=2),
)


def population(setting: Setting, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Rates and sizes, (conditions, groups) each."""
    shape = setting.n_conditions, setting.n_groups
    gap = np.exp(rng.uniform(*np.log(setting.gaps), (setting.n_conditions, 1)))
    lowest = 0.02 + rng.random((setting.n_conditions, 1)) * (0.96 - gap)
    place = np.full(shape, 0.5) if setting.in_the_middle else rng.random(shape)
    place[:, :2] = 0, 1
    n = np.exp(rng.uniform(np.log(100), np.log(5000), shape)).astype(int)
    return lowest + gap * place, n


def single_row(setting: Setting, method: str) -> str:
    rng = np.random.default_rng(SEED)
    false, slack = 0, []
    for _ in range(POPULATIONS):
        p, n = population(setting, rng)
        gap = np.ptp(p, axis=1).max()
        bound = gap_bounds(rng.binomial(n, p), n, confidence=CONFIDENCE, method=method).gap
        false += bound < gap
        slack.append(bound - gap)
    return (
        f"| {' | '.join(setting.texts)} | {LABELS[method]} | {false / POPULATIONS:.1%} | "
        f"{np.median(slack):.3f} |"
    )


def candidate_hits(
    p: np.ndarray, n: np.ndarray, rng: np.random.Generator, *, alike: bool
) -> np.ndarray:
    """Rows that each candidate accepts, (candidates, groups)."""
    if not alike:
        return rng.binomial(n, p)
    people = [np.sort(rng.random(size)) for size in n]
    hits = [np.searchsorted(group, rates) for group, rates in zip(people, p.T)]
    return np.stack(hits, axis=1)


def several_rows(method: str, *, alike: bool) -> list[str]:
    rng = np.random.default_rng(SEED)
    procedures = (FIXED_SEQUENCE, BONFERRONI, NAIVE)
    false = dict.fromkeys(procedures, 0)
    chosen_gaps: dict[str, list[float]] = {name: [] for name in procedures}
    for _ in range(POPULATIONS):
        tau, lowest = rng.choice([0.02, 0.05, 0.1]), rng.uniform(0.05, 0.75)
        fair = np.linspace(0, tau, FAIR)
        gaps = np.append(fair, np.linspace(1.02 * tau, 1.3 * tau, CANDIDATES - FAIR))
        p = np.stack([np.full(CANDIDATES, lowest), lowest + gaps], axis=1)
        n = np.exp(rng.uniform(np.log(1000), np.log(20_000), 2)).astype(int)
        k = candidate_hits(p, n, rng, alike=alike)
        for name in procedures:
            asked = asked_confidence(CONFIDENCE, CANDIDATES, procedure=name)
            sizes = np.broadcast_to(n, k.shape)
            upper = gap_bounds(k, sizes, confidence=asked, method=method).upper
            holds = np.flatnonzero(certified(upper.max(axis=(1, 2)) <= tau, procedure=name))
            if len(holds):  # accuracy grows with the gap: the last certified is the most accurate
                false[name] += gaps[holds[-1]] > tau
                chosen_gaps[name].append(gaps[holds[-1]] / tau)
    decide = "alike" if alike else "independently"
    return [
        f"| {decide} | {LABELS[name]} | {LABELS[method]} | {false[name] / POPULATIONS:.1%} | "
        f"{len(chosen_gaps[name]) / POPULATIONS:.0%} | {np.mean(chosen_gaps[name]):.2f} |"
        for name in procedures
    ]


def page() -> str:
    single = [
        single_row(setting, method)
        for setting in SETTINGS
        for method in (*METHODS, *([EXACT] if setting.is_quick else []))
    ]
    several = [
        row
        for alike in (False, True)
        for method in (CLOPPER_PEARSON, NEWCOMBE)
        for row in several_rows(method, alike=alike)
    ]
    return TEMPLATE.format(
        seed=SEED,
        populations=POPULATIONS,
        candidates=CANDIDATES,
        fair=FAIR,
        error=np.sqrt(0.05 * 0.95 / POPULATIONS),
        single="\n".join(single),
        several="\n".join(several),
    )


if __name__ == "__main__":
    text = page()
    print(text)
    if "--write" in sys.argv[1:]:
        target = Path(__file__).resolve().parents[2] / "docs/benchmarks/tree-certificates.md"
        target.write_text(text, encoding="utf-8")
