"""Accuracy at a gap of statistical parity: one tree with a budget, and its peers.

python benchmarks/trees/frontier.py [--tables Adult,COMPAS] [--splits 10] [--depth 5] [--leaves 32]

Every method is run over a grid of its own parameter. Its operating point is chosen on the training
rows only: the most accurate one whose training gap is at most s. What is shown is the median over
splits (70/30) of its accuracy and of its gap on the test rows. Methods that flip coins count in
expectation. Prints Markdown; `--write` also writes docs/benchmarks/tree-frontier.md.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from fairlearn.postprocessing import ThresholdOptimizer
from fairlearn.reductions import DemographicParity, ExponentiatedGradient, GridSearch
from frontier_data import TABLES
from sklearn.tree import DecisionTreeClassifier

import arbitree as ar
from arbitree.tree.path import fit_path

BUDGETS = (0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2)
TARGETS = (0.01, 0.02, 0.05, 0.10)
PAGE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks" / "tree-frontier.md"


@dataclass(frozen=True)
class Split:
    """Training and test rows: as frames for us, as numbers for the peers."""

    X: tuple[pd.DataFrame, pd.DataFrame]
    Z: tuple[np.ndarray, np.ndarray]
    y: tuple[np.ndarray, np.ndarray]
    a: tuple[np.ndarray, np.ndarray]
    depth: int
    leaves: int

    def cart(self) -> DecisionTreeClassifier:
        return DecisionTreeClassifier(
            max_depth=self.depth, max_leaf_nodes=self.leaves, random_state=0
        )


Probabilities = Iterator[tuple[np.ndarray, np.ndarray]]  # of a favourable decision: train, test


def budget(split: Split) -> Probabilities:
    tree = ar.TreeClassifier(
        parity=ar.GapBudget(0.1), max_depth=split.depth, max_leaf_nodes=split.leaves
    )
    path = fit_path(tree, BUDGETS, split.X[0], split.y[0], sensitive_features=split.a[0])
    for fitted in path:
        yield fitted.predict(split.X[0]), fitted.predict(split.X[1])


def covariance(split: Split) -> Probabilities:
    for c in (0.0001, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 10.0):
        tree = ar.TreeClassifier(
            split="logistic", parity=ar.Covariance(c), max_depth=split.depth
        ).fit(split.X[0], split.y[0], sensitive_features=split.a[0])
        yield tree.predict(split.X[0]), tree.predict(split.X[1])


def exponentiated_gradient(split: Split) -> Probabilities:
    for bound in (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1):
        model = ExponentiatedGradient(split.cart(), DemographicParity(difference_bound=bound))
        model.fit(split.Z[0], split.y[0], sensitive_features=split.a[0])
        yield tuple(model._pmf_predict(Z)[:, 1] for Z in split.Z)


def grid_search(split: Split) -> Probabilities:
    model = GridSearch(split.cart(), DemographicParity(), grid_size=30)
    model.fit(split.Z[0], split.y[0], sensitive_features=split.a[0])
    for tree in model.predictors_:
        yield tuple(tree.predict(Z) for Z in split.Z)


def threshold_optimizer(split: Split) -> Probabilities:
    model = ThresholdOptimizer(estimator=split.cart(), predict_method="predict_proba")
    model.fit(split.Z[0], split.y[0], sensitive_features=split.a[0])
    yield tuple(model._pmf_predict(Z, sensitive_features=a)[:, 1] for Z, a in zip(split.Z, split.a))


def relabelled(split: Split) -> Probabilities:
    """Kamiran's leaf relabelling of a CART tree: leaves flipped by gap removed for each error."""
    tree = split.cart().fit(split.Z[0], split.y[0])
    leaf, at_test = (tree.apply(Z) for Z in split.Z)
    high = split.a[0] == np.unique(split.a[0])[1]
    size = tree.tree_.node_count
    one = np.bincount(leaf, split.y[0], size)
    errors = np.bincount(leaf, minlength=size) - 2 * one
    gap = np.bincount(leaf, high / high.sum() - ~high / (~high).sum(), size)
    label = errors < 0
    yield label[leaf], label[at_test]
    while True:
        total = gap[label].sum()
        less = np.where(label, gap, -gap) * np.sign(total)
        if not (less > 1e-12).any() or abs(total) < 1e-12:
            break
        worth = np.where(less > 1e-12, np.abs(errors) / np.maximum(less, 1e-12), np.inf)
        best = int(np.argmin(worth))
        label[best] = ~label[best]
        yield label[leaf], label[at_test]
        if np.sign(gap[label].sum()) != np.sign(total):
            break


METHODS: dict[str, Callable[[Split], Probabilities]] = {
    "**budget: one tree**": budget,
    "C-LRT": covariance,
    "CART, leaves relabelled (Kamiran)": relabelled,
    "GridSearch: one tree": grid_search,
    "ExponentiatedGradient: a mix of trees": exponentiated_gradient,
    "ThresholdOptimizer: reads the group": threshold_optimizer,
}


def splits(name: str, n_splits: int, depth: int, leaves: int) -> Iterator[Split]:
    X, favorable, groups = TABLES[name]()
    codes = X.apply(lambda c: c if c.dtype.kind in "ifb" else pd.Categorical(c).codes)
    Z = np.nan_to_num(codes.to_numpy(float), nan=-1)
    y, a = favorable.to_numpy().astype(int), groups.to_numpy().astype(str)
    for seed in range(n_splits):
        order = np.random.default_rng(seed).permutation(len(X))
        parts = np.split(order, [round(0.7 * len(X))])
        yield Split(
            X=tuple(X.iloc[rows].reset_index(drop=True) for rows in parts),
            Z=tuple(Z[rows] for rows in parts),
            y=tuple(y[rows] for rows in parts),
            a=tuple(a[rows] for rows in parts),
            depth=depth,
            leaves=leaves,
        )


def measured(p: np.ndarray, y: np.ndarray, a: np.ndarray) -> tuple[float, float]:
    """Accuracy and gap of statistical parity, in expectation."""
    p = np.asarray(p, float)
    rates = [p[a == group].mean() for group in np.unique(a)]
    return float(np.where(y == 1, p, 1 - p).mean()), float(max(rates) - min(rates))


def points(method: Callable[[Split], Probabilities], split: Split) -> tuple[np.ndarray, float]:
    """Training accuracy and gap, test accuracy and gap of each operating point; seconds."""
    start = time.process_time()
    found = list(method(split))
    seconds = time.process_time() - start
    rows = [
        (*measured(train, split.y[0], split.a[0]), *measured(test, split.y[1], split.a[1]))
        for train, test in found
    ]
    return np.array(rows), seconds


def chosen(found: np.ndarray, target: float) -> np.ndarray:
    """Test accuracy and gap of the point that training rows choose; NaN where none is allowed."""
    allowed = found[found[:, 1] <= target + 1e-9]
    return allowed[np.argmax(allowed[:, 0]), 2:] if len(allowed) else np.full(2, np.nan)


def table(name: str, n_splits: int, depth: int, leaves: int) -> list[str]:
    results: dict[str, list[np.ndarray]] = {method: [] for method in METHODS}
    seconds: dict[str, list[float]] = {method: [] for method in METHODS}
    for split in splits(name, n_splits, depth, leaves):
        for label, method in METHODS.items():
            found, took = points(method, split)
            results[label].append(np.array([chosen(found, target) for target in TARGETS]))
            seconds[label].append(took)
    lines = []
    for label, of_splits in results.items():
        middle = np.median(np.array(of_splits), axis=0)
        cells = ["-" if np.isnan(a) else f"{a:.4f} ({g:.3f})" for a, g in middle]
        took = np.median(seconds[label])
        lines.append(f"| {name} | {label} | " + " | ".join(cells) + f" | {took:.1f} |")
    return lines


def page(lines: Sequence[str], options: argparse.Namespace) -> str:
    return (
        f"""# Accuracy at a gap: one tree with a budget, and its peers

Made by `python benchmarks/trees/frontier.py --write`; {options.splits} splits of 70/30, trees of
depth {options.depth} with at most {options.leaves} leaves. Median test accuracy (median test gap)
of the operating point that the training rows choose: the most accurate one whose training gap is
at most s. Seconds are of the method's whole grid on one core, on a machine with other work: ten
budgets in one call, nine c, six bounds of ExponentiatedGradient, thirty trees of GridSearch.

| table | method | s = {" | ".join(f"{t:.2f}" for t in TARGETS)} | s |
|---|---|{"--:|" * (len(TARGETS) + 1)}
"""
        + "\n".join(lines)
        + "\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--leaves", type=int, default=32)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    lines: list[str] = []
    for name in options.tables.split(","):
        lines += table(name, options.splits, options.depth, options.leaves)
        print("\n".join(lines[-len(METHODS) :]), flush=True)
    text = page(lines, options)
    if options.write:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
