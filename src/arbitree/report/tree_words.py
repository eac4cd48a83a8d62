"""What the nodes of a tree ask, in words as short as they can be without being wrong."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ..model.tree import LEAF, Feature, Tree
from ..table import units
from ..table.codings import CategoryCoding, NumericCoding
from ..table.levels import MISSING_TEXT

MISSING_WORD = MISSING_TEXT.strip("()")
_MANY = 10_000  # from here on thousands are set apart; years are below
_LEAST_FIGURES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a node asks of a row, and the answer that leads to each child.

    ``feature relation items[0], items[1]``, such as ``job in clerk, cook``. A split in several
    has no relation, and levels as answers.
    """

    feature: str
    relation: str  # "<=", "in", "is", or "" of a split in several
    items: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]  # of each child: ("yes",), or its levels


def questions(tree: Tree) -> list[Question | None]:
    """The question of each node, None of a leaf.

    Levels that no row can have any more, because of splits above, are not named.
    """
    return [
        None if tree.feature[node] == LEAF else _question(tree, node, possible)
        for node, possible in enumerate(possible_codes(tree))
    ]


def possible_codes(tree: Tree) -> list[np.ndarray]:
    """Which codes of its feature can reach each node, missing last: (n_codes,) bool.

    Of a number only whether it may be missing is followed; of a leaf the array is empty.
    """
    above: list[dict[int, np.ndarray]] = [{} for _ in range(tree.n_nodes)]
    found = []
    for node in range(tree.n_nodes):
        j = int(tree.feature[node])
        if j == LEAF:
            found.append(np.zeros(0, bool))
            continue
        at_first = np.ones(len(tree.routes(node)), bool)
        at_first[-1] = tree.features[j].coding.admits_missing
        here = above[node].get(j, at_first)
        found.append(here)
        for place, child in enumerate(tree.children(node).tolist()):
            above[child] = above[node] | {j: here & (tree.routes(node) == place)}
    return found


def _question(tree: Tree, node: int, possible: np.ndarray) -> Question:
    feature = tree.features[tree.feature[node]]
    name = str(feature.name)
    if isinstance(feature.coding, NumericCoding):
        threshold = float(tree.threshold[node])
        to_first = bool(possible[0]) and tree.routes(node)[0] == 0
        return _of_number(name, feature.coding, threshold, missing_too=to_first)
    n_children = len(tree.children(node))
    sides = [
        _levels(feature, possible & (tree.routes(node) == place)) for place in range(n_children)
    ]
    return _of_levels(name, sides)


def _of_number(
    name: str, coding: NumericCoding, threshold: float, *, missing_too: bool
) -> Question:
    yes_no = (("yes",), ("no",))
    if threshold == np.inf:
        return Question(feature=name, relation="is", items=("known",), answers=yes_no)
    text = number_text(coding, threshold)
    return Question(
        feature=name,
        relation="<=",
        items=(f"{text} or {MISSING_WORD}" if missing_too else text,),
        answers=yes_no,
    )


def _of_levels(name: str, sides: Sequence[tuple[str, ...]]) -> Question:
    """A split in two asks for its shorter list of levels."""
    if len(sides) > 2:
        return Question(feature=name, relation="", items=(), answers=tuple(sides))
    named = 0 if 0 < len(sides[0]) <= len(sides[1]) or not sides[1] else 1
    items = sides[named]
    return Question(
        feature=name,
        relation="in" if len(items) > 1 else "is",
        items=items,
        answers=(("yes",), ("no",)) if named == 0 else (("no",), ("yes",)),
    )


def _levels(feature: Feature, codes: np.ndarray) -> tuple[str, ...]:
    coding = feature.coding
    assert isinstance(coding, CategoryCoding)
    texts = (*coding.texts, MISSING_WORD)
    return tuple(text for text, here in zip(texts, codes) if here)


def number_text(coding: NumericCoding, threshold: float) -> str:
    """A threshold in as few digits as tell it from the values, or edges, beside it.

    >>> ages = NumericCoding(
    ...     edges=np.float32([27.5]), exact=True, values=np.array([27.0, 28.0]), kind="integer"
    ... )
    >>> number_text(ages, 27.5)
    '27'
    """
    whole = float(np.floor(threshold))
    if coding.kind == "integer":
        return _apart(whole, 17)
    low, high = _neighbours(coding, threshold)
    if coding.unit is not None:
        return units.time_text(whole if low <= whole else threshold, coding.unit)
    for figures in range(_LEAST_FIGURES, 10):
        rounded = float(f"{threshold:.{figures}g}")
        if low <= rounded < high:
            return _apart(rounded, figures)
    return _apart(threshold, 9)


def _neighbours(coding: NumericCoding, threshold: float) -> tuple[float, float]:
    """Between which numbers, the first included, every threshold parts the rows alike, or nearly.

    Values of the training rows, where they are known one by one; else the edges of ranges.
    """
    exact = coding.exact and coding.values is not None
    known = coding.values if exact else coding.edges
    assert known is not None
    known = np.asarray(known, np.float64)
    below, above = known[known <= threshold], known[known > threshold]
    if not exact:
        below = known[known < threshold]
    low = float(below[-1]) if len(below) else -np.inf
    return low, float(above[0]) if len(above) else np.inf


def _apart(number: float, figures: int) -> str:
    if not _MANY <= abs(number) < 1e15:
        return f"{number:.{figures}g}"
    return f"{number:,.2f}".rstrip("0").rstrip(".")


def named_label(label: Hashable | object) -> str:
    """A class as a person reads it.

    >>> named_label(">50K"), named_label(1.0)
    ('>50K', '1')
    """
    return str(label).removesuffix(".0") if isinstance(label, float) else str(label)
