"""The tables of the Local Law 144 summary as a reader sees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from .._tables import NOT_AVAILABLE
from ..groups.groupings import SEPARATOR
from .phrases import percent, rate_text


def headers(*, scored: bool) -> list[str]:
    """The columns of a table; their numbers are those of 6 RCNY 5-301 (b), or (c) of scores."""
    counted = ["beyond the median", "scoring rate"] if scored else ["selected", "selection rate"]
    return ["category", "applicants", "share", *counted, "impact ratio"]


def tables(categories: pd.DataFrame, control: Sequence[str]) -> Iterator[tuple[str, pd.DataFrame]]:
    """The categories of each grouping, within each segment, below its name."""
    keys = [*control, "grouping"]
    for (*segment, grouping), rows in categories.groupby(keys, sort=False):
        where = ", ".join(f"{name}={value}" for name, value in zip(control, segment))
        yield (f"{grouping} ({where})" if where else str(grouping)), rows


def display(rows: pd.DataFrame, *, scored: bool) -> pd.DataFrame:
    """Each number as text, and the note of its row."""
    texts: list[list[str]] = [
        rows["category"].astype(str).tolist(),
        [f"{n:,}" for n in rows["n_applicants"]],
        [percent(share) for share in rows["share"]],
        [f"{n:,}" for n in rows["n_selected"]],
        [rate_text(rate) for rate in rows["selection_rate"]],
        [NOT_AVAILABLE if pd.isna(ratio) else f"{ratio:.3f}" for ratio in rows["impact_ratio"]],
        rows["note"].tolist(),
    ]
    names = [*headers(scored=scored), "note"]
    columns: dict[str, list[str]] = dict(zip(names, texts))
    return pd.DataFrame(columns)


def intersectional(
    shown: pd.DataFrame, names: Sequence[str], levels: Sequence[Sequence[str]]
) -> pd.DataFrame:
    """A table of crossings with a column for each of its two parts, as the rule shows one.

    Parameters
    ----------
    shown : DataFrame
        With the column category.
    names : sequence of two str
    levels : sequence of two sequences of str
        The categories of each part. Where two pairs would read the same, the table is as it was.
    """
    pairs = [(one, other) for one in levels[0] for other in levels[1]]
    parts = {SEPARATOR.join(pair): pair for pair in pairs}
    wanted = shown["category"].tolist()
    if len(parts) < len(pairs) or not set(wanted) <= set(parts) or names[0] == names[1]:
        return shown
    rest = shown.drop(columns="category")
    if set(rest.columns) & set(names):
        return shown
    found = pd.DataFrame([parts[text] for text in wanted], columns=list(names), index=rest.index)
    return pd.concat([found, rest], axis=1)
