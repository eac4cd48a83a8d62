"""A tree that was learnt, as text for a terminal or a pipe."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from .._tables import visible
from .._wording import counted
from ..model.tree import LEAF
from ..tree.learned import Learned
from ..tree.measured import Estimate, Measured
from ..tree.parity import Covariance, GapBudget, Parity, metrics_of
from .grid import Block, Grid, grid, rendered
from .phrases import spelled
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
    blocks += [Text(visible(line)) for line in _facts(found)]
    blocks += [Text(), _tree(found, width)]
    blocks += [Text(f"  {visible(line)}") for line in _legend(found, width)]
    blocks += [Text(), _measures(found), Text(), *_groups(found)]
    if found.notices:
        blocks += [Text(), *(Text(f"note: {visible(notice)}") for notice in found.notices)]
    return rendered(blocks, width=width, color=color)


def headline(found: Learned) -> str:
    """How good and how fair the tree is, on held-out rows where there are any.

    The largest gap is named with both groups by `gap_words`.
    """
    tree = found.model.tree_
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    one, rows = _shown(found)
    return (
        f"tree of {leaves} for {visible(found.label)}: accuracy {_percents(one.accuracy)}, "
        f"{spelled(found.metric)} gap {_points(one.gap)} on {one.n_rows:,} {rows} rows"
    )


def gap_words(found: Learned, measured: Measured) -> str:
    """The gap with the groups it lies between.

    ``2.0 pp (Male over Female)``, with the condition of the metric where it has one.
    """
    text = _points(measured.gap)
    if measured.group_high and measured.gap.value > 0:
        text += f", {visible(measured.group_high)} over {visible(measured.group_low)}"
        if measured.by_group["grouping"].nunique() > 1:
            text += f" of {visible(measured.grouping)}"
    return f"{text}, {visible(measured.condition)}" if measured.condition else text


def _shown(found: Learned) -> tuple[Measured, str]:
    if found.held_out is None:
        return found.training, "training"
    return found.held_out, "held-out"


def _facts(found: Learned) -> list[str]:
    lines = [
        found.favorable,
        f"grown on {counted(found.training.n_rows, 'row')}, {_bound(found.model.parity)}",
    ]
    reason = found.model.constant_reason_
    return [*lines, f"decides alike for everybody: {reason}"] if reason else lines


def _bound(parity: Parity | None) -> str:
    """What was asked of the tree, in words."""
    if parity is None:
        return "without a bound on the gap"
    metric = " and ".join(spelled(one) for one in metrics_of(parity.metric))
    if isinstance(parity, Covariance):
        return f"{metric}: each split's covariance with the group at most {parity.c:g}"
    what = "gap" if isinstance(parity, GapBudget) else "gap of each split"
    return f"{metric} {what} at most {100 * parity.eps:g} pp"


def _tree(found: Learned, width: int) -> Grid:
    """A node a line: rows, share of the favourable class, reach, what the split adds."""
    numbers = tree_numbers(found.model)
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


def _legend(found: Learned, width: int) -> list[str]:
    """What the columns of the tree mean."""
    numbers = tree_numbers(found.model)
    one = numbers.compared
    favored = " or ".join(str(numbers.tree.classes[c]) for c in numbers.favorable)
    lines = [f"{favored}: share of the node's rows"]
    if numbers.moved.any():
        lines.append(MOVED)
    if one is None or numbers.tree.n_nodes == 1:
        return lines
    high, low = numbers.groups[one.high], numbers.groups[one.low]
    if width >= _WIDE:
        lines.append(f"{high}, {low}: share of the group's rows that come to the node")
    gap = points(one.rate_high - one.rate_low).lstrip("+")
    lines.append(f"adds: what the split adds, in percentage points, to the gap of {gap}")
    lines.append(f"between {high} and {low} on training rows")
    return [*lines[:-1], f"{lines[-1]} with {one.condition}" if one.condition else lines[-1]]


def _measures(found: Learned) -> Grid:
    parts = [("training rows", found.training)]
    if found.held_out is not None:
        parts = [("held-out rows", found.held_out), *parts]
    measures: Sequence[tuple[str, list[str]]] = [
        ("rows", [f"{one.n_rows:,}" for _, one in parts]),
        ("accuracy", [_percents(one.accuracy) for _, one in parts]),
        ("balanced accuracy", [_percents(one.balanced_accuracy) for _, one in parts]),
        (f"{spelled(found.metric)} gap", [_points(one.gap) for _, one in parts]),
    ]
    columns = [("", "left"), *((name, "right") for name, _ in parts)]
    return grid(columns, [[name, *texts] for name, texts in measures])


def _groups(found: Learned) -> list[Block]:
    one, rows = _shown(found)
    several = one.by_group["grouping"].nunique() > 1
    blocks: list[Block] = [Text(f"favourable decisions on {rows} rows", style="bold")]
    for key, part in one.by_group.groupby(["grouping", "condition"], sort=False):
        grouping, condition = (visible(str(name)) for name in key)
        if condition != "all":
            blocks.append(Text(f"  rows with {condition}"))
        cells = [
            (visible(row["group"]), f"{row['n']:,}", _percents(_estimate(row)))  # type: ignore[arg-type]
            for row in part.to_dict("records")
        ]
        blocks.append(
            grid(
                [(grouping if several else "group", "fold"), ("n", "right"), ("share", "right")],
                cells,
            )
        )
    return blocks


def _estimate(row: dict[str, float]) -> Estimate:
    return Estimate(value=row["rate"], low=row["ci_low"], high=row["ci_high"])


def _percents(one: Estimate) -> str:
    return _scaled(one, "%")


def _points(one: Estimate) -> str:
    return _scaled(one, " pp")


def _scaled(one: Estimate, unit: str) -> str:
    """Times 100, with its interval in brackets.

    >>> _scaled(Estimate(value=0.021, low=0.0, high=0.05), " pp")
    '2.1 pp [0.0, 5.0]'
    """
    if one.value != one.value:
        return "n/a"
    text = f"{100 * one.value:.1f}{unit}"
    return text if one.low != one.low else f"{text} [{100 * one.low:.1f}, {100 * one.high:.1f}]"
