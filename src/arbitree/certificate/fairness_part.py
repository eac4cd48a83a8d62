"""What a certificate says of fairness: a bound on the gap, of whom, and how sure."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any

import pandas as pd

from arbitree._tables import Sectioned, records
from arbitree.certificate.gap_bounds import NEWCOMBE


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class FairnessPart(Sectioned):
    """A confidence bound on the gap of a fixed decision rule between groups of a population.

    ``0 <= gap <= bound <= 1`` and ``0 <= p_rule_bound <= p_rule <= 1``. `holds` says whether "the
    gap is at most max_gap", "the p-rule is at least min_p_rule", or both are certified, and is
    None where no limit was given. Of a rule certified in a fixed sequence of candidates the
    bounds are these limits themselves. Else the bounds are made of the counts in `by_group`, the
    method and the confidence, and of nothing else.

    Attributes
    ----------
    metric : str
    gap, bound : float
        Largest gap on the calibration rows, and what the largest gap of the population is at
        most, with confidence `confidence`.
    p_rule, p_rule_bound : float
        Smallest ratio of two groups' rates on these rows (1 where no group has hits), and what
        that of the population is at least, with the same confidence.
    group_high, group_low, condition, grouping : str
        Where the largest gap on these rows is.
    n : int
        Calibration rows.
    by_group : DataFrame
        One row a group and condition: n, k, rate, and its exact interval on its own.
    pairs : DataFrame
        One row a pair of groups and condition: gap with Newcombe's interval; bound, on its own;
        bound_simultaneous, which all pairs' keep at once; ratio_bound; status.
    candidates : DataFrame
        One row a candidate, in the order of testing; empty where there was only one rule.
    counts : tuple of (list of int, list of int)
        Of each candidate, k and n for every row of `by_group`.
    chosen : str or None
        The candidate that the certificate is of.
    selection : str or None
        How several candidates were allowed for.
    constant : str or None
        What everyone's decision is, where the rule decides alike for everyone on these rows.
    data : dict or None
        Digests of the calibration columns.
    notices : tuple of str
        What a reader must know.
    """

    metric: str
    gap: float
    bound: float
    max_gap: float | None
    min_p_rule: float | None
    holds: bool | None
    p_rule: float
    p_rule_bound: float
    group_high: str
    group_low: str
    condition: str
    grouping: str
    confidence: float
    method: str
    n: int
    by_group: pd.DataFrame
    pairs: pd.DataFrame
    candidates: pd.DataFrame
    counts: tuple[tuple[list[int], list[int]], ...] = ()
    data: dict[str, Any] | None = None
    chosen: str | None = None
    selection: str | None = None
    constant: str | None = None
    sensitive: tuple[str, ...]
    favorable: str
    label_favorable: str | None = None
    notices: tuple[str, ...] = ()

    @property
    def statement(self) -> str:
        """The claim in one sentence, and in another that the rule is constant, if it is."""
        about = "about " if self.method == NEWCOMBE else ""
        sure = f"with {about}{100 * self.confidence:g} % confidence, n = {self.n:,} ({self.method})"
        gap, p_rule = _rounded_up(self.bound), -_rounded_up(-self.p_rule_bound)
        alike = ""
        if self.constant:
            alike = f" The rule is constant on these rows: everyone's decision is {self.constant}."
        if self.holds is False:
            return f"Not certified that {self._asked}: {self._possible} {sure}.{alike}"
        with_ratio = f" and the p-rule at least {p_rule:g}" if self.min_p_rule is not None else ""
        return f"The {self.metric} gap is at most {gap:g}{with_ratio} {sure}.{alike}"

    @property
    def _asked(self) -> str:
        gap = None if self.max_gap is None else f"the {self.metric} gap is at most {self.max_gap:g}"
        ratio = None if self.min_p_rule is None else f"the p-rule is at least {self.min_p_rule:g}"
        return " and ".join(filter(None, [gap, ratio]))

    @property
    def _possible(self) -> str:
        gap = None if self.max_gap is None else f"the gap may be {_rounded_up(self.bound):g}"
        low = -_rounded_up(-self.p_rule_bound)
        ratio = None if self.min_p_rule is None else f"the p-rule may be {low:g}"
        return " and ".join(filter(None, [gap, ratio]))

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values: NaN and infinity become None."""
        plain = {
            name: getattr(self, name)
            for name in (
                *("metric", "gap", "bound", "max_gap", "holds", "p_rule", "p_rule_bound"),
                "min_p_rule",
                *("group_high", "group_low", "condition", "grouping", "confidence", "method"),
                *("n", "chosen", "selection", "constant", "favorable", "label_favorable"),
            )
        }
        candidates = [
            {**row, "k": k, "n": n} for row, (k, n) in zip(records(self.candidates), self.counts)
        ]
        return {
            "statement": self.statement,
            **plain,
            "sensitive_features": list(self.sensitive),
            "data": self.data,
            **{name: records(getattr(self, name)) for name in ("by_group", "pairs")},
            "candidates": candidates,
        }

    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        found = [(self.statement, self.by_group), ("Pairs", self.pairs)]
        if len(self.candidates):
            found.append((f"Candidates ({self.selection})", self.candidates))
        return found

    def __repr__(self) -> str:
        pairs = self.pairs.drop(columns=["status"]).to_string(
            index=False, float_format="{:.3f}".format, max_rows=20
        )
        return f"{self.statement}\n\n{pairs}"


def _rounded_up(bound: float) -> float:
    """A bound in four decimals that is still one."""
    return ceil(bound * 10_000 - 1e-9) / 10_000
