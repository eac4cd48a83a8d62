"""The compiled loops over rows: arrays in, arrays out, and the only module that imports numba.

Nothing is checked here: whoever calls a kernel has checked that no index leaves its table.
Import this module where a kernel is called, not at the top of a file: numba takes 0.5 s.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit


def compiled(function: Callable[..., None]) -> Any:
    """The function compiled without the interpreter's lock, cached on disk where that can be.

    numba looks for a place beside this file, then in the user's cache folder; where neither can
    be written it refuses, and the kernel is compiled once a process instead.
    """
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:
        return njit(nogil=True)(function)


# Unsigned indices: numba tests a signed one for being negative, which took a third longer (medians
# of 41 turns, 1,000,000 rows x 10 columns: 14.4 against 10.5 ms at 256 bins, 13.0 against 9.6 at
# 16).


@compiled
def add_counts(
    codes: np.ndarray,  # IN   (n,) uint8 | uint16
    inner: np.ndarray,  # IN   (n,) uint32
    stride: int,  # IN
    table: np.ndarray,  # OUT  (size,) int64
) -> None:
    step = np.uintp(stride)
    for i in range(codes.shape[0]):
        table[np.uintp(inner[i]) + np.uintp(codes[i]) * step] += 1


@compiled
def add_weights(
    codes: np.ndarray,  # IN   (n,) uint8 | uint16
    inner: np.ndarray,  # IN   (n,) uint32
    stride: int,  # IN
    weights: np.ndarray,  # IN   (n,) float64
    table: np.ndarray,  # OUT  (size,) float64
) -> None:
    step = np.uintp(stride)
    for i in range(codes.shape[0]):
        table[np.uintp(inner[i]) + np.uintp(codes[i]) * step] += weights[i]
