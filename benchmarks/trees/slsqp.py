"""C-LRT in closed form against the same tree with SciPy's SLSQP in every node.

    python benchmarks/trees/slsqp.py [--problems 300] [--depth 3]

First random problems: whether the closed form is ever worse than the general solver on the rows.
Then Adult: the time of a C-LRT tree, of a plain tree, and of the C-LRT tree whose regressions
SLSQP solves, on the rows as in the paper, and on sums over equal values.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.special import expit

import arbitree as ar
from arbitree.tree import logistic
from arbitree.tree.logistic_fit import Regressions, fit

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", type=int, default=300)
    parser.add_argument("--depth", type=int, default=3)
    asked = parser.parse_args()
    worst, n_bound = random_problems(asked.problems)
    print(f"{asked.problems} problems, {n_bound} at their bound: loss of the closed form less")
    print(f"that of SLSQP, a row: at most {worst:.1e}\n")
    data = pd.read_csv(SHARED / "adult.csv.gz")
    X, y = data.drop(columns=["income", "sex"]), data["income"]
    c_lrt = ar.TreeClassifier(split="logistic", parity=ar.Covariance(0.01), max_depth=asked.depth)
    plain = ar.TreeClassifier(max_depth=asked.depth)
    print(f"Adult, depth {asked.depth}, CPU time")
    times = {}
    for name, tree in (("plain tree", plain), ("C-LRT, closed form", c_lrt)):
        times[name] = min(cpu_time(tree, X, y, data["sex"]) for _ in range(3))
    closed = c_lrt.predict(X)
    logistic.fit = by_slsqp  # type: ignore[assignment]
    times["C-LRT, SLSQP on sums"] = cpu_time(c_lrt, X, y, data["sex"])
    logistic.fit = partial(by_slsqp, on_rows=True)  # type: ignore[assignment]
    times["C-LRT, SLSQP on rows"] = cpu_time(c_lrt, X, y, data["sex"])
    logistic.fit = fit
    for name, seconds in times.items():
        print(f"  {name:22} {seconds:9.3f} s")
    print(
        f"  decisions of the two C-LRT trees that differ: {np.mean(c_lrt.predict(X) != closed):.4f}"
    )


def cpu_time(tree: ar.TreeClassifier, X: pd.DataFrame, y: pd.Series, sex: pd.Series) -> float:
    start = time.process_time()
    tree.fit(X, y, sensitive_features=sex)
    return time.process_time() - start


def random_problems(n: int) -> tuple[float, int]:
    """Largest excess of the closed form's mean loss, and how many slopes are at their bound."""
    rng = np.random.default_rng(0)
    worst, n_bound = -np.inf, 0
    for _ in range(n):
        rows = int(rng.integers(50, 400))
        group = rng.random(rows) < rng.uniform(0.2, 0.8)
        x = rng.normal(size=rows) + rng.normal() * group
        y = (rng.random(rows) < expit(rng.normal() + rng.normal() * x)).astype(float)
        if y.min() == y.max():
            continue
        order = np.argsort(x)
        data = Regressions(
            z=x[order], positive=y[order], negative=1 - y[order], start=np.zeros(1, int)
        )
        covariance = abs(np.mean(x * group) - x.mean() * group.mean())
        bound = np.array([10 ** rng.uniform(-3, 0) / covariance])
        ours = np.array([part[0] for part in fit(data, bound)])
        theirs = np.array([part[0] for part in by_slsqp(data, bound)])
        if np.isfinite(ours).all() and abs(theirs[1]) <= bound[0]:
            worst = max(worst, mean_loss(ours, data) - mean_loss(theirs, data))
            n_bound += int(abs(ours[1]) >= bound[0] * (1 - 1e-12))
    return worst, n_bound


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
    main()
