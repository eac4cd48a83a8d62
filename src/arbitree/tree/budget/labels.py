"""What the leaves of a given tree decide: fewest errors with a gap of at most eps, exactly.

Whatever subtree is pruned to a leaf that decides 1, its leaves deciding 1 amounts to the same.
So labels alone give the best pruning too; `MaskTree.compact` then takes away what is not needed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbitree.tree.budget.problem import ROUNDING, Problem

MOST_STATES = 20_000  # of the dynamic program; beyond, HiGHS


def best_labels(problem: Problem, cells: np.ndarray, eps: float) -> np.ndarray:
    """Labels with fewest errors among those whose gap is at most `eps`.

    Parameters
    ----------
    cells : (n_nodes, n_cells) float64
        Weights of leaves by cell; what has none decides 0.

    Returns
    -------
    (n_nodes,) uint8
    """
    live = np.flatnonzero(cells.any(axis=1))
    errors, rates = cells[live] @ problem.error, cells[live] @ problem.rates.T
    labels = np.zeros(len(cells), np.uint8)
    found = None
    if rates.shape[1] == 2:
        found = _by_program(errors, rates[:, 1] - rates[:, 0], eps)
    labels[live] = _by_milp(problem, errors, rates, eps) if found is None else found
    return labels


@dataclass(frozen=True, slots=True, eq=False)
class LabelFront:
    """Labellings that no other one beats in both errors and gap, most errors last.

    The gap is counted from the side on which it is when every leaf decides by its majority.
    `flips` says which leaves decide otherwise than `majority`.
    """

    errors: np.ndarray  # (m,) change of the error rate against deciding 0 everywhere, increasing
    gap: np.ndarray  # (m,) decreasing
    majority: np.ndarray  # (n_leaves,) bool
    steps: tuple[tuple[int, np.ndarray, np.ndarray], ...]  # leaf, state before, whether flipped

    def labels(self, state: int) -> np.ndarray:
        """The labels of a labelling of the front, (n_leaves,) uint8."""
        found = self.majority.copy()
        for leaf, before, flipped in reversed(self.steps):
            if flipped[state]:
                found[leaf] = ~found[leaf]
            state = int(before[state])
        return found.astype(np.uint8)


def label_front(
    errors: np.ndarray, difference: np.ndarray, lowest: float, most: int = MOST_STATES
) -> LabelFront | None:
    """The dynamic program over leaves, down to the first labelling with a gap of at most `lowest`.

    Parameters
    ----------
    errors : (n_leaves,) float64
        Change of the error rate when a leaf decides 1.
    difference : (n_leaves,) float64
        Change of the difference of the two rates when a leaf decides 1.
    most : int
        None is returned if more labellings would have to be kept.
    """
    majority = errors < 0
    side = 1.0 if difference[majority].sum() >= 0 else -1.0
    toll = np.abs(errors)
    change = side * np.where(majority, -difference, difference)
    useful = np.flatnonzero(change < 0)
    useful = useful[np.argsort(toll[useful] / -change[useful], kind="stable")]
    e, g = np.array([errors[majority].sum()]), np.array([side * difference[majority].sum()])
    steps = []
    for leaf in useful.tolist():
        e_all = np.concatenate([e, e + toll[leaf]])
        g_all = np.concatenate([g, g + change[leaf]])
        order = np.lexsort((g_all, e_all))
        g_sorted = g_all[order]
        kept = np.ones(len(order), bool)
        kept[1:] = g_sorted[1:] < np.minimum.accumulate(g_sorted)[:-1]
        kept[1:] &= ~np.logical_or.accumulate(g_sorted <= lowest)[:-1]
        order = order[kept]
        if len(order) > most:
            return None
        steps.append((leaf, order % len(e), order >= len(e)))
        e, g = e_all[order], g_all[order]
    return LabelFront(e, g, majority, tuple(steps))


def _by_program(errors: np.ndarray, difference: np.ndarray, eps: float) -> np.ndarray | None:
    """Exact labels where the gap's other side does not bind; None where it does."""
    room = eps + ROUNDING / 2
    front = label_front(errors, difference, room)
    if front is None or not (front.gap <= room).any():
        return None
    state = int(np.argmax(front.gap <= room))
    return front.labels(state) if front.gap[state] >= -room else None


def _by_milp(problem: Problem, errors: np.ndarray, rates: np.ndarray, eps: float) -> np.ndarray:
    """Exact labels by HiGHS: each family's rates lie between a free level and that plus eps.

    HiGHS keeps constraints to a tolerance only, so the bound is tightened until rounded labels
    keep it; labels that are all alike always do.
    """
    slack = 0.0
    for _ in range(4):
        labels = _milp(problem, errors, rates, max(eps - slack, 0.0))
        if labels is not None:
            gap = float(problem.gap(labels @ rates))
            if gap <= eps + ROUNDING:
                return labels
            slack += 2 * (gap - eps) + 1e-9
    return np.full(len(errors), errors.sum() < 0, np.uint8)


def _milp(problem: Problem, errors: np.ndarray, rates: np.ndarray, eps: float) -> np.ndarray | None:
    from scipy.optimize import Bounds, LinearConstraint, milp

    (n_leaves, n_rates), n_families = rates.shape, len(problem.family)
    of_family = np.repeat(np.arange(n_families), np.diff([*problem.family, n_rates]))
    matrix = np.zeros((n_rates, n_leaves + n_families))
    matrix[:, :n_leaves] = rates.T
    matrix[np.arange(n_rates), n_leaves + of_family] = -1
    found = milp(
        np.concatenate([errors / np.abs(errors).max(initial=1e-300), np.zeros(n_families)]),
        integrality=np.repeat([1, 0], [n_leaves, n_families]),
        bounds=Bounds(np.repeat([0, -1], [n_leaves, n_families]), 1),
        constraints=LinearConstraint(matrix, 0, eps),
        options={"mip_rel_gap": 0, "time_limit": 10},
    )
    return None if found.x is None else (found.x[:n_leaves] > 0.5).astype(np.uint8)
