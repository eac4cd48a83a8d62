"""What every tree learner takes: coded rows, their classes, and whom to compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree.model.tree import Feature
from arbitree.tree.favorable import Favorable
from arbitree.tree.populations import Population


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainingTable:
    """Coded training rows, all arrays in the same order.

    Every row has a positive weight. Whole weights count rows: a row of weight 3 is three rows.
    """

    features: tuple[Feature, ...]
    codes: tuple[np.ndarray, ...]  # of each feature (n,) uint8 or uint16
    y: np.ndarray  # (n,) uint8, uint16 or uint32, index into classes
    classes: tuple[object, ...]
    favorable: Favorable  # index into classes, or several
    weights: np.ndarray | None = None  # (n,) float64; None for 1 each
    class_weight: np.ndarray | None = None  # (n_classes,) float64, times weights; None for 1 each
    values: tuple[np.ndarray | None, ...] | None = None  # of each number (n_values,) float64, what
    # a code stands for; None of a category
    group: np.ndarray | None = None  # (n,) uint8, uint16 or uint32, index into groups
    groups: tuple[str, ...] = ()
    populations: tuple[Population, ...] = ()  # what the parity metric compares

    @property
    def n_rows(self) -> int:
        """Rows, each counted once."""
        return len(self.y)

    @property
    def n_classes(self) -> int:
        """Classes."""
        return len(self.classes)

    @property
    def n_groups(self) -> int:
        """Groups; 1 where none are known."""
        return max(len(self.groups), 1)

    @property
    def counts_rows(self) -> bool:
        """Whether weights are whole, so that a row of weight 3 is three rows."""
        return self.weights is None or bool(np.all(self.weights == np.floor(self.weights)))

    def row_weights(self) -> np.ndarray:
        """Weights of rows, class weights not included, (n,) float64."""
        return np.ones(self.n_rows) if self.weights is None else self.weights

    def price(self) -> np.ndarray:
        """The weight of a class for itself, (n_classes, n_classes) float64."""
        ones = np.ones(self.n_classes) if self.class_weight is None else self.class_weight
        return np.diag(ones)


def take(table: TrainingTable, rows: Sequence[int] | np.ndarray) -> TrainingTable:
    """The table of some rows, for instance of a fold; codings and groups stay as they are."""
    at = np.asarray(rows)
    return TrainingTable(
        features=table.features,
        codes=tuple(codes[at] for codes in table.codes),
        y=table.y[at],
        classes=table.classes,
        favorable=table.favorable,
        weights=None if table.weights is None else table.weights[at],
        class_weight=table.class_weight,
        values=table.values,
        group=None if table.group is None else table.group[at],
        groups=table.groups,
        populations=table.populations,
    )
