"""What a column's small integers mean.

A coding turns one column into integers once; every engine counts those integers and nothing
else. Codes ``0 .. n_values - 1`` are values, the last code, ``missing_code``, is a missing value.
The code for "missing" is always reserved, whether or not the data used it, so that a model
learnt from the codes can be asked about a missing value.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import listed
from arbitree.table import units
from arbitree.table.bins import Bins
from arbitree.table.distinct import distinct
from arbitree.table.edges import bin_codes, code_dtype, to_float32
from arbitree.table.frames import Column
from arbitree.table.frames import column as read_column
from arbitree.table.levels import MISSING_TEXT, level_from_json, level_texts, level_to_json
from arbitree.table.measures import floats, has_time_zone, kind_of, numbers
from arbitree.table.missing import is_missing


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumericCoding:
    """Numbers by range, or one by one: ``code = number of edges < x``, so ``x <= edge`` goes left.

    x is the value rounded to float32 (of a date or duration: of its number of `unit`).
    `edges` increase strictly and are finite.
    """

    edges: np.ndarray  # (n_values - 1,) float32
    exact: bool  # each value seen has a code of its own
    values: np.ndarray | None  # (n_values,) float64, the values seen, when exact
    kind: str  # "number" | "integer" | "date" | "duration"
    unit: str | None = None  # of dates and durations: "days since 1970-01-01", "hours"
    admits_missing: bool = False  # a value was missing in the data that made the coding

    @property
    def n_values(self) -> int:
        """Codes of values; missing not counted."""
        return len(self.edges) + 1

    @property
    def missing_code(self) -> int:
        """The code of a missing value."""
        return self.n_values

    @property
    def n_codes(self) -> int:
        """Codes of values and the one for missing."""
        return self.n_values + 1

    @property
    def dtype(self) -> np.dtype:
        """uint8 if the codes fit, else uint16."""
        return code_dtype(self.n_codes)

    def encode(self, column: object) -> np.ndarray:
        """Codes of a column.

        Parameters
        ----------
        column : Series, array or list, shape (n_rows,)

        Returns
        -------
        ndarray of uint8 or uint16, shape (n_rows,)

        Raises
        ------
        InputError
            If the column does not hold what the coding was made of.

        Examples
        --------
        >>> coding = NumericCoding(
        ...     edges=np.float32([1.5]), exact=True, values=np.array([1.0, 2.0]), kind="integer"
        ... )
        >>> coding.encode([1, None, 2, 9])
        array([0, 2, 1, 1], dtype=uint8)
        """
        return self.encode_column(_one(column))

    def encode_column(self, column: Column) -> np.ndarray:
        """As `encode`, of a column that has been through the door."""
        self.check(column)
        if kind_of(column) == "category":
            return np.full(len(column), self.missing_code, dtype=self.dtype)
        values, _ = to_float32(numbers(column, self.unit))
        return bin_codes(values, self.edges)

    def check(self, column: Column) -> None:
        """Refuse a column that does not hold what the coding was made of.

        Raises
        ------
        InputError
        """
        kind = kind_of(column)
        as_number = self.kind in ("number", "integer")
        accepted = ("number", "integer", "boolean") if as_number else (self.kind,)
        if kind not in accepted and not is_missing(column).all():
            wanted = "numbers" if as_number else f"{self.kind}s"
            raise InputError(
                f"column {column.name!r} holds {_KIND_WORDS[kind]}, where {wanted} are coded. "
                f"Convert it to {wanted}."
            )
        if kind == "date" and has_time_zone(column) != units.has_time_zone(self.unit):
            raise InputError(
                f"column {column.name!r} has {_zone_word(has_time_zone(column))} time zone, and "
                f"the coding was made from times with {_zone_word(not has_time_zone(column))}. "
                "Convert one of them."
            )

    def label(self, code: int) -> str:
        """The value of a code, or its range, in digits that reproduce the comparison.

        Examples
        --------
        >>> coding = NumericCoding(
        ...     edges=np.float32([0.1, 2.5]), exact=False, values=None, kind="number"
        ... )
        >>> [coding.label(code) for code in range(coding.n_codes)]
        ['<= 0.1', '(0.1, 2.5]', '> 2.5', '(missing)']
        """
        _check_code(code, self.n_codes)
        if code == self.missing_code:
            return MISSING_TEXT
        if self.exact and self.values is not None:
            return self._text(self.values[code])
        if not len(self.edges):
            return "(any)"
        if code == 0:
            return f"<= {self._text(self.edges[0])}"
        if code == len(self.edges):
            return f"> {self._text(self.edges[-1])}"
        return f"({self._text(self.edges[code - 1])}, {self._text(self.edges[code])}]"

    def _text(self, number: Any) -> str:
        if self.unit is not None:
            return units.time_text(float(number), self.unit)
        return str(number).removesuffix(".0")

    def to_dict(self) -> dict[str, Any]:
        """As strict JSON; `from_dict` gives back the same coding."""
        return {
            "type": "numeric",
            "kind": self.kind,
            "unit": self.unit,
            "exact": self.exact,
            "edges": [float(edge) for edge in self.edges],
            "values": None
            if self.values is None
            else [level_to_json(float(v)) for v in self.values],
            "admits_missing": self.admits_missing,
        }

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> NumericCoding:
        """The coding that `to_dict` wrote."""
        values = data["values"]
        return NumericCoding(
            edges=np.array(data["edges"], dtype=np.float32),
            exact=data["exact"],
            values=None if values is None else np.array([level_from_json(v) for v in values]),
            kind=data["kind"],
            unit=data["unit"],
            admits_missing=data["admits_missing"],
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumericCoding) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.kind, self.unit, self.edges.tobytes()))


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryCoding:
    """Levels by their place in the natural order: declared, numeric, or by code point.

    `levels` are distinct and were all seen, except that a boolean feature has both.
    """

    levels: tuple[object, ...]  # as the user gave them, Python scalars
    kind: str = "category"  # "category" | "ordered" | "boolean"
    declared_unused: tuple[object, ...] = ()  # categories of the dtype that no row has
    bins: Bins | None = None  # levels are ranges of a number
    admits_missing: bool = False
    texts: tuple[str, ...] = field(init=False, repr=False, compare=False)  # a label for each level

    def __post_init__(self) -> None:
        object.__setattr__(self, "texts", level_texts(self.levels))

    @property
    def n_values(self) -> int:
        """Codes of levels; missing not counted."""
        return len(self.levels)

    @property
    def missing_code(self) -> int:
        """The code of a missing value."""
        return self.n_values

    @property
    def n_codes(self) -> int:
        """Codes of levels and the one for missing."""
        return self.n_values + 1

    @property
    def dtype(self) -> np.dtype:
        """uint8 if the codes fit, else uint16."""
        return code_dtype(self.n_codes)

    def encode(
        self, column: object, *, unseen: Literal["error", "missing"] = "error"
    ) -> np.ndarray:
        """Codes of a column.

        Parameters
        ----------
        column : Series, array or list, shape (n_rows,)
        unseen : {"error", "missing"}
            What a value is that is none of the levels.

        Returns
        -------
        ndarray of uint8 or uint16, shape (n_rows,)

        Raises
        ------
        InputError
            If a value is none of the levels and `unseen` is ``"error"``.

        Examples
        --------
        >>> CategoryCoding(levels=("f", "m")).encode(["m", None, "f"])
        array([1, 2, 0], dtype=uint8)
        """
        return self.encode_column(_one(column), unseen=unseen)

    def encode_column(
        self, column: Column, *, unseen: Literal["error", "missing"] = "error"
    ) -> np.ndarray:
        """As `encode`, of a column that has been through the door."""
        where, levels = self._placed(column)
        known = {level: code for code, level in enumerate(self.levels)}
        lookup = np.array([known.get(level, -1) for level in levels] + [self.missing_code])
        codes = lookup[where]
        if (codes < 0).any():
            if unseen == "error":
                raise self._unseen(column.name, codes, where, levels)
            codes[codes < 0] = self.missing_code
        return codes.astype(self.dtype)

    def _placed(self, column: Column) -> tuple[np.ndarray, tuple[Any, ...]]:
        """Where each row's level is among the column's own levels, -1 for missing; those levels."""
        if self.bins is None:
            found = distinct(column)
            return found.codes, found.levels
        if kind_of(column) not in ("number", "integer") and not is_missing(column).all():
            raise InputError(f"column {column.name!r} is coded by ranges and must hold numbers.")
        return self.bins.place(floats(column)), self.bins.labels

    def _unseen(
        self, name: Hashable, codes: np.ndarray, where: np.ndarray, levels: tuple[Any, ...]
    ) -> InputError:
        row = int(np.argmax(codes < 0))
        return InputError(
            f"column {name!r} has {levels[where[row]]!r} at row {row}, which is none of its "
            f"levels {listed(self.levels)}. Correct it, or pass unseen='missing'."
        )

    def label(self, code: int) -> str:
        """The text of a code's level.

        Examples
        --------
        >>> coding = CategoryCoding(levels=("f", "m"))
        >>> [coding.label(code) for code in range(coding.n_codes)]
        ['f', 'm', '(missing)']
        """
        _check_code(code, self.n_codes)
        return MISSING_TEXT if code == self.missing_code else self.texts[code]

    def to_dict(self) -> dict[str, Any]:
        """As strict JSON; `from_dict` gives back the same coding."""
        bins = self.bins
        return {
            "type": "category",
            "kind": self.kind,
            "levels": [level_to_json(level) for level in self.levels],
            "declared_unused": [level_to_json(level) for level in self.declared_unused],
            "bins": None if bins is None else {"edges": list(bins.edges), "whole": bins.whole},
            "admits_missing": self.admits_missing,
        }

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> CategoryCoding:
        """The coding that `to_dict` wrote."""
        bins = data["bins"]
        return CategoryCoding(
            levels=tuple(level_from_json(level) for level in data["levels"]),
            kind=data["kind"],
            declared_unused=tuple(level_from_json(level) for level in data["declared_unused"]),
            bins=None if bins is None else Bins(edges=tuple(bins["edges"]), whole=bins["whole"]),
            admits_missing=data["admits_missing"],
        )


Coding = NumericCoding | CategoryCoding


def coding_from_dict(data: Mapping[str, Any]) -> Coding:
    """The coding that ``to_dict`` wrote.

    Raises
    ------
    InputError
        If `data` is of no type of coding.

    Examples
    --------
    >>> coding = CategoryCoding(levels=("f", "m"))
    >>> coding_from_dict(coding.to_dict()) == coding
    True
    """
    if data.get("type") == "numeric":
        return NumericCoding.from_dict(data)
    if data.get("type") == "category":
        return CategoryCoding.from_dict(data)
    raise InputError(f"A coding's type is 'numeric' or 'category', not {data.get('type')!r}.")


_KIND_WORDS = {
    "number": "numbers",
    "integer": "numbers",
    "boolean": "truth values",
    "date": "dates",
    "duration": "durations",
    "category": "texts or categories",
}


def _zone_word(has: bool) -> str:
    return "a" if has else "no"


def _check_code(code: int, n_codes: int) -> None:
    if not 0 <= code < n_codes:
        raise InputError(f"{code} is not a code: they go from 0 to {n_codes - 1}.")


def _one(column: object) -> Column:
    return (
        column
        if isinstance(column, Column)
        else read_column(column, what="column", default_name="column")
    )
