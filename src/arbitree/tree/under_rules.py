"""Learning with rules: rows that contradict them, the tree that obeys, and what that costs.

Rules win over parity. A `GapBudget` searches its splits by the data alone, as if there were no
rules: guards come after it. Then the leaves of the safe tree that rules leave a choice are decided
anew, with fewest errors among the decisions within the budget, if there are any. So the decisions
are best in this tree, and another tree might have met rules and budget with fewer errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree.model.route import leaves
from arbitree.model.tree import Feature, Tree
from arbitree.rules.axes import CategoryAxis
from arbitree.rules.bound import BoundRules
from arbitree.rules.contradiction import refuse_contradiction
from arbitree.rules.decided_against import unsafe_leaves
from arbitree.rules.guard_learnt import guarded
from arbitree.rules.guard_rows import RowsOfTree
from arbitree.rules.leaves import leaves_of_tree
from arbitree.rules.ruleset import Rules
from arbitree.rules.settle import rows_under_rules, settle
from arbitree.rules.space import Space
from arbitree.rules.verify import bound_to_model
from arbitree.table.codings import CategoryCoding
from arbitree.table.frames import Column
from arbitree.tree.decided_anew import decided_anew, gap_of
from arbitree.tree.parity import GapBudget, Parity
from arbitree.tree.rule_effect import RuleEffect
from arbitree.tree.table import TrainingTable, take


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Governed:
    """A problem under rules: every class of `bound` is one of the table's."""

    bound: BoundRules
    table: TrainingTable  # whose labels and rows are settled
    cells: tuple[np.ndarray, ...]  # of the table's rows, on each axis
    columns: tuple[Column, ...]  # of all rows
    kept: np.ndarray  # (n_all,) bool: rows in the table
    contradicting: np.ndarray  # of all rows
    impossible: np.ndarray  # of all rows
    notices: tuple[str, ...]

    @property
    def space(self) -> Space:
        """The rows that rules speak of."""
        return self.bound.space

    def obeying(
        self, tree: Tree, parity: Parity | None, *, together: bool = False
    ) -> tuple[Tree, RuleEffect]:
        """A grown tree made safe, and what rules changed of it.

        Parameters
        ----------
        tree : Tree
        parity : Parity or None
        together : bool
            Whether leaves may share guards.
        """
        table = self.table
        rows = self.rows(leaves(tree, self.columns)[self.kept])
        safe = guarded(tree, self.bound, rows, together=together)
        gap, least = gap_of(safe, table.populations, table.favorable), None
        budget = parity.eps if isinstance(parity, GapBudget) else None
        if budget is not None and gap is not None and gap > budget:
            allowed = self._allowed(safe)
            safe, gap = decided_anew(
                safe, allowed, table.populations, favorable=table.favorable, eps=budget
            )
            least = gap if gap > budget else None
        return safe, self.effect(tree, safe, parity, least_gap=least)

    def effect(
        self,
        grown: Tree,
        tree: Tree,
        parity: Parity | None,
        *,
        least_gap: float | None = None,
        unsafe_allowed: bool = False,
    ) -> RuleEffect:
        """What is different in a tree, whose every leaf is asked by what did not build it."""
        table = self.table
        wrong = unsafe_leaves(tree, self.bound)
        if wrong and not unsafe_allowed:
            raise AssertionError(f"Leaves {wrong} of a guarded tree break a rule.")
        before, after = (leaves(one, self.columns)[self.kept] for one in (grown, tree))
        changed = grown.label[before] != tree.label[after]
        return RuleEffect(
            n_nodes_grown=grown.n_nodes,
            n_nodes=tree.n_nodes,
            weight_changed=float(table.row_weights()[changed].sum()),
            errors_grown=_errors(grown),
            errors=_errors(tree),
            contradicting=self.contradicting,
            impossible=self.impossible,
            gap_grown=gap_of(grown, table.populations, table.favorable),
            gap=gap_of(tree, table.populations, table.favorable),
            budget=parity.eps if isinstance(parity, GapBudget) else None,
            least_gap=least_gap,
            unsafe_leaves=tuple(wrong),
        )

    def rows(self, leaf: np.ndarray) -> RowsOfTree:
        """The table's rows in leaves of a tree, (n,) int."""
        table = self.table
        return RowsOfTree(
            cells=self.cells,
            leaf=leaf,
            y=table.y,
            weights=table.row_weights(),
            class_weight=table.price().diagonal(),
            group=np.zeros(table.n_rows, np.int64) if table.group is None else table.group,
            n_groups=table.n_groups,
            counts_rows=table.counts_rows,
        )

    def _allowed(self, tree: Tree) -> np.ndarray:
        """Classes that no rule forbids in each leaf, (n_nodes, n_classes) bool."""
        found = np.ones((tree.n_nodes, len(tree.classes)), bool)
        for leaf in leaves_of_tree(tree, self.space):
            places = self.bound.allowed(leaf.masks)
            found[leaf.node] = np.isin(np.arange(len(tree.classes)), places)
        return found


def governed(
    rules: Any, table: TrainingTable, columns: Sequence[Column], *, contradictions: str
) -> Governed:
    """Hold rules against the rows of a problem.

    Parameters
    ----------
    rules : Rules or str
        As an object or as text.
    table : TrainingTable
    columns : sequence of Column
        What the table was coded from.
    contradictions : {"error", "keep", "relabel", "drop"}
        What becomes of rows that a rule or a fact contradicts.

    Raises
    ------
    RuleError
        If rules do not fit the data.
    ContradictionError
        If they leave a row that can exist none of the classes of the data.
    """
    rules = Rules.parse(rules) if isinstance(rules, str) else rules
    if not isinstance(rules, Rules):
        raise InputError(f"rules is a {type(rules).__name__}. Pass Rules.parse(...), or a text.")
    bound = bound_to_model(rules, table.features, table.classes)
    if len(bound.classes) > table.n_classes:  # a class without a row is none that a tree decides
        bound = replace(bound, classes=bound.classes[: table.n_classes])
        refuse_contradiction(bound)
    cells = bound.space.encode(columns)
    found = rows_under_rules(bound, cells, table.y)
    settled = settle(
        bound, found, table.y, contradictions=contradictions, weights=table.row_weights()
    )
    if not settled.keep.any():
        raise InputError(
            "Every row contradicts a rule or a fact, so that contradictions='drop' leaves none. "
            "Correct the rows, or pass contradictions='keep'."
        )
    whole = replace(_with_declared(table, bound.space), y=settled.y.astype(table.y.dtype))
    at = np.flatnonzero(settled.keep)
    return Governed(
        bound=bound,
        table=whole if settled.keep.all() else take(whole, at),
        cells=tuple(codes[at] for codes in cells),
        columns=tuple(columns),
        kept=settled.keep,
        contradicting=settled.contradicting,
        impossible=settled.impossible,
        notices=settled.notices,
    )


def _errors(tree: Tree) -> float:
    """Weight of the training rows that a tree decides otherwise than they are labelled."""
    leaf = tree.is_leaf
    right = np.take_along_axis(tree.weight[leaf], tree.label[leaf, None], axis=1)
    return float(tree.weight[leaf].sum() - right.sum())


def _with_declared(table: TrainingTable, space: Space) -> TrainingTable:
    """The table with codes for the levels that are declared, and missing values where they are."""
    features, codes = [], []
    for feature, of_rows in zip(table.features, table.codes):
        axis, coding = space.axes[space.place(feature.name)], feature.coding
        admits = bool(axis.whole >> axis.missing_cell & 1)
        if isinstance(axis, CategoryAxis) and isinstance(coding, CategoryCoding):
            known = {(type(level), level) for level in coding.levels}
            more = tuple(v for v in axis.levels if (type(v), v) not in known)
            wider = replace(
                coding,
                levels=coding.levels + more,
                declared_unused=(),
                admits_missing=admits,
            )
            missing = of_rows == coding.missing_code
            of_rows = np.where(missing, wider.missing_code, of_rows).astype(wider.dtype)
            features.append(Feature(name=feature.name, coding=wider))
        else:
            wide = replace(coding, admits_missing=admits)
            features.append(Feature(name=feature.name, coding=wide))
        codes.append(of_rows)
    return replace(table, features=tuple(features), codes=tuple(codes))
