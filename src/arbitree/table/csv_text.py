"""The bytes of a CSV file as UTF-8, whatever its encoding."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from arbitree._errors import InputError
from arbitree.table.raw_file import RawFile

BLOCK = 1 << 20  # bytes; a block with its masks stays in the processor's cache
_LONGEST_LINE = 64 << 20
_MARKS = (  # byte order marks; UTF-32's begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class CsvText:
    """Text of a file, in an encoding that its byte order mark tells, or the user, or UTF-8.

    A UTF-8 byte order mark stays the first character, as in any other text.

    Raises
    ------
    InputError
        If there is no such encoding, or, while reading, if bytes are not in that encoding.
    """

    def __init__(self, raw: RawFile, encoding: str | None = None) -> None:
        self.raw = raw
        self.encoding = _encoding(raw, encoding)

    @property
    def is_utf8(self) -> bool:
        return self.encoding == "utf-8"

    def blocks(self) -> Iterator[bytes]:
        """All of the text as UTF-8, in blocks that each end where a line ends."""
        carry = b""
        for block in self._checked():
            carry += block
            stop = carry.rfind(b"\n") + 1 or carry.rfind(b"\r", 0, len(carry) - 1) + 1
            if stop:
                yield carry[:stop]
                carry = carry[stop:]
            elif len(carry) > _LONGEST_LINE:
                raise InputError(
                    f"{self.raw.name} has no end of line in {_LONGEST_LINE >> 20} MB, so it is not "
                    "a CSV file. Check the file."
                )
        if carry:
            yield carry

    @contextmanager
    def open(self, n_skipped: int) -> Iterator[IO[str]]:
        """The text without its first `n_skipped` characters, line ends as they are."""
        with (
            self.raw.open() as file,
            io.TextIOWrapper(file, encoding=self.encoding, newline="") as text,
        ):
            while n_skipped:
                n_skipped -= len(text.read(n_skipped))
            yield text

    def write_utf8(self, path: Path) -> None:
        """Write all of the text to `path` as UTF-8."""
        with path.open("wb") as file:
            for block in self.blocks():
                file.write(block)

    def _checked(self) -> Iterator[bytes]:
        """Blocks of UTF-8, known to be valid and without NUL."""
        decoder = codecs.getincrementaldecoder(self.encoding)()
        offset = 0
        with self.raw.open() as file:
            last = False
            while not last:
                block = file.read(BLOCK)
                last = not block
                try:
                    text = decoder.decode(block, last)
                except UnicodeDecodeError as error:
                    begin = offset + len(block) - len(error.object)
                    raise self._undecodable(begin + error.start, error) from error
                except UnicodeError as error:  # UTF-16 without a byte order mark
                    raise InputError(
                        f"{self.raw.name} cannot be read as {self.encoding}: {error}. Pass "
                        f"encoding='{self.encoding}-le' or encoding='{self.encoding}-be'."
                    ) from error
                out = block if self.is_utf8 and text.isascii() else text.encode()
                if b"\0" in out:
                    raise self._has_nul(offset + block.find(b"\0"))
                offset += len(block)
                yield out

    def _undecodable(self, offset: int, error: UnicodeDecodeError) -> InputError:
        found = error.object[error.start]
        advice = (
            "Pass its encoding: often encoding='cp1252' (Windows) or encoding='latin-1'."
            if self.is_utf8
            else "Pass another encoding, such as encoding='utf-8' or encoding='cp1252'."
        )
        return InputError(
            f"{self.raw.name} is not {self.encoding} text: the byte at offset {offset:,} is "
            f"0x{found:02x}, which cannot be decoded there. {advice}"
        )

    def _has_nul(self, offset: int) -> InputError:
        return InputError(
            f"{self.raw.name} has a NUL byte at offset {offset:,}, which text does not have. If "
            "it was saved as 'Unicode', pass encoding='utf-16-le'; else it is not a CSV file or "
            "it is damaged."
        )


def _encoding(raw: RawFile, encoding: str | None) -> str:
    """The encoding's name as codecs spells it."""
    with raw.open() as file:
        head = file.read(4)
    marked = next((name for mark, name in _MARKS if head.startswith(mark)), None)
    if encoding is None:
        return marked or "utf-8"
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)
    except (LookupError, ValueError) as error:
        raise InputError(
            f"encoding={encoding!r} is not an encoding of text. Pass one such as 'utf-8', "
            "'utf-16', 'cp1252' or 'latin-1'."
        ) from error
    if marked and name.replace("-sig", "").startswith(marked):
        return marked
    return "utf-8" if name == "utf-8-sig" else name
