"""Is each split independent of the group? Tests, node by node.

Two hypotheses are tested with Pearson's chi-square of a table of groups against ways to go:

* of a split, that it is independent of the group among the rows that reach it: the hypothesis of
  Theorem 7, by which the whole tree is then independent of the group;
* of a node, that whether a row reaches it is independent of the group: Local Statistical Parity
  (Definition 3), which Lemma 6 derives from the former.

A tree was grown on its training rows, so tests on these are a description; on other rows (pass
`rows`) they are tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from arbitree.tree.favorable import Favorable
from arbitree.tree.reached import Reached, inner_nodes, reached

if TYPE_CHECKING:
    from arbitree.model.tree import Tree

FEWEST_EXPECTED = 5.0  # below it Pearson's statistic is not yet distributed as chi-square


def local_parity(
    tree: Tree,
    *,
    favorable: Favorable,
    metric: str = "statistical_parity",
    rows: Reached | None = None,
) -> pd.DataFrame:
    """Test the independence of the group at every node.

    Parameters are those of `parity_report`.

    Returns
    -------
    DataFrame
        One row a test: node, condition, hypothesis (``"split"``: the way out of the node,
        ``"node"``: reaching it), n (weight of the rows in the table), statistic, dof, p_value,
        p_holm (adjusted for all tests of the same hypothesis, Holm 1979), status. Where fewer
        than two groups, or two ways, have rows, nothing can depend on the group: p_value is 1 and
        the status says so. Weights are taken as numbers of rows.

    References
    ----------
    Definition 3, Lemma 6 and Theorem 7 of "Local Statistical Parity for the Estimation of Fair
    Decision Trees"; its review asks for the test of the split. Holm (1979), Scandinavian Journal
    of Statistics 6:65.
    """
    rows = reached(tree, favorable=favorable, metric=metric) if rows is None else rows
    tests = [
        {"node": node, "condition": condition, "hypothesis": hypothesis, **_chi_square(table)}
        for condition, weight in zip(rows.conditions, rows.weight)
        for hypothesis, node, table in _tables(tree, weight)
    ]
    names = ["node", "condition", "hypothesis", "n", "statistic", "dof", "p_value", "status"]
    found = pd.DataFrame(tests, columns=names)
    found.insert(names.index("status"), "p_holm", 1.0)
    return with_holm(found)


def with_holm(tests: pd.DataFrame) -> pd.DataFrame:
    """Tests, as `local_parity` gives them, adjusted for their number anew."""
    adjusted = np.ones(len(tests))
    for hypothesis in ("split", "node"):
        of_it = (tests["hypothesis"] == hypothesis).to_numpy()
        adjusted[of_it] = holm(tests.loc[of_it, "p_value"].to_numpy(dtype=float))
    return tests.assign(p_holm=adjusted)


def holm(p_values: np.ndarray) -> np.ndarray:
    """P-values adjusted for their number.

    Rejecting the hypotheses of those of at most a rejects a true one with probability a at most.

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6:65.

    Examples
    --------
    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(p_values), 0, -1)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1.0)
    return adjusted


def _tables(tree: Tree, weight: np.ndarray) -> list[tuple[str, int, np.ndarray]]:
    """Groups against ways to go, of each hypothesis.  weight (n_nodes, n_groups)"""
    splits = [("split", node, weight[tree.children(node)]) for node in inner_nodes(tree)]
    outside = weight[0] - weight
    nodes = [
        ("node", node, np.stack([weight[node], np.maximum(outside[node], 0.0)]))
        for node in range(1, len(weight))
    ]
    return splits + nodes


def _chi_square(table: np.ndarray) -> dict[str, object]:
    """Pearson's test of independence.  (ways, groups)"""
    from scipy.stats import chi2_contingency

    table = table[:, table.sum(axis=0) > 0]
    n_groups, table = table.shape[1], table[table.sum(axis=1) > 0]
    n = float(table.sum())
    if n_groups < 2 or len(table) < 2:
        lacking = "one group" if n_groups == 1 else "no rows" if n_groups == 0 else "one way only"
        return {"n": n, "statistic": 0.0, "dof": 0, "p_value": 1.0, "status": lacking}
    found = chi2_contingency(table, correction=False)
    few = bool(found.expected_freq.min() < FEWEST_EXPECTED)
    return {
        "n": n,
        "statistic": float(found.statistic),
        "dof": int(found.dof),
        "p_value": float(found.pvalue),
        "status": f"expected counts below {FEWEST_EXPECTED:g}" if few else "ok",
    }
