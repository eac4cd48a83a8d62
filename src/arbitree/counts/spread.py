"""Rows and columns spread over threads, with the same bytes for any number of threads.

Work is cut into lanes before anyone asks how many threads there are, and what the lanes found
is added in the order of the lanes. So a sum of float weights is the same on one core and on sixty.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

import numpy as np

from arbitree.counts.checks import at_least

MAX_LANES = 16
ROWS_A_LANE = 1 << 17  # fewer rows than this take less time than starting a thread

Part = TypeVar("Part")
Found = TypeVar("Found")


def lanes(n_rows: int, *, rows_at_least: int = ROWS_A_LANE) -> list[slice]:
    """Contiguous slices that cover the rows: at most 16, none shorter than `rows_at_least`.

    Their number depends on the rows alone. There is always one, if only an empty one.

    Examples
    --------
    >>> lanes(10, rows_at_least=4)
    [slice(0, 5, None), slice(5, 10, None)]
    """
    n_lanes = max(1, min(MAX_LANES, n_rows // max(1, rows_at_least)))
    bounds = [n_rows * lane // n_lanes for lane in range(n_lanes + 1)]
    return [slice(start, stop) for start, stop in pairwise(bounds)]


def blocks(rows: slice, size: int) -> list[slice]:
    """A slice of rows cut into blocks of at most `size` rows, short enough to stay in cache."""
    return [
        slice(start, min(start + size, rows.stop)) for start in range(rows.start, rows.stop, size)
    ]


def n_workers(n_threads: int | None) -> int:
    """The number of threads asked for; None means every core this process may use."""
    if n_threads is not None:
        return at_least(n_threads, 1, "n_threads")
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(
    work: Callable[[Part], Found], parts: Sequence[Part], n_threads: int | None = None
) -> list[Found]:
    """``[work(part) for part in parts]``, on several threads where that can help."""
    workers = min(n_workers(n_threads), len(parts))
    if workers <= 1:
        return [work(part) for part in parts]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, parts))


def added(tables: Iterable[np.ndarray]) -> np.ndarray:
    """The sum of the tables, from the first to the last. The first is overwritten."""
    first, *others = tables
    for table in others:
        first += table
    return first
