"""What each step of the whole-tree budget's search brings: mean accuracy over ten budgets.

python benchmarks/trees/budget_steps.py [--tables Adult,COMPAS] [--splits 3] [--depths 3,5]

Steps are taken away from the search one after the other, the last one first. Prints Markdown.
"""

from __future__ import annotations

import argparse
import time
from contextlib import ExitStack
from unittest.mock import patch

import numpy as np
from frontier_data import Split, splits
from frontier_kept import measured
from frontier_methods import BUDGETS

import arbitree as ar
from arbitree.tree.budget.lookahead import Pairs
from arbitree.tree.budget.mask_tree import MaskTree
from arbitree.tree.budget.problem import Problem
from arbitree.tree.path import fit_path

SEARCH = "arbitree.tree.budget.search"


def nothing(*args: object, **options: object) -> None:
    """A step that is left out."""


def leaf(problem: Problem, pairs: Pairs, cost: np.ndarray, **options: object) -> MaskTree:
    """A start that is no start: growth from a leaf."""
    return MaskTree(int(problem.n_codes.max()))


TAKEN_AWAY = {
    "exact search (depth 2 and 3)": {"MOST_PRODUCTS": {2: 0, 3: 0}},
    "starts from the cheapest tree of depth 2": {"cheapest_of_depth_2": leaf},
    "descent under the budget": {"polish": nothing},
    "alternating optimisation of splits": {"alternate": nothing},
}


def steps() -> list[tuple[str, dict[str, object]]]:
    found, patches = [("all steps", {})], {}
    for name, of_step in TAKEN_AWAY.items():
        patches = {**patches, **of_step}
        found.append((f"without {name}", dict(patches)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", default="Adult,COMPAS,Law School")
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--depths", default="3,5")
    options = parser.parse_args()
    print("| table | depth | search | training accuracy | test accuracy | seconds |")
    print("|---|--:|---|--:|--:|--:|")
    for name in options.tables.split(","):
        for depth in map(int, options.depths.split(",")):
            for words, patches in steps():
                found = [run(split, patches) for split in splits(name, options.splits, depth, 99)]
                train, test, seconds = np.mean(found, axis=0)
                print(f"| {name} | {depth} | {words} | {train:.4f} | {test:.4f} | {seconds:.1f} |")


def run(split: Split, patches: dict[str, object]) -> tuple[float, float, float]:
    """Mean training and test accuracy over the budgets; seconds."""
    template = ar.TreeClassifier(parity=ar.GapBudget(0.1), max_depth=split.depth)
    with ExitStack() as stack:
        for name, value in patches.items():
            stack.enter_context(patch(f"{SEARCH}.{name}", value))
        start = time.process_time()
        path = fit_path(template, BUDGETS, split.X[0], split.y[0], sensitive_features=split.a[0])
        seconds = time.process_time() - start
    accuracies = [
        [measured(tree.predict(X), y, a)[0] for X, y, a in zip(split.X, split.y, split.a)]
        for tree in path
    ]
    return (*np.mean(accuracies, axis=0), seconds)


if __name__ == "__main__":
    main()
