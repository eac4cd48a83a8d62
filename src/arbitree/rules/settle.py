"""Training rows that contradict a rule: refused, kept, relabelled or dropped; always listed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree._errors import InputError, RuleError
from arbitree._wording import counted, listed
from arbitree.rules.bound import BoundRules
from arbitree.rules.on_codes import Membership

CONTRADICTIONS = ("error", "keep", "relabel", "drop")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowsUnderRules:
    """What rules say of labelled rows: of which they hold, and what they forbid there."""

    holds: np.ndarray  # (n_rules, n_rows) bool
    forbidden: np.ndarray  # (n_rows, n_classes) bool
    overruled: np.ndarray  # (n_rules, n_rows) bool: the rule forbids the label
    impossible: np.ndarray  # (n_facts, n_rows) bool: the fact refutes the row

    @property
    def contradicting(self) -> np.ndarray:
        """Rows whose label a rule forbids.  (n_rows,) bool"""
        return np.asarray(self.overruled.any(axis=0))

    @property
    def refuted(self) -> np.ndarray:
        """Rows that a fact refutes.  (n_rows,) bool"""
        return np.asarray(self.impossible.any(axis=0))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settled:
    """Labels to learn from. Rows that are not in `keep` are to be left out."""

    y: np.ndarray  # (n_rows,) int, places of classes
    keep: np.ndarray  # (n_rows,) bool
    contradicting: np.ndarray  # (k,) int, rows whose label a rule forbids
    impossible: np.ndarray  # (k,) int, rows that a fact refutes
    notices: tuple[str, ...]


def rows_under_rules(
    bound: BoundRules, codes: Sequence[np.ndarray], y: np.ndarray
) -> RowsUnderRules:
    """Ask every rule and fact of every row.

    Parameters
    ----------
    bound : BoundRules
    codes : sequence of ndarray of int, shape (n_rows,)
        Cells on each axis, as `Space.encode` gives them.
    y : ndarray of int, shape (n_rows,)
        Places of the labels among `bound.classes`.
    """
    rows = Membership(bound.space, codes)
    n_classes = len(bound.classes)
    holds = np.zeros((len(bound.rules), len(y)), bool)
    overruled = np.zeros_like(holds)
    forbidden = np.zeros((len(y), n_classes), bool)
    for i, rule in enumerate(bound.rules):
        holds[i] = rows.in_one_of(rule.boxes)
        forbids = np.array([rule.forbids >> place & 1 for place in range(n_classes)], bool)
        overruled[i] = holds[i] & forbids[y]
        forbidden[holds[i]] |= forbids
    impossible = np.array([~rows.in_one_of(fact.boxes) for fact in bound.facts], bool)
    return RowsUnderRules(
        holds=holds,
        forbidden=forbidden,
        overruled=overruled,
        impossible=impossible.reshape(len(bound.facts), len(y)),
    )


def settle(
    bound: BoundRules,
    found: RowsUnderRules,
    y: np.ndarray,
    *,
    contradictions: str = "error",
    weights: np.ndarray | None = None,
) -> Settled:
    """Apply a policy to the rows that contradict a rule or a fact.

    Parameters
    ----------
    bound : BoundRules
    found : RowsUnderRules
    y : ndarray of int, shape (n_rows,)
    contradictions : {"error", "keep", "relabel", "drop"}
        ``"relabel"`` gives a row the allowed class that has most weight among the rows that obey
        every rule, the first of equals. It cannot mend a row that a fact refutes: such rows are
        kept; ``"drop"`` drops them too.
    weights : ndarray of float64, shape (n_rows,), optional

    Raises
    ------
    RuleError
        If a row contradicts and the policy is ``"error"``; names the first and its rule.
    InputError
        If there is no such policy.
    """
    if contradictions not in CONTRADICTIONS:
        words = listed(CONTRADICTIONS).replace(" and ", " or ")
        raise InputError(f"contradictions={contradictions!r} is no policy. Pass {words}.")
    against, impossible = found.contradicting, found.refuted
    keep, labels = np.ones(len(y), bool), y.copy()
    if contradictions == "error":
        _refuse(bound, found, y)
    elif contradictions == "drop":
        keep = ~(against | impossible)
    elif contradictions == "relabel":
        weight = np.ones(len(y)) if weights is None else weights
        labels[against] = _best_allowed(found, y, weight)[against]
    return Settled(
        y=labels,
        keep=keep,
        contradicting=np.flatnonzero(against),
        impossible=np.flatnonzero(impossible),
        notices=_notices(against, impossible, contradictions),
    )


def _best_allowed(found: RowsUnderRules, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The heaviest class that is allowed of each row, by the rows that obey."""
    obey = ~found.contradicting
    weight = np.bincount(y[obey], weights=weights[obey], minlength=found.forbidden.shape[1])
    best = np.where(found.forbidden, -1.0, weight).argmax(axis=1)
    # Rules leave every row that can exist a class; one that a fact refutes may have none.
    return np.where(found.forbidden.all(axis=1), y, best)


def _refuse(bound: BoundRules, found: RowsUnderRules, y: np.ndarray) -> None:
    against, impossible = found.contradicting, found.refuted
    if against.any():
        row, n = int(np.argmax(against)), int(against.sum())
        rule = bound.rules[int(np.argmax(found.overruled[:, row]))]
        raise RuleError(
            f"y has {bound.classes[y[row]]!r} at row {row}, which rule {rule.name!r} forbids, and "
            f"{counted(n, 'row')} in all {_contradict(n)} a rule. Correct them, or pass "
            "contradictions='relabel'; 'keep' and 'drop' are known too."
        )
    if impossible.any():
        row, n = int(np.argmax(impossible)), int(impossible.sum())
        fact = bound.facts[int(np.argmax(found.impossible[:, row]))]
        raise RuleError(
            f"X has at row {row} what fact {fact.name!r} says cannot be, and "
            f"{counted(n, 'row')} in all {_contradict(n)} a fact. Correct them, or "
            "pass contradictions='keep' or 'drop'."
        )


def _contradict(n: int) -> str:
    return "contradicts" if n == 1 else "contradict"


_DONE = {"keep": "kept", "relabel": "relabelled", "drop": "dropped"}


def _notices(against: np.ndarray, impossible: np.ndarray, policy: str) -> tuple[str, ...]:
    found = []
    if against.any():
        n = int(against.sum())
        found.append(
            f"{counted(n, 'row')} of {len(against):,} {_contradict(n)} a rule: {_DONE[policy]}."
        )
    if impossible.any():
        done = "dropped" if policy == "drop" else "kept"
        n = int(impossible.sum())
        found.append(f"{counted(n, 'row')} of {len(against):,} {_contradict(n)} a fact: {done}.")
    return tuple(found)
