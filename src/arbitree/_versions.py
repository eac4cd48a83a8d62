"""Which versions made a result."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import version


def versions(*packages: str) -> dict[str, str]:
    """Versions of Python and of packages.

    Examples
    --------
    >>> sorted(versions("numpy"))
    ['numpy', 'python']
    """
    return {"python": platform.python_version(), **{name: _version(name) for name in packages}}


@cache
def _version(package: str) -> str:
    """Looked up once: it takes 20 ms on a disk."""
    return version(package)
