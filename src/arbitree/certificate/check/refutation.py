"""Every rule against every leaf again, from the certificate alone.

A box of a rule is alive at a node if rows that reach the node may be in it. It dies where a split
leaves none of its cells, or where facts leave no row. A rule is refuted at the first node at which
all its boxes are dead, if a leaf there decides what it forbids.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from arbitree.certificate.check.conditions import Box, met
from arbitree.certificate.check.decisions import Decisions, Visit
from arbitree.certificate.check.domain import Domain
from arbitree.certificate.check.shape import Wrong

Why = tuple[tuple[int, ...], tuple[int, ...]]  # places of axes, places of facts
MOST_STEPS = 100_000  # of the search for a row that facts leave


class Facts:
    """Whether facts leave a row of a box, by trying their boxes one after the other."""

    def __init__(self, facts: Sequence[Sequence[Box]], domain: Domain) -> None:
        self._facts = facts
        self._whole = [axis.whole for axis in domain.axes]
        self.axes = sorted({place for boxes in facts for box in boxes for place in box})
        self._known: dict[tuple[int, ...], Why | None] = {}

    def refute(self, box: Box) -> Why | None:
        """Why facts leave no row of a box; None if they leave one."""
        key = tuple(box.get(place, self._whole[place]) for place in self.axes)
        if key not in self._known:
            self._known[key] = self._core(dict(zip(self.axes, key)))
        return self._known[key]

    def _core(self, box: Box) -> Why | None:
        """Facts that are enough: left out from the last, while the others are."""
        core = list(range(len(self._facts)))
        if self._has_row(box, core):
            return None
        for fact in range(len(self._facts) - 1, -1, -1):
            fewer = [one for one in core if one != fact]
            if not self._has_row(box, fewer):
                core = fewer
        named = {place for fact in core for one in self._facts[fact] for place in one}
        return tuple(sorted(p for p in named if box[p] != self._whole[p])), tuple(core)

    def _has_row(self, box: Box, facts: Sequence[int]) -> bool:
        waiting = [box]
        for _ in range(MOST_STEPS):
            if not waiting:
                return False
            here = waiting.pop()
            fewest: list[Box] | None = None
            for fact in facts:
                if any(_within(here, one) for one in self._facts[fact]):
                    continue
                parts = [both for one in self._facts[fact] if (both := met(here, one)) is not None]
                if fewest is None or len(parts) < len(fewest):
                    fewest = parts
            if fewest is None:
                return True
            waiting += fewest
        raise Wrong("facts too many to be tried one by one; a second opinion of z3 can decide")


def _within(box: Box, other: Box) -> bool:
    return all(not box[place] & ~cells for place, cells in other.items())


def refutations(
    tree: Decisions,
    reached: Sequence[Visit],
    rules: Sequence[tuple[Sequence[Box], int]],
    facts: Facts,
    domain: Domain,
) -> tuple[list[dict[Why, list[int]]], list[tuple[int, int]]]:
    """First nodes at which each rule is refuted, and why; leaves that break a rule.

    Parameters
    ----------
    tree, reached, facts, domain
    rules : sequence of (boxes, classes)
        Classes that the rule forbids, as bits.

    Returns
    -------
    list of dict
        Of each rule, the nodes by reason.
    list of (node, rule)
    """
    boxes = [(box, rule) for rule, (some, _) in enumerate(rules) for box in some]
    of_rule = [0] * len(rules)
    for number, (_, rule) in enumerate(boxes):
        of_rule[rule] |= 1 << number
    meets = _Meeting([box for box, _ in boxes], domain)
    forbidding: dict[int, int] = {}
    alive: list[int] = []
    deaths: list[dict[int, Why]] = []
    found: list[dict[Why, list[int]]] = [defaultdict(list) for _ in rules]
    broken = []
    for at, visit in enumerate(reached):
        if visit.labels not in forbidding:
            forbidding[visit.labels] = sum(
                of_rule[r] for r, (_, forbids) in enumerate(rules) if forbids & visit.labels
            )
        before = (alive[visit.parent] if at else (1 << len(boxes)) - 1) & forbidding[visit.labels]
        here = before & meets(visit.place, visit.cells[visit.place]) if at else before
        dead: dict[int, Why] = dict.fromkeys(_bits(before & ~here), ((visit.place,), ()))
        if facts.axes and (not at or visit.place in facts.axes):
            for number in _bits(here):
                both = met(dict(enumerate(visit.cells)), boxes[number][0])
                why = facts.refute(both) if both is not None else None
                if why is not None:
                    dead[number] = why
                    here &= ~(1 << number)
        alive.append(here)
        deaths.append(dead)
        for rule in {boxes[number][1] for number in dead}:
            if not here & of_rule[rule]:
                found[rule][_why(reached, deaths, at, of_rule[rule])].append(visit.node)
        if here and tree.nodes[visit.node].label is not None:
            broken += [(visit.node, rule) for rule in {boxes[n][1] for n in _bits(here)}]
    return found, sorted(broken)


def _why(reached: Sequence[Visit], deaths: Sequence[dict[int, Why]], at: int, boxes: int) -> Why:
    """What killed all boxes of a rule on the way to a node."""
    axes, facts = set[int](), set[int]()
    while boxes and at >= 0:
        for number, (places, of_facts) in deaths[at].items():
            if boxes >> number & 1:
                axes |= set(places)
                facts |= set(of_facts)
                boxes ^= 1 << number
        at = reached[at].parent
    return tuple(sorted(axes)), tuple(sorted(facts))


class _Meeting:
    """The boxes, as bits, that have one of some cells of an axis."""

    def __init__(self, boxes: Sequence[Box], domain: Domain) -> None:
        self._by_cell = [
            [
                sum(1 << number for number, box in enumerate(boxes)
                    if box.get(place, -1) >> cell & 1)
                for cell in range(axis.n_values + 1)
            ]
            for place, axis in enumerate(domain.axes)
        ]  # fmt: skip
        self._known: dict[tuple[int, int], int] = {}

    def __call__(self, place: int, cells: int) -> int:
        key = (place, cells)
        if key not in self._known:
            found = 0
            for cell in _bits(cells):
                found |= self._by_cell[place][cell]
            self._known[key] = found
        return self._known[key]


def _bits(number: int) -> list[int]:
    found = []
    while number:
        lowest = number & -number
        found.append(lowest.bit_length() - 1)
        number ^= lowest
    return found


def node_numbers(nodes: Sequence[int]) -> str:
    """Numbers of nodes, those that follow each other as a range: ``"3 5-7"``."""
    parts: list[str] = []
    ordered = sorted(nodes)
    first = 0
    for at in range(1, len(ordered) + 1):
        if at == len(ordered) or ordered[at] != ordered[at - 1] + 1:
            a, b = ordered[first], ordered[at - 1]
            parts.append(str(a) if a == b else f"{a}-{b}")
            first = at
    return " ".join(parts)
