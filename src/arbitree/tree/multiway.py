"""A branch for each level of a category, as in ID3; numbers are split in two.

Quinlan, "Induction of Decision Trees", Machine Learning 1 (1986) 81-106: the feature with the
largest gain wins. A missing value is a level like any other; a level that a node has not seen goes
to its largest branch.
"""

from __future__ import annotations

import numpy as np

from arbitree.tree.cells import Histograms
from arbitree.tree.split import ROUNDING, Setting, Split
from arbitree.tree.threshold import ThresholdFinder


class MultiwayFinder:
    """Best split of each node, a branch a level.

    Parameters
    ----------
    setting : Setting
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.of_numbers = ThresholdFinder(setting, categories=False)
        self.categories = np.flatnonzero(setting.layout.is_category).tolist()

    def find(self, hist: Histograms) -> list[Split | None]:
        """The best split of each node; of equal ones the first feature."""
        best = self.of_numbers.find(hist)
        sums = self.setting.sums(hist)
        total = sums[self.setting.layout.cells(0)].sum(axis=0)
        for j in self.categories:
            cells = self.setting.layout.cells(j)
            gain = self._gain(sums[cells], hist.n[cells], total)
            for node in np.flatnonzero(np.isfinite(gain)).tolist():
                if _is_better(gain[node], j, best[node], ROUNDING * total[node].sum()):
                    best[node] = _branches(j, hist.n[cells, node], float(gain[node]))
        return best

    def _gain(self, sums: np.ndarray, n: np.ndarray, total: np.ndarray) -> np.ndarray:
        """Gain of a branch a level, (n_nodes,); -inf where that is not allowed."""
        gain = self.setting.worth(sums).sum(axis=0) - self.setting.worth(total)
        small = (n < self.setting.options.min_samples_leaf) | self.setting.too_light(sums)
        few = ((n > 0) & small).any(axis=0)
        gain[few | ((n > 0).sum(axis=0) < 2)] = -np.inf
        wide = self.setting.too_wide(sums, total)
        if wide is not None:
            gain[wide.any(axis=0)] = -np.inf
        return gain


def _is_better(gain: float, j: int, best: Split | None, tolerance: float) -> bool:
    if best is None or gain > best.gain + tolerance:
        return True
    return gain >= best.gain - tolerance and j < best.feature


def _branches(j: int, n: np.ndarray, gain: float) -> Split:
    """A child for each level that some row has, in the order of levels."""
    present = np.flatnonzero(n)
    sides = np.full(len(n), np.argmax(n[present]), np.uint16)
    sides[present] = np.arange(len(present))
    return Split(feature=j, sides=sides, n_children=len(present), gain=gain)
