"""``arbitree audit``: who is treated how, from a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from .._errors import InputError
from . import options as opt
from .gate import Thresholds, decided
from .output import Format, Output, output
from .render import Rendering, judged, rendered
from .spelling import in_options
from .values import bins as parsed_bins
from .values import names, separator
from .values import reference as parsed_reference
from .words import Words, told_warnings

if TYPE_CHECKING:
    from ..groups.result import Audit


def audit(
    file: opt.File,
    sensitive: opt.Sensitive,
    decision: opt.Decision = None,
    favorable: opt.Favorable = None,
    label: opt.Label = None,
    label_favorable: opt.LabelFavorable = None,
    score: opt.Score = None,
    score_threshold: opt.ScoreThreshold = None,
    lower_score_favorable: opt.LowerScoreFavorable = False,
    control: opt.Control = None,
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
    cross: opt.Cross = True,
    reference: opt.Reference = None,
    confidence: opt.Confidence = 0.95,
    min_group_size: opt.MinGroupSize = 30,
    resamples: opt.Resamples = 2000,
    seed: opt.Seed = 0,
    n_jobs: opt.Jobs = None,
    p_values: opt.PValues = False,
    as_json: opt.AsJson = False,
    as_markdown: opt.AsMarkdown = False,
    as_csv: opt.AsCsv = False,
    table: opt.CsvTable = None,
    layout: opt.LayoutOf = opt.Layout.full,
    min_share: opt.MinShare = None,
    exclude_below_min_share: opt.ExcludeBelowMinShare = False,
    output_file: opt.OutputFile = None,
    quiet: opt.Quiet = False,
    fail_under: opt.FailUnder = None,
    max_gap: opt.MaxGap = None,
    metric: opt.Metric = None,
) -> int:
    """Measure how groups are treated: rates, impact ratios and gaps, with intervals.

    Exit status: 0 fine, 1 a gate failed, 2 a usage or input error, 3 a gate, or a metric that
    was asked for, cannot be decided.
    """
    words = Words(quiet=quiet)
    sensitive_names = names("--sensitive", sensitive)
    target = output(output_file, formats(as_json, as_markdown, as_csv), reads=file)
    rendering = Rendering(
        layout=layout.value,
        table=None if table is None else table.value,
        min_share=min_share,
        exclude_below_min_share=exclude_below_min_share,
        threshold=fail_under,
    )
    rendering.check(target.format)
    if layout is opt.Layout.ll144 and reference:
        raise InputError(
            "--layout ll144 compares with the most selected category. Leave --reference out."
        )
    thresholds = Thresholds(fail_under=fail_under, max_gap=max_gap, metrics=tuple(metric or ()))
    thresholds.check()
    check_columns(decision, label, label_favorable, score, score_threshold, lower_score_favorable)
    check_jobs(n_jobs)
    reading = {
        "sensitive": sensitive_names,
        "control": names("--control", control) if control else (),
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
    measuring = {
        "cross": cross,
        "reference_group": parsed_reference(reference or ["best"], sensitive_names),
        "confidence": confidence,
        "min_group_size": min_group_size,
        "n_resamples": resamples,
        "random_state": seed,
        "p_values": p_values,
        "missing": missing.value,
    }
    started = monotonic()
    with told_warnings(words):
        found = _measured(file, reading, measuring, words)
    return written(found, target, rendering, thresholds, words, elapsed=monotonic() - started)


def _measured(
    file: str, reading: Mapping[str, Any], measuring: Mapping[str, Any], words: Words
) -> Audit:
    from ..groups.audit import audit_table
    from ..table.reader import read

    with words.progress(f"reading {file}") as progress:
        table = read(file, progress=progress, **reading)
    found = audit_table(table, **measuring)
    return replace(found, notices=tuple(map(in_options, found.notices)))


def written(
    found: Audit,
    target: Output,
    rendering: Rendering,
    thresholds: Thresholds,
    words: Words,
    *,
    elapsed: float,
) -> int:
    """Write an audit, say what there is to say, and give the exit status."""
    verdict = thresholds.verdict(judged(found, rendering))
    target.write(rendered(found, target, rendering, verdict, elapsed=elapsed))
    if target.path is not None:
        words.say(f"wrote {target.path}")
    if target.path is not None or target.format not in (Format.TEXT, Format.MARKDOWN):
        words.notices(found.notices)
    return decided(verdict, words)


def formats(as_json: bool, as_markdown: bool, as_csv: bool) -> list[Format]:
    asked = {Format.JSON: as_json, Format.MARKDOWN: as_markdown, Format.CSV: as_csv}
    return [format for format, is_asked in asked.items() if is_asked]


def check_columns(
    decision: str | None,
    label: str | None,
    label_favorable: list[str] | None,
    score: str | None,
    score_threshold: float | None,
    lower_score_favorable: bool,
) -> None:
    """Refuse what would be ignored."""
    if decision is None and score is None:
        raise InputError("Give --decision COL, or --score COL with --score-threshold T.")
    if decision is None and score_threshold is None:
        raise InputError("--score without --decision needs --score-threshold T.")
    if decision is not None and score_threshold is not None:
        raise InputError("Decisions come from --decision or from --score-threshold, not from both.")
    if lower_score_favorable and score_threshold is None:
        raise InputError("--lower-score-favorable needs --score-threshold T.")
    if label_favorable and label is None:
        raise InputError("--label-favorable needs --label COL.")


def check_jobs(n_jobs: int | None) -> None:
    if n_jobs is not None and (n_jobs == 0 or n_jobs < -1):
        raise InputError(f"--n-jobs is {n_jobs}. Give a number of threads, or -1 for every core.")
