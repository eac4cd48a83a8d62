"""What pictures share: colours, plain text, and axes as large as their labels need."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from numbers import Integral
from typing import TYPE_CHECKING, Any

from .._errors import InputError, MissingDependencyError
from .plot_names import columns

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette, which colour-blind readers can tell apart.
BLUE, VERMILLION, GREY = "#0072B2", "#D55E00", "#777777"
PLAIN_TEXT: dict[str, Any] = {"parse_math": False, "usetex": False}


def need_matplotlib() -> None:
    """Refuse to draw without it."""
    if find_spec("matplotlib") is None:
        raise MissingDependencyError(
            "Plots need matplotlib. Install it with: pip install 'arbitree[report]'"
        )


def check_result(value: object, kind: type, *, name: str, made_by: str) -> None:
    """Refuse what is no result, such as the frame that one was made of."""
    if not isinstance(value, kind):
        given = type(value).__name__
        raise InputError(f"{name} is of type {given}. Pass what arbitree.{made_by} returns.")


def checked_max_display(value: object) -> int:
    """Rows to draw, at least 2."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 2:
        raise InputError(f"max_display is {value!r}. Give a whole number of at least 2.")
    return int(value)


def new_axes(labels: Sequence[str], *, title: str = "") -> Axes:
    """Axes of a new figure with room for these labels, one a row."""
    from matplotlib import pyplot

    return pyplot.subplots(figsize=room_for(labels, title), layout="constrained")[1]


def room_for(labels: Sequence[str], title: str) -> tuple[float, float]:
    """Inches for these labels, one a row."""
    lines = [label.split("\n") for label in labels]
    width = max(7.5, 5.5 + 0.1 * max((columns(line) for rows in lines for line in rows), default=0))
    tallest = max(map(len, lines), default=1)
    height = 1.9 + len(labels) * (0.12 + 0.17 * tallest) + 0.17 * title.count("\n")
    return width, height


def legend_below(ax: Axes) -> None:
    """A legend under the label of the horizontal axis, if there is anything to explain."""
    from matplotlib.transforms import ScaledTranslation

    if not ax.get_legend_handles_labels()[0]:
        return
    below = ScaledTranslation(0, -40 / 72, ax.figure.dpi_scale_trans)
    ax.legend(
        loc="upper left",
        bbox_to_anchor=(0, 0),
        bbox_transform=ax.transAxes + below,
        borderaxespad=0,
        frameon=False,
        ncols=2,
        fontsize="small",
    )
