"""Groups with so few rows that their numbers say little, and what to tell of them."""

from __future__ import annotations

from .._tables import visible
from .._wording import listed
from ..tree.learned import Learned
from ..tree.measured import FEWEST_ROWS, Measured
from .phrases import is_small

FEW_SIGN = f"*: of a group of fewer than {FEWEST_ROWS} rows"


def gap_is_of_few(measured: Measured) -> bool:
    """Whether one of the two groups that the gap lies between has few rows."""
    frame = measured.by_group
    ends = frame["group"].isin([measured.group_high, measured.group_low])
    among = (frame["grouping"] == measured.grouping) & (
        frame["condition"] == (measured.condition or "all")
    )
    return bool(frame.loc[ends & among, "status"].map(is_small).any())


def few_rows_notes(found: Learned) -> list[str]:
    """Sentences on groups without a row: the bound does not cover them, or nothing is measured."""
    notes = _without_rows(found.training, "training", "so that no bound covers it")
    if found.held_out is not None:
        notes += _without_rows(found.held_out, "held-out", "so that nothing is measured of it")
    return notes


def _without_rows(measured: Measured, rows: str, so: str) -> list[str]:
    empty = measured.by_group[measured.by_group["n"] == 0]
    notes = []
    for condition, part in empty.groupby("condition", sort=False):
        among = "" if condition == "all" else f" with {visible(str(condition))}"
        one = len(part) == 1
        who = listed(visible(str(name)) for name in part["group"])
        reads = so if one else so.replace(" it", " them")
        notes.append(f"{who} {'has' if one else 'have'} no {rows} row{among}, {reads}.")
    return notes
