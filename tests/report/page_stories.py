"""Small stories of tables made here, and the pages made of them."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

import arbitree as ar
from arbitree.report.page.document import html_of
from arbitree.report.story.build import tell
from arbitree.report.story.result import Story
from arbitree.report.story.settings import Settings

QUICK = Settings(
    bounds=(0.1,),
    n_bootstrap=20,
    n_resamples=100,
    n_splits=2,
    max_depth=3,
    max_leaves=6,
    max_order=2,
)
HOSTILE = (
    "<script>window.broken = 1</script>",
    "</script><img src=x onerror='window.broken = 2'>",
    "A|B",
    "=cmd()|' /C calc'!A0",
    'it\'s "quoted" & `ticked`',
    "👩‍🚀👍🏽 emoji",
    "two\nlines",
    "\u202egnp.exe",
    "{{ 7 * 7 }} ${7 * 7}",
    "日本語のとても長い名前",
    "long " + "a" * 120 + "1",
    "long " + "a" * 120 + "2",
)


def told(frame: pd.DataFrame, *, rules: str | None = None, **read: object) -> Story:
    """The story of a table, by way of a file, as users have it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        frame.to_csv(path, index=False)
        table = ar.read(path, missing="drop", **read)  # type: ignore[arg-type]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ar.ArbitreeWarning)  # of few rows
        return tell(
            table,
            settings=QUICK,
            rules=None if rules is None else ar.Rules.parse(rules),
            command="arbitree report people.csv -o report.html",
        )


def loans(n: int = 900) -> pd.DataFrame:
    """Loans decided by income, job and a date, which differ between the sexes; some are unknown."""
    rng = np.random.default_rng(0)
    sex = rng.choice(["f", "m"], n)
    income = np.round(rng.normal(40, 10, n) + 6 * (sex == "m"), 1)
    job = rng.choice(["clerk", "cook", "driver"], n)
    since = rng.choice(pd.date_range("2020-01-01", periods=300).strftime("%Y-%m-%d"), n)
    score = income + 6 * (job == "driver") + 8 * (since > "2020-06-01") + rng.normal(0, 4, n)
    frame = pd.DataFrame({"income": income, "job": job, "since": since, "sex": sex})
    frame.loc[rng.random(n) < 0.1, "income"] = np.nan
    frame["region"] = rng.choice([f"region {k:02d}" for k in range(14)], n)
    frame["approved"] = np.where(score > 46, "yes", "no")
    frame["repaid"] = np.where(score + rng.normal(0, 4, n) > 44, "yes", "no")
    return frame


@cache
def loan_story() -> Story:
    """Every part of a story, with a rule that holds and one that does not."""
    return told(
        loans(),
        rules="income < -1000 => no\nincome > 1000 => no",
        features=["income", "job", "since"],
        sensitive=["sex", "region"],
        decision="approved",
        favorable_label="yes",
        label="repaid",
        label_favorable="yes",
    )


@cache
def hostile_story() -> Story:
    """Names that would be markup, formulas or unreadable, wherever a name can stand."""
    rng = np.random.default_rng(1)
    n = 900
    group = np.array(HOSTILE, object)[np.arange(n) % len(HOSTILE)]
    level = rng.choice(np.array(["<b>bold</b>", "</script>", "x" * 90, "plain"], object), n)
    number = rng.normal(size=n).round(2) + (level == "plain")
    yes = np.where(number + (group == "A|B") > 0.3, "<i>yes</i>", "no|=1")
    frame = pd.DataFrame(
        {"<u>level</u> & co": level, 'num"ber': number, "</style><h1>group": group, "d|=x": yes}
    )
    frame["<script>y"] = yes
    return told(
        frame,
        features=["<u>level</u> & co", 'num"ber'],
        sensitive=["</style><h1>group"],
        decision="d|=x",
        favorable_label="<i>yes</i>",
        label="<script>y",
        label_favorable="<i>yes</i>",
    )


@cache
def plain_story() -> Story:
    """Decisions only: the other parts say why they are not there."""
    return told(
        loans(200),
        features=["income"],
        sensitive=["sex"],
        decision="approved",
        favorable_label="yes",
    )


@cache
def page(story: Story) -> str:
    """A page, made once."""
    return html_of(story)
