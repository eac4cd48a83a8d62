"""What the marks and short names of a report mean; only of those that it shows."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from .._wording import counted
from ..groups.result import Audit
from .phrases import FOUR_FIFTHS, is_small, threshold_text

#: Rates that need labels, by the names that fit on a line.
SHORT_NAMES: Mapping[str, str] = {
    "base_rate": "base",
    "true_positive_rate": "TPR",
    "false_positive_rate": "FPR",
    "positive_predictive_value": "PPV",
    "accuracy": "accuracy",
}
_MEANINGS = {
    "base_rate": "base: share of favourable labels",
    "true_positive_rate": "TPR: true positive rate",
    "false_positive_rate": "FPR: false positive rate",
    "positive_predictive_value": "PPV: positive predictive value",
}


def legend(
    audit: Audit, threshold: float = FOUR_FIFTHS, *, difference: bool, short: bool
) -> list[str]:
    """The lines that explain a report.

    Parameters
    ----------
    audit : Audit
    threshold : float
        Impact ratios below it are called out.
    difference : bool
        Whether the differences to the reference are shown.
    short : bool
        Whether rates have short names, and no interval of their own.
    """
    groups = audit.by_group
    ratio = "impact ratio: rate of the group / rate of the reference"
    lines = [f"{ratio}; difference: group minus reference" if difference else ratio]
    if (groups["impact_ratio"] < threshold).any():
        lines.append(_below(threshold))
    if difference or audit.gaps["value"].notna().any():
        lines.append("pp: percentage points")
    shown = [words for name, words in _MEANINGS.items() if name in groups] if short else []
    if shown:
        lines.append("; ".join(shown))
    if "smd" in groups:
        lines.append("SMD: difference of mean scores / standard deviation")
    if "p_value" in groups:
        lines.append("p: of a test for the rate of the reference")
    lines.append(_brackets(audit))
    if short and ("mean_score" in groups or shown):
        lines.append("n, interval and status of each rate: --csv --table rates, or --json")
    return lines


def _below(threshold: float) -> str:
    limit = threshold_text(threshold)
    if threshold == FOUR_FIFTHS:
        return f"BELOW {limit}: under the threshold of the four-fifths rule, see --fail-under"
    return f"BELOW {limit}: under the threshold of --fail-under"


def _brackets(audit: Audit) -> str:
    text = f"in brackets: {audit.confidence * 100:g}% intervals"
    if not _has_small(audit):
        return text
    return f"{text}; *: of fewer than {counted(audit.min_group_size, 'row')}"


def _has_small(audit: Audit) -> bool:
    rows = pd.concat([audit.by_group["status"], audit.rates["status"]])
    if rows.map(is_small).any():
        return True
    return bool(audit.gaps["status"].map(is_small).any())
