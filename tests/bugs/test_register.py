"""Every failure that was reported of other tools has its test here, or its reason to wait."""

from __future__ import annotations

import ast
import csv
from pathlib import Path

import pytest

from .register import AREAS, LATER, TESTS

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def areas(shared_bugs) -> dict[str, str]:
    """Area of each reported failure, by its number."""
    with (shared_bugs / "buglog.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row["area"] for row in csv.DictReader(file)}


def test_every_failure_of_a_kind_that_this_version_can_have_is_tested(areas):
    asked = {number for number, area in areas.items() if area in AREAS}
    assert sorted(asked - set(TESTS) - set(LATER)) == []


def test_the_register_names_no_failure_that_was_not_reported(areas):
    assert sorted((set(TESTS) | set(LATER)) - set(areas)) == []
    assert not set(TESTS) & set(LATER)


def test_every_test_that_is_named_exists():
    known = {
        node.name
        for path in ROOT.rglob("test_*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }
    named = {name for names in TESTS.values() for name in names}
    assert sorted(named - known) == []
    assert all(TESTS.values())
