"""Numbers that 32 bits cannot tell apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arbitree.table.frames import Column
from arbitree.table.measures import floats, kind_of

STEPS = 256  # fewer float32 steps from the smallest to the largest number say too little
WHOLE = 2.0**24  # whole numbers up to it are exact
SMALLEST = 1e-37
EPSILON = float(np.finfo(np.float32).eps)


def squeezed(columns: Sequence[Column]) -> list[str]:
    """Sentences on columns whose numbers lie so near to each other that they are coded as few.

    Examples
    --------
    >>> from arbitree.table.frames import columns
    >>> near = columns({"t": [1e9 + 0.5, 1e9 + 2.5]}, what="X", default_name="x")
    >>> squeezed(near)[0][:40]
    "The numbers of 't' lie so near to each o"
    """
    return [
        f"The numbers of {str(column.name)!r} lie so near to each other, in 32 bits, that they "
        "count as a few. Subtract their smallest, or rescale them."
        for column in columns
        if kind_of(column) in ("number", "integer") and _is_squeezed(floats(column))
    ]


def _is_squeezed(values: np.ndarray) -> bool:
    values = values[np.isfinite(values)]
    if not len(values) or values.min() == values.max():
        return False
    largest = float(np.abs(values).max())
    if largest < SMALLEST:
        return True
    exact = largest <= WHOLE and bool((values == np.floor(values)).all())
    across = float(values.max() / largest - values.min() / largest)
    return not exact and across < STEPS * EPSILON
