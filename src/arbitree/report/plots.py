"""Pictures of results: each takes a result and returns the axes; none shows or saves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from .._errors import InputError
from .._wording import nearest
from ..groups.result import Audit
from .canvas import (
    BLUE,
    GREY,
    PLAIN_TEXT,
    VERMILLION,
    check_result,
    checked_max_display,
    legend_below,
    need_matplotlib,
)
from .phrases import FOUR_FIFTHS, percent, spelled
from .plot_names import columns, plot_labels, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_groups(
    audit: Audit,
    *,
    grouping: str | None = None,
    metric: str = "selection_rate",
    ax: Axes | None = None,
    max_display: int = 20,
    **kwargs: Any,
) -> Axes:
    """Draw a rate of each group with its confidence interval.

    The dashed line is the rate over all rows; for the selection rate the dotted line is 0.8 of
    the highest rate (the four-fifths rule). Groups that are small are hollow, the reference
    group is a diamond, and a rate that is not estimable is marked n/a with its reason.

    Parameters
    ----------
    audit : Audit
    grouping : str, optional
        Such as ``"sex"`` or ``"sex x race"``; the audit's first by default.
    metric : str
        A rate of ``audit.rates``, such as ``"true_positive_rate"``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    max_display : int
        At most so many rows. Where there are more groups, the highest, the lowest and the
        reference group are drawn, then the largest ones; the last row is the range of all others.
    **kwargs
        Passed to ``Axes.errorbar``.

    Returns
    -------
    matplotlib Axes
        Rates are fractions, shown as percentages.

    Raises
    ------
    InputError
        The audit has no such grouping or metric, or `max_display` is below 2.
    MissingDependencyError
        matplotlib is not installed.

    Examples
    --------
    >>> import arbitree as ar
    >>> from matplotlib.figure import Figure
    >>> found = ar.audit([1, 1, 0, 0], sensitive_features={"sex": ["f", "m", "f", "f"]})
    >>> ax = ar.plot_groups(found, ax=Figure().subplots())
    >>> ax.get_xlabel()
    'selection rate, 95% intervals'
    """
    check_result(audit, Audit, name="audit", made_by="audit")
    most = checked_max_display(max_display)
    need_matplotlib()
    rows = _rows(audit, grouping, metric)
    shown, others = _displayed(rows, most)
    named = f"{spelled(metric)} by {rows['grouping'].iloc[0]}"
    (title, *labels), families = plot_labels([named, *_names(audit, shown)])
    labels = [f"{label} (n={n:,})" for label, n in zip(labels, shown["n"])]
    if not others.empty:
        labels.append(f"other ({len(others):,}) (n={others['n'].sum():,})")
    ax = _new_axes(labels) if ax is None else ax
    _draw_groups(ax, shown, kwargs)
    if not others.empty:
        _draw_others(ax, others, at=len(shown))
    if not audit.control:
        _draw_lines(ax, audit, rows, metric)
    ax.set_yticks(range(len(labels)), labels, fontfamily=families, **PLAIN_TEXT)
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.set_title(title, loc="left", fontfamily=families, **PLAIN_TEXT)
    _finish(ax, audit, rows, metric)
    return ax


def _rows(audit: Audit, grouping: str | None, metric: str) -> pd.DataFrame:
    """The rates to draw, with what is needed of them."""
    known = audit.rates["metric"].unique().tolist()
    if metric not in known:
        raise InputError(f"The audit has no metric {metric!r}. {nearest(metric, known)}")
    rates = audit.rates[audit.rates["metric"] == metric]
    groupings = rates["grouping"].unique().tolist()
    if grouping is None:
        grouping = groupings[0]
    if grouping not in groupings:
        raise InputError(f"The audit has no grouping {grouping!r}. {nearest(grouping, groupings)}")
    return rates[rates["grouping"] == grouping].reset_index(drop=True)


def _names(audit: Audit, shown: pd.DataFrame) -> list[str]:
    """Names of the groups, with their segment if there are any."""
    names = []
    for _, row in shown.iterrows():
        where = ", ".join(f"{column}={row[column]}" for column in audit.control)
        names.append(f"{row['group']} ({where})" if where else str(row["group"]))
    return names


def _displayed(rows: pd.DataFrame, max_display: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows to draw, in their own order, and the others."""
    if len(rows) <= max_display:
        return rows, rows.iloc[:0]
    value = rows["value"]
    first = [value.idxmin(), value.idxmax()] if value.notna().any() else []
    first += rows.index[rows["group"] == rows["reference"]].tolist()
    by_size = rows["n"].sort_values(ascending=False, kind="stable").index.tolist()
    chosen = list(dict.fromkeys([*first, *by_size]))[: max_display - 1]
    return rows.loc[sorted(chosen)], rows.drop(chosen)


def _new_axes(labels: list[str]) -> Axes:
    """Axes of a new figure, as large as these labels need."""
    from matplotlib import pyplot

    lines = [line for label in labels for line in label.split("\n")]
    width = max(7.0, 5.5 + 0.1 * max(map(columns, lines)))
    height = 1.7 + 0.12 * len(labels) + 0.17 * len(lines)
    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def _draw_groups(ax: Axes, shown: pd.DataFrame, kwargs: dict[str, Any]) -> None:
    """A mark with its interval for each kind of group, and n/a for what is not estimable."""
    value = shown["value"].to_numpy(dtype=float)
    known = ~np.isnan(value)
    small = shown["status"].str.startswith("small group").to_numpy(dtype=bool)
    reference = (shown["group"] == shown["reference"]).to_numpy(dtype=bool)
    style: dict[str, Any] = {
        "color": BLUE,
        "linestyle": "none",
        "capsize": 3,
        "markersize": 6,
    } | kwargs
    kinds: list[tuple[str, np.ndarray, dict[str, Any]]] = [
        ("group", known & ~small & ~reference, {"marker": "o"}),
        ("small group", known & small & ~reference, {"marker": "o", "markerfacecolor": "none"}),
        ("reference group", known & reference & ~small, {"marker": "D"}),
        (
            "reference group, small",
            known & reference & small,
            {"marker": "D", "markerfacecolor": "none"},
        ),
    ]
    for label, rows, marks in kinds:
        if rows.any():
            ax.errorbar(
                value[rows],
                np.flatnonzero(rows),
                xerr=_lengths(shown[rows]),
                label=label,
                **(marks | style),
            )
    for position in np.flatnonzero(~known).tolist():
        _write_not_available(ax, position, str(shown["status"].iloc[position]))


def _lengths(rows: pd.DataFrame) -> np.ndarray:
    """Lengths of intervals to the left and to the right; 0 where there is none.  (2, n)"""
    value, low, high = (rows[name].to_numpy(dtype=float) for name in ("value", "ci_low", "ci_high"))
    return np.nan_to_num(np.clip([value - low, high - value], 0, None))


def _write_not_available(ax: Axes, position: int, status: str) -> None:
    _, _, reason = status.partition("not estimable: ")
    ax.text(
        0.01,
        position,
        shortened(f"n/a: {reason}" if reason else "n/a", 60),
        transform=ax.get_yaxis_transform(),
        va="center",
        color=GREY,
        style="italic",
        **PLAIN_TEXT,
    )


def _draw_others(ax: Axes, others: pd.DataFrame, *, at: int) -> None:
    """The range of the groups that are not drawn one by one."""
    if others["value"].notna().any():
        low, high = others["value"].min(), others["value"].max()
        ax.plot([low, high], [at, at], color=GREY, linewidth=4, solid_capstyle="round")
        lacking = int(others["value"].isna().sum())
        words = f"range of the others, {lacking:,} n/a" if lacking else "range of the others"
        ax.lines[-1].set_label(words)
    else:
        _write_not_available(ax, at, "not estimable: none of the others")


def _draw_lines(ax: Axes, audit: Audit, rows: pd.DataFrame, metric: str) -> None:
    overall = audit.overall[metric].iloc[0] if metric in audit.overall else np.nan
    if not np.isnan(overall):
        ax.axvline(
            overall, color=GREY, linestyle="--", linewidth=1, label=f"all rows: {percent(overall)}"
        )
    best = rows["value"].max()
    if metric == "selection_rate" and best > 0:
        limit = FOUR_FIFTHS * best
        ax.axvline(
            limit,
            color=VERMILLION,
            linestyle=":",
            label=f"{FOUR_FIFTHS:g} of the highest: {percent(limit)}",
        )


def _finish(ax: Axes, audit: Audit, rows: pd.DataFrame, metric: str) -> None:
    from matplotlib.ticker import PercentFormatter

    highest = np.nanmax(rows[["value", "ci_high"]].to_numpy(dtype=float), initial=0.0)
    right = min(highest * 1.05, 1.02) or 1.0
    ax.set_xlim(-0.015 * right, right)
    ax.xaxis.set_major_formatter(PercentFormatter(1.0))
    ax.set_xlabel(f"{spelled(metric)}, {audit.confidence * 100:g}% intervals")
    ax.grid(axis="x", alpha=0.3)
    ax.set_axisbelow(True)
    legend_below(ax)
