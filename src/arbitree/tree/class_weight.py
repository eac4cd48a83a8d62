"""How much each class counts, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import nearest


def class_weights(
    class_weight: Any, classes: Sequence[object], y: np.ndarray, weights: np.ndarray | None
) -> np.ndarray | None:
    """The weight of each class, None for 1 each.

    Parameters
    ----------
    class_weight : dict, "balanced" or None
        Classes that a dict does not name weigh 1. Balanced classes weigh the same in total, as
        in scikit-learn.
    classes : sequence
    y : ndarray of int, shape (n_rows,)
        Index into classes.
    weights : ndarray of float64, shape (n_rows,), or None
        Of the rows, all positive.

    Raises
    ------
    InputError
        If it is none of these, names no class, or a weight is no positive number.

    Examples
    --------
    >>> y = np.array([0, 0, 0, 1])
    >>> class_weights({"yes": 3}, ["no", "yes"], y, None)
    array([1., 3.])
    >>> class_weights("balanced", ["no", "yes"], y, None).round(2)
    array([0.67, 2.  ])
    """
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced":
        return _balanced(len(classes), y, weights)
    if not isinstance(class_weight, Mapping):
        raise InputError(
            f"class_weight is {class_weight!r}. Pass None, 'balanced' or a dict such as "
            f"{{{classes[0]!r}: 2.0}}."
        )
    _check_named(class_weight, classes)
    for label, weight in class_weight.items():
        _check_weight(label, weight)
    found = np.array([float(class_weight.get(label, 1.0)) for label in classes])
    total = float(len(y) if weights is None else weights.sum())
    if found.max() > np.sqrt(np.finfo(np.float64).max) / total:
        raise InputError(
            "class_weight is too large to compute with. Divide all weights by the same number."
        )
    return found


def _balanced(n_classes: int, y: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Total weight over the number of classes with rows, over the weight of each; 1 of the rest."""
    of_class = np.bincount(y, weights, minlength=n_classes)
    present = of_class > 0
    even = np.count_nonzero(present) * of_class
    return np.divide(of_class.sum(), even, out=np.ones(n_classes), where=present)


def _check_named(class_weight: Mapping[Any, Any], classes: Sequence[object]) -> None:
    """A dict may have classes that y has not, for instance in a fold, if it has all that y has."""
    unknown = [label for label in class_weight if label not in classes]
    if unknown and any(label not in class_weight for label in classes):
        raise InputError(
            f"class_weight names {unknown[0]!r}, which y never is. {nearest(unknown[0], classes)}"
        )


def _check_weight(label: object, weight: object) -> None:
    number = isinstance(weight, int | float | np.integer | np.floating)
    if not number or isinstance(weight, bool) or not 0 < weight < np.inf:  # type: ignore[operator]
        raise InputError(f"class_weight of class {label!r} is {weight!r}. Pass a positive number.")
