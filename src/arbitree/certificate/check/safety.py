"""The safety part: normal forms, every rule against every leaf, and what is said of both."""

from __future__ import annotations

from typing import Any

from arbitree.certificate.check.canonical import canonical
from arbitree.certificate.check.conditions import (
    Box,
    comparisons,
    covered,
    disjoint,
    possible,
)
from arbitree.certificate.check.decisions import Decisions, visits
from arbitree.certificate.check.domain import Domain, Levels, Numbers, ends_of, ranges_of
from arbitree.certificate.check.refutation import Facts, Why, node_numbers, refutations
from arbitree.certificate.check.report import Report
from arbitree.certificate.check.shape import Wrong, equal, fields, typed
from arbitree.certificate.check.values import level_text, place_of
from arbitree.certificate.check.words import statement_words

_POLICIES = ("possible", "certain")
_ABOUT = {"id": str, "reason": str, "severity": str}


class Statement:
    """A rule or a fact as a certificate has it, its shape checked."""

    def __init__(self, data: Any, place: int, missing: str) -> None:
        given = fields(data, f"statement {place + 1}", {"statement": dict}, **_DERIVED)
        self.data, self.given = given, given["statement"]
        self.boxes: list[Box] = []
        self.is_fact = "fact" in self.given
        key = next((one for one in ("fact", "allow", "forbid") if one in self.given), "allow")
        required = {"if": dict, key: dict if self.is_fact else list}
        rule_only = {} if self.is_fact else {"missing": str}
        fields(self.given, f"statement {place + 1}", required, **_ABOUT, **rule_only)
        wanted = _OF_FACTS if self.is_fact else _OF_RULES
        fields(given, f"statement {place + 1}", wanted)
        self.policy = self.given.get("missing", missing)
        if self.policy not in _POLICIES:
            raise Wrong(f"statement {place + 1} says {self.policy!r} of missing values")
        kind = "fact" if self.is_fact else "rule"
        self.name = self.given.get("id", f"{kind} {place + 1}")
        self.where = f"{kind} {self.name!r}"
        equal(given["name"], self.name, f"name of {self.where}")
        equal(given["text"], statement_words(self.given), f"text of {self.where}")

    @property
    def condition(self) -> Any:
        """What is true of the rows of its boxes."""
        if self.is_fact:
            return {"or": [{"not": self.given["if"]}, self.given["fact"]]}
        return self.given["if"]

    def forbids(self, classes: list[Any]) -> int:
        """Classes that a rule forbids, as bits."""
        forbidden = "forbid" in self.given
        named = 0
        texts = [level_text(label) for label in classes]
        for value in self.given["forbid" if forbidden else "allow"]:
            if not isinstance(value, str | bool | int | float):
                raise Wrong(f"{self.where} names {value!r}, which is no class")
            place = place_of(value, classes, texts)
            if place is None:
                raise Wrong(f"{self.where} names the class {value!r}, which the tree does not have")
            named |= 1 << place
        if not named:
            raise Wrong(f"{self.where} names no class")
        every = (1 << len(classes)) - 1
        return named if forbidden else every & ~named


_OF_FACTS: dict[str, Any] = {"statement": dict, "name": str, "text": str, "boxes": list}
_OF_RULES = {
    **_OF_FACTS,
    "forbids": list,
    "leaves_satisfied": int,
    "leaves_refuted": int,
    "refuted": list,
}
_DERIVED = {key: types for key, types in _OF_RULES.items() if key != "statement"}


class Safety:
    """The safety part of a certificate, taken apart; what is wrong in it is raised."""

    def __init__(self, data: Any, tree: Decisions) -> None:
        self.data, self.tree = data, tree
        required = {"statement": str, "missing": str, "domain": list, "n_leaves": int}
        fields(data, "safety", {**required, "statements": list})
        if data["missing"] not in _POLICIES:
            raise Wrong(f"safety.missing is {data['missing']!r}")
        self.statements = [
            Statement(one, place, data["missing"]) for place, one in enumerate(data["statements"])
        ]
        self.rules = [one for one in self.statements if not one.is_fact]
        self.facts = [one for one in self.statements if one.is_fact]
        atoms = [atom for one in self.statements for atom in comparisons(one.condition)]
        self.domain = Domain(data["domain"], atoms)
        for one in self.statements:
            one.boxes = self._boxes(one)
        self.forbids = [one.forbids(tree.classes) for one in self.rules]

    def check(self, report: Report) -> None:
        """Derive everything again; what is not the same goes into the report."""
        report.attempt("that there are rules, and rows to obey them", self._says_something)
        report.attempt("names, words and normal form of every statement", self._normal_forms)
        report.attempt("every rule against every leaf", lambda: self._leaves(report))
        report.attempt("statement of safety", self._check_statement)
        report.underived += [f"{one}: said, not derived" for one in self.domain.unread]
        for axis in self.domain.axes:
            if isinstance(axis, Levels) and any(isinstance(one, dict) for one in axis.levels):
                report.underived.append(f"domain of {axis.text!r}: how its levels read as texts")

    def notices(self) -> dict[str, bool]:
        """The sentence about features that are never missing, due if there are some."""
        never = [x.name for x in self.domain.axes if not x.whole >> x.n_values]
        if not never:
            return {}
        words = [repr(name) for name in never]
        last = f"{len(words) - 8:,} more" if len(words) > 8 else words.pop()
        said = f"{', '.join(words[:8])} and {last}" if words else last
        are = "is" if len(never) == 1 else "are"
        notice = (
            f"In this domain {said} {are} never missing: nothing is said of rows where a value is."
        )
        return {notice: True}

    def _statement(self) -> str:
        facts = "" if not self.facts else " that facts admit"
        n = len(self.rules)
        return (
            f"On every row of the domain{facts}, the tree decides as {n:,} "
            f"{'rule demands' if n == 1 else 'rules demand'}."
        )

    def _check_statement(self) -> None:
        equal(self.data["statement"], self._statement(), "safety.statement")

    def _says_something(self) -> None:
        """Of no rule and of no row everything is true."""
        if not self.rules:
            raise Wrong("safety has no rules, so that it says nothing")
        for axis in self.domain.axes:
            if not axis.whole:
                raise Wrong(f"the domain of {axis.text!r} has no value, so that it has no row")
        if Facts([one.boxes for one in self.facts], self.domain).refute({}) is not None:
            raise Wrong("facts leave no row of the domain")

    def _normal_forms(self) -> None:
        for one in self.statements:
            self._normal_form(one)

    def _normal_form(self, one: Statement) -> None:
        boxes = one.boxes
        if one.policy == "certain" and not one.is_fact:
            refuted = possible(one.condition, self.domain, true=False)
            rest = disjoint(boxes, refuted) and covered([{}], [*boxes, *refuted], self.domain)
            same = rest
        else:
            derived = possible(one.condition, self.domain)
            same = covered(boxes, derived, self.domain) and covered(derived, boxes, self.domain)
        if not same:
            raise Wrong(f"the boxes of {one.where} are not where its condition is true")
        if not one.is_fact:
            classes = self.tree.classes
            bits = one.forbids(classes)
            wanted = [label for place, label in enumerate(classes) if bits >> place & 1]
            if canonical(one.data["forbids"]) != canonical(wanted):
                raise Wrong(f"{one.where} forbids {wanted!r}, not {one.data['forbids']!r}")

    def _boxes(self, one: Statement) -> list[Box]:
        texts = [canonical(box) for box in one.data["boxes"]]
        if texts != sorted(set(texts)):
            raise Wrong(f"{one.where} has a box twice, or boxes that are not in order")
        return [self._box(box, one.where) for box in one.data["boxes"]]

    def _box(self, data: Any, where: str) -> Box:
        found: Box = {}
        for part in typed(data, f"a box of {where}", (list,)):
            name = typed(part, f"a box of {where}", (dict,)).get("feature")
            at = [p for p, x in enumerate(self.domain.axes) if canonical(x.name) == canonical(name)]
            if not at or at[0] <= max(found, default=-1):
                raise Wrong(f"a box of {where} names {name!r} where it cannot")
            found[at[0]] = self._cells(self.domain.axes[at[0]], part, where)
            if not found[at[0]] or found[at[0]] == self.domain.axes[at[0]].whole:
                raise Wrong(f"a box of {where} has no limit, or no row, on {name!r}")
        return found

    def _cells(self, axis: Any, part: dict[str, Any], where: str) -> int:
        rest = {key: value for key, value in part.items() if key != "feature"}
        cells = 0
        if isinstance(axis, Numbers):
            fields(rest, f"a box of {where}", {"ranges": list, "missing": bool})
            for low, high in ends_of(part["ranges"], where):
                cells |= axis.between(low, high)
            if canonical(part["ranges"]) != canonical(ranges_of(axis, cells)):
                raise Wrong(f"a box of {where} has ranges that are not written as they must be")
        else:
            fields(rest, f"a box of {where}", {"levels": list, "other": bool, "missing": bool})
            keys = [canonical(level) for level in axis.levels]
            at = [keys.index(canonical(x)) if canonical(x) in keys else -1 for x in part["levels"]]
            if -1 in at or at != sorted(set(at)):
                raise Wrong(f"a box of {where} lists levels that are not there, or not in order")
            cells = sum(1 << one for one in at) | part["other"] << axis.n_values - 1
        cells |= part["missing"] << axis.n_values
        if cells & ~axis.whole:
            raise Wrong(f"a box of {where} has values that are not in the domain")
        return cells

    def _leaves(self, report: Report) -> None:
        reached = visits(self.tree, self.domain)
        labels = [self.tree.nodes[visit.node].label for visit in reached]
        n_by_label = [labels.count(place) for place in range(len(self.tree.classes))]
        equal(self.data["n_leaves"], sum(n_by_label), "safety.n_leaves")
        facts = Facts([one.boxes for one in self.facts], self.domain)
        rules = [(one.boxes, f) for one, f in zip(self.rules, self.forbids)]
        found, broken = refutations(self.tree, reached, rules, facts, self.domain)
        for node, rule in broken[:20]:
            report.failures.append(f"leaf {node} breaks {self.rules[rule].where}")
        for one, forbids, nodes in zip(self.rules, self.forbids, found):
            refuted = sum(n for place, n in enumerate(n_by_label) if forbids >> place & 1)
            if refuted and not one.boxes:
                nodes = {((), ()): [0]}  # of no row at all
            satisfied = sum(n_by_label) - refuted
            equal(one.data["leaves_satisfied"], satisfied, f"leaves_satisfied of {one.where}")
            equal(one.data["leaves_refuted"], refuted, f"leaves_refuted of {one.where}")
            said, again = canonical(one.data["refuted"]), canonical(self._reasons(nodes))
            if said != again:
                report.failures.append(f"{one.where} is refuted elsewhere than it says: {again}")

    def _reasons(self, nodes: dict[Why, list[int]]) -> list[dict[str, Any]]:
        found = []
        for axes, facts in sorted(nodes):
            one: dict[str, Any] = {"by": [self.domain.axes[place].name for place in axes]}
            if facts:
                one["facts"] = [self.facts[fact].name for fact in facts]
            found.append({**one, "nodes": node_numbers(nodes[axes, facts])})
        return found
