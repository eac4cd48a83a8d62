"""The options of the command line, each with its help, so that commands that share one agree."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .model_options import AllowPickle as AllowPickle
from .model_options import Model as Model
from .model_options import ModelColumns as ModelColumns
from .model_options import SensitiveProbabilities as SensitiveProbabilities
from .model_options import Trust as Trust


class Missing(StrEnum):
    """What a row of unknown group means."""

    drop = "drop"
    group = "group"
    error = "error"


class Layout(StrEnum):
    """How results are laid out."""

    full = "full"
    ll144 = "ll144"


class Table(StrEnum):
    """Tables of an audit."""

    by_group = "by_group"
    rates = "rates"
    gaps = "gaps"
    summary = "summary"
    overall = "overall"
    unknown = "unknown"


class Explained(StrEnum):
    """Gaps that can be explained."""

    statistical_parity = "statistical_parity"
    equal_opportunity = "equal_opportunity"
    predictive_equality = "predictive_equality"
    equalized_odds = "equalized_odds"
    predictive_parity = "predictive_parity"


_COLUMNS, _ROWS, _FILE = "Columns", "Rows", "Reading the file"
_HOW, _OUT, _GATE = "How it is measured", "Output", "Gate"

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="CSV, Parquet or a folder of Parquet; - is standard input.",
        show_default=False,
    ),
]
Sensitive = Annotated[
    list[str],
    typer.Option(
        metavar="COL,..",
        help="Columns with people's groups: separated by commas, or the option repeated. A name "
        "with a comma in it is put in double quotes: --sensitive '\"distance, km\"'.",
        rich_help_panel=_COLUMNS,
        show_default=False,
    ),
]
MaybeSensitive = Annotated[
    list[str] | None,
    typer.Option(
        "--sensitive",
        metavar="COL,..",
        help="Columns with people's groups: separated by commas, or the option repeated. A name "
        "with a comma in it is put in double quotes: --sensitive '\"distance, km\"'.",
        rich_help_panel=_COLUMNS,
        show_default=False,
    ),
]
Decision = Annotated[
    str | None,
    typer.Option(metavar="COL", help="Column with the decisions.", rich_help_panel=_COLUMNS),
]
Favorable = Annotated[
    list[str] | None,
    typer.Option(
        metavar="V",
        help="The decision that people want; repeat it for several.",
        rich_help_panel=_COLUMNS,
    ),
]
Label = Annotated[
    str | None,
    typer.Option(metavar="COL", help="Column with what came true.", rich_help_panel=_COLUMNS),
]
LabelFavorable = Annotated[
    list[str] | None,
    typer.Option(
        metavar="V",
        help="The favourable label, where labels are coded otherwise than decisions.",
        rich_help_panel=_COLUMNS,
    ),
]
Score = Annotated[
    str | None,
    typer.Option(
        metavar="COL",
        help="Column with scores; decides where there is no --decision.",
        rich_help_panel=_COLUMNS,
    ),
]
ScoreThreshold = Annotated[
    str | None,
    typer.Option(
        metavar="T",
        help="Favourable is a score of at least T, or above the 'median'.",
        rich_help_panel=_COLUMNS,
    ),
]
LowerScoreFavorable = Annotated[
    bool,
    typer.Option(
        "--lower-score-favorable",
        help="Favourable is a score of at most T instead.",
        rich_help_panel=_COLUMNS,
    ),
]
Control = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COL,..",
        help="Audit each combination of these columns' values on its own.",
        rich_help_panel=_COLUMNS,
    ),
]
Weight = Annotated[
    str | None,
    typer.Option(metavar="COL", help="Column with sample weights.", rich_help_panel=_COLUMNS),
]
Bins = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COL=A,B",
        help="Cut a numeric sensitive column at these points, as in age=25,40,65.",
        rich_help_panel=_COLUMNS,
    ),
]
Where = Annotated[
    str | None,
    typer.Option(
        metavar="SQL", help="Keep the rows for which this is true.", rich_help_panel=_ROWS
    ),
]
MissingPolicy = Annotated[
    Missing,
    typer.Option(
        "--missing",
        help="Rows of unknown group: excluded and listed, a group of their own, or an error.",
        rich_help_panel=_ROWS,
    ),
]
MissingValue = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT",
        help="A text that means missing, as the empty one does; may be repeated.",
        rich_help_panel=_ROWS,
    ),
]
CompleteRows = Annotated[
    bool,
    typer.Option(
        "--complete-rows",
        help="Leave out rows with a missing value in any column of the file.",
        rich_help_panel=_ROWS,
    ),
]
Sep = Annotated[
    str | None,
    typer.Option(
        metavar="CHAR",
        help="What separates cells: , ; tab. Found out by default.",
        rich_help_panel=_FILE,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Such as utf-8 or cp1252.", rich_help_panel=_FILE),
]
Decimal = Annotated[
    str | None, typer.Option(metavar="CHAR", help="The decimal mark.", rich_help_panel=_FILE)
]
Thousands = Annotated[
    str | None,
    typer.Option(metavar="CHAR", help="What separates thousands.", rich_help_panel=_FILE),
]
Cross = Annotated[
    bool,
    typer.Option(
        "--cross/--no-cross",
        help="Also audit the crossings of the sensitive columns.",
        rich_help_panel=_HOW,
    ),
]
Reference = Annotated[
    list[str] | None,
    typer.Option(
        metavar="GROUP",
        help="Compare with the best group (of the highest rate), the largest, a group, or "
        "COL=GROUP, repeated for several columns. Default: best.",
        rich_help_panel=_HOW,
        show_default=False,
    ),
]
Confidence = Annotated[float, typer.Option(help="Of the intervals.", rich_help_panel=_HOW)]
MinGroupSize = Annotated[
    int, typer.Option(help="Flag groups with fewer rows.", rich_help_panel=_HOW)
]
Resamples = Annotated[
    int, typer.Option(help="Resamplings behind intervals of gaps.", rich_help_panel=_HOW)
]
Seed = Annotated[
    int, typer.Option(min=0, metavar="N", help="Of all random numbers.", rich_help_panel=_HOW)
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--n-jobs",
        help="Threads at most; an audit needs one. Numbers never depend on it.",
        rich_help_panel=_HOW,
    ),
]
PValues = Annotated[
    bool,
    typer.Option("--p-values", help="Test each group against the reference.", rich_help_panel=_HOW),
]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.", rich_help_panel=_OUT)]
AsMarkdown = Annotated[
    bool, typer.Option("--markdown", help="Write Markdown.", rich_help_panel=_OUT)
]
AsCsv = Annotated[bool, typer.Option("--csv", help="Write CSV, one table.", rich_help_panel=_OUT)]
CsvTable = Annotated[
    Table | None,
    typer.Option(
        "--table",
        metavar="NAME",
        help="Which table CSV is of: by_group, rates, gaps, summary, overall or unknown.  "
        "Default: by_group.",
        rich_help_panel=_OUT,
    ),
]
LayoutOf = Annotated[
    Layout,
    typer.Option(
        "--layout",
        help="Everything, or a summary in the manner of New York's Local Law 144: the first two "
        "sensitive columns are sex and race.",
        rich_help_panel=_OUT,
    ),
]
MinShare = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        help="Layout ll144: mark categories with a smaller share. Default: 0.02.",
        rich_help_panel=_OUT,
    ),
]
ExcludeBelowMinShare = Annotated[
    bool,
    typer.Option(
        "--exclude-below-min-share",
        help="Layout ll144: leave these categories out of the impact ratio.",
        rich_help_panel=_OUT,
    ),
]
OutputFile = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to a file: .txt .md .json .csv .html .tex",
        rich_help_panel=_OUT,
    ),
]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        help="On standard error only errors and failed gates; no notes, no progress.",
        rich_help_panel=_OUT,
    ),
]
FailUnder = Annotated[
    float | None,
    typer.Option(
        metavar="RATIO",
        help="Exit 1 where an impact ratio is below it; 0.8 is the four-fifths rule.",
        rich_help_panel=_GATE,
    ),
]
MaxGap = Annotated[
    float | None,
    typer.Option(metavar="GAP", help="Exit 1 where a gap is above it.", rich_help_panel=_GATE),
]
Metric = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="A gap that must be estimable, and that --max-gap is about; may be repeated.  "
        "Default: statistical_parity.",
        rich_help_panel=_GATE,
    ),
]

Features = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COL,..",
        help="Columns that may explain the gap.  default: all without another role",
        rich_help_panel=_COLUMNS,
        show_default=False,
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COL,..",
        help="Columns that may not, such as scores and outcomes.",
        rich_help_panel=_COLUMNS,
        show_default=False,
    ),
]
GapMetric = Annotated[
    Explained,
    typer.Option(
        "--metric",
        help="The gap to explain; all but the first need --label. Of the last two, the condition "
        "with the larger gap.",
        rich_help_panel=_HOW,
    ),
]
MaxOrder = Annotated[
    int, typer.Option(help="Features in the largest combination, 1 to 3.", rich_help_panel=_HOW)
]
Groups = Annotated[
    str | None,
    typer.Option(
        metavar="HIGH,LOW",
        help="The two groups, such as 'Male x White,Female x Black'.  default: the highest and "
        "the lowest rate",
        rich_help_panel=_HOW,
        show_default=False,
    ),
]
Pairs = Annotated[
    str,
    typer.Option(
        metavar="auto|all|N",
        help="Pairs of features: the 120 that look strongest, all, or the N strongest.",
        rich_help_panel=_HOW,
    ),
]
NIntervals = Annotated[
    int, typer.Option(help="Of the splines of numeric features.", rich_help_panel=_HOW)
]
CrossFit = Annotated[
    int,
    typer.Option(
        help="Folds: functions are evaluated on rows that they were not fitted to; 0: on the same.",
        rich_help_panel=_HOW,
    ),
]
Bootstrap = Annotated[
    int, typer.Option(help="Resamplings behind the intervals; 0: none.", rich_help_panel=_HOW)
]
MaxDisplay = Annotated[
    int,
    typer.Option(
        help="Rows of influences in text, Markdown, HTML and plots; the weakest are added up.",
        rich_help_panel=_OUT,
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        help="Also draw how the gap adds up: .svg .png .pdf",
        rich_help_panel=_OUT,
    ),
]
