"""Files read and written at once; those written are whole or not there."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from arbitree.table.unreadable import told


def write_whole(data: bytes, path: Path) -> None:
    """Write everything, or raise OSError and leave no part of it in a file."""
    try:
        _to_file(data, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def read_whole(path: Path) -> bytes:
    """Everything in a file; what cannot be read is told with what could be meant."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise told(error, path) from error


def _to_file(data: bytes, path: Path) -> None:
    path = path.resolve()
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        with path.open("wb") as device:
            device.write(data)
        return
    handle, beside = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, _mode(path))
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def _mode(path: Path) -> int:
    """Permissions of the file that is replaced, or those that any new file gets."""
    if path.exists():
        return stat.S_IMODE(path.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
