"""A column of a file as a model of another library reads it: values, not codes.

Texts of a CSV file stand for numbers or truths where all of them do, as in every other use of the
file; otherwise they stay texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree.table.gather import Part, typed_column
from arbitree.table.measures import floats, kind_of
from arbitree.table.provisional import LevelRegister
from arbitree.table.text import NumberStyle, TextKind, kind_from, possible_kinds, read_texts
from arbitree.table.text_codes import TextCodes

Reads = Literal["numbers", "values"]
_NUMBERS: frozenset[TextKind] = frozenset(("integer", "number", "decimal comma"))
_TRUTHS: frozenset[TextKind] = frozenset(("boolean",))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldColumn:
    """A column's values.

    With `levels`, each value is one of these, and `values` their places, the last for missing.
    """

    name: str
    values: np.ndarray | pd.Series  # (n_rows,)
    levels: tuple[object, ...] | None = None

    def rows(self, first: int, stop: int) -> pd.Series:
        """Some rows, missing ones as NaN."""
        part = self.values[first:stop]
        if self.levels is None:
            return pd.Series(part).reset_index(drop=True)
        if all(isinstance(level, bool) for level in self.levels):
            full = len(part) == 0 or int(part.max()) < len(self.levels)
            dtype: Any = bool if full and self.levels else object
            return pd.Series(np.array([*self.levels, np.nan], object)[part]).astype(dtype)
        return pd.Series(np.array([*self.levels, np.nan], object)[part], dtype=object)


class HeldPart:
    """Collects a column; of texts that are no numbers a place in a list for each row."""

    def __init__(self, name: str, style: NumberStyle, *, text: bool, reads: Reads) -> None:
        self.name = name
        self._style = style
        self._reads = reads
        self._numbers: frozenset[TextKind] = _NUMBERS if text or reads == "numbers" else frozenset()
        self._truths: frozenset[TextKind] = _TRUTHS if text else frozenset()
        self._register = LevelRegister()
        self._chunks: list[Any] = []
        self._restart = False
        self._n_rows = 0

    def add(self, part: Part) -> None:
        """Take the next rows."""
        if self._restart:
            return
        if isinstance(part, TextCodes):
            self._add_texts(part.present())
        else:
            self._chunks.append(self._of_values(part))
        self._n_rows += len(self._chunks[-1]) if self._chunks else 0

    def end_pass(self) -> bool:
        """Another pass is needed where texts came after numbers."""
        again, self._restart = self._restart, False
        return again

    def finish(self) -> HeldColumn:
        """The column."""
        chunks, self._chunks = self._chunks, []
        if self._numbers or not len(self._register):
            return HeldColumn(name=self.name, values=self._joined(chunks))
        levels: list[Any] = list(self._register.in_order())
        if self._truths:
            levels = [bool(one) for one in read_texts(levels, "boolean", self._style)]  # type: ignore[union-attr]
        codes = np.concatenate(chunks)
        codes[codes < 0] = len(levels)
        return HeldColumn(name=self.name, values=codes, levels=tuple(levels))

    def _joined(self, chunks: list[Any]) -> np.ndarray | pd.Series:
        if any(isinstance(chunk, pd.Series) for chunk in chunks):
            return pd.concat(chunks, ignore_index=True)
        values = np.concatenate(chunks) if chunks else np.empty(0)
        whole = "integer" in self._numbers and self._reads == "values"
        if whole and len(values) and not np.isnan(values).any():
            return values.astype(np.int64)  # as pandas reads whole numbers
        return values

    def _add_texts(self, part: TextCodes) -> None:
        if self._numbers:
            found = possible_kinds(part.levels, self._style, among=self._numbers) - {"text"}
            if part.levels and not found:
                self._refuse_texts(part)
                self._numbers = frozenset()
                # Rows before were kept as numbers; missing ones alone are kept as they are.
                self._restart = bool(self._n_rows)
                self._chunks = []
                if self._restart:
                    return
            else:
                self._numbers = found or self._numbers
                self._chunks.append(self._as_numbers(part))
                return
        if self._truths and part.levels:
            self._truths = possible_kinds(part.levels, self._style, among=_TRUTHS) - {"text"}
        places = np.array([*self._register.places(part.levels), -1], np.int32)
        self._chunks.append(places[part.codes])

    def _as_numbers(self, part: TextCodes) -> np.ndarray:
        if not part.levels:
            return np.full(len(part.codes), np.nan)
        values: Any = read_texts(part.levels, kind_from(self._numbers), self._style)
        return np.append(np.asarray(values, np.float64), np.nan)[part.codes]

    def _refuse_texts(self, part: TextCodes) -> None:
        if self._reads == "values":
            return
        if self._n_rows == 0 and possible_kinds(part.levels, self._style, among=_TRUTHS) > {"text"}:
            raise InputError(
                f"column {self.name!r} holds truths, where the model reads numbers. Write 0 and 1."
            )
        alone = [
            possible_kinds([level], self._style, among=_NUMBERS) == {"text"}
            for level in part.levels
        ]
        row = int(np.argmax(np.array([*alone, False])[part.codes]))
        raise InputError(
            f"column {self.name!r} holds {part.levels[part.codes[row]]!r} at row "
            f"{self._n_rows + row:,}, where the model reads numbers. Correct it, or name it as "
            "a missing value."
        )

    def _of_values(self, part: Any) -> Any:
        column = typed_column(self.name, part)
        kind = kind_of(column)
        if kind in ("number", "integer") or (kind == "boolean" and self._reads == "numbers"):
            self._numbers = frozenset(("number",) if kind == "number" else ("integer",))
            return np.asarray(floats(column), np.float64)
        if self._reads == "numbers":
            raise InputError(
                f"column {self.name!r} holds {column.values.dtype}, where the model reads numbers."
            )
        self._numbers = frozenset()
        return column.values.to_pandas().reset_index(drop=True)


def frame_of(columns: Sequence[HeldColumn], first: int, stop: int) -> pd.DataFrame:
    """Some rows of columns, as a frame."""
    return pd.DataFrame({column.name: column.rows(first, stop) for column in columns})
