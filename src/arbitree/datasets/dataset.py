"""What every example data set is: a frame, the parts its columns play, and what is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from arbitree._errors import ColumnError, InputError
from arbitree._wording import counted, nearest


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Dataset:
    """A frame with the parts that its columns play.

    Every column named by a part is in ``frame``, and each outcome has its favourable value.

    Attributes
    ----------
    name : str
        Short name, as in the function that made it.
    about : str
        One sentence: where the rows come from.
    frame : pandas.DataFrame
        All rows and columns.
    features : tuple of str
        Columns that a model may use: neither sensitive nor an outcome.
    sensitive : tuple of str
        Columns whose groups are compared.
    decision : str or None
        Column with what was decided, where the data has decisions.
    label : str or None
        Column with what came true, where the data has labels.
    favorable : mapping of str to object
        The favourable value of the decision and of the label, by column.
    truth : pandas.DataFrame or None
        For generated rows: the rates of the population that they are drawn from, one row a group.
        Its columns are named as those of an audit's ``by_group``.
    """

    name: str
    about: str
    frame: pd.DataFrame
    features: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    decision: str | None = None
    label: str | None = None
    favorable: Mapping[str, object]
    truth: pd.DataFrame | None = None

    def __post_init__(self) -> None:
        for column in (*self.features, *self.sensitive, *self.outcomes):
            if column not in self.frame.columns:
                raise ColumnError(
                    f"The {self.name} data has no column {column!r}. "
                    + nearest(column, list(self.frame.columns))
                )
        for column in self.outcomes:
            if column not in self.favorable:
                raise InputError(
                    f"favorable has no value for column {column!r} of the {self.name} data."
                )

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The columns of the decision and of the label, those there are."""
        return tuple(column for column in (self.decision, self.label) if column is not None)

    def __repr__(self) -> str:
        parts = [counted(len(self.frame), "row"), counted(len(self.features), "feature")]
        parts += [f"sensitive {', '.join(self.sensitive)}"] if self.sensitive else []
        parts += [f"decision {self.decision}"] if self.decision is not None else []
        parts += [f"label {self.label}"] if self.label is not None else []
        return f"<Dataset {self.name}: {'; '.join(parts)}>"
