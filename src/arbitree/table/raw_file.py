"""The bytes of a file: found, spooled, decompressed, hashed."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import importlib
import lzma
import os
import shutil
import sys
import tempfile
import weakref
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from threading import Thread
from typing import IO, Any, cast

from arbitree._errors import InputError, MissingDependencyError
from arbitree._wording import nearest
from arbitree.table.unreadable import why

STANDARD_INPUT = "-"
INSTALL = 'Install it with: pip install "arbitree[files]"'

_MAGIC = (
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"PAR1", "parquet"),
    (b"PK\x03\x04", "excel"),
    (b"\xd0\xcf\x11\xe0", "excel"),
)
COMPRESSED = ("gzip", "bz2", "xz", "zstd")
_DAMAGE = (EOFError, OSError, lzma.LZMAError, zlib.error)


class RawFile:
    """A file; standard input or a pipe is kept in a temporary file until `close`.

    Parameters
    ----------
    path : str or path
        ``"-"`` is standard input.

    Attributes
    ----------
    name : str
        What messages call it.
    path : Path
    kind : str or None
        What its first bytes say: ``"gzip"``, ``"bz2"``, ``"xz"``, ``"zstd"``, ``"parquet"``,
        ``"excel"`` (or another zip archive), or None.
    size : int
        Bytes on disk.

    Raises
    ------
    InputError
        If there is no such file, or it cannot be read.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._digest: Future[str] | None = None
        self._delete: Callable[[], object] = lambda: None
        self.name, self.path = "standard input", Path(STANDARD_INPUT)
        if str(path) != STANDARD_INPUT:
            self.path = existing(path)
            self.name = self.path.name
        if not self.path.is_file():
            self.path = _spooled(self.path)
            self._delete = weakref.finalize(self, _unlink, self.path)
        try:
            with self.path.open("rb") as file:
                head = file.read(8)
        except OSError as error:
            raise InputError(f"{self.name} cannot be read: {why(error, self.path)}") from error
        self.kind = next((kind for magic, kind in _MAGIC if head.startswith(magic)), None)
        self.size = self.path.stat().st_size

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Its bytes from the start, decompressed.

        Raises
        ------
        InputError
            If the compressed data are damaged, whenever that is noticed.
        MissingDependencyError
            For Zstandard, without a library that reads it.
        """
        try:
            with _opened(self.path, self.kind) as file:
                yield file
        except Exception as error:
            if isinstance(error, _DAMAGE) or type(error).__name__ in ("ZstdError", "ZstdException"):
                raise _damaged(self.name, error) from error
            raise

    def start_sha256(self) -> None:
        """Begin to hash the bytes on disk, beside whatever comes next."""
        if self._digest is None:
            path = self.path  # not self, which would live on in the thread
            self._digest = in_background(lambda: sha256_of(path))

    def describe(self) -> dict[str, Any]:
        """``name``, ``size`` and ``sha256`` of the bytes on disk."""
        self.start_sha256()
        assert self._digest is not None
        return {"name": self.name, "size": self.size, "sha256": self._digest.result()}

    def close(self) -> None:
        """Delete the copy of standard input."""
        if self._digest is not None:
            self._digest.result()
        self._delete()


def existing(path: str | os.PathLike[str]) -> Path:
    """`path` itself, if there is something there.

    Raises
    ------
    InputError
        Suggests a file of a similar name.
    """
    found = Path(path)
    if found.exists():
        return found
    folder = found.parent
    if not folder.is_dir():
        raise InputError(f"There is no folder {str(folder)!r}, so no file {found.name!r} in it.")
    names = sorted(entry.name for entry in folder.iterdir() if not entry.name.startswith("."))
    hint = nearest(found.name, names)
    hint = hint if hint.startswith("Did you mean") else "Check the path."
    raise InputError(f"There is no file {str(found)!r}. {hint}")


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def in_background(task: Any) -> Future[Any]:
    """Run `task()` in a thread of its own; hashing leaves the interpreter free meanwhile."""
    future: Future[Any] = Future()

    def run() -> None:
        try:
            future.set_result(task())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future


def temporary(suffix: str) -> Path:
    """A new empty file that only this user can read."""
    handle, path = tempfile.mkstemp(prefix="arbitree-", suffix=suffix)
    os.close(handle)
    return Path(path)


def _spooled(source: Path) -> Path:
    """Standard input, or a pipe, as a file that can be read again."""
    path = temporary(".input")
    try:
        with _stream(source) as stream, path.open("wb") as file:
            shutil.copyfileobj(stream, file, 1 << 20)
    except BaseException:
        _unlink(path)
        raise
    return path


def _stream(source: Path) -> AbstractContextManager[IO[bytes]]:
    if str(source) != STANDARD_INPUT:
        return source.open("rb")
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise InputError("There is no standard input to read. Pass the path of a file.")
    return nullcontext(stream)


def _unlink(path: Path) -> None:
    path.unlink(missing_ok=True)


def _opened(path: Path, kind: str | None) -> IO[bytes]:
    if kind == "gzip":
        return cast(IO[bytes], gzip.open(path))
    if kind == "bz2":
        return cast(IO[bytes], bz2.open(path))
    if kind == "xz":
        return cast(IO[bytes], lzma.open(path))
    if kind == "zstd":
        return _open_zstd(path)
    return path.open("rb")


def _open_zstd(path: Path) -> IO[bytes]:
    """Python 3.14 reads Zstandard itself; before that some library has to."""
    for module in ("compression.zstd", "backports.zstd", "zstandard"):
        try:
            return cast(IO[bytes], importlib.import_module(module).open(path, "rb"))
        except ImportError:
            continue
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingDependencyError(
            f"{path.name} is compressed with Zstandard, which needs PyArrow. {INSTALL}"
        ) from error
    return cast(IO[bytes], pa.input_stream(str(path), compression="zstd"))


def _damaged(name: str, error: BaseException) -> InputError:
    return InputError(
        f"{name} cannot be read to its end: {error}. The file is damaged or was cut off; "
        "get it again."
    )
