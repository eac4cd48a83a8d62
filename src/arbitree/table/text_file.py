"""A small text file, whole."""

from __future__ import annotations

import os
from pathlib import Path

from arbitree._errors import InputError
from arbitree.table.unreadable import why


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a UTF-8 file, without a byte order mark.

    Raises
    ------
    InputError
        If there is no such file, or it is not UTF-8; says at which byte.
    """
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{os.fspath(path)!r} cannot be read: {why(error, path)}") from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"{os.fspath(path)!r} is not UTF-8: byte {error.start} is part of no character. "
            "Save it as UTF-8."
        ) from error
