"""A tree as indented text, a line a branch, as scikit-learn's `export_text` draws one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arbitree._errors import InputError
from arbitree.model.tree import LEAF, Tree
from arbitree.table.codings import NumericCoding
from arbitree.tree.export.shares import share_words
from arbitree.tree.export.words import class_words, level_set, name_words, number_word


def text_tree(tree: Tree, *, max_depth: int | None = None, decimals: int = 2) -> str:
    """The splits and leaves of a tree.

    Parameters
    ----------
    tree : Tree
    max_depth : int, optional
        Splits below are left out, and counted.
    decimals : int
        Of the shares of classes.

    Returns
    -------
    str
        A level that training did not know goes where ``missing`` stands.

    Raises
    ------
    InputError
        If a number makes no sense.

    Examples
    --------
    >>> from arbitree.tree.estimator import TreeClassifier
    >>> tree = TreeClassifier().fit([[1.0], [2.0]], ["no", "yes"]).tree_
    >>> print(text_tree(tree), end="")
    |--- x_0 <= 1.5 or missing
    |   |--- class: no (n = 1, no 1.00, yes 0.00)
    |--- x_0 > 1.5
    |   |--- class: yes (n = 1, no 0.00, yes 1.00)
    """
    _check("max_depth", max_depth)
    _check("decimals", decimals)
    names, classes = name_words(tree), class_words(tree)
    lines = []
    waiting: list[tuple[int, int]] = [(0, 0)]
    branch = conditions(tree, names)
    while waiting:
        node, depth = waiting.pop()
        if node:
            lines.append(f"{'|   ' * (depth - 1)}|--- {branch[node]}")
        if tree.feature[node] == LEAF:
            told = share_words(tree, node, classes, decimals=decimals)
            lines.append(f"{'|   ' * depth}|--- class: {classes[tree.label[node]]} ({told})")
        elif max_depth is not None and depth >= max_depth:
            lines.append(f"{'|   ' * depth}|--- ... {leaves_below(tree, node)} leaves")
        else:
            waiting += [(child, depth + 1) for child in tree.children(node)[::-1].tolist()]
    return "\n".join(lines) + "\n"


def conditions(tree: Tree, names: Sequence[str]) -> dict[int, str]:
    """The condition on the way into each node."""
    found = {}
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        for place, child in enumerate(tree.children(node).tolist()):
            known = _known(tree, node, place, names[tree.feature[node]])
            takes_missing = tree.routes(node)[-1] == place
            alone = f"{names[tree.feature[node]]} missing"
            found[child] = (f"{known} or missing" if known else alone) if takes_missing else known
            found[child] = found[child] or f"{names[tree.feature[node]]} none"
    return found


def _known(tree: Tree, node: int, place: int, name: str) -> str:
    """Which values that are not missing go to a child; "" if none do."""
    coding = tree.features[tree.feature[node]].coding
    threshold = tree.threshold[node]
    if isinstance(coding, NumericCoding):
        if np.isposinf(threshold):
            return "" if place else f"{name} not missing"
        return f"{name} {'>' if place else '<='} {number_word(coding, threshold)}"
    routes = tree.routes(node)[:-1]
    texts = [text for text, at in zip(coding.texts, routes) if at == place]
    return f"{name} {level_set(texts)}" if texts else ""


def leaves_below(tree: Tree, node: int) -> int:
    """Leaves below a node."""
    waiting, found = [node], 0
    while waiting:
        at = waiting.pop()
        found += tree.feature[at] == LEAF
        waiting += tree.children(at).tolist()
    return found


def _check(name: str, value: int | None) -> None:
    if value is not None and (not isinstance(value, int | np.integer) or value < 0):
        raise InputError(f"{name} is {value!r}. Pass a whole number of at least 0.")
