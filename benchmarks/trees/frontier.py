"""Accuracy at a gap of statistical parity: one tree with a budget, and its peers.

python benchmarks/trees/frontier.py [--tables Adult,COMPAS] [--only budget,grid] [--splits 10]
                                    [--sizes 5x32,8x16] [--minutes 20] [--page]

Every method runs over a grid of its own parameter. Its operating point is chosen on the training
rows only: the most accurate one whose training gap is at most a bound; shown are medians over
splits (70/30) of test rows. Results are kept, so a run that was stopped goes on where it was, and a
method whose code has changed runs again. `--page` writes docs/benchmarks/tree-frontier.md and its
picture from what there is.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Sequence

import frontier_kept
import frontier_page
import frontier_picture
import numpy as np
import pandas as pd
from frontier_data import TABLES, Split, split_of
from frontier_methods import METHODS

MAIN_SIZE = (5, 32)


def size_of(text: str) -> tuple[int, int]:
    depth, leaves = text.split("x")
    return int(depth), int(leaves)


def warm_up(names: Sequence[str]) -> None:
    """Compile what is compiled at its first call, so that nobody's seconds hold it."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=300), "z": rng.choice(list("abc"), 300)})
    groups, y = rng.choice(["f", "m"], 300), rng.integers(0, 2, 300)
    split = Split(X=(X, X), Z=(), y=(y, y), a=(groups, groups), depth=3, leaves=8)
    for name in names:
        if name.startswith(("budget", "covariance")):
            list(METHODS[name].run(split))


def run(options: argparse.Namespace) -> None:
    """Split by split, so that what there is after any time is whole."""
    until = time.monotonic() + 60 * options.minutes
    tables, names = options.tables.split(","), options.only.split(",")
    warm_up(names)
    sizes = [size_of(text) for text in options.sizes.split(",")]
    done = {name: frontier_kept.kept(name) for name in names}
    for number in range(options.splits):
        for table in tables:
            for depth, leaves in sizes:
                key = frontier_kept.key(table, number, depth, leaves)
                missing = [name for name in names if key not in done[name]]
                if not missing:
                    continue
                split = split_of(table, number, depth, leaves)
                for name in missing:
                    found = frontier_kept.find(name, table, number, split)
                    took = found.get("error") or f"{sum(found['seconds']):.1f} s"
                    print(f"{key} {name}: {took}", flush=True)
                    if time.monotonic() > until:
                        print("out of time", file=sys.stderr)
                        return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--only", default=",".join(METHODS), help="methods")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--sizes", default="5x32", help="depth x leaves, some")
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--page", action="store_true", help="write the page; run nothing")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.page:
        frontier_picture.draw(MAIN_SIZE)
        frontier_page.write(MAIN_SIZE)
        return
    run(options)


if __name__ == "__main__":
    main()
