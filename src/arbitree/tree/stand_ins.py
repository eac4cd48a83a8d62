"""Splits that stand in for a sensitive column: almost only one of two groups goes each way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from arbitree.model.tree import Tree

APART = 0.8  # total variation between the ways of two groups
FEWEST = 20  # rows of each group at the node: with fewer, chance tells them apart


def stand_in_notices(tree: Tree, splits: pd.DataFrame, sizes: pd.DataFrame) -> tuple[str, ...]:
    """A sentence for each node whose split nearly tells two groups apart.

    Parameters
    ----------
    tree : Tree
    splits : DataFrame
        As of `arbitree.parity_report`, on training rows.
    sizes : DataFrame
        grouping, condition, group and n: rows of each group that is compared.
    """
    n_rows = sizes.set_index(["grouping", "condition", "group"])["n"].to_dict()
    widest = splits.sort_values("eps", ascending=False, kind="stable")
    found: dict[int, str] = {}
    for row in widest[widest["eps"] >= APART].to_dict("records"):
        node, among = int(row["node"]), (row["grouping"], row["condition"])
        there = [
            n_rows.get((*among, row[f"group_{end}"]), 0) * row[reach]
            for end, reach in (("high", "reach"), ("low", "reach_low"))
        ]
        if node not in found and min(there) >= FEWEST:
            found[node] = _sentence(tree, row)
    return tuple(found[node] for node in sorted(found))


def _sentence(tree: Tree, row: Mapping[Any, Any]) -> str:
    node = int(row["node"])
    name = tree.features[tree.feature[node]].name
    apart = 100 * float(row["eps"])
    return (
        f"Node {node} splits on {name!r}, which nearly tells {row['grouping']}: the ways that "
        f"{row['group_high']} and {row['group_low']} go are {apart:.0f} pp apart. Drop it from X "
        "unless that is wanted."
    )
