"""A picture, in a file that is whole or not there."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .._errors import InputError
from .._wording import listed
from ..table.whole_file import write_whole
from .output import Output, check_place

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FORMATS = {".svg": "svg", ".png": "png", ".pdf": "pdf"}
# Without clocks and random names the same picture has the same bytes.
_METADATA = {"png": {"Software": None}, "pdf": {"CreationDate": None}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A place for a picture, checked before any work is done."""

    path: Path
    format: str

    def draw(self, draw: Callable[[Figure], object], *, size: tuple[float, float]) -> None:
        """Write what `draw` makes of a figure of this size, in inches."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=size)
        FigureCanvasAgg(figure)
        draw(figure)
        write_whole(_written(figure, self.format), self.path)


def _written(figure: Figure, format: str) -> bytes:
    from ..report.scaled_svg import scaled_svg

    if format == "svg":
        return scaled_svg(figure).encode()
    data = io.BytesIO()
    figure.savefig(data, format=format, dpi=150, metadata=_METADATA[format])
    return data.getvalue()


def picture(path: Path, *, reads: str, target: Output) -> Picture:
    """Check where a picture is to go.

    Raises
    ------
    InputError
        The name does not say which format; a folder that is not there; the file that is read, or
        the one that results are written to.
    MissingDependencyError
        matplotlib is not installed.
    """
    from ..report.canvas import need_matplotlib

    format = _FORMATS.get(path.suffix.lower())
    if format is None:
        raise InputError(f"--plot {path} should end in one of {listed(_FORMATS)}.")
    check_place(path, reads=reads)
    if target.path is not None and target.path.absolute() == path.absolute():
        raise InputError(f"--plot and --output are both {path}. Give each a file of its own.")
    need_matplotlib()
    return Picture(path=path, format=format)
