"""Edges between bins of numbers: exact quantiles from counts that add up.

A float32 is turned into a uint32 key with the same order. Keys are counted, the counts of any two
batches add up, and edges are read from the counts: so they depend on which values there are and
on nothing else, neither on the order of rows nor on how these came in batches.

Beyond a number of distinct keys, only the high 20 bits are counted (2**20 buckets), and a second
look at the data counts the low 12 bits in those buckets where an edge will be.
"""

from __future__ import annotations

import numpy as np

DISTINCT_LIMIT = 65_536  # distinct keys that are counted one by one
_LOW_BITS = 12  # 20 + 12: both passes need counters of about the same size (4 to 12 MB)
_N_BUCKETS = 1 << (32 - _LOW_BITS)
_SIGN = np.uint32(1 << 31)
_FEW_ROWS = 1 << 16  # searched one by one; for more, a table of all buckets is worth making
_LARGEST = np.finfo(np.float32).max
_LOWEST_KEY = np.uint32(
    0x00800000
)  # of the lowest finite float32: no finite edge parts it from -inf


def to_float32(values: np.ndarray) -> tuple[np.ndarray, int]:
    """Numbers rounded to float32, and how many finite ones became infinite.

    Examples
    --------
    >>> to_float32(np.array([0.1, 1e300, np.inf]))
    (array([0.1, inf, inf], dtype=float32), 1)
    """
    if values.dtype == np.float32:
        return values, 0
    with np.errstate(over="ignore", under="ignore"):
        narrow = values.astype(np.float64, copy=False).astype(np.float32)
    infinite = np.isinf(narrow)
    n_beyond = int(np.isfinite(values[infinite]).sum()) if infinite.any() else 0
    return narrow, n_beyond


def to_keys(values: np.ndarray) -> np.ndarray:
    """Keys in the order of float32 numbers without NaN.  (n,) -> (n,) uint32

    -0.0 and 0.0 share a key, as do -inf and the lowest finite number: no finite edge parts them.

    Examples
    --------
    >>> keys = to_keys(np.array([-np.inf, -1, -0.0, 0, 1e-45, np.inf], np.float32))
    >>> np.diff(keys.astype(np.int64)) > 0
    array([ True,  True, False,  True,  True])
    """
    bits = (values + np.float32(0)).view(np.uint32)
    flip = (bits.view(np.int32) >> 31).view(np.uint32)  # all ones where negative
    flip |= _SIGN
    bits ^= flip
    return np.maximum(bits, _LOWEST_KEY, out=bits)


def from_keys(keys: np.ndarray) -> np.ndarray:
    """The float32 numbers that have these keys."""
    flip = ~(keys.view(np.int32) >> 31).view(np.uint32) | _SIGN
    return (keys ^ flip).view(np.float32)


def between(lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Finite edges with lower <= edge < upper, for float32 lower < upper: the middle, if it can be.

    Examples
    --------
    >>> between(np.float32([1, 1]), np.float32([2, 1.0000001])).tolist()
    [1.5, 1.0]
    """
    low = np.maximum(lower, -_LARGEST).astype(np.float64)
    high = np.minimum(upper, _LARGEST).astype(np.float64)
    middle = ((low + high) / 2).astype(np.float32)
    return np.where(middle < upper, middle, low.astype(np.float32))


def cuts(cumulative: np.ndarray, n_bins: int) -> np.ndarray:
    """Where to cut distinct values so that bins hold as equal numbers of rows as they can.

    Cut k of n_bins - 1 is the boundary whose number of rows below is nearest to k * n / n_bins,
    the lower of two equally near; so a value with many rows gets a bin of its own.

    Parameters
    ----------
    cumulative : ndarray of int64 or float64, shape (n_distinct,)
        Rows at or below each distinct value, or their weight.
    n_bins : int

    Returns
    -------
    ndarray of int64
        Increasing; a cut i is between the values i and i + 1.

    Examples
    --------
    >>> cuts(np.array([10, 20, 90, 95, 100]), 3)
    array([1, 2])
    """
    targets = np.arange(1, n_bins, dtype=np.int64) * cumulative[-1]
    scaled = cumulative * n_bins
    above = np.searchsorted(scaled, targets)
    below = np.maximum(above - 1, 0)
    nearer_below = targets - scaled[below] <= scaled[above] - targets
    chosen = np.where(nearer_below & (above > 0), below, above)  # never decreases
    chosen = chosen[np.append(True, chosen[1:] != chosen[:-1])[: len(chosen)]]
    return chosen[chosen < len(cumulative) - 1]


def has_more_than(limit: int, keys: np.ndarray) -> bool:
    """Whether the first ``2 * limit`` keys show that there are more than `limit` distinct ones.

    Examples
    --------
    >>> has_more_than(2, np.array([1, 2, 3, 4, 5])), has_more_than(2, np.array([1, 1, 1, 1, 2]))
    (True, False)
    """
    if len(keys) <= limit:
        return False
    first = np.sort(keys[: 2 * limit])
    return 1 + int(np.count_nonzero(first[1:] != first[:-1])) > limit


class KeyCounts:
    """How many rows have each key: one by one, or by high bits once there are many keys.

    Counts of batches, files or machines add up in any order to the same result.

    Parameters
    ----------
    limit : int
        Distinct keys that are counted one by one.

    Examples
    --------
    >>> counts = KeyCounts()
    >>> counts.add(to_keys(np.float32([3, 1, 3])))
    >>> counts.edges(max_bins=255)
    array([2.], dtype=float32)
    """

    def __init__(self, *, limit: int = DISTINCT_LIMIT) -> None:
        self.limit = limit
        self.n = 0
        self.keys = np.empty(0, dtype=np.uint32)  # increasing
        self.counts = np.empty(0, dtype=np.int64)
        self.buckets: np.ndarray | None = None  # (2**20,) rows by high bits

    @property
    def exact(self) -> bool:
        """Whether every distinct key is known."""
        return self.buckets is None

    def add(self, keys: np.ndarray, counts: np.ndarray | None = None) -> None:
        """Count the rows of a batch: keys (n,) uint32, counts (n,) int64 or one each."""
        self.n += len(keys) if counts is None else int(counts.sum())
        if self.buckets is None and counts is None and has_more_than(self.limit, keys):
            self._to_buckets()
        if self.buckets is None:
            self._add_exactly(keys, counts)
        else:
            self._add_to_buckets(self.buckets, keys, counts)

    def merge(self, other: KeyCounts) -> None:
        """Add the counts of `other`, made with the same limit."""
        if other.buckets is None:
            self.add(other.keys, other.counts)
            return
        self._to_buckets()
        assert self.buckets is not None
        self.buckets += other.buckets
        self.n += other.n

    def _add_exactly(self, keys: np.ndarray, counts: np.ndarray | None) -> None:
        if counts is None:
            counts = np.ones(len(keys), dtype=np.int64)
        keys = np.concatenate([self.keys, keys])
        counts = np.concatenate([self.counts, counts])
        if (keys[1:] < keys[:-1]).any():
            order = np.argsort(keys)
            keys, counts = keys[order], counts[order]
        starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
        self.keys = keys[starts]
        self.counts = np.add.reduceat(counts, starts) if len(starts) else counts
        if len(self.keys) > self.limit:
            self._to_buckets()

    def _to_buckets(self) -> None:
        if self.buckets is None:
            self.buckets = np.zeros(_N_BUCKETS, dtype=np.int64)
            self._add_to_buckets(self.buckets, self.keys, self.counts)
            self.keys, self.counts = self.keys[:0], self.counts[:0]

    @staticmethod
    def _add_to_buckets(buckets: np.ndarray, keys: np.ndarray, counts: np.ndarray | None) -> None:
        np.add.at(buckets, keys >> np.uint32(_LOW_BITS), 1 if counts is None else counts)

    def edges(self, *, max_bins: int) -> np.ndarray:
        """Edges of at most `max_bins` bins, (n_bins - 1,) float32; needs exact counts."""
        if not self.exact:
            raise ValueError("Edges of many distinct values need refinement(max_bins=...).")
        if len(self.keys) <= max_bins:
            return between(from_keys(self.keys[:-1]), from_keys(self.keys[1:]))
        return quantile_edges(self.keys, self.counts, max_bins)

    def refinement(self, *, max_bins: int) -> Refinement:
        """What to count in a second pass over the same rows."""
        if self.buckets is None:
            raise ValueError("Exact counts need no refinement. Call edges(max_bins=...).")
        if max_bins > self.limit:
            raise ValueError(
                f"max_bins={max_bins} needs a limit of at least as many distinct keys."
            )
        return Refinement(self.buckets, max_bins=max_bins)


class Refinement:
    """Counts of the low bits of keys, in buckets that an edge is in or next to.

    Parameters
    ----------
    buckets : ndarray of int64, shape (2**20,)
        Rows by the high bits of their key.
    max_bins : int
    """

    def __init__(self, buckets: np.ndarray, *, max_bins: int) -> None:
        self.max_bins = max_bins
        self.occupied = np.flatnonzero(buckets != 0)
        self.totals = buckets[self.occupied]
        self.wanted = self._wanted()  # positions in `occupied`
        few = len(self.wanted) < 1 << 15
        self.row = np.full(_N_BUCKETS, -1, np.int16 if few else np.int32)  # of a bucket in `low`
        self.row[self.occupied[self.wanted]] = np.arange(len(self.wanted))
        most = self.totals.max()  # rows of a bucket, hence of each of its keys
        kind = np.uint16 if most < 1 << 16 else np.uint32 if most < 1 << 32 else np.int64
        self.low = np.zeros((len(self.wanted), 1 << _LOW_BITS), kind)

    def _wanted(self) -> np.ndarray:
        """Buckets with a quantile in them, and their neighbours, where the next value may be."""
        cumulative = np.cumsum(self.totals)
        targets = np.arange(1, self.max_bins, dtype=np.int64) * cumulative[-1]
        at = np.searchsorted(cumulative * self.max_bins, targets)
        near = np.unique(np.concatenate([at - 1, at, at + 1]))
        return near[(near >= 0) & (near < len(self.totals))]

    def add(self, keys: np.ndarray) -> None:
        """Count the rows of a batch: keys (n,) uint32."""
        row = self.row[keys >> np.uint32(_LOW_BITS)]
        here = np.flatnonzero(row >= 0)
        low = (keys[here] & np.uint32((1 << _LOW_BITS) - 1)).astype(np.intp)
        cell = (row[here].astype(np.intp) << _LOW_BITS) | low
        np.add.at(self.low.reshape(-1), cell, self.low.dtype.type(1))

    def merge(self, other: Refinement) -> None:
        """Add the counts of `other`, a refinement of the same counts."""
        self.low += other.low

    def edges(self) -> np.ndarray:
        """Edges of at most `max_bins` bins, (n_bins - 1,) float32, as from exact counts."""
        low = self.low.reshape(-1)
        cell = np.flatnonzero(low != 0)
        known = (self.occupied[self.wanted[cell >> _LOW_BITS]] << _LOW_BITS) | (
            cell & ((1 << _LOW_BITS) - 1)
        )
        other = np.delete(np.arange(len(self.occupied)), self.wanted)
        keys = np.concatenate([known, self.occupied[other] << _LOW_BITS]).astype(np.uint32)
        counts = np.concatenate([low[cell].astype(np.int64), self.totals[other]])
        order = np.argsort(keys)
        return quantile_edges(keys[order], counts[order], self.max_bins)


def quantile_edges(keys: np.ndarray, counts: np.ndarray, max_bins: int) -> np.ndarray:
    """Edges from more than `max_bins` distinct keys, increasing, and their counts or weights."""
    at = cuts(np.cumsum(counts), max_bins)
    values = from_keys(keys)
    return between(values[at], values[at + 1])


def bin_codes(values: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Number of edges below each value; a missing one, NaN, gets len(edges) + 1.

    Parameters
    ----------
    values : ndarray of float32, shape (n,)
    edges : ndarray of float32, shape (n_bins - 1,)
        Strictly increasing and finite.

    Returns
    -------
    ndarray of uint8 or uint16, shape (n,)

    Examples
    --------
    >>> bin_codes(np.float32([1, 1.5, 2, np.nan]), np.float32([1.5]))
    array([0, 0, 1, 2], dtype=uint8)
    """
    missing_code = len(edges) + 1
    dtype = code_dtype(missing_code + 1)
    if len(values) < _FEW_ROWS or len(edges) < 4:
        codes = np.searchsorted(edges, values).astype(dtype)
    else:
        codes = _looked_up(values, edges, dtype)
    codes[np.isnan(values)] = missing_code
    return codes


def _looked_up(values: np.ndarray, edges: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """As np.searchsorted, by a table over the high bits of keys.

    Only values in a bucket that has an edge are searched: a seventh of the time on a million
    random values and 254 edges (benchmarks/coding.py).
    """
    bucket = to_keys(edges) >> np.uint32(_LOW_BITS)
    stops = np.concatenate([[0], bucket, [_N_BUCKETS]]).astype(np.int64)
    table = np.repeat(np.arange(len(edges) + 1, dtype=dtype), np.diff(stops))
    search = len(edges) + 1
    table[bucket] = search
    codes = table[to_keys(values) >> np.uint32(_LOW_BITS)]
    unsure = np.flatnonzero(codes == search)
    codes[unsure] = np.searchsorted(edges, values[unsure])
    return codes


def code_dtype(n_codes: int) -> np.dtype:
    """The smallest unsigned integers for codes below `n_codes`.

    Examples
    --------
    >>> code_dtype(256), code_dtype(257)
    (dtype('uint8'), dtype('uint16'))
    """
    return np.min_scalar_type(max(n_codes - 1, 0))
