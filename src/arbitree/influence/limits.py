"""From replicates of a number to an interval around it."""

from __future__ import annotations

import numpy as np


def limits(value: float, drawn: np.ndarray, z: float, least: float) -> tuple[float, float]:
    """An interval from the spread and the skewness of replicates, NaN without any.

    A share is a square: replicates lean to the right, and quantiles follow with the first term
    of Cornish and Fisher (1938). Replicates that hardly vary lean by chance: their lean is no
    larger than they are, and what `least` adds is alike on both sides.

    Examples
    --------
    >>> low, high = limits(0.0, np.array([-1.0, 0.0, 1.0]), 2.0, 0.0)
    >>> low, high
    (-2.0, 2.0)
    """
    if len(drawn) < 2:
        return np.nan, np.nan
    spread = float(np.std(drawn, ddof=1))
    skewness = 0.0
    if spread > 1e-12:
        skewness = float(np.clip(np.mean(((drawn - drawn.mean()) / spread) ** 3), -1, 1))
    lean = skewness * (z**2 - 1) / 6 * spread
    reach = z * float(np.hypot(spread, least))
    return value + lean - reach, value + lean + reach
