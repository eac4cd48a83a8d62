"""A tree as lines of text: a node a line, indented as deep as it lies."""

from __future__ import annotations

from collections.abc import Sequence

from .._tables import visible
from ..model.tree import LEAF, Tree
from .plot_names import columns, more, shortened, some_of
from .tree_numbers import moved_leaves
from .tree_words import Question, named_label, questions

_DEEPER = "| "
_LEAST = 8  # columns of a shortened name


def tree_lines(tree: Tree, *, width: int) -> list[str]:
    """What leads to each node and what it asks or decides, nodes in their order.

    A star marks a decision that is not that of most of the leaf's rows.

    Parameters
    ----------
    tree : Tree
    width : int
        Columns of a line; names and lists of levels are shortened to fit, if at all possible.
    """
    asked, depth, parent, moved = questions(tree), tree.depth, tree.parent, moved_leaves(tree)
    found = []
    for node in range(tree.n_nodes):
        answer = ""
        above = asked[int(parent[node])] if node else None
        if above is not None:
            place = tree.children(int(parent[node])).tolist().index(node)
            answer = f"{_listed(above.answers[place], max(width // 3, _LEAST)) or 'no level'}: "
        lead = f"{_DEEPER * int(depth[node])}{answer}"
        room = max(width - columns(lead), 12)
        question = asked[node]
        if tree.feature[node] == LEAF or question is None:
            star = " *" if moved[node] else ""
            label = visible(named_label(tree.classes[tree.label[node]]))
            text = shortened(f"-> {label}", room - len(star)) + star
        else:
            text = _question(question, room)
        found.append(lead + text)
    return found


def _question(question: Question, room: int) -> str:
    """The whole question, or the first level and how many more, or a shortened name too."""
    name = visible(question.feature)
    if not question.relation:
        return f"{shortened(name, room - 1)}?"
    lead = f"{name} {question.relation} "
    told = _listed(question.items, room - columns(lead), whole=True)
    if told:
        return lead + told
    short = f"{shortened(name, max(room // 2, _LEAST))} {question.relation} "
    return short + _listed(question.items, room - columns(short))


def _listed(items: Sequence[str], room: int, *, whole: bool = False) -> str:
    """As many texts as there is room for, and how many more: ``a, b +3``.

    Where not even the first fits it is shortened, or if `whole` nothing is given.
    """
    texts = [visible(item) for item in items]
    told = some_of(texts, room, columns)
    if told or whole or not texts:
        return told
    others = more(len(texts) - 1)
    return shortened(texts[0], max(room - len(others), _LEAST // 2)) + others
