"""Rules on the features and classes of a problem: which decisions a box of rows allows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from arbitree.rules.possible import PossibleRows
from arbitree.rules.space import Box, Masks, Space, meet, remainder
from arbitree.rules.statements import Fact, Rule

Standing = Literal["refuted", "undecided", "entailed"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoundRule:
    """A rule in normal form: in its boxes, some classes are forbidden."""

    rule: Rule
    name: str
    boxes: tuple[Box, ...]
    forbids: int  # bits of classes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoundFact:
    """A fact in normal form: no row is outside its boxes."""

    fact: Fact
    name: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoundRules:
    """Rules and facts over the cells of a space. Classes are meant by their place.

    A rule is true or false of whole cells, so what holds of a box of cells holds of every row in
    it: also of values between those of the data, of other levels and of missing values where the
    features admit them.

    Examples
    --------
    >>> from arbitree.rules.ruleset import Rules
    >>> rules = Rules.parse("age < 18 => deny")
    >>> bound = rules.bind({"age": [17.0, 40.0]}, classes=["approve", "deny"])
    >>> bound.allowed(bound.space.whole)
    (1,)
    >>> adults = bound.space.masks({0: bound.space.axes[0].between(30, 60)})
    >>> bound.allowed(adults)
    (0, 1)
    """

    space: Space
    classes: tuple[object, ...]
    rules: tuple[BoundRule, ...]
    facts: tuple[BoundFact, ...]
    rows: PossibleRows

    def met(self, masks: Masks, rules: Sequence[BoundRule] | None = None) -> list[BoundRule]:
        """Rules that hold of a row of a box that can exist, with the boxes where they do so.

        Parameters
        ----------
        masks : tuple of int
        rules : sequence of BoundRule, optional
            Those that may; all by default. What was met in a box is enough for its parts.
        """
        found = []
        for rule in self.rules if rules is None else rules:
            boxes = tuple(box for box in rule.boxes if self._may_be_in(masks, box))
            if boxes:
                found.append(rule if len(boxes) == len(rule.boxes) else replace(rule, boxes=boxes))
        return found

    def entailed(self, masks: Masks, rules: Sequence[BoundRule] | None = None) -> int:
        """Classes, as bits, that a rule forbids of every row of a box that can exist.

        Parameters
        ----------
        masks : tuple of int
        rules : sequence of BoundRule, optional
            What `met` finds in the box, if it is known.
        """
        found = 0
        for rule in self.met(masks) if rules is None else rules:
            if rule.forbids & ~found and self._holds_throughout(masks, rule):
                found |= rule.forbids
        return found

    def standing(self, masks: Masks, rule: BoundRule) -> Standing:
        """Whether a rule holds of no row of a box that can exist, of some, or of all."""
        if self.witness(masks, rule) is None:
            return "refuted"
        return "entailed" if self._holds_throughout(masks, rule) else "undecided"

    def touches(self, masks: Masks, rule: BoundRule) -> bool:
        """Whether a rule holds of a row of a box that can exist."""
        return any(self._may_be_in(masks, box) for box in rule.boxes)

    def witness(self, masks: Masks, rule: BoundRule) -> tuple[int, ...] | None:
        """The cells of a row of a box that a rule holds of and that can exist; None if none."""
        for box in rule.boxes:
            met = meet(masks, box)
            found = None if met is None else self.rows.row(met)
            if found is not None:
                return found
        return None

    def forbidden(self, masks: Masks) -> int:
        """Classes, as bits, that a rule forbids of some row of a box that can exist."""
        found = 0
        for rule in self.rules:
            if rule.forbids & ~found and self.touches(masks, rule):
                found |= rule.forbids
        return found

    def allowed(self, masks: Masks) -> tuple[int, ...]:
        """Places of the classes that no rule forbids of any row of a box that can exist."""
        found = self.forbidden(masks)
        return tuple(place for place in range(len(self.classes)) if not found >> place & 1)

    def violations(self, masks: Masks, label: int) -> Iterator[tuple[BoundRule, tuple[int, ...]]]:
        """Rules that a class, decided of a whole box, breaks, each with the cells of a row."""
        for rule in self.rules:
            if rule.forbids >> label & 1:
                cells = self.witness(masks, rule)
                if cells is not None:
                    yield rule, cells

    def row(
        self, cells: tuple[int, ...], *, within: Mapping[int, tuple[float, float]] | None = None
    ) -> dict[Hashable, Any]:
        """A row in these cells, as values: see `Space.row`."""
        return self.space.row(cells, within=within)

    def _may_be_in(self, masks: Masks, box: Box) -> bool:
        """Whether a row of a box that can exist is in another one."""
        met = meet(masks, box)
        return met is not None and self.rows.exists(met)

    def _holds_throughout(self, masks: Masks, rule: BoundRule) -> bool:
        return not any(map(self.rows.exists, remainder(masks, rule.boxes)))
