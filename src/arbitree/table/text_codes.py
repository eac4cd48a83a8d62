"""A column of texts in one batch: its distinct texts, and which of them each row holds."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TextCodes:
    """`levels[codes[i]]` is the text of row i; the code -1 is a missing value.

    Levels are all different, in any order; some may be in no row.
    """

    codes: np.ndarray  # (n_rows,) int
    levels: list[str]

    @property
    def missing(self) -> np.ndarray:
        """(n_rows,) bool"""
        return self.codes < 0

    def present(self) -> TextCodes:
        """The same with only those levels that some row has."""
        counts = np.bincount(np.add(self.codes, 1, dtype=np.intp), minlength=len(self.levels) + 1)
        if counts[1:].all():
            return self
        there = np.flatnonzero(counts[1:])
        places = np.full(len(self.levels) + 1, -1)
        places[there] = np.arange(len(there))
        levels = [self.levels[i] for i in there.tolist()]
        return TextCodes(codes=places[self.codes], levels=levels)

    def keep(self, rows: np.ndarray) -> TextCodes:
        """The same for the rows where a mask, shape (n_rows,), is True."""
        return TextCodes(codes=self.codes[rows], levels=self.levels)


def is_textual(series: nw.Series[Any]) -> bool:
    """Whether a column of a file holds texts, plain or as a dictionary without an order."""
    dtype = series.dtype
    if dtype in (nw.String, nw.Object):
        return True
    if not isinstance(dtype, (nw.Categorical, nw.Enum)):
        return False
    native = series.to_native()
    if not series.implementation.is_pyarrow():
        return False
    arrow = native.type
    return not arrow.ordered and "string" in str(arrow.value_type)


def text_codes(series: nw.Series[Any], missing: Collection[str]) -> TextCodes:
    """Find the distinct texts of a batch; those in `missing` mean no value.

    Examples
    --------
    >>> series = nw.new_series("sex", ["f", "", "m", "f"], backend="pandas")
    >>> found = text_codes(series, {""})
    >>> found.codes.tolist(), [found.levels[code] for code in (0, 2)]
    ([0, -1, 2, 0], ['f', 'm'])
    """
    if series.implementation.is_pyarrow():
        codes, levels = _of_arrow(series.to_native())
    else:
        codes, found = pd.factorize(np.asarray(series.to_native(), dtype=object))
        levels = found.tolist()
    gone = [levels.index(text) for text in missing if text in levels]
    if gone:
        lookup = np.arange(len(levels) + 1, dtype=codes.dtype)
        lookup[-1] = -1
        lookup[gone] = -1
        codes = lookup[codes]
    return TextCodes(codes=codes, levels=levels)


def _of_arrow(column: Any) -> tuple[np.ndarray, list[str]]:
    if not hasattr(column.type, "index_type"):
        column = column.dictionary_encode()
    chunks = column.unify_dictionaries().chunks
    if not chunks:
        return np.empty(0, dtype=np.int32), []
    codes = [
        chunk.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32, copy=False)
        for chunk in chunks
    ]
    return np.concatenate(codes) if len(codes) > 1 else codes[0], chunks[0].dictionary.to_pylist()
