"""Runs one peer on one split; started by frontier_peers.py in an environment of its own.

frontier_worker.py METHOD GIVEN.npz FOUND.npz
"""

from __future__ import annotations

import itertools
import resource
import sys
import time
import warnings

import numpy as np

TARGETS = (0.005, 0.01, 0.02, 0.05, 0.1)
CPU_LIMIT = 20  # seconds of a method on a split, after which it is ended


def fair_trees(given):
    from fair_trees import FairDecisionTreeClassifier

    for theta in np.linspace(0, 1, 11):
        tree = FairDecisionTreeClassifier(
            theta=float(theta),
            max_depth=int(given["depth"]),
            max_leaf_nodes=int(given["leaves"]),
            random_state=0,
        )
        tree.fit(given["Z0"], given["y"], Z=given["a0"].astype(float).reshape(-1, 1))
        yield tree.predict(given["Z0"]), tree.predict(given["Z1"])


def streed(given):
    """The group has to be the first column: the solver reads it there, and does not split on it."""
    from pystreed import STreeDGroupFairnessClassifier

    rows = [np.column_stack([given[f"a{k}"], given[f"Z{k}"]]).astype(int) for k in (0, 1)]
    for limit in TARGETS:
        tree = STreeDGroupFairnessClassifier(
            discrimination_limit=limit, max_depth=int(given["depth"]), time_limit=3600
        )
        tree.fit(rows[0], given["y"])
        if not tree.fit_result.is_optimal():
            sys.exit("not solved to the end")
        train, test = (tree.predict(X) for X in rows)
        other = rows[0].copy()
        other[:, 0] = 1 - other[:, 0]
        if (tree.predict(other) != train).any():
            sys.exit("a tree reads the group")
        yield train, test


def fairgbm(given):
    from fairgbm import FairGBMClassifier

    for constraint, tolerance in itertools.product(("FPR,FNR", "FPR", "FNR"), (0.005, 0.05, 0.2)):
        model = FairGBMClassifier(
            constraint_type=constraint,
            constraint_fpr_tolerance=tolerance,
            constraint_fnr_tolerance=tolerance,
            random_state=0,
            n_jobs=1,
        )
        model.fit(given["Z0"], given["y"], constraint_group=given["a0"])
        yield tuple(model.predict_proba(given[Z])[:, 1] > 0.5 for Z in ("Z0", "Z1"))


METHODS = {"fair-trees": fair_trees, "streed": streed, "fairgbm": fairgbm}


def main(method, given, found):
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT + 5))
    results = []
    start = time.process_time()
    for train, test in METHODS[method](dict(np.load(given))):
        results.append((train, test, time.process_time() - start))
        start = time.process_time()
    train, test, seconds = zip(*results)
    np.savez(found, train=np.array(train), test=np.array(test), seconds=np.array(seconds))


if __name__ == "__main__":
    main(*sys.argv[1:])
