"""Upper limits of gaps and lower limits of ratios, from counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from arbitree.certificate.check.binomial import (
    clopper_pearson,
    newcombe,
    ratio_low,
)
from arbitree.certificate.check.shape import Wrong

METHODS = ("clopper-pearson", "exact", "newcombe", "hoeffding")
Count = tuple[int, int]  # hits, rows


@dataclass(frozen=True, slots=True)
class Family:
    """Groups that are compared with each other."""

    grouping: str
    condition: str
    groups: tuple[str, ...]
    counts: tuple[Count, ...]


def asked_confidence(confidence: float, n_candidates: int, selection: str | None) -> float:
    """The confidence asked of each candidate."""
    return 1 - (1 - confidence) / (n_candidates if selection == "bonferroni" else 1)


def simultaneous_confidence(asked: float, families: Sequence[Family], method: str) -> float:
    """That of each pair, where those of all pairs hold at once."""
    sizes = [sum(n > 0 for _, n in family.counts) for family in families]
    pairs = sum(size * (size - 1) // 2 for size in sizes)
    groups = sum(size for size in sizes if size > 1)
    allowances = min(pairs, groups) if method == "clopper-pearson" else pairs
    return 1 - (1 - asked) / max(allowances, 1)


def upper_limit(first: Count, second: Count, confidence: float, method: str) -> float:
    """What p1 - p2 is at most; 1 where a group has no rows. Not of the exact test."""
    (k1, n1), (k2, n2) = first, second
    if not n1 or not n2:
        return 1.0
    if method == "clopper-pearson":
        high, low = clopper_pearson(k1, n1, confidence)[1], clopper_pearson(k2, n2, confidence)[0]
        return min(high - low, 1.0)
    if method == "newcombe":
        return newcombe(k1, n1, k2, n2, max(2 * confidence - 1, 1e-12))[1]
    if method == "hoeffding":
        log = math.log(1 / (1 - confidence))
        return min(k1 / n1 - k2 / n2 + math.sqrt((1 / n1 + 1 / n2) * log / 2), 1.0)
    raise Wrong(f"there is no method {method!r}")


def ratio_limit(first: Count, second: Count, confidence: float, method: str) -> float:
    """What p1 / p2 is at least; 0 where a group has no rows."""
    (k1, n1), (k2, n2) = first, second
    if not n1 or not n2:
        return 0.0
    if method in ("clopper-pearson", "exact"):
        low, high = clopper_pearson(k1, n1, confidence)[0], clopper_pearson(k2, n2, confidence)[1]
        return max(low / high, 0.0)
    if method == "newcombe":
        if not k1 and not k2:
            return 0.0
        return max(ratio_low(k1, n1, k2, n2, max(2 * confidence - 1, 1e-12)), 0.0)
    log = math.log(1 / (1 - confidence)) + math.log(2)
    low = max(k1 / n1 - math.sqrt(log / n1 / 2), 0.0)
    return low / min(k2 / n2 + math.sqrt(log / n2 / 2), 1.0)
