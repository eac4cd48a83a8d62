"""A figure as an SVG that is as wide as there is room, and no narrower than can be read."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from .._tables import html_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SMALLEST_LETTERS = 9.0  # px, of the smallest text
_PX = 96 / 72  # of a point
_ROOT = re.compile(r"<svg\b")


def scaled_svg(figure: Figure, *, told: str = "") -> str:
    """A figure as an SVG document, in a browser at most as wide as what it stands in.

    It shrinks with its box until its smallest letters are 9 px high, and is then to be scrolled.
    Width and height stay those of the figure for programs that know no styles.

    Parameters
    ----------
    figure : matplotlib Figure
    told : str
        What it shows, for those who listen to a page.

    Returns
    -------
    str
        Letters are drawn as shapes, so it needs no font; the same figure gives the same text.
    """
    import matplotlib as mpl

    data = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "arbitree", "svg.fonttype": "path"}):
        figure.savefig(data, format="svg", metadata={"Date": None})
    style = f"max-width: 100%; min-width: {narrowest(figure):.0f}px; height: auto"
    label = f' aria-label="{html_text(told)}"' if told else ""
    root = f'<svg role="img"{label} style="{style}"'
    return _ROOT.sub(lambda _: root, data.getvalue().decode(), count=1)


def narrowest(figure: Figure) -> float:
    """Pixels of width at which the smallest letters can still be read."""
    from matplotlib.text import Text

    texts = figure.findobj(lambda one: isinstance(one, Text) and one.get_visible())
    sizes = [one.get_fontsize() for one in texts if one.get_text().strip()]  # type: ignore[attr-defined]
    width = 72 * float(figure.get_figwidth()) * _PX
    return width * min(1.0, SMALLEST_LETTERS / (_PX * min(sizes, default=SMALLEST_LETTERS / _PX)))


def scrolled(svg: str) -> str:
    """An SVG document as a part of a page, in a box that scrolls where it is too narrow."""
    return f'<div style="overflow-x: auto">{svg[svg.index("<svg") :]}</div>\n'
