"""The cheapest tree of depth 2 at a price: a start that growth, one split at a time, misses.

For every split at the root and either side of it, the best split below follows from the sums over
rows that two splits both send to their second side. Those are made once for all prices.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbitree.tree.budget.all_splits import AllSplits, summable
from arbitree.tree.budget.expected import PARTS
from arbitree.tree.budget.mask_tree import MaskTree
from arbitree.tree.budget.problem import Problem

_AT_ONCE = 16_384  # rows
_EXACT_IN_SINGLE = 2**24  # sums of whole numbers below this are exact in single precision


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs:
    """Weights by cell, and rows, that two splits both send to their second side.

    The last split, beyond those of `splits`, sends everything there.
    """

    splits: AllSplits
    weights: np.ndarray  # (p + 1, p + 1, n_cells) float64
    sizes: np.ndarray  # (p + 1, p + 1) float64

    def amounts(self, problem: Problem) -> np.ndarray:
        """Errors, rate 1 minus rate 0, and sizes, (p + 1, p + 1, 3), for a problem of two rates."""
        found = np.zeros((*self.sizes.shape, 3))
        found[..., 2] = self.sizes
        difference = problem.rates[1] - problem.rates[0]
        for cell in range(problem.n_cells):  # a matrix product would add up in any order
            found[..., 0] += problem.error[cell] * self.weights[..., cell]
            found[..., 1] += difference[cell] * self.weights[..., cell]
        return found


def pairs_of(problem: Problem, splits: AllSplits) -> Pairs:
    """Count the pairs of splits."""
    weights, sizes = summable(problem.weights), problem.sizes
    found = []
    for cell in range(problem.n_cells):
        inside = problem.cell == cell
        found.append(_both(splits, splits.where[inside], weights[inside]))
    by_cell = np.stack(found, axis=-1)
    same = sizes is problem.weights
    return Pairs(
        splits=splits,
        weights=by_cell,
        sizes=by_cell.sum(axis=-1) if same else _both(splits, splits.where, sizes),
    )


def _both(splits: AllSplits, where: np.ndarray, amounts: np.ndarray) -> np.ndarray:
    """Amounts that two splits both send to their second side, (p + 1, p + 1)."""
    of_distinct = np.bincount(where, amounts, len(splits.sides))
    rows = np.flatnonzero(of_distinct)
    parts = of_distinct * PARTS  # expected errors are counted in parts of a row
    whole = (parts == np.floor(parts)).all() and parts.sum() < _EXACT_IN_SINGLE
    number = np.float32 if whole else np.float64
    p = splits.sides.shape[1]
    found = np.zeros((p + 1, p + 1))
    for start in range(0, len(rows), _AT_ONCE):
        part = rows[start : start + _AT_ONCE]
        sides = np.ones((len(part), p + 1), number)
        sides[:, :p] = splits.sides[part]
        found += (sides * of_distinct[part, None].astype(number)).T @ sides
    return found


def cheapest_of_depth_2(
    problem: Problem, pairs: Pairs, cost: np.ndarray, *, min_samples_leaf: float = 1
) -> MaskTree:
    """The tree of these splits whose decisions cost least; a leaf if none has large enough leaves.

    Parameters
    ----------
    cost : (n_cells,) float64
        Of deciding a unit of weight 1, not 0.
    """
    below = _stumps(pairs.weights @ cost)
    if min_samples_leaf > 1:
        for costs, sizes in zip(below, _stumps(pairs.sizes)):
            few = (sizes > 0) & (sizes < min_samples_leaf)
            costs[few | few[_other_sides(len(few))]] = np.inf
            costs[-1][few[-2]] = np.inf
    least = [options.min(axis=0) for options in below]
    root = int(np.argmin(least[0] + least[1]))
    tree = MaskTree(int(problem.n_codes.max()))
    if not np.isfinite(least[0][root] + least[1][root]):
        return tree
    _split(tree, pairs.splits, 0, root)
    p = len(pairs.splits.feature)
    for child, options in zip((1, 2), below):
        choice = int(np.argmin(options[:, root]))
        if choice < 2 * p:
            _split(tree, pairs.splits, child, choice % p)
            tree.label[tree.children[child]] = (0, 1) if choice < p else (1, 0)
        else:
            tree.label[child] = choice == 2 * p
    return tree


def _stumps(both: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums of what each stump decides 1 on the first and the second side of each root.

    (2 p + 2, p) each: stump k decides 1 on the second side of split k, stump p + k on its first;
    the last two decide 1 everywhere and nowhere.
    """
    on_second, of_second = both[:-1, :-1], both[-1, :-1]
    on_first, of_first = both[:-1, -1:] - on_second, both[-1, -1] - of_second
    found = [
        np.concatenate([second, total - second, total[None], 0 * total[None]])
        for second, total in ((on_first, of_first), (on_second, of_second))
    ]
    return found[0], found[1]


def _other_sides(n: int) -> np.ndarray:
    """Of each of n stumps the one that decides 1 on the other side."""
    p = (n - 2) // 2
    return np.concatenate([np.arange(p) + p, np.arange(p), [n - 2, n - 1]])


def _split(tree: MaskTree, splits: AllSplits, node: int, split: int) -> None:
    mask = np.zeros((1, tree.mask.shape[1]), np.uint8)
    mask[0, : len(splits.second[split])] = splits.second[split]
    tree.split(np.array([node]), splits.feature[[split]].astype(np.int32), mask)
