"""What a certificate rests on, as the frames that a user reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from arbitree.certificate.families import Family, Measured
from arbitree.certificate.gap_bounds import GapBounds, gap_bounds, simultaneous_confidence
from arbitree.certificate.selection import status_of
from arbitree.groups.intervals import clopper_pearson, newcombe


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bounded:
    """One rule with the bounds of each of its families."""

    measured: Measured
    bounds: tuple[GapBounds, ...]

    @property
    def bound(self) -> float:
        """Upper limit of the largest gap."""
        return max(one.gap for one in self.bounds)

    @property
    def p_rule(self) -> float:
        """Lower limit of the smallest ratio."""
        return min(one.p_rule for one in self.bounds)

    @property
    def claimed(self) -> tuple[float, float]:
        """Both limits."""
        return self.bound, self.p_rule


def described(tested: Bounded, confidence: float, asked: float, method: str) -> dict[str, Any]:
    """What a certificate says of its rule, but for the bound.

    Intervals are at `confidence`, bounds at the one that is `asked` of each candidate.
    """
    found = tested.measured
    pairs = _pairs_frame(tested, confidence, asked, method)
    widest = pairs.iloc[int(pairs["gap"].fillna(-1.0).argmax())]
    return {
        "gap": float(widest["gap"]),
        "p_rule": float(pairs["ratio"].min()),
        **{name: str(widest[name]) for name in ("group_high", "group_low", "condition")},
        "grouping": str(widest["grouping"]),
        "n": found.n,
        "constant": found.constant,
        "by_group": pd.concat(
            [_group_frame(family, confidence) for family in found.families], ignore_index=True
        ),
        "pairs": pairs,
        "sensitive": found.sensitive,
        "favorable": found.favorable,
        "label_favorable": found.label_favorable,
    }


def _group_frame(family: Family, confidence: float) -> pd.DataFrame:
    low, high = clopper_pearson(family.k, family.n, confidence)
    n_groups = len(family.groups)
    rate = np.divide(family.k, family.n, out=np.full(n_groups, np.nan), where=family.n > 0)
    return pd.DataFrame(
        {
            "grouping": family.grouping,
            "condition": family.condition,
            "group": list(family.groups),
            "n": family.n,
            "k": family.k,
            "rate": rate,
            "ci_low": low,
            "ci_high": high,
            "status": ["ok" if n else "no rows under this condition" for n in family.n.tolist()],
        }
    )


def _pairs_frame(tested: Bounded, confidence: float, asked: float, method: str) -> pd.DataFrame:
    families = tested.measured.families
    sizes = [int((family.n > 0).sum()) for family in families]
    at_once = simultaneous_confidence(asked, sizes, method=method)
    frames = [
        _family_pairs(family, bounds, confidence, asked, method, at_once)
        for family, bounds in zip(families, tested.bounds)
    ]
    return pd.concat(frames, ignore_index=True)


def _family_pairs(
    family: Family,
    own: GapBounds,
    confidence: float,
    asked: float,
    method: str,
    at_once: float,
) -> pd.DataFrame:
    rate = np.divide(family.k, family.n, out=np.full(len(family.n), np.nan), where=family.n > 0)
    first, second = np.triu_indices(len(family.groups), 1)
    swap = rate[second] > rate[first]
    high, low = np.where(swap, second, first), np.where(swap, first, second)
    ci_low, ci_high = newcombe(
        family.k[high], family.n[high], family.k[low], family.n[low], confidence
    )
    alone = at_once == asked
    wide = own if alone else gap_bounds(family.k, family.n, confidence=at_once, method=method)
    names = np.array(family.groups, dtype=object)
    known = (family.n[high] > 0) & (family.n[low] > 0)
    return pd.DataFrame(
        {
            "grouping": family.grouping,
            "condition": family.condition,
            "group_high": names[high],
            "group_low": names[low],
            "gap": rate[high] - rate[low],
            "ci_low": ci_low,
            "ci_high": ci_high,
            "bound": _either_way(own.upper[0], high, low, np.maximum),
            "bound_simultaneous": _either_way(wide.upper[0], high, low, np.maximum),
            "ratio": _ratio(rate[low], rate[high]),
            "ratio_bound": _either_way(own.ratio[0], high, low, np.minimum),
            "status": ["ok" if both else "a group has no rows" for both in known.tolist()],
        }
    )


def _either_way(limits: np.ndarray, high: np.ndarray, low: np.ndarray, join: Any) -> np.ndarray:
    found: np.ndarray = join(limits[high, low], limits[low, high])
    return found


def _ratio(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """low / high, 1 where nobody is selected in either group, as in the paper's p-rule."""
    found = np.divide(low, high, out=np.ones(len(low)), where=high > 0)
    return np.where(np.isnan(low + high), np.nan, found)


def candidates_frame(
    rules: Mapping[Any, Any],
    tested: Sequence[Bounded],
    holds: np.ndarray,
    procedure: str,
    *,
    several: bool,
) -> pd.DataFrame:
    """One row a candidate, in the order of testing."""
    names = ["candidate", "gap", "bound", "p_rule_bound", "accuracy", "status"]
    if not several:
        return pd.DataFrame(columns=names)
    bounds = [one.bound for one in tested]
    gaps = [max(map(_spread, one.measured.families)) for one in tested]
    accuracies = [one.measured.accuracy for one in tested]
    status = status_of(holds, procedure=procedure)
    p_rules = [one.p_rule for one in tested]
    columns = [list(map(str, rules)), gaps, bounds, p_rules, accuracies, status]
    return pd.DataFrame(dict(zip(names, columns)))


def _spread(family: Family) -> float:
    known = family.n > 0
    return float(np.ptp(family.k[known] / family.n[known])) if known.any() else 0.0
