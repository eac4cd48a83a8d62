"""Fixtures that every room's tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # a busy machine is no failure
settings.load_profile("untimed")

SHARED = Path(__file__).resolve().parents[1].parent / "shared"


def _folder(name: str) -> Path:
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip(f"needs the folder ../shared/{name}, which is not part of this repository")
    return folder


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with the real datasets; skips where it is absent."""
    return _folder("data")


@pytest.fixture(scope="session")
def shared_bugs() -> Path:
    """The folder with failures reported of other tools; skips where it is absent."""
    return _folder("bugs")
