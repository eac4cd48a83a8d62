"""The paper's two forms of augmentation to the letter, which do not keep rules in all cases.

Post-facto: a leaf that could break a rule is replaced by tests on the variables of the rule's
condition that its path lacks, and the branches outside of the condition are learnt again.
Integrated: N = R + S takes the place of the training rows everywhere, labels included, so that the
rows that a rule demands vote. Both are ID3: a branch for each level of the domain, the feature with
the largest gain of information, until a branch is pure; one without rows decides as its parent.

"Safety Augmentation in Decision Trees", sections 2, 3.1 and 3.2. What breaks them: pruning, rows
that contradict a rule, conditions that leave several classes (docs/decisions/0015-rules.md). They
are here to be compared with; `arbitree.rules.guard` makes any of their trees safe.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from arbitree._errors import InputError
from arbitree.model.tree import LEAF, Tree
from arbitree.rules.bound import BoundRule
from arbitree.rules.parts import Part, counted
from arbitree.rules.space import Box, Masks, meet
from arbitree.table.codings import CategoryCoding
from arbitree.tree.impurity import concentration
from arbitree.tree.options import GrowthOptions
from arbitree.tree.rule_counts import RuleCounts
from arbitree.tree.split import ROUNDING, Split
from arbitree.tree.under_rules import Governed

UNANIMOUS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Place:
    """Where a node is to be: its rows and what its path has asked."""

    rows: np.ndarray  # places in the table
    masks: Masks
    free: tuple[int, ...]  # features that its path lacks
    depth: int
    above: np.ndarray  # (n_classes,) float64, N of the parent


def literal_tree(
    problem: Governed, options: GrowthOptions, *, method: str, majority: float = UNANIMOUS
) -> Tree:
    """A tree of the paper's, safe or not.

    Parameters
    ----------
    problem : Governed
        Whose features are categories.
    options : GrowthOptions
        Of which criterion, `max_depth` and `min_samples_split` are heeded; a multiway split.
    method : {"integrated-literal", "post-facto-literal"}
    majority : float
        Share of a node's training rows from which on it is a leaf: the paper's pruning where one
        decision "is in overwhelming majority". What the leaf decides is up to N.

    Raises
    ------
    InputError
        If a feature is a number, or splits are in two.
    """
    numbers = [f.name for f in problem.table.features if not isinstance(f.coding, CategoryCoding)]
    if numbers or options.split != "multiway" or options.parity is not None:
        raise InputError(
            f"method={method!r} is the paper's ID3, which has a branch for each level of a "
            "category and no bound on gaps. Pass split='multiway', parity=None and categories "
            f"only{f': {numbers[0]!r} is a number' if numbers else ''}; or leave out '-literal'."
        )
    learner = _Literal(problem, options, votes=method.startswith("integrated"), majority=majority)
    branch = learner.tree()
    if not learner.votes:
        branch = learner.augmented(branch)
    return counted(_root(problem), branch, learner.rows)


class _Literal:
    def __init__(
        self, problem: Governed, options: GrowthOptions, *, votes: bool, majority: float
    ) -> None:
        self.bound, self.table, self.cells = problem.bound, problem.table, problem.cells
        self.options, self.votes, self.majority = options, votes, majority
        self.counts = RuleCounts(self.bound, self.table, self.cells, "paper", each=True)
        self.places: dict[int, _Place] = {}  # of leaves, by the identity of their branch
        self.rows = problem.rows(np.zeros(self.table.n_rows, np.intp))
        self.weights = self.rows.weights * self.rows.class_weight[self.table.y]

    def tree(self) -> Part:
        """ID3's tree of all rows."""
        n = self.table.n_rows
        return self._learnt(
            _Place(
                rows=np.arange(n),
                masks=self.bound.space.whole,
                free=tuple(range(len(self.table.features))),
                depth=0,
                above=np.ones(self.table.n_classes),
            )
        )

    def _learnt(self, place: _Place) -> Part:
        by_code = self._by_code(place)
        total = by_code[0].sum(axis=0) if by_code else self._of_rows(place.rows)
        label = int(np.argmax(total if total.any() else place.above))
        branch = Part(origin=0, label=label, rows=place.rows)
        feature = None if self._stops(place, total) else self._best(place, by_code)
        if feature is None:
            self.places[id(branch)] = place
            return branch
        return self._divided(branch, place, feature, total, self._learnt)

    def _stops(self, place: _Place, total: np.ndarray) -> bool:
        deepest = self.options.max_depth
        pure = np.count_nonzero(total) < 2
        if self.majority < UNANIMOUS:
            weight = self._of_rows(place.rows)
            pure |= weight.max() >= self.majority * weight.sum() > 0
        rows_left = self.votes or len(place.rows) >= self.options.min_samples_split
        return bool(pure or not rows_left or (deepest is not None and place.depth >= deepest))

    def _best(self, place: _Place, by_code: Sequence[np.ndarray]) -> int | None:
        """The free feature with the largest gain, of equal ones the first."""
        best, found = -np.inf, None
        for feature, counts in zip(place.free, by_code):
            branches = len(self._branches(feature, place.masks))
            worth = float(concentration(counts, self.options.criterion).sum())
            if branches > 1 and worth > best + ROUNDING * float(counts.sum()):
                best, found = worth, feature
        return found

    def _by_code(self, place: _Place) -> list[np.ndarray]:
        """N of each code of each free feature.  Each (n_codes, n_classes) float64"""
        found = [self._of_codes(feature, place.rows) for feature in place.free]
        if self.votes:
            extra = self.counts.counts((place.masks, {}))
            starts = np.cumsum([0, *(f.coding.n_codes for f in self.table.features)])
            for counts, feature in zip(found, place.free):
                counts += extra[starts[feature] : starts[feature + 1]]
        return found

    def _of_codes(self, feature: int, rows: np.ndarray) -> np.ndarray:
        n_codes, k = self.table.features[feature].coding.n_codes, self.table.n_classes
        cell = self.table.codes[feature][rows].astype(np.int64) * k + self.table.y[rows]
        found = np.bincount(cell, self.weights[rows], minlength=n_codes * k)
        return found.astype(np.float64).reshape(n_codes, k)  # whole numbers where there is no row

    def _of_rows(self, rows: np.ndarray) -> np.ndarray:
        return self.rows.by_class(rows)

    def _branches(self, feature: int, masks: Masks) -> list[int]:
        """The codes that rows of a region can have; what no level is goes with missing values."""
        cells = self.counts.codes[feature]
        mask = masks[self.counts.places[feature]]
        missing = bool(mask & self._missing(feature))
        return [code for code, of in enumerate(cells[:-1]) if of & mask] + [-1] * missing

    def _missing(self, feature: int) -> int:
        axis = self.bound.space.axes[self.counts.places[feature]]
        return axis.whole & 1 << axis.missing_cell

    def _divided(
        self,
        branch: Part,
        place: _Place,
        feature: int,
        total: np.ndarray,
        make: Callable[[_Place], Part],
    ) -> Part:
        """A branch with a child for each level."""
        n_codes = self.table.features[feature].coding.n_codes
        codes = [code % n_codes for code in self._branches(feature, place.masks)]
        of_rows = self.table.codes[feature][place.rows]
        sizes = [int(np.count_nonzero(of_rows == code)) for code in codes]
        sides = np.full(n_codes, int(np.argmax(sizes)), np.uint16)
        sides[codes] = np.arange(len(codes))
        split = Split(feature=feature, sides=sides, n_children=len(codes), gain=0.0)
        branch.feature, branch.routes = feature, tuple(sides.tolist())
        for child, (masks, _) in enumerate(self.counts.below((place.masks, {}), split)):
            below = replace(
                place,
                rows=place.rows[sides[of_rows] == child],
                masks=masks,
                free=tuple(j for j in place.free if j != feature),
                depth=place.depth + 1,
                above=total if total.any() else place.above,
            )
            branch.children.append(make(below))
        return branch

    def augmented(self, branch: Part) -> Part:
        """The tree after each rule in turn has replaced the leaves that could break it."""
        for rule in self.bound.rules:
            for box in rule.boxes:
                branch = self._replaced(branch, rule, box)
        return branch

    def _replaced(self, branch: Part, rule: BoundRule, box: Box) -> Part:
        if branch.children:
            branch.children = [self._replaced(child, rule, box) for child in branch.children]
            return branch
        met = meet(self.places[id(branch)].masks, box)
        breaks = rule.forbids >> branch.label & 1 and met and self.bound.rows.row(met)
        return self._sequence(self.places[id(branch)], branch, rule, box) if breaks else branch

    def _sequence(self, place: _Place, leaf: Part, rule: BoundRule, box: Box) -> Part:
        """Tests on the variables of a condition that a path lacks, one after the other."""
        if meet(place.masks, box) is None:
            return self._learnt(replace(place, above=np.eye(self.table.n_classes)[leaf.label]))
        lacking = [j for j in place.free if place.masks[self.counts.places[j]] & ~self._in(j, box)]
        branch = Part(origin=0, label=leaf.label, rows=place.rows)
        weight = self._of_rows(place.rows)
        if not lacking:
            allowed = [c for c in range(self.table.n_classes) if not rule.forbids >> c & 1]
            branch.label = max(allowed, key=lambda c: weight[c])
            self.places[id(branch)] = place
            return branch
        return self._divided(
            branch,
            place,
            lacking[0],
            weight,
            lambda below: self._sequence(below, leaf, rule, box),
        )

    def _in(self, feature: int, box: Box) -> int:
        place = self.counts.places[feature]
        return box.get(place, self.bound.space.whole[place])


def _root(problem: Governed) -> Tree:
    """A tree of one node, to put another in its place."""
    table = problem.table
    shape = (1, table.n_groups, table.n_classes)
    return Tree(
        features=table.features,
        classes=table.classes,
        feature=np.array([LEAF]),
        threshold=np.array([np.nan]),
        child_start=np.array([0, 0]),
        child=np.empty(0, np.int32),
        route_start=np.array([0, 0]),
        route=np.empty(0, np.uint16),
        label=np.array([0]),
        n=np.array([table.n_rows]),
        weight=np.zeros((1, table.n_classes)),
        groups=table.groups,
        reach=None if table.group is None else np.zeros(shape),
    )
