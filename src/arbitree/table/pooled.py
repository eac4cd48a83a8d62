"""Small groups as one, so that every group that is compared has rows enough to say something."""

from __future__ import annotations

import numpy as np

from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import CategoryCoding

POOL = "(smaller groups)"


def pooled(column: CodedColumn, least_share: float) -> tuple[CodedColumn, tuple[str, ...]]:
    """A column of groups whose smallest ones are one, of at least a share of the rows.

    Parameters
    ----------
    column : CodedColumn
        Of categories.
    least_share : float
        Of the rows whose group is known.

    Returns
    -------
    column : CodedColumn
        The one given where no group is smaller, or where fewer than two would be left.
    names : tuple of str
        The groups that are one now, the smallest first.

    Examples
    --------
    >>> coding = CategoryCoding(levels=("a", "b", "c"))
    >>> groups = CodedColumn(name="g", coding=coding, codes=np.uint8([0] * 9 + [1, 2]))
    >>> found, names = pooled(groups, 0.1)
    >>> found.coding.levels, names
    (('a', '(smaller groups)'), ('b', 'c'))
    """
    coding = column.coding
    if not isinstance(coding, CategoryCoding):
        return column, ()
    counts = np.bincount(column.codes, minlength=coding.n_codes)[: coding.n_values]
    order = np.argsort(counts, kind="stable")
    least = least_share * counts.sum()
    if coding.n_values < 3 or counts[order[0]] >= least:
        return column, ()
    n_pooled = 2 + int(np.searchsorted(np.cumsum(counts[order])[1:], least))
    if n_pooled >= coding.n_values:
        return column, ()
    small = order[:n_pooled]
    kept = [at for at in range(coding.n_values) if at not in set(small.tolist())]
    place = np.full(coding.n_codes, len(kept), dtype=np.int64)  # of the pool
    place[kept] = np.arange(len(kept))
    place[coding.missing_code] = len(kept) + 1
    levels = (*(coding.levels[at] for at in kept), POOL)
    merged = CategoryCoding(levels=levels, admits_missing=coding.admits_missing)
    codes = place[column.codes].astype(merged.dtype)
    names = tuple(coding.label(int(at)) for at in small)
    return CodedColumn(name=column.name, coding=merged, codes=codes), names
