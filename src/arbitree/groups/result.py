"""What an audit found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from arbitree._tables import IN_A_NOTEBOOK, Sectioned, html_sections, plain, records
from arbitree.groups.gate import Gate, gate

SCHEMA = "arbitree/audit"
SCHEMA_VERSION = 1
_SHOWN = (
    *("grouping", "group", "n", "selection_rate", "ci_low", "ci_high"),
    *("impact_ratio", "status"),
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Audit(Sectioned):
    """Who is treated how, with an interval and a status for every number.

    Every row of the table is counted once in each grouping, or listed in `unknown`. A NaN
    stands only in a row whose `status` says what is not estimable, and why.

    Attributes
    ----------
    by_group : DataFrame
        One row a group: grouping, group, n, n_selected, selection_rate with its Wilson interval
        (ci_low, ci_high), impact_ratio (group over reference), difference (group minus
        reference, Newcombe), share of the rows of known group, the other rates where there are
        labels, reference (whether it is the reference group), status.
    rates : DataFrame
        One row a group and metric: n trials, k hits, value, intervals, comparison, status.
    gaps : DataFrame
        One row a grouping and metric: the group with the highest and the one with the lowest
        value, their difference (never negative) with a simultaneous interval, their ratio
        (lowest over highest), status.
    summary : DataFrame
        One row a grouping: p_rule, n_rule, BA, BPA and BNPA with intervals.
    overall : DataFrame
        All rows together, those of unknown group included.
    unknown : DataFrame
        Rows whose group is not known, by sensitive column.
    favorable, label_favorable : str
        Which decision, and which label, counts as favourable.
    notices : tuple of str
        What a reader should know of how the numbers came about.
    """

    by_group: pd.DataFrame
    rates: pd.DataFrame
    gaps: pd.DataFrame
    summary: pd.DataFrame
    overall: pd.DataFrame
    unknown: pd.DataFrame
    n_rows: int
    sensitive: tuple[str, ...]
    control: tuple[str, ...]
    favorable: str
    label_favorable: str | None
    reference_group: object
    confidence: float
    min_group_size: int
    n_resamples: int
    random_state: int
    missing: str
    notices: tuple[str, ...] = ()
    source: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    def check(
        self,
        *,
        max_gap: float | None = None,
        fail_under: float | None = None,
        metrics: tuple[str, ...] = ("statistical_parity",),
    ) -> Gate:
        """Hold the audit against thresholds: the one gate of Python, command line and tests.

        Parameters
        ----------
        max_gap : float, optional
            No gap of `metrics` may exceed it (gaps are never negative).
        fail_under : float, optional
            No group's impact ratio may be below it; 0.8 is the four-fifths rule.
        metrics : tuple of str
            The gaps that `max_gap` is about.

        Returns
        -------
        Gate
            Its `passed` is False where something failed or could not be decided.

        Raises
        ------
        InputError
            A threshold outside 0 to 1, or a metric that was not measured.

        Examples
        --------
        >>> import arbitree as ar
        >>> sex = ["f"] * 50 + ["m"] * 50
        >>> found = ar.audit([1] * 20 + [0] * 30 + [1] * 40 + [0] * 10,
        ...                  sensitive_features={"sex": sex})
        >>> found.check(fail_under=0.8).failures
        ('sex: impact ratio of f is 0.500, below 0.8',)
        """
        return gate(
            self.by_group, self.gaps, max_gap=max_gap, fail_under=fail_under, metrics=metrics
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values: NaN and infinity become None."""
        frames = ("by_group", "gaps", "rates", "summary", "overall", "unknown")
        return {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            "n_rows": self.n_rows,
            "sensitive_features": list(self.sensitive),
            "control_features": list(self.control),
            "favorable": self.favorable,
            "label_favorable": self.label_favorable,
            "reference_group": plain(self.reference_group),
            "confidence": self.confidence,
            "min_group_size": self.min_group_size,
            "n_resamples": self.n_resamples,
            "random_state": self.random_state,
            "missing": self.missing,
            "notices": list(self.notices),
            "source": plain(self.source),
            "versions": self.versions,
            **{name: records(getattr(self, name)) for name in frames},
        }

    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        found = [("By group", self.by_group), ("Gaps", self.gaps), ("Summary", self.summary)]
        if self.unknown["n_missing"].any():
            found.append(("Unknown group", self.unknown))
        return found

    def _repr_html_(self) -> str:
        (groups, _), (gaps, frame), *rest = self._sections()
        shown = [
            (groups, self.by_group[[*self.control, *_SHOWN]]),
            (gaps, frame.drop(columns=["condition"])),
            *rest,
        ]
        return html_sections(shown, self.notices, IN_A_NOTEBOOK)

    def _notes(self) -> tuple[str, ...]:
        return self.notices

    def __repr__(self) -> str:
        shown = [*self.control, *_SHOWN]
        weighted = ", weighted" if "weight" in self.by_group else ""
        head = f"Audit of {self.n_rows:,} rows{weighted}; {self.favorable}"
        tables = [
            self.by_group[shown].to_string(index=False, float_format="{:.3f}".format, max_rows=40),
            self.gaps.drop(columns=["condition"]).to_string(
                index=False, float_format="{:.3f}".format, max_rows=40
            ),
        ]
        return "\n\n".join([head, *tables, *self.notices])
