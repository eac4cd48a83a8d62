"""The section of a page on why: what carries each gap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...influence.result import Influence
from ...influence.words import r2_warning
from ..influence_phrases import (
    MAX_DISPLAY,
    caveats,
    compared,
    facts,
    gap_of,
    other_notices,
    sentence,
    split_rows,
)
from ..influence_tables import groups_display, influences_display, proxies_display
from ..influence_text import PROXY_ADVICE
from .blocks import Folded, Lines, Paragraph, Part, Table
from .columns import table_of
from .influence_charts import pair_chart, waterfall_chart


def influence_blocks(infl: Influence) -> Part:
    """One explained gap: the sum in words and as a waterfall, tables, the strongest pair."""
    told: list[Any] = [Paragraph(text=sentence(infl))]
    told += [Paragraph(text=line, tone="warning") for line in caveats(infl)]
    pair = pair_chart(infl)
    folded: list[Any] = [_groups(infl), *_proxies(infl)]
    notes = [*r2_warning(infl.r2), *other_notices(infl)]
    return Part(
        title=f"{gap_of(infl)}: {compared(infl)}",
        blocks=(
            *told,
            waterfall_chart(infl),
            _influences(infl),
            *([Folded(title="The strongest pair of features", blocks=(pair,))] if pair else []),
            Folded(
                title="How far to trust it",
                blocks=(*folded, Lines(items=(*facts(infl), *notes))),
            ),
        ),
    )


def _influences(infl: Influence) -> Table:
    frame = influences_display(infl)
    kept, others = split_rows(infl.table, MAX_DISPLAY)
    raw = [*kept["influence"], *([others["influence"].sum()] if len(others) else [])]
    raw += [infl.unexplained, infl.gap]
    order: dict[str, Any] = {"influence": raw}
    for name in frame.columns[3:]:
        order[str(name)] = [_leading(text) for text in frame[name]]
    n = " and ".join(f"{n:,}" for n in infl.r2["n"])
    return table_of(frame, caption=f"What carries the gap; n = {n} rows", order=order)


def _leading(text: str) -> float:
    return float(text.rstrip("%")) if text.endswith("%") and text[0] != "<" else np.nan


def _groups(infl: Influence) -> Table:
    frame = groups_display(infl)
    order: dict[str, Any] = {"n": infl.r2["n"], "rate": [_leading(text) for text in frame["rate"]]}
    order |= {"R2 in-sample": infl.r2["in_sample"], "R2 out-of-fold": infl.r2["out_of_fold"]}
    return table_of(frame, caption="How much the functions explain", order=order)


def _proxies(infl: Influence) -> list[Any]:
    if not len(infl.proxies):
        return []
    frame = proxies_display(infl).rename(columns={"": "note"})
    order = {"AUC": pd.Series(infl.proxies["auc"].head(len(frame)))}
    caption = "Features that tell the two groups apart best"
    return [table_of(frame, caption=caption, order=order), Paragraph(text=PROXY_ADVICE)]
