"""Which values of each feature lead to a leaf: the tests of its path, merged by feature."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from arbitree.model.tree import LEAF, Tree
from arbitree.table.codings import NumericCoding


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Numbers above `low` and at most `high`, as float32, and perhaps a missing one."""

    low: float = -np.inf  # itself not in it, but minus infinity where there is no lower bound
    high: float = np.inf
    above: bool = False  # whether there is a lower bound
    missing: bool = True

    @property
    def has_numbers(self) -> bool:
        """Whether any number is in it."""
        return not self.above or self.low < self.high

    @property
    def is_empty(self) -> bool:
        """Whether nothing is in it."""
        return not (self.missing or self.has_numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """Codes of levels, and perhaps a missing one, which any level not known counts as."""

    codes: frozenset[int]
    missing: bool = True

    @property
    def is_empty(self) -> bool:
        """Whether nothing is in it."""
        return not (self.missing or self.codes)


Allowed = Interval | Levels
Region = Mapping[int, Allowed]


def regions(tree: Tree) -> Iterator[tuple[int, Region]]:
    """Each leaf that some row reaches, from left to right, with what its features must be.

    Regions of different leaves share no row, and together hold all.

    Examples
    --------
    >>> from arbitree.tree.estimator import TreeClassifier
    >>> tree = TreeClassifier().fit([[1.0], [2.0], [4.0]], [0, 1, 0]).tree_
    >>> [(leaf, at[0].low, at[0].high) for leaf, at in regions(tree)]
    [(1, -inf, 1.5), (3, 1.5, 3.0), (4, 3.0, inf)]
    """
    waiting: list[tuple[int, dict[int, Allowed]]] = [(0, {})]
    while waiting:
        node, region = waiting.pop()
        if tree.feature[node] == LEAF:
            yield node, region
            continue
        j = int(tree.feature[node])
        parts = []
        for place, child in enumerate(tree.children(node).tolist()):
            allowed = _narrowed(tree, node, place, region.get(j) or _everything(tree, j))
            if not allowed.is_empty:
                parts.append((child, {**region, j: allowed}))
        waiting += reversed(parts)


def _everything(tree: Tree, j: int) -> Allowed:
    coding = tree.features[j].coding
    if isinstance(coding, NumericCoding):
        return Interval()
    return Levels(codes=frozenset(range(coding.n_values)))


def _narrowed(tree: Tree, node: int, place: int, allowed: Allowed) -> Allowed:
    """What of a feature's values goes to a child."""
    routes = tree.routes(node)
    missing = allowed.missing and bool(routes[-1] == place)
    if isinstance(allowed, Levels):
        codes = frozenset(code for code in allowed.codes if routes[code] == place)
        return Levels(codes=codes, missing=missing)
    threshold = float(tree.threshold[node])
    if place == 0:
        high = min(allowed.high, threshold)
        return Interval(low=allowed.low, high=high, above=allowed.above, missing=missing)
    low = max(allowed.low, threshold)
    return Interval(low=low, high=allowed.high, above=True, missing=missing)
