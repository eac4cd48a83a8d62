"""A column of a file coded as a model codes it, whatever the file's own values are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree._wording import counted
from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import CategoryCoding, Coding, NumericCoding
from arbitree.table.distinct import as_number
from arbitree.table.gather import Part, typed_column
from arbitree.table.text import NumberStyle, TextKind, read_texts
from arbitree.table.text_codes import TextCodes
from arbitree.table.units import has_time_zone

_NUMBERS: tuple[TextKind, ...] = ("number", "decimal comma")


class FixedPart:
    """Collects the codes of a column by a coding that is given.

    Attributes
    ----------
    n_unseen : int
        Rows with a level that the coding does not know, which count as missing.
    """

    def __init__(self, name: str, coding: Coding, style: NumberStyle) -> None:
        self.name = name
        self.n_unseen = 0
        self._coding = coding
        self._style = style
        self._chunks: list[np.ndarray] = []
        self._n_rows = 0

    def add(self, part: Part) -> None:
        """Take the next rows."""
        codes = self._of_texts(part) if isinstance(part, TextCodes) else self._of_values(part)
        self._chunks.append(codes)
        self._n_rows += len(codes)

    def end_pass(self) -> bool:
        """One pass is enough."""
        return False

    def finish(self) -> CodedColumn:
        """The column as codes."""
        codes = np.concatenate(self._chunks)
        self._chunks = []
        return CodedColumn(name=self.name, coding=self._coding, codes=codes)

    @property
    def notices(self) -> tuple[str, ...]:
        """What the user should know."""
        if not self.n_unseen:
            return ()
        rows, verb = counted(self.n_unseen, "row"), "has" if self.n_unseen == 1 else "have"
        return (
            f"{rows} {verb} a level of {self.name!r} that the model does not know; it counts as "
            "missing.",
        )

    def _of_values(self, part: Part) -> np.ndarray:
        values = typed_column(self.name, cast(Any, part))
        if isinstance(self._coding, NumericCoding):
            return self._coding.encode_column(values)
        codes = self._coding.encode_column(values, unseen="missing")
        known = np.asarray(~values.values.is_null().to_numpy().astype(bool))
        self.n_unseen += int((known & (codes == self._coding.missing_code)).sum())
        return codes

    def _of_texts(self, part: TextCodes) -> np.ndarray:
        present = part.present()
        missing = self._coding.missing_code
        if isinstance(self._coding, NumericCoding):
            of_level: Sequence[int] = self._coding.encode(self._numbers(present)).tolist()
        else:
            of_level = _level_codes(self._coding, present.levels)
        codes = np.array([*of_level, missing], dtype=self._coding.dtype)[present.codes]
        if not isinstance(self._coding, NumericCoding):
            self.n_unseen += int(((codes == missing) & ~present.missing).sum())
        return codes

    def _numbers(self, part: TextCodes) -> pd.Series:
        """The values that texts stand for, as the coding reads them."""
        assert isinstance(self._coding, NumericCoding)
        kinds = _kinds(self._coding)
        for kind in kinds:
            values = read_texts(part.levels, kind, self._style)
            if values is not None:
                return pd.Series(values)
        alone = [
            all(read_texts([level], kind, self._style) is None for kind in kinds)
            for level in part.levels
        ]
        row = int(np.argmax(np.array([*alone, False])[part.codes]))
        wanted = "numbers" if "number" in kinds else f"{self._coding.kind}s"
        raise InputError(
            f"column {self.name!r} holds {part.levels[part.codes[row]]!r} at row "
            f"{self._n_rows + row:,}, where the model reads {wanted}. Correct it, or name it as "
            "a missing value."
        )


def _kinds(coding: NumericCoding) -> Sequence[TextKind]:
    """What texts may stand for."""
    if coding.kind in ("number", "integer"):
        return _NUMBERS
    if coding.kind == "date":
        return ("instant",) if has_time_zone(coding.unit) else ("date",)
    return ()


def _level_codes(coding: CategoryCoding, texts: Sequence[str]) -> list[int]:
    """The code of each text: of the level that it is, or that is written so."""
    if coding.bins is not None:
        raise InputError(
            "The model reads ranges of a number, which are not read from a file of texts. Pass "
            "a table in memory."
        )
    if coding.levels == (False, True) and isinstance(coding.levels[0], bool):  # and not 0 and 1
        truths = {"false": 0, "true": 1}
        return [truths.get(text.strip().casefold(), coding.missing_code) for text in texts]
    known: dict[object, int] = {text: code for code, text in enumerate(coding.texts)}
    known |= {level: code for code, level in enumerate(coding.levels)}
    if all(type(level) in (int, float) for level in coding.levels):  # 1 may be written 1.0
        return [known.get(text, known.get(as_number(text), coding.missing_code)) for text in texts]
    return [known.get(text, coding.missing_code) for text in texts]
