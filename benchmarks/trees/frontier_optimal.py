"""GapBudget against the optimal tree of pystreed at small depths: training accuracy at a bound.

python benchmarks/trees/frontier_optimal.py [--splits 3]

Both get the same 0/1 features and do not split on the group.
"""

from __future__ import annotations

import argparse
import json
import time

import frontier_methods
import frontier_peers
import numpy as np
import pandas as pd
from frontier_data import TABLES, binary, split_of
from frontier_kept import measured
from frontier_peers import CACHE, PeerError

import arbitree as ar
from arbitree.tree.path import fit_path

BOUNDS = (0.005, 0.01, 0.02, 0.05, 0.1)  # as in frontier_worker.py
FOUND = CACHE / "optimal.jsonl"


def on_split(table: str, number: int, depth: int) -> dict[str, object]:
    split = split_of(table, number, depth, 2**depth)
    Z, depth = frontier_peers.solvable(split) if depth == 3 else (binary(split, 9), 2)
    X = pd.DataFrame(Z[0]).add_prefix("x")
    template = ar.TreeClassifier(parity=ar.GapBudget(0.1), max_depth=depth)
    start = time.process_time()
    trees = fit_path(template, BOUNDS, X, split.y[0], sensitive_features=split.a[0])
    seconds = time.process_time() - start
    ours = [accuracy_within(tree.predict(X), split, b) for tree, b in zip(trees, BOUNDS)]
    peers = list(frontier_peers.points("streed", split, features=(Z, depth)))
    best = [accuracy_within(train, split, b) for (train, *_), b in zip(peers, BOUNDS)]
    return {
        "table": table,
        "split": number,
        "depth": depth,
        "features": X.shape[1],
        "found": [list(row) for row in zip(BOUNDS, best, ours)],
        "seconds": [seconds, sum(point[2] for point in peers)],
    }


def accuracy_within(p: np.ndarray, split: frontier_methods.Split, bound: float) -> float:
    accuracy, gap = measured(p, split.y[0], split.a[0])
    if gap > bound + 1e-9:
        raise ValueError(f"A tree of the bound {bound} has a gap of {gap}.")
    return accuracy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--depths", default="2,3")
    options = parser.parse_args()
    lines = []
    for table in options.tables.split(","):
        for depth in map(int, options.depths.split(",")):
            for number in range(options.splits):
                try:
                    one = on_split(table, number, depth)
                except PeerError as error:
                    print(f"{table} {depth}: {error}", flush=True)
                    break
                if depth == 3 and one["depth"] != 3:
                    break
                lines.append(json.dumps(one))
                print(lines[-1], flush=True)
                FOUND.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
