"""The command line: parse, call, print, and an exit status."""

from __future__ import annotations

from .app import main

__all__ = ["main"]
