"""Assertions for test suites, by the gate that `Audit.check` and ``arbitree audit`` use.

>>> from arbitree.testing import assert_gap_below
>>> sex = ["f"] * 50 + ["m"] * 50
>>> audit = assert_gap_below([1, 0] * 50, 0.05, sensitive_features={"sex": sex})
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arbitree._errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from arbitree.groups.result import Audit, Gate

__all__ = ["assert_gap_below", "assert_impact_ratio_at_least"]


def assert_gap_below(
    decisions: Any,
    max_gap: float,
    *,
    metric: str | Sequence[str] = "statistical_parity",
    sensitive_features: Any = None,
    **options: Any,
) -> Audit:
    """Fail where a gap between groups is above a threshold, or cannot be estimated.

    Parameters
    ----------
    decisions : array-like (n,) or Audit
        What `arbitree.audit` takes, or what it returned.
    max_gap : float
        From 0 to 1. A gap equal to it passes, as in `Audit.check`.
    metric : str or sequence of str
        The gaps that are meant; all but statistical parity need `y_true`.
    sensitive_features : array-like, frame or mapping of columns
        The groups; left out where `decisions` is an audit.
    **options
        Others of `arbitree.audit`: ``y_true=``, ``favorable_label=``, ...

    Returns
    -------
    Audit
        For further questions.

    Raises
    ------
    AssertionError
        A gap is above, or not estimable; says of which groups, with n and intervals.
    InputError
        The threshold or the data make no sense.

    Examples
    --------
    >>> sex = ["f"] * 50 + ["m"] * 50
    >>> hired = [1] * 20 + [0] * 30 + [1] * 40 + [0] * 10
    >>> assert_gap_below(hired, 0.1, sensitive_features={"sex": sex})
    Traceback (most recent call last):
    AssertionError: a gap between groups is not at most 0.1
    <BLANKLINE>
    sex: statistical_parity gap of m over f is 0.400, above 0.1
        interval at 95 %: 0.210 to 0.552
        m    n = 50    selection_rate 0.800, 0.670 to 0.888
        f    n = 50    selection_rate 0.400, 0.276 to 0.538
    """
    metrics = (metric,) if isinstance(metric, str) else tuple(metric)
    if not metrics:
        raise InputError("metric names no gap. Pass at least one, as 'statistical_parity'.")
    found = _audited(decisions, sensitive_features, options)
    verdict = found.check(max_gap=max_gap, metrics=metrics)
    if not verdict.passed:
        title = f"a gap between groups is not at most {max_gap:g}"
        raise AssertionError(_message(title, verdict, _gaps(found, max_gap, metrics), found))
    return found


def assert_impact_ratio_at_least(
    decisions: Any, fail_under: float, *, sensitive_features: Any = None, **options: Any
) -> Audit:
    """Fail where a group's impact ratio is below a threshold, or cannot be estimated.

    Parameters
    ----------
    decisions : array-like (n,) or Audit
    fail_under : float
        From 0 to 1; 0.8 is the four-fifths rule.
    sensitive_features, **options
        As in `assert_gap_below`.

    Returns
    -------
    Audit

    Raises
    ------
    AssertionError, InputError
        As `assert_gap_below`.

    Examples
    --------
    >>> sex = ["f"] * 50 + ["m"] * 50
    >>> found = assert_impact_ratio_at_least([1, 0] * 50, 0.8, sensitive_features={"sex": sex})
    >>> found.n_rows
    100
    """
    found = _audited(decisions, sensitive_features, options)
    verdict = found.check(fail_under=fail_under)
    if not verdict.passed:
        title = f"an impact ratio is not at least {fail_under:g}"
        raise AssertionError(_message(title, verdict, _ratios(found, fail_under), found))
    return found


def _audited(decisions: Any, sensitive_features: Any, options: dict[str, Any]) -> Audit:
    from arbitree.groups.audit import audit
    from arbitree.groups.result import Audit

    if not isinstance(decisions, Audit):
        if sensitive_features is None:
            raise InputError("sensitive_features is missing. Pass the people's groups.")
        return audit(decisions, sensitive_features=sensitive_features, **options)
    given = [*(["sensitive_features"] if sensitive_features is not None else []), *options]
    if given:
        raise InputError(f"An audit was passed, and {given[0]} too. Pass it to arbitree.audit.")
    return decisions


def _message(title: str, verdict: Gate, details: dict[str, list[str]], found: Audit) -> str:
    """The verdict's own lines, each with the numbers of the groups that it is about."""
    lines = [title, ""]
    for failure in verdict.failures:
        about = [lines for start, lines in details.items() if failure.startswith(start)]
        lines += [failure, *(f"    {line}" for line in (about or [[]])[0])]
    lines += [f"not estimable: {line}" for line in verdict.undecided]
    lines += [f"note: {notice}" for notice in found.notices]
    return "\n".join(lines)


def _gaps(found: Audit, max_gap: float, metrics: Sequence[str]) -> dict[str, list[str]]:
    """By line of the gate, what a gap compares."""
    from arbitree.groups.gate import gap_failure

    details = {}
    for _, row in found.gaps[found.gaps["metric"].isin(metrics)].iterrows():
        rates = _beside(found, found.rates, row)
        two = rates[
            (rates["metric"] == row["condition"])
            & rates["group"].isin([row["group_high"], row["group_low"]])
        ]
        interval = f"interval at {100 * found.confidence:g} %: {_interval(row)}"
        lines = _lines(two.sort_values("value", ascending=False), "value", row["condition"])
        details[gap_failure(row, max_gap)] = [interval, *lines]
    return details


def _ratios(found: Audit, fail_under: float) -> dict[str, list[str]]:
    """By how a line of the gate begins, the group's rate and the reference's."""
    from arbitree.groups.gate import ratio_failure

    details = {}
    for _, row in found.by_group.iterrows():
        beside = _beside(found, found.by_group, row)
        two = beside[(beside["group"] == row["group"]) | beside["reference"].astype(bool)]
        lines = _lines(two, "selection_rate", "selection_rate")
        details[ratio_failure(row, fail_under)] = lines
    return details


def _beside(found: Audit, table: pd.DataFrame, row: pd.Series) -> pd.DataFrame:
    """Rows of the same segment and grouping."""
    for name in (*found.control, "grouping"):
        table = table[table[name] == row[name]]
    return table


def _lines(rows: pd.DataFrame, column: str, rate: str) -> list[str]:
    from arbitree.groups.status import OK

    width = max((len(str(group)) for group in rows["group"]), default=0)
    return [
        f"{row['group']:<{width}}    n = {row['n']:,}    {rate} {row[column]:.3f}, {_interval(row)}"
        + ("" if row["status"] == OK else f" ({row['status']})")
        for _, row in rows.iterrows()
    ]


def _interval(row: pd.Series) -> str:
    return f"{row['ci_low']:.3f} to {row['ci_high']:.3f}"
