"""The axes of one group's rows: finer ones for fewer features together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from arbitree.influence.axes import Axis, axis, steps_of
from arbitree.influence.inputs import Inputs
from arbitree.influence.options import Options
from arbitree.influence.steps import outcome_by_code
from arbitree.influence.subsets import Subset
from arbitree.table.codings import NumericCoding

CODES = (256, 64, 16)  # of an axis in components of order 1, 2 and 3
CELLS_OF_PAIRS = 1 << 16  # few pairs may have finer axes: about as many cells stay in cache
LEAST_CODES = 32
INTERVALS_OF_TRIPLES = 6


def axes_of(
    inputs: Inputs,
    rows: np.ndarray,
    outcome: np.ndarray,
    sets: Sequence[Subset],
    options: Options,
) -> tuple[list[Axis], list[Subset]]:
    """One group's axes, finer ones for fewer features together, and each set as axes.

    A penalty that is given, and not chosen, is for the plain splines of the paper.
    """
    standard = None if options.penalty != "reml" else _standardised(outcome)
    n_pairs = sum(len(features) == 2 for features in sets)
    finest = {1: CODES[0], 2: _codes_of_pairs(n_pairs, len(rows), options), 3: CODES[2]}
    counted: dict[int, _Counted] = {}
    axes: list[Axis] = []
    place: dict[tuple[int, int], int] = {}
    for order in (1, 2, 3):
        for j in sorted({j for features in sets if len(features) == order for j in features}):
            if j not in counted:
                counted[j] = _counted(inputs, rows, j, options, standard)
            one = _axis(inputs, j, counted[j], order, options, finest[order])
            single = place.get((1, j))
            if order == 2 and single is not None and one.n_codes == axes[single].n_codes:
                place[order, j] = single
            else:
                place[order, j] = len(axes)
                axes.append(one)
    return axes, [tuple(place[len(features), j] for j in features) for features in sets]


def _codes_of_pairs(n_pairs: int, n_rows: int, options: Options) -> int:
    finer = [codes for codes in (256, 128) if n_pairs * codes**2 <= CELLS_OF_PAIRS]
    most = max([*finer, CODES[1]])
    if options.penalty != "reml":
        return most
    # a pair with far more cells than there are rows costs time and tells nothing
    return min(most, max(LEAST_CODES, int(2 * np.sqrt(n_rows))))


def axes_of_order(
    inputs: Inputs,
    rows: np.ndarray,
    order: int,
    options: Options,
    most_codes: int,
    features: Iterable[int],
) -> list[Axis]:
    """An axis of each of these features, for components of so many features; without steps."""
    return [
        _axis(inputs, j, _counted(inputs, rows, j, options, None), order, options, most_codes)
        for j in features
    ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Counted:
    """What the axes of one feature need to know of a group's rows, whatever their order."""

    counts: np.ndarray  # (n_codes,) rows
    steps: list[int]


def _counted(
    inputs: Inputs, rows: np.ndarray, j: int, options: Options, outcome: np.ndarray | None
) -> _Counted:
    """With a standardised outcome (of these rows) splines get steps where it jumps."""
    coding = inputs.features[j].coding
    codes = inputs.features[j].codes[rows].astype(np.intp)
    counts = np.bincount(codes, minlength=coding.n_codes)
    steps: list[int] = []
    if outcome is not None and isinstance(coding, NumericCoding):
        w = np.ones(len(rows)) if inputs.weights is None else inputs.weights[rows]
        by_code = outcome_by_code(codes, coding.n_codes, w, outcome)
        steps = steps_of(coding, counts, by_code, _intervals(options, 3), options.knots)
    return _Counted(counts=counts, steps=steps)


def _axis(
    inputs: Inputs, j: int, counted: _Counted, order: int, options: Options, most_codes: int
) -> Axis:
    return axis(
        j,
        inputs.features[j].coding,
        counted.counts,
        n_intervals=_intervals(options, order),
        most_codes=most_codes,
        knots=options.knots,
        steps=counted.steps,
    )


def _intervals(options: Options, order: int) -> int:
    return min(options.n_intervals, INTERVALS_OF_TRIPLES if order == 3 else 10**6)


def _standardised(outcome: np.ndarray) -> np.ndarray | None:
    """None where it does not vary."""
    spread = outcome.std() if len(outcome) else 0.0
    return (outcome - outcome.mean()) / spread if spread > 0 else None


def codes_on(axes: Sequence[Axis], inputs: Inputs, rows: np.ndarray) -> np.ndarray:
    """Codes of rows on each axis.  -> (n_axes, n_rows) uint8"""
    found = np.empty((len(axes), len(rows)), np.uint8)
    for k, one in enumerate(axes):
        found[k] = one.encode(inputs.features[one.feature].codes[rows])
    return found
