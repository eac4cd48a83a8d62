"""How many rows rules are about: exactly where that is feasible, else an estimate that says so."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from arbitree.groups.intervals import clopper_pearson
from arbitree.rules.axes import CategoryAxis, bits
from arbitree.rules.count_exactly import MOST_STATES, Number, Outside, Sizes, TooManyStates, total
from arbitree.rules.on_codes import Membership
from arbitree.rules.space import Box, Masks, Space, remainder

CONFIDENCE = 0.999
_BATCH = 50_000  # rows drawn at a time
_MOST_DRAWN = 1_000_000
_PRECISION = 0.01  # of an estimate, relative


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """A number of rows: ``low <= value <= high``, and of an exact one these are equal.

    An estimate lies within its bounds with probability `CONFIDENCE`.
    """

    value: int | float
    low: int | float
    high: int | float
    status: Literal["exact", "estimated"]


def count_rows(
    space: Space,
    masks: Masks,
    boxes: Sequence[Box],
    *,
    facts: Sequence[Sequence[Box]] = (),
    sizes: Sizes | None = None,
    most_states: int = MOST_STATES,
    random_state: int = 0,
) -> Count:
    """Rows of a box that are in one of some boxes and that facts admit.

    Parameters
    ----------
    space : Space
    masks : tuple of int
        The box; `space.whole` for all rows.
    boxes : sequence of Box
        Of a rule, or of several.
    facts : sequence of sequence of Box
        The boxes of each fact.
    sizes : sequence of sequence of int or float, optional
        What each cell of each axis counts for: by default `cell_sizes`, so that rows are
        combinations of levels. With probabilities the count is a probability.
    most_states : int
        Beyond so many states of the dynamic program the number is estimated.
    random_state : int
        Seed of an estimate.

    Examples
    --------
    >>> from arbitree.rules.ruleset import Rules
    >>> text = "feature cap: {white, yellow}\\nfeature gill: {green, black}\\ngill = green => p"
    >>> bound = Rules.parse(text).bind()
    >>> count_rows(bound.space, bound.space.whole, bound.rules[0].boxes)
    Count(value=2, low=2, high=2, status='exact')
    """
    sizes = cell_sizes(space) if sizes is None else sizes
    try:
        outside = Outside(masks, sizes, most_states=most_states)
        refuted = [space.box(m) for fact in facts for m in remainder(masks, fact)]
        found = outside.count(refuted) - outside.count([*refuted, *boxes])
    except TooManyStates:
        return _estimate(space, masks, boxes, facts, sizes, random_state)
    return Count(value=found, low=found, high=found, status="exact")


def count_by_cell(
    space: Space,
    masks: Masks,
    boxes: Sequence[Box],
    place: int,
    *,
    facts: Sequence[Sequence[Box]] = (),
    sizes: Sizes | None = None,
    most_states: int = MOST_STATES,
) -> list[Count]:
    """As `count_rows`, for each cell of one axis.

    Examples
    --------
    >>> from arbitree.rules.ruleset import Rules
    >>> text = "feature cap: {white, yellow}\\nfeature gill: {green, black}\\ngill = green => p"
    >>> bound = Rules.parse(text).bind()
    >>> found = count_by_cell(bound.space, bound.space.whole, bound.rules[0].boxes, place=0)
    >>> [count.value for count in found]
    [1, 1, 0, 0]
    """
    sizes = cell_sizes(space) if sizes is None else sizes
    unions = [boxes, *facts]
    sets = [box[place] for union in unions for box in union if place in box]
    none = Count(value=0, low=0, high=0, status="exact")
    found = [none] * space.axes[place].n_cells
    for part in _parted(masks[place], sets):
        held = sum(sizes[place][cell] for cell in bits(part))
        if not held:
            continue
        one = [*sizes[:place], [1] * len(sizes[place]), *sizes[place + 1 :]]
        lowest = part & -part
        inside = count_rows(
            space,
            (*masks[:place], lowest, *masks[place + 1 :]),
            boxes,
            facts=facts,
            sizes=one,
            most_states=most_states,
        )
        for cell in bits(part):
            found[cell] = _times(inside, sizes[place][cell])
    return found


def _times(count: Count, size: Number) -> Count:
    return Count(
        value=count.value * size,
        low=count.low * size,
        high=count.high * size,
        status=count.status,
    )


def _parted(whole: int, sets: Sequence[int]) -> list[int]:
    """Cells in groups that no set tells apart."""
    parts = [whole]
    for mask in sets:
        parts = [piece for part in parts for piece in (part & mask, part & ~mask) if piece]
    return parts


def cell_sizes(space: Space) -> list[list[int]]:
    """What cells count for where rows are combinations of values: 1 each, if they can occur.

    Levels that are not listed count for nothing, as nobody knows how many there are.
    """
    found = []
    for axis in space.axes:
        size = [axis.whole >> cell & 1 for cell in range(axis.n_cells)]
        if isinstance(axis, CategoryAxis):
            size[axis.other_cell] = 0
        found.append(size)
    return found


def _estimate(
    space: Space,
    masks: Masks,
    boxes: Sequence[Box],
    facts: Sequence[Sequence[Box]],
    sizes: Sizes,
    seed: int,
) -> Count:
    """Karp and Luby's estimate of a union: draw a box by its size and a row of it, and count the
    row if no earlier box has it. (Karp, Luby, Madras, J. Algorithms 10, 1989, algorithm 1.)

    Rows that facts refute are not counted. The bounds are Clopper and Pearson's.
    """
    met = [tuple(masks[p] & box.get(p, masks[p]) for p in range(len(masks))) for box in boxes]
    weights = [total(one, sizes) for one in met]
    everything = sum(weights)
    if not everything:
        return Count(value=0, low=0, high=0, status="exact")
    chances = np.array([float(Fraction(w) / Fraction(everything)) for w in weights])
    rng = np.random.default_rng(seed)
    n, k = 0, 0
    while n < _MOST_DRAWN:
        drawn = rng.choice(len(boxes), size=_BATCH, p=chances / chances.sum())
        k += _first_hits(space, met, boxes, facts, sizes, drawn, rng)
        n += _BATCH
        low, high = (float(limit[0]) for limit in clopper_pearson([k], [n], CONFIDENCE))
        if k and (high - low) / 2 <= _PRECISION * k / n:
            break
    share = [Fraction(low), Fraction(k, n), Fraction(high)]
    least, value, most = (_scaled(everything, part) for part in share)
    return Count(value=value, low=least, high=most, status="estimated")


def _scaled(everything: int | float, part: Fraction) -> int | float:
    if isinstance(everything, int):
        return round(everything * part)
    return everything * float(part)


def _first_hits(
    space: Space,
    met: Sequence[Masks],
    boxes: Sequence[Box],
    facts: Sequence[Sequence[Box]],
    sizes: Sizes,
    drawn: np.ndarray,
    rng: np.random.Generator,
) -> int:
    """Draw a row of each box in `drawn`; how many are in no earlier box, and can exist."""
    codes = [np.empty(len(drawn), np.intp) for _ in space.axes]
    for i in np.unique(drawn).tolist():
        rows = np.flatnonzero(drawn == i)
        for place, mask in enumerate(met[i]):
            cells = bits(mask)
            size = np.array([float(sizes[place][cell]) for cell in cells])
            codes[place][rows] = rng.choice(cells, size=len(rows), p=size / math.fsum(size))
    rows_in = Membership(space, codes)
    counted = np.ones(len(drawn), bool)
    for i, box in enumerate(boxes):
        counted &= ~(rows_in.in_box(box) & (drawn > i))
    for fact in facts:
        counted &= rows_in.in_one_of(fact)
    return int(np.count_nonzero(counted))
