"""What a solver prints by itself does not stand in what the command writes."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from arbitree.cli.solver_lines import solver_lines_on_stderr

PRINTS = """
import ctypes
from arbitree.cli.solver_lines import solver_lines_on_stderr
print("before")
with solver_lines_on_stderr():
    ctypes.CDLL(None).printf(b"a line of the solver\\n")
print("after")
"""


@pytest.mark.skipif(os.name != "posix", reason="asks the C library of a POSIX system")
def test_a_line_of_compiled_code_goes_to_standard_error():
    done = subprocess.run(
        [sys.executable, "-c", PRINTS], capture_output=True, text=True, check=True
    )
    assert done.stdout == "before\nafter\n"
    assert done.stderr == "a line of the solver\n"


def test_an_output_in_memory_is_left_alone(monkeypatch):
    written = io.StringIO()
    monkeypatch.setattr(sys, "stdout", written)
    with solver_lines_on_stderr():
        print("within")
    assert written.getvalue() == "within\n"
