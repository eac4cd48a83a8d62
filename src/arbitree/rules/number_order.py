"""The order of float64 numbers: their places in it, and short numbers between two of them."""

from __future__ import annotations

import numpy as np

LARGEST = float(np.finfo(np.float32).max)  # what scikit-learn and rules take for a number


def places(numbers: np.ndarray) -> np.ndarray:
    """The places of numbers among all float64 ones, in order.

    >>> int(np.diff(places(np.array([1.0, np.nextafter(1.0, 2.0)])))[0])
    1
    >>> numbers_at(places(np.array([-2.5, 0.0]))).tolist()
    [-2.5, 0.0]
    """
    bits = np.ascontiguousarray(numbers, np.float64).view(np.int64)
    return np.where(bits < 0, np.int64(-(2**63)) - bits, bits)


def numbers_at(places: np.ndarray) -> np.ndarray:
    """The numbers at places."""
    bits = np.where(places < 0, np.int64(-(2**63)) - places, places)
    return np.ascontiguousarray(bits, np.int64).view(np.float64)


def halfway(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Places between others, without overflow; the lower of two neighbours.

    >>> halfway(np.array([-3, 4]), np.array([4, 5])).tolist()
    [0, 4]
    """
    return np.asarray((low & high) + ((low ^ high) >> 1))


def short_number(low: float, high: float) -> float:
    """A number with ``low < x <= high`` and few digits, next to the finite end.

    >>> short_number(16.5, 17.99), short_number(0.31, 0.34), short_number(-np.inf, -0.5)
    (17, 0.34, -1)
    """
    low, high = max(low, -LARGEST), min(high, LARGEST)
    if high == LARGEST:
        return 0 if low == -LARGEST else _above(low)
    whole = np.floor(high)
    if whole > low:
        return int(whole)
    for digits in range(1, 17):
        with np.errstate(over="ignore"):
            found = float(np.floor(high * 10.0**digits) / 10.0**digits)
        if low < found <= high:
            return found
    return float(high)


def _above(low: float) -> float:
    whole = float(np.floor(low) + 1)
    return int(whole) if low < whole and abs(whole) < 2**53 else float(np.nextafter(low, np.inf))
