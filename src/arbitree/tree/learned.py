"""A tree grown from a table, and what it does on rows that it has not seen."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

import pandas as pd

from arbitree._tables import Sectioned, plain
from arbitree.tree.estimator import TreeClassifier
from arbitree.tree.measured import Measured
from arbitree.tree.parity import Parity

SCHEMA, SCHEMA_VERSION = "arbitree/learned", 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Learned(Sectioned):
    """A tree, its gap split by split, and its measure on training and held-out rows.

    Of the rows of one condition and pair of groups, the contributions in `splits` sum to the gap
    between the two on the training rows.
    """

    model: TreeClassifier
    label: str
    favorable: str  # "favourable: income = '>50K'"
    metric: str
    training: Measured
    held_out: Measured | None
    splits: pd.DataFrame  # see `arbitree.parity_report`
    confidence: float
    random_state: int
    notices: tuple[str, ...] = ()
    source: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Everything, the tree as in ``tree.json`` included."""
        tree = self.model.tree_
        found = {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            "label": self.label,
            "favorable": self.favorable,
            "metric": self.metric,
            "parity": _bound(self.model.parity),
            "n_leaves": tree.n_leaves,
            "depth": self.model.get_depth(),
            "constant_reason": self.model.constant_reason_,
            "confidence": self.confidence,
            "random_state": self.random_state,
            "training": self.training.to_dict(),
            "held_out": None if self.held_out is None else self.held_out.to_dict(),
            "splits": self.splits,
            "notices": list(self.notices),
            "source": self.source,
            "versions": self.versions,
        }
        return {**plain(found), "tree": json.loads(self.model.to_json())}

    def _notes(self) -> tuple[str, ...]:
        return self.notices

    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        found = [("Measures", self._measures()), ("Splits", self.splits)]
        measured = self.training if self.held_out is None else self.held_out
        return [*found, ("Groups", measured.by_group)]

    def _measures(self) -> pd.DataFrame:
        parts = {"training": self.training, "held-out": self.held_out}
        return pd.DataFrame(
            [
                {
                    "rows": name,
                    "n": one.n_rows,
                    "accuracy": f"{one.accuracy:.3f}",
                    "balanced accuracy": f"{one.balanced_accuracy:.3f}",
                    f"{self.metric} gap": f"{one.gap:.3f}",
                }
                for name, one in parts.items()
                if one is not None
            ]
        )


def _bound(parity: Parity | None) -> dict[str, Any] | None:
    return None if parity is None else {"type": type(parity).__name__, **asdict(parity)}
