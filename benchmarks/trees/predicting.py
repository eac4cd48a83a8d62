"""CPU time of a tree's predictions on Adult, against scikit-learn's.  Prints Markdown.

python benchmarks/trees/predicting.py [--repeats 9]

Trees of depth 8 and without a limit of depth; the compiled walk over nodes, and the walk node by
node that is taken where no compiled loop has been loaded. All ways take turns; medians.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from unittest.mock import patch

import numpy as np
from grower import adult, turns
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

import arbitree as ar
from arbitree.model import route


def ways() -> dict[str, Callable[[], object]]:
    X, y, _ = adult()
    texts = list(X.select_dtypes(exclude="number"))
    numbers = X.assign(**dict.fromkeys(texts, 0.0)).astype(np.float32)
    numbers[texts] = OrdinalEncoder().fit_transform(X[texts])
    coded = np.ascontiguousarray(numbers.to_numpy(), dtype=np.float32)
    found: dict[str, Callable[[], object]] = {}
    for depth in (8, None):
        of_frame, of_numbers = (ar.TreeClassifier(max_depth=depth).fit(x, y) for x in (X, coded))
        theirs = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(coded, y)
        name = "no limit of depth" if depth is None else f"depth {depth}"
        found |= {
            f"{name}: ours, frame as it is": lambda tree=of_frame: tree.predict(X),
            f"{name}: ours, numbers": lambda tree=of_numbers: tree.predict(coded),
            f"{name}: ours, numbers, node by node": lambda tree=of_numbers: by_node(tree, coded),
            f"{name}: scikit-learn, numbers": lambda tree=theirs: tree.predict(coded),
        }
    return found


def by_node(tree: ar.TreeClassifier, X: np.ndarray) -> np.ndarray:
    with patch.multiple(route, KERNELS="never loaded"):
        return tree.predict(X)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=9)
    times = turns(ways(), parser.parse_args().repeats)
    print("| Adult, 48,842 rows | CPU ms |\n|---|--:|")
    for name, (_, cpu) in times.items():
        print(f"| {name} | {cpu:.1f} |")


if __name__ == "__main__":
    main()
