"""One table, coded: what every engine reads."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from arbitree._errors import ColumnError
from arbitree._wording import nearest
from arbitree.table.coded_column import CodedColumn
from arbitree.table.crossing import Crossing, cross

if TYPE_CHECKING:
    from arbitree.table.as_held import HeldColumn
    from arbitree.table.labels import Outcome
    from arbitree.table.probabilities import GroupProbabilities

__all__ = ["CodedColumn", "CodedTable"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodedTable:
    """Rows as codes. Every array has `n_rows` entries, in the same order of rows."""

    n_rows: int
    features: tuple[CodedColumn, ...] = ()
    left_out: tuple[str, ...] = ()  # columns that are no features, as `notices` say
    sensitive: tuple[CodedColumn, ...] = ()
    control: tuple[CodedColumn, ...] = ()
    decisions: Outcome | None = None
    labels: Outcome | None = None
    scores: np.ndarray | None = None  # (n_rows,) float64
    weights: np.ndarray | None = None  # (n_rows,) float64
    missing: str | None = None  # the policy for missing groups that its reader was told
    notices: tuple[str, ...] = ()  # sentences the user should read
    source: dict[str, Any] | None = None  # where the rows came from
    for_model: tuple[CodedColumn, ...] = ()  # columns that a model reads, by its codings
    probabilities: GroupProbabilities | None = None
    held: tuple[HeldColumn, ...] = ()  # columns that a model reads as they are in the file

    def column(self, name: Hashable) -> CodedColumn:
        """The sensitive column, control or feature called `name`, looked for in that order.

        Raises
        ------
        ColumnError
            If there is none.
        """
        columns = (*self.sensitive, *self.control, *self.features)
        for column in columns:
            if column.name == name:
                return column
        hint = nearest(name, [column.name for column in columns])
        raise ColumnError(f"The table has no column {name!r}. {hint}")

    def crossing(self, columns: Iterable[Hashable | CodedColumn]) -> Crossing:
        """Observed combinations of columns, given by name or as they are.

        Raises
        ------
        ColumnError
            If the table has no column of that name.
        """
        return cross([c if isinstance(c, CodedColumn) else self.column(c) for c in columns])
