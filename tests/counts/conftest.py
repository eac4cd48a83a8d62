"""Lanes and blocks so short that small tables use many of them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from arbitree.counts import accumulate, cells


@pytest.fixture(scope="module")
def short_lanes():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accumulate, "ROWS_A_LANE", 5)
        patch.setattr(accumulate, "ROWS_A_CELL", 0)
        patch.setattr(accumulate, "ROWS_A_BLOCK", 3)
        patch.setattr(cells, "ROWS_A_BLOCK", 3)
        yield


@pytest.fixture
def run_python():
    """What a new interpreter prints for some code."""

    def run(code: str, **environment: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run
