"""An ensemble of trees as arrays, in terms of the numbers that the model itself compares.

Every library compares in its own way: ``x <= t`` or ``x < t``, of float32 or float64. For a
float64 number x each of them is ``x <= threshold`` with the largest float64 that goes left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

ZERO = float(np.float32(1e-35))  # numbers up to it are zero to LightGBM


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Splits:
    """Nodes of all trees, one tree after the other, children by their place in these arrays.

    Of each tree a row reaches one leaf; the class with the largest sum of `base` and of the
    leaves' `value` is decided, but for rounding by less than `tolerance`.
    """

    column: np.ndarray  # (n_nodes,) int32, what the model reads; -1 of a leaf
    threshold: np.ndarray  # (n_nodes,) float64
    missing_left: np.ndarray  # (n_nodes,) bool
    left: np.ndarray  # (n_nodes,) int64, -1 of a leaf
    right: np.ndarray  # (n_nodes,) int64, -1 of a leaf
    root: np.ndarray  # (n_trees,) int64, increasing
    value: np.ndarray  # (n_nodes, n_classes) float64
    base: np.ndarray  # (n_classes,) float64
    tolerance: float = 1e-9
    left_codes: Mapping[int, np.ndarray] = field(default_factory=dict)  # of nodes that ask whether
    # a number, without its fraction, is one of some codes, those
    zero_is_missing: frozenset[int] = frozenset()  # nodes that take 0 for a missing value

    @property
    def n_trees(self) -> int:
        """Trees."""
        return len(self.root)

    def goes_left(self, node: int, numbers: np.ndarray) -> np.ndarray:
        """Which numbers a node sends to the left; NaN is a missing value.  (n,) bool"""
        missing = np.isnan(numbers)
        if node in self.zero_is_missing:
            missing = missing | (np.abs(numbers) <= ZERO)
        if node in self.left_codes:
            whole = np.trunc(np.where(missing, -1, numbers))
            # A number above -1 has the code 0, as a cast to an integer leaves its fraction out.
            found = np.isin(whole, self.left_codes[node])
        else:
            found = np.where(missing, -np.inf, numbers) <= self.threshold[node]
        return np.where(missing, self.missing_left[node], found)


def doubles_below(cuts: np.ndarray) -> np.ndarray:
    """The largest float64 numbers that are not above float32 ones once they are rounded to float32.

    Examples
    --------
    >>> found = doubles_below(np.float32([0.1, 1]))
    >>> np.float32(found) <= np.float32([0.1, 1])
    array([ True,  True])
    >>> np.float32(np.nextafter(found, np.inf)) > np.float32([0.1, 1])
    array([ True,  True])
    """
    cuts = np.asarray(cuts, np.float32)
    with np.errstate(over="ignore"):
        following = np.nextafter(cuts, np.float32(np.inf)).astype(np.float64)
        # Halfway to infinity is where rounding to it begins.
        following[np.isinf(following) & np.isfinite(cuts)] = 2.0**128
        middle = cuts.astype(np.float64) / 2 + following / 2
        fits = middle.astype(np.float32) <= cuts
    found = np.where(fits, middle, np.nextafter(middle, -np.inf))
    return np.where(np.isfinite(cuts), found, cuts.astype(np.float64))


def placed(children: Sequence[np.ndarray]) -> np.ndarray:
    """Children of each tree by their place among the nodes of all trees.

    >>> placed([np.array([1, -1, -1]), np.array([1, -1, -1])])
    array([ 1, -1, -1,  4, -1, -1])
    """
    sizes = np.array([len(of_tree) for of_tree in children])
    start = np.repeat(np.cumsum(sizes) - sizes, sizes)
    found = np.concatenate(children).astype(np.int64)
    return np.where(found < 0, -1, found + start)


def roots(children: Sequence[np.ndarray]) -> np.ndarray:
    """The place of the first node of each tree."""
    sizes = np.array([len(of_tree) for of_tree in children], np.int64)
    return np.cumsum(sizes) - sizes


def by_class(values: np.ndarray, of: np.ndarray, n_classes: int) -> np.ndarray:
    """Numbers of nodes in the columns of the classes that they are added to.

    >>> by_class(np.array([0.5, 2.0]), np.array([1, 0]), 2).tolist()
    [[0.0, 0.5], [2.0, 0.0]]
    """
    found = np.zeros((len(values), n_classes))
    found[np.arange(len(values)), of] = values
    return found


def rounding(value: np.ndarray, root: np.ndarray, unit: float) -> float:
    """What a sum of leaves may differ by from the exact one, added up in a precision `unit`."""
    flat = np.abs(value).ravel()  # all numbers of a tree are one piece of it
    largest = np.maximum.reduceat(flat, root * value.shape[1])
    return float(4 * (len(root) + 2) * unit * (1 + largest.sum()))
