"""A tree that was learnt, as text for a terminal or a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.text import Text

from .._tables import visible
from .._wording import counted
from ..groups.groupings import SEPARATOR
from ..model.tree import LEAF
from ..tree.learned import Learned
from ..tree.measured import Estimate, Measured, ratio_text
from ..tree.parity import Covariance, GapBudget, Parity, metrics_of
from .few_rows import FEW_SIGN, few_rows_notes, gap_is_of_few
from .grid import Block, Grid, grid, rendered
from .phrases import is_small, points_text, share_text, spelled, starred
from .plot_names import telling_names
from .tree_boxes import percent, points
from .tree_lines import tree_lines
from .tree_numbers import MOVED, TreeNumbers, tree_numbers

_NAME = 12  # columns of a group's or a class's name above its numbers
_LEAST = 30  # columns of the tree itself
_WIDE = 100  # columns from which on reach is shown


def learned_text(found: Learned, *, width: int = 80, color: bool = False) -> str:
    """Lay a learnt tree out as text.

    Parameters
    ----------
    found : Learned
    width : int
        Columns to fill.
    color : bool
        Whether to mark what matters with ANSI codes; plain text otherwise.

    Returns
    -------
    str
        The first line says how good and how fair it is; the same tree gives the same text.
    """
    blocks: list[Block] = [Text(headline(found), style="bold")]
    blocks += [Text(visible(line)) for line in facts(found)]
    numbers = tree_numbers(found.model)
    blocks += [Text(), tree_grid(numbers, width)]
    blocks += [Text(f"  {visible(line)}") for lines in legend(numbers, width) for line in lines]
    blocks += [Text(), measures_grid(found), Text(), *group_blocks(found)]
    notes = [*map(visible, found.notices), *few_rows_notes(found)]
    if notes:
        blocks += [Text(), *(Text(f"note: {note}") for note in notes)]
    return rendered(blocks, width=width, color=color)


def headline(found: Learned) -> str:
    """How good and how fair the tree is, on held-out rows where there are any.

    The largest gap is named with both groups by `gap_words`.
    """
    tree = found.model.tree_
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    one, rows = _shown(found)
    return (
        f"tree of {leaves}{_alike(found)} for {visible(found.label)}: "
        f"accuracy {_percents(one.accuracy)}, {spelled(found.metric)} gap "
        f"{_points(one.gap)} on {one.n_rows:,} {rows} rows"
    )


def _alike(found: Learned) -> str:
    """What a tree that decides alike for everybody decides."""
    tree = found.model.tree_
    decided = {tree.classes[place] for place in tree.label[tree.is_leaf].tolist()}
    return (
        f" that decides {visible(str(decided.pop()))} for everybody," if len(decided) == 1 else ""
    )


def gap_words(found: Learned, measured: Measured) -> str:
    """The gap with the groups it lies between.

    ``2.0 pp (Male over Female)``, with the condition of the metric where it has one.
    """
    text = _points(measured.gap)
    if measured.group_high and measured.gap.value > 0:
        text += f", {visible(measured.group_high)} over {visible(measured.group_low)}"
        if _tells(measured.by_group["grouping"]):
            text += f" of {visible(measured.grouping)}"
    return f"{text}, {visible(measured.condition)}" if measured.condition else text


def _tells(groupings: Iterable[str]) -> bool:
    """Whether groups need the names of their columns: "White x 1.0" says not what is 1.0."""
    seen = set(groupings)
    return len(seen) > 1 or any(SEPARATOR in grouping for grouping in seen)


def _shown(found: Learned) -> tuple[Measured, str]:
    if found.held_out is None:
        return found.training, "training"
    return found.held_out, "held-out"


def facts(found: Learned) -> list[str]:
    """What is favourable, what was asked of the tree, and why it has no split, if so."""
    lines = [
        found.favorable,
        f"grown on {counted(found.training.n_rows, 'row')}, {_bound(found.model.parity)}",
        *_apart(found.training.by_group["grouping"]),
    ]
    reason = found.model.constant_reason_
    return [*lines, f"decides alike for everybody: {reason}"] if reason else lines


def _apart(groupings: Iterable[str]) -> list[str]:
    """That groups of several columns are compared column by column, where they are."""
    names = [visible(name) for name in dict.fromkeys(groupings)]
    if len(names) < 2:
        return []
    return [f"compared: the groups of {' and of '.join(names)}, each column by itself"]


def _bound(parity: Parity | None) -> str:
    """What was asked of the tree, in words."""
    if parity is None:
        return "without a bound on the gap"
    metric = " and ".join(spelled(one) for one in metrics_of(parity.metric))
    if isinstance(parity, Covariance):
        return f"{metric}: each split's covariance with the group at most {parity.c:g}"
    what = "gap" if isinstance(parity, GapBudget) else "gap of each split"
    return f"{metric} {what} at most {100 * parity.eps:g} pp"


def tree_grid(numbers: TreeNumbers, width: int) -> Grid:
    """A node a line: rows, share of the favourable class, reach, what the split adds."""
    tree = numbers.tree
    told = _compared(numbers) if width >= _WIDE else []
    classes = [str(tree.classes[c]) for c in numbers.favorable]
    names = telling_names([" or ".join(classes), *(numbers.groups[g] for g in told)], width=_NAME)
    share = numbers.share[:, list(numbers.favorable)].sum(axis=1)
    columns = [("node", "right"), ("tree", "left"), ("n", "right"), (names[0], "right")]
    columns += [(name, "right") for name in names[1:]]
    cells: list[list[str]] = []
    for node in range(tree.n_nodes):
        row = [f"{int(tree.n[node]):,}", percent(float(share[node]))]
        row += [percent(float(numbers.reach[node, g])) for g in told]
        if numbers.compared is not None:
            value = float(numbers.compared.contribution[node])
            row.append("" if tree.feature[node] == LEAF else _plus(value))
        cells.append(row)
    if numbers.compared is not None:
        columns.append(("adds", "right"))
    headers = [name for name, _ in columns]
    used = sum(
        2 + max(len(header), *(len(row[at]) for row in cells))
        for at, header in enumerate(headers[2:])
    )
    lines = tree_lines(tree, width=max(width - used - 10, _LEAST))
    rows = [[str(node), lines[node], *row] for node, row in enumerate(cells)]
    return grid(columns, rows)


def _plus(value: float) -> str:
    return points(value).replace("−", "-").removesuffix(" pp")


def _compared(numbers: TreeNumbers) -> list[int]:
    """The two groups whose reach is shown."""
    one = numbers.compared
    return [] if one is None else [one.high, one.low]


def legend(numbers: TreeNumbers, width: int) -> list[tuple[str, ...]]:
    """What the columns of the tree mean, each in a line or two."""
    one = numbers.compared
    favored = " or ".join(str(numbers.tree.classes[c]) for c in numbers.favorable)
    found: list[tuple[str, ...]] = [(f"{favored}: share of the node's rows",)]
    if numbers.moved.any():
        found.append((MOVED,))
    if one is None or numbers.tree.n_nodes == 1:
        return found
    high, low = numbers.groups[one.high], numbers.groups[one.low]
    if width >= _WIDE:
        found.append((f"{high}, {low}: share of the group's rows that come to the node",))
    gap = points(one.rate_high - one.rate_low).lstrip("+")
    adds = f"adds: what the split adds, in percentage points, to the gap of {gap}"
    among = f" with {one.condition}" if one.condition else ""
    return [*found, (adds, f"between {high} and {low} on training rows{among}")]


def measures_grid(found: Learned) -> Grid:
    """Accuracies and gaps, a column for held-out and one for training rows."""
    parts = [("training rows", found.training)]
    if found.held_out is not None:
        parts = [("held-out rows", found.held_out), *parts]
    measures: Sequence[tuple[str, list[str]]] = [
        ("rows", [f"{one.n_rows:,}" for _, one in parts]),
        ("accuracy", [_percents(one.accuracy) for _, one in parts]),
        ("balanced accuracy", [_percents(one.balanced_accuracy) for _, one in parts]),
        (f"{spelled(found.metric)} gap", [_gap_text(one) for _, one in parts]),
        ("impact ratio", [ratio_text(one.impact_ratio) for _, one in parts]),
    ]
    columns = [("", "left"), *((name, "right") for name, _ in parts)]
    return grid(columns, [[name, *texts] for name, texts in measures])


def _gap_text(one: Measured) -> str:
    return f"{_points(one.gap)}{'*' if gap_is_of_few(one) else ''}"


def group_blocks(found: Learned) -> list[Block]:
    """Shares of favourable decisions by group; a star where there are few rows."""
    one, rows = _shown(found)
    tells = _tells(one.by_group["grouping"])
    few = bool(one.by_group["status"].map(is_small).any())
    blocks: list[Block] = [Text(f"favourable decisions on {rows} rows", style="bold")]
    for key, part in one.by_group.groupby(["grouping", "condition"], sort=False):
        grouping, condition = (visible(str(name)) for name in key)
        if condition != "all":
            blocks.append(Text(f"  rows with {condition}"))
        cells = [
            (visible(row["group"]), _size(row, few=few), _rate(row))  # type: ignore[arg-type]
            for row in part.to_dict("records")
        ]
        blocks.append(
            grid(
                [(grouping if tells else "group", "fold"), ("n", "right"), ("share", "right")],
                cells,
            )
        )
    return [*blocks, Text(f"  {FEW_SIGN}")] if few or gap_is_of_few(found.training) else blocks


def _size(row: dict[str, Any], *, few: bool) -> str:
    size = f"{row['n']:,}"
    return starred(size, is_small(row["status"])) if few else size


def _rate(row: dict[str, Any]) -> str:
    return share_text(row["rate"], row["ci_low"], row["ci_high"])


def _percents(one: Estimate) -> str:
    return share_text(one.value, one.low, one.high)


def _points(one: Estimate) -> str:
    return points_text(one.value, one.low, one.high)
