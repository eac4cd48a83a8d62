"""``arbitree explain``: which features carry a gap, from a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .._errors import ColumnError, InputError
from .._wording import nearest
from . import options as opt
from .audit import check_columns, check_jobs, formats
from .output import Format, Output, output
from .picture import picture
from .values import bins as parsed_bins
from .values import names, separator
from .words import Words, tell_all, told_warnings

if TYPE_CHECKING:
    from ..influence.result import Influence
    from ..table.coded import CodedTable


def explain(
    file: opt.File,
    sensitive: opt.Sensitive,
    decision: opt.Decision = None,
    favorable: opt.Favorable = None,
    features: opt.Features = None,
    exclude: opt.Exclude = None,
    label: opt.Label = None,
    label_favorable: opt.LabelFavorable = None,
    score: opt.Score = None,
    score_threshold: opt.ScoreThreshold = None,
    lower_score_favorable: opt.LowerScoreFavorable = False,
    weight: opt.Weight = None,
    bins: opt.Bins = None,
    where: opt.Where = None,
    missing: opt.MissingPolicy = opt.Missing.drop,
    missing_value: opt.MissingValue = None,
    complete_rows: opt.CompleteRows = False,
    sep: opt.Sep = None,
    encoding: opt.Encoding = None,
    decimal: opt.Decimal = None,
    thousands: opt.Thousands = None,
    metric: opt.GapMetric = opt.Explained.statistical_parity,
    groups: opt.Groups = None,
    max_order: opt.MaxOrder = 2,
    pairs: opt.Pairs = "auto",
    n_intervals: opt.NIntervals = 20,
    cross_fit: opt.CrossFit = 5,
    bootstrap: opt.Bootstrap = 200,
    confidence: opt.Confidence = 0.95,
    min_group_size: opt.MinGroupSize = 30,
    seed: opt.Seed = 0,
    n_jobs: opt.Jobs = None,
    max_display: opt.MaxDisplay = 20,
    as_json: opt.AsJson = False,
    as_markdown: opt.AsMarkdown = False,
    as_csv: opt.AsCsv = False,
    output_file: opt.OutputFile = None,
    plot: opt.Plot = None,
    quiet: opt.Quiet = False,
    max_gap: opt.MaxGap = None,
) -> int:
    """Split the gap between two groups over features and pairs of features.

    Exit status: 0 fine, 1 the gap is above --max-gap, 2 a usage or input error, 3 there are no
    two groups to compare.
    """
    words = Words(quiet=quiet)
    target = output(output_file, formats(as_json, as_markdown, as_csv), reads=file)
    check_columns(decision, label, label_favorable, score, score_threshold, lower_score_favorable)
    check_jobs(n_jobs)
    _check(metric.value, label, max_gap, max_display)
    drawing = None if plot is None else picture(plot, reads=file, target=target)
    reading = {
        "features": names("--features", features) if features else "all",
        "sensitive": names("--sensitive", sensitive),
        "decision": decision,
        "label": label,
        "score": score,
        "weight": weight,
        "favorable_label": favorable or None,
        "label_favorable": label_favorable or None,
        "score_threshold": score_threshold,
        "lower_score_favorable": lower_score_favorable,
        "bins": parsed_bins(bins or ()),
        "where": where,
        "missing": missing.value,
        "missing_values": ("", *(missing_value or ())),
        "complete_rows": complete_rows,
        "sep": separator(sep),
        "encoding": encoding,
        "decimal": decimal,
        "thousands": separator(thousands),
    }
    explaining = {
        "metric": metric.value,
        "max_order": max_order,
        "pairs": _pairs(pairs),
        "n_intervals": n_intervals,
        "groups": None if groups is None else _groups(groups),
        "cross_fit": cross_fit,
        "n_bootstrap": bootstrap,
        "confidence": confidence,
        "min_group_size": min_group_size,
        "random_state": seed,
        "missing": missing.value,
        "n_threads": None if n_jobs in (None, -1) else n_jobs,
    }
    excluded = names("--exclude", exclude) if exclude else ()
    with told_warnings(replace(words, quiet=quiet or _told_in(target))):
        found = _explained(file, reading, excluded, explaining, words)
    target.write(_rendered(found, target, max_display))
    _say(found, target, words)
    if drawing is not None:
        drawing.draw(found, max_display=max_display)
        words.say(f"wrote {drawing.path}")
    return _gate(found, max_gap, words)


def _explained(
    file: str,
    reading: Mapping[str, Any],
    excluded: Sequence[str],
    explaining: Mapping[str, Any],
    words: Words,
) -> Influence:
    from ..influence.from_table import explain_table
    from ..table.reader import read

    with words.progress(f"reading {file}") as progress:
        table = read(file, progress=progress, **reading)
    return explain_table(_without(table, excluded), **explaining)


def _without(table: CodedTable, names: Sequence[str]) -> CodedTable:
    known = [column.name for column in table.features]
    for name in names:
        if name not in known:
            raise ColumnError(
                f"--exclude names {name!r}, which is no feature. {nearest(name, known)}"
            )
    kept = tuple(column for column in table.features if column.name not in names)
    return replace(table, features=kept)


def _check(metric: str, label: str | None, max_gap: float | None, max_display: int) -> None:
    if metric != "statistical_parity" and label is None:
        raise InputError(f"--metric {metric} needs --label COL.")
    if max_gap is not None and not 0 <= max_gap <= 1:
        raise InputError(f"--max-gap is {max_gap:g}. Give a number from 0 to 1.")
    if max_display < 2:
        raise InputError(f"--max-display is {max_display}. Give a number of at least 2.")


def _groups(text: str) -> tuple[str, str]:
    """The two groups of ``HIGH,LOW``."""
    found = names("--groups", [text])
    if len(found) != 2:
        raise InputError(
            f"--groups {text!r} names {len(found)}. Give two, separated by a comma; a name with a "
            "comma in it is put in double quotes."
        )
    return found[0], found[1]


def _pairs(text: str) -> str | int:
    if text in ("auto", "all"):
        return text
    if not text.isdecimal():
        raise InputError(f"--pairs is {text!r}. Give auto, all or a number.")
    return int(text)


def _rendered(found: Influence, target: Output, max_display: int) -> str:
    from .._tables import csv_table
    from ..report.influence_document import influence_markdown, influence_page
    from ..report.influence_phrases import joined
    from ..report.influence_text import influence_text

    if target.format is Format.JSON:
        return found.to_json()
    if target.format is Format.CSV:
        named = [joined(features) for features in found.table["features"]]
        return csv_table(found.table.assign(features=named))
    if target.format is Format.MARKDOWN:
        return influence_markdown(found, max_display=max_display)
    if target.format is Format.HTML:
        return influence_page(found, max_display=max_display)
    if target.format is Format.LATEX:
        return found.to_latex()
    return influence_text(found, width=target.width, color=target.color, max_display=max_display)


def _told_in(target: Output) -> bool:
    """Whether standard output has the notices, so that they need not be said."""
    return target.path is None and target.format in (Format.TEXT, Format.MARKDOWN)


def _say(found: Influence, target: Output, words: Words) -> None:
    from ..report.influence_phrases import sentence

    if target.path is not None:
        words.say(f"wrote {target.path}")
    if not _told_in(target):
        words.say(sentence(found))
        words.notices(found.notices)


def _gate(found: Influence, max_gap: float | None, words: Words) -> int:
    """0 where the gap is no more than allowed, 1 where it is above."""
    from ..report.influence_phrases import compared

    if max_gap is None:
        return 0
    if found.gap > max_gap:
        failure = f"{found.metric} gap is {found.gap:.3f} ({compared(found)}), above {max_gap:g}"
        tell_all("gate failed", [failure])
        return 1
    words.say(f"gate passed: the gap is at most {max_gap:g}")
    return 0
