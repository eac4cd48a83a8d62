"""Why a file cannot be read, and which others could have been meant."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path

from arbitree._wording import listed


def told(error: OSError, path: str | os.PathLike[str]) -> OSError:
    """The same error in more words: its type, number and file stay.

    Examples
    --------
    >>> told(FileNotFoundError(2, "No such file or directory"), "absent/model.json").strerror
    "there is no such file, nor a folder 'absent'."
    """
    found = why(error, path)
    return type(error)(error.errno, found, os.fspath(path)) if error.errno else error


def why(error: OSError, path: str | os.PathLike[str]) -> str:
    """What is wrong with a file that cannot be opened."""
    place = Path(path)
    if isinstance(error, FileNotFoundError):
        return _not_there(place)
    if isinstance(error, IsADirectoryError):
        return f"it is a folder. Name a file, and not the folder{_beside(_files(place))}"
    if isinstance(error, PermissionError):
        return "it may not be read. Ask for permission, or copy it to where you have it."
    return f"{error.strerror or error}."


def _not_there(place: Path) -> str:
    folder = place.parent
    if not folder.is_dir():
        return f"there is no such file, nor a folder {str(folder)!r}."
    names = _files(folder)
    lower = {name.lower(): name for name in names}
    close = get_close_matches(place.name.lower(), lower, n=3, cutoff=0.6)
    if close:
        return f"there is no such file. Did you mean {listed(lower[name] for name in close)}?"
    where = "this folder" if str(folder) == "." else repr(str(folder))
    return f"there is no such file in {where}{_beside(names)}"


def _beside(names: list[str]) -> str:
    return f": there are {listed(names, at_most=3)}." if names else "."


def _files(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir() if entry.is_file())
    except OSError:
        return []
