"""The exact limit of a difference of two rates, again: the inverted test of Berger and Boos.

The limit was searched for by halving. Which way each halving went is known from where it ended,
so that only the last two points need to be tested: the limit, which must be rejected, and the one
below it, which must not.
"""

from __future__ import annotations

import math
from functools import cache

from arbitree.certificate.check.binomial import beta_tail, clopper_pearson

CELLS = 160
PART_OF_ALPHA = 0.01
NEGLECTED = 1e-9
TIE = 1e-9
CLOSE = 2e-5


def is_limit(
    claimed: float, k1: int, n1: int, k2: int, n2: int, alpha: float, *, above: float = 0.0
) -> bool:
    """Whether `claimed` is what p1 - p2 is at most, but for a share alpha of samples."""
    test = _test(k1, n1, k2, n2, alpha)
    low, high = max(k1 / n1 - k2 / n2, above), 1.0
    if low >= 1.0 or (above >= low and test.p_value(low) <= alpha):
        return claimed == low
    while high - low > CLOSE:
        middle = (low + high) / 2
        low, high = (low, middle) if claimed <= middle else (middle, high)
    if claimed != high or (test.p_value(high) > alpha and high < 1.0):
        return False
    start = max(k1 / n1 - k2 / n2, above)
    return low == start or test.p_value(low) > alpha


class _Test:
    """Everything that is the same whatever difference is tested."""

    def __init__(self, k1: int, n1: int, k2: int, n2: int, alpha: float) -> None:
        self.n1, self.beta = n1, PART_OF_ALPHA * alpha
        low, high = clopper_pearson(k2, n2, 1 - self.beta)
        self.ends = [low + (high - low) * cell / CELLS for cell in range(CELLS + 1)]
        seen = k1 / n1 - k2 / n2
        needed = [math.ceil(n2 * (first / n1 - seen) - TIE * n2) for first in range(n1 + 1)]
        least = [_at_least(need, n2, self.ends[1]) for need in needed]
        most = [_at_least(need, n2, self.ends[-1]) for need in needed]
        certain = [one >= 1 - NEGLECTED for one in least]
        some = [m > NEGLECTED and not c for m, c in zip(most, certain)]
        some[min(sum(certain), n1)] = True
        self.first = [first for first in range(n1 + 1) if some[first]]
        kept = [needed[first] for first in self.first]
        self.at_least = [_tails(kept, n2, end) for end in self.ends[1:]]

    def p_value(self, delta: float) -> float:
        """Upper bound of the p-value of "p1 - p2 is delta or more"."""
        worst, first = -1.0, self.first
        for end, likely in zip(self.ends, self.at_least):
            p1 = end + delta
            if p1 > 1:
                break
            certain = 1 - beta_tail(first[0], self.n1 - first[0] + 1, p1) if first[0] else 0.0
            chances = _chances(first[0], first[-1], self.n1, p1)
            total = certain + sum(chances[k - first[0]] * at for k, at in zip(first, likely))
            worst = max(worst, total)
        return self.beta if worst < 0 else worst + self.beta + NEGLECTED


@cache
def _test(k1: int, n1: int, k2: int, n2: int, alpha: float) -> _Test:
    return _Test(k1, n1, k2, n2, alpha)


def _at_least(k: int, n: int, p: float) -> float:
    if k <= 0:
        return 1.0
    return 0.0 if k > n else beta_tail(k, n - k + 1, p)


def _tails(needed: list[int], n: int, p: float) -> list[float]:
    """Probability of at least so many hits, added up from the far end."""
    low, high = (min(max(end, 0), n + 1) for end in (needed[0], needed[-1]))
    chances = _chances(low, high - 1, n, p) if high > low else []
    sums = [_at_least(high, n, p)]
    for chance in reversed(chances):
        sums.append(sums[-1] + chance)
    return [min(sums[high - min(max(need, low), high)], 1.0) for need in needed]


def _chances(first: int, last: int, n: int, p: float) -> list[float]:
    """Probability of each number of hits from first to last."""
    hit, miss = math.log(max(p, 1e-300)), math.log(max(1 - p, 1e-300))
    whole = math.lgamma(n + 1)
    return [
        math.exp(whole - math.lgamma(k + 1) - math.lgamma(n - k + 1) + hit * k + miss * (n - k))
        for k in range(first, last + 1)
    ]


def pair_holds(
    claimed: float, first: tuple[int, int], second: tuple[int, int], alpha: float
) -> bool:
    """Whether `claimed` is the larger limit of two groups, of which the first has no lower rate."""
    if not first[1] or not second[1]:
        return claimed == 1.0
    forth, back = (*first, *second), (*second, *first)
    wider = claimed if is_limit(claimed, *forth, alpha) else _limit(*forth, alpha)
    return is_limit(claimed, *back, alpha, above=wider)


def pair_is_within(
    claimed: float, first: tuple[int, int], second: tuple[int, int], alpha: float
) -> bool:
    """Whether `claimed` is at least the larger limit of two groups: one question, no search.

    A p-value falls as the difference that is tested grows, so that a limit is at most what the
    test rejects.
    """
    if not first[1] or not second[1] or claimed >= 1.0:
        return claimed >= 1.0
    for (k1, n1), (k2, n2) in ((first, second), (second, first)):
        gap = k1 / n1 - k2 / n2
        if claimed < gap or _test(k1, n1, k2, n2, alpha).p_value(claimed) > alpha:
            return False
    return True


def _limit(k1: int, n1: int, k2: int, n2: int, alpha: float) -> float:
    test = _test(k1, n1, k2, n2, alpha)
    low, high = max(k1 / n1 - k2 / n2, 0.0), 1.0
    if low >= 1.0 or (low <= 0 and test.p_value(low) <= alpha):
        return low
    while high - low > CLOSE:
        middle = (low + high) / 2
        low, high = (low, middle) if test.p_value(middle) <= alpha else (middle, high)
    return high
