"""A branch for each level of a category, as in ID3; numbers are split in two.

Quinlan, "Induction of Decision Trees", Machine Learning 1 (1986) 81-106: the feature with the
largest gain wins. A missing value is a level like any other; a level that a node has not seen goes
to its largest branch.
"""

from __future__ import annotations

import numpy as np

from arbitree.tree.cells import Histograms
from arbitree.tree.entries import Entries, Totals, entries, first_best, totals
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

    def find(self, hist: Histograms) -> list[Split | None]:
        """The best split of each node; of equal ones the first feature."""
        best = self.of_numbers.find(hist)
        found = entries(self.setting, hist)
        whole = totals(self.setting, hist, ROUNDING)
        node, feature = found.node[found.start], found.feature[found.start]
        gain = self._gain(found, whole, node)
        gain[~self.setting.layout.is_category[feature]] = -np.inf
        chosen, nodes = first_best(node, gain, whole.rounding)
        for run, i in zip(chosen.tolist(), nodes.tolist()):
            j = int(feature[run])
            decrease = float(gain[run] - whole.worth[i])
            if _is_better(decrease, j, best[i], float(whole.rounding[i])):
                best[i] = _branches(j, hist.n[i, self.setting.layout.cells(j)], decrease)
        return best

    def _gain(self, found: Entries, whole: Totals, node: np.ndarray) -> np.ndarray:
        """Worth of a branch a level of each run; -inf where that is not allowed."""
        gain = np.add.reduceat(self.setting.worth(found.sums), found.start)
        bad = found.n < self.setting.options.min_samples_leaf
        bad |= self.setting.too_light(found.sums)
        wide = self.setting.too_wide(found.sums, whole.sums[found.node])
        bad = bad if wide is None else bad | wide
        rest = whole.sums[node] - np.add.reduceat(found.sums, found.start)
        rest[rest <= ROUNDING * whole.sums[node]] = 0.0  # all of it, but for extra counts
        gain += self.setting.worth(rest)
        single = found.ends() == found.start
        gain[np.logical_or.reduceat(bad, found.start) | single] = -np.inf
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
