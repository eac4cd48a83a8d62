"""Where the data goes: standard output, or a file that is whole or not there."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from shutil import get_terminal_size

from .._errors import InputError
from .._wording import listed
from ..table.whole_file import write_whole


class Format(Enum):
    """How results are written."""

    TEXT = "text"
    MARKDOWN = "Markdown"
    JSON = "JSON"
    CSV = "CSV"
    HTML = "HTML"
    LATEX = "LaTeX"


_BY_EXTENSION = {
    ".txt": Format.TEXT,
    ".md": Format.MARKDOWN,
    ".json": Format.JSON,
    ".csv": Format.CSV,
    ".html": Format.HTML,
    ".tex": Format.LATEX,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A place for the data, checked before any work is done. `path` None is standard output."""

    format: Format
    path: Path | None = None

    @property
    def on_terminal(self) -> bool:
        return self.path is None and sys.stdout is not None and sys.stdout.isatty()

    @property
    def color(self) -> bool:
        """Whether to color, as NO_COLOR, FORCE_COLOR and TERM have it."""
        if self.path is not None or os.environ.get("NO_COLOR"):
            return False
        if os.environ.get("FORCE_COLOR"):
            return True
        return self.on_terminal and os.environ.get("TERM") != "dumb"

    @property
    def width(self) -> int:
        """Columns of the terminal; 80 in pipes and files, unless COLUMNS says otherwise."""
        return max(get_terminal_size((80, 24)).columns, 40) if self.path is None else 80

    def write(self, text: str) -> None:
        """Write everything, or raise OSError and leave no part of it in a file."""
        if self.path is None:
            _to_stdout(text, text_format=self.format is Format.TEXT)
            return
        # Half of a surrogate pair cannot be encoded; in JSON its escape means the same.
        write_whole(text.encode("utf-8", "backslashreplace"), self.path)


def output(path: Path | None, formats: list[Format], *, reads: str) -> Output:
    """Check where results are to go.

    Parameters
    ----------
    path : Path or None
        None and ``-`` are standard output.
    formats : list of Format
        Those asked for by name; at most one.
    reads : str
        The file that is read, which must not be written over.

    Raises
    ------
    InputError
        More than one format, one that contradicts the extension, no format for the extension,
        a folder that is not there, or the file that is read.
    """
    if len(formats) > 1:
        raise InputError(
            f"Results are written in one format, not in {listed(f.value for f in formats)}."
        )
    if path is None or str(path) == "-":
        return Output(format=formats[0] if formats else Format.TEXT)
    by_extension = _BY_EXTENSION.get(path.suffix.lower())
    if formats and by_extension not in (None, formats[0]):
        raise InputError(f"{path} is not a name for {formats[0].value}. Leave one of them out.")
    if not formats and by_extension is None:
        raise InputError(
            f"The format of {path} is not clear from its name. End it in one of "
            f"{listed(_BY_EXTENSION)}, or pass --json, --markdown or --csv."
        )
    check_place(path, reads=reads)
    return Output(format=formats[0] if formats else by_extension or Format.TEXT, path=path)


def check_place(path: Path, *, reads: str) -> None:
    """Refuse a folder, one that is not there, and the file that is read."""
    if path.is_dir():
        raise InputError(f"{path} is a folder. Give the name of a file in it.")
    if not path.absolute().parent.is_dir():
        raise InputError(f"There is no folder {path.absolute().parent} to write {path.name} in.")
    if path.exists() and Path(reads).exists() and path.samefile(reads):
        raise InputError(f"{path} is the file that is read. Write to another one.")


def _to_stdout(text: str, *, text_format: bool) -> None:
    stream = sys.stdout
    if stream is None:
        raise OSError("standard output is closed")
    encoding = (stream.encoding or "utf-8") if text_format else "utf-8"
    try:
        stream.flush()
        stream.buffer.write(text.encode(encoding, "backslashreplace"))
        stream.buffer.flush()
    except BrokenPipeError:
        # The reader, such as head, has seen enough. Python would complain of it again at exit.
        _discard_stdout()
    except OSError:
        _discard_stdout()
        raise


def _discard_stdout() -> None:
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
