"""The options by which a command reads its table: columns, rows and the file itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .._errors import ColumnError, InputError
from .._wording import nearest
from . import options as opt
from .model_file import ModelFile
from .values import bins, names, separator, threshold
from .words import Words

if TYPE_CHECKING:
    from ..table.coded import CodedTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Which rows of a file are read, and how it is written."""

    where: opt.Where = None
    missing: opt.MissingPolicy = opt.Missing.drop
    missing_value: opt.MissingValue = None
    complete_rows: opt.CompleteRows = False
    sep: opt.Sep = None
    encoding: opt.Encoding = None
    decimal: opt.Decimal = None
    thousands: opt.Thousands = None

    def arguments(self) -> dict[str, Any]:
        """Those of `arbitree.read`."""
        return {
            "where": self.where,
            "missing": self.missing.value,
            "missing_values": ("", *(self.missing_value or ())),
            "complete_rows": self.complete_rows,
            "sep": separator(self.sep),
            "encoding": self.encoding,
            "decimal": self.decimal,
            "thousands": separator(self.thousands),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the columns of a file of decisions are."""

    sensitive: opt.MaybeSensitive = None
    sensitive_probabilities: opt.SensitiveProbabilities = None
    decision: opt.Decision = None
    model: opt.Model = None
    model_columns: opt.ModelColumns = None
    allow_pickle: opt.AllowPickle = False
    trust: opt.Trust = None
    favorable: opt.Favorable = None
    label: opt.Label = None
    label_favorable: opt.LabelFavorable = None
    score: opt.Score = None
    score_threshold: opt.ScoreThreshold = None
    lower_score_favorable: opt.LowerScoreFavorable = False
    weight: opt.Weight = None
    bins: opt.Bins = None

    def check(self) -> None:
        """Refuse what would be ignored."""
        if not self.sensitive and not self.sensitive_probabilities:
            raise InputError("Give --sensitive COL,.. or --sensitive-probabilities COL,COL,..")
        if self.model is not None:
            self._check_model()
        elif self.decision is None and self.score is None:
            raise InputError(
                "Give --decision COL, --score COL with --score-threshold T, or --model MODEL."
            )
        elif self.decision is None and self.score_threshold is None:
            raise InputError("--score without --decision needs --score-threshold T.")
        if self.decision is not None and self.score_threshold is not None:
            raise InputError(
                "Decisions come from --decision or from --score-threshold, not from both."
            )
        self._check_of_model()
        if self.decision is not None and self.decision == self.label:
            raise InputError(
                f"--decision and --label both name {self.decision!r}, so that every rate that "
                "needs labels would be 0 or 1. Leave --label out of an audit, and --decision out "
                "of arbitree report, which then tells of the labels themselves."
            )
        if self.lower_score_favorable and self.score_threshold is None:
            raise InputError("--lower-score-favorable needs --score-threshold T.")
        if self.label_favorable and self.label is None:
            raise InputError("--label-favorable needs --label COL.")

    def _check_model(self) -> None:
        columns = {"--decision": self.decision, "--score": self.score}
        for option, given in {**columns, "--score-threshold": self.score_threshold}.items():
            if given is not None:
                raise InputError(f"Decisions come from --model or from {option}, not from both.")

    def _check_of_model(self) -> None:
        given = {"--model-columns": self.model_columns, "--trust": self.trust}
        for option, value in {**given, "--allow-pickle": self.allow_pickle}.items():
            if value and self.model is None:
                raise InputError(f"{option} is about the file of --model, and there is none.")

    @property
    def model_file(self) -> ModelFile | None:
        """The model and what is said of it."""
        if self.model is None:
            return None
        columns = self.model_columns
        return ModelFile(
            path=self.model,
            allow_pickle=self.allow_pickle,
            trust=tuple(self.trust or ()),
            columns=None if columns is None else names("--model-columns", columns),
        )

    @property
    def sensitive_names(self) -> tuple[str, ...]:
        """The columns with people's groups."""
        return names("--sensitive", self.sensitive) if self.sensitive else ()

    @property
    def probability_names(self) -> tuple[str, ...]:
        """The columns with the probabilities of people's groups."""
        given = self.sensitive_probabilities
        return names("--sensitive-probabilities", given) if given else ()

    def arguments(self) -> dict[str, Any]:
        """Those of `arbitree.read`."""
        return {
            "sensitive": self.sensitive_names,
            "probabilities": self.probability_names,
            "decision": self.decision,
            "label": self.label,
            "score": self.score,
            "weight": self.weight,
            "favorable_label": self.favorable or None,
            "label_favorable": self.label_favorable or None,
            "score_threshold": threshold(self.score_threshold),
            "lower_score_favorable": self.lower_score_favorable,
            "bins": bins(self.bins or ()),
        }


def table_of(file: str, arguments: dict[str, Any], words: Words) -> CodedTable:
    """Read a file, with a bar on a terminal."""
    from ..table.reader import read

    with words.progress(f"reading {file}") as progress:
        return read(file, progress=progress, **arguments)


def without(table: CodedTable, excluded: Sequence[str]) -> CodedTable:
    """The table without some features; columns that are none anyway may be named too."""
    known = [column.name for column in table.features]
    others = [*table.left_out, *(column.name for column in (*table.sensitive, *table.control))]
    outcomes = (table.decisions, table.labels)
    others += [outcome.name for outcome in outcomes if outcome is not None]
    others += () if table.probabilities is None else table.probabilities.groups
    for name in excluded:
        if name not in (*known, *others):
            raise ColumnError(
                f"--exclude names {name!r}, which is no feature. {nearest(name, known)}"
            )
    kept = tuple(column for column in table.features if column.name not in excluded)
    return replace(table, features=kept)


def check_jobs(n_jobs: int | None) -> None:
    """Refuse numbers of threads that make no sense."""
    if n_jobs is not None and (n_jobs == 0 or n_jobs < -1):
        raise InputError(f"--n-jobs is {n_jobs}. Give a number of threads, or -1 for every core.")
