"""The cheapest tree of depth 2 at a price: a start that growth, one split at a time, does not find.

For every split at the root and either side of it, the best split below follows from the sums over rows
that two splits both send to their second side.
"""

from __future__ import annotations

import numpy as np

from arbitree.tree.budget.all_splits import AllSplits
from arbitree.tree.budget.mask_tree import MaskTree
from arbitree.tree.budget.problem import Problem


def cheapest_of_depth_2(
    problem: Problem, splits: AllSplits, cost: np.ndarray, *, min_samples_leaf: float = 1
) -> MaskTree:
    """The tree of these splits whose decisions cost least.

    Parameters
    ----------
    cost : (n_cells,) float64
        Of deciding a unit of weight 1, not 0.
    """
    amounts = cost[problem.cell] * problem.weights
    unit = max(float(np.abs(amounts).sum()), 1e-300) * 2.0**-50
    each = np.rint(np.bincount(splits.where, amounts, len(splits.sides)) / unit)  # exact sums
    below = _stumps(splits.sides, each)
    if min_samples_leaf > 1:
        sizes = _stumps(splits.sides, splits.amounts[:, 2])
        for costs, size in zip(below, sizes):
            few = (size > 0) & (size < min_samples_leaf)
            costs[few | few[_other_sides(len(few))]] = np.inf
            costs[-1][few[-2]] = np.inf
    least = [options.min(axis=0) for options in below]
    root = int(np.argmin(least[0] + least[1]))
    tree = MaskTree(int(problem.n_codes.max()))
    if not np.isfinite(least[0][root] + least[1][root]):
        return tree
    _split(tree, splits, 0, root)
    p = len(splits.feature)
    for child, options in zip((1, 2), below):
        choice = int(np.argmin(options[:, root]))
        if choice < 2 * p:
            _split(tree, splits, child, choice % p)
            tree.label[tree.children[child]] = (0, 1) if choice < p else (1, 0)
        else:
            tree.label[child] = choice == 2 * p
    return tree


def _stumps(sides: np.ndarray, amounts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums of what each stump decides 1 on the first and the second side of each root.

    (2 p + 2, p) each: stump k decides 1 on the second side of split k, stump p + k on its first;
    the last two decide 1 everywhere and nowhere.
    """
    both = (sides * amounts[:, None]).T @ sides  # by the split below, by the split at the root
    alone = amounts @ sides
    found = []
    for second, total in ((alone[:, None] - both, amounts.sum() - alone), (both, alone)):
        found.append(np.concatenate([second, total - second, total[None], 0 * total[None]]))
    return found[0], found[1]


def _other_sides(n: int) -> np.ndarray:
    """Of each of n stumps the one that decides 1 on the other side."""
    p = (n - 2) // 2
    return np.concatenate([np.arange(p) + p, np.arange(p), [n - 2, n - 1]])


def _split(tree: MaskTree, splits: AllSplits, node: int, split: int) -> None:
    mask = np.zeros((1, tree.mask.shape[1]), np.uint8)
    mask[0, : len(splits.second[split])] = splits.second[split]
    tree.split(np.array([node]), splits.feature[[split]].astype(np.int32), mask)
