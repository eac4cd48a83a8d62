"""A gap as a waterfall: it starts at 0, each set of features adds its part, it ends at the gap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._tables import visible
from ..influence.result import Influence
from .canvas import (
    BLUE,
    GREY,
    PLAIN_TEXT,
    VERMILLION,
    check_result,
    checked_max_display,
    legend_below,
    need_matplotlib,
    new_axes,
    room_for,
)
from .influence_phrases import MAX_DISPLAY, amount, gap_of, unit
from .plot_names import columns, drawable, shortened
from .waterfall import Step, waterfall_steps

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDEST = 60  # columns of a line of the title

_STYLES: dict[str, dict[str, Any]] = {
    "widens the gap": {"color": VERMILLION},
    "narrows the gap": {"color": BLUE},
    "unexplained": {"facecolor": "none", "edgecolor": GREY, "hatch": "////", "linewidth": 1},
    "the gap": {"color": GREY},
}


def plot_influence(
    infl: Influence, *, ax: Axes | None = None, max_display: int = MAX_DISPLAY
) -> Axes:
    """Draw how the gap adds up.

    Bars follow one another from 0 to the gap, the strongest first; each has its interval at its
    end. What the table does not explain is hatched.

    Parameters
    ----------
    infl : Influence
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    max_display : int
        At most so many sets of features; the weakest are added up as ``other (k)``.

    Returns
    -------
    matplotlib Axes
        In percentage points, or in the unit of the scores.

    Raises
    ------
    InputError
        `max_display` is below 2.
    MissingDependencyError
        matplotlib is not installed.

    Examples
    --------
    >>> import arbitree as ar
    >>> from matplotlib.figure import Figure
    >>> people = ar.datasets.make_health_insurance().frame
    >>> found = ar.explain_gap(people[["fitness", "income"]], people["eligible"] == "yes",
    ...                        sensitive_features=people["age"], n_bootstrap=0)
    >>> ax = ar.plot_influence(found, ax=Figure().subplots())
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['fitness', 'income', 'fitness x income', 'unexplained', 'gap']
    """
    max_display = checked_max_display(max_display)
    check_result(infl, Influence, name="infl", made_by="explain_gap")
    need_matplotlib()
    steps = waterfall_steps(infl, max_display)
    title = _title(infl)
    labels, families = drawable([step.label for step in steps])
    (title,), of_title = drawable([title])
    ax = new_axes(labels, title=title) if ax is None else ax
    for position, step in enumerate(steps):
        _draw(ax, infl, step, position)
    _connect(ax, steps)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_yticks(range(len(labels)), labels, fontfamily=families, **PLAIN_TEXT)
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.set_title(title, loc="left", fontfamily=of_title, **PLAIN_TEXT)
    _finish(ax, infl, steps)
    return ax


def size_of(infl: Influence, max_display: int = MAX_DISPLAY) -> tuple[float, float]:
    """Inches that the picture needs, for those who make the figure."""
    return room_for([step.label for step in waterfall_steps(infl, max_display)], _title(infl))


def _draw(ax: Axes, infl: Influence, step: Step, position: int) -> None:
    known = bool(np.isfinite(step.value))
    end = step.start + step.value if known else step.start
    far = [step.start, end]
    if known:
        handles = ax.get_legend_handles_labels()[1]
        told = step.value == 0 or step.kind in (*handles, "the gap", "unexplained")
        label = "_" if told else step.kind
        style = _STYLES[step.kind]
        ax.barh(position, step.value, left=step.start, height=0.62, label=label, **style)
        if np.isfinite(step.low) and np.isfinite(step.high):
            ends = np.clip([[end - step.low], [step.high - end]], 0, None)
            ax.errorbar(end, position, xerr=ends, color="black", capsize=2.5, linewidth=1)
            far += [step.low, step.high]
    value = np.nan if not known else step.value / unit(infl)[0]
    ax.annotate(
        amount(infl, value, sign=step.kind != "the gap").removesuffix(" pp"),
        (max(far), position),
        xytext=(5, 0),
        textcoords="offset points",
        va="center",
        fontsize="small",
        color="black" if known else GREY,
        **PLAIN_TEXT,
    )


def _connect(ax: Axes, steps: Sequence[Step]) -> None:
    """A thin line from the end of each bar to the start of the next, the last to the gap."""
    for position, step in enumerate(steps[:-1]):
        at = step.start + float(np.nan_to_num(step.value))
        ax.plot([at, at], [position - 0.31, position + 1.31], color=GREY, linewidth=0.7, zorder=0.5)


def _title(infl: Influence) -> str:
    what = shortened(gap_of(infl), WIDEST // 2)
    gap = f"{what}: gap of {amount(infl, infl.gap, sign=False)}"
    return "\n".join([gap, *over(infl.group_high, infl.group_low), infl.condition])


def over(high: str, low: str) -> list[str]:
    """Both groups on one line of a title, or on two where one is not enough."""
    high, low = (shortened(visible(name), WIDEST) for name in (high, low))
    text = f"{high} over {low}"
    return [text] if columns(text) <= WIDEST else [high, f"over {low}"]


def _finish(ax: Axes, infl: Influence, steps: Sequence[Step]) -> None:
    ends = [0.0]
    for step in steps:
        ends += [step.start, step.start + step.value, step.low, step.high]
    ends = [end for end in ends if np.isfinite(end)]
    low, high = min(ends), max(ends)
    room = (high - low) or 1.0
    ax.set_xlim(low - 0.04 * room, high + 0.14 * room)
    name = f"gap of the {infl.favorable}" if infl.scores else "percentage points"
    with_intervals = np.isfinite([step.low for step in steps]).any()
    words = f", {infl.confidence * 100:g}% intervals" if with_intervals else ""
    ax.set_xlabel(shortened(f"{name}{words}", 70), **PLAIN_TEXT)
    ax.grid(axis="x", alpha=0.3)
    ax.set_axisbelow(True)
    legend_below(ax)
