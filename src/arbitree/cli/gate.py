"""The gate of a command: the audit's own verdict, in words and as an exit status."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .._errors import InputError
from .._wording import nearest
from .words import Words, tell_all

if TYPE_CHECKING:
    from ..groups.result import Audit, Gate


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """What was asked of an audit; nothing where all are empty."""

    fail_under: float | None = None
    max_gap: float | None = None
    metrics: tuple[str, ...] = ()

    def check(self) -> None:
        """Refuse thresholds and metrics that make no sense, before any work is done."""
        from ..groups.metrics import GAPS

        for option, value in (("--fail-under", self.fail_under), ("--max-gap", self.max_gap)):
            if value is not None and not 0 <= value <= 1:
                raise InputError(f"{option} is {value:g}. Give a number from 0 to 1.")
        for metric in self.metrics:
            if metric not in GAPS:
                raise InputError(f"--metric {metric!r} is no gap. {nearest(metric, list(GAPS))}")

    def verdict(self, found: Audit) -> Gate:
        """Hold the audit against the thresholds."""
        if self.max_gap is not None:
            metrics = self.metrics or ("statistical_parity",)
            return found.check(fail_under=self.fail_under, max_gap=self.max_gap, metrics=metrics)
        if self.metrics:
            # No gap exceeds 1, so that this only asks whether the metrics can be estimated.
            return found.check(fail_under=self.fail_under, max_gap=1.0, metrics=self.metrics)
        return found.check(fail_under=self.fail_under)

    def __str__(self) -> str:
        parts = []
        if self.fail_under is not None:
            parts.append(f"every impact ratio is at least {self.fail_under:g}")
        if self.max_gap is not None:
            parts.append(f"every gap is at most {self.max_gap:g}")
        return ", ".join(parts)


def decided(verdict: Gate, thresholds: Thresholds, words: Words) -> int:
    """Say how the gate went; 0 passed, 1 failed, 3 undecided."""
    tell_all("gate failed", verdict.failures)
    tell_all("not estimable", verdict.undecided)
    if verdict.passed and str(thresholds):
        words.say(f"gate passed: {thresholds}")
    return verdict.exit_code
