"""What rules changed of a tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RuleEffect:
    """A tree before and after it was made to obey rules.

    It obeys them on every row of the domain, unless `unsafe_leaves` names some: those of the
    paper's literal methods alone may be unsafe.

    Attributes
    ----------
    n_nodes_grown, n_nodes : int
        Before and after.
    weight_changed : float
        Weight of training rows that are decided otherwise.
    errors_grown, errors : float
        Weight of training rows, class weights included, that are decided otherwise than labelled,
        before and after.
    contradicting, impossible : ndarray of int
        Rows whose label a rule forbids, and rows that a fact says cannot be: of those passed to
        `fit`, without those of weight 0.
    gap_grown, gap : float or None
        The training gap before and after; None without sensitive features.
    budget : float or None
        The eps of a `GapBudget`.
    least_gap : float or None
        Where no decisions of the tree's leaves obey both the rules and the budget: the least gap
        that those have which obey the rules.
    unsafe_leaves : tuple of int
        Leaves that decide a row which can exist against a rule.
    """

    n_nodes_grown: int
    n_nodes: int
    weight_changed: float
    errors_grown: float
    errors: float
    contradicting: np.ndarray
    impossible: np.ndarray
    gap_grown: float | None
    gap: float | None
    budget: float | None
    least_gap: float | None
    unsafe_leaves: tuple[int, ...] = ()

    @property
    def gap_from_rules(self) -> float | None:
        """The part of the gap that rules cause; negative if they narrow it."""
        return None if self.gap is None or self.gap_grown is None else self.gap - self.gap_grown

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences that the user should read."""
        if self.least_gap is None:
            return ()
        return (
            f"The rules and a gap of {self.budget:g} do not go together in this tree: obeying the "
            f"rules, its leaves have a gap of at least {self.least_gap:.4g}, of which "
            f"{self.gap_from_rules:.4g} came with the rules. The rules were obeyed.",
        )

    @property
    def literal_notice(self) -> str:
        """What the user of a literal method should read."""
        return (
            "The paper's literal methods do not keep rules in all cases. Of this tree "
            f"{len(self.unsafe_leaves):,} leaves can break a rule: see rule_effect_.unsafe_leaves. "
            "Leave out '-literal' for a tree that is always safe."
        )
