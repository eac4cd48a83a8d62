"""What a repair changed of a tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from arbitree._tables import Sectioned, records
from arbitree._wording import counted

_TOLD = 8  # rules of a sentence


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Repair(Sectioned):
    """A tree before and after it was repaired. It obeys the rules on every row of its domain.

    Decisions that no rule forbids are as before.

    Attributes
    ----------
    n_nodes_before, n_nodes, n_leaves_before, n_leaves, depth_before, depth : int
    n_rows : int
        Rows that were passed, without those of weight 0.
    changed : ndarray of int
        Those of them that are decided otherwise.
    accuracy_before, accuracy : float
        On these rows, by their weights and with the labels that they were passed with.
    share_of_domain : float or None
        The share of all rows there can be that are decided otherwise, where rows can be counted:
        where the tree and the rules compare levels and no numbers.
    by_rule : DataFrame
        A row a rule: rule, text, n_matching (rows it holds of), n_overruled (rows of which it
        forbids the decision there was), n_leaves (of the tree before, that could decide a row
        there can be against it).
    n_unsafe : int
        Leaves of the tree before that could break any rule; what had to be split.
    contradicting, impossible : ndarray of int
        Rows whose label a rule forbids, and rows that a fact says cannot be.
    notices : tuple of str
    """

    n_nodes_before: int
    n_nodes: int
    n_leaves_before: int
    n_leaves: int
    depth_before: int
    depth: int
    n_rows: int
    changed: np.ndarray
    accuracy_before: float
    accuracy: float
    share_of_domain: float | None
    by_rule: pd.DataFrame
    n_unsafe: int
    contradicting: np.ndarray
    impossible: np.ndarray
    notices: tuple[str, ...] = ()

    @property
    def n_changed(self) -> int:
        """Rows that are decided otherwise."""
        return len(self.changed)

    @property
    def sizes(self) -> pd.DataFrame:
        """Nodes, leaves, depth and accuracy, before and after."""
        names = ("nodes", "leaves", "depth")
        before = [self.n_nodes_before, self.n_leaves_before, self.depth_before]
        after = [self.n_nodes, self.n_leaves, self.depth]
        numbers = {
            "": [*names, "accuracy"],
            "before": [*map(_whole, before), f"{self.accuracy_before:.4f}"],
            "after": [*map(_whole, after), f"{self.accuracy:.4f}"],
        }
        return pd.DataFrame(numbers)

    @property
    def headline(self) -> str:
        """How many decisions changed, in a sentence."""
        share = self.share_of_domain
        domain = "" if share is None else f", and {100 * share:.3g} % of all rows there can be"
        of = f"{counted(self.n_changed, 'row')} of {self.n_rows:,}"
        return f"Repaired: {of} decided otherwise{domain}"

    @property
    def growth(self) -> str:
        """Why there are more nodes, in two sentences; empty where there are none."""
        added = self.n_nodes - self.n_nodes_before
        if added <= 0:
            return ""
        rows = self.by_rule[self.by_rule["n_leaves"] > 0].to_dict("records")
        told = [f"{row['rule']}: {row['n_leaves']:,}" for row in rows[:_TOLD]]
        if len(rows) > _TOLD:
            told.append(f"{len(rows) - _TOLD:,} more rules")
        nodes = f"{counted(added, 'node')} {'was' if added == 1 else 'were'} added"
        return (
            f"{nodes}: {self.n_unsafe:,} of {self.n_leaves_before:,} leaves could decide a row "
            f"there can be against a rule ({', '.join(told)}), and each is split by the rule's "
            "conditions, there or above it, until none can. That is so that every other row keeps "
            "its decision; a tree learnt under the rules often needs fewer nodes."
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values."""
        names = ("n_nodes_before", "n_nodes", "n_leaves_before", "n_leaves", "depth_before")
        more = (
            "depth",
            "n_rows",
            "n_changed",
            "accuracy_before",
            "accuracy",
            "share_of_domain",
            "n_unsafe",
        )
        rows = ("changed", "contradicting", "impossible")
        return {
            **{name: getattr(self, name) for name in (*names, *more)},
            **{name: getattr(self, name).tolist() for name in rows},
            "by_rule": records(self.by_rule),
            "growth": self.growth,
            "notices": list(self.notices),
        }

    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        return [(self.headline, self.sizes), ("Rules on these rows", self.by_rule)]

    def _notes(self) -> tuple[str, ...]:
        return (self.growth, *self.notices) if self.growth else self.notices

    def __repr__(self) -> str:
        parts = [f"{title}\n{frame.to_string(index=False)}" for title, frame in self._sections()]
        return "\n\n".join([*parts, *self._notes()])


def _whole(number: int) -> str:
    return f"{number:,}"
