"""A pair's own picture: what two features add together, beyond either alone, in both groups."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._errors import InputError
from .._wording import listed
from ..influence.result import Influence
from .canvas import PLAIN_TEXT, check_result, need_matplotlib
from .influence_phrases import amount, joined, unit
from .interaction_cells import cells
from .plot_names import drawable, shortened, telling_names
from .ticks import tick_texts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TICKS = 20  # labels along an axis
LABEL = 18  # columns of one
POINTS = 1.0  # percentage points that the scale of colours reaches at least: noise stays white
OF_SCORES = 0.01  # of their gap
_EMPTY = {"facecolor": "#F2F2F2", "edgecolor": "#A8A8A8", "hatch": "xxxx", "linewidth": 0.0}


def plot_interaction(
    infl: Influence, features: tuple[Hashable, Hashable], *, axes: Any = None
) -> tuple[Axes, Axes]:
    """Draw the function g_S of a pair of features in the high and in the low group.

    Red cells raise the outcome beyond what each feature does alone, blue ones lower it; cells
    without rows are hatched. Both groups share one scale, of at least 1 percentage point, and
    have no more cells a side than about the root of the rows of the smaller one.

    Parameters
    ----------
    infl : Influence
    features : pair of names
        One of ``infl.table.features`` of order 2, in any order.
    axes : pair of matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    pair of matplotlib Axes
        Of the high and of the low group. In percentage points, or in the unit of the scores.

    Raises
    ------
    InputError
        There is no such pair in the explanation.
    MissingDependencyError
        matplotlib is not installed.
    """
    check_result(infl, Influence, name="infl", made_by="explain_gap")
    need_matplotlib()
    key = _key(infl.components, features)
    drawn = cells(infl.components[key])
    scale, _ = unit(infl)
    tables = [drawn.high * scale, drawn.low * scale]
    labels = [tick_texts(texts, width=LABEL) for texts in drawn.labels]
    largest = _reach(infl, tables)
    high, low = _axes() if axes is None else axes
    groups = (infl.group_high, infl.group_low)
    for ax, table, group in zip((high, low), tables, groups):
        image = ax.imshow(
            table,
            cmap="RdBu_r",
            vmin=-largest,
            vmax=largest,
            aspect="auto",
            origin="lower",
            interpolation="nearest",
        )
        ax.patch.set(**_EMPTY)
        _write(ax, key, labels, group)
    name = infl.favorable if infl.scores else "percentage points"
    bar = high.figure.colorbar(image, ax=[high, low], shrink=0.9)
    empty = any(np.isnan(table).any() for table in tables)
    bar.set_label(shortened(name, 40) + ("; hatched: no rows" if empty else ""), **PLAIN_TEXT)
    _title(high, infl, key)
    return high, low


def _key(
    components: Collection[tuple[Hashable, ...]], features: tuple[Hashable, ...]
) -> tuple[Hashable, ...]:
    """The pair as the explanation writes it."""
    if isinstance(features, str) or len(features) != 2:
        raise InputError(f"features is {features!r}. Pass a pair of names.")
    found = [key for key in components if len(key) == 2]
    for key in found:
        if set(key) == set(features):
            return key
    pairs = listed([joined(key) for key in found], at_most=6) if found else "none"
    raise InputError(f"The explanation has no pair {joined(features)!r}. There are {pairs}.")


def _axes() -> tuple[Axes, Axes]:
    from matplotlib import pyplot

    return tuple(pyplot.subplots(1, 2, figsize=(11, 5), sharey=True, layout="constrained")[1])


def _reach(infl: Influence, tables: Sequence[np.ndarray]) -> float:
    """The end of the scale of colours."""
    least = OF_SCORES * abs(infl.gap) or 1.0 if infl.scores else POINTS
    return max([least, *(float(np.nanmax(np.abs(t))) for t in tables if np.isfinite(t).any())])


def _names(key: tuple[Hashable, ...], *, width: int) -> list[str]:
    return telling_names([str(name) for name in key], width=width)


def _write(ax: Axes, key: tuple[Hashable, ...], labels: list[list[str]], group: str) -> None:
    """Names and values along both axes; only every so many where there are many."""
    slanted: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}
    features = _names(key, width=40)
    for names, axis, feature, turned in (
        (labels[0], ax.yaxis, features[0], {}),
        (labels[1], ax.xaxis, features[1], slanted),
    ):
        at = range(0, len(names), -(-len(names) // TICKS))
        shown, families = drawable([names[k] for k in at])
        axis.set_ticks(at, shown, fontfamily=families, fontsize="small", **turned, **PLAIN_TEXT)
        (name,), families = drawable([feature])
        axis.set_label_text(name, fontfamily=families, **PLAIN_TEXT)
    (title,), families = drawable([shortened(group, 40)])
    ax.set_title(title, fontfamily=families, fontsize="medium", **PLAIN_TEXT)


def _title(ax: Axes, infl: Influence, key: tuple[Hashable, ...]) -> None:
    rows = infl.table[[features == key for features in infl.table["features"]]]
    value = amount(infl, float(rows["influence"].iloc[0])) if len(rows) else ""
    names = " x ".join(_names(key, width=30))
    (title,), families = drawable(
        [f"{names}: {value} of a gap of {amount(infl, infl.gap, sign=False)}"]
    )
    if ax.figure.get_suptitle() == "":
        ax.figure.suptitle(title, fontfamily=families, **PLAIN_TEXT)
