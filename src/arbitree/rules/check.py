"""What rules say of each other, without any data: contradictions, and rules that change nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from arbitree._tables import Sectioned, plain, records
from arbitree._wording import listed
from arbitree.rules.bound import BoundRules
from arbitree.rules.contradiction import Contradiction, contradiction
from arbitree.rules.redundant import idle
from arbitree.rules.text import statement_text


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class RuleCheck(Sectioned):
    """Rules against each other.

    Attributes
    ----------
    contradiction : Contradiction or None
        A row that can exist without a class, and the rules to blame; None if there is none.
    by_rule : DataFrame
        A row a rule: rule, text, status, severity, reason. The status is ``"contradicts"``,
        ``"never true"`` of a row that can exist, ``"implied by"`` others, or ``"needed"``.
    """

    contradiction: Contradiction | None
    by_rule: pd.DataFrame

    @property
    def consistent(self) -> bool:
        """Whether every row that can exist has a class left."""
        return self.contradiction is None

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values."""
        found = self.contradiction
        return {
            "consistent": self.consistent,
            "contradiction": found
            and {
                "rules": list(found.rules),
                "row": plain(found.row),
                "through_missing": found.through_missing,
            },
            "by_rule": records(self.by_rule),
        }

    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        said = "consistent" if self.consistent else "not consistent"
        found = [(f"Rules: {said}", self.by_rule)]
        if self.contradiction is not None and self.contradiction.row is not None:
            row = pd.DataFrame([self.contradiction.row])
            found.append((f"A row that {listed(self.contradiction.rules)} leave no class", row))
        return found

    def __repr__(self) -> str:
        return "\n\n".join(
            f"{title}\n{frame.to_string(index=False, max_rows=20)}"
            for title, frame in self._sections()
        )


def check(bound: BoundRules) -> RuleCheck:
    """Hold rules against each other.

    Examples
    --------
    >>> from arbitree.rules.ruleset import Rules
    >>> found = check(Rules.parse("x < 1 => a\\nx < 0 => a\\nx > 0 => b").bind({"x": [1.0]}))
    >>> found.by_rule["status"].tolist()
    ['contradicts', "implied by 'line 1'", 'contradicts']
    """
    found = contradiction(bound)
    to_blame = set(found.rules) if found is not None else set()
    status = dict.fromkeys((rule.name for rule in bound.rules), "needed")
    status |= idle(bound) | dict.fromkeys(to_blame, "contradicts")
    by_rule = pd.DataFrame(
        {
            "rule": [rule.name for rule in bound.rules],
            "text": [statement_text(rule.rule) for rule in bound.rules],
            "status": [status[rule.name] for rule in bound.rules],
            "severity": [rule.rule.severity for rule in bound.rules],
            "reason": [rule.rule.reason for rule in bound.rules],
        }
    )
    return RuleCheck(contradiction=found, by_rule=by_rule)
