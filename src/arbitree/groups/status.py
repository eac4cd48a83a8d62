"""What to think of a number: ok, of a small group, or not estimable and why."""

from __future__ import annotations

import numpy as np

from arbitree.groups.metrics import Rate

OK = "ok"  # can be estimated; says nothing of how large or fair the number is
NOT_ESTIMABLE = "not estimable"


def rate_status(n: int, estimable: bool, rate: Rate, min_group_size: int) -> str:
    """Status of one rate.

    >>> from arbitree.groups.metrics import TRUE_POSITIVE_RATE
    >>> rate_status(0, False, TRUE_POSITIVE_RATE, 30)
    'not estimable: 0 favourable labels'
    >>> rate_status(12, True, TRUE_POSITIVE_RATE, 30)
    'small group: n = 12 < 30'
    """
    if not estimable:
        return f"{NOT_ESTIMABLE}: {rate.without if n == 0 else 'weights sum to 0'}"
    if n < min_group_size:
        return f"small group: n = {n} < {min_group_size}"
    return OK


def compared_status(own: str, reference: str | None, ratio: float, words: str = "ratio") -> str:
    """Status of a rate together with its comparison.

    Parameters
    ----------
    own : str
        Status of the rate.
    reference : str or None
        Status of the reference group's rate, None where there is nobody to compare with.
    ratio : float
        NaN where it cannot be formed.
    words : str
        What the ratio is called.
    """
    if own.startswith(NOT_ESTIMABLE):
        return own
    notes = [] if own == OK else [own]
    if reference is None:
        notes.append(f"comparison {NOT_ESTIMABLE}: nobody is in the reference group")
    elif reference.startswith(NOT_ESTIMABLE):
        notes.append(f"comparison {reference} in the reference group")
    elif np.isnan(ratio):
        notes.append(f"{words} {NOT_ESTIMABLE}: the reference group's rate is 0")
    elif reference != OK and own == OK:
        notes.append(f"reference is a {reference}")
    return "; ".join(notes) or OK
