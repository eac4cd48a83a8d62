"""Groups of which only probabilities are known: each row counts in each group by its share.

The weighted estimator of Chen, Kallus, Mao, Svacha and Udell ("Fairness under unawareness",
FAT* 2019): the rate of group a is sum_i p_ia d_i / sum_i p_ia. What it tends to misses the group's
rate by minus E[Cov(1(A = a), D | Z)] / P(A = a), with Z what the probabilities were made of: it is
right where, among people of equal probabilities, decisions have nothing to do with the group. The
rate of a group that is treated worse than others among its likes is shown too high, and of one that
is treated better too low.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from arbitree.counts.cells import Cells, count_cells
from arbitree.groups.groupings import Grouping
from arbitree.table.coded import CodedTable
from arbitree.table.labels import Outcome
from arbitree.table.probabilities import NAME, GroupProbabilities


def probable_grouping(found: GroupProbabilities, taken: tuple[str, ...]) -> Grouping:
    """The groups, under a name that no other grouping has."""
    name = NAME
    while name in taken:
        name += " (probable)"
    return Grouping(
        name=name,
        columns=(name,),
        groups=found.groups,
        levels=tuple((group,) for group in found.groups),
        members=np.arange(len(found.groups)),
    )


def probable_cells(
    table: CodedTable, decisions: Outcome, segment: np.ndarray | None, n_segments: int
) -> Cells:
    """Cells by group, each row in each by its share; plain counts where every share is 0 or 1.

    `n` is the number of people to be expected, at least 1 where there is any.
    """
    found = table.probabilities
    assert found is not None
    counted = partial(
        count_cells,
        None,
        len(found.groups),
        decisions=decisions.codes,
        labels=None if table.labels is None else table.labels.codes,
        segment=segment,
        n_segments=n_segments + 1,
        membership=found.shares,
    )
    cells = counted(weights=table.weights)
    if found.certain:
        return Cells(n=cells.n) if table.weights is None else cells
    expected = cells.w if table.weights is None else counted().w
    assert expected is not None
    n = np.where(expected > 0, np.maximum(np.rint(expected), 1), 0).astype(np.int64)
    return Cells(n=n, w=cells.w, w2=cells.w2)


def probable_notices(table: CodedTable, decisions: Outcome) -> tuple[str, ...]:
    """What the numbers of such groups are, which way they err, and the other estimate."""
    found = table.probabilities
    if found is None or found.certain:
        return ()
    return (
        "Groups are known as probabilities: each row counts in each group by its share, and n is "
        "the number of people to be expected. These rates are right where decisions do not differ "
        "by group among people of equal probabilities. If a group is treated worse than others "
        "among such people its rate is shown too high, and if it is treated better, too low "
        "(Chen et al. 2019): a gap between two such groups is shown too small. Intervals do not "
        "cover this error.",
        *_most_likely(found, decisions.codes, table.weights),
    )


def _most_likely(
    found: GroupProbabilities, codes: np.ndarray, weights: np.ndarray | None
) -> tuple[str, ...]:
    """The gap if each row were wholly in its likeliest group, for comparison."""
    rows = found.known & (codes < 2)
    group, w = found.shares.argmax(axis=1)[rows], None if weights is None else weights[rows]
    size = np.bincount(group, w, minlength=len(found.groups))
    hits = np.bincount(
        group, (codes[rows] == 1) * (1.0 if w is None else w), minlength=len(found.groups)
    )
    there = np.flatnonzero(size > 0)
    if len(there) < 2:
        return ()
    rates = hits[there] / size[there]
    high, low = found.groups[there[rates.argmax()]], found.groups[there[rates.argmin()]]
    return (
        f"Counted wholly in its likeliest group instead, the gap in selection rates would be "
        f"{np.ptp(rates):.3f} ({high} over {low}). That estimate errs too, up or down, by how "
        "those are decided whose likeliest group is not theirs; the true gap need not lie between "
        "the two.",
    )
