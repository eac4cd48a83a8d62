"""From counts of candidates to a bound on the gap of one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree.certificate.fairness_part import FairnessPart
from arbitree.certificate.families import Measured, counts_of
from arbitree.certificate.gap_bounds import (
    CLOPPER_PEARSON,
    FEWEST,
    NEWCOMBE,
    check_confidence,
    gap_bounds,
)
from arbitree.certificate.selection import (
    FIXED_SEQUENCE,
    asked_confidence,
    best,
    certified,
    check_procedure,
)
from arbitree.certificate.tabulate import Bounded, candidates_frame, described

CHOSEN = (
    "The rule was chosen among candidates on these rows. The limits of gap and p-rule allow for "
    "that; bounds of pairs do not, unless the procedure is bonferroni."
)
INDEPENDENT = (
    "Holds for the population of which the calibration rows are a random sample, if they were "
    "used neither to fit nor to choose the rule."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What is to be certified, and how sure.

    Claims of both are tested with the whole error each: a rule that violates one of them passes
    both no more often than it passes that one (Berger 1982).
    """

    max_gap: float | None
    min_p_rule: float | None
    confidence: float = 0.95
    method: str = CLOPPER_PEARSON
    procedure: str = FIXED_SEQUENCE

    def check(self) -> None:
        """Refuse what makes no sense."""
        for name in ("max_gap", "min_p_rule"):
            value = getattr(self, name)
            number = isinstance(value, int | float | np.integer | np.floating)
            if value is not None and (isinstance(value, bool) or not number or not 0 <= value <= 1):
                raise InputError(f"{name} is {value!r}. Pass a number from 0 to 1.")
        check_confidence(self.confidence)
        check_procedure(self.procedure)

    @property
    def any(self) -> bool:
        """Whether a limit was given."""
        return self.max_gap is not None or self.min_p_rule is not None

    @property
    def claimed(self) -> tuple[float, float]:
        """Of a gap and a p-rule that meet them, nothing more."""
        gap = 1.0 if self.max_gap is None else float(self.max_gap)
        return gap, 0.0 if self.min_p_rule is None else float(self.min_p_rule)

    def met_by(self, tested: Bounded) -> bool:
        """Whether the bounds are within the limits."""
        gap, p_rule = self.claimed
        return tested.bound <= gap and tested.p_rule >= p_rule


def fairness_part(
    models: Mapping[str, Any],
    measured: Sequence[Measured],
    limits: Limits,
    *,
    metric: str,
    several: bool,
) -> tuple[str, FairnessPart]:
    """Which candidate is certified, and what is certified of it.

    Parameters
    ----------
    models : mapping
        By the name of the candidate.
    measured : sequence of Measured
        Of each.
    limits : Limits
        Which make sense: see `Limits.check`.
    metric : str
    several : bool
        Whether there was a choice; of a single model a bound is certified, too.
    """
    if several and not limits.any:
        raise InputError(
            "Of several candidates a limit is certified, not a bound. Pass max_gap, min_p_rule, "
            "or a single model."
        )
    confidence, method, procedure = limits.confidence, limits.method, limits.procedure
    asked = asked_confidence(confidence, len(models), procedure=procedure)
    tested = [_bounded(one, asked, method) for one in measured]
    holds = certified([limits.met_by(one) for one in tested], procedure=procedure)
    at = best(holds, [one.accuracy for one in measured], rank=float)
    in_sequence = several and bool(holds[at]) and procedure == FIXED_SEQUENCE
    bound, p_rule_bound = limits.claimed if in_sequence else tested[at].claimed
    name = list(models)[at]
    return name, FairnessPart(
        metric=metric,
        bound=bound,
        max_gap=limits.max_gap,
        min_p_rule=limits.min_p_rule,
        holds=bool(holds[at]) if limits.any else None,
        confidence=float(confidence),
        method=method,
        candidates=candidates_frame(models, tested, holds, procedure, several=several),
        counts=tuple(counts_of(one) for one in measured) if several else (),
        chosen=str(name) if several else None,
        selection=procedure if several else None,
        p_rule_bound=p_rule_bound,
        notices=(
            INDEPENDENT,
            *(_approximate(tested[at]) if method == NEWCOMBE else []),
            *_suspicions(models[name], measured[at].n),
            *([CHOSEN] if several else []),
            *measured[at].notices,
        ),
        **described(tested[at], confidence, asked, method),
    )


def _bounded(found: Measured, confidence: float, method: str) -> Bounded:
    return Bounded(
        measured=found,
        bounds=tuple(
            gap_bounds(family.k, family.n, confidence=confidence, method=method)
            for family in found.families
        ),
    )


def _approximate(tested: Bounded) -> list[str]:
    """What Newcombe's limits are worth for these counts."""
    notices = ["Newcombe's limits are approximate: they hold about as often as stated."]
    for family in tested.measured.families:
        for group, k, n in zip(family.groups, family.k.tolist(), family.n.tolist()):
            if n > 0 and min(k, n - k) < FEWEST:
                return [
                    f"Newcombe's limits are approximate, and can fail far more often than stated "
                    f"for few rows or rates near 0 or 1: {group} has {k:,} of {n:,} "
                    f"({family.condition}). Pass method='exact'."
                ]
    return notices


def _suspicions(model: Any, n: int) -> list[str]:
    """Whether the rows may be those that the tree was grown on."""
    tree = getattr(model, "tree_", None)
    grown_on = getattr(tree, "n", None)
    if grown_on is None or int(grown_on[0]) != n:
        return []
    return [
        f"The tree was grown on {n:,} rows too. If these are the same rows, nothing is certified."
    ]
