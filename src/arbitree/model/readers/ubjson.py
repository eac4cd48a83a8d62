"""Universal Binary JSON, as XGBoost writes it, with no byte read that is not there.

References
----------
Draft 12 of the format, https://ubjson.org/.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_NUMBERS = {"i": ">i1", "U": ">u1", "I": ">i2", "l": ">i4", "L": ">i8", "d": ">f4", "D": ">f8"}
_WORDS = {"Z": None, "T": True, "F": False}
_MOST_NESTED = 100


def parse_ubjson(data: bytes) -> Any:
    """What stands in the bytes; lists of one kind of number become arrays.

    Raises
    ------
    ValueError
        If they are no whole document.

    Examples
    --------
    >>> parse_ubjson(b"{U\\x01n[i\\x01i\\x02]}")
    {'n': [1, 2]}
    """
    reader = _Reader(data)
    found = reader.value(reader.marker(), 0)
    if reader.at != len(data):
        raise ValueError(f"more follows at byte {reader.at:,}")
    return found


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def taken(self, n: int) -> bytes:
        """The next n bytes."""
        if not 0 <= n <= len(self.data) - self.at:
            raise ValueError(f"it is cut off at byte {self.at:,}")
        self.at += n
        return self.data[self.at - n : self.at]

    def marker(self) -> str:
        return self.taken(1).decode("latin-1")

    def is_next(self, marker: bytes) -> bool:
        """Whether a marker comes next, which is then passed."""
        found = self.data.startswith(marker, self.at)
        self.at += len(marker) * found
        return found

    def number(self, kind: str) -> Any:
        if kind not in _NUMBERS:
            raise ValueError(f"no number is marked {kind!r}, at byte {self.at:,}")
        dtype = np.dtype(_NUMBERS[kind])
        return np.frombuffer(self.taken(dtype.itemsize), dtype)[0].item()

    def length(self) -> int:
        found = self.number(self.marker())
        if not isinstance(found, int) or found < 0:
            raise ValueError(f"{found} is no length, at byte {self.at:,}")
        return found

    def text(self) -> str:
        try:
            return self.taken(self.length()).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"a text is no UTF-8 before byte {self.at:,}") from error

    def value(self, kind: str, depth: int) -> Any:
        if depth > _MOST_NESTED:
            raise ValueError(f"it is nested more than {_MOST_NESTED} deep")
        if kind == "{":
            return self.mapping(depth)
        if kind == "[":
            return self.sequence(depth)
        if kind == "S":
            return self.text()
        return _WORDS[kind] if kind in _WORDS else self.number(kind)

    def mapping(self, depth: int) -> dict[str, Any]:
        found = {}
        while not self.is_next(b"}"):
            name = self.text()
            found[name] = self.value(self.marker(), depth + 1)
        return found

    def sequence(self, depth: int) -> Any:
        kind = self.marker() if self.is_next(b"$") else None
        if self.is_next(b"#"):
            n = self.length()
            if kind in _NUMBERS:
                dtype = np.dtype(_NUMBERS[kind])
                return np.frombuffer(self.taken(n * dtype.itemsize), dtype)
            if kind is None and n <= len(self.data):
                return [self.value(self.marker(), depth + 1) for _ in range(n)]
        elif kind is None:
            several = []
            while not self.is_next(b"]"):
                several.append(self.value(self.marker(), depth + 1))
            return several
        raise ValueError(f"a list is not as XGBoost writes one, at byte {self.at:,}")
