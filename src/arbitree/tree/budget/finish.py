"""From a tree of masks to a frozen tree: thresholds between values, routes, counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arbitree.model.tree import Tree
from arbitree.table.codings import NumericCoding
from arbitree.tree.budget.mask_tree import MaskTree
from arbitree.tree.favorable import favorable_mask
from arbitree.tree.nodes import Nodes, to_tree
from arbitree.tree.split import Split
from arbitree.tree.table import TrainingTable
from arbitree.tree.threshold import level_split, middle, number_split


def finished(tree: MaskTree, table: TrainingTable) -> Tree:
    """The frozen tree."""
    nodes = Nodes(table.n_rows)
    decides = {0: int(tree.label[0])}
    waiting = [(0, 0)]  # a node of the mask tree, and of the one that is made
    while waiting:
        node, made = waiting.pop()
        decides[made] = int(tree.label[node])
        if tree.feature[node] < 0:
            continue
        split, swapped = _split(tree, node, table, nodes.rows(made))
        (children,) = nodes.divide([made], [split], table.codes)
        below = tree.children[node].tolist()
        waiting += zip(below[::-1] if swapped else below, children)
    grown = to_tree(nodes, table, price=table.price(), labels=None)
    return labelled(grown, np.array([decides[made] for made in nodes.depth_first()]), table)


def labelled(tree: Tree, decided: np.ndarray, table: TrainingTable) -> Tree:
    """A grown tree whose leaves decide as told: 1 is favourable.  decided (n_nodes,)

    A leaf has the heaviest label of those that are favourable, or of those that are not.
    """
    favorable = favorable_mask(table.favorable, table.n_classes)
    allowed = favorable == (decided == 1)[:, None]
    label = np.argmax(np.where(allowed, tree.weight, -1.0), axis=1)
    return replace(tree, label=np.where(tree.is_leaf, label, tree.label))


def _split(tree: MaskTree, node: int, table: TrainingTable, rows: np.ndarray) -> tuple[Split, bool]:
    """The split of a node, and whether its two sides change places."""
    j = int(tree.feature[node])
    coding = table.features[j].coding
    mask = tree.mask[node, : coding.n_codes] > 0
    sizes = table.row_weights()[rows] if table.counts_rows else None
    n = np.bincount(table.codes[j][rows], sizes, coding.n_codes)
    if not isinstance(coding, NumericCoding):
        return level_split(j, n, np.flatnonzero(~mask), 0.0), False
    values, swapped = mask[:-1], bool(mask[0])
    above = ~values if swapped else values
    k = int(np.argmax(above)) - 1 if above.any() else coding.n_values - 1
    seen = np.flatnonzero(n[:-1])
    last = int(seen[seen <= k].max(initial=0))
    following = int(seen[seen > k].min(initial=coding.n_values))
    threshold = middle(coding, last, following)
    missing_left = bool(mask[-1] == swapped)
    return number_split(j, coding, n, threshold, missing_left, 0.0), swapped
