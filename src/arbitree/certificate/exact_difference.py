"""An upper limit of a difference of two rates that is guaranteed, and hardly wider than needed.

Limits of each rate (Clopper and Pearson) put together are wide: they allow for both groups being
misjudged at once, each in the worst direction. The exact test of "p1 - p2 is delta or more" asks
instead how likely a difference as small as the one seen is, for the worst p2. That p2 is not looked
for everywhere, where it would be implausible, but in a confidence set of error beta, which is added
to the p-value (Berger and Boos 1994).

The worst p2 is bounded, not searched for. As p1 grows a small difference gets less likely, and as
p2 grows more likely; so for all p2 from a to b, with p1 = p2 + delta, it is at most as likely as
for p1 = a + delta and p2 = b. The largest of these over a grid of cells bounds the supremum.

Glossary: k1 of n1 and k2 of n2 rows are hits, t = k1 / n1 - k2 / n2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr, bdtrc, gammaln

from arbitree.groups.intervals import Array, clopper_pearson

CELLS = (
    160  # of p2: with these, the limit is about 2 % of its width above the one of infinitely many
)
PART_OF_ALPHA = 0.01  # beta
NEGLECTED = 1e-9  # probability, counted as if it were there; roundings are smaller
TINY = 1e-300  # for the logarithm of 0
TIE = 1e-9  # equal differences differ by roundings
CLOSE = 2e-5  # the limit is found from above, up to this


def upper_limit(k1: int, n1: int, k2: int, n2: int, alpha: float, *, above: float = 0.0) -> float:
    """What p1 - p2 is at most, but for a share alpha of samples.

    Parameters
    ----------
    k1, n1, k2, n2 : int
        Hits and rows of two independent groups that have rows.
    alpha : float
    above : float
        Not negative; the limit is not needed below this, which is then returned.

    Returns
    -------
    float
        At least t and `above`, at most 1.

    References
    ----------
    Berger and Boos (1994), JASA 89:1012; inverted as by Chan and Zhang (1999), Biometrics 55:1202.

    Examples
    --------
    >>> round(upper_limit(200, 1000, 180, 1000, 0.05), 3)
    0.053
    """
    test = _test(k1, n1, k2, n2, alpha)
    low, high = max(k1 / n1 - k2 / n2, above), 1.0
    if low >= 1.0 or (above >= low and test.p_value(low) <= alpha):
        return low
    while high - low > CLOSE:
        middle = (low + high) / 2
        low, high = (low, middle) if test.p_value(middle) <= alpha else (middle, high)
    return high


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Test:
    """What the test needs of the counts, whatever delta is tested.

    `at_least[c, i]` is the probability that the second group has so many hits that the difference
    is at most t where the first has ``first[i]``, for p2 at the upper end of cell c.
    """

    n1: int
    first: np.ndarray  # (m,) float64: k1 for which that is not certain and not impossible
    at_least: Array  # (cells, m)
    lower_end: Array  # (cells,)
    beta: float

    def p_value(self, delta: float) -> float:
        """Upper bound of the p-value of "p1 - p2 is delta or more", delta not negative."""
        cells = self.lower_end + delta <= 1
        if not cells.any():
            return self.beta
        p1, k = self.lower_end[cells] + delta, self.first
        chance = _chances(k, self.n1, p1)
        certain = bdtr(k[0] - 1, self.n1, p1) if k[0] > 0 else 0.0
        likely = certain + (chance * self.at_least[cells]).sum(axis=1)
        return float(likely.max()) + self.beta + NEGLECTED


def _test(k1: int, n1: int, k2: int, n2: int, alpha: float) -> _Test:
    beta = PART_OF_ALPHA * alpha
    low, high = (float(end) for end in clopper_pearson(k2, n2, 1 - beta))
    ends = np.linspace(low, high, CELLS + 1)
    first = np.arange(n1 + 1, dtype=np.float64)
    # The difference is at most t where the second group has at least so many hits.
    needed = np.ceil(n2 * (first / n1 - (k1 / n1 - k2 / n2)) - TIE * n2)
    certain = _at_least(needed, n2, ends[1:2])[0] >= 1 - NEGLECTED
    possible = _at_least(needed, n2, ends[-1:])[0] > NEGLECTED
    some = possible & ~certain
    some[min(int(certain.sum()), n1)] = True
    first, needed = first[some], needed[some]
    return _Test(
        n1=n1,
        first=first,
        at_least=_at_least(needed, n2, ends[1:]),
        lower_end=ends[:-1],
        beta=beta,
    )


def _at_least(needed: Array, n: int, p: Array) -> Array:
    """Probability of at least so many hits of n; `needed` does not fall.  (m,), (c,) -> (c, m)"""
    low, high = np.clip(needed[[0, -1]], 0, n + 1).astype(int)
    beyond = np.where(high > n, 0.0, bdtrc(min(max(high - 1, 0), n - 1), n, p))
    if high == 0:
        beyond = np.ones(len(p))
    chance = _chances(np.arange(low, high, dtype=np.float64), n, p)
    # Added up from the far end, where terms are smallest.
    sums = np.concatenate([beyond[:, None], beyond[:, None] + chance[:, ::-1].cumsum(axis=1)], 1)
    found: Array = sums[:, high - np.clip(needed, low, high).astype(int)]
    return np.minimum(found, 1.0)


def _chances(k: Array, n: int, p: Array) -> Array:
    """Probability of k hits of n.  (m,), (c,) -> (c, m)"""
    ways = gammaln(n + 1.0) - gammaln(k + 1) - gammaln(n - k + 1)
    hit, miss = np.log(np.maximum(p, TINY)), np.log(np.maximum(1 - p, TINY))
    found: Array = np.exp(ways + hit[:, None] * k + miss[:, None] * (n - k))
    return found
