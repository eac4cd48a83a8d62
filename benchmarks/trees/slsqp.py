"""C-LRT in closed form against the same tree with SciPy's SLSQP in every node.

python benchmarks/trees/slsqp.py           some minutes on one core
python benchmarks/trees/slsqp.py --quick   fewer problems, prints and writes no page

First random problems: whether the closed form is ever worse than the general solver on the rows.
Then Adult: the time of a C-LRT tree, of a plain tree, and of the C-LRT tree whose regressions
SLSQP solves, on the rows as in the paper, and on sums over equal values. Writes
docs/benchmarks/tree-slsqp.md. Reads ../shared/data, which is not part of this repository.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest.mock import patch

sys.path.append(str(Path(__file__).resolve().parents[1] / "influence"))

import numpy as np
from page import environment, progress, table, write
from scipy.optimize import minimize
from scipy.special import expit
from section4_data import Table, adult

import arbitree as ar
from arbitree.tree import logistic
from arbitree.tree.logistic_fit import Regressions, fit

C = 0.01
DEPTHS = (3, 8)  # SLSQP only at the first
RUNS = 5
PLAIN, CLOSED, ON_SUMS, ON_ROWS = "plain tree", "closed form", "SLSQP on sums", "SLSQP on rows"
TEMPLATE = """# C-LRT in closed form, and by a general solver

Made by `python benchmarks/trees/slsqp.py`. {versions}

With one predictor, |Cov(θ₀ + θ₁x, A)| ≤ c is a bound on |θ₁| alone, so that the constrained
regression of C-LRT (Algorithm 1 of "Local Statistical Parity") is the free one with its slope cut
and its intercept fitted again. The paper calls for sequential quadratic programming; SciPy's SLSQP
is one such solver.

## Random problems

{n} regressions on 50 to 400 rows, {bound} of which end at their bound. The loss a row of the closed
form exceeds that of SLSQP by {worst:.1e} at most; it is lower by {best:.1e} at most.{unequal}

## A tree on Adult

{rows} rows, {columns} features, c = {c:g}; CPU seconds of `fit`, the least of {runs} runs, of one
with SLSQP.

{times}

At depth {depth} the closed form takes {to_plain:.1f} times as long as a plain tree (Gini, no
groups), and SLSQP on rows {to_rows:,.0f} times as long as the closed form, SLSQP on sums over equal
values {to_sums:,.0f} times. {differ:.2%} of the training rows are decided otherwise by the tree
that SLSQP grew on rows, {differ_sums:.2%} by that on sums.
"""


def main(arguments: list[str]) -> None:
    quick = "--quick" in arguments
    n = 30 if quick else 300
    excess, n_bound = random_problems(n)
    data = adult()
    depths = DEPTHS[:1] if quick else DEPTHS
    seconds = {(depth, name): least(data, tree(name, depth)) for depth in depths
               for name in (PLAIN, CLOSED)}  # fmt: skip
    decided = {CLOSED: fitted(data, tree(CLOSED, depths[0]))[1]}
    for name, by in ((ON_SUMS, by_slsqp), (ON_ROWS, partial(by_slsqp, on_rows=True))):
        if name == ON_ROWS and quick:
            continue
        seconds[depths[0], name], decided[name] = replaced(data, depths[0], by)
    text = page(data, seconds, decided, excess, n_bound)
    write(text, "tree-slsqp", quick=quick)


def page(
    data: Table,
    seconds: dict[tuple[int, str], float],
    decided: dict[str, np.ndarray],
    excess: np.ndarray,
    n_bound: int,
) -> str:
    depth = DEPTHS[0]
    closed = seconds[depth, CLOSED]
    differ = {name: float(np.mean(found != decided[CLOSED])) for name, found in decided.items()}
    nan = float("nan")
    failed = int(np.isnan(excess).sum())
    rows = [
        [str(at), *(f"{seconds[at, name]:.3f}" if (at, name) in seconds else "–" for name in NAMES)]
        for at in DEPTHS
    ]
    return TEMPLATE.format(
        versions=environment(),
        n=len(excess),
        bound=n_bound,
        worst=np.nanmax(excess),
        best=-np.nanmin(excess),
        unequal=f" {failed} are left out, where SLSQP broke the bound." if failed else "",
        rows=f"{len(data.X):,}",
        columns=data.X.shape[1],
        c=C,
        runs=RUNS,
        times=table(["depth", *NAMES], rows),
        depth=depth,
        to_plain=closed / seconds[depth, PLAIN],
        to_rows=seconds.get((depth, ON_ROWS), nan) / closed,
        to_sums=seconds[depth, ON_SUMS] / closed,
        differ=differ.get(ON_ROWS, nan),
        differ_sums=differ[ON_SUMS],
    )


NAMES = (PLAIN, CLOSED, ON_SUMS, ON_ROWS)


def tree(name: str, depth: int) -> ar.TreeClassifier:
    if name == PLAIN:
        return ar.TreeClassifier(max_depth=depth)
    return ar.TreeClassifier(split="logistic", parity=ar.Covariance(C), max_depth=depth)


def fitted(data: Table, grown: ar.TreeClassifier) -> tuple[float, np.ndarray]:
    """CPU seconds, and the decisions on the training rows."""
    groups = None if grown.parity is None else data.other
    start = time.process_time()
    grown.fit(data.X, data.favorable, sensitive_features=groups)
    return time.process_time() - start, grown.predict(data.X)


def least(data: Table, grown: ar.TreeClassifier) -> float:
    return min(fitted(data, grown)[0] for _ in range(RUNS))


Solver = Callable[[Regressions, np.ndarray], tuple[np.ndarray, np.ndarray]]


def replaced(data: Table, depth: int, solver: Solver) -> tuple[float, np.ndarray]:
    """As `fitted`, by another solver."""
    with patch.object(logistic, "fit", solver):
        return fitted(data, tree(CLOSED, depth))


def random_problems(n: int) -> tuple[np.ndarray, int]:
    """By how much the closed form's mean loss exceeds SLSQP's, NaN where that broke the bound, and
    how many slopes are at their bound."""
    rng = np.random.default_rng(0)
    excess, n_bound = np.full(n, np.nan), 0
    for i in progress(range(n), "problems"):
        data, bound = random_problem(rng)
        ours = np.array([part[0] for part in fit(data, bound)])
        theirs = np.array([part[0] for part in by_slsqp(data, bound)])
        if abs(theirs[1]) <= bound[0] * (1 + 1e-9):  # rounding is no breach
            excess[i] = mean_loss(ours, data) - mean_loss(theirs, data)
        n_bound += int(abs(ours[1]) >= bound[0] * (1 - 1e-12))
    return excess, n_bound


def random_problem(rng: np.random.Generator) -> tuple[Regressions, np.ndarray]:
    """A regression on rows of two groups and classes that overlap, and the bound of its slope."""
    while True:
        rows = int(rng.integers(50, 400))
        group = rng.random(rows) < rng.uniform(0.2, 0.8)
        x = rng.normal(size=rows) + rng.normal() * group
        y = (rng.random(rows) < expit(rng.normal() + rng.normal() * x)).astype(float)
        order = np.argsort(x)
        data = Regressions(
            z=x[order], positive=y[order], negative=1 - y[order], start=np.zeros(1, int)
        )
        covariance = abs(np.mean(x * group) - x.mean() * group.mean())
        bound = np.array([10 ** rng.uniform(-3, 0) / covariance])
        if y.min() < y.max() and np.isfinite(fit(data, bound)).all():
            return data, bound


def mean_loss(theta: np.ndarray, data: Regressions) -> float:
    eta, both = theta[0] + theta[1] * data.z, data.positive + data.negative
    return float(np.sum(both * np.logaddexp(0, eta) - data.positive * eta) / both.sum())


def by_slsqp(
    data: Regressions, bound: np.ndarray, *, on_rows: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """As `fit`, by a general solver, one regression after the other."""
    found = np.zeros((2, len(bound)))
    stops = np.append(data.start[1:], len(data.z))
    for i, (start, stop) in enumerate(zip(data.start, stops)):
        part = Regressions(
            z=data.z[start:stop],
            positive=data.positive[start:stop],
            negative=data.negative[start:stop],
            start=np.zeros(1, np.int64),
        )
        part = rows_of(part) if on_rows else part
        limit = min(float(bound[i]), 1e6)
        constraints = [
            {"type": "ineq", "fun": lambda theta, b=limit: b - theta[1]},
            {"type": "ineq", "fun": lambda theta, b=limit: b + theta[1]},
        ]
        found[:, i] = minimize(
            mean_loss,
            np.zeros(2),
            args=(part,),
            method="SLSQP",
            constraints=constraints,
            options={"maxiter": 300, "ftol": 1e-14},
        ).x
    return found[0], found[1]


def rows_of(sums: Regressions) -> Regressions:
    """An entry for each row."""
    n_1, n_0 = (np.rint(part).astype(int) for part in (sums.positive, sums.negative))
    label = np.repeat([1.0, 0.0], [n_1.sum(), n_0.sum()])
    return Regressions(
        z=np.concatenate([np.repeat(sums.z, n_1), np.repeat(sums.z, n_0)]),
        positive=label,
        negative=1 - label,
        start=sums.start,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
