"""What the numbers of an explanation are easily taken for, and are not.

Two sentences that need the finished numbers: why much of a gap is unexplained, and why a feature
that both groups have alike may still carry a part.
"""

from __future__ import annotations

import numpy as np

from arbitree._wording import listed
from arbitree.groups.intervals import normal_quantile
from arbitree.influence.component import Component
from arbitree.influence.result import Influence

MATERIAL = 0.25  # of the sum of all parts without their signs
LEADING = 3  # sets looked at
LEAST = 0.05  # of the sum of all parts without their signs: less is a trifle
HALF = 0.5  # of an influence
SMALL_SHIFT = 0.556  # AUC of two normal distributions 0.2 standard deviations apart
SURE = 0.9  # of two sides, so that one side is sure to 95 %


def readings(infl: Influence) -> tuple[str, ...]:
    """Sentences that belong beside the numbers themselves.

    Parameters
    ----------
    infl : Influence
    """
    return (*_much_unexplained(infl), *_alike_in_both_groups(infl))


def is_much_unexplained(infl: Influence) -> bool:
    """Whether what is unexplained is a material part.

    That is over a quarter of all parts without their signs; or the largest of them, and not 0 for
    all that resampling shows.
    """
    parts = np.abs(infl.table["influence"].to_numpy())
    rest = abs(infl.unexplained)
    if rest > MATERIAL * _all_parts(infl):
        return True
    differs = infl.unexplained_low > 0 or infl.unexplained_high < 0
    return bool(differs and rest > parts.max(initial=0.0))


def _much_unexplained(infl: Influence) -> tuple[str, ...]:
    if infl.constant or not is_much_unexplained(infl):  # of constant outcomes other notices tell
        return ()
    larger = ", allow larger combinations" if infl.max_order < 3 else ""
    parts = zip(infl.r2["group"], infl.r2["explained"])
    explained = " and ".join(f"{100 * max(share, 0):.0f}% within {name!r}" for name, share in parts)
    return (
        f"Much is unexplained: of the variance of decisions these features carry {explained}. The "
        "rest is chance in the decisions, something that is not among the features, or "
        f"combinations of more than {infl.max_order} of them. Add the columns that decisions were "
        f"made from{larger} or pass more rows; chance stays.",
    )


def _alike_in_both_groups(infl: Influence) -> tuple[str, ...]:
    found = [name for name in _leading(infl) if _is_alike(infl, name)]
    if not found:
        return ()
    one = len(found) == 1
    return (
        f"{listed(found)} {'is' if one else 'are'} distributed almost alike in "
        f"{infl.group_high!r} and {infl.group_low!r}, and still {'has' if one else 'have'} an "
        "influence. An influence is the feature's share of each group's own variance times the "
        "group's rate: it says how far decisions follow the feature, not that the groups differ in "
        f"it. Who has which value of {'it' if one else 'them'} moves the rates apart by less than "
        "half as much.",
    )


def _leading(infl: Influence) -> list[object]:
    """Single features among the strongest sets with a part that is no trifle and no chance."""
    head = infl.table.head(LEADING)
    beyond = ~((head["ci_low"] <= 0) & (head["ci_high"] >= 0))
    large = head["influence"].abs() >= LEAST * _all_parts(infl)
    single = (head["order"] == 1) & (head["influence"] != 0)
    return [names[0] for names in head.loc[beyond & large & single, "features"]]


def _all_parts(infl: Influence) -> float:
    """The sum of all parts without their signs, what is unexplained too."""
    return float(infl.table["influence"].abs().sum() + abs(infl.unexplained))


def _is_alike(infl: Influence, name: object) -> bool:
    """Whether a feature has, beyond doubt, much the same distribution in both groups.

    An equivalence test, since few rows are no evidence that distributions are alike: the upper
    limits of two measures must be small. The one is the AUC of the feature's best score for the
    group. The other is how much of the gap comes of who has which value: the difference of the
    means of the feature's own function, averaged over both groups, against its influence.
    """
    component = infl.components.get((name,))
    if component is None:
        return False
    sizes = infl.r2["n"].to_numpy(np.float64)
    z = normal_quantile(SURE)
    auc = float(infl.proxies.set_index("feature")["auc"].to_dict().get(name, 1.0))
    error = np.sqrt((sizes.sum() + 1) / (12 * sizes.prod()))  # of Mann and Whitney, without ties
    if auc + z * error > SMALL_SHIFT:
        return False
    shift, of_shift = shifted(component, sizes)
    influence = dict(zip(infl.table["features"], infl.table["influence"]))[name,]
    return bool(abs(shift) + z * of_shift <= HALF * abs(influence))


def shifted(component: Component, sizes: np.ndarray) -> tuple[float, float]:
    """What one feature's function differs by between the groups' rows, and its standard error.

    Parameters
    ----------
    component : Component
        Of one feature.
    sizes : (2,) float
        Rows of the high and the low group.

    Examples
    --------
    >>> same = np.array([10.0, 30.0])
    >>> one = Component(labels=(("a", "b"),), values_high=np.array([-0.3, 0.1]),
    ...                 values_low=np.array([-0.3, 0.1]), rows_high=same, rows_low=2 * same)
    >>> shifted(one, np.array([40, 80]))[0]
    0.0
    """
    rows = np.stack([component.rows_high, component.rows_low]).astype(np.float64)
    values = np.stack([component.values_high, component.values_low])
    there = rows > 0
    both = np.where(there, values, 0.0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    share = rows / rows.sum(axis=1, keepdims=True)
    means = share @ both
    variances = share @ both**2 - means**2
    error = np.sqrt((np.maximum(variances, 0.0) / sizes).sum())
    return float(means[0] - means[1]), float(error)
