"""What stands in each box of a picture of a tree, and how large the box must be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..tree.export.branches import leaves_below
from ..tree.favorable import ASSUMED
from .canvas import BLUE, GREY, VERMILLION
from .sheet import Sheet
from .text_width import Pen
from .tree_layout import Layout
from .tree_legend import Entry
from .tree_numbers import MOVED, TreeNumbers
from .tree_words import Question

SIZE = 7.5  # points
LINE, PAD, SPACE = 0.15, 0.07, 0.05  # inches
_LEFT, _LEFT_ALONE = 1.02, 1.55  # of the left half, and without a right half
_CLASS_BAR, _REACH_BAR, _PERCENT = 0.5, 0.3, 0.33
GROUP = 0.68  # of a group's name, at most
MOST_GROUPS = 3  # that have a bar of their own

_GREEN, _PALE, _LIGHT, _DARK = "#009E73", "#DDDDDD", "#F4F4F4", "#555555"
# Okabe and Ito's palette, for classes of which none is favourable.
_CLASSES = ("#009E73", "#E69F00", "#56B4E9", "#CC79A7", "#0072B2", "#F0E442", "#D55E00")
_EVEN = 0.0005  # a contribution below this is shown as 0.0 pp


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Texts from the data, as they are drawn."""

    questions: list[Question | None]
    classes: list[str]
    groups: list[str]
    short_groups: dict[int, str]  # of those that have a bar of their own
    condition: str
    families: list[str]


@dataclass(frozen=True, kw_only=True)
class Boxes:
    """The boxes of a tree's nodes: all of one width, as high as their lines."""

    numbers: TreeNumbers
    place: Layout
    names: Names

    @cached_property
    def pen(self) -> Pen:
        """Of plain text."""
        return Pen(self.names.families, SIZE)

    @cached_property
    def bold(self) -> Pen:
        """Of what is asked and decided."""
        return Pen(self.names.families, SIZE, bold=True)

    @cached_property
    def width(self) -> float:
        """Inches of every box."""
        if not self.names.groups:
            return _LEFT_ALONE + 2 * PAD
        return _LEFT + self._right_width + 3 * PAD

    @cached_property
    def _right_width(self) -> float:
        bars = self._group_width + SPACE + _REACH_BAR + SPACE + _PERCENT
        others = [self.pen.width(self._others(node)) for node in self.place.drawn]
        return max([bars, *others])

    @cached_property
    def _group_width(self) -> float:
        return max(map(self.pen.width, self.names.short_groups.values()), default=0.0)

    @cached_property
    def _n_leaves(self) -> np.ndarray:
        return leaves_below(self.numbers.tree)

    def height(self, node: int) -> float:
        """Inches of a node's box."""
        lines = len(self._head(node)) + max(len(self._left(node)), self._n_right)
        return lines * LINE + 2 * PAD

    @property
    def _n_right(self) -> int:
        return min(len(self.names.groups), MOST_GROUPS)

    def draw(self, sheet: Sheet, node: int, x: float, y: float) -> None:
        """Draw a box whose upper left corner is at x, y."""
        sheet.box(x, y, self.width, self.height(node), **self._frame(node))
        sheet.text(x + self.width, y - 0.075, str(node), ha="right", color=GREY)
        x, y = x + PAD, y + PAD + LINE / 2
        for text, style in self._head(node):
            sheet.text(x, y, text, **style)
            y += LINE
        self._draw_reach(sheet, node, x + self.width - self._right_width - 2 * PAD, y)
        for text, style in self._left(node):
            if text == _BAR:
                self._draw_shares(sheet, node, x, y)
            else:
                sheet.text(x, y, text, **style)
            y += LINE

    def _frame(self, node: int) -> dict[str, Any]:
        """Coloured by what is decided, or by what the split does to the gap."""
        style: dict[str, Any] = {"facecolor": "white", "edgecolor": GREY, "linewidth": 0.8}
        if self.numbers.tree.is_leaf[node]:
            color = self._color(int(self.numbers.tree.label[node]))
            return style | {"facecolor": _LIGHT if color == _PALE else f"{color}22"}
        if self.place.is_end[node]:
            style |= {"linestyle": (0, (4, 3))}
        if self.numbers.compared is None:
            return style
        value = self.numbers.compared.contribution
        if abs(value[node]) < _EVEN:
            return style
        width = 1.0 + 2.5 * float(abs(value[node]) / np.abs(value).max())
        return style | {"edgecolor": _gap_color(float(value[node])), "linewidth": width}

    def _head(self, node: int) -> list[tuple[str, dict[str, Any]]]:
        """Lines across the box: the level that leads here, and what is asked."""
        found: list[tuple[str, dict[str, Any]]] = []
        level = self._level(node)
        if level is not None:
            found.append((level, {"style": "italic"}))
        bold = {"weight": self.bold.weight}
        return found + [(line, bold) for line in self._asked(node)]

    def _level(self, node: int) -> str | None:
        """Levels with which rows come here, where the node above splits in several."""
        above = int(self.numbers.tree.parent[node])
        question = self.names.questions[above] if above >= 0 else None
        if question is None or question.relation:
            return None
        place = self.numbers.tree.children(above).tolist().index(node)
        # Italic letters are no wider than upright ones.
        return self.pen.listed(question.answers[place], self._room) or "no level"

    def _asked(self, node: int) -> list[str]:
        """What a node asks, on one line or two."""
        question = self.names.questions[node]
        if question is None:
            return []
        if not question.relation:
            return [self.bold.fitted(f"{question.feature}?", self._room)]
        whole = f"{question.feature} {question.relation} {', '.join(question.items)}"
        if self.bold.width(whole) <= self._room:
            return [whole]
        room = self._room - self.bold.width(f" {question.relation}")
        first = f"{self.bold.fitted(question.feature, room)} {question.relation}"
        return [first, self.bold.listed(question.items, self._room)]

    @property
    def _room(self) -> float:
        return self.width - 2 * PAD

    def _left(self, node: int) -> list[tuple[str, dict[str, Any]]]:
        """Decision, rows, shares of classes; of a split what it adds to the gap."""
        tree, bold = self.numbers.tree, {"weight": self.bold.weight}
        room = _LEFT if self.names.groups else _LEFT_ALONE
        share = float(tree.n[node] / max(int(tree.n[0]), 1))
        found: list[tuple[str, dict[str, Any]]] = [
            (self.pen.fitted(f"n {int(tree.n[node]):,} ({percent(share)})", room), {}),
            (_BAR, {}),
        ]
        if tree.is_leaf[node]:
            star = " *" if self.numbers.moved[node] else ""
            decided = f"→ {self.names.classes[int(tree.label[node])]}"
            text = self.bold.fitted(decided, room - self.bold.width(star)) + star
            return [(text, bold), *found]
        if self.numbers.compared is not None:
            value = float(self.numbers.compared.contribution[node])
            color = GREY if abs(value) < _EVEN else _gap_color(value)
            found.append((points(value), bold | {"color": color}))
        if self.place.is_end[node]:
            found.append((self.pen.fitted(f"… {int(self._n_leaves[node]):,} leaves", room), {}))
        return found

    def _draw_shares(self, sheet: Sheet, node: int, x: float, y: float) -> None:
        shares, told = self.numbers.share[node], self.numbers.favorable
        order = sorted(range(len(shares)), key=lambda c: c not in told)
        at = x
        for c in order:
            sheet.bar(at, y, _CLASS_BAR * float(shares[c]), self._color(c))
            at += _CLASS_BAR * float(shares[c])
        text = percent(float(shares[list(told)].sum()))
        if not told:
            shown = int(np.argmax(shares))
            text = f"{percent(float(shares[shown]))} {self.names.classes[shown]}"
            text = self.pen.fitted(text, _LEFT_ALONE - _CLASS_BAR - SPACE)
        sheet.text(x + _CLASS_BAR + SPACE, y, text)

    def _color(self, c: int) -> str:
        if not self.numbers.favorable:
            return _CLASSES[c] if c < len(_CLASSES) else _PALE
        return _GREEN if c in self.numbers.favorable else _PALE

    def _draw_reach(self, sheet: Sheet, node: int, x: float, y: float) -> None:
        """Of each group, or of the two compared and the range of the others."""
        reach = self.numbers.reach[node]
        for g, name in self.names.short_groups.items():
            sheet.text(x, y, name)
            at = x + self._group_width + SPACE
            sheet.bar(at, y, _REACH_BAR, _PALE)
            sheet.bar(at, y, _REACH_BAR * float(np.nan_to_num(reach[g])), _DARK)
            sheet.text(at + _REACH_BAR + SPACE, y, percent(float(reach[g])))
            y += LINE
        if others := self._others(node):
            sheet.text(x, y, others)

    def _others(self, node: int) -> str:
        """The reach of groups without a bar."""
        reach = np.delete(self.numbers.reach[node], list(self.names.short_groups))
        if not len(reach):
            return ""
        known = reach[~np.isnan(reach)]
        low, high = (percent(float(end)) for end in (known.min(), known.max()))
        return f"{len(reach)} others: {low}" + (f" to {high}" if high != low else "")

    def legend(self) -> list[Entry]:
        """What the marks mean."""
        classes, found = self.names.classes, []
        if not self.numbers.favorable:
            shown = range(min(len(classes), len(_CLASSES)))
            found += [Entry(mark="bar", color=_CLASSES[c], text=classes[c]) for c in shown]
        else:
            share = " or ".join(classes[c] for c in self.numbers.favorable)
            share += ASSUMED if self.numbers.assumed and self.names.groups else ""
            found.append(Entry(mark="bar", color=_GREEN, text=f"share of {share}"))
        if self.names.groups:
            reach = "share of the group's rows that come here"
            found.append(Entry(mark="bar", color=_DARK, text=reach))
        if self.numbers.compared is not None and self.numbers.tree.n_nodes > 1:
            found.append(Entry(mark="frame", color=VERMILLION, text="+ widens the gap"))
            found.append(Entry(mark="frame", color=BLUE, text="− narrows the gap"))
        if self.numbers.moved.any():
            found.append(Entry(mark="", color="", text=MOVED))
        found.append(Entry(mark="", color="", text="small numbers: nodes"))
        for g, short in self.names.short_groups.items():
            if short != self.names.groups[g]:
                found.append(Entry(mark="", color="", text=f"{short}: {self.names.groups[g]}"))
        return found


_BAR = "\0"  # stands for the line with the shares of classes


def _gap_color(value: float) -> str:
    return VERMILLION if value > 0 else BLUE


def points(value: float) -> str:
    """Percentage points with their sign.

    >>> points(0.031), points(-0.0004)
    ('+3.1 pp', '0.0 pp')
    """
    if abs(value) < _EVEN:
        return "0.0 pp"
    return f"{100 * value:+.1f} pp".replace("-", "−")


def percent(share: float) -> str:
    """A share in whole per cent; only nothing is 0% and only everything 100%.

    >>> percent(0.001), percent(0.999), percent(0.25), percent(float("nan"))
    ('<1%', '>99%', '25%', 'n/a')
    """
    if np.isnan(share):
        return "n/a"
    if 0 < share < 0.005:
        return "<1%"
    if 0.995 <= share < 1 - 1e-12:
        return ">99%"
    return f"{100 * share:.0f}%"
