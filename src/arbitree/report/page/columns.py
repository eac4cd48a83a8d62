"""Frames of text as columns of a page's table, each with what it is sorted by and what it means."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from numbers import Real

import pandas as pd

from ..._tables import cell_text
from .blocks import MOST_ROWS, Column, Table
from .glossary import meaning_of

Order = Mapping[str, Iterable[object]]


def table_of(
    frame: pd.DataFrame,
    *,
    caption: str,
    order: Order | None = None,
    texts: Mapping[str, Callable[[object], str]] | None = None,
    marks: Iterable[str] = (),
    fixed: bool = False,
) -> Table:
    """A frame, or its first `MOST_ROWS` rows, as a table of a page.

    Parameters
    ----------
    frame : DataFrame
        Texts, or numbers, which are then their own order.
    caption : str
    order : mapping from column to numbers, optional
        What columns of text are sorted by.
    texts : mapping from column to function, optional
        How the values of a column are written; by default as in every table of ours.
    marks : iterable of str
        What stands out, row by row.
    fixed : bool
        Whether rows keep their order.

    Examples
    --------
    >>> table_of(pd.DataFrame({"group": ["f"], "n": [1200]}), caption="Groups").columns[1]
    Column(name='n', texts=('1,200',), order=(1200.0,), right=True, meaning='rows')
    """
    order, texts = order or {}, texts or {}
    left = max(len(frame) - MOST_ROWS, 0)
    frame = frame.head(MOST_ROWS)
    columns = []
    for place, name in enumerate(map(str, frame.columns)):
        values = frame.iloc[:, place]
        ordered = order.get(name, values if _numeric(values) else ())
        columns.append(
            Column(
                name=name,
                texts=tuple(texts.get(name, cell_text)(value) for value in values.tolist()),
                order=tuple(map(_number, islice(ordered, MOST_ROWS))),
                right=bool(_numeric(values) or name in order),
                meaning=meaning_of(name),
            )
        )
    return Table(
        caption=caption, columns=tuple(columns), marks=tuple(marks), fixed=fixed, left=left
    )


def _numeric(values: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)


def _number(value: object) -> float | None:
    if not isinstance(value, Real) or not math.isfinite(float(value)):
        return None
    return float(value)
