"""Labels along an axis of values: ranges of numbers lose figures, other long texts their middle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from .plot_names import columns, distinct_names

MOST_FIGURES, LEAST_FIGURES = 4, 2
_NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
RANGE = re.compile(
    rf"{_NUMBER} to {_NUMBER}|[(\[]{_NUMBER}, {_NUMBER}[)\]]|(?:<=|>) {_NUMBER}|{_NUMBER}"
)


def tick_texts(texts: Sequence[str], *, width: int) -> list[str]:
    """Texts of about so many columns, each told from the others.

    All ranges of numbers get equally many significant figures, as many as fit.

    >>> tick_texts(["855.59863 to 2654.4026", "187820.34 to 1123296.1"], width=18)
    ['855.6 to 2654', '187800 to 1123000']
    """
    ranges = [text for text in texts if RANGE.fullmatch(text)]
    told = dict(zip(ranges, _rounded(ranges, width)))
    room = max([width, *(columns(text) for text in told.values())])
    return distinct_names([told.get(text, text) for text in texts], width=room)


def _rounded(ranges: Sequence[str], width: int) -> Sequence[str]:
    found = ranges
    for figures in range(MOST_FIGURES, LEAST_FIGURES - 1, -1):
        if all(columns(text) <= width for text in found):
            break
        rounded = partial(_rounded_number, figures=figures)
        found = [re.sub(_NUMBER, rounded, text) for text in ranges]
    return found


def _rounded_number(number: re.Match[str], *, figures: int) -> str:
    rounded = float(f"{float(number[0]):.{figures}g}")
    return f"{rounded:.10g}" if abs(rounded) < 1e9 else f"{rounded:.{figures}g}"
