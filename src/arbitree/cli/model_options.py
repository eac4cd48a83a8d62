"""Options about a model's file, and about groups that are known as probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from .model_file import ModelFile
from .values import names

_COLUMNS, _MODEL = "Columns", "The model's file"

Model = Annotated[
    Path | None,
    typer.Option(
        metavar="MODEL",
        help="A tree.json, skops, ONNX, XGBoost or LightGBM file: its decisions on these rows, "
        "instead of a column's.",
        rich_help_panel=_COLUMNS,
    ),
]
ModelColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--model-columns",
        metavar="COL,..",
        help="What the model reads, in the order of its training, where its file has no names.",
        rich_help_panel=_MODEL,
        show_default=False,
    ),
]
AllowPickle = Annotated[
    bool,
    typer.Option(
        "--allow-pickle",
        help="Open a model that is a pickle, which can run any program: only if you trust whoever "
        "made it.",
        rich_help_panel=_MODEL,
    ),
]
Trust = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TYPE",
        help="A type that a skops file may hold besides those that are known; may be repeated.",
        rich_help_panel=_MODEL,
        show_default=False,
    ),
]
SensitiveProbabilities = Annotated[
    list[str] | None,
    typer.Option(
        "--sensitive-probabilities",
        metavar="COL,..",
        help="Columns with the probability of each group, which sum to 1, instead of groups.",
        rich_help_panel=_COLUMNS,
        show_default=False,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """How a model's file, which is an argument of the command, is opened."""

    model_columns: ModelColumns = None
    allow_pickle: AllowPickle = False
    trust: Trust = None

    def file(self, path: Path) -> ModelFile:
        """The file and what is said of it."""
        columns = self.model_columns
        return ModelFile(
            path=path,
            allow_pickle=self.allow_pickle,
            trust=tuple(self.trust or ()),
            columns=None if columns is None else names("--model-columns", columns),
        )
