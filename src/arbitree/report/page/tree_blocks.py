"""The section of a page on the chosen tree: to fold, to walk, and how it decides unseen rows."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ...tree.learned import Learned
from ...tree.measured import Measured, ratio_text
from ..few_rows import few_rows_notes
from ..learned_text import facts, gap_words, headline
from ..phrases import points_text, share_text, spelled
from ..tree_numbers import tree_numbers
from .blocks import MOST_ROWS, Folded, Lines, Paragraph, Table
from .columns import table_of
from .tree_view import tree_view


def tree_blocks(learned: Learned) -> list[Any]:
    """A learnt tree: its view, measures on both kinds of rows, and what each split adds."""
    numbers = tree_numbers(learned.model)
    notes = [*learned.notices, *few_rows_notes(learned)]
    blocks: list[Any] = [
        Paragraph(text=headline(learned)),
        Lines(items=tuple(facts(learned))),
        tree_view(
            numbers,
            title=f"The tree for {learned.label}",
            domain=learned.model.domain_,
        ),
        _measures(learned),
    ]
    blocks += [_groups(learned)]
    if len(learned.splits):
        blocks.append(Folded(title="What each split adds to the gap", blocks=(_splits(learned),)))
    return [*blocks, *([Lines(items=tuple(notes))] if notes else [])]


def _parts(learned: Learned) -> list[tuple[str, Measured]]:
    held_out = [] if learned.held_out is None else [("unseen rows", learned.held_out)]
    return [*held_out, ("training rows", learned.training)]


def _measures(learned: Learned) -> Table:
    rows = [
        {
            "rows": name,
            "n": one.n_rows,
            "accuracy": share_text(one.accuracy.value, one.accuracy.low, one.accuracy.high),
            "balanced accuracy": share_text(
                one.balanced_accuracy.value,
                one.balanced_accuracy.low,
                one.balanced_accuracy.high,
            ),
            f"{spelled(learned.metric)} gap": gap_words(learned, one),
            "impact ratio": ratio_text(one.impact_ratio),
        }
        for name, one in _parts(learned)
    ]
    confidence = f"{100 * learned.confidence:g}%"
    caption = f"How well and how evenly the tree decides; {confidence} intervals"
    return table_of(pd.DataFrame(rows), caption=caption)


def _groups(learned: Learned) -> Table:
    name, measured = _parts(learned)[0]
    groups = measured.by_group
    frame = pd.DataFrame(
        {
            "group": groups["group"].astype(str),
            "grouping": groups["grouping"].astype(str),
            "among": groups["condition"].astype(str),
            "n": groups["n"],
            "share favourable": [
                share_text(row["rate"], row["ci_low"], row["ci_high"])
                for _, row in groups.iterrows()
            ],
            "status": groups["status"].astype(str),
        }
    )
    caption = f"What the tree decides by group, on {name}"
    return table_of(frame, caption=caption, order={"share favourable": groups["rate"]})


def _splits(learned: Learned) -> Table:
    order = learned.splits["contribution"].abs().sort_values(ascending=False, kind="stable").index
    splits = learned.splits.loc[order] if len(order) > MOST_ROWS else learned.splits
    frame = splits.copy()
    points = [name for name in ("eps", "contribution") if name in frame]
    for name in points:
        frame[name] = [points_text(v, float("nan"), float("nan"), "+") for v in splits[name]]
    sizes = {name: splits[name] for name in points}
    return table_of(frame, caption="Gap on training rows, split by split", order=sizes)
