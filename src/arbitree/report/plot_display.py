"""What the displays of pictures share: where they were drawn, and the picture as a text."""

from __future__ import annotations

from abc import ABC
from typing import TYPE_CHECKING, Any, ClassVar

from .._errors import InputError
from .scaled_svg import scaled_svg, scrolled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class PlotDisplay(ABC):
    """A result beside its picture, in scikit-learn's manner.

    Made by a class method ``from_...``, which draws; ``plot`` draws again, elsewhere or otherwise,
    and computes nothing anew.
    """

    told: ClassVar[str]
    ax_: Axes
    figure_: Any

    def _drawn_on(self, ax: Axes) -> None:
        self.ax_ = ax
        self.figure_ = ax.figure

    def to_svg(self) -> str:
        """The figure as an SVG document that is as wide as there is room for.

        In a browser it shrinks with what it stands in until its smallest letters are 9 px high,
        and is then to be scrolled. The same figure gives the same text.

        Raises
        ------
        InputError
            Nothing was drawn yet.
        """
        return scaled_svg(self._figure(), told=self.told)

    def to_html(self) -> str:
        """The same SVG as a part of a page, in a box that scrolls where it is too narrow."""
        return scrolled(self.to_svg())

    def _figure(self) -> Figure:
        if not hasattr(self, "figure_"):
            raise InputError("Nothing was drawn yet. Call plot().")
        figure: Figure = self.ax_.get_figure(root=True)  # type: ignore[assignment]
        return figure
