"""The verdict of a gate with what was asked of it, as documents carry it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..groups.gate import Gate


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A gate and its thresholds; at least one threshold or metric was asked for."""

    gate: Gate
    fail_under: float | None = None
    max_gap: float | None = None
    metrics: tuple[str, ...] = ()

    @property
    def asked(self) -> str:
        """What was asked, as a sentence would say it."""
        parts = []
        if self.fail_under is not None:
            parts.append(f"every impact ratio is at least {self.fail_under:g}")
        if self.max_gap is not None:
            parts.append(f"every gap is at most {self.max_gap:g}")
        elif self.metrics:
            parts.append("every gap can be estimated")
        return ", ".join(parts)

    @property
    def line(self) -> str:
        """The verdict in one line."""
        if self.gate.passed:
            return f"gate passed: {self.asked}"
        failed, undecided = len(self.gate.failures), len(self.gate.undecided)
        outcome = "failed" if failed else "not decided"
        return f"gate {outcome}: {failed:,} failed, {undecided:,} undecided; asked: {self.asked}"

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values."""
        return {
            "thresholds": {
                "fail_under": self.fail_under,
                "max_gap": self.max_gap,
                "metrics": list(self.metrics),
            },
            "passed": self.gate.passed,
            "failures": list(self.gate.failures),
            "undecided": list(self.gate.undecided),
        }
