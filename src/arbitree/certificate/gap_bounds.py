"""How large the gap between groups can be in the population, given calibration rows.

The decision rule is fixed before the rows are looked at; each group's count of hits is then
binomial. Which two groups are furthest apart in the population, and under which condition, is
unknown but does not depend on the sample. So the largest upper limit over all pairs is at least
the upper limit of the truly widest pair, and no allowance is made for the number of pairs or of
conditions: an intersection-union test (Berger 1982). Nor is alpha halved for a gap that could have
either sign: of the two one-sided tests only the one on the true side can fail.

Glossary: k of n rows of a group are hits; arrays are (M, G) for M conditions and G groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from arbitree._errors import InputError
from arbitree._wording import nearest
from arbitree.certificate.exact_difference import upper_limit
from arbitree.groups.intervals import Array, Limits, clopper_pearson, counts, newcombe, rate
from arbitree.groups.ratios import ratio_interval

CLOPPER_PEARSON, EXACT, NEWCOMBE = "clopper-pearson", "exact", "newcombe"
HOEFFDING = "hoeffding"
METHODS = (CLOPPER_PEARSON, EXACT, NEWCOMBE, HOEFFDING)
FEWEST = 10  # hits, and misses, of a group for whom Newcombe's limits are nearly as stated
MOST_PAIRS = 500  # of the exact test, milliseconds each


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GapBounds:
    """Upper limits of gaps and lower limits of ratios, by condition and pair: (M, G, G).

    `upper[m, a, b]` limits p_a - p_b from above, each on its own; 1 where a group has no rows.
    `ratio[m, a, b]` limits p_a / p_b from below, in the same sense; 0 where a group has none.
    """

    upper: Array
    ratio: Array

    @property
    def gap(self) -> float:
        """Upper limit of the largest gap over all pairs and conditions."""
        return float(self.upper.max())

    @property
    def p_rule(self) -> float:
        """Lower limit of the smallest ratio over all pairs and conditions."""
        return float(self.ratio.min())


def gap_bounds(
    k: ArrayLike, n: ArrayLike, *, confidence: float = 0.95, method: str = CLOPPER_PEARSON
) -> GapBounds:
    """Upper limits of the gaps between groups, from independent rows.

    Parameters
    ----------
    k, n : array_like (G,) or (M, G)
        Hits and rows of at least two groups, under M conditions.
    confidence : float
        At least 0.5 and below 1.
    method : {"clopper-pearson", "exact", "newcombe", "hoeffding"}
        Exact limits of each rate, which hold at least as often as stated for any rates and any
        number of rows. The exact test of the difference, which does so too and is a fifth
        narrower, unless rates are near 0 or 1, but takes 10 ms a pair; limits of ratios are those
        of Clopper and Pearson. Newcombe's limits of the difference (MOVER-R of the ratio) are
        narrowest and approximate: at 95 % they hold in at least 92 % of samples where both groups
        expect 5 hits and 5 misses or more, with fewer in as few as 80 %. Or Hoeffding's inequality,
        which holds as the first two, and is widest for rare or frequent hits.

    Returns
    -------
    GapBounds
        ``.gap`` is exceeded by the largest gap of the population in at most ``1 - confidence``
        of samples.

    Raises
    ------
    InputError
        Some k is not between 0 and its n, or another argument makes no sense.

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26:404; exact test: Berger and Boos (1994), JASA
    89:1012; Newcombe (1998), Statistics in Medicine 17:873,
    method 10; Hoeffding (1963), JASA 58:13; two one-sided tests: Schuirmann (1987), Journal of
    Pharmacokinetics and Biopharmaceutics 15:657; the largest over pairs: Berger (1982),
    Technometrics 24:295.

    Examples
    --------
    >>> bounds = gap_bounds([200, 210], [1000, 1000])
    >>> round(bounds.gap, 3), round(bounds.p_rule, 3)
    (0.061, 0.742)
    """
    k, n = (np.atleast_2d(part) for part in counts(k, n))
    check_confidence(confidence)
    if method not in METHODS:
        raise InputError(f"There is no method {method!r}. {nearest(method, METHODS)}")
    if n.shape[1] < 2:
        raise InputError("A gap needs at least two groups. Pass the counts of all groups.")
    upper, ratio = _LIMITS[method](k, n, confidence)
    itself = np.eye(n.shape[1], dtype=bool)
    known = (n > 0)[:, :, None] & (n > 0)[:, None, :]
    return GapBounds(
        upper=np.where(itself, 0.0, np.where(known, np.minimum(upper, 1.0), 1.0)),
        ratio=np.where(itself, 1.0, np.where(known, np.maximum(ratio, 0.0), 0.0)),
    )


def check_confidence(confidence: float) -> None:
    """Refuse what no bound can be given at."""
    if isinstance(confidence, bool) or not 0.5 <= confidence < 1:
        raise InputError(
            f"confidence is {confidence!r}. Pass a number of at least 0.5 and below 1, such as "
            "0.95."
        )


def simultaneous_confidence(confidence: float, sizes: Sequence[int], *, method: str) -> float:
    """What to ask of each bound so that those of all pairs hold at once (Bonferroni).

    Exact limits are of rates, so that as many allowances are enough as there are groups; limits
    of differences need one for each pair.

    Parameters
    ----------
    sizes : sequence of int
        Groups with rows under each condition.

    Examples
    --------
    >>> round(simultaneous_confidence(0.95, [4, 4], method="clopper-pearson"), 5)
    0.99375
    """
    pairs = sum(size * (size - 1) // 2 for size in sizes)
    groups = sum(size for size in sizes if size > 1)
    allowances = min(pairs, groups) if method == CLOPPER_PEARSON else pairs
    return 1 - (1 - confidence) / max(allowances, 1)


def _exact(k: Array, n: Array, confidence: float) -> Limits:
    low, high = clopper_pearson(k, n, confidence)
    return high[:, :, None] - low[:, None, :], low[:, :, None] / high[:, None, :]


def _exact_test(k: Array, n: Array, confidence: float) -> Limits:
    sizes = (n > 0).sum(axis=1)
    if (sizes * (sizes - 1) // 2).sum() > MOST_PAIRS:
        raise InputError(
            f"The exact test takes at most {MOST_PAIRS} pairs of groups. Pass "
            f"method={CLOPPER_PEARSON!r}, which is guaranteed too."
        )
    upper = np.ones((*n.shape, n.shape[1]))
    whole, sizes = np.rint(k).astype(int), np.rint(n).astype(int)
    for hits, rows, found in zip(whole.tolist(), sizes.tolist(), upper):
        for a, b in combinations(np.flatnonzero(rows).tolist(), 2):
            if hits[a] * rows[b] < hits[b] * rows[a]:
                a, b = b, a
            alpha = 1 - confidence
            wider = upper_limit(hits[a], rows[a], hits[b], rows[b], alpha)
            # Of the two limits of a pair only the larger one is ever used.
            other = upper_limit(hits[b], rows[b], hits[a], rows[a], alpha, above=wider)
            found[a, b], found[b, a] = wider, other
    return upper, _exact(k, n, confidence)[1]


def _score(k: Array, n: Array, confidence: float) -> Limits:
    # At 1 - 2 alpha, since only one of the two limits is used (two one-sided tests).
    one_sided = max(2 * confidence - 1, 1e-12)
    pairs = k[:, :, None], n[:, :, None], k[:, None, :], n[:, None, :]
    return newcombe(*pairs, one_sided)[1], np.nan_to_num(ratio_interval(*pairs, one_sided)[0])


def _hoeffding(k: Array, n: Array, confidence: float) -> Limits:
    p, inverse = rate(k, n), np.divide(1.0, n, out=np.full(n.shape, np.inf), where=n > 0)
    log = np.log(1 / (1 - confidence))
    upper = p[:, :, None] - p[:, None, :]
    upper = upper + np.sqrt((inverse[:, :, None] + inverse[:, None, :]) * log / 2)
    each = np.sqrt(inverse * (log + np.log(2)) / 2)
    low, high = np.maximum(p - each, 0.0), np.minimum(p + each, 1.0)
    return upper, low[:, :, None] / high[:, None, :]


_LIMITS = {CLOPPER_PEARSON: _exact, EXACT: _exact_test, NEWCOMBE: _score, HOEFFDING: _hoeffding}
