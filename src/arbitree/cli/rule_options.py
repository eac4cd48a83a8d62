"""Options of the commands that hold rules against a model, and the rules they name."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .._errors import InputError

if TYPE_CHECKING:
    from ..rules.ruleset import Rules

_RULES, _OUT = "Rules", "Output"


class Contradictions(StrEnum):
    """What becomes of rows that contradict a rule."""

    error = "error"
    keep = "keep"
    relabel = "relabel"
    drop = "drop"


Model = Annotated[
    Path,
    typer.Argument(
        metavar="MODEL",
        help="A tree.json, as arbitree learn -o writes it, or a skops, XGBoost or LightGBM file.",
    ),
]
TreeToRepair = Annotated[
    Path,
    typer.Argument(
        metavar="MODEL",
        help="A tree.json, as arbitree learn -o writes it, or a skops file of a single "
        "DecisionTreeClassifier.",
    ),
]
RulesFile = Annotated[
    Path | None,
    typer.Option(
        "--rules",
        metavar="FILE",
        help="Rules as text, or as YAML or JSON by its name.",
        rich_help_panel=_RULES,
    ),
]
OneRule = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="RULE",
        help="A rule, such as 'age < 18 => no'; repeat it for several.",
        rich_help_panel=_RULES,
    ),
]
Timeout = Annotated[
    float,
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        help="What an ensemble may take for each rule; a single tree is decided at once.",
        rich_help_panel=_RULES,
    ),
]
DomainFile = Annotated[
    str | None,
    typer.Option(
        "--data",
        metavar="FILE",
        help="Rows that say which there can be: in which columns values may be missing.  "
        "default: all that the model decides",
        rich_help_panel="Rows",
        show_default=False,
    ),
]
DataFile = Annotated[
    str,
    typer.Option(
        "--data",
        metavar="FILE",
        help="Labelled rows by which new decisions are chosen; CSV or Parquet.",
        rich_help_panel="Rows",
        show_default=False,
    ),
]
Policy = Annotated[
    Contradictions,
    typer.Option(
        "--contradictions",
        help="What becomes of rows that contradict a rule.",
        rich_help_panel=_RULES,
    ),
]
CounterexampleFile = Annotated[
    Path,
    typer.Option(
        "--counterexample",
        metavar="OUT.csv",
        help="Where a row that breaks a rule is written.",
        rich_help_panel=_OUT,
    ),
]
RepairedTree = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Where the repaired tree goes: .json .py .sql .onnx",
        rich_help_panel=_OUT,
        show_default=False,
    ),
]


def rules_of(file: Path | None, texts: list[str] | None) -> Rules:
    """The rules of a file, or those written as options.

    Raises
    ------
    InputError
        Both or neither are given, or there is no rule.
    RuleError
    """
    from ..rules.ruleset import Rules

    if (file is None) == (not texts):
        raise InputError("Give --rules FILE, or --rule 'age < 18 => no', once or more.")
    rules = Rules.parse("\n".join(texts or ())) if file is None else Rules.read(file)
    if not rules.rules:
        raise InputError("There is no rule: a rule says what to decide, as in 'age < 18 => no'.")
    return rules
