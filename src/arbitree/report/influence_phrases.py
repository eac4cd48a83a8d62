"""Numbers of an influence in the words that its text layouts and pictures share."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd

from .._tables import NOT_AVAILABLE, visible
from ..influence.compared import ALL_ROWS
from ..influence.readings import readings
from ..influence.result import Influence
from ..influence.words import r2_warning, small_group
from .phrases import percent, spelled

TERMS = 3  # of the sentence, before the others are added up
MAX_DISPLAY = 20


def unit(infl: Influence) -> tuple[float, str]:
    """What to multiply a number by, and the unit that it then has."""
    return (1.0, "") if infl.scores else (100.0, " pp")


def digits(infl: Influence) -> int:
    """Decimals: one of a percentage point, three figures of a score's gap."""
    if not infl.scores:
        return 1
    size = abs(infl.gap)
    return 3 if size == 0 or math.isnan(size) else min(max(2 - math.floor(math.log10(size)), 0), 9)


def joined(features: Sequence[Hashable], by: str = " x ") -> str:
    """The features of a set as one name.

    >>> joined(("zip_income", "tenure"))
    'zip_income x tenure'
    """
    return by.join(visible(str(name)) for name in features)


def split_rows(table: pd.DataFrame, at_most: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The strongest rows, and the others, which are none or at least two."""
    if len(table) <= at_most:
        return table, table.iloc[:0]
    kept = max(at_most - 1, 0)
    return table.iloc[:kept], table.iloc[kept:]


def left_over(total: float, values: Sequence[float], rest: float, decimals: int) -> float:
    """What is left of a total when everything is rounded; `rest` itself where that is unknown.

    >>> left_over(0.42, [0.14, 0.14], 0.14, 1)
    0.2
    """
    exact = [total, *values, rest]
    if not np.isfinite(exact).all():
        return rest
    first, *others = (round(value, decimals) for value in exact[:-1])
    return round(first - math.fsum(others), decimals) + 0.0


def unexplained(infl: Influence) -> float:
    """What is unexplained as it is printed, in the unit of `amount`.

    Where the sentence names every set it takes in the rounding, elsewhere the others do.
    """
    scale, decimals = unit(infl)[0], digits(infl)
    rest = infl.unexplained * scale
    if len(infl.table) > TERMS + 1:
        return round(rest, decimals) + 0.0
    named = (infl.table["influence"] * scale).tolist()
    return left_over(infl.gap * scale, named, rest, decimals)


def others_together(infl: Influence, named: pd.DataFrame, others: pd.DataFrame) -> float:
    """The sum of sets that are not named, which takes in the rounding; as it is printed."""
    scale, decimals = unit(infl)[0], digits(infl)
    told = [*(named["influence"] * scale).tolist(), unexplained(infl)]
    exact = float(others["influence"].sum(skipna=False)) * scale
    return left_over(infl.gap * scale, told, exact, decimals)


def sentence(infl: Influence) -> str:
    """The gap as the sum that it is; the numbers are the table's and add up as they are printed."""
    scale, name = unit(infl)
    decimals = digits(infl)
    strongest, others = split_rows(infl.table, TERMS + 1)
    names = [joined(features) for features in strongest["features"]]
    values = [round(value * scale, decimals) + 0.0 for value in strongest["influence"]]
    if len(others):
        names.append(f"other({len(others):,})")
        values.append(others_together(infl, strongest, others))
    text = ""
    for label, value in zip([*names, "unexplained"], [*values, unexplained(infl)]):
        sign = "-" if value < 0 else "+" if text else ""
        number = NOT_AVAILABLE if math.isnan(value) else f"{abs(value):.{decimals}f}"
        text += f" {sign} {label} {number}" if sign else f" {label} {number}"
    return f"gap {infl.gap * scale:.{decimals}f}{name} ({compared(infl)}) ={text}"


def compared(infl: Influence) -> str:
    """The two groups, and the condition where it is not all rows."""
    groups = f"{visible(infl.group_high)} over {visible(infl.group_low)}"
    return groups if infl.condition == ALL_ROWS else f"{groups}; {infl.condition}"


def caveats(infl: Influence) -> list[str]:
    """What must be known before the first number is believed.

    Groups with too few rows, much that is unexplained, features that both groups have alike.
    """
    pairs = zip(infl.r2["group"], infl.r2["n"])
    small = [line for name, n in pairs for line in small_group(name, n, infl.min_group_size)]
    return [*small, *(line for line in readings(infl) if line in infl.notices)]


def other_notices(infl: Influence) -> list[str]:
    """Notices that layouts do not say elsewhere."""
    told = {*caveats(infl), *r2_warning(infl.r2)}
    return [notice for notice in infl.notices if notice not in told]


def gap_of(infl: Influence) -> str:
    """What differs between the groups: a metric, or the mean of scores."""
    return visible(infl.favorable) if infl.scores else spelled(infl.metric)


def amount(infl: Influence, value: float, *, sign: bool = True) -> str:
    """A part of the gap, as in ``+9.1 pp``."""
    return printed(infl, value * unit(infl)[0], sign=sign)


def printed(infl: Influence, value: float, *, sign: bool = True) -> str:
    """The same of a number that has its unit."""
    if math.isnan(value):
        return NOT_AVAILABLE
    name = unit(infl)[1]
    value = round(value, digits(infl)) + 0.0  # not -0.0
    return f"{value:{'+' if sign and value else ''}.{digits(infl)}f}{name}"


def interval(infl: Influence, low: float, high: float) -> str:
    """An interval in the unit of `amount`, empty where there is none."""
    if math.isnan(low) or math.isnan(high):
        return ""
    scale, decimals = unit(infl)[0], digits(infl)
    low, high = (round(end * scale, decimals) + 0.0 for end in (low, high))
    return f"[{low:.{decimals}f}, {high:.{decimals}f}]"


def rate(infl: Influence, value: float) -> str:
    """A group's rate, or its mean score."""
    if math.isnan(value):
        return NOT_AVAILABLE
    return f"{value:,.4g}" if infl.scores else percent(value)


def share(value: float) -> str:
    """A share of a variance; those of dependent features may be negative."""
    return NOT_AVAILABLE if math.isnan(value) else f"{round(value, 2) + 0.0:.2f}"


def facts(infl: Influence) -> list[str]:
    """What a reader must know to read the numbers."""
    how = f"fitted and evaluated on different rows, {infl.cross_fit} folds"
    lines = [
        visible(infl.favorable),
        f"influence: part of the gap that these features together carry, beyond any fewer of them; "
        f"sets of at most {infl.max_order}",
        f"functions: {how if infl.cross_fit else 'fitted and evaluated on the same rows'}",
    ]
    if infl.n_bootstrap:
        lines.append(
            f"in brackets: {infl.confidence * 100:g}% intervals of {infl.n_bootstrap:,} resamplings"
        )
    return lines
