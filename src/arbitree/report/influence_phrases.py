"""Numbers of an influence in the words that its text layouts and pictures share."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd

from .._tables import NOT_AVAILABLE, visible
from ..influence.compared import ALL_ROWS
from ..influence.result import Influence
from .phrases import percent

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


def rounded_to_sum(values: Sequence[float], total: float, decimals: int) -> list[float]:
    """Values rounded up or down so that they add up to the rounded total.

    As few as possible are rounded to the farther neighbour, those first that lose least (the
    method of largest remainders). The values must add up to the total, or nearly.

    >>> rounded_to_sum([0.14, 0.14, 0.14], 0.42, 1)
    [0.2, 0.1, 0.1]
    """
    size = 10.0**decimals
    scaled = np.asarray(values, dtype=float) * size
    if not np.isfinite(scaled).all() or not math.isfinite(total):
        return [round(float(value), decimals) + 0.0 for value in values]
    nearest = np.round(scaled)
    short = round(total * size) - int(nearest.sum())
    step = int(np.sign(short))
    loss = step * (nearest - scaled)
    for position in np.argsort(loss, kind="stable")[: abs(short)].tolist():
        nearest[position] += step
    return [round(value / size, decimals) + 0.0 for value in nearest.tolist()]


def sentence(infl: Influence, *, terms: int = TERMS) -> str:
    """The gap as the sum that it is; the numbers add up as they are printed.

    Parameters
    ----------
    infl : Influence
    terms : int
        Sets of features named one by one.
    """
    strongest, others = split_rows(infl.table, terms + 1)
    names = [joined(features) for features in strongest["features"]]
    values = strongest["influence"].tolist()
    if len(others):
        names.append(f"other({len(others):,})")
        values.append(float(others["influence"].sum()))
    names.append("unexplained")
    values.append(infl.unexplained)
    scale, name = unit(infl)
    decimals = digits(infl)
    rounded = rounded_to_sum([value * scale for value in values], infl.gap * scale, decimals)
    text = ""
    for label, value in zip(names, rounded):
        sign = "-" if value < 0 else "+" if text else ""
        number = NOT_AVAILABLE if math.isnan(value) else f"{abs(value):.{decimals}f}"
        text += f" {sign} {label} {number}" if sign else f" {label} {number}"
    return f"gap {infl.gap * scale:.{decimals}f}{name} ({compared(infl)}) ={text}"


def compared(infl: Influence) -> str:
    """The two groups, and the condition where it is not all rows."""
    groups = f"{visible(infl.group_high)} over {visible(infl.group_low)}"
    return groups if infl.condition == ALL_ROWS else f"{groups}; {rows_of(infl)}"


def rows_of(infl: Influence) -> str:
    """The rows that the gap is about."""
    return infl.condition if infl.condition == ALL_ROWS else f"rows with {infl.condition}"


def amount(infl: Influence, value: float, *, sign: bool = True) -> str:
    """A part of the gap, as in ``+9.1 pp``."""
    if math.isnan(value):
        return NOT_AVAILABLE
    scale, name = unit(infl)
    value = round(value * scale, digits(infl)) + 0.0  # not -0.0
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
