"""Where on the way down a tree each rule ceases to matter: the proof that no leaf breaks one.

A leaf is safe under a rule if its decision is one that the rule allows, or if no row reaches it
that the rule speaks of. The second is so from some node on, whatever comes below: the path to
that node and the rule's condition have no row in common, or none that facts admit. The first such
node of every path is what is written down, with the features that refute. Below a node of which
every leaf decides what the rule allows, nothing needs to be.

All boxes of all rules are looked at together, as bits of a whole number. A box is alive at a node
if a row that reaches the node may be in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree.certificate.living_boxes import LivingBoxes, Why
from arbitree.model.tree import LEAF, Tree
from arbitree.rules.bound import BoundRule, BoundRules
from arbitree.rules.leaves import Leaf, Reached, reached_nodes


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleProof:
    """Why no leaf breaks a rule: each is satisfied, or at or below a refuted node."""

    n_satisfied: int  # leaves that decide what the rule allows
    n_refuted: int
    nodes: dict[Why, list[int]]  # first nodes at which the rule no longer holds, by reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """Of each rule; or, where a leaf breaks one, that leaf and the place of the rule."""

    rules: tuple[RuleProof, ...]
    n_leaves: int  # that a row of the domain reaches
    broken: tuple[Leaf, int] | None


def proof_of(tree: Tree, bound: BoundRules) -> Proof:
    """Hold rules against every leaf that a row of the domain reaches.

    Parameters
    ----------
    tree : Tree
    bound : BoundRules
        Whose classes are the tree's, in its order, and perhaps more.
    """
    reached = list(reached_nodes(tree, bound.space))
    feature, label = tree.feature.tolist(), tree.label.tolist()
    leaves = [one for one in reached if feature[one.node] == LEAF]
    found = _Descent(reached, LivingBoxes(bound), _labels_below(reached, feature, label))
    broken = next(((leaf, found.alive_at(leaf)) for leaf in leaves if found.alive_at(leaf)), None)
    n_by_label = np.bincount([label[leaf.node] for leaf in leaves], minlength=len(bound.classes))
    return Proof(
        rules=tuple(
            _of_rule(rule, n_by_label.tolist(), nodes)
            for rule, nodes in zip(bound.rules, found.nodes)
        ),
        n_leaves=len(leaves),
        broken=None
        if broken is None
        else _broken(broken[0], label, found.boxes.rule_of(broken[1])),
    )


def _broken(one: Reached, label: Sequence[int], rule: int) -> tuple[Leaf, int]:
    leaf = Leaf(node=one.node, label=label[one.node], masks=one.masks, limits=one.limits)
    return leaf, rule


def _of_rule(rule: BoundRule, n_by_label: Sequence[int], nodes: dict[Why, list[int]]) -> RuleProof:
    refuted = sum(n for place, n in enumerate(n_by_label) if rule.forbids >> place & 1)
    if refuted and not rule.boxes:
        nodes = {((), ()): [0]}  # of no row at all
    found = {why: sorted(nodes[why]) for why in sorted(nodes)}
    return RuleProof(n_satisfied=sum(n_by_label) - refuted, n_refuted=refuted, nodes=found)


def _labels_below(
    reached: Sequence[Reached], feature: Sequence[int], label: Sequence[int]
) -> list[int]:
    """What the leaves at or below each node decide, as bits."""
    found = [1 << label[one.node] if feature[one.node] == LEAF else 0 for one in reached]
    for at in range(len(reached) - 1, 0, -1):
        found[reached[at].parent] |= found[at]
    return found


class _Descent:
    """From the root down: which boxes are alive at each node, and where rules are refuted."""

    def __init__(
        self, reached: Sequence[Reached], boxes: LivingBoxes, labels: Sequence[int]
    ) -> None:
        self.boxes, self._reached = boxes, reached
        self._alive = [0] * len(reached)
        self._dead: list[dict[int, Why]] = [{}] * len(reached)
        self._at = {id(one): at for at, one in enumerate(reached)}
        self.nodes: list[dict[Why, list[int]]] = [defaultdict(list) for _ in boxes.of_rule]
        for at, one in enumerate(reached):
            before = boxes.every if one.parent < 0 else self._alive[one.parent]
            self._alive[at], dead = boxes.narrowed(before & boxes.relevant(labels[at]), one)
            if dead:
                self._dead[at] = dead
                self._refute(at)

    def alive_at(self, leaf: Reached) -> int:
        """Boxes in which a row of a leaf may be that its decision breaks a rule for."""
        return self._alive[self._at[id(leaf)]]

    def _refute(self, at: int) -> None:
        for rule in {self.boxes.rule_of(1 << box) for box in self._dead[at]}:
            if not self._alive[at] & self.boxes.of_rule[rule]:
                self.nodes[rule][self._why(at, self.boxes.of_rule[rule])].append(
                    self._reached[at].node
                )

    def _why(self, at: int, boxes: int) -> Why:
        """What killed all boxes of a rule on the way to a node."""
        places, facts = set[int](), set[int]()
        while at >= 0 and boxes:
            for box, (of_axes, of_facts) in self._dead[at].items():
                if boxes >> box & 1:
                    places.update(of_axes)
                    facts.update(of_facts)
                    boxes &= ~(1 << box)
            at = self._reached[at].parent
        return tuple(sorted(places)), tuple(sorted(facts))
