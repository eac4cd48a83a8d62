"""Whether a model obeys rules: what was proved, what was refuted and by which row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from arbitree._tables import Sectioned, records

Status = Literal["holds", "violated", "undecided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found of one rule.

    ``status == "holds"`` is proved for every row of the domain; ``"violated"`` comes with a row
    that the model itself decided against the rule.
    """

    rule: str
    text: str
    status: Status
    method: str  # what decided it
    decision: object = None  # of the counterexample
    counterexample: pd.DataFrame | None = None  # one row
    margin: float | None = None  # undecided: by how much a forbidden class may still win
    severity: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Verification(Sectioned):
    """Verdicts on all rules.

    `status` is ``"violated"`` if one rule is, else ``"undecided"`` if one is, else ``"holds"``.

    Attributes
    ----------
    verdicts : tuple of Verdict
    notices : tuple of str
        What is outside the domain, and what else a reader must know.
    """

    verdicts: tuple[Verdict, ...]
    notices: tuple[str, ...] = ()

    @property
    def status(self) -> Status:
        """The worst verdict."""
        found = {verdict.status for verdict in self.verdicts}
        if "violated" in found:
            return "violated"
        return "undecided" if "undecided" in found else "holds"

    @property
    def counterexample(self) -> pd.DataFrame | None:
        """The row that refutes the first rule that is violated; None if none is."""
        return next((v.counterexample for v in self.verdicts if v.status == "violated"), None)

    @property
    def by_rule(self) -> pd.DataFrame:
        """A row a rule: rule, text, status, decision, method, margin, severity, reason."""
        names = ("rule", "text", "status", "decision", "method", "margin", "severity", "reason")
        rows = [{name: getattr(verdict, name) for name in names} for verdict in self.verdicts]
        return pd.DataFrame(rows, columns=list(names))

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values."""
        rows = [
            None if v.counterexample is None else records(v.counterexample)[0]
            for v in self.verdicts
        ]
        by_rule = [
            {**entry, "counterexample": row} for entry, row in zip(records(self.by_rule), rows)
        ]
        return {"status": self.status, "by_rule": by_rule, "notices": list(self.notices)}

    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        found = [(f"Rules: {self.status}", self.by_rule)]
        for verdict in self.verdicts:
            if verdict.counterexample is not None:
                title = f"Rule {verdict.rule} is violated: decided {verdict.decision!r} of this row"
                found.append((title, verdict.counterexample))
        return found

    def _notes(self) -> tuple[str, ...]:
        return self.notices

    def __repr__(self) -> str:
        parts = [f"{title}\n{frame.to_string(index=False)}" for title, frame in self._sections()]
        return "\n\n".join([*parts, *self.notices])
