"""Limits of rates and of their differences, by formulas that need only the standard library.

A tail of the binomial distribution is a regularised incomplete beta function, computed by its
continued fraction. Limits are right to 1e-10 for up to ten million rows.
"""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

_TINY = 1e-300
_CLOSE = 1e-16


def normal_quantile(confidence: float) -> float:
    """The z of a two-sided interval.

    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    return NormalDist().inv_cdf((1 + confidence) / 2)


def beta_tail(a: float, b: float, x: float) -> float:
    """I_x(a, b): of a + b - 1 rows with rate x, the probability of a hits or more.

    >>> round(beta_tail(2, 9, 0.1), 6) == round(1 - 0.9**10 - 10 * 0.1 * 0.9**9, 6)
    True
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    log = (
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    front = math.exp(log)
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    found = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1 / _away(1 + step * d)
            c = _away(1 + step / c)
            found *= d * c
        if abs(d * c - 1) < _CLOSE * 10:
            break
    return found


def _away(number: float) -> float:
    """Not zero, so that one can divide by it."""
    return _TINY if abs(number) < _TINY else number


@cache
def clopper_pearson(k: int, n: int, confidence: float) -> tuple[float, float]:
    """The exact interval of a rate (Clopper and Pearson 1934); n above 0.

    >>> low, high = clopper_pearson(0, 20, 0.95)
    >>> low, round(high, 4)
    (0.0, 0.1684)
    """
    tail = (1 - confidence) / 2
    low = 0.0 if k == 0 else _quantile(k, n - k + 1, tail)
    high = 1.0 if k == n else 1 - _quantile(n - k, k + 1, tail)
    return low, high


def _quantile(a: int, b: int, tail: float) -> float:
    """The x at which ``beta_tail(a, b, x) == tail``, by Newton's steps within a bracket."""
    low, high = 0.0, 1.0
    x = a / (a + b)
    for _ in range(200):
        excess = beta_tail(a, b, x) - tail
        low, high = (low, x) if excess > 0 else (x, high)
        log = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        log += (a - 1) * math.log(x) + (b - 1) * math.log1p(-x)
        slope = math.exp(log)
        step = x - excess / slope if slope > 0 else -1.0
        after = step if low < step < high else (low + high) / 2
        if abs(after - x) <= 1e-15 * x or high - low < 1e-16:
            return after
        x = after
    return x


def wilson(k: int, n: int, z: float) -> tuple[float, float, float]:
    """A rate and its score interval (Wilson 1927); n above 0."""
    p, total = k / n, n + z * z
    half = z * math.sqrt(k * (1 - p) + z * z / 4)
    low = p if k == 0 else (k + z * z / 2 - half) / total
    high = p if k == n else (k + z * z / 2 + half) / total
    return p, min(low, p), max(high, p)


def newcombe(k1: int, n1: int, k2: int, n2: int, confidence: float) -> tuple[float, float]:
    """The hybrid score interval of p1 - p2 (Newcombe 1998, method 10).

    >>> low, high = newcombe(56, 70, 48, 80, 0.95)
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    z = normal_quantile(confidence)
    (p1, low1, high1), (p2, low2, high2) = wilson(k1, n1, z), wilson(k2, n2, z)
    low = p1 - p2 - math.hypot(p1 - low1, high2 - p2)
    high = p1 - p2 + math.hypot(high1 - p1, p2 - low2)
    return max(low, -1.0), min(high, 1.0)


def ratio_low(k1: int, n1: int, k2: int, n2: int, confidence: float) -> float:
    """The lower MOVER-R limit of p1 / p2 (Donner and Zou 2012); 0 where there is none."""
    z = normal_quantile(confidence)
    (p1, low1, _), (p2, _, high2) = wilson(k1, n1, z), wilson(k2, n2, z)
    if k1 == 0:
        return 0.0
    top, product = low1 * (2 * p1 - low1), p1 * p2
    root = math.sqrt(max(product**2 - top * high2 * (2 * p2 - high2), 0.0))
    if product + root == 0:
        return math.inf
    limit = top / (product + root)
    return min(limit, p1 / p2) if k2 else limit
