"""What a repair changed of a tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from arbitree._tables import Sectioned, records
from arbitree._wording import counted


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
        forbids the decision there was).
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

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values."""
        names = ("n_nodes_before", "n_nodes", "n_leaves_before", "n_leaves", "depth_before")
        more = ("depth", "n_rows", "n_changed", "accuracy_before", "accuracy", "share_of_domain")
        rows = ("changed", "contradicting", "impossible")
        return {
            **{name: getattr(self, name) for name in (*names, *more)},
            **{name: getattr(self, name).tolist() for name in rows},
            "by_rule": records(self.by_rule),
            "notices": list(self.notices),
        }

    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        return [(self.headline, self.sizes), ("Rules on these rows", self.by_rule)]

    def _notes(self) -> tuple[str, ...]:
        return self.notices

    def __repr__(self) -> str:
        parts = [f"{title}\n{frame.to_string(index=False)}" for title, frame in self._sections()]
        return "\n\n".join([*parts, *self.notices])


def _whole(number: int) -> str:
    return f"{number:,}"
