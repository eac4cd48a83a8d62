"""Whether 32 bits tell the numbers of a column apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

STEPS = 256  # fewer float32 steps from the lowest to the highest number say too little
SMALLEST = 1e-37  # float32 holds smaller numbers with few digits or none
EPSILON = float(np.finfo(np.float32).eps)


@dataclass(slots=True)
class Precision:
    """Of the finite numbers seen: their range, and whether float32 holds all of them exactly."""

    lowest: float = np.inf
    highest: float = -np.inf
    exact: bool = True

    def add(self, wide: np.ndarray, narrow: np.ndarray) -> None:
        """Look at numbers, (n,) float64, and what they are as float32."""
        if wide.dtype == np.float32:
            return  # nothing is rounded
        finite = wide[np.isfinite(wide)]
        if not len(finite):
            return
        self.lowest = min(self.lowest, float(finite.min()))
        self.highest = max(self.highest, float(finite.max()))
        self.exact = self.exact and np.array_equal(wide, narrow, equal_nan=True)

    def merge(self, other: Precision) -> None:
        """Take in what another has seen."""
        self.lowest = min(self.lowest, other.lowest)
        self.highest = max(self.highest, other.highest)
        self.exact = self.exact and other.exact

    @property
    def squeezed(self) -> bool:
        """Whether different numbers lie so near to each other that they become a few.

        Examples
        --------
        >>> seen = Precision()
        >>> near = np.array([1e9 + 0.5, 1e9 + 2.5])
        >>> seen.add(near, near.astype(np.float32))
        >>> seen.squeezed
        True
        """
        if self.exact or not self.lowest < self.highest:
            return False
        largest = max(abs(self.lowest), abs(self.highest))
        across = self.highest / largest - self.lowest / largest
        return largest < SMALLEST or across < STEPS * EPSILON
