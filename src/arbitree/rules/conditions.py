"""What a rule can ask of a row: comparisons, joined by and, or, not."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from arbitree._errors import InputError
from arbitree._wording import listed
from arbitree.rules.nesting import MOST_NESTED, TOO_DEEP
from arbitree.rules.values import Value, plain_value, plain_values

OPERATORS = ("=", "!=", "<", "<=", ">", ">=")
CLOSED = ("left", "right", "both", "neither")
Closed = Literal["left", "right", "both", "neither"]


class Position(NamedTuple):
    """Where a word stands in the text of rules, from 1."""

    line: int
    column: int


class _Joined:
    """Conditions are joined by ``&``, ``|`` and ``~``."""

    __slots__ = ()

    def __and__(self, other: Condition) -> And:
        return And((self, other))  # type: ignore[arg-type]

    def __or__(self, other: Condition) -> Or:
        return Or((self, other))  # type: ignore[arg-type]

    def __invert__(self) -> Not:
        return Not(self)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Compare(_Joined):
    """A feature beside one value: ``gill-color = green``, ``age < 18``.

    Numbers are compared as models compare them: both sides rounded to float32.

    Attributes
    ----------
    feature : str
        The column's name; of another name its text.
    operator : {"=", "!=", "<", "<=", ">", ">="}
    value : str, bool, int or float
    positions : tuple of Position
        Of the feature and the value, where the condition was read from text.

    Examples
    --------
    >>> young = Compare("age", "<", 18) & ~Missing("income")
    >>> len(young.terms)
    2
    """

    feature: str
    operator: str
    value: Value
    positions: tuple[Position, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        _set(self, feature=feature_text(self.feature), value=plain_value(self.value))
        if self.operator not in OPERATORS:
            raise InputError(f"{self.operator!r} compares nothing. There are {listed(OPERATORS)}.")


@dataclass(frozen=True, slots=True)
class OneOf(_Joined):
    """A feature with one of several values: ``odor in {foul, musty}``.

    Values that repeat are held once.
    """

    feature: str
    values: tuple[Value, ...]
    positions: tuple[Position, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        values = plain_values(self.values)
        _set(self, feature=feature_text(self.feature), values=values)
        if not values:
            raise InputError(f"{self.feature!r} in {{}} is never true. Name at least one value.")


@dataclass(frozen=True, slots=True)
class Between(_Joined):
    """A feature in an interval: ``16 <= age < 18`` is closed on the left."""

    feature: str
    low: Value
    high: Value
    closed: Closed = "left"
    positions: tuple[Position, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        low, high = plain_value(self.low), plain_value(self.high)
        _set(self, feature=feature_text(self.feature), low=low, high=high)
        if self.closed not in CLOSED:
            raise InputError(f"closed={self.closed!r} is none of {listed(CLOSED)}.")

    @property
    def parts(self) -> tuple[Compare, Compare]:
        """The two comparisons."""
        at = self.positions
        above = ">=" if self.closed in ("left", "both") else ">"
        below = "<=" if self.closed in ("right", "both") else "<"
        return (
            Compare(self.feature, above, self.low, at[:2]),
            Compare(self.feature, below, self.high, at[:1] + at[2:]),
        )


@dataclass(frozen=True, slots=True)
class Missing(_Joined):
    """A feature without a value: ``missing(age)``."""

    feature: str
    positions: tuple[Position, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        _set(self, feature=feature_text(self.feature))


@dataclass(frozen=True, slots=True)
class Not(_Joined):
    """The contrary of a condition."""

    term: Condition
    depth: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _set(self, depth=_depth((self.term,)))


@dataclass(frozen=True, slots=True)
class And(_Joined):
    """All of at least two conditions; an `And` among them is dissolved."""

    terms: tuple[Condition, ...]
    depth: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        terms = _flat(self.terms, And)
        _set(self, terms=terms, depth=_depth(terms))


@dataclass(frozen=True, slots=True)
class Or(_Joined):
    """Any of at least two conditions; an `Or` among them is dissolved."""

    terms: tuple[Condition, ...]
    depth: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        terms = _flat(self.terms, Or)
        _set(self, terms=terms, depth=_depth(terms))


Atom = Compare | OneOf | Between | Missing
Condition = Atom | Not | And | Or


def negated(condition: Condition) -> Condition:
    """The contrary, without a double negation.

    >>> negated(Not(Missing("age"))) == Missing("age")
    True
    """
    return condition.term if isinstance(condition, Not) else Not(condition)


def atoms(condition: Condition) -> Iterator[Atom]:
    """The comparisons of a condition, from left to right.

    >>> [atom.feature for atom in atoms(Not(Missing("age")) & Compare("sex", "=", "f"))]
    ['age', 'sex']
    """
    if isinstance(condition, Not):
        yield from atoms(condition.term)
    elif isinstance(condition, And | Or):
        for term in condition.terms:
            yield from atoms(term)
    else:
        yield condition


def values_of(atom: Atom) -> tuple[Value, ...]:
    """What a comparison names.

    >>> values_of(Between("age", 16, 18)), values_of(Missing("age"))
    ((16, 18), ())
    """
    if isinstance(atom, Missing):
        return ()
    if isinstance(atom, Between):
        return (atom.low, atom.high)
    return atom.values if isinstance(atom, OneOf) else (atom.value,)


def feature_text(name: Hashable) -> str:
    """A column's name as rules write it."""
    return name if isinstance(name, str) else str(name)


def _flat(terms: tuple[Condition, ...], kind: type) -> tuple[Condition, ...]:
    found: list[Condition] = []
    for term in terms:
        if not isinstance(term, _Joined):
            raise InputError(f"{term!r} is no condition.")
        found += term.terms if isinstance(term, kind) else [term]  # type: ignore[union-attr]
    if len(found) < 2:
        raise InputError(f"{kind.__name__} joins at least two conditions, not {len(found)}.")
    return tuple(found)


def _depth(terms: tuple[Condition, ...]) -> int:
    """Of a condition with these terms; comparisons have none."""
    depth = 1 + max(getattr(term, "depth", 0) for term in terms)
    if depth > MOST_NESTED:
        raise InputError(f"C{TOO_DEEP[1:]}")
    return depth


def _set(condition: object, **values: object) -> None:
    for name, value in values.items():
        object.__setattr__(condition, name, value)
