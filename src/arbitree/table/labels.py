"""Which rows had the favourable outcome: decisions and true labels as 0, 1 or missing.

Only 0/1, -1/1 and booleans say by themselves which value is favourable. Everything else must be
said by the user, because a wrong guess turns the sign of every gap.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from numbers import Real

import narwhals as nw
import numpy as np

from arbitree._errors import InputError, NoValuesError
from arbitree.table.distinct import Distinct, distinct, natural_order
from arbitree.table.favorable import Words, chosen, self_evident
from arbitree.table.frames import Column
from arbitree.table.missing import check_policy, refuse_missing
from arbitree.table.quantities import quantities, subject

UNFAVORABLE, FAVORABLE, MISSING = 0, 1, 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """One outcome of each row. No value is both favourable and unfavourable."""

    name: str
    codes: np.ndarray  # (n_rows,) uint8, read-only: 0 unfavourable, 1 favourable, 2 missing
    favorable: tuple[object, ...]  # values seen; empty for scores
    unfavorable: tuple[object, ...]
    how: str  # "favourable: approved = 'yes'"
    levels: tuple[object, ...] = ()  # values seen, in natural order; empty for scores
    level: np.ndarray | None = None  # (n_rows,) index into levels, their number where missing


MEDIAN = "median"
BEYOND_MEDIAN = ", the median of all scores"  # how such an outcome ends that says so


def outcome(
    column: Column,
    *,
    favorable_label: object = None,
    score_threshold: float | str | None = None,
    lower_score_favorable: bool = False,
    what: str = "decisions",
    parameter: str = "favorable_label",
    missing: str = "error",
) -> Outcome:
    """An outcome of each row, from labels of any type or from scores.

    Parameters
    ----------
    column : Column
    favorable_label : object or collection of objects, optional
        The favourable value or values. Needed unless the values are 0/1, -1/1 or booleans (or
        texts of these, from a text file), of which 1 and True are favourable. Compared by
        equality, then by text: ``"1"`` finds 1.
    score_threshold : float, optional
        Scores at or above it are favourable; at or below it with `lower_score_favorable`. Taken
        at the precision of the scores. ``"median"``: those above the median of all rows with a
        score, below it with `lower_score_favorable`.
    lower_score_favorable : bool, default=False
    what, parameter : str
        Names of the input and of the parameter for `favorable_label`, for errors.
    missing : {"error", "drop", "group"}, default="error"
        Whether rows without a value are refused or have the code 2.

    Returns
    -------
    Outcome

    Raises
    ------
    LabelError
        If it cannot be known which value is favourable.
    MissingValueError
        If values are missing and `missing` is ``"error"``.
    InputError
        If there are no rows, scores are not finite numbers, or the parameters disagree.

    Examples
    --------
    >>> from arbitree.table.frames import column
    >>> approved = column(["no", "yes", "no"], what="decisions", default_name="approved")
    >>> found = outcome(approved, favorable_label="yes")
    >>> found.codes.tolist(), found.how
    ([0, 1, 0], "favourable: approved = 'yes'")
    """
    policy = check_policy(missing)
    words = Words(subject(column, what), str(column.name), parameter)
    if not len(column):
        raise InputError(f"{words.subject} has no rows. Pass at least one.")
    if score_threshold is not None:
        if favorable_label is not None:
            raise InputError(f"{parameter} and a threshold were both given. Pass only one.")
        codes, how = _by_threshold(column, score_threshold, lower_score_favorable, what)
        favorable: tuple[object, ...] = ()
        unfavorable: tuple[object, ...] = ()
        levels: tuple[object, ...] = ()
        level: np.ndarray | None = None
    elif lower_score_favorable:
        raise InputError("lower_score_favorable is for scores. Pass a score threshold too.")
    else:
        found = distinct(column)
        if policy == "error" and (found.codes >= 0).any():
            refuse_missing(column, found.codes < 0, what=what)
        codes, favorable, unfavorable, how = _by_label(found, favorable_label, column.text, words)
        levels, level = _seen(found, favorable, unfavorable)
    if policy == "error":
        refuse_missing(column, codes == MISSING, what=what)
    codes.flags.writeable = False
    return Outcome(
        name=words.name,
        codes=codes,
        favorable=favorable,
        unfavorable=unfavorable,
        how=how,
        levels=levels,
        level=level,
    )


def scores(column: Column, *, what: str = "scores") -> np.ndarray:
    """Scores of rows, NaN where missing.

    Returns
    -------
    ndarray of float64, shape (n_rows,), read-only

    Raises
    ------
    InputError
        If a score is no number, or infinite; names the first such row.

    Examples
    --------
    >>> from arbitree.table.frames import column
    >>> scores(column([0.25, None], what="scores", default_name="score"))
    array([0.25,  nan])
    """
    values = quantities(column, what=what).astype(np.float64)
    values.flags.writeable = False
    return values


def _by_label(
    found: Distinct, favorable_label: object, text: bool, words: Words
) -> tuple[np.ndarray, tuple[object, ...], tuple[object, ...], str]:
    seen = {level: int(n) for level, n in zip(found.levels, found.counts) if n}
    if text:
        seen = {level: seen[level] for level in natural_order(seen)}
    if not seen:
        raise NoValuesError(f"{words.subject} has no value: every row is missing. Pass other data.")
    if favorable_label is None:
        favorable, named = self_evident(seen, text, words)
    else:
        favorable, named = chosen(favorable_label, seen, found.levels, text, words)
    lookup = np.array([level in favorable for level in found.levels] + [MISSING], dtype=np.uint8)
    unfavorable = tuple(level for level in seen if level not in favorable)
    how = words.how(named, assumed=favorable_label is None)
    return lookup[found.codes], favorable, unfavorable, how


def _seen(
    found: Distinct, favorable: tuple[object, ...], unfavorable: tuple[object, ...]
) -> tuple[tuple[object, ...], np.ndarray]:
    """The levels that rows have, and which of them each row has."""
    outcomes = (*favorable, *unfavorable)
    levels = tuple(level for level in natural_order(found.levels) if level in outcomes)
    place = {level: i for i, level in enumerate(levels)}
    lookup = [place.get(level, len(levels)) for level in found.levels]
    narrow = np.array([*lookup, len(levels)], np.min_scalar_type(len(levels)))
    return levels, narrow[found.codes]


def _is_float(number: Real) -> bool:
    """Whether it is finite, and so as a float."""
    try:
        return isfinite(number)
    except OverflowError:
        return False


def _by_threshold(
    column: Column, threshold: float | str, lower: bool, what: str
) -> tuple[np.ndarray, str]:
    if isinstance(threshold, str):
        return _by_median(column, threshold, lower, what)
    if isinstance(threshold, bool) or not (isinstance(threshold, Real) and _is_float(threshold)):
        raise InputError(f"The score threshold is {threshold!r}. Pass a finite number.")
    values = quantities(column, what=what)
    cut = np.float32(threshold) if column.values.dtype == nw.Float32 else np.float64(threshold)
    codes = (values <= cut if lower else values >= cut).astype(np.uint8)
    codes[np.isnan(values)] = MISSING
    return codes, f"favourable: {column.name} {'<=' if lower else '>='} {threshold:.15g}"


def _by_median(column: Column, asked: str, lower: bool, what: str) -> tuple[np.ndarray, str]:
    if asked != MEDIAN:
        raise InputError(
            f"The score threshold is {asked!r}. Pass a finite number, or {MEDIAN!r} for the median."
        )
    # As float64: between two neighbouring float32 the median would round to one of them.
    values = quantities(column, what=what).astype(np.float64)
    known = ~np.isnan(values)
    if not known.any():
        raise InputError(f"{subject(column, what)} has no score, and so no median.")
    median = float(np.median(values[known]))
    codes = (values < median if lower else values > median).astype(np.uint8)
    codes[~known] = MISSING
    sign = "<" if lower else ">"
    return codes, f"favourable: {column.name} {sign} {median:.15g}{BEYOND_MEDIAN}"
