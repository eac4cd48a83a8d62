"""Does an audit pass its thresholds?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real

import pandas as pd

from arbitree._errors import InputError
from arbitree._tables import html_table
from arbitree._wording import listed

_ROUNDING = 1e-9  # of a sum or a difference of rates, so that 0.3 - 0.1 is not above 0.2


def above(value: float, limit: float) -> bool:
    """Whether a number exceeds a limit by more than rounding.

    >>> above(0.3 - 0.1, 0.2), above(1.1 - 0.9, 0.2), above(0.21, 0.2)
    (False, False, True)
    """
    return value > limit + _ROUNDING


def below(value: float, limit: float) -> bool:
    """Whether a number falls short of a limit by more than rounding."""
    return value < limit - _ROUNDING


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Verdict on an audit. `passed` exactly when nothing failed and nothing was undecided."""

    failures: tuple[str, ...]
    undecided: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return not self.failures and not self.undecided

    @property
    def exit_code(self) -> int:
        """0 passed, 1 failed, 3 nothing failed but something could not be decided."""
        return 1 if self.failures else 3 if self.undecided else 0

    def _repr_html_(self) -> str:
        said = "passed" if self.passed else "failed" if self.failures else "not decided"
        rows = [("failed", line) for line in self.failures]
        rows += [("not decided", line) for line in self.undecided]
        return html_table(pd.DataFrame(rows, columns=["status", "what"]), caption=f"gate {said}")


def gate(
    by_group: pd.DataFrame,
    gaps: pd.DataFrame,
    *,
    max_gap: float | None,
    fail_under: float | None,
    metrics: Sequence[str],
) -> Gate:
    """Compare every impact ratio and every gap with its threshold."""
    if fail_under is None and max_gap is None:
        raise InputError("There is nothing to check. Pass fail_under, max_gap or both.")
    failures: list[str] = []
    undecided: list[str] = []
    if fail_under is not None:
        _threshold("fail_under", fail_under)
        _impact_ratios(by_group, fail_under, failures, undecided)
        _unknown_groupings(by_group, gaps, undecided)
    if max_gap is not None:
        _threshold("max_gap", max_gap)
        _gaps(gaps, max_gap, metrics, failures, undecided)
    return Gate(failures=tuple(failures), undecided=tuple(undecided))


def _threshold(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise InputError(f"{name} is {value!r}. Give a number from 0 to 1.")


def _where(row: pd.Series) -> str:
    """The segment, if any, and the grouping."""
    names = [str(name) for name in row.index]
    control = [name for name in names[: names.index("grouping")] if name != "metric"]
    return ", ".join([*(f"{name}={row[name]}" for name in control), row["grouping"]])


def _impact_ratios(
    by_group: pd.DataFrame, fail_under: float, failures: list[str], undecided: list[str]
) -> None:
    remarks = _small_references(by_group)
    for _, row in by_group.iterrows():
        if row["n"] == 0:
            continue
        if pd.isna(row["impact_ratio"]):
            undecided.append(f"{_where(row)}: impact ratio of {row['group']}: {row['status']}")
        elif below(row["impact_ratio"], fail_under):
            failures.append(f"{ratio_failure(row, fail_under)}{remarks.get(_where(row), '')}")


def ratio_failure(row: pd.Series, fail_under: float) -> str:
    """The line of a row of `by_group` whose impact ratio is below."""
    return (
        f"{_where(row)}: impact ratio of {row['group']} is {row['impact_ratio']:.3f}, below "
        f"{fail_under:g}"
    )


def gap_failure(row: pd.Series, max_gap: float) -> str:
    """The line of a row of `gaps` whose value is above."""
    return (
        f"{_where(row)}: {row['metric']} gap of {row['group_high']} over {row['group_low']} is "
        f"{row['value']:.3f}, above {max_gap:g}"
    )


def _unknown_groupings(by_group: pd.DataFrame, gaps: pd.DataFrame, undecided: list[str]) -> None:
    """A grouping of which nobody is known has no impact ratio that could pass."""
    parity = gaps[gaps["metric"] == "statistical_parity"]
    for _, row in parity[~parity["grouping"].isin(set(by_group["grouping"]))].iterrows():
        if row["group_high"] is None or pd.isna(row["group_high"]):
            undecided.append(f"{_where(row)}: impact ratios: {row['status']}")


def _small_references(by_group: pd.DataFrame) -> dict[str, str]:
    """By segment and grouping, a remark on a reference that is a small group."""
    small = by_group["reference"].astype(bool) & by_group["status"].str.startswith("small group")
    return {
        _where(row): f" (the reference {row['group']} is a {row['status'].split(';')[0]})"
        for _, row in by_group[small].iterrows()
    }


def _gaps(
    gaps: pd.DataFrame,
    max_gap: float,
    metrics: Sequence[str],
    failures: list[str],
    undecided: list[str],
) -> None:
    known = gaps["metric"].unique().tolist()
    for metric in metrics:
        if metric not in known:
            raise InputError(
                f"The gap {metric!r} was not measured. Measured: {listed(known)}. All but "
                "statistical_parity need y_true."
            )
    for _, row in gaps[gaps["metric"].isin(metrics)].iterrows():
        if pd.isna(row["value"]):
            undecided.append(f"{_where(row)}: {row['metric']}: {row['status']}")
        elif above(row["value"], max_gap):
            failures.append(gap_failure(row, max_gap))
