"""Several candidates, one calibration set: which may be called certified.

Certify 50 candidates each with 95 % confidence, take the most accurate certified one, and far more
than 5 % of the certificates are false: the choice prefers a candidate that was lucky. Two
procedures keep the probability of any false certificate at 5 %:

* fixed sequence: test the candidates in an order fixed beforehand, the strictest first, each with
  the whole 5 %, and stop at the first that fails (Maurer, Hothorn and Lehmacher 1995);
* Bonferroni: test all of them, each with 5 % divided by their number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import nearest

FIXED_SEQUENCE, BONFERRONI = "fixed_sequence", "bonferroni"
PROCEDURES = (FIXED_SEQUENCE, BONFERRONI)


def check_procedure(procedure: str) -> None:
    """Refuse another name."""
    if procedure not in PROCEDURES:
        raise InputError(f"There is no procedure {procedure!r}. {nearest(procedure, PROCEDURES)}")


def asked_confidence(confidence: float, n_candidates: int, *, procedure: str) -> float:
    """The confidence asked of each candidate's bound.

    Examples
    --------
    >>> round(asked_confidence(0.95, 50, procedure="bonferroni"), 6)
    0.999
    """
    divisor = n_candidates if procedure == BONFERRONI else 1
    return 1 - (1 - confidence) / divisor


def certified(passed: Sequence[bool] | np.ndarray, *, procedure: str) -> np.ndarray:
    """Which candidates are certified, from whether each passed at the confidence asked of it.

    References
    ----------
    Maurer, Hothorn and Lehmacher (1995), Biometrie in der chemisch-pharmazeutischen Industrie
    6:3; Holm (1979), Scandinavian Journal of Statistics 6:65, for Bonferroni.

    Examples
    --------
    >>> certified([True, False, True], procedure="fixed_sequence").tolist()
    [True, False, False]
    >>> certified([True, False, True], procedure="bonferroni").tolist()
    [True, False, True]
    """
    found = np.asarray(passed, dtype=bool)
    return np.logical_and.accumulate(found) if procedure == FIXED_SEQUENCE else found


def status_of(holds: np.ndarray, *, procedure: str) -> list[str]:
    """What became of each candidate, in words."""
    failed = np.flatnonzero(~holds)
    first = int(failed[0]) if len(failed) else len(holds)
    return [
        "certified"
        if holds[at]
        else "not certified"
        if procedure == BONFERRONI or at == first
        else "not tested: an earlier candidate failed"
        for at in range(len(holds))
    ]


def best(holds: np.ndarray, accuracies: Sequence[float], *, rank: Callable[[int], float]) -> int:
    """The certified candidate of highest accuracy, by `rank` without labels; 0 if none is."""
    among = np.flatnonzero(holds).tolist()
    if not among:
        return 0
    return int(max(among, key=lambda at: (np.nan_to_num(accuracies[at]), rank(at))))
