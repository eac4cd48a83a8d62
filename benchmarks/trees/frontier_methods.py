"""Our trees and their peers, each over a grid of its own parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import frontier_data
import frontier_peers
import frontier_worker
import numpy as np
from fairlearn.postprocessing import ThresholdOptimizer
from fairlearn.reductions import DemographicParity, ExponentiatedGradient, GridSearch
from frontier_data import Split
from frontier_peers import MOST_OF_DEPTH_3
from sklearn.tree import DecisionTreeClassifier

import arbitree as ar
from arbitree.tree.path import fit_path

BUDGETS = (0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2)
COVARIANCES = (0.0001, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 10.0)
BOUNDS = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1)
TOLERANCES = (None, 0.005, 0.01, 0.025, 0.05, 0.1)
SEARCH = Path(ar.__file__).parent / "tree"

Points = Iterator[tuple[np.ndarray, np.ndarray]]  # chance of a favourable decision: train, test


def cart(split: Split, **options: object) -> DecisionTreeClassifier:
    return DecisionTreeClassifier(
        max_depth=split.depth, max_leaf_nodes=split.leaves, random_state=0, **options
    )


@dataclass(frozen=True)
class Method:
    """A method, and whatever its results depend on."""

    label: str
    run: Callable[[Split], Points]
    instead: str = ""  # of one tree that decides without the group and without a coin
    code: tuple[Path, ...] = ()  # files, beside the source of `run`
    uses: tuple[object, ...] = (cart,)  # functions and values
    packages: tuple[str, ...] = ()
    environment: str | None = None  # where it needs one of its own
    what: str = ""

    @property
    def single(self) -> bool:
        return not self.instead


def budget(split: Split, errors: str = "auto", **options: object) -> Points:
    template = ar.TreeClassifier(
        parity=ar.GapBudget(0.1, errors=errors),
        max_depth=split.depth,
        max_leaf_nodes=split.leaves,
        **options,
    )
    trees = fit_path(template, BUDGETS, split.X[0], split.y[0], sensitive_features=split.a[0])
    for tree in trees:
        yield tree.predict(split.X[0]), tree.predict(split.X[1])


def covariance(split: Split) -> Points:
    for c in COVARIANCES:
        tree = ar.TreeClassifier(
            split="logistic",
            parity=ar.Covariance(c),
            max_depth=split.depth,
            max_leaf_nodes=split.leaves,
        )
        tree.fit(split.X[0], split.y[0], sensitive_features=split.a[0])
        yield tree.predict(split.X[0]), tree.predict(split.X[1])


def exponentiated_gradient(split: Split) -> Points:
    for bound in BOUNDS:
        model = ExponentiatedGradient(cart(split), DemographicParity(difference_bound=bound))
        model.fit(split.Z[0], split.y[0], sensitive_features=split.a[0])
        yield tuple(model._pmf_predict(Z)[:, 1] for Z in split.Z)


def grid_search(split: Split) -> Points:
    model = GridSearch(cart(split), DemographicParity(), grid_size=30)
    model.fit(split.Z[0], split.y[0], sensitive_features=split.a[0])
    for tree in model.predictors_:
        yield tuple(tree.predict(Z) for Z in split.Z)


def threshold_optimizer(split: Split) -> Points:
    for tolerance in TOLERANCES:
        model = ThresholdOptimizer(
            estimator=cart(split), predict_method="predict_proba", tol=tolerance
        )
        model.fit(split.Z[0], split.y[0], sensitive_features=split.a[0])
        yield tuple(
            model._pmf_predict(Z, sensitive_features=a)[:, 1] for Z, a in zip(split.Z, split.a)
        )


def relabelled_gain(split: Split) -> Points:
    """IGC: splits by the gain in the class alone."""
    return relabelled(split, cart(split, criterion="entropy").fit(split.Z[0], split.y[0]))


def relabelled_sum(split: Split) -> Points:
    """IGC + IGS: splits by the sum of the gains in class and group.

    The entropy of several outputs is scikit-learn's mean of theirs.
    """
    groups = np.unique(split.a[0], return_inverse=True)[1]
    both = np.column_stack([split.y[0], groups])
    return relabelled(split, cart(split, criterion="entropy").fit(split.Z[0], both))


def relabelled(split: Split, tree: DecisionTreeClassifier) -> Points:
    """Leaf relabelling after Kamiran, Calders and Pechenizkiy (2010).

    The leaf that removes most of the gap for each error flips first. Flips may cross zero as long
    as the gap shrinks, so every bound that the greedy order can meet is met.
    """
    leaf, at_test = (tree.apply(Z) for Z in split.Z)
    high = split.a[0] == np.unique(split.a[0])[1]
    size = tree.tree_.node_count
    ones = np.bincount(leaf, split.y[0], size)
    errors = np.bincount(leaf, minlength=size) - 2 * ones
    gap = np.bincount(leaf, high / high.sum() - ~high / (~high).sum(), size)
    label = errors < 0
    while True:
        yield label[leaf], label[at_test]
        total = gap[label].sum()
        after = np.abs(total + np.where(label, -gap, gap))
        removed = np.abs(total) - after
        if not (removed > 1e-12).any():
            return
        more_errors = np.where(label, -errors, errors)
        worth = np.full(size, np.inf)
        np.divide(more_errors, removed, out=worth, where=removed > 1e-12)
        label[np.argmin(worth)] ^= True


def in_peer(method: str, split: Split) -> Points:
    return frontier_peers.points(method, split)


METHODS = {
    "budget": Method(
        "**GapBudget**",
        budget,
        uses=(BUDGETS,),
        code=(*sorted((SEARCH / "budget").glob("*.py")), SEARCH / "path.py"),
        what=f"ours: one tree for each of ten budgets from {BUDGETS[0]} to {BUDGETS[-1]}, one call",
    ),
    "budget-training": Method(
        "**GapBudget**, errors counted",
        partial(budget, errors="training"),
        uses=(BUDGETS, "training"),
        code=(*sorted((SEARCH / "budget").glob("*.py")), SEARCH / "path.py"),
        what='ours with errors="training": those on the training labels, not expected ones',
    ),
    "budget-leaves": Method(
        "**GapBudget**, leaves by cross-validation",
        partial(budget, min_samples_leaf="auto"),
        uses=(BUDGETS, "auto"),
        code=(*sorted((SEARCH / "budget").glob("*.py")), SEARCH / "path.py"),
        what='ours with min_samples_leaf="auto": 1, 20 or 60 rows, on training rows alone',
    ),
    "covariance": Method(
        "C-LRT",
        covariance,
        uses=(COVARIANCES,),
        code=tuple(sorted(SEARCH.glob("logistic*.py"))),
        what=f"ours, after the paper: nine c from {COVARIANCES[0]} to {COVARIANCES[-1]}",
    ),
    "kamiran": Method(
        "Kamiran, IGC",
        relabelled_gain,
        uses=(cart, relabelled),
        packages=("scikit-learn",),
        what="entropy tree, leaves relabelled greedily (Kamiran, Calders, Pechenizkiy 2010)",
    ),
    "kamiran-sum": Method(
        "Kamiran, IGC + IGS",
        relabelled_sum,
        uses=(cart, relabelled),
        packages=("scikit-learn",),
        what="the same, grown on the gains in class plus group",
    ),
    "grid": Method(
        "GridSearch",
        grid_search,
        packages=("fairlearn", "scikit-learn"),
        what="fairlearn, thirty trees",
    ),
    "fair-trees": Method(
        "fair-trees",
        partial(in_peer, "fair-trees"),
        uses=(frontier_worker.fair_trees,),
        environment="peers",
        what="fair-trees, eleven theta from 0 to 1",
    ),
    "streed": Method(
        "pystreed, depth 2 or 3",
        partial(in_peer, "streed"),
        uses=(frontier_worker.streed, frontier_data.binary, MOST_OF_DEPTH_3),
        environment="peers",
        what="optimal tree on 0/1 features, each column cut at quantiles; five bounds",
    ),
    "gradient": Method(
        "ExponentiatedGradient",
        exponentiated_gradient,
        uses=(cart, BOUNDS),
        instead="no: a coin chooses among several trees",
        packages=("fairlearn", "scikit-learn"),
        what="fairlearn, six bounds; counted in expectation",
    ),
    "threshold": Method(
        "ThresholdOptimizer",
        threshold_optimizer,
        uses=(cart, TOLERANCES),
        instead="no: reads the group, flips coins",
        packages=("fairlearn", "scikit-learn"),
        what="fairlearn, six tolerances; counted in expectation",
    ),
    "fairgbm": Method(
        "FairGBM",
        partial(in_peer, "fairgbm"),
        instead="no: 100 boosted trees",
        uses=(frontier_worker.fairgbm,),
        environment="fairgbm",
        what="nine bounds of error rates (FPR, FNR): this gap cannot be bounded",
    ),
}
