"""The axes of one group's rows: finer ones for fewer features together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from arbitree.influence.axes import Axis, axis
from arbitree.influence.inputs import Inputs
from arbitree.influence.options import Options
from arbitree.influence.steps import outcome_by_code
from arbitree.influence.subsets import Subset

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
    axes: list[Axis] = []
    place: dict[tuple[int, int], int] = {}
    for order in (1, 2, 3):
        used = sorted({j for features in sets if len(features) == order for j in features})
        for one in axes_of_order(inputs, rows, order, options, finest[order], used, standard):
            single = place.get((1, one.feature))
            if order == 2 and single is not None and one.n_codes == axes[single].n_codes:
                place[order, one.feature] = single
            else:
                place[order, one.feature] = len(axes)
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
    outcome: np.ndarray | None = None,
) -> list[Axis]:
    """An axis of each of these features, for components of so many features.

    With a standardised outcome (of these rows) splines get steps where it jumps.
    """
    intervals = min(options.n_intervals, INTERVALS_OF_TRIPLES if order == 3 else 10**6)
    w = np.ones(len(rows)) if inputs.weights is None else inputs.weights[rows]
    return [
        axis(
            j,
            column.coding,
            np.bincount(column.codes[rows], minlength=column.coding.n_codes),
            n_intervals=intervals,
            most_codes=most_codes,
            knots=options.knots,
            outcome=None
            if outcome is None
            else outcome_by_code(column.codes[rows], column.coding.n_codes, w, outcome),
        )
        for j in features
        for column in (inputs.features[j],)
    ]


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
