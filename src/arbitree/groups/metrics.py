"""What is measured: each rate as two sets of cells, each gap as the rates it compares.

Every rate of a confusion table is a share: of the rows in `trials`, those in `hits`. Rows are
told apart by label and decision, so a rate is a pair of masks over 3 x 3 cells::

                          decision
                  unfavourable  favourable  missing
    label  unfav.      TN           FP         -
           fav.        FN           TP         -
           unknown     -            -          -
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

UNFAVORABLE, FAVORABLE, UNKNOWN = 0, 1, 2
_KNOWN = slice(0, 2)
_ALL = slice(None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rate:
    """A share of rows: `hits` is always a subset of `trials`."""

    name: str
    trials: np.ndarray  # (3, 3) bool over (label, decision)
    hits: np.ndarray  # (3, 3) bool
    without: str  # what a group lacks where the rate cannot be estimated
    needs_labels: bool = True


def _cells(*selected: tuple[int | slice, int | slice]) -> np.ndarray:
    mask = np.zeros((3, 3), dtype=bool)
    for label, decision in selected:
        mask[label, decision] = True
    return mask


SELECTION_RATE = Rate(
    name="selection_rate",
    trials=_cells((_ALL, _KNOWN)),
    hits=_cells((_ALL, FAVORABLE)),
    without="0 rows",
    needs_labels=False,
)
TRUE_POSITIVE_RATE = Rate(
    name="true_positive_rate",
    trials=_cells((FAVORABLE, _KNOWN)),
    hits=_cells((FAVORABLE, FAVORABLE)),
    without="0 favourable labels",
)
FALSE_POSITIVE_RATE = Rate(
    name="false_positive_rate",
    trials=_cells((UNFAVORABLE, _KNOWN)),
    hits=_cells((UNFAVORABLE, FAVORABLE)),
    without="0 unfavourable labels",
)
POSITIVE_PREDICTIVE_VALUE = Rate(
    name="positive_predictive_value",
    trials=_cells((_KNOWN, FAVORABLE)),
    hits=_cells((FAVORABLE, FAVORABLE)),
    without="0 favourable decisions with a label",
)
NEGATIVE_PREDICTIVE_VALUE = Rate(
    name="negative_predictive_value",
    trials=_cells((_KNOWN, UNFAVORABLE)),
    hits=_cells((UNFAVORABLE, UNFAVORABLE)),
    without="0 unfavourable decisions with a label",
)
ACCURACY = Rate(
    name="accuracy",
    trials=_cells((_KNOWN, _KNOWN)),
    hits=_cells((UNFAVORABLE, UNFAVORABLE), (FAVORABLE, FAVORABLE)),
    without="0 rows with a label",
)
BASE_RATE = Rate(
    name="base_rate",
    trials=_cells((_KNOWN, _KNOWN)),
    hits=_cells((FAVORABLE, _KNOWN)),
    without="0 rows with a label",
)

RATES = (
    SELECTION_RATE,
    TRUE_POSITIVE_RATE,
    FALSE_POSITIVE_RATE,
    POSITIVE_PREDICTIVE_VALUE,
    NEGATIVE_PREDICTIVE_VALUE,
    ACCURACY,
    BASE_RATE,
)

#: A gap is the largest difference between two groups in any one of these rates.
GAPS = {
    "statistical_parity": (SELECTION_RATE,),
    "equal_opportunity": (TRUE_POSITIVE_RATE,),
    "predictive_equality": (FALSE_POSITIVE_RATE,),
    "equalized_odds": (TRUE_POSITIVE_RATE, FALSE_POSITIVE_RATE),
    "predictive_parity": (POSITIVE_PREDICTIVE_VALUE,),
    "accuracy_equality": (ACCURACY,),
}
