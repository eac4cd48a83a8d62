"""Lines that a compiled solver prints by itself, kept out of what the command writes."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def solver_lines_on_stderr() -> Iterator[None]:
    """Let what compiled code prints to standard output go to standard error.

    HiGHS prints a line now and then that no option silences (ERGO-Code/HiGHS#2783); with
    ``-o -`` it would stand in the middle of a tree. Where there is no such thing as a file
    descriptor of standard output, nothing is done.
    """
    try:
        out, error = sys.stdout.fileno(), sys.stderr.fileno()
        kept = os.dup(out)
    except (AttributeError, OSError, ValueError):  # closed, or replaced by something in memory
        yield
        return
    sys.stdout.flush()
    os.dup2(error, out)
    try:
        yield
    finally:
        if os.name == "posix":  # the C library holds lines back until its buffer is full
            ctypes.CDLL(None).fflush(None)
        os.dup2(kept, out)
        os.close(kept)
