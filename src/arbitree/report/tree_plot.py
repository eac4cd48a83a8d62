"""A decision tree from left to right, with who comes where and which split makes the gap."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING, Any

from .._errors import InputError
from .._tables import visible
from .._wording import counted
from .canvas import need_matplotlib
from .phrases import spelled
from .plot_names import drawable, telling_names
from .sheet import Sheet
from .text_width import Pen
from .tree_boxes import GROUP, LINE, MOST_GROUPS, SIZE, Boxes, Names
from .tree_layout import Layout, layout
from .tree_legend import Legend
from .tree_numbers import TreeNumbers, tree_numbers
from .tree_words import Question, named_label, questions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GROUP_WIDTHS = range(18, 3, -1)  # columns of a group's name beside its bar
_MARGIN, _GAP, _APART, _TITLE_LINE = 0.15, 0.42, 0.14, 0.195  # inches
_NARROWEST = 5.5


def plot_tree(
    model: Any,
    *,
    max_depth: int | None = None,
    favorable_label: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a tree: what is asked, how many come where, and what each split adds to the gap.

    The root is on the left, and each row of the picture ends in a leaf. A node shows what it
    asks, its training rows, their shares of classes, the share of each group's rows that come
    there (reach) and, of the two groups whose decisions are furthest apart, how many percentage
    points the split adds to their gap. These sum to the gap. The frame of a split is coloured as
    far as it widens or narrows the gap; a leaf shows what it decides.

    Parameters
    ----------
    model : TreeClassifier or Tree
        Fitted; a Tree is its ``tree_``, or what was read from a file.
    max_depth : int, optional
        Draw no deeper; by default as deep as leaves at most 64 rows. What is below is counted.
    favorable_label : label or list of labels, optional
        The favourable class of a Tree, which does not know it; by default the second of two.
    ax : matplotlib Axes, optional
        Where to draw, text as large as fits; by default a new figure as large as the tree needs.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InputError
        `model` is no tree, or a parameter makes no sense.
    MissingDependencyError
        matplotlib is not installed.

    See Also
    --------
    arbitree.parity_report : the numbers of the picture as a table.

    Examples
    --------
    >>> import arbitree as ar
    >>> import pandas as pd
    >>> from matplotlib.figure import Figure
    >>> X = pd.DataFrame({"age": [20, 30, 40, 50] * 5})
    >>> y, sex = [0, 0, 1, 1] * 5, ["f", "m", "f", "m", "f"] * 4
    >>> tree = ar.TreeClassifier(max_depth=1).fit(X, y, sensitive_features=sex)
    >>> ax = ar.plot_tree(tree, ax=Figure(figsize=(8, 4)).subplots())
    >>> [text.get_text() for text in ax.texts][:2]
    ['2 leaves, depth 1; 20 training rows', 'statistical parity gap of 0.0 pp']
    """
    picture = _picture(model, max_depth, favorable_label)
    if ax is None:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=picture.size)
        ax = figure.add_axes((0, 0, 1, 1))
    picture.draw(ax)
    return ax


def tree_picture_size(
    model: Any, *, max_depth: int | None = None, favorable_label: Any = None
) -> tuple[float, float]:
    """Inches that the picture needs, for those who make the figure."""
    return _picture(model, max_depth, favorable_label).size


@dataclass(frozen=True, kw_only=True)
class _Picture:
    """Boxes in columns, a title above and a legend below them, in inches."""

    boxes: Boxes
    title: list[str]

    @property
    def place(self) -> Layout:
        return self.boxes.place

    @cached_property
    def size(self) -> tuple[float, float]:
        height = self._top + self._tall + _MARGIN + self.legend.height + _MARGIN
        return self._inner_width + 2 * _MARGIN, height

    @cached_property
    def legend(self) -> Legend:
        return Legend(self.boxes.legend(), self.boxes.pen, self._inner_width)

    @property
    def _inner_width(self) -> float:
        n = self.place.n_columns
        return max(n * self.boxes.width + (n - 1) * _GAP, _NARROWEST)

    @property
    def _top(self) -> float:
        """Where the tree begins, below the title."""
        return 2 * _MARGIN + len(self.title) * _TITLE_LINE

    @cached_property
    def _row_height(self) -> float:
        ends = [node for node in self.place.drawn if self.place.is_end[node]]
        return max(self.boxes.height(node) for node in ends) + _APART

    @cached_property
    def _highest(self) -> float:
        """The upper edge of the highest box, which is where the tree begins."""
        return min(self._middle(n) - self.boxes.height(n) / 2 for n in self.place.drawn)

    @cached_property
    def _tall(self) -> float:
        lowest = max(self._middle(n) + self.boxes.height(n) / 2 for n in self.place.drawn)
        return lowest - self._highest

    def _middle(self, node: int) -> float:
        return float(self.place.row[node]) * self._row_height

    def _x(self, node: int) -> float:
        return _MARGIN + int(self.place.column[node]) * (self.boxes.width + _GAP)

    def _y(self, node: int) -> float:
        """The middle of a node."""
        return self._top + self._middle(node) - self._highest

    def draw(self, ax: Axes) -> None:
        """Draw everything; lines first, so that boxes lie on top."""
        sheet = Sheet(ax, *self.size, families=self.boxes.names.families, size=SIZE)
        for at, line in enumerate(self.title):
            pen = self.boxes.pen if at else self.boxes.bold
            y = _MARGIN + (at + 0.5) * _TITLE_LINE
            sheet.text(_MARGIN, y, pen.fitted(line, self._inner_width), weight=pen.weight)
        for node in self.place.drawn:
            if not self.place.is_end[node]:
                self._draw_edges(sheet, node)
        for node in self.place.drawn:
            y = self._y(node) - self.boxes.height(node) / 2
            self.boxes.draw(sheet, node, self._x(node), y)
        self.legend.draw(sheet, _MARGIN, self._top + self._tall + _MARGIN)

    def _draw_edges(self, sheet: Sheet, node: int) -> None:
        """Lines to the children, as thick as many rows go there."""
        tree, question = self.boxes.numbers.tree, self.boxes.names.questions[node]
        assert question is not None
        start, y = self._x(node) + self.boxes.width, self._y(node)
        turn = start + 0.3 * _GAP
        for answer, child in zip(question.answers, tree.children(node).tolist()):
            end, at = self._x(child), self._y(child)
            share = tree.n[child] / max(int(tree.n[0]), 1)
            sheet.line([start, turn, turn, end], [y, y, at, at], 0.7 + 2.5 * share)
            if question.relation:
                sheet.text(end - 0.04, at - 0.6 * LINE, answer[0], ha="right")


def _picture(model: Any, max_depth: object, favorable_label: Any) -> _Picture:
    need_matplotlib()
    depth = _checked_depth(max_depth)
    numbers = tree_numbers(model, favorable_label)
    place = layout(numbers.tree, depth)
    names = _names(numbers)
    metric = getattr(getattr(model, "parity", None), "metric", "statistical_parity")
    boxes = Boxes(numbers=numbers, place=place, names=names)
    return _Picture(boxes=boxes, title=_title(numbers, place, names, spelled(metric)))


def _checked_depth(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 0:
        raise InputError(f"max_depth is {value!r}. Give None or a whole number of at least 0.")
    return int(value)


def _names(numbers: TreeNumbers) -> Names:
    """Every text from the data, in glyphs that some font has."""
    asked = questions(numbers.tree)
    classes = [named_label(label) for label in numbers.tree.classes]
    condition = "" if numbers.compared is None else numbers.compared.condition
    texts = [*classes, *numbers.groups, condition]
    texts += [text for question in asked if question for text in _texts(question)]
    drawn, families = drawable([visible(text) for text in texts], stacklevel=5)
    as_drawn = dict(zip(texts, drawn))
    groups = [as_drawn[name] for name in numbers.groups]
    return Names(
        questions=[None if one is None else _drawn(one, as_drawn) for one in asked],
        classes=[as_drawn[name] for name in classes],
        groups=groups,
        short_groups=_short(groups, _with_bars(numbers), Pen(families, SIZE)),
        condition=as_drawn[condition],
        families=families,
    )


def _texts(question: Question) -> list[str]:
    answers = [text for answer in question.answers for text in answer]
    return [question.feature, *question.items, *answers]


def _drawn(question: Question, as_drawn: dict[str, str]) -> Question:
    return Question(
        feature=as_drawn[question.feature],
        relation=question.relation,
        items=tuple(as_drawn[text] for text in question.items),
        answers=tuple(tuple(as_drawn[text] for text in answer) for answer in question.answers),
    )


def _with_bars(numbers: TreeNumbers) -> list[int]:
    """Groups with a bar of their own: the two compared, and another if it is the only one."""
    found, groups = numbers.compared, list(range(len(numbers.groups)))
    if found is not None:
        groups.sort(key=lambda g: (g != found.high, g != found.low))
    return groups if len(groups) <= MOST_GROUPS else groups[: MOST_GROUPS - 1]


def _short(groups: list[str], shown: list[int], pen: Pen) -> dict[int, str]:
    """Names of groups that fit beside a bar, each told from the others."""
    names: list[str] = []
    for width in _GROUP_WIDTHS:
        names = telling_names([groups[g] for g in shown], width=width)
        if all(pen.width(name) <= GROUP for name in names):
            break
    return dict(zip(shown, names))


def _title(numbers: TreeNumbers, place: Layout, names: Names, metric: str) -> list[str]:
    tree, found = numbers.tree, numbers.compared
    depth = int(tree.depth.max())
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    size = f"{leaves}, depth {depth}; {counted(int(tree.n[0]), 'training row')}"
    if place.max_depth < depth:
        size += f"; drawn to depth {place.max_depth}"
    if found is None:
        return [size]
    gap = found.rate_high - found.rate_low
    line = f"{metric} gap of {100 * gap:.1f} pp"
    if gap > 0:
        high, low = names.groups[found.high], names.groups[found.low]
        line += f": {high} {100 * found.rate_high:.1f}%, {low} {100 * found.rate_low:.1f}%"
    return [size, line, f"among rows with {names.condition}"] if names.condition else [size, line]
