"""Which label is favourable, where only the favourable decision was named."""

from __future__ import annotations

from arbitree._errors import LabelError
from arbitree.table.distinct import as_number
from arbitree.table.favorable import asked_values
from arbitree.table.frames import Column
from arbitree.table.labels import Outcome, outcome


def true_labels(
    column: Column,
    *,
    favorable_label: object = None,
    favorable_decision: object = None,
    lower_score_favorable: bool = False,
    what: str = "y_true",
    parameter: str = "y_true_favorable",
    missing: str = "error",
) -> Outcome:
    """The outcome that labels show.

    Labels coded like the decisions share their favourable value. Labels that are coded otherwise
    have a value of their own, which must be named unless they are 0/1, -1/1 or booleans.

    Parameters
    ----------
    column : Column
    favorable_label : object or collection, optional
        The favourable label or labels, where they differ from the decisions'.
    favorable_decision : object or collection, optional
        The favourable decision or decisions, if these were named.
    lower_score_favorable : bool
        Whether low scores are the good ones. A label of 1 may then well be the bad one, so that
        nothing is taken for granted.
    what, parameter, missing : str
        As in `outcome`.

    Returns
    -------
    Outcome

    Raises
    ------
    LabelError
        If it cannot be known which label is favourable.

    Examples
    --------
    >>> from arbitree.table.frames import column
    >>> repaid = column([0, 1, 1], what="y_true", default_name="repaid")
    >>> true_labels(repaid, favorable_decision="yes").how
    'favourable: repaid = 1 (assumed)'
    """
    if favorable_label is None and lower_score_favorable:
        raise LabelError(
            f"Low scores are favourable, so it cannot be known whether the label 1 of "
            f"{str(column.name)!r} is. Pass {parameter} with the favourable label."
        )
    if favorable_label is None and favorable_decision is not None:
        try:
            return outcome(
                column,
                favorable_label=favorable_decision,
                what=what,
                parameter=parameter,
                missing=missing,
            )
        except LabelError:
            if not _says_nothing_of_numbers(favorable_decision):
                raise
    return outcome(
        column, favorable_label=favorable_label, what=what, parameter=parameter, missing=missing
    )


def _says_nothing_of_numbers(favorable: object) -> bool:
    """Whether the favourable decision is a word, from which nothing follows for labels 0 and 1."""
    return all(
        isinstance(value, str)
        and as_number(value) is None
        and value.strip().lower() not in ("true", "false")
        for value in asked_values(favorable)
    )
