"""Seconds of ten budgets against one fit of ExponentiatedGradient, taking turns.

python benchmarks/trees/frontier_seconds.py [--tables German,Adult] [--splits 0,1] [--turns 3]

CPU time of fits alone. Each takes its turn after the other, so that whatever else the machine does
slows both alike; the median of the turns on a split counts. What is found is kept for the page of
frontier.py.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable

import numpy as np
from fairlearn.reductions import DemographicParity, ExponentiatedGradient
from frontier_data import TABLES, Split, split_of
from frontier_methods import BUDGETS, cart
from frontier_peers import CACHE

import arbitree as ar
from arbitree.tree.path import fit_path

FOUND = CACHE / "seconds.jsonl"
SIZE = (5, 32)  # depth and leaves
BOUND = 0.025  # of ExponentiatedGradient, one in the middle of its grid


def ten_budgets(split: Split) -> None:
    tree = ar.TreeClassifier(
        parity=ar.GapBudget(0.1), max_depth=split.depth, max_leaf_nodes=split.leaves
    )
    fit_path(tree, BUDGETS, split.X[0], split.y[0], sensitive_features=split.a[0])


def one_fit(split: Split) -> None:
    model = ExponentiatedGradient(cart(split), DemographicParity(difference_bound=BOUND))
    model.fit(split.Z[0], split.y[0], sensitive_features=split.a[0])


def seconds(way: Callable[[Split], None], split: Split) -> float:
    start = time.process_time()
    way(split)
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--splits", default="0,1")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    ten_budgets(split_of("Ricci", 0, *SIZE))  # compiles what is compiled at its first call
    CACHE.mkdir(parents=True, exist_ok=True)
    for number in map(int, options.splits.split(",")):
        for table in options.tables.split(","):
            split = split_of(table, number, *SIZE)
            ways = (ten_budgets, one_fit)
            found = np.median(
                [[seconds(way, split) for way in ways] for _ in range(options.turns)], axis=0
            )
            line = {"table": table, "split": number, "seconds": found.tolist()}
            with FOUND.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            print(line, flush=True)


if __name__ == "__main__":
    main()
