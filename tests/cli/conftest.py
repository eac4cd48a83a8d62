"""A small file of decisions whose counts are known, and a way to run commands on it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from arbitree.cli import main


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        return json.loads(self.out)

    def groups(self, grouping: str) -> dict[str, dict]:
        return {row["group"]: row for row in self.json["by_group"] if row["grouping"] == grouping}


@pytest.fixture
def run(capfdbinary) -> Callable[..., Ran]:
    """Run a command in this process."""

    def run_command(*arguments: object) -> Ran:
        capfdbinary.readouterr()
        status = main([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return Ran(status, out.decode(), err.decode())

    return run_command


def loan_rows() -> list[dict[str, object]]:
    """200 loans: 30 of 100 women and 60 of 100 men are approved; of 4 the race is unknown."""
    rows = []
    for sex, approved in (("Female", 30), ("Male", 60)):
        for i in range(100):
            rows.append(
                {
                    "sex": sex,
                    "race": "" if i < 2 else ("Black" if i % 4 == 0 else "White"),
                    "age": 20 + i % 60,
                    "region": "north" if i % 2 else "south",
                    "approved": "yes" if i < approved else "no",
                    "repaid": "good" if i % 5 else "bad",
                    "score": f"{i / 100:.2f}",
                    "weight": 1 + i % 3,
                    "note": "?" if i % 10 == 0 else 'n, "quoted"\nline',
                }
            )
    return rows


@pytest.fixture(scope="session")
def loans(tmp_path_factory) -> Path:
    """Those loans as a CSV file."""
    path = tmp_path_factory.mktemp("loans") / "loans.csv"
    return write_csv(path, loan_rows())


def write_csv(path: Path, rows: list[dict[str, object]], **options: object) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), **options)
        writer.writeheader()
        writer.writerows(rows)
    return path


BASE = ("--decision", "approved", "--favorable", "yes", "--sensitive", "sex")
