"""Confidence interval for a balanced accuracy: the mean of two independent rates."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from arbitree.groups.intervals import Limits, counts, estimates, normal_quantile


def balanced_accuracy_interval(
    k_pos: ArrayLike,
    n_pos: ArrayLike,
    k_neg: ArrayLike,
    n_neg: ArrayLike,
    confidence: float = 0.95,
) -> Limits:
    """MOVER interval for (true positive rate + true negative rate) / 2.

    Parameters
    ----------
    k_pos, n_pos : array_like of one broadcast shape
        Rows with a positive label: those decided positively, and all.
    k_neg, n_neg : array_like of one broadcast shape
        Rows with a negative label: those decided negatively, and all.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    low, high : ndarray of that shape
        Contain the mean of the two rates and lie in [0, 1]; NaN where n_pos or n_neg is 0.

    Raises
    ------
    InputError
        If some k is not between 0 and its n, or `confidence` not between 0 and 1.

    References
    ----------
    Zou and Donner (2008), Statistics in Medicine 27:1693: the limits of a sum of two parameters
    from the limits of each, here Wilson's.

    Examples
    --------
    >>> low, high = balanced_accuracy_interval(80, 100, 45, 50)
    >>> float(low.round(3)), float(high.round(3))
    (0.778, 0.894)
    """
    z = normal_quantile(confidence)
    positive, negative = estimates(*counts(k_pos, n_pos), z), estimates(*counts(k_neg, n_neg), z)
    middle = (positive.p + negative.p) / 2
    below = np.hypot(positive.p - positive.low, negative.p - negative.low)
    above = np.hypot(positive.high - positive.p, negative.high - negative.p)
    return middle - below / 2, middle + above / 2
