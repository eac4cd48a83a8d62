"""Modules of benchmarks, which are no package."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks" / "influence"


@pytest.fixture
def module(monkeypatch):
    """A module beside the benchmark, by its name."""
    monkeypatch.syspath_prepend(str(FOLDER))
    return import_module
