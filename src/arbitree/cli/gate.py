"""The gate of a command: the audit's own verdict, in words and as an exit status."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .._errors import InputError
from .._wording import nearest
from .values import check_share
from .words import Words, tell_all

if TYPE_CHECKING:
    from ..groups.result import Audit
    from ..report.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """What was asked of an audit; nothing where all are empty."""

    fail_under: float | None = None
    max_gap: float | None = None
    metrics: tuple[str, ...] = ()

    def check(self) -> None:
        """Refuse thresholds and metrics that make no sense, before any work is done."""
        from ..groups.metrics import GAPS

        check_share("--fail-under", self.fail_under)
        check_share("--max-gap", self.max_gap)
        for metric in self.metrics:
            if metric not in GAPS:
                raise InputError(f"--metric {metric!r} is no gap. {nearest(metric, list(GAPS))}")

    def verdict(self, found: Audit) -> Verdict | None:
        """Hold the audit against the thresholds; None where there are none."""
        from ..report.verdict import Verdict

        if self == Thresholds():
            return None
        metrics = self.metrics
        if self.max_gap is not None:
            metrics = metrics or ("statistical_parity",)
        # No gap exceeds 1, so that 1 only asks whether the metrics can be estimated.
        max_gap = 1.0 if metrics and self.max_gap is None else self.max_gap
        return Verdict(
            gate=found.check(fail_under=self.fail_under, max_gap=max_gap, metrics=metrics),
            fail_under=self.fail_under,
            max_gap=self.max_gap,
            metrics=metrics,
        )


def decided(verdict: Verdict | None, words: Words) -> int:
    """Say how the gate went; 0 passed or none asked for, 1 failed, 3 undecided."""
    if verdict is None:
        return 0
    tell_all("gate failed", verdict.gate.failures)
    tell_all("not estimable", [_once(line) for line in verdict.gate.undecided])
    if verdict.gate.passed:
        words.say(verdict.line)
    return verdict.gate.exit_code


def _once(line: str) -> str:
    """What is not estimable, and why, without saying again that it is not."""
    return line.replace(": not estimable: ", ": ", 1)
