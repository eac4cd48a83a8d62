"""Options that only ``arbitree report`` has, each with its help."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .config import configured
from .learn_options import Bounded
from .options import Explained

__all__ = ["Bounded", "Explained"]


class Layout(StrEnum):
    """For whom a report is laid out."""

    full = "full"
    summary = "summary"
    ll144 = "ll144"
    memo = "memo"
    model_card = "model-card"


_COLUMNS, _HOW, _OUT = "Columns", "How it is measured", "Output"
_TREE, _GATE = "The fairer tree", "Gate"

Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="TOML",
        help="Settings by the names of these options, as in max-gap = 0.05; options win.",
        rich_help_panel=_COLUMNS,
        is_eager=True,
        callback=configured,
    ),
]
RulesFile = Annotated[
    Path | None,
    typer.Option(
        "--rules",
        metavar="FILE",
        help="Known rules: what the tree must obey, proved of it and of a --model.",
        rich_help_panel=_COLUMNS,
    ),
]
FourFifths = Annotated[
    float,
    typer.Option(help="Impact ratios below it are called out.", rich_help_panel=_HOW),
]
PoolShare = Annotated[
    float,
    typer.Option(
        metavar="SHARE",
        help="Groups with a smaller share of the rows are audited like all others, but no gap "
        "of theirs is split over features, and the smallest are one for the tree and the "
        "certificate.",
        rich_help_panel=_HOW,
    ),
]
ExplainedMetric = Annotated[
    list[Explained] | None,
    typer.Option(
        "--explain-metric",
        metavar="NAME",
        help="A gap to split over features; may be repeated.  Default: statistical_parity.",
        rich_help_panel=_HOW,
    ),
]
Bootstrap = Annotated[
    int, typer.Option(help="Resamplings behind the intervals of influences.", rich_help_panel=_HOW)
]
Metric = Annotated[
    Bounded,
    typer.Option(
        "--metric", metavar="NAME", help="The gap of the tree's budget.", rich_help_panel=_TREE
    ),
]
MaxGap = Annotated[
    float | None,
    typer.Option(
        metavar="GAP",
        help="Budget of the tree's gap on training rows; exit 1 where it is above GAP on test rows "
        "by more than chance.  Default: the strictest that costs at most --accuracy-cost.",
        rich_help_panel=_TREE,
        show_default=False,
    ),
]
AccuracyCost = Annotated[
    float,
    typer.Option(help="What fairness may cost where no --max-gap is given.", rich_help_panel=_TREE),
]
Budgets = Annotated[
    list[float] | None,
    typer.Option(
        "--budget",
        metavar="GAP",
        help="A budget of the frontier; may be repeated.  Default: 0.01 0.02 0.05 0.1 0.2.",
        rich_help_panel=_TREE,
        show_default=False,
    ),
]
Joint = Annotated[
    bool,
    typer.Option(
        "--joint/--no-joint",
        help="Bound the gap between combinations of the sensitive columns, or between the groups "
        "of each.",
        rich_help_panel=_TREE,
    ),
]
MaxLeaves = Annotated[int, typer.Option(min=2, metavar="N", rich_help_panel=_TREE)]
MaxDepth = Annotated[int, typer.Option(min=1, metavar="N", rich_help_panel=_TREE)]
MinSamplesLeaf = Annotated[
    int, typer.Option(min=1, metavar="N", help="Rows of each leaf.", rich_help_panel=_TREE)
]
CalibrationShare = Annotated[
    float,
    typer.Option(
        metavar="SHARE",
        help="Of the rows, drawn at random: for the certificate alone.",
        rich_help_panel=_TREE,
    ),
]
TestShare = Annotated[
    float,
    typer.Option(
        metavar="SHARE",
        help="Of the rows, drawn at random: for the tree's own audit alone.",
        rich_help_panel=_TREE,
    ),
]
Splits = Annotated[
    int, typer.Option(min=2, help="Of the training rows, for the frontier.", rich_help_panel=_TREE)
]
FailUnder = Annotated[
    float | None,
    typer.Option(
        metavar="RATIO",
        help="Exit 1 where an impact ratio of the decisions is below it.",
        rich_help_panel=_GATE,
    ),
]
LayoutOf = Annotated[
    Layout,
    typer.Option(
        help="Everything; one page; a public summary in the manner of Local Law 144; a validation "
        "memo; the fairness section of a model card.",
        rich_help_panel=_OUT,
    ),
]
Page = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to a file: .html .md .tex .json; - is standard output.  Default: report.html, "
        "and standard output for the layouts ll144, memo and model-card.",
        rich_help_panel=_OUT,
        show_default=False,
    ),
]
Files = Annotated[
    Path | None,
    typer.Option(
        "--files",
        metavar="FOLDER",
        help="Where every number goes, as JSON and CSV, with tree and certificate.  Default: "
        "beside a .html file, named after it.",
        rich_help_panel=_OUT,
        show_default=False,
    ),
]
NoFiles = Annotated[
    bool, typer.Option("--no-files", help="Write the page alone.", rich_help_panel=_OUT)
]
Title = Annotated[str | None, typer.Option(metavar="TEXT", rich_help_panel=_OUT)]
Date = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="A date to print. Without one, two runs give the same bytes.",
        rich_help_panel=_OUT,
    ),
]
