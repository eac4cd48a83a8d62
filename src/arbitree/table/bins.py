"""Ranges of a number that the user names, such as age bands."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from arbitree._errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Bins:
    """Where the ranges of a number begin; a value at an edge belongs to the range above."""

    edges: tuple[float, ...]  # increasing
    whole: bool  # all values are whole numbers, so that a range can be written '25-39'

    @property
    def labels(self) -> tuple[str, ...]:
        """A text for each of the ``len(edges) + 1`` ranges.

        Examples
        --------
        >>> Bins(edges=(25, 40), whole=True).labels
        ('< 25', '25-39', '>= 40')
        >>> Bins(edges=(0.5, 1), whole=False).labels
        ('< 0.5', '[0.5, 1)', '>= 1')
        """
        inner = [self._label(low, high) for low, high in pairwise(self.edges)]
        return (f"< {_text(self.edges[0])}", *inner, f">= {_text(self.edges[-1])}")

    def _label(self, low: float, high: float) -> str:
        if not self.whole or not all(isinstance(edge, int) for edge in self.edges):
            return f"[{_text(low)}, {_text(high)})"
        last = high - 1
        if low == last:
            return _text(low)
        return f"{_text(low)}{' to ' if low < 0 else '-'}{_text(last)}"

    def place(self, values: np.ndarray) -> np.ndarray:
        """The range of each number, -1 for NaN.  (n,) float64 -> (n,) int64"""
        return np.where(np.isnan(values), -1, np.searchsorted(self.edges, values, side="right"))


def check_bins(name: Hashable, edges: Sequence[float]) -> tuple[float, ...]:
    """The edges of `bins` for column `name`.

    Raises
    ------
    InputError
        Unless they are increasing finite numbers, at least one.

    Examples
    --------
    >>> check_bins("age", [25, 40.0, 65])
    (25, 40, 65)
    """
    try:
        numbers = [float(edge) for edge in edges]
    except (OverflowError, TypeError, ValueError):
        numbers = []
    increasing = all(low < high for low, high in pairwise(numbers))
    if not numbers or not increasing or not all(map(math.isfinite, numbers)):
        raise InputError(
            f"bins of column {name!r} are {edges!r}. "
            f"Pass increasing finite numbers, such as bins={{{name!r}: [25, 40, 65]}}."
        )
    return tuple(int(number) if number.is_integer() else number for number in numbers)


def _text(number: float) -> str:
    return str(int(number)) if float(number).is_integer() else repr(number)
