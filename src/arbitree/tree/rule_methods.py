"""The ways in which a tree may learn under rules."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from arbitree._errors import UnsafeTreeWarning
from arbitree.model.tree import Tree
from arbitree.tree.grown import grown
from arbitree.tree.options import GrowthOptions, one_of
from arbitree.tree.parity import GapBudget
from arbitree.tree.split import ExtraCounts
from arbitree.tree.table import TrainingTable

if TYPE_CHECKING:
    from arbitree.tree.rule_effect import RuleEffect
    from arbitree.tree.under_rules import Governed

LITERAL = ("integrated-literal", "post-facto-literal")  # the paper's, which may break rules
METHODS = ("integrated", "post-facto", *LITERAL)
_ROUNDING = 1e-9  # of errors
_LEAVES = 256  # of a tree whose labels are chosen by integer programming

Grow = Callable[[TrainingTable, ExtraCounts | None], Tree]


def check_rule_choices(method: object, rule_weight: object, contradictions: object) -> None:
    """Refuse what is no choice, with rules or without them."""
    from arbitree.rules.settle import CONTRADICTIONS
    from arbitree.tree.rule_counts import RULE_WEIGHTS

    one_of("method", method, METHODS)
    one_of("rule_weight", rule_weight, RULE_WEIGHTS)
    one_of("contradictions", contradictions, CONTRADICTIONS)


def learnt_under_rules(
    problem: Governed, options: GrowthOptions, *, method: str, rule_weight: str, grow: Grow
) -> tuple[Tree, RuleEffect]:
    """The tree that a method learns, and what rules changed of it.

    Of the trees that `_candidates` gives the one is taken that comes closest to a budget; that,
    before it was made safe, erred no more on the training rows than the first one; that, under a
    budget, errs least; that has fewest nodes; the first of equals.
    """
    if method in LITERAL:
        from arbitree.tree.literal import literal_tree

        tree = literal_tree(problem, options, method=method)
        effect = problem.effect(tree, tree, options.parity, unsafe_allowed=True)
        warnings.warn(effect.literal_notice, UnsafeTreeWarning, stacklevel=4)  # where fit is called
        return tree, effect
    found = list(_candidates(problem, options, method, rule_weight, grow))
    most = found[0][1].errors_grown * (1 + _ROUNDING)

    def rank(one: tuple[Tree, RuleEffect]) -> tuple[float, bool, float, int]:
        tree, effect = one
        errors = 0.0 if effect.budget is None else effect.errors  # that a choice of labels costs
        return effect.least_gap or 0.0, effect.errors_grown > most, errors, tree.n_nodes

    return min(found, key=rank)


def _candidates(
    problem: Governed, options: GrowthOptions, method: str, rule_weight: str, grow: Grow
) -> Iterator[tuple[Tree, RuleEffect]]:
    """Safe trees: post-facto the one; integrated also those with splits ranked by rules too, and
    with guards that leaves share."""
    by_data = grow(problem.table, None)
    yield problem.obeying(by_data, options.parity)
    if method == "post-facto":
        return
    shared = problem.obeying(by_data, options.parity, together=True)
    yield shared
    if isinstance(options.parity, GapBudget):  # it searches by prices, not by counts
        effect = shared[1]
        if effect.least_gap is not None or effect.errors > effect.errors_grown:
            yield problem.obeying(_unbounded(problem, options), options.parity, together=True)
        return
    from arbitree.tree.rule_counts import RuleCounts

    extra = RuleCounts(problem.bound, problem.table, problem.cells, rule_weight)
    yield problem.obeying(grow(problem.table, extra), options.parity, together=True)


def _unbounded(problem: Governed, options: GrowthOptions) -> Tree:
    """A tree that is grown without a budget, and so has more leaves to meet it by their labels."""
    least = max(options.min_samples_leaf, 1)
    free = replace(
        options,
        parity=None,
        max_leaf_nodes=options.max_leaf_nodes or _LEAVES,
        min_samples_leaf=least,
    )
    return grown(problem.table, free)
