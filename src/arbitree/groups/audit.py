"""Who is treated how: the audit of a table of decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree._versions import versions
from arbitree.counts.cells import Cells, count_cells
from arbitree.groups.copies import copy_notices
from arbitree.groups.fractional import probable_cells, probable_grouping, probable_notices
from arbitree.groups.gaps import NOBODY_KNOWN, gaps_frame
from arbitree.groups.groupings import Grouping, groupings
from arbitree.groups.measure import GroupCounts
from arbitree.groups.missing import check_missing, missing_notices, unknown_frame, value_notices
from arbitree.groups.options import AuditOptions, audit_options
from arbitree.groups.overall import overall_frame
from arbitree.groups.reference import check_reference, reference_notices
from arbitree.groups.result import Audit
from arbitree.groups.scores import add_score_columns
from arbitree.groups.segments import Segments, segments_of
from arbitree.groups.significance import add_p_values
from arbitree.groups.summary import summary_frame
from arbitree.groups.tabulate import Measured, by_group_frame, measure, rates_frame
from arbitree.table.coded import CodedTable
from arbitree.table.crossing import Crossing
from arbitree.table.decisions import code_decisions
from arbitree.table.labels import Outcome

PACKAGES = ("arbitree", "numpy", "scipy", "pandas", "narwhals")


def audit(
    decisions: Any,
    *,
    sensitive_features: Any = None,
    y_true: Any = None,
    favorable_label: Any = None,
    score_threshold: float | str | None = None,
    cross: bool = True,
    control_features: Any = None,
    y_true_favorable: Any = None,
    lower_score_favorable: bool = False,
    reference_group: Any = "best",
    sample_weight: Any = None,
    confidence: float = 0.95,
    min_group_size: int = 30,
    missing: str = "error",
    n_resamples: int = 2000,
    random_state: int | np.random.Generator | None = 0,
    bins: Mapping[Any, Sequence[float]] | None = None,
    p_values: bool = False,
    group_probabilities: Any = None,
) -> Audit:
    """Measure how groups are treated: rates, ratios and gaps, with intervals and statuses.

    Neither features nor a model is needed; a column of decisions and the people's groups are
    enough. With `y_true` the gaps that need labels are measured too.

    Parameters
    ----------
    decisions : array-like (n,)
        The decision on each row, of any type; or scores, with `score_threshold`.
    sensitive_features : array-like (n,) or (n, k), frame, Series or mapping of columns
        The groups. Columns of an array are named ``sensitive_feature_0``, ...
    y_true : array-like (n,), optional
        What turned out to be right.
    favorable_label : value or list of values, optional
        The decision that people want. Known for booleans, 0/1 and -1/1; else it must be given.
    score_threshold : float or "median", optional
        Take `decisions` as scores; favourable is ``score >= score_threshold``. ``"median"``:
        above the median of all rows, so that rates are the scoring rates of Local Law 144.
    cross : bool
        Also audit the crossings of the sensitive columns: all pairs, and all together.
    control_features : as `sensitive_features`, optional
        Audit each combination of their values on its own.
    y_true_favorable : value or list of values, optional
        The favourable label where labels are coded otherwise than decisions.
    lower_score_favorable : bool
        Favourable is ``score <= score_threshold`` instead.
    reference_group : "best", "largest", value, or mapping from column to value
        The group that each group is compared with. "best" has the highest selection rate;
        intervals of differences and ratios then allow for its having been chosen by its rate.
        A grouping without the named group takes its best one, and a notice says so.
    sample_weight : array-like (n,), optional
        Not negative. Rates are weighted; intervals use Kish's effective sample size.
    confidence : float
        Of every interval. Those of gaps hold for all pairs of groups at once.
    min_group_size : int
        Groups with fewer rows are flagged in `status`. They count in every gap.
    missing : "error", "drop" or "group"
        What a missing group means: refuse; leave the row out of that grouping and list it in
        `unknown`; or a group called "(missing)".
    n_resamples : int
        Resamplings of the count table behind the intervals of gaps.
    random_state : int, Generator or None
        Seed of these resamplings; the same seed gives the same bytes.
    bins : mapping from column to increasing cut points, optional
        How to cut a numeric sensitive or control column, as in ``{"age": [25, 40, 65]}``.
    p_values : bool
        Also test each group against the reference: Fisher's exact test, or chi-square where
        every expected count is at least 5.
    group_probabilities : frame or array (n, k), optional
        Instead of `sensitive_features`, or beside them: how likely each row is to belong to each
        of k groups, a column each, as surnames and addresses tell (BIFSG). Rows sum to 1. Each
        row counts in each group by its share; `docs/metrics.md` says which way that errs.

    Returns
    -------
    Audit

    Raises
    ------
    LabelError
        It cannot be known which value is favourable.
    AlignmentError
        Two inputs have different lengths, or indexes that do not match.
    MissingValueError
        Values are missing, and `missing` is "error".
    InputError
        Anything else that makes no sense.

    Notes
    -----
    Intervals: Wilson (1927) for rates, Newcombe (1998, method 10) for differences, MOVER for
    ratios (Donner and Zou 2012), max-T for gaps (Romano and Wolf 2005); docs/metrics.md has them
    all, docs/benchmarks/coverage.md how often they hold.

    Examples
    --------
    >>> import arbitree as ar
    >>> sex = ["f"] * 100 + ["m"] * 100
    >>> hired = ["yes"] * 30 + ["no"] * 70 + ["yes"] * 50 + ["no"] * 50
    >>> found = ar.audit(hired, sensitive_features={"sex": sex}, favorable_label="yes")
    >>> found.by_group[["group", "n", "selection_rate", "impact_ratio"]]
      group    n  selection_rate  impact_ratio
    0     f  100             0.3           0.6
    1     m  100             0.5           1.0
    >>> found.gaps.loc[[0], ["metric", "group_high", "group_low", "value"]]
                   metric group_high group_low  value
    0  statistical_parity          m         f    0.2
    """
    table = code_decisions(
        decisions,
        sensitive_features=sensitive_features,
        y_true=y_true,
        favorable_label=favorable_label,
        score_threshold=score_threshold,
        control_features=control_features,
        y_true_favorable=y_true_favorable,
        lower_score_favorable=lower_score_favorable,
        sample_weight=sample_weight,
        missing=missing,
        bins=bins,
        group_probabilities=group_probabilities,
    )
    return audit_table(
        table,
        cross=cross,
        reference_group=reference_group,
        confidence=confidence,
        min_group_size=min_group_size,
        n_resamples=n_resamples,
        random_state=random_state,
        p_values=p_values,
        missing=missing,
    )


def audit_table(
    table: CodedTable,
    *,
    cross: bool = True,
    reference_group: Any = "best",
    confidence: float = 0.95,
    min_group_size: int = 30,
    n_resamples: int = 2000,
    random_state: int | np.random.Generator | None = 0,
    p_values: bool = False,
    missing: str | None = None,
) -> Audit:
    """Audit a coded table, such as `arbitree.read` makes of a file.

    Parameters are those of `audit`; `missing` is by default what the reader of the table was told,
    else ``"error"``.

    Examples
    --------
    >>> import arbitree as ar
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "hired.csv"
    ...     _ = path.write_text("sex,hired\\n" + "f,0\\nf,1\\nm,1\\n" * 30)
    ...     table = ar.read(path, sensitive="sex", decision="hired")
    >>> ar.audit_table(table).by_group[["group", "n", "selection_rate"]]
      group   n  selection_rate
    0     f  60             0.5
    1     m  30             1.0
    """
    _check_table(table)
    options = audit_options(
        cross=cross,
        reference_group=reference_group,
        confidence=confidence,
        min_group_size=min_group_size,
        n_resamples=n_resamples,
        random_state=random_state,
        p_values=p_values,
        missing=(table.missing or "error") if missing is None else missing,
    )
    decisions = _decisions(table)
    check_missing(table, options.missing)
    keep_missing = options.missing == "group"
    segments, segment = segments_of(table, keep_missing=keep_missing)
    crossing = _crossing(table)
    compared: list[Grouping] = []
    if table.sensitive:
        compared = groupings(crossing, cross=options.cross, missing_is_a_group=keep_missing)
    compared, empty = _with_groups(compared, also=table.probabilities is not None)
    probable = _probable(table, compared, options)
    check_reference(options.reference_group, [*compared, *probable])
    cells = _cells(table, decisions, crossing, segments, segment)
    has_labels = table.labels is not None
    measured = [
        measure(one, _collapsed(one, cells), options, has_labels=has_labels) for one in compared
    ]
    for one in probable:
        shares = _kept(probable_cells(table, decisions, segment, len(segments)), len(segments))
        measured.append(measure(one, _collapsed(one, shares), options, has_labels=has_labels))
    by_group = _by_group(table, crossing, measured, segments, segment, options)
    gaps = gaps_frame(measured, segments, options, empty=empty)
    return Audit(
        by_group=by_group,
        rates=rates_frame(measured, segments, options),
        gaps=gaps,
        summary=summary_frame(measured, gaps, segments, options),
        overall=overall_frame(cells, segments, options, has_labels=has_labels),
        unknown=unknown_frame(table),
        control=segments.columns,
        notices=(
            *table.notices,
            *missing_notices(table, options.missing),
            *(f"{name}: not estimable: {NOBODY_KNOWN}." for name in empty),
            *value_notices(table),
            *reference_notices(options.reference_group, [*compared, *probable]),
            *copy_notices(measured, has_labels=has_labels),
            *probable_notices(table, decisions),
        ),
        **_circumstances(table, decisions, options),
    )


def _by_group(
    table: CodedTable,
    crossing: Crossing,
    measured: list[Measured],
    segments: Segments,
    segment: np.ndarray | None,
    options: AuditOptions,
) -> pd.DataFrame:
    by_group = by_group_frame(measured, segments, options)
    if table.scores is not None:
        by_group = add_score_columns(
            by_group,
            table.scores,
            crossing,
            measured,
            segment=segment,
            n_segments=len(segments),
            weights=table.weights,
            confidence=options.confidence,
        )
    if options.p_values:
        by_group = add_p_values(by_group, measured)
    return by_group


def _circumstances(table: CodedTable, decisions: Outcome, options: AuditOptions) -> dict[str, Any]:
    """What a reader needs to know to repeat the audit."""
    return {
        "n_rows": table.n_rows,
        "sensitive": _names(table),
        "favorable": decisions.how,
        "label_favorable": None if table.labels is None else table.labels.how,
        "reference_group": options.reference_group,
        "confidence": options.confidence,
        "min_group_size": options.min_group_size,
        "n_resamples": options.n_resamples,
        "random_state": options.seed,
        "missing": options.missing,
        "source": dict(table.source or {}),
        "versions": versions(*PACKAGES),
    }


def _names(table: CodedTable) -> tuple[str, ...]:
    """The sensitive columns, and those of probabilities."""
    probable = () if table.probabilities is None else table.probabilities.groups
    return (*(str(column.name) for column in table.sensitive), *probable)


def _with_groups(compared: list[Grouping], *, also: bool) -> tuple[list[Grouping], list[str]]:
    """Groupings of which at least one group is known, and the names of the others.

    `also` says that there are other groups than these.
    """
    empty = [one.name for one in compared if not one.groups]
    if len(empty) == len(compared) and not also:
        raise InputError(
            "No row has a known group in any sensitive column. Pass missing='group' to make "
            "the unknown ones a group, or other sensitive columns."
        )
    return [one for one in compared if one.groups], empty


def _crossing(table: CodedTable) -> Crossing:
    """The combinations of the sensitive columns; without any, all rows are in one."""
    if table.sensitive:
        return table.crossing(table.sensitive)
    codes = np.zeros(table.n_rows, np.uint8)
    return Crossing(columns=(), cells=np.zeros((1, 0), np.int64), codes=codes)


def _probable(
    table: CodedTable, compared: Sequence[Grouping], options: AuditOptions
) -> list[Grouping]:
    """The grouping by probabilities, if there is one."""
    if table.probabilities is None:
        return []
    for asked, what in ((table.scores is not None, "scores"), (options.p_values, "p_values")):
        if asked:
            raise InputError(
                f"{what} and group_probabilities do not go together. Audit decisions, without "
                "p-values."
            )
    return [probable_grouping(table.probabilities, tuple(one.name for one in compared))]


def _cells(
    table: CodedTable,
    decisions: Outcome,
    crossing: Crossing,
    segments: Segments,
    segment: np.ndarray | None,
) -> Cells:
    """The one pass over the rows."""
    counted = count_cells(
        crossing.codes,
        crossing.n_groups,
        decisions=decisions.codes,
        labels=None if table.labels is None else table.labels.codes,
        segment=segment,
        n_segments=len(segments) + 1,
        weights=table.weights,
    )
    return _kept(counted, len(segments))


def _check_table(table: CodedTable) -> None:
    if not isinstance(table, CodedTable):
        raise InputError(
            f"table is of type {type(table).__name__}. Pass what arbitree.read returns, or pass "
            "columns to arbitree.audit."
        )


def _decisions(table: CodedTable) -> Outcome:
    if table.decisions is None:
        raise InputError("The table has no decisions. Name the decision column when reading it.")
    if not table.sensitive and table.probabilities is None:
        raise InputError("The table has no sensitive columns. Name at least one.")
    return table.decisions


def _kept(cells: Cells, n_segments: int) -> Cells:
    """Cells without those of rows in no segment."""

    def keep(counts: np.ndarray | None) -> np.ndarray | None:
        return None if counts is None else counts[:n_segments]

    return Cells(n=cells.n[:n_segments], w=keep(cells.w), w2=keep(cells.w2))


def _collapsed(grouping: Grouping, cells: Cells) -> GroupCounts:
    return GroupCounts(
        n=grouping.collapse(cells.n),
        w=None if cells.w is None else grouping.collapse(cells.w),
        w2=None if cells.w2 is None else grouping.collapse(cells.w2),
    )
