"""The nodes of a tree as a table, a node a row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from arbitree.table import units
from arbitree.table.codings import NumericCoding

_LEVELS = 8  # of a branch, before the others are counted


def node_table(tree: Any) -> pd.DataFrame:
    """Columns node, parent, branch (the way from the parent), n and decides; a line a node.

    Parameters
    ----------
    tree : Tree
        Which shows itself by this table, and so is not imported here.
    """
    branches = _branches(tree)
    parents = tree.parent.tolist()
    return pd.DataFrame(
        {
            "node": range(tree.n_nodes),
            "parent": ["" if above < 0 else str(above) for above in parents],
            "branch": [branches.get(node, "all rows") for node in range(tree.n_nodes)],
            "n": tree.n,
            "decides": [
                str(tree.classes[k]) if leaf else ""
                for k, leaf in zip(tree.label.tolist(), tree.is_leaf.tolist())
            ],
        }
    )


def _branches(tree: Any) -> dict[int, str]:
    found = {}
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        feature = tree.features[tree.feature[node]]
        routes = tree.routes(node)
        for place, child in enumerate(tree.children(node).tolist()):
            if isinstance(feature.coding, NumericCoding):
                known = _range_text(feature.coding, tree.threshold[node], place)
            else:
                texts = [t for t, at in zip(feature.coding.texts, routes[:-1]) if at == place]
                known = _level_text(texts)
            parts = [known] if known else []
            parts += ["missing"] if routes[-1] == place else []
            found[child] = f"{feature.name} {' or '.join(parts) or 'none'}"
    return found


def _range_text(coding: NumericCoding, threshold: np.float32, place: int) -> str:
    """What of a number goes to a child; "" where only a missing one does."""
    if np.isposinf(threshold):
        return "" if place else "not missing"
    number = str(threshold).removesuffix(".0")
    if coding.unit is not None:
        number = units.time_text(float(threshold), coding.unit)
    return f"{'>' if place else '<='} {number}"


def _level_text(texts: list[str]) -> str:
    if len(texts) == 1:
        return f"= {texts[0]}"
    more = f" and {len(texts) - _LEVELS:,} more" if len(texts) > _LEVELS else ""
    return f"in {{{', '.join(texts[:_LEVELS])}}}{more}" if texts else ""
