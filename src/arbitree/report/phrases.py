"""Numbers and facts of an audit in the words that every text layout shares."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from .._tables import NOT_AVAILABLE, visible
from .._wording import counted
from ..groups.metrics import GAPS, RATES
from ..groups.result import Audit
from ..groups.status import OK

#: The four-fifths rule of 29 CFR 1607.4(D): a rule of thumb, not a test.
FOUR_FIFTHS = 0.8

_OF_THE_REFERENCE = "reference is a small group"
_NAMES = re.compile(rf"\b(?:{'|'.join([*(rate.name for rate in RATES), *GAPS])})\b")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Section:
    """One grouping within one segment: its groups, their rates, and its gaps."""

    segment: tuple[tuple[str, str], ...]  # control column and its value
    grouping: str
    groups: pd.DataFrame
    rates: pd.DataFrame
    gaps: pd.DataFrame

    @property
    def title(self) -> str:
        where = ", ".join(f"{name}={value}" for name, value in self.segment)
        return visible(f"{self.grouping} ({where})" if where else self.grouping)

    @property
    def reference(self) -> str | None:
        """The group that the others are compared with, None where it has no rows."""
        named = self.groups.loc[self.groups["reference"].astype(bool), "group"]
        return None if named.empty else str(named.iloc[0])


def sections(audit: Audit) -> Iterator[Section]:
    """The groupings of an audit, segment by segment, in the audit's order."""
    keys = [*audit.control, "grouping"]
    gaps = dict(list(audit.gaps.groupby(keys, sort=False, dropna=False)))
    rates = dict(list(audit.rates.groupby(keys, sort=False, dropna=False)))
    for key, groups in audit.by_group.groupby(keys, sort=False, dropna=False):
        *segment, grouping = (str(part) for part in key)
        yield Section(
            segment=tuple(zip(audit.control, segment)),
            grouping=grouping,
            groups=groups,
            rates=rates.get(key, audit.rates.iloc[:0]),
            gaps=gaps.get(key, audit.gaps.iloc[:0]),
        )


def headline(audit: Audit, elapsed: float | None = None) -> str:
    """Rows, time and unknown groups in one line."""
    parts = [counted(audit.n_rows, "row")]
    if elapsed is not None:
        parts.append(f"{elapsed:.1f} s")
    fate = "a group of its own" if audit.missing == "group" else "excluded, listed"
    for column, n, share in audit.unknown[["column", "n_missing", "share"]].itertuples(index=False):
        if n:
            parts.append(f"unknown {visible(str(column))}: {n:,} ({percent(share)}, {fate})")
    return " - ".join(parts)


def facts(audit: Audit) -> list[str]:
    """What a reader must know to read the numbers."""
    overall = audit.overall.iloc[0]
    lines = [visible(audit.favorable)]
    if audit.label_favorable is not None:
        lines.append(f"label that is {visible(audit.label_favorable)}")
    if not audit.control:
        lines.append(
            f"overall: {selection_text(overall)} selected, "
            f"{overall['n_selected']:,} of {overall['n']:,}"
        )
    if "weight" in audit.by_group:
        lines.append("rates are weighted; n and counts are rows")
    return [*lines, f"compared with: {reference_words(audit.reference_group)}"]


def value_of(favorable: str | None) -> str | None:
    """What is favourable, for a place that says that it is about that.

    >>> value_of("favourable: approved = 1 (assumed)")
    'approved = 1 (assumed)'
    """
    return None if favorable is None else favorable.removeprefix("favourable: ")


def reference_words(reference: object) -> str:
    """The choice of a reference group as a sentence would say it."""
    if reference == "best":
        return "the group with the highest selection rate"
    if reference == "largest":
        return "the largest group"
    if isinstance(reference, dict):
        return visible(", ".join(f"{column}={level}" for column, level in reference.items()))
    return visible(str(reference))


def percent(value: float, digits: int = 1) -> str:
    """A share as a percentage; a small one never reads as none at all.

    >>> percent(0.412), percent(0.0001), percent(0.0)
    ('41.2%', '<0.1%', '0.0%')
    """
    smallest = 10.0**-digits
    if 0 < value * 100 < smallest / 2:
        return f"<{smallest:.{digits}f}%"
    return f"{value * 100:.{digits}f}%"


def selection_text(row: pd.Series) -> str:
    """Selection rate with its interval, as in ``41.2% [40.9, 41.5]``."""
    return share_text(row["selection_rate"], row["ci_low"], row["ci_high"])


def share_text(value: float, low: float, high: float) -> str:
    """A rate with its interval in percent."""
    if pd.isna(value):
        return NOT_AVAILABLE
    return f"{value * 100:.1f}%{_interval(low * 100, high * 100, 1)}"


def impact_text(row: pd.Series, threshold: float) -> str:
    """Impact ratio with its interval, as in ``0.71 [0.70, 0.72]``.

    Digits are added until the text lies on the same side of the threshold as the number.
    """
    value = row["impact_ratio"]
    digits = 2
    while digits < 6 and (value < threshold) != (round(value, digits) < threshold):
        digits += 1
    return ratio_text(value, row["impact_ratio_low"], row["impact_ratio_high"], digits)


def ratio_text(value: float, low: float, high: float, digits: int = 2) -> str:
    """A ratio with its interval."""
    if pd.isna(value):
        return NOT_AVAILABLE
    return f"{_fixed(value, digits)}{_interval(low, high, digits)}"


def difference_text(row: pd.Series) -> str:
    """Difference to the reference in percentage points, as in ``-16.8 pp [-17.4, -16.2]``."""
    return points_text(row["difference"], row["difference_low"], row["difference_high"], "+")


def gap_text(row: pd.Series) -> str:
    """Gap in percentage points, as in ``16.8 pp [16.2, 17.4]``."""
    return points_text(row["value"], row["ci_low"], row["ci_high"])


def points_text(value: float, low: float, high: float, sign: str = "") -> str:
    """Times 100, in percentage points, with its interval; `sign` "+" shows that of growth too.

    >>> points_text(0.021, 0.0, 0.05)
    '2.1 pp [0.0, 5.0]'
    """
    if pd.isna(value):
        return NOT_AVAILABLE
    return f"{value * 100:{sign}.1f} pp{_interval(low * 100, high * 100, 1)}"


def rate_text(value: float) -> str:
    """A rate without its interval."""
    return NOT_AVAILABLE if pd.isna(value) else percent(value)


def smd_text(row: pd.Series) -> str:
    """Standardised mean difference with its interval."""
    if pd.isna(row["smd"]):
        return NOT_AVAILABLE
    return f"{row['smd']:+.2f}{_interval(row['smd_low'], row['smd_high'], 2)}"


def score_texts(values: pd.Series) -> list[str]:
    """Mean scores, all with as many decimals as give the largest four digits.

    >>> score_texts(pd.Series([5.2771, 10.0, float("nan")]))
    ['5.28', '10.00', 'n/a']
    """
    largest = values.abs().max()
    whole = len(f"{largest:.0f}") if pd.notna(largest) and math.isfinite(largest) else 1
    digits = max(4 - whole, 0) if pd.isna(largest) or largest >= 1 else 4
    return [NOT_AVAILABLE if pd.isna(value) else f"{value:,.{digits}f}" for value in values]


def starred(text: str, small: bool) -> str:
    """A text with the mark of few rows, or room for it."""
    return f"{text}{'*' if small else ' '}"


def is_small(status: object) -> bool:
    """Whether a status says that a number is of few rows."""
    return str(status).startswith("small group")


def _interval(low: float, high: float, digits: int) -> str:
    if pd.isna(low) or pd.isna(high):
        return ""
    return f" [{_fixed(low, digits)}, {_fixed(high, digits)}]"


def _fixed(value: float, digits: int) -> str:
    """A number with these decimals; what rounds to zero has no sign."""
    text = f"{value:.{digits}f}"
    return text if float(text) else text.removeprefix("-")


def threshold_text(threshold: float) -> str:
    """A threshold with at least two decimals.

    >>> threshold_text(0.8), threshold_text(0.825)
    ('0.80', '0.825')
    """
    short = f"{threshold:.2f}"
    return short if math.isclose(float(short), threshold) else f"{threshold:g}"


def verdict_word(row: pd.Series, threshold: float) -> str:
    """What stands out in a group: the reference itself, or a ratio below the threshold."""
    if row["reference"]:
        return "reference"
    return f"BELOW {threshold_text(threshold)}" if row["impact_ratio"] < threshold else ""


def remarks(section: Section) -> list[str]:
    """Statuses that the table itself does not show: one line a group, one of the reference."""
    lines: list[str] = []
    for group, status in section.groups[["group", "status"]].itertuples(index=False):
        parts = [part for part in str(status).split("; ") if not _in_the_table(part)]
        shared = [part for part in parts if part.startswith(_OF_THE_REFERENCE)]
        lines += [f"{section.grouping}: the {part}" for part in shared]
        if told := [part for part in parts if part not in shared]:
            lines.append(f"{section.grouping}={group}: {spelled('; '.join(told))}")
    return [visible(line) for line in dict.fromkeys(lines)]


def _in_the_table(status: str) -> bool:
    return status == OK or status.startswith("small group")


def spelled(text: str) -> str:
    """The text with the names of rates and gaps as words; other names stay as they are.

    >>> spelled("equal_opportunity of my_group")
    'equal opportunity of my_group'
    """
    return _NAMES.sub(lambda found: found[0].replace("_", " "), text)
