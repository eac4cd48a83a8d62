"""Labels and prunings under a budget, against all of them tried one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.tree.budget.few_leaves import limit_leaves
from arbitree.tree.budget.labels import _by_milp, best_labels, label_front
from arbitree.tree.budget.mask_tree import MaskTree, leaf_cells
from arbitree.tree.budget.problem import Problem, problem_of

from .budgets import METRICS, random_table

ROUNDING = 1e-12


def random_tree(problem: Problem, seed: int, depth: int) -> MaskTree:
    rng = np.random.default_rng(seed)
    tree = MaskTree(int(problem.n_codes.max()))
    for _ in range(depth):
        leaves = np.flatnonzero(tree.feature < 0)
        leaves = leaves[rng.random(len(leaves)) < 0.8]
        feature = rng.integers(0, len(problem.n_codes), len(leaves)).astype(np.int32)
        tree.split(leaves, feature, rng.integers(0, 2, (len(leaves), tree.mask.shape[1])))
    return tree


def fewest_errors(problem: Problem, tree: MaskTree, cells: np.ndarray, eps: float) -> float:
    """The least error rate of all prunings of a tree and all labels of their leaves."""

    def decided(node: int) -> list[np.ndarray]:
        below = [cells[node]]
        whole = cells[node]
        if tree.feature[node] >= 0:
            one, two = tree.children[node]
            whole = totals[node]
            below = [a + b for a, b in product(decided(one), decided(two))]
        return [np.zeros_like(whole), whole, *below]

    totals = cells.copy()
    for node in tree.inner[::-1]:
        totals[node] = totals[tree.children[node]].sum(axis=0)
    options = np.unique(np.array(decided(0)), axis=0)
    errors = problem.error_of_none + options @ problem.error
    return float(errors[problem.gap(options @ problem.rates.T) <= eps + ROUNDING].min())


def measured(problem: Problem, cells: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    error, rates = problem.measure((labels == 1) @ cells)
    return error, float(problem.gap(rates))


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6), st.floats(0, 0.3), st.sampled_from(METRICS), st.sampled_from([2, 2, 3])
)
def test_labels_are_as_good_as_all_prunings_and_labellings(seed, eps, metric, n_groups):
    problem = problem_of(random_table(seed, metric=metric, n_groups=n_groups, n_rows=40))
    tree = random_tree(problem, seed, depth=2)
    cells = leaf_cells(problem, tree)
    error, gap = measured(problem, cells, best_labels(problem, cells, eps))
    assert gap <= eps + ROUNDING
    assert error == pytest.approx(fewest_errors(problem, tree, cells, eps), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.001, 0.3))
def test_the_program_and_highs_agree_for_two_groups(seed, eps):
    problem = problem_of(random_table(seed, n_rows=150))
    cells = leaf_cells(problem, random_tree(problem, seed, depth=4))
    live = cells.any(axis=1)
    by_milp = np.zeros(len(cells), np.uint8)
    rates = cells[live] @ problem.rates.T
    by_milp[live] = _by_milp(problem, cells[live] @ problem.error, rates, eps)
    found = [measured(problem, cells, x) for x in (best_labels(problem, cells, eps), by_milp)]
    assert found[0][0] == pytest.approx(found[1][0], abs=1e-6)
    assert max(gap for _, gap in found) <= eps + ROUNDING


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_a_front_has_falling_gaps_and_rising_errors_that_are_those_of_its_labels(seed):
    rng = np.random.default_rng(seed)
    errors, difference = rng.normal(size=10), rng.normal(size=10)
    front = label_front(errors, difference, -np.inf)
    side = 1 if difference[errors < 0].sum() >= 0 else -1
    assert (np.diff(front.errors) > 0).all()
    assert (np.diff(front.gap) < 0).all()
    for state in range(len(front.errors)):
        labels = front.labels(state)
        assert labels @ errors == pytest.approx(front.errors[state])
        assert side * (labels @ difference) == pytest.approx(front.gap[state])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_few_leaves_cost_as_little_as_all_prunings_tried(seed, most):
    problem = problem_of(random_table(seed, n_rows=50))
    tree = random_tree(problem, seed, depth=3)
    cells = leaf_cells(problem, tree)
    cost = problem.cost(np.array([-0.1, 0.1]))
    totals = cells.copy()
    for node in tree.inner[::-1]:
        totals[node] = totals[tree.children[node]].sum(axis=0)

    def prunings(node: int) -> dict[int, float]:
        least = {1: min(0.0, float(totals[node] @ cost))}
        if tree.feature[node] >= 0:
            one, two = (prunings(child) for child in tree.children[node])
            for (m, a), (n, b) in product(one.items(), two.items()):
                least[m + n] = min(least.get(m + n, np.inf), a + b)
        return least

    small = limit_leaves(tree, cells, cost, most)
    n_leaves = np.count_nonzero(small.feature < 0)
    assert n_leaves <= most
    found = np.minimum(leaf_cells(problem, small) @ cost, 0).sum()
    assert found == pytest.approx(min(v for k, v in prunings(0).items() if k <= most))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_compacting_changes_no_decision(seed):
    problem = problem_of(random_table(seed, n_rows=40))
    tree = random_tree(problem, seed, depth=4)
    tree.label[:] = np.random.default_rng(seed).integers(0, 2, len(tree.label))
    cells = leaf_cells(problem, tree)
    small = tree.compact(cells)
    after = leaf_cells(problem, small)
    np.testing.assert_array_equal((tree.label == 1) @ cells, (small.label == 1) @ after)
    assert after[small.feature < 0].any(axis=1).all()
