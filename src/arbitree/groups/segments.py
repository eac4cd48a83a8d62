"""Segments of the rows: the values of the control features, each audited on its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import listed
from arbitree.groups.groupings import groupings
from arbitree.groups.metrics import RATES
from arbitree.table.coded import CodedTable

MOST_SEGMENTS = 1_000  # 15 ms each

#: What the frames of an audit call their own columns; no control column may be called so.
# fmt: off
RESULT_COLUMNS = {rate.name for rate in RATES} | {
    "metric", "grouping", "group", "n", "k", "n_selected", "value", "ci_low", "ci_high",
    "impact_ratio", "impact_ratio_low", "impact_ratio_high",
    "difference", "difference_low", "difference_high", "ratio", "ratio_low", "ratio_high",
    "share", "weight", "mean_score", "smd", "smd_low", "smd_high", "p_value", "reference",
    "group_high", "group_low", "condition", "status",
    *(f"{name}{limit}" for name in ("p_rule", "n_rule", "BA", "BPA", "BNPA")
      for limit in ("", "_low", "_high")),
}
# fmt: on


@dataclass(frozen=True, slots=True, kw_only=True)
class Segments:
    """Values of the control features, one row a segment; a single empty one if there are none."""

    columns: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.values)

    def columns_for(self, n_groups: int) -> dict[str, np.ndarray]:
        """Each control column, its segment's value repeated for every group."""
        return {
            column: np.repeat(np.array([row[i] for row in self.values], dtype=object), n_groups)
            for i, column in enumerate(self.columns)
        }


def segments_of(table: CodedTable, *, keep_missing: bool) -> tuple[Segments, np.ndarray | None]:
    """The segments, and each row's: a position, or their number where the row is in none.

    Raises
    ------
    InputError
        If no row is in a segment, or there are more than an audit can be read of.
    """
    if not table.control:
        return Segments(columns=(), values=((),)), None
    crossing = table.crossing(table.control)
    by_all = groupings(crossing, cross=True, missing_is_a_group=keep_missing)[-1]
    names = listed([str(column.name) for column in table.control])
    outside = len(by_all.groups)
    if outside == 0:
        raise InputError(
            f"No row has a known value of {names}, so there is no segment to audit. Leave the "
            "control features out, or pass missing='group'."
        )
    if outside > MOST_SEGMENTS:
        raise InputError(
            f"The control features {names} make {outside:,} segments; an audit takes at most "
            f"{MOST_SEGMENTS:,}. Leave one out, or give it fewer values."
        )
    number = np.where(by_all.members < 0, outside, by_all.members)
    return Segments(columns=_apart(by_all.columns), values=by_all.levels), number[crossing.codes]


def _apart(names: tuple[str, ...]) -> tuple[str, ...]:
    """Control columns, told apart from the columns of the frames that they stand beside."""
    taken = RESULT_COLUMNS | set(names)
    apart = []
    for name in names:
        if name in RESULT_COLUMNS:
            while name in taken:
                name += " (control)"
            taken.add(name)
        apart.append(name)
    return tuple(apart)
