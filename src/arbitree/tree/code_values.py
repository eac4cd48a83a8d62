"""What number each code of a feature stands for, as far as its coding tells."""

from __future__ import annotations

import numpy as np

from arbitree.table.codings import NumericCoding


def code_values(coding: NumericCoding) -> np.ndarray:
    """The value of each code, or the middle of its range.

    Returns
    -------
    ndarray of float64, shape (n_values,)

    Examples
    --------
    >>> edges = np.float32([1, 2])
    >>> code_values(NumericCoding(edges=edges, exact=False, values=None, kind="number")).tolist()
    [1.0, 1.5, 2.0]
    """
    if coding.exact and coding.values is not None:
        largest = np.finfo(np.float32).max
        return np.clip(coding.values, -largest, largest).astype(np.float64)
    edges = coding.edges.astype(np.float64)
    bounds = np.concatenate([edges[:1], edges, edges[-1:]])
    return (bounds[:-1] + bounds[1:]) / 2 if len(bounds) else np.zeros(1)
