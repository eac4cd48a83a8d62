"""Which label is favourable, where only the favourable decision was named."""

from __future__ import annotations

from arbitree._errors import LabelError
from arbitree.table.frames import Column
from arbitree.table.labels import Outcome, outcome


def true_labels(
    column: Column,
    *,
    favorable_label: object = None,
    favorable_decision: object = None,
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
    'favourable: repaid = 1'
    """
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
            pass
    return outcome(
        column, favorable_label=favorable_label, what=what, parameter=parameter, missing=missing
    )
