"""Which classes are favourable: one, by its position, or several that are folded into one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Favorable = int | tuple[int, ...]  # positions among the classes


def positions(favorable: Favorable) -> list[int]:
    """The positions of the favourable classes."""
    return list(favorable) if isinstance(favorable, tuple) else [favorable]


def favorable_mask(favorable: Favorable, n_classes: int) -> np.ndarray:
    """Whether each class is favourable, shape (n_classes,).

    Examples
    --------
    >>> favorable_mask((0, 2), 3)
    array([ True, False,  True])
    """
    found = np.zeros(n_classes, bool)
    found[positions(favorable)] = True
    return found


def labels_of(favorable: Favorable, classes: Sequence[object]) -> object:
    """The favourable label, or the list of them where there are several."""
    labels = [classes[place] for place in positions(favorable)]
    return labels if isinstance(favorable, tuple) else labels[0]
