"""A tree to fold and to walk: its nodes as nested lists, and what a script needs to follow them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..._tables import visible
from ...model.tree import LEAF, Tree
from ...rules.space import Space
from ...table.codings import CategoryCoding, NumericCoding
from ..phrases import percent
from ..tree_numbers import TreeNumbers
from ..tree_words import Question, named_label, questions
from .walk import walk_data

MOST_NODES = 600  # of a page; a larger tree is shown from its root down as far as that goes
LISTED_LEVELS = 400  # of a field that offers them; of more one is typed
_LEVELS = 12  # of a question, before the others are counted


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeLine:
    """A node as it is told. `opens` says that its children follow, `closes` how many lists end."""

    node: int
    answer: str  # that leads to it, "" of the root
    text: str  # what it asks or decides
    facts: str
    favorable: float | None  # share of favourable labels among its rows
    decides: str  # "good", "bad" or "plain" of a leaf, "" of a question
    opens: bool
    closes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """An entry for a feature: `kind` is "number", "date", "level" or "text"."""

    position: int
    name: str
    kind: str
    hint: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeView:
    """A tree with its nodes in depth-first order, and `walk`, by which a script decides."""

    template: ClassVar[str] = "tree"
    title: str
    lines: tuple[NodeLine, ...]
    fields: tuple[Field, ...]
    unread: int  # features that no node asks for
    cut: int  # nodes that are not shown
    walk: dict[str, Any]


def tree_view(numbers: TreeNumbers, *, title: str, domain: Space | None = None) -> TreeView:
    """Lay out a tree.

    Parameters
    ----------
    numbers : TreeNumbers
    title : str
    domain : Space, optional
        The rows that the tree decides, where it does not decide all.
    """
    tree = numbers.tree
    asked = sorted(set(tree.feature.tolist()) - {LEAF})
    shown = _shown(tree)
    return TreeView(
        title=title,
        lines=tuple(_lines(numbers, shown)),
        fields=tuple(_field(tree, j) for j in asked),
        unread=len(tree.features) - len(asked),
        cut=tree.n_nodes - len(shown),
        walk=walk_data(numbers, asked, domain),
    )


def _shown(tree: Tree) -> set[int]:
    """The nodes that are shown: all, or the uppermost, whole sets of children at a time."""
    if tree.n_nodes <= MOST_NODES:
        return set(range(tree.n_nodes))
    found, waiting = {0}, [0]
    for node in waiting:
        children = tree.children(node).tolist()
        if len(found) + len(children) > MOST_NODES:
            break
        found.update(children)
        waiting.extend(children)
    return found


def _lines(numbers: TreeNumbers, shown: set[int]) -> Iterator[NodeLine]:
    asked = questions(numbers.tree)
    order = list(_depth_first(numbers.tree, shown))
    for place, (node, depth, above) in enumerate(order):
        after = order[place + 1][1] if place + 1 < len(order) else 0
        question = asked[node]
        opens = after > depth
        yield NodeLine(
            node=node,
            answer=_answer(asked, above) if above else "",
            text=_question_text(question) if question else _decision(numbers, node),
            facts=_facts(numbers, node),
            favorable=_share_favorable(numbers, node),
            decides="" if question else _tone(numbers, node),
            opens=opens,
            closes=0 if opens else depth - after,
        )


def _depth_first(tree: Tree, shown: set[int]) -> Iterator[tuple[int, int, tuple[int, int] | None]]:
    """Nodes, how deep they lie, and their parent with the place among its children."""
    waiting: list[tuple[int, int, tuple[int, int] | None]] = [(0, 0, None)]
    while waiting:
        node, depth, above = waiting.pop()
        yield node, depth, above
        places = enumerate(tree.children(node).tolist())
        below = [(child, depth + 1, (node, place)) for place, child in places if child in shown]
        waiting += below[::-1]


def _answer(asked: Sequence[Question | None], above: tuple[int, int]) -> str:
    question = asked[above[0]]
    assert question is not None
    return _some(question.answers[above[1]]) or "no known level"


def _some(texts: tuple[str, ...]) -> str:
    told = ", ".join(visible(text) for text in texts[:_LEVELS])
    return f"{told} and {len(texts) - _LEVELS:,} more" if len(texts) > _LEVELS else told


def _question_text(question: Question) -> str:
    sign = {"<=": "≤"}.get(question.relation, question.relation)
    return f"{visible(question.feature)} {sign} {_some(question.items)}".strip() + "?"


def _decision(numbers: TreeNumbers, node: int) -> str:
    label = visible(named_label(numbers.tree.classes[numbers.tree.label[node]]))
    moved = " (not what most of its rows are)" if numbers.moved[node] else ""
    return f"decides {label}{moved}"


def _tone(numbers: TreeNumbers, node: int) -> str:
    if not numbers.favorable:
        return "plain"
    return "good" if int(numbers.tree.label[node]) in numbers.favorable else "bad"


def _share_favorable(numbers: TreeNumbers, node: int) -> float | None:
    if not numbers.favorable or not numbers.tree.n[node]:
        return None
    return float(numbers.share[node, list(numbers.favorable)].sum())


def _facts(numbers: TreeNumbers, node: int) -> str:
    """Rows, favourable labels, and the reach of the two groups that are furthest apart."""
    parts = [f"n = {numbers.tree.n[node]:,}"]
    share = _share_favorable(numbers, node)
    if share is not None:
        parts.append(f"{percent(share)} favourable")
    if node and numbers.compared is not None:
        ends = (numbers.compared.high, numbers.compared.low)
        reach = [
            f"{percent(float(numbers.reach[node, g]))} of {visible(numbers.groups[g])}"
            for g in ends
        ]
        parts.append(f"reached by {' and '.join(reach)}")
    return "; ".join(parts)


def _field(tree: Tree, j: int) -> Field:
    feature = tree.features[j]
    coding = feature.coding
    name = visible(str(feature.name))
    if isinstance(coding, CategoryCoding):
        listed = len(coding.texts) <= LISTED_LEVELS
        return Field(
            position=j,
            name=name,
            kind="level" if listed else "text",
            hint="" if listed else f"one of {len(coding.texts):,} levels",
            options=tuple(visible(text) for text in coding.texts) if listed else (),
        )
    date = coding.kind == "date"
    hint = f"in {coding.unit}" if coding.unit and not date else _range_text(coding)
    return Field(position=j, name=name, kind="date" if date else "number", hint=hint, options=())


def _range_text(coding: NumericCoding) -> str:
    return "a whole number" if coding.kind == "integer" else ""
