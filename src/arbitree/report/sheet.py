"""Axes to draw on in inches, whatever their size: everything grows and shrinks together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .canvas import GREY, PLAIN_TEXT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LARGEST = 1.6  # how much larger than usual text may be
_THICK = 0.08  # inches of a bar


class Sheet:
    """Axes with a picture of `width` times `height` inches, as large as they can show it.

    x is from the left and y from the top. Text is as much larger or smaller as the picture, so
    that what fits in one size fits in all.
    """

    def __init__(
        self, ax: Axes, width: float, height: float, *, families: Sequence[str], size: float
    ) -> None:
        extent, dpi = ax.get_window_extent(), ax.figure.dpi
        self._ax = ax
        self._scale = min(extent.width / dpi / width, extent.height / dpi / height, _LARGEST)
        self._size, self._families = size, list(families)
        ax.set_xlim(0, width)
        ax.set_ylim(height, 0)
        ax.set_aspect("equal")
        ax.set_axis_off()

    def text(
        self, x: float, y: float, text: str, *, size: float | None = None, **style: Any
    ) -> None:
        """One line, centred on y."""
        self._ax.text(
            x,
            y,
            text,
            va="center_baseline",
            fontfamily=self._families,
            fontsize=self._scale * (size or self._size),
            **style,
            **PLAIN_TEXT,
        )

    def box(
        self, x: float, y: float, width: float, height: float, *, linewidth: float, **style: Any
    ) -> None:
        """A frame; y is its upper edge."""
        from matplotlib.patches import Rectangle

        line = linewidth * self._scale
        self._ax.add_patch(Rectangle((x, y), width, height, linewidth=line, zorder=2, **style))

    def bar(self, x: float, y: float, width: float, color: str) -> None:
        """A bar whose middle is y; none where it has no width."""
        from matplotlib.patches import Rectangle

        if width > 0:
            corner = x, y - _THICK / 2
            bar = Rectangle(corner, width, _THICK, facecolor=color, linewidth=0, zorder=3)
            self._ax.add_patch(bar)

    def line(self, x: Sequence[float], y: Sequence[float], width: float) -> None:
        """A line with corners."""
        self._ax.plot(
            x, y, color=GREY, linewidth=width * self._scale, zorder=1, solid_joinstyle="miter"
        )
