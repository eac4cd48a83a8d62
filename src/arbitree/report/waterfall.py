"""The bars of a waterfall: a gap as a sum that starts at 0 and ends at the gap."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ..influence.result import Influence
from .influence_phrases import split_rows, unit
from .plot_names import columns, telling_names

NAME = 28  # columns of a feature's name


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One bar: from `start` to `start + value`, in the gap's own unit times `scale`."""

    label: str
    kind: str
    start: float
    value: float  # NaN where it is not known
    low: float
    high: float


def feature_labels(sets: Sequence[tuple[Hashable, ...]]) -> list[str]:
    """A label for each set of features; each name keeps its ends and stays apart from others.

    >>> feature_labels([("age",), ("age", "workclass"), ("capital-gain", "marital-status")])
    ['age', 'age x workclass', 'capital-gain x\\nmarital-status']
    """
    names = list(dict.fromkeys(name for features in sets for name in features))
    short = dict(zip(names, telling_names([str(name) for name in names], width=NAME)))
    return [_label([short[name] for name in features]) for features in sets]


def _label(names: Sequence[str]) -> str:
    """On one line where that is no longer than a single name may be."""
    text = " x ".join(names)
    return text if columns(text) <= NAME else " x\n".join(names)


def waterfall_steps(infl: Influence, max_display: int) -> list[Step]:
    """The bars, top to bottom; each starts where the one before it ends."""
    scale = unit(infl)[0]
    strongest, others = split_rows(infl.table, max_display)
    rows = [
        (label, row["influence"], row["ci_low"], row["ci_high"])
        for label, row in zip(
            feature_labels(strongest["features"].tolist()), strongest.to_dict("records")
        )
    ]
    if len(others):
        rows.append((f"other ({len(others):,})", *infl.summed(others.index.to_numpy())))
    kinds = ["narrows the gap" if value < 0 else "widens the gap" for _, value, *_ in rows]
    rows.append(("unexplained", infl.unexplained, infl.unexplained_low, infl.unexplained_high))
    found, reached = [], 0.0
    for kind, (label, value, low, high) in zip([*kinds, "unexplained"], rows):
        found.append(
            Step(
                label=label,
                kind=kind,
                start=reached * scale,
                value=value * scale,
                low=(reached + low) * scale,
                high=(reached + high) * scale,
            )
        )
        reached += float(np.nan_to_num(value))
    gap = infl.gap * scale
    return [*found, Step(label="gap", kind="the gap", start=0, value=gap, low=np.nan, high=np.nan)]
