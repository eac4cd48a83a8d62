"""``arbitree demo``: the audit of generated loan decisions."""

from __future__ import annotations

from time import monotonic
from typing import Annotated

import typer

from . import options as opt
from .audit import written
from .gate import Thresholds
from .output import Format, Output
from .render import Rendering
from .words import Words, told_warnings

Rows = Annotated[int, typer.Option(min=100, help="Loan applications to draw.")]


def demo(rows: Rows = 100_000, seed: opt.Seed = 0, quiet: opt.Quiet = False) -> int:
    """Audit generated loan decisions, whose true rates are known; writes no file."""
    from ..datasets import make_lending
    from ..groups.audit import audit

    words = Words(quiet=quiet)
    words.say(f"drawing {rows:,} loan applications, approved or not, repaid or not")
    started = monotonic()
    loans = make_lending(rows, random_state=seed)
    frame = loans.frame
    with told_warnings(words):
        found = audit(
            frame[loans.decision],
            sensitive_features=frame[list(loans.sensitive)],
            y_true=frame[loans.label],
            favorable_label="yes",
            missing="drop",
            random_state=seed,
        )
    status = written(
        found,
        Output(format=Format.TEXT),
        Rendering(),
        Thresholds(),
        words,
        elapsed=monotonic() - started,
    )
    words.say(
        "the same for a file of yours: arbitree audit FILE --decision approved --favorable yes "
        "--sensitive sex,race --label repaid"
    )
    return status
