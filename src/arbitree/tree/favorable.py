"""Which classes are favourable: one, by its position, or several that are folded into one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Favorable = int | tuple[int, ...]  # positions among the classes
ASSUMED = " (assumed: the second class)"


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


def say_themselves(labels: Sequence[object]) -> bool:
    """Whether labels are 0/1, -1/1 or booleans, of which it is plain which one is favourable.

    Examples
    --------
    >>> say_themselves([False, True]), say_themselves(["no", "yes"])
    (True, False)
    """
    return set(labels) <= {0, 1} or set(labels) <= {-1, 1}


def favorable_words(model: Any) -> str:
    """What a fitted tree takes for favourable, and whether anybody said so.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> favorable_words(SimpleNamespace(favorable_label_="yes", favorable_assumed_=True))
    "favourable: 'yes' (assumed: the second class)"
    """
    label = model.favorable_label_
    plain = label.item() if isinstance(label, np.generic) else label
    return f"favourable: {plain!r}{ASSUMED if model.favorable_assumed_ else ''}"
