"""What data says of rules: which are exercised, which obeyed, which rows contradict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import LabelError
from arbitree._tables import Sectioned, records
from arbitree._wording import nearest
from arbitree.rules.bound import BoundRules
from arbitree.rules.redundant import idle
from arbitree.rules.settle import RowsUnderRules, rows_under_rules
from arbitree.rules.text import statement_text
from arbitree.rules.values import place_of, plain_value
from arbitree.table.align import aligned
from arbitree.table.distinct import distinct
from arbitree.table.frames import Column, column, columns
from arbitree.table.missing import is_missing, refuse_missing


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class RuleCoverage(Sectioned):
    """Rules against rows of data.

    Of each rule ``n_matching == n_obeying + n_overruled``, and ``n_overruled`` counts its rows in
    `contradicting`.

    Attributes
    ----------
    n : int
        Rows.
    by_rule : DataFrame
        A row a rule: rule, text, n_matching (rows it holds of), n_obeying, n_overruled, status,
        severity, reason. The status is ``"exercised"``, ``"never exercised"`` (by a row),
        ``"never true"`` (of any row that can exist), or ``"implied by"`` others.
    by_fact : DataFrame
        A row a fact: fact, text, n_refuted (rows that should not exist).
    contradicting : DataFrame
        A row for every row of data and rule that contradict: row (its position), label, rule;
        and for those that a fact refutes, with the fact as the rule.
    """

    n: int
    by_rule: pd.DataFrame
    by_fact: pd.DataFrame
    contradicting: pd.DataFrame

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values."""
        frames = ("by_rule", "by_fact", "contradicting")
        return {"n": self.n, **{name: records(getattr(self, name)) for name in frames}}

    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        found = [(f"Rules on {self.n:,} rows", self.by_rule)]
        if len(self.by_fact):
            found.append(("Facts", self.by_fact))
        if len(self.contradicting):
            found.append(("Rows that contradict", self.contradicting))
        return found

    def __repr__(self) -> str:
        return "\n\n".join(
            f"{title}\n{frame.to_string(index=False, max_rows=20)}"
            for title, frame in self._sections()
        )


def coverage(bound: BoundRules, X: Any, y: Any) -> RuleCoverage:
    """Count what rules say of labelled rows.

    Parameters
    ----------
    bound : BoundRules
    X : frame, array or dictionary of columns
    y : array or list, shape (n_rows,)
        Labels.

    Raises
    ------
    InputError
        If a value is not in the domain of its feature, or a label is missing.
    LabelError
        If a label is no class.
    """
    label = column(y, what="y", default_name="y")
    found = aligned({"X": columns(X, what="X", default_name="x"), "y": [label]})
    places, labels = _labels(bound, found["y"][0])
    rows = rows_under_rules(bound, bound.space.encode(found["X"]), places)
    return RuleCoverage(
        n=len(places),
        by_rule=_by_rule(bound, rows),
        by_fact=pd.DataFrame(
            {
                "fact": [fact.name for fact in bound.facts],
                "text": [statement_text(fact.fact) for fact in bound.facts],
                "n_refuted": rows.impossible.sum(axis=1),
            }
        ),
        contradicting=_contradicting(bound, rows, labels),
    )


def _labels(bound: BoundRules, label: Column) -> tuple[np.ndarray, np.ndarray]:
    """The place of each row's label among the classes, and the labels themselves."""
    refuse_missing(label, is_missing(label), what="y")
    found = distinct(label)
    places = []
    for level in found.levels:
        place = place_of(plain_value(level), bound.classes)
        if place is None:
            hint = nearest(str(level), bound.classes)
            raise LabelError(f"y has the label {level!r}, which is no class of the rules. {hint}")
        places.append(place)
    labels = np.empty(len(found.levels), object)
    labels[:] = found.levels
    return np.array(places, np.intp)[found.codes], labels[found.codes]


def _by_rule(bound: BoundRules, rows: RowsUnderRules) -> pd.DataFrame:
    n_matching, n_overruled = rows.holds.sum(axis=1), rows.overruled.sum(axis=1)
    exercised = ["exercised" if n else "never exercised" for n in n_matching]
    why_idle = idle(bound)
    return pd.DataFrame(
        {
            "rule": [rule.name for rule in bound.rules],
            "text": [statement_text(rule.rule) for rule in bound.rules],
            "n_matching": n_matching,
            "n_obeying": n_matching - n_overruled,
            "n_overruled": n_overruled,
            "status": [why_idle.get(rule.name, s) for rule, s in zip(bound.rules, exercised)],
            "severity": [rule.rule.severity for rule in bound.rules],
            "reason": [rule.rule.reason for rule in bound.rules],
        }
    )


def _contradicting(bound: BoundRules, rows: RowsUnderRules, labels: np.ndarray) -> pd.DataFrame:
    names = np.array([*(r.name for r in bound.rules), *(f.name for f in bound.facts)], np.object_)
    against = np.concatenate([rows.overruled, rows.impossible])
    row, which = np.nonzero(against.T)
    return pd.DataFrame({"row": row, "label": labels[row], "rule": names[which]})
