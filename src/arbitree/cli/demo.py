"""``arbitree demo``: the whole story on generated loan decisions, whose true rates are known."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from . import options as opt
from . import report_options as rep
from .reading import table_of
from .report import FINEST, Laying, needed, places_of, status_of, told, write_story
from .words import Words, told_warnings

Rows = Annotated[int, typer.Option(min=1000, help="Loan applications to draw.")]

#: What a lender may know before any data.
RULES = """
# Known before any data: who is too young, and who has neither income nor a job that lasts.
age < 21 => no                        [id: minors, reason: "no contract before 21"]
income < 15000 and tenure < 1 => no   [id: no-means, reason: "cannot be repaid"]
"""


def demo(
    rows: Rows = 20_000,
    seed: opt.Seed = 0,
    output_file: rep.Page = None,
    no_files: rep.NoFiles = False,
    quiet: opt.Quiet = False,
) -> int:
    """Tell the whole story of generated loan decisions, and write report.html.

    A scorecard decided on people from a population whose rates are known
    (`arbitree.datasets.make_lending`); two rules are what a lender could have.
    """
    words = Words(quiet=quiet)
    laying = Laying(output_file=output_file or Path("report.html"), no_files=no_files)
    needed(laying.layout)
    places = places_of(laying, reads="")
    words.say(f"drawing {rows:,} loan applications, approved or not, repaid or not")
    with TemporaryDirectory() as folder, told_warnings(words):
        file = Path(folder) / "loans.csv"
        lent = _draw(rows, seed, file)
        story = told(table_of(str(file), lent, words), words, **_asked(rows, seed))
    write_story(story, places, laying.layout, words)
    return status_of(story)


def _draw(rows: int, seed: int, file: Path) -> dict[str, Any]:
    """Write the decisions to a file, as a lender would have them; how to read it."""
    from ..datasets import make_lending

    loans = make_lending(rows, decided="points", random_state=seed)
    loans.frame.to_csv(file, index=False)
    return {
        "sensitive": loans.sensitive,
        "decision": loans.decision,
        "label": loans.label,
        "favorable_label": "yes",
        "features": "all",
        "missing": "drop",
        "max_bins": FINEST,
    }


def _asked(rows: int, seed: int) -> dict[str, Any]:
    """What the story is asked to tell."""
    from ..report.story.settings import Settings
    from ..rules.ruleset import Rules

    return {
        "settings": Settings(random_state=seed, n_splits=3, bounds=(0.05, 0.1, 0.2)),
        "rules": Rules.parse(RULES),
        "title": "Loans: the whole story of generated decisions",
        "command": f"arbitree demo --rows {rows} --seed {seed}",
    }
