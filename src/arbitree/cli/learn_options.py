"""Options that only ``arbitree learn`` has, each with its help."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Split(StrEnum):
    """Kinds of splits."""

    threshold = "threshold"
    logistic = "logistic"
    multiway = "multiway"


class Bounded(StrEnum):
    """Gaps that can be bounded."""

    statistical_parity = "statistical_parity"
    equal_opportunity = "equal_opportunity"
    predictive_equality = "predictive_equality"
    equalized_odds = "equalized_odds"
    conditional_statistical_parity = "conditional_statistical_parity"


_COLUMNS, _HOW, _OUT = "Columns", "How the tree grows", "Output"
_FAIR, _TEST = "How fair it must be", "Held-out rows"

Target = Annotated[
    str,
    typer.Option(
        "--label",
        metavar="COL",
        help="Column that the tree learns to decide.",
        rich_help_panel=_COLUMNS,
        show_default=False,
    ),
]
Favored = Annotated[
    list[str] | None,
    typer.Option(
        "--favorable",
        metavar="V",
        help="The label that people want; repeat it for several.",
        rich_help_panel=_COLUMNS,
    ),
]
Predictors = Annotated[
    list[str] | None,
    typer.Option(
        "--features",
        metavar="COL,..",
        help="Columns that the tree may ask for.  default: all without another role",
        rich_help_panel=_COLUMNS,
        show_default=False,
    ),
]
NoPredictors = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude",
        metavar="COL,..",
        help="Columns that it may not, such as what is known only afterwards.",
        rich_help_panel=_COLUMNS,
        show_default=False,
    ),
]
Within = Annotated[
    list[str] | None,
    typer.Option(
        "--control",
        metavar="COL,..",
        help="Compare groups within each combination of these columns' values; for the metric "
        "conditional_statistical_parity.",
        rich_help_panel=_COLUMNS,
    ),
]
AllowSensitive = Annotated[
    bool,
    typer.Option(
        "--allow-sensitive-splits",
        help="Let --features name sensitive columns, so that the tree may split on them.",
        rich_help_panel=_COLUMNS,
    ),
]
TreeGap = Annotated[
    float | None,
    typer.Option(
        "--max-gap",
        metavar="GAP",
        help="Bound the gap of the whole tree on training rows. Exit 1 where it is above GAP "
        "nevertheless, or is above it on held-out rows by more than chance.",
        rich_help_panel=_FAIR,
    ),
]
CovarianceBound = Annotated[
    float | None,
    typer.Option(
        "--covariance",
        metavar="C",
        help="Bound each split's covariance with the group; with --split logistic: C-LRT.",
        rich_help_panel=_FAIR,
    ),
]
SplitBound = Annotated[
    float | None,
    typer.Option(
        "--split-gap",
        metavar="EPS",
        help="Bound how differently the groups leave each split.",
        rich_help_panel=_FAIR,
    ),
]
GapOf = Annotated[
    Bounded | None,
    typer.Option(
        "--metric",
        metavar="NAME",
        help="The gap: statistical_parity, equal_opportunity, predictive_equality, "
        "equalized_odds or conditional_statistical_parity.  Default: the first, with --control "
        "the last.",
        rich_help_panel=_FAIR,
        show_default=False,
    ),
]
Joint = Annotated[
    bool,
    typer.Option(
        "--joint/--no-joint",
        help="Compare combinations of the sensitive columns, or the groups of each by itself.",
        rich_help_panel=_FAIR,
    ),
]
SplitKind = Annotated[
    Split,
    typer.Option(
        "--split",
        help="A threshold or a set of levels; where a logistic regression changes its decision; "
        "a branch a level.",
        rich_help_panel=_HOW,
    ),
]
MaxLeaves = Annotated[int, typer.Option(min=2, metavar="N", rich_help_panel=_HOW)]
MaxDepth = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="Default: no limit; 5 with --max-gap.", rich_help_panel=_HOW
    ),
]
MinSamplesLeaf = Annotated[
    int, typer.Option(min=1, metavar="N", help="Rows of each leaf.", rich_help_panel=_HOW)
]
Monotonic = Annotated[
    list[str] | None,
    typer.Option(
        "--monotonic",
        metavar="COL=1,..",
        help="The favourable decision gets no less likely as the column grows, with -1 no more "
        "likely; increasing and decreasing say the same.",
        rich_help_panel=_HOW,
        show_default=False,
    ),
]
TestShare = Annotated[
    float,
    typer.Option(
        min=0,
        metavar="SHARE",
        help="Of the rows, drawn at random, which the tree never sees and is measured on; 0: none.",
        rich_help_panel=_TEST,
    ),
]
Confidence = Annotated[float, typer.Option(help="Of the intervals.", rich_help_panel=_TEST)]
TreePlot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        help="Also draw the tree: .svg .png .pdf",
        rich_help_panel=_OUT,
    ),
]
TreeFile = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the tree: .json, or as source .py .sql, text .txt, or .onnx .skops; - writes "
        "JSON to standard output instead of the report.",
        rich_help_panel=_OUT,
    ),
]
