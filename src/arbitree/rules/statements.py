"""Rules and facts: what a team knows of decisions, and of which rows there are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from arbitree._errors import InputError
from arbitree._wording import listed
from arbitree.rules.conditions import Condition, Position, negated
from arbitree.rules.values import Value, plain_values

MISSING_POLICIES = ("possible", "certain")
MissingPolicy = Literal["possible", "certain"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Where the antecedent holds, the decision is one of some classes, or none of them.

    Attributes
    ----------
    when : Condition
        The antecedent.
    classes : tuple of str, bool, int or float
        Classes, by their text. Repeats are held once.
    forbidden : bool
        Whether the decision must be none of `classes`; else it must be one of them.
    missing : {"possible", "certain", None}
        When the antecedent holds of a row with missing values: ``"possible"``, if they could be
        such that it does; ``"certain"``, if it does whatever they are. None: as `Rules` says.
    id, reason, severity : str or None
        A name that no other statement has; who demands it and why; how grave it is. Reports and
        certificates repeat them.
    positions : tuple of Position
        Of the statement and of each class, where it was read from text.

    Examples
    --------
    >>> from arbitree.rules.conditions import Compare
    >>> Rule(when=Compare("age", "<", 18), classes=("deny",), id="minors").classes
    ('deny',)
    """

    when: Condition
    classes: tuple[Value, ...]
    forbidden: bool = False
    missing: MissingPolicy | None = None
    id: str | None = None
    reason: str | None = None
    severity: str | None = None
    positions: tuple[Position, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        given = (self.classes,) if isinstance(self.classes, str) else self.classes
        kept = plain_values(given)
        object.__setattr__(self, "classes", kept)
        if not kept:
            raise InputError("A rule names at least one class.")
        if self.missing is not None and self.missing not in MISSING_POLICIES:
            raise InputError(f"missing={self.missing!r} is none of {listed(MISSING_POLICIES)}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """No row has `when` without `then`. It says nothing about decisions.

    Examples
    --------
    >>> from arbitree.rules.conditions import Compare
    >>> fact = Fact(when=Compare("gill", "=", "green"), then=Compare("cap", "=", "pink"))
    >>> fact.then.value
    'pink'
    """

    when: Condition
    then: Condition
    id: str | None = None
    reason: str | None = None
    severity: str | None = None
    positions: tuple[Position, ...] = field(default=(), compare=False, repr=False)


Statement = Rule | Fact


def diagnostic(
    *, classes: tuple[Value, ...], then: Condition, forbidden: bool = False, **about: str | None
) -> Rule:
    """The rule that ``class => condition`` is, by contraposition.

    Parameters
    ----------
    classes : tuple of str, bool, int or float
    then : Condition
        What holds of every row that is decided as one of `classes`.
    forbidden : bool
        Whether `classes` are those that the decision is none of.
    **about
        `id`, `reason`, `severity`, `missing` of the rule.

    Examples
    --------
    >>> from arbitree.rules.conditions import Compare, Not
    >>> rule = diagnostic(classes=("poisonous",), then=Not(Compare("odor", "=", "none")))
    >>> rule.when == Compare("odor", "=", "none"), rule.classes, rule.forbidden
    (True, ('poisonous',), True)
    """
    return Rule(when=negated(then), classes=classes, forbidden=not forbidden, **about)  # type: ignore[arg-type]


def label(statement: Statement, place: int) -> str:
    """A name for reports: the id, else its line, else its place.

    >>> from arbitree.rules.conditions import Missing
    >>> label(Rule(when=Missing("age"), classes=("deny",)), 0)
    'rule 1'
    """
    if statement.id is not None:
        return statement.id
    kind = "rule" if isinstance(statement, Rule) else "fact"
    if statement.positions:
        return f"line {statement.positions[0].line}"
    return f"{kind} {place + 1}"
