"""What the reader collects of a column while batches go by.

Each of these is fed the column's part of every batch, as `TextCodes` if the column holds texts,
and holds no more than a code or a number a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import narwhals as nw
import numpy as np
import pandas as pd

from arbitree._errors import InputError, LabelError
from arbitree.table.choose import MOST_LEVELS
from arbitree.table.coded_column import CodedColumn
from arbitree.table.coder import ColumnCoder
from arbitree.table.distinct import distinct, natural_order
from arbitree.table.dtypes import plain
from arbitree.table.frames import Column
from arbitree.table.measures import floats, kind_of
from arbitree.table.number_advice import number_advice
from arbitree.table.provisional import LevelRegister, ProvisionalCodes
from arbitree.table.text import NumberStyle, TextKind, Typing, kind_from, possible_kinds, read_texts
from arbitree.table.text_codes import TextCodes

Part = TextCodes | nw.Series[Any]

_NUMBER_KINDS: frozenset[TextKind] = frozenset(("integer", "number", "decimal comma"))


def typed_column(name: str, part: nw.Series[Any]) -> Column:
    """A column of a typed file as the rest of the package knows it."""
    return Column(name, plain(part.to_native(), where=f"column {name!r}"))


def _ranks(known: Sequence[object], levels: Sequence[object]) -> np.ndarray:
    """The place among `levels` of each of the known ones; -1, also at the end, for none."""
    rank = {level: i for i, level in enumerate(levels)}
    return np.array([*(rank.get(level, -1) for level in known), -1], dtype=np.int32)


def categories(name: str, codes: np.ndarray, levels: Sequence[object], *, text: bool) -> Column:
    """A column of categories from codes, -1 where missing."""
    index = pd.Index(list(levels), dtype=object if not levels else None)
    values = pd.Categorical.from_codes(cast(Any, codes), categories=cast(Any, index))
    return _pandas_column(name, pd.Series(values), text)


def _pandas_column(name: str, values: pd.Series, text: bool) -> Column:
    return Column(name, nw.from_native(values, series_only=True), None, text)


class CodedPart:
    """A feature or a column of groups."""

    def __init__(
        self,
        name: str,
        coder: ColumnCoder,
        *,
        typing: Typing | None = None,
        optional: bool = False,
    ) -> None:
        self.name = name
        self.coder = coder
        self._typing = typing
        self.failure: str | None = None  # why an optional column is left out
        self._optional = optional

    def add(self, part: Part) -> None:
        """Take the next rows."""
        if self.failure is not None:
            return
        if isinstance(part, TextCodes):
            codes, levels = part.codes, part.levels
            self._attempt(lambda: self.coder.add_codes(codes, levels))
        else:
            column = typed_column(self.name, part)
            self._attempt(lambda: self.coder.add(column))

    def end_pass(self) -> bool:
        """Whether another pass is needed."""
        return self.failure is None and bool(self._attempt(self.coder.end_pass))

    def _attempt(self, action: Any) -> Any:
        try:
            return action()
        except InputError as error:
            if not self._optional:
                raise
            self.failure = str(error)
            return None

    @property
    def has_decimal_commas(self) -> bool:
        """Whether its numbers were found to be written with decimal commas."""
        guessed = self._typing is not None and self._typing.kind == "decimal comma"
        return guessed and self.failure is None

    def finish(self) -> CodedColumn:
        """The column as codes."""
        return self.coder.finish()


class LevelPart:
    """An outcome: few values, of which it is said later which are favourable."""

    def __init__(self, name: str, *, text: bool, what: str) -> None:
        self.name = name
        self._text = text
        self._what = what
        self._register = LevelRegister()
        self._codes = ProvisionalCodes()

    def add(self, part: Part) -> None:
        """Take the next rows."""
        if isinstance(part, TextCodes):
            part = part.present()
            codes: np.ndarray = part.codes
            levels: Sequence[Any] = part.levels
        else:
            found = distinct(typed_column(self.name, part))
            codes, levels = found.codes, found.levels
        self._codes.add(codes, self._register.places(levels))
        if len(self._register) > MOST_LEVELS:
            raise LabelError(
                f"{self._what} column {self.name!r} has more than {MOST_LEVELS:,} different "
                "values. If these are scores, pass a score_threshold."
            )

    def end_pass(self) -> bool:
        """One pass is enough."""
        return False

    def finish(self) -> Column:
        """The column as categories, in natural order."""
        seen = self._register.in_order()
        levels = natural_order(seen)
        ranks = np.roll(_ranks(seen, levels), 1).astype(_narrowest(len(levels)))
        return categories(self.name, self._codes.looked_up(ranks), levels, text=self._text)


def _narrowest(n: int) -> Any:
    return np.min_scalar_type(-max(1, n))


class NumberPart:
    """Scores or weights."""

    def __init__(self, name: str, style: NumberStyle, *, what: str) -> None:
        self.name = name
        self._style = style
        self._what = what
        self._possible = _NUMBER_KINDS
        self._chunks: list[np.ndarray] = []
        self._n_rows = 0

    def add(self, part: Part) -> None:
        """Take the next rows."""
        values = self._of_texts(part) if isinstance(part, TextCodes) else self._of_values(part)
        self._chunks.append(values)
        self._n_rows += len(values)

    def _of_texts(self, part: TextCodes) -> np.ndarray:
        part = part.present()
        possible = possible_kinds(part.levels, self._style, among=self._possible) - {"text"}
        if not possible:
            raise self._not_a_number(part)
        self._possible = possible
        values = cast(Any, read_texts(part.levels, kind_from(possible), self._style))
        return np.append(values, np.nan)[part.codes]

    def _of_values(self, part: nw.Series[Any]) -> np.ndarray:
        column = typed_column(self.name, part)
        if kind_of(column) not in ("integer", "number"):
            raise InputError(
                f"{self._what} column {self.name!r} holds {part.dtype}, not numbers. Name a "
                "column of numbers."
            )
        return floats(column)

    def _not_a_number(self, part: TextCodes) -> InputError:
        strange = [
            len(possible_kinds([level], self._style, among=self._possible)) == 1
            for level in part.levels
        ]
        row = int(np.argmax(np.array([*strange, False])[part.codes]))
        text = part.levels[part.codes[row]]
        where = f"{self._what} column {self.name!r} holds {text!r} at row {self._n_rows + row:,}"
        if all(strange) and not any(character.isdigit() for character in text):
            return InputError(f"{where}, which is not a number. Name a column of numbers.")
        words = "" if all(strange) else " as others are"
        return InputError(f"{where}, which is not a number{words}. {number_advice(text)}")

    def end_pass(self) -> bool:
        """One pass is enough."""
        return False

    @property
    def has_decimal_commas(self) -> bool:
        """Whether its numbers were found to be written with decimal commas."""
        return "decimal comma" in self._possible and "number" not in self._possible

    def finish(self) -> Column:
        """The column as floats, NaN where missing."""
        values = np.concatenate(self._chunks) if self._chunks else np.empty(0)
        self._chunks = []
        return _pandas_column(self.name, pd.Series(values), False)
