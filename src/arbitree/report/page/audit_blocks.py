"""The sections of a page on who is treated how: groups, and the gaps between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from ...groups.result import Audit
from ...groups.status import OK
from ..display import gaps_display, groups_display, rates_display, scores_display
from ..legend import legend
from ..phrases import Section, facts, gap_text, percent, remarks, sections, spelled
from .blocks import Folded, Lines, Part, Table
from .columns import table_of
from .gaps_chart import gaps_chart
from .rates_chart import rates_chart
from .widest import largest_gap

PARTS = 24  # groupings with a picture of their own; the others have tables


def audit_blocks(audit: Audit, threshold: float) -> list[Any]:
    """Each grouping with its picture and its tables."""
    told = [*facts(audit), *legend(audit, threshold, difference=True, short=False)]
    blocks: list[Any] = [Lines(items=tuple(told))]
    for place, section in enumerate(sections(audit)):
        chart = rates_chart(section, threshold) if place < PARTS else None
        parts = [chart] if chart is not None else []
        blocks.append(Part(title=section.title, blocks=(*parts, *_tables(section, threshold))))
    if audit.unknown["n_missing"].any():
        frame = audit.unknown.rename(columns={"n_missing": "rows"})
        frame["share"] = frame["share"].map(percent)
        blocks.append(
            Part(
                title="Rows of unknown group",
                blocks=(
                    table_of(
                        frame,
                        caption="Rows whose group is not known",
                        order={"share": audit.unknown["share"]},
                    ),
                ),
            )
        )
    return blocks


def _tables(section: Section, threshold: float) -> Iterator[Any]:
    reference = section.reference
    compared = "no reference group" if reference is None else f"compared with {reference}"
    yield _groups(section, threshold, f"Groups by {section.title}, {compared}")
    rates = rates_display(section)
    if not rates.empty:
        yield Folded(title="Other rates, which need labels", blocks=(_rates(section, rates),))
    scores = scores_display(section)
    if not scores.empty:
        order = {"n": section.groups["n"], "mean score": section.groups["mean_score"]}
        order["SMD"] = section.groups["smd"]
        yield table_of(scores, caption=f"Scores by {section.title}", order=order)
    told = remarks(section)
    if told:
        yield Lines(items=tuple(told))


def _groups(section: Section, threshold: float, caption: str) -> Table:
    groups = section.groups
    frame = groups_display(section, threshold)
    order = {
        "n": groups["n"],
        "selected": groups["n_selected"],
        "selection rate": groups["selection_rate"],
        "impact ratio": groups["impact_ratio"],
        "difference": groups["difference"],
    }
    if "p_value" in groups:
        order["p"] = groups["p_value"]
    below = groups["impact_ratio"] < threshold
    return table_of(frame, caption=caption, order=order, marks=["low" if b else "" for b in below])


def _rates(section: Section, frame: pd.DataFrame) -> Table:
    rates = section.rates[section.rates["metric"] != "selection_rate"]
    order = {name: rates[name] for name in ("n", "k", "value", "difference", "ratio")}
    return table_of(frame, caption=f"Rates by {section.title}", order=order)


def gaps_blocks(audit: Audit) -> list[Any]:
    """All gaps: the picture, and a table."""
    chart = gaps_chart(audit.gaps)
    frames = [_gaps_frame(section) for section in sections(audit)]
    frames = [frame for frame in frames if not frame.empty]
    if not frames:
        return []
    frame = pd.concat(frames, ignore_index=True)
    table = table_of(
        frame.drop(columns=["raw"]), caption="Gaps between groups", order={"value": frame["raw"]}
    )
    return [*([chart] if chart is not None else []), table]


def _gaps_frame(section: Section) -> pd.DataFrame:
    frame = gaps_display(section)
    frame.insert(1, "grouping", section.title)
    return frame.assign(raw=section.gaps["value"].to_numpy())


def _among(row: pd.Series) -> str:
    return "between groups of enough rows " if row["status"] == OK else ""


def gaps_sentence(audit: Audit) -> str:
    """The largest gap, in words."""
    row = largest_gap(audit)
    if row is None:
        return "No gap between groups can be estimated."
    return (
        f"The largest gap {_among(row)}is in {spelled(str(row['metric']))} by {row['grouping']}: "
        f"{gap_text(row)}, {row['group_high']} over {row['group_low']}."
    )
