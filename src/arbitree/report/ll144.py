"""A summary in the manner of New York City's Local Law 144 on automated hiring decisions.

Categories by sex, by race or ethnicity, and by both; for each the number of applicants, the
selection rate, and the impact ratio against the most selected category (6 RCNY 5-301). Of an
audit of scores by their median, the rates are scoring rates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from .._errors import InputError
from .._tables import Sectioned, plain
from .._wording import counted, nearest
from ..groups.groupings import SEPARATOR
from ..groups.result import Audit
from ..table.labels import BEYOND_MEDIAN
from .ll144_tables import display, intersectional, tables
from .phrases import is_small, percent

SCHEMA = "arbitree/ll144"
SCHEMA_VERSION = 1
MIN_SHARE = 0.02
_OF_DECISIONS = ("most selected", "nobody was selected")
_OF_SCORES = ("highest scoring rate", "nobody is beyond the median")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class LL144(Sectioned):
    """The summary. Every applicant is in one category of each grouping, or in `unknown`.

    Attributes
    ----------
    categories : DataFrame
        [control columns], grouping, category, n_applicants, n_selected, selection_rate,
        impact_ratio (NaN exactly where `note` says why), share of the grouping's applicants, note.
    unknown : DataFrame
        column, n_missing, share: applicants whose sex or race is not known.
    outside : DataFrame
        grouping, n: applicants in no category, for want of a category or of a decision.
    min_share : float
        Categories with a smaller share are marked.
    exclude_below_min_share : bool
        Whether marked categories are left out of the impact ratio.
    audit_date, data_source, distribution_date : str or None
        What 6 RCNY 5-303 asks to be published beside the numbers, where it was given.
    """

    categories: pd.DataFrame
    unknown: pd.DataFrame
    outside: pd.DataFrame
    min_share: float
    exclude_below_min_share: bool
    audit: Audit
    audit_date: str | None = None
    data_source: str | None = None
    distribution_date: str | None = None

    @property
    def scored(self) -> bool:
        """Whether the rates are scoring rates: shares of scores above the median of all."""
        return self.audit.favorable.endswith(BEYOND_MEDIAN)

    @property
    def rate(self) -> str:
        """What the rates are called."""
        return "scoring rate" if self.scored else "selection rate"

    @property
    def facts(self) -> tuple[str, ...]:
        """What a reader must know of the numbers, a sentence each."""
        return tuple(_facts(self))

    @property
    def columns(self) -> tuple[str, ...]:
        """The sensitive columns that were summarised, one or two."""
        groupings = self.outside["grouping"].tolist()
        return tuple(groupings[:2])

    @property
    def published(self) -> tuple[tuple[str, str | None], ...]:
        """What 6 RCNY 5-303 asks for beside the numbers; None of what was not given."""
        return (
            ("date of the audit", self.audit_date),
            ("source and time of the data", self.data_source),
            ("distribution date of the tool", self.distribution_date),
        )

    @property
    def published_lines(self) -> tuple[str, ...]:
        """What of that was given, a line each."""
        return tuple(f"{name}: {text}" for name, text in self.published if text is not None)

    @property
    def judged(self) -> Audit:
        """The audit with the impact ratios of this summary, for a gate that agrees with it."""
        shown = self.categories
        if self.exclude_below_min_share:
            shown = shown[shown["share"] >= self.min_share]
        columns = {"category": "group", "n_applicants": "n", "note": "status"}
        shown = shown.rename(columns=columns)
        return replace(self.audit, by_group=shown.assign(reference=shown["impact_ratio"] == 1))

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values: NaN becomes None."""
        found: dict[str, Any] = plain(
            {
                "schema": SCHEMA,
                "schema_version": SCHEMA_VERSION,
                "n_rows": self.audit.n_rows,
                "favorable": self.audit.favorable,
                "min_share": self.min_share,
                "exclude_below_min_share": self.exclude_below_min_share,
                "audit_date": self.audit_date,
                "data_source": self.data_source,
                "distribution_date": self.distribution_date,
                "categories": self.categories,
                "unknown": self.unknown,
                "outside": self.outside,
                "notices": self.audit.notices,
                "source": self.audit.source,
                "versions": self.audit.versions,
            }
        )
        return found

    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        return [
            (title, self._shown(rows))
            for title, rows in tables(self.categories, self.audit.control)
        ]

    def _shown(self, rows: pd.DataFrame) -> pd.DataFrame:
        """A table as it is read; of both columns together, each in its own."""
        shown, columns = display(rows, scored=self.scored), self.columns
        grouping = str(rows["grouping"].iloc[0])
        if len(columns) < 2 or grouping in columns:
            return shown
        names = columns if grouping == SEPARATOR.join(columns) else columns[::-1]
        grouped = self.categories.groupby("grouping")["category"]
        levels = [list(dict.fromkeys(grouped.get_group(one).astype(str))) for one in names]
        return intersectional(shown, names, levels)

    def _notes(self) -> tuple[str, ...]:
        return (*self.facts, *self.published_lines, *self.audit.notices)

    def __repr__(self) -> str:
        parts = [f"{title}\n{frame.to_string(index=False)}" for title, frame in self._sections()]
        return "\n\n".join([*parts, *self._notes()])


def ll144(
    audit: Audit,
    *,
    sex: str | None = None,
    race: str | None = None,
    min_share: float = MIN_SHARE,
    exclude_below_min_share: bool = False,
    audit_date: str | None = None,
    data_source: str | None = None,
    distribution_date: str | None = None,
) -> LL144:
    """Summarise an audit in the manner of Local Law 144. Not legal advice.

    Parameters
    ----------
    audit : Audit
        Made with ``cross=True`` and with missing groups dropped (or with none missing). Its
        control columns, such as a job category, each have their own impact ratios. Of scores,
        made with ``score_threshold="median"``: the rates are then scoring rates.
    sex, race : str, optional
        Sensitive columns; the first and the second of the audit by default. With a single
        sensitive column there is a single table.
    min_share : float
        Categories with a smaller share of the applicants are marked.
    exclude_below_min_share : bool
        Leave marked categories out of the impact ratio, as an auditor may decide: they get none,
        and none is compared with them. Their number of applicants and their rate stay.
    audit_date, data_source, distribution_date : str, optional
        When the audit was made, where the data is from and of which time, and since when the tool
        is in use: to be published with the numbers (6 RCNY 5-303).

    Returns
    -------
    LL144

    Raises
    ------
    InputError
        Something else than an audit, a column that was not audited, a share outside 0 to 1, an
        audit without crossings, or one in which a missing group counts as a group.

    Examples
    --------
    >>> import arbitree as ar
    >>> sex = ["f"] * 50 + ["m"] * 50
    >>> race = ["a", "b"] * 50
    >>> found = ar.audit([1] * 20 + [0] * 30 + [1] * 40 + [0] * 10,
    ...                  sensitive_features={"sex": sex, "race": race})
    >>> summary = ar.ll144(found)
    >>> summary.categories.loc[:1, ["category", "n_applicants", "impact_ratio"]]
      category  n_applicants  impact_ratio
    0        f            50           0.5
    1        m            50           1.0
    """
    if not isinstance(audit, Audit):
        raise InputError(
            f"audit is a {type(audit).__name__}. Pass an audit, as in "
            "ll144(audit(decisions, sensitive_features=frame[['sex', 'race']])): its first two "
            "sensitive columns are sex and race."
        )
    if not isinstance(min_share, Real) or not 0 <= min_share <= 1:
        raise InputError(f"min_share is {min_share!r}. Give a number from 0 to 1, such as 0.02.")
    if audit.missing == "group" and audit.unknown["n_missing"].any():
        raise InputError(
            "In this audit a missing sex or race counts as a group, but applicants of unknown "
            "category belong in no impact ratio. Audit with missing='drop'."
        )
    columns = _columns(audit, sex, race)
    groupings = [*columns, *([_crossing(audit, columns)] if len(columns) == 2 else [])]
    categories = _categories(audit, groupings, float(min_share), exclude_below_min_share)
    counted = categories.groupby("grouping", sort=False)["n_applicants"].sum()
    return LL144(
        categories=categories,
        unknown=audit.unknown[audit.unknown["column"].isin(columns)].reset_index(drop=True),
        outside=pd.DataFrame(
            {"grouping": groupings, "n": [audit.n_rows - int(counted[name]) for name in groupings]}
        ),
        min_share=float(min_share),
        exclude_below_min_share=exclude_below_min_share,
        audit=audit,
        audit_date=audit_date,
        data_source=data_source,
        distribution_date=distribution_date,
    )


def _columns(audit: Audit, sex: str | None, race: str | None) -> list[str]:
    asked = [
        name if name is not None else default
        for name, default in zip((sex, race), (*audit.sensitive[:2], None, None))
    ]
    columns = list(dict.fromkeys(name for name in asked if name is not None))
    for name in columns:
        if name not in audit.sensitive:
            raise InputError(f"{name!r} was not audited. {nearest(name, list(audit.sensitive))}")
    return columns


def _crossing(audit: Audit, columns: list[str]) -> str:
    known = set(audit.by_group["grouping"])
    for ordered in (columns, columns[::-1]):
        if SEPARATOR.join(ordered) in known:
            return SEPARATOR.join(ordered)
    raise InputError(
        f"The audit has no crossing of {columns[0]!r} and {columns[1]!r}. Audit with cross=True."
    )


def _categories(
    audit: Audit, groupings: list[str], min_share: float, exclude: bool
) -> pd.DataFrame:
    keys = [*audit.control, "grouping"]
    by_group = audit.by_group[audit.by_group["grouping"].isin(groupings)]
    parts = dict(list(by_group.groupby(keys, sort=False)))
    order = sorted(parts, key=lambda key: groupings.index(str(key[-1])))
    return pd.concat(
        [_impact_ratios(parts[key], audit, min_share, exclude) for key in order],
        ignore_index=True,
    )


def _impact_ratios(
    groups: pd.DataFrame, audit: Audit, min_share: float, exclude: bool
) -> pd.DataFrame:
    """One grouping of one segment, compared with its most selected category."""
    words = _OF_SCORES if audit.favorable.endswith(BEYOND_MEDIAN) else _OF_DECISIONS
    rate = groups["selection_rate"].to_numpy(dtype=float)
    below = groups["share"].to_numpy(dtype=float) < min_share
    left_out = below & exclude
    best = np.nanmax(np.where(left_out | np.isnan(rate), 0.0, rate), initial=0.0)
    compared = ~left_out & (best > 0)
    ratio = np.divide(rate, best, out=np.full(len(rate), np.nan), where=compared)
    return pd.DataFrame(
        {
            **{name: groups[name] for name in (*audit.control, "grouping")},
            "category": groups["group"],
            "n_applicants": groups["n"],
            "n_selected": groups["n_selected"],
            "selection_rate": rate,
            "impact_ratio": ratio,
            "share": groups["share"],
            "note": [
                "; ".join(_notes(status, value, small, out, best, min_share, words))
                for status, value, small, out in zip(groups["status"], rate, below, left_out)
            ],
        }
    )


def _notes(
    status: str,
    rate: float,
    below: bool,
    left_out: bool,
    best: float,
    min_share: float,
    words: tuple[str, str],
) -> list[str]:
    if np.isnan(rate):
        return ["not estimable: 0 applicants"]
    notes = [part for part in status.split("; ") if part.startswith("small group")]
    if below:
        notes.append(f"under {min_share * 100:g}% of applicants")
    if left_out:
        notes.append("left out of the impact ratio")
    elif best == 0:
        notes.append(f"impact ratio not estimable: {words[1]}")
    elif rate == best:
        notes.append(words[0])
    return notes


def _facts(summary: LL144) -> list[str]:
    best = "category with the highest one" if summary.scored else "most selected category"
    lines = [
        f"{counted(summary.audit.n_rows, 'applicant')}; {summary.audit.favorable}",
        f"impact ratio: {summary.rate} of the category / that of the {best}",
    ]
    if summary.scored:
        lines.insert(1, "scoring rate: share of a category whose score is beyond that median")
    for column, n, share in summary.unknown[["column", "n_missing", "share"]].itertuples(
        index=False
    ):
        lines.append(f"unknown {column}: {n:,} ({percent(share)}), in no table that is split by it")
    lines += [
        f"in no category of {grouping}: {n:,} (unknown category, or no decision)"
        for grouping, n in summary.outside.itertuples(index=False)
        if n
    ]
    if summary.outside["n"].any():
        lines.append("share: of the applicants whose category is known")
    if "weight" in summary.audit.by_group:
        lines.append("selection rates are weighted; applicants and selected are counted")
    fate = "left out of" if summary.exclude_below_min_share else "kept in"
    lines.append(
        f"categories under {summary.min_share * 100:g}% of applicants are marked, "
        f"and {fate} the impact ratios"
    )
    if summary.categories["note"].map(is_small).any():
        smallest = counted(summary.audit.min_group_size, "applicant")
        lines.append(f"*, small group: fewer than {smallest}")
    return lines
