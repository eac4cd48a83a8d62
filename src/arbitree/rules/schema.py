"""Which values features can have and which classes there are, where that is declared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arbitree._errors import InputError
from arbitree._wording import listed, nearest
from arbitree.rules.conditions import Position, feature_text
from arbitree.rules.values import Value, plain_value, plain_values

MEASURED = ("number", "integer", "date", "duration")
KINDS = (*MEASURED, "boolean", "category")


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """The values that a feature can have.

    Attributes
    ----------
    name : str
        The column's name; of another name its text.
    kind : {"number", "integer", "date", "duration", "boolean", "category"}
        An integer has no value between two whole numbers.
    low, high : str, int, float or None
        Least and largest value of a number, date or duration.
    levels : tuple of str, bool, int or float
        Of a category.
    open : bool
        Whether a category may have levels that are not listed.
    missing : bool or None
        Whether a value may be missing; None: if one is in the data.

    Examples
    --------
    >>> Domain(name="age", kind="integer", low=0, high=120).missing is None
    True
    """

    name: str
    kind: str
    low: Value | None = None
    high: Value | None = None
    levels: tuple[Value, ...] = ()
    open: bool = False
    missing: bool | None = None
    positions: tuple[Position, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"{self.kind!r} is no kind of feature. {nearest(self.kind, KINDS)}")
        limits = [value is not None for value in (self.low, self.high)]
        if any(limits) and self.kind not in MEASURED:
            raise InputError(f"feature {self.name!r} is a {self.kind}, which has no from and to.")
        if self.levels and self.kind != "category":
            raise InputError(f"feature {self.name!r} is a {self.kind}, which lists no levels.")
        if self.kind == "category" and not self.levels and not self.open:
            raise InputError(f"feature {self.name!r} has no levels. List them, or add '...'.")
        for name in ("low", "high"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else plain_value(value))
        object.__setattr__(self, "levels", plain_values(self.levels))
        object.__setattr__(self, "name", feature_text(self.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Declared features, each once, and classes; of what is not declared, the data decides.

    Examples
    --------
    >>> schema = Schema.of({"age": {"type": "integer", "from": 0}, "odor": ["none", "foul"]})
    >>> [domain.kind for domain in schema.features]
    ['integer', 'category']
    """

    features: tuple[Domain, ...] = ()
    classes: tuple[Value, ...] = ()

    def __post_init__(self) -> None:
        names = [domain.name for domain in self.features]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise InputError(f"feature {listed(twice)} is declared twice. Keep one declaration.")
        object.__setattr__(self, "classes", plain_values(self.classes))

    def joined(self, other: Schema) -> Schema:
        """With the features of another one too, and its classes where this one declares none."""
        return Schema(
            features=self.features + other.features, classes=self.classes or other.classes
        )

    @staticmethod
    def of(features: Mapping[Any, Any], classes: Sequence[object] = ()) -> Schema:
        """A schema from plain values, as YAML and JSON hold them.

        Parameters
        ----------
        features : mapping of name to type, list of levels or mapping
            ``"number"``; ``["none", "foul"]``, with ``"..."`` for others; or a mapping with the
            keys ``type``, ``from``, ``to``, ``levels``, ``open`` and ``missing``.
        classes : sequence

        Raises
        ------
        InputError
            Says which feature is wrong.
        """
        found = tuple(_domain(feature_text(name), given) for name, given in features.items())
        return Schema(features=found, classes=tuple(plain_value(value) for value in classes))

    def to_dict(self) -> dict[str, Any]:
        """The features as `of` takes them."""
        return {domain.name: _as_dict(domain) for domain in self.features}


_KEYS = {"from": "low", "to": "high", "open": "open", "missing": "missing"}


def _domain(name: str, given: Any) -> Domain:
    if isinstance(given, str):
        return Domain(name=name, kind=given)
    if isinstance(given, Sequence):
        levels = [level for level in given if level != "..."]
        return Domain(
            name=name, kind="category", levels=tuple(levels), open=len(levels) < len(given)
        )
    if not isinstance(given, Mapping):
        raise InputError(f"feature {name!r} is {given!r}. Give its type, levels or a mapping.")
    keys = ("type", "levels", *_KEYS)
    for key in given:
        if key not in keys:
            raise InputError(f"feature {name!r} has no {key!r}. {nearest(key, keys)}")
    _check_flags(name, given)
    kind = given.get("type", "category" if "levels" in given else None)
    if kind is None:
        raise InputError(f"feature {name!r} has neither type nor levels. Give one of them.")
    options = {_KEYS[key]: value for key, value in given.items() if key in _KEYS}
    return Domain(name=name, kind=kind, levels=tuple(given.get("levels", ())), **options)


def _check_flags(name: str, given: Mapping[str, Any]) -> None:
    for key in ("open", "missing"):
        if key in given and not isinstance(given[key], bool):
            raise InputError(f"feature {name!r} has {key} {given[key]!r}. Give true or false.")


def _as_dict(domain: Domain) -> dict[str, Any]:
    found: dict[str, Any] = {"type": domain.kind}
    if domain.levels:
        found["levels"] = list(domain.levels)
    if domain.open:
        found["open"] = True
    limits = {"from": domain.low, "to": domain.high, "missing": domain.missing}
    return {**found, **{key: value for key, value in limits.items() if value is not None}}
