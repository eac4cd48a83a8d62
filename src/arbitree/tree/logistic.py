"""Splits where a logistic regression of one feature changes its decision: LRT and C-LRT.

Algorithm 1 (C-LRT split) of the paper on Local Statistical Parity: in each node, fit for every
feature alone a logistic regression theta0 + theta1 x, subject to a bound on the covariance of this
score with the group; the feature whose regression makes fewest errors splits the node at
``r = -theta0 / theta1``. Without the bound, LRT. Where the regression with fewest errors decides
alike for every row, the node is a leaf.

Not said by the paper: a bound with several groups holds for the indicator of each; covariances
divide by the number of rows; of equal numbers of errors a split comes before none, then the first
feature; classes that a value separates are parted in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arbitree._errors import InputError
from arbitree.model.tree import n_left_codes
from arbitree.table.codings import NumericCoding
from arbitree.tree.cells import Histograms
from arbitree.tree.logistic_fit import Regressions, fit, separation
from arbitree.tree.parity import Covariance
from arbitree.tree.predictors import predictors
from arbitree.tree.split import ROUNDING, Setting, Split

_NO_COVARIANCE = 1e-12  # of a predictor of variance 1
_EQUAL = 1e-9  # of a standard deviation: rounding must not move a value across a threshold


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Entries:
    """Values of predictors that rows of nodes have, regressions end to end."""

    node: np.ndarray  # (n_regressions,) int64
    predictor: np.ndarray  # (n_regressions,) int64
    start: np.ndarray  # (n_regressions,) int64
    value: np.ndarray  # (m,) float64
    sums: np.ndarray  # (m, n_columns) float64
    n: np.ndarray  # (m,) int64

    def add(self, values: np.ndarray) -> np.ndarray:
        """Sums over the entries of each regression."""
        return np.add.reduceat(values, self.start, axis=0)

    def spread(self, values: np.ndarray) -> np.ndarray:
        """A number of each regression at each of its entries."""
        return np.repeat(values, np.diff(np.append(self.start, len(self.value))))


class LogisticFinder:
    """Best logistic split of each node.

    Parameters
    ----------
    setting : Setting

    Raises
    ------
    InputError
        If there are more than two classes.
    """

    def __init__(self, setting: Setting) -> None:
        if setting.n_classes > 2:
            raise InputError(
                "Only binary classification is supported with split='logistic', and y has "
                f"{setting.n_classes} classes. Pass split='threshold'."
            )
        self.setting = setting
        self.predictors = predictors(setting.table, setting.layout)

    def find(self, hist: Histograms) -> list[Split | None]:
        """The split of each node; None where no split makes fewer errors than none does."""
        sums = self.setting.sums(hist.weight)
        cells = self.setting.layout.cells(0)
        total, total_n = sums[:, cells].sum(axis=1), hist.n[:, cells].sum(axis=1)
        splits: list[Split | None] = [None] * hist.n_nodes
        entries = self._entries(sums, hist.n)
        if entries is None:
            return splits
        threshold, rising = self._thresholds(entries)
        missing = self.setting.layout.missing[self.predictors.feature[entries.predictor]]
        sides = _Sides(self.setting, entries, threshold, rising)
        sides.add_missing(sums[entries.node, missing], hist.n[entries.node, missing])
        allowed, gain = sides.allowed(total[entries.node], total_n[entries.node])
        errors = np.where(allowed, sides.errors, np.inf)
        least = np.full(hist.n_nodes, np.inf)
        np.minimum.at(least, entries.node, errors)
        constant = total[:, :2].min(axis=1)
        rounding = ROUNDING * total[:, :2].sum(axis=1)
        good = least <= constant + rounding
        chosen = np.flatnonzero(
            allowed & good[entries.node] & (errors <= (least + rounding)[entries.node])
        )
        for i in chosen.tolist():
            node = int(entries.node[i])
            if splits[node] is None:
                splits[node] = self._split(
                    int(entries.predictor[i]),
                    float(threshold[i]),
                    bool(rising[i]),
                    bool(sides.missing_left[i]),
                    float(gain[i]),
                )
        return splits

    def _entries(self, sums: np.ndarray, n: np.ndarray) -> _Entries | None:
        """Regressions on at least two values with rows of both classes; None if there are none."""
        layout, found = self.setting.layout, self.predictors
        weights = found.entries(sums, layout)
        rows = found.entries(n[..., None], layout)[..., 0]
        at = np.flatnonzero(rows)
        node, entry = at // rows.shape[1], at % rows.shape[1]
        pair = node * len(found.feature) + found.of_entry[entry]
        start = np.flatnonzero(np.append(True, pair[1:] != pair[:-1])) if len(at) else at
        if not len(start):
            return None
        kept_sums = weights[node, entry]
        by_class = np.add.reduceat(kept_sums[:, :2], start, axis=0)
        length = np.diff(np.append(start, len(at)))
        useful = (length > 1) & (by_class > 0).all(axis=1)
        if not useful.any():
            return None
        inside = np.repeat(useful, length)
        length = length[useful]
        return _Entries(
            node=node[start[useful]],
            predictor=found.of_entry[entry[start[useful]]],
            start=np.cumsum(length) - length,
            value=found.value[entry[inside]],
            sums=kept_sums[inside],
            n=rows[node[inside], entry[inside]],
        )

    def _thresholds(self, entries: _Entries) -> tuple[np.ndarray, np.ndarray]:
        """Where each regression changes its decision, and whether class 1 is above.

        The threshold is infinite or NaN where the slope is 0.
        """
        weight = entries.sums[:, :2].sum(axis=1)
        total = entries.add(weight)
        mean = entries.add(weight * entries.value) / total
        z = entries.value - entries.spread(mean)
        scale = np.sqrt(entries.add(weight * z * z) / total)
        z /= entries.spread(scale)
        data = Regressions(
            z=z, positive=entries.sums[:, 1], negative=entries.sums[:, 0], start=entries.start
        )
        bound = self._slope_bounds(entries, z)
        intercept, slope = fit(data, bound)
        with np.errstate(divide="ignore", invalid="ignore"):
            at = -intercept / slope
        rising = slope > 0
        found = mean + scale * at
        nearest = entries.value[_nearest(entries, found)]
        found = np.where(np.abs(found - nearest) <= _EQUAL * scale, nearest, found)
        separated = np.isinf(slope)
        if separated.any():
            found = np.where(separated, _separating(replace(data, z=entries.value), rising), found)
        return found, rising

    def _slope_bounds(self, entries: _Entries, z: np.ndarray) -> np.ndarray:
        """How steep each regression on z may be: c / |Cov(z, A)| for the tightest group."""
        parity = self.setting.options.parity
        largest = np.zeros(len(entries.node))
        if not isinstance(parity, Covariance):
            return np.full(len(largest), np.inf)
        for columns in self.setting.compared:
            weight = entries.sums[:, columns]
            share, product = entries.add(weight), entries.add(weight * z[:, None])
            total = share.sum(axis=1, keepdims=True)
            total = np.where(total > 0, total, 1.0)
            mean = product.sum(axis=1, keepdims=True) / total
            covariance = np.abs(product / total - share / total * mean).max(axis=1)
            np.maximum(largest, covariance, out=largest)
        free = largest <= _NO_COVARIANCE
        return np.where(free, np.inf, parity.c / np.where(free, 1.0, largest))

    def _split(
        self, predictor: int, threshold: float, rising: bool, missing_left: bool, gain: float
    ) -> Split:
        j, level = int(self.predictors.feature[predictor]), int(self.predictors.level[predictor])
        coding = self.setting.table.features[j].coding
        sides = np.ones(coding.n_codes, np.uint16)
        cut = np.nan
        if level >= 0:
            sides[:] = 0
            sides[level] = 1
        elif isinstance(coding, NumericCoding):
            values = self.predictors.value[self.predictors.of_entry == predictor]
            cut = _as_float32(coding, _n_left(values, threshold, rising), threshold)
            sides[: n_left_codes(coding, cut)] = 0
        else:
            sides[: _n_left(np.arange(coding.n_values), threshold, rising)] = 0
        sides[-1] = 0 if missing_left else 1
        return Split(feature=j, sides=sides, n_children=2, gain=gain, threshold=cut)


class _Sides:
    """What each regression's decision makes of its rows."""

    def __init__(
        self, setting: Setting, entries: _Entries, threshold: np.ndarray, rising: np.ndarray
    ) -> None:
        self.setting = setting
        self.rising = rising
        limit = entries.spread(threshold)
        below = np.where(entries.spread(rising), entries.value <= limit, entries.value < limit)
        self.left = entries.add(entries.sums * below[:, None])
        self.left_n = entries.add(entries.n * below)
        self.right = entries.add(entries.sums) - self.left
        self.right_n = entries.add(entries.n) - self.left_n
        self.void = (self.left_n == 0) | (self.right_n == 0)
        self.missing_left = np.zeros(len(threshold), bool)
        self.errors = np.zeros(len(threshold))

    def add_missing(self, sums: np.ndarray, n: np.ndarray) -> None:
        """Send missing values where they make fewer errors; if there are none, with most rows."""
        to_positive = sums[:, 1] > sums[:, 0]
        even = sums[:, 1] == sums[:, 0]
        self.missing_left = np.where(even, self.left_n >= self.right_n, to_positive != self.rising)
        self.left += np.where(self.missing_left[:, None], sums, 0.0)
        self.left_n += np.where(self.missing_left, n, 0)
        self.right += np.where(self.missing_left[:, None], 0.0, sums)
        self.right_n += np.where(self.missing_left, 0, n)
        above_negative = self.left[:, 1] + self.right[:, 0]  # class 1 decided on the right
        self.errors = np.where(self.rising, above_negative, self.left[:, 0] + self.right[:, 1])

    def allowed(self, total: np.ndarray, total_n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Whether each regression parts its rows as the options ask; the gain in purity."""
        setting, least = self.setting, self.setting.options.min_samples_leaf
        bad = self.void | (self.left_n < least) | (self.right_n < least)
        bad = bad | setting.too_light(self.left) | setting.too_light(self.right)
        wide = setting.too_wide(self.left, total)
        if wide is not None:
            bad = bad | wide
        gain = setting.worth(self.left) + setting.worth(self.right) - setting.worth(total)
        return ~bad, gain


def _separating(data: Regressions, rising: np.ndarray) -> np.ndarray:
    """Thresholds of regressions whose classes are separated, which decide as their limits do."""
    _, value = separation(data)
    here = data.z == data.spread(value)
    positive = data.sums(np.where(here, data.positive - data.negative, 0.0)) > 0
    return np.where(positive, np.nextafter(value, np.where(rising, -np.inf, np.inf)), value)


def _nearest(entries: _Entries, at: np.ndarray) -> np.ndarray:
    """The entry of each regression whose value is nearest to a number."""
    distance = np.abs(entries.value - entries.spread(at))
    distance = np.where(np.isnan(distance), np.inf, distance)
    least = np.minimum.reduceat(distance, entries.start)
    hit = np.flatnonzero(distance == entries.spread(least))
    owner = entries.spread(np.arange(len(at)))[hit]
    first = np.full(len(at), 0)
    first[owner[::-1]] = hit[::-1]
    return first


def _n_left(values: np.ndarray, threshold: float, rising: bool) -> int:
    """Values whose decision is that of the lowest numbers."""
    return int(np.searchsorted(values, threshold, side="right" if rising else "left"))


def _as_float32(coding: NumericCoding, k: int, threshold: float) -> float:
    """The float32 nearest to a threshold with k codes on its left; an edge where codes are bins."""
    if not coding.exact or coding.values is None:
        return float(coding.edges[k - 1])
    low, high = coding.values[[k - 1, k]].astype(np.float32)
    return float(np.clip(np.float32(threshold), low, np.nextafter(high, np.float32(-np.inf))))
