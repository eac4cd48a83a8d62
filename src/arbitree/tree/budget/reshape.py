"""Re-optimise one split with everything else fixed: what both searches over splits share.

With the two subtrees of a node fixed, a row matters only if they decide it differently, and what a
split sends to the second side adds up code by code. So every split of every column is scored
exactly from one table of differences.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbitree.tree.budget.bins import Bins, reaching
from arbitree.tree.budget.mask_tree import MaskTree, too_small
from arbitree.tree.budget.problem import Problem


def prime(tree: MaskTree) -> None:
    """Let the leaves below each bottom node decide 0 and 1; no row's decision changes.

    So that a split of a bottom node is chosen together with its leaves' decisions.
    """
    for node in tree.bottom.tolist():
        one, two = tree.children[node]
        if tree.label[one] == tree.label[two]:
            tree.mask[node] = tree.label[one]
        elif tree.label[one]:
            tree.mask[node] = 1 - tree.mask[node]
        tree.label[one], tree.label[two] = 0, 1


def by_depth(tree: MaskTree) -> list[np.ndarray]:
    """Inner nodes, the deepest first; those of one depth have no rows in common."""
    inner = tree.inner
    return [inner[tree.depth[inner] == depth] for depth in np.unique(tree.depth[inner])[::-1]]


def cut_codes(bins: Bins, cut: int, *, above: bool, missing: bool) -> tuple[int, np.ndarray]:
    """The column of a cut; which of its codes are above the cut (or not), and missing."""
    place = bins.cuts[cut]
    j = int(bins.feature[place])
    second = (np.arange(bins.of(j).stop - bins.of(j).start) > bins.code[place]) == above
    second[-1] = missing
    return j, second


def cut_sums(bins: Bins, amounts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums above and up to each cut, missing values left out.  (total, ...) -> (n_cuts, ...)"""
    below = bins.up_to(amounts)
    return below[bins.cut_stop] - below, below


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeafSizes:
    """How many rows leaves must have, unless they have none."""

    problem: Problem
    bins: Bins
    least: float

    @property
    def bind(self) -> bool:
        """Whether any leaf could have too few rows."""
        return self.least > 1

    def of_bottom(self, tree: MaskTree, nodes: np.ndarray) -> np.ndarray | None:
        """Rows of nodes by code, (total, n_nodes), infinite for nodes that have inner children.

        None if nothing is asked of sizes.
        """
        if not self.bind:
            return None
        sizes = reaching(self.problem, self.bins, tree, nodes, sizes=True)[..., 0]
        return np.where(np.isin(nodes, tree.bottom), sizes, np.inf)

    def allow(self, second: np.ndarray, total: np.ndarray) -> np.ndarray:
        """Whether both sides have enough rows, or none.  Infinite sizes are not looked at."""
        with np.errstate(invalid="ignore"):
            first = total - second
        few = ((second > 0) & (second < self.least)) | ((first > 0) & (first < self.least))
        return ~few

    def set_split(self, tree: MaskTree, node: int, feature: int, second: np.ndarray) -> bool:
        """Split a node by these codes, unless a leaf below it would have too few rows."""
        before = tree.feature[node], tree.mask[node].copy()
        tree.feature[node] = feature
        tree.mask[node] = 0
        tree.mask[node, : len(second)] = second
        if self.bind and too_small(self.problem, tree, self.least):
            tree.feature[node], tree.mask[node] = before
            return False
        return True
