"""A file of decisions -> one coded table, without ever holding its rows."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

from arbitree._errors import ColumnError, InputError
from arbitree._wording import nearest
from arbitree.table.as_held import HeldPart, Reads
from arbitree.table.coded import CodedTable
from arbitree.table.coded_column import CodedColumn
from arbitree.table.coder import ColumnCoder
from arbitree.table.codings import CategoryCoding, Coding, NumericCoding
from arbitree.table.file_outcomes import Favor, FileOutcomes
from arbitree.table.fixed_part import FixedPart
from arbitree.table.gather import CodedPart, NumberPart
from arbitree.table.missing import check_policy
from arbitree.table.number_advice import nearly_numeric
from arbitree.table.open_source import Opened, open_source
from arbitree.table.passes import Passes, Progress
from arbitree.table.probabilities import group_probabilities
from arbitree.table.roles import Roles, roles
from arbitree.table.sources import check_columns, check_there
from arbitree.table.text import NumberStyle, Typing

_CODE_NAME = re.compile(
    r"(?:.*[\W_])?(?:zip|plz|postcode|(?:zip|postal|post)[ _-]?code|id|uuid|ssn)(?:[\W_].*)?", re.I
)
_ID_NAME = re.compile(r"(?:.*[\W_])?(?:id|uuid|ssn)", re.I)
_FEW = 50  # levels of a column of texts, below which it cannot be one of identifiers


def read(
    path: str | os.PathLike[str],
    *,
    features: str | Sequence[str] | None = None,
    sensitive: str | Sequence[str] | None = (),
    control: str | Sequence[str] | None = (),
    decision: str | None = None,
    label: str | None = None,
    score: str | None = None,
    weight: str | None = None,
    favorable_label: Any = None,
    label_favorable: Any = None,
    score_threshold: float | str | None = None,
    lower_score_favorable: bool = False,
    where: str | None = None,
    sep: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    missing_values: Collection[str] = ("",),
    missing: str = "error",
    complete_rows: bool = False,
    bins: Mapping[str, Sequence[float]] | None = None,
    max_bins: int = 255,
    codings: Mapping[str, Coding] | None = None,
    held: Mapping[str, Reads] | None = None,
    probabilities: Sequence[str] = (),
    progress: Progress | None = None,
) -> CodedTable:
    """Read a CSV file, a Parquet file, a folder of Parquet files or standard input.

    A file is read in batches: once if only groups and outcomes are wanted, at most three times
    with features of numbers. What is kept is a byte or two for each value.

    Parameters
    ----------
    path : str or path
        ``"-"`` is standard input. CSV may be compressed (.gz, .bz2, .xz, .zst).
    features : "all" or sequence of str, optional
        ``"all"``: every column without another role, but for columns of identifiers.
    sensitive, control : str or sequence of str
        Columns of groups; each value is a level, or each of the ranges in `bins`.
    decision, label, score, weight : str, optional
        With `score_threshold` and no decision, scores at or above it are favourable decisions.
    favorable_label, label_favorable : object, optional
        The favourable value or values of the decision, and of the label where it is another.
        Texts of a CSV file are compared as they are written.
    score_threshold, lower_score_favorable
        As in `arbitree.audit`; for the column of scores, or of decisions if there is none.
    where : str, optional
        A condition in SQL; only rows for which it is true are read. Needs the extra ``files``.
    sep, encoding : str, optional
        Of a CSV file; else as its header and its byte order mark show.
    decimal, thousands : str, optional
        How a CSV file writes numbers.
    missing_values : collection of str
        Texts that mean no value; an empty text always does. ``"NA"`` is a level unless named.
    missing : {"error", "drop", "group"}
        Policy for outcomes without a value, as in `arbitree.audit`. The table keeps it for groups
        without a value: `arbitree.audit_table` follows it unless it is told another.
    complete_rows : bool
        Leave out rows with a missing value in any column of the file, used or not.
    bins : mapping of str to sequence of float, optional
    max_bins : int
        Most codes for the numbers of a feature.
    codings : mapping of str to coding, optional
        Columns to code besides as a model does, whatever else they are.
    held : mapping of str to {"numbers", "values"}, optional
        Columns to keep besides as they are in the file, for a model that reads them so.
    probabilities : sequence of str, optional
        Columns with how likely a row is to belong to each group: `group_probabilities` of
        `arbitree.audit`.
    progress : callable, optional
        Called with the rows read so far and the rows of the file.

    Returns
    -------
    CodedTable
        With notices that the user should read, and the file's name, size and SHA-256.

    Raises
    ------
    InputError, ColumnError, LabelError, MissingValueError, MissingDependencyError

    Examples
    --------
    >>> table = read("loans.csv", decision="approved", favorable_label="yes",
    ...              sensitive=["sex", "race"])  # doctest: +SKIP
    """
    texts = frozenset(("", *_as_texts(missing_values)))
    favor = Favor(
        favorable_label=favorable_label,
        label_favorable=label_favorable,
        score_threshold=score_threshold,
        lower_score_favorable=lower_score_favorable,
        missing=check_policy(missing),
    )
    opened = open_source(
        path,
        where=where,
        sep=sep,
        encoding=encoding,
        decimal=decimal,
        thousands=thousands,
        missing_values=texts,
    )
    with closing(opened.source) as source:
        wanted = roles(
            source.columns,
            name=source.name,
            features=features,
            sensitive=sensitive,
            control=control,
            decision=decision,
            label=label,
            score=score,
            weight=weight,
            probabilities=probabilities,
        )
        passes = Passes(opened, missing=texts, complete_rows=complete_rows, progress=progress)
        check_columns(list(codings or ()), source.columns, where=source.name)
        fixed = [FixedPart(name, to, opened.style) for name, to in (codings or {}).items()]
        check_there(list(held or ()), source.columns, where=source.name)
        text = source.is_text
        kept = [
            HeldPart(name, opened.style, text=text, reads=to) for name, to in (held or {}).items()
        ]
        return _read(opened, wanted, favor, passes, bins or {}, max_bins, fixed, kept)


def _as_texts(values: Collection[str]) -> Collection[str]:
    if isinstance(values, str):
        return (values,)
    if not isinstance(values, Collection):
        raise InputError(f"missing_values is {values!r}. Pass a list of texts.")
    return values


def _read(
    opened: Opened,
    wanted: Roles,
    favor: Favor,
    passes: Passes,
    bins: Mapping[str, Sequence[float]],
    max_bins: int,
    fixed: Sequence[FixedPart],
    held: Sequence[HeldPart],
) -> CodedTable:
    source, text = opened.source, opened.source.is_text
    _check_bins(bins, wanted)
    outcomes = FileOutcomes(wanted, favor, opened.style, text=text)
    groups = {
        name: _part(name, opened, role="group", bins=bins.get(name))
        for name in dict.fromkeys((*wanted.sensitive, *wanted.control))
    }
    features = [
        _part(name, opened, optional=wanted.all_features, max_bins=max_bins)
        for name in wanted.features
    ]
    shares = [NumberPart(name, opened.style, what="probability") for name in wanted.probabilities]
    passes.feed([*groups.values(), *outcomes.parts, *features, *fixed, *held, *shares])
    probable, told = None, tuple[str, ...]()
    if shares:
        probable, told = group_probabilities(
            [part.finish() for part in shares], missing=favor.missing
        )
    kept, identifiers, why = _without_identifiers(features, optional=wanted.all_features)
    coded = {name: part.finish() for name, part in groups.items()}
    parts = [*groups.values(), *(part for part in features if part.failure is None)]
    names = [column.name for column in kept]
    return CodedTable(
        n_rows=passes.n_kept,
        features=tuple(kept),
        left_out=tuple(name for name in wanted.features if name not in names),
        sensitive=tuple(coded[name] for name in wanted.sensitive),
        control=tuple(coded[name] for name in wanted.control),
        **outcomes.finish(passes.n_kept),
        probabilities=probable,
        missing=favor.missing,
        notices=(
            *told,
            *source.notices,
            *passes.notices(),
            *why,
            *(notice for part in fixed for notice in part.notices),
            *(notice for part in parts for notice in part.coder.notices),
            *_decimal_commas([*groups.values(), *outcomes.parts, *features]),
            *(
                _nearly_numeric([*coded.values(), *kept, *identifiers], opened.style)
                if text
                else ()
            ),
            *(_named_like_codes(kept) if text else ()),
        ),
        source={**source.describe(), "n_rows": passes.n_read},
        for_model=tuple(part.finish() for part in fixed),
        held=tuple(part.finish() for part in held),
    )


def _check_bins(bins: Mapping[str, Sequence[float]], wanted: Roles) -> None:
    if not isinstance(bins, Mapping):
        raise InputError(f"bins is {bins!r}. Pass cut points by column: {{'age': [25, 40]}}.")
    groups = (*wanted.sensitive, *wanted.control)
    for name in bins:
        if name not in groups:
            hint = nearest(name, groups)
            raise ColumnError(f"bins names {name!r}, which no group column is. {hint}")


def _part(name: str, opened: Opened, *, optional: bool = False, **options: Any) -> CodedPart:
    typing = Typing(opened.style) if opened.source.is_text else None
    coder = ColumnCoder(name, typed=typing, **options)
    return CodedPart(name, coder, typing=typing, optional=optional)


def _decimal_commas(parts: Sequence[Any]) -> Iterator[str]:
    for part in parts:
        if getattr(part, "has_decimal_commas", False):
            yield f"The numbers of {part.name!r} are read with decimal commas."


def _without_identifiers(
    features: Sequence[CodedPart], *, optional: bool
) -> tuple[list[CodedColumn], list[CodedColumn], list[str]]:
    """Features; those left out because they only tell rows apart; what to say of what is left."""
    kept: list[CodedColumn] = []
    left_out: list[CodedColumn] = []
    notices: list[str] = []
    for part in features:
        if part.failure is not None:
            notices.append(f"The column {part.name!r} is left out of the features: {part.failure}")
            continue
        column = part.finish()
        if optional and _tells_rows_apart(column):
            left_out.append(column)
            notices.append(
                f"The column {part.name!r} is left out of the features, because its values look "
                "like identifiers. Name it among the features to use it."
            )
        else:
            kept.append(column)
    return kept, left_out, notices


def _tells_rows_apart(column: CodedColumn) -> bool:
    """More texts than half of the rows, or whole numbers with the name of an identifier."""
    if isinstance(column.coding, NumericCoding):
        many = not column.coding.exact and column.coding.kind == "integer"
        return many and _ID_NAME.fullmatch(str(column.name)) is not None
    return column.coding.n_values > max(_FEW, len(column.codes) // 2)


def _nearly_numeric(columns: Sequence[CodedColumn], style: NumberStyle) -> Iterator[str]:
    for column in columns:
        coding = column.coding
        if isinstance(coding, CategoryCoding) and coding.kind == "category":
            levels = [str(level) for level in coding.levels]
            if notice := nearly_numeric(str(column.name), levels, column.codes, style):
                yield notice


def _named_like_codes(features: Sequence[CodedColumn]) -> Iterator[str]:
    for column in features:
        if column.coding.kind == "integer" and _CODE_NAME.fullmatch(str(column.name)):
            yield (
                f"The column {column.name!r} is read as numbers, and its name suggests codes. If "
                "it holds codes, leave it out or name it as a group."
            )
