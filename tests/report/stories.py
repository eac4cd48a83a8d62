"""Stories of small files, each told once."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

import arbitree as ar
from arbitree.report.story.build import tell
from arbitree.report.story.result import Story
from arbitree.report.story.settings import Settings
from arbitree.table.coded import CodedTable

QUICK: dict[str, Any] = {
    "n_bootstrap": 10,
    "max_order": 1,
    "n_resamples": 100,
    "n_splits": 2,
    "bounds": (0.05, 0.2),
    "max_depth": 2,
    "max_leaves": 4,
}
RULES = "age < 21 => no [id: minors]\nincome < 15000 and tenure < 1 => no [id: no-means]"
SENSITIVE = ("sex", "race")


def lent(n_rows: int = 1500) -> pd.DataFrame:
    """Generated loans."""
    return ar.datasets.make_lending(n_rows).frame


def table_of(frame: pd.DataFrame, **roles: Any) -> CodedTable:
    """A frame, through a file."""
    options: dict[str, Any] = {"features": "all", "missing": "drop", "max_bins": 65_535}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "loans.csv"
        frame.to_csv(path, index=False)
        return ar.read(path, **(options | roles))


def loans_table(**changes: Any) -> CodedTable:
    """The loans with their usual roles, or with others."""
    roles: dict[str, Any] = {
        "sensitive": list(SENSITIVE),
        "decision": "approved",
        "label": "repaid",
        "favorable_label": "yes",
    }
    roles |= changes
    kept = {name: value for name, value in roles.items() if value is not None}
    return table_of(lent(), **kept)


@cache
def loans() -> Story:
    """Everything: decisions, labels, features and rules."""
    return tell(
        loans_table(),
        settings=Settings(**QUICK),
        rules=ar.Rules.parse(RULES),
        command="arbitree report loans.csv",
    )


@cache
def decisions_only() -> Story:
    """Decisions and features, without labels."""
    return tell(loans_table(label=None), settings=Settings(**QUICK))


def hostile_frame(n_rows: int = 400) -> pd.DataFrame:
    """Names that are markup, formulas, very long or not Latin; groups of one row."""
    rng = np.random.default_rng(0)
    names = ["<script>alert(1)</script>", "a|b", "=cmd()", "🙂 zwei\nZeilen", "名" * 80]
    names.append("$x_1$ & 100%")
    groups = [*rng.choice(names, n_rows - 2).tolist(), "only one", "only another"]
    return pd.DataFrame(
        {
            "группа | <b>": groups,
            "=SUM(A1)": rng.integers(0, 5, n_rows),
            "f" * 120: rng.choice(list("abc"), n_rows),
            "decided": np.where(rng.random(n_rows) < 0.5, "yes", "no"),
            "label": np.where(rng.random(n_rows) < 0.6, "good", "<i>bad</i>"),
        }
    )


@cache
def hostile() -> Story:
    """The story of that frame."""
    table = table_of(
        hostile_frame(),
        sensitive=["группа | <b>"],
        decision="decided",
        favorable_label="yes",
        label="label",
        label_favorable="good",
    )
    return tell(table, settings=Settings(**QUICK), command="arbitree report 'x | <b>.csv'")
