"""What each number means, in one line with its formula; names are fairlearn's."""

from __future__ import annotations

from ..groups.result import Audit

_RATES = {
    "selection_rate": "favourable decisions / rows",
    "impact_ratio": "selection rate of the group / selection rate of the reference group",
    "difference": "selection rate of the group minus that of the reference group",
    "true_positive_rate": "favourable decisions / rows, among favourable labels",
    "false_positive_rate": "favourable decisions / rows, among unfavourable labels",
    "positive_predictive_value": "favourable labels / rows, among favourable decisions",
    "negative_predictive_value": "unfavourable labels / rows, among unfavourable decisions",
    "accuracy": "rows whose decision equals the label / rows with a label",
    "base_rate": "favourable labels / rows with a label",
    "mean_score": "mean of the scores",
    "smd": "difference of mean scores to the reference group / pooled standard deviation",
}
_GAPS = {
    "statistical_parity": "highest minus lowest selection rate",
    "equal_opportunity": "highest minus lowest true positive rate",
    "predictive_equality": "highest minus lowest false positive rate",
    "equalized_odds": "the larger of equal opportunity and predictive equality",
    "predictive_parity": "highest minus lowest positive predictive value",
    "accuracy_equality": "highest minus lowest accuracy",
}

#: Of every rate and gap, by its name.
MEANINGS = {**_RATES, **_GAPS}


def definitions(audit: Audit) -> list[tuple[str, str]]:
    """Name and meaning of every rate and gap that an audit shows."""
    rates = [(name, words) for name, words in _RATES.items() if name in audit.by_group.columns]
    measured = set(audit.gaps["metric"])
    return rates + [(name, words) for name, words in _GAPS.items() if name in measured]
