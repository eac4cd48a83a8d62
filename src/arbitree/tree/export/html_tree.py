"""A tree as HTML that folds, without a script or a style sheet: for notebooks and pages."""

from __future__ import annotations

from arbitree._tables import html_text
from arbitree._wording import counted
from arbitree.model.tree import LEAF, Tree
from arbitree.tree.export.shares import share_words
from arbitree.tree.export.text_tree import conditions, leaves_below
from arbitree.tree.export.words import class_words, name_words

MAX_DEPTH = 5  # splits that are shown
OPEN_DEPTH = 3  # splits that are unfolded at first
_LIST = '<ul style="list-style: none; padding-left: 1.2em; margin: 0">'


def html_tree(tree: Tree, *, max_depth: int = MAX_DEPTH, decimals: int = 2) -> str:
    """The splits and leaves of a tree as nested lists.

    Parameters
    ----------
    tree : Tree
    max_depth : int
        Splits below are left out, and their leaves counted.
    decimals : int
        Of the shares of classes.

    Returns
    -------
    str
        Every name is escaped; the same tree gives the same text.

    Examples
    --------
    >>> from arbitree.tree.estimator import TreeClassifier
    >>> tree = TreeClassifier().fit({"<b>": [1.0, 2.0]}, ["no", "yes"]).tree_
    >>> "&lt;b&gt;" in html_tree(tree), "<b>" in html_tree(tree)
    (True, False)
    """
    words = conditions(tree, name_words(tree))
    parts: list[str] = []
    # Nodes to open, and texts that end what an earlier one opened.
    waiting: list[tuple[int, int] | str] = [(0, 0)]
    while waiting:
        at = waiting.pop()
        if isinstance(at, str):
            parts.append(at)
            continue
        node, depth = at
        lead = words.get(node, counted(int(tree.n[0]), "row"))
        if tree.feature[node] == LEAF or depth >= max_depth:
            parts.append(f"<li>{html_text(f'{lead}: {_end(tree, node, decimals)}')}</li>")
            continue
        unfolded = " open" if depth < OPEN_DEPTH else ""
        parts.append(f"<li><details{unfolded}><summary>{html_text(lead)}</summary>{_LIST}")
        children = tree.children(node).tolist()
        waiting += ["</ul></details></li>", *((child, depth + 1) for child in children[::-1])]
    head = f"tree of {counted(tree.n_leaves, 'leaf').replace('leafs', 'leaves')}"
    return f'<div class="arbitree"><p>{head}</p>{_LIST}{"".join(parts)}</ul></div>\n'


def _end(tree: Tree, node: int, decimals: int) -> str:
    """What a leaf decides, or how many leaves are not shown."""
    if tree.feature[node] != LEAF:
        return f"{leaves_below(tree, node):,} leaves"
    classes = class_words(tree)
    return f"{classes[tree.label[node]]} ({share_words(tree, node, classes, decimals=decimals)})"
