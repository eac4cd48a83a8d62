"""The trees of a model, pulled back through what stands before them to cells of raw columns.

Cells are never worked out by formulas of scalers or encoders: numbers are found by bisection in the
order of float64 numbers, and levels are looked at one by one, each time by the fitted steps
themselves. So a cell is decided as the pipeline decides it, rounding included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree.rules.axes import NumberAxis
from arbitree.rules.coded_trees import CodedTrees
from arbitree.rules.grid import GridAxis, level_grid, number_grid
from arbitree.rules.number_order import LARGEST, halfway, numbers_at, places
from arbitree.rules.reading import Reading
from arbitree.rules.space import Space
from arbitree.rules.splits import ZERO, Splits

Numbers = Callable[[pd.DataFrame], np.ndarray]


def pull_back(reading: Reading, space: Space) -> CodedTrees:
    """The trees over the cells of a space's columns.

    Raises
    ------
    InputError
        If the steps before the model refuse even the values that they were fitted on.
    """
    order = [space.place(name) for name in reading.names]
    asked = _Asked(reading, space, order)
    nodes = _by_column(reading.splits, len(reading.sources))
    cuts = _pulled_cuts(reading, space, order, asked, nodes)
    grid = [
        number_grid(axis, _joined(cuts, place))
        if isinstance(axis, NumberAxis)
        else level_grid(axis)
        for place, axis in enumerate(space.axes)
    ]
    seen = asked.cells(grid)
    return _coded(reading, order, _decided(grid, seen, reading, order), seen, cuts, nodes)


class _Asked:
    """The steps before a model, asked about values of raw columns."""

    def __init__(self, reading: Reading, space: Space, order: Sequence[int]) -> None:
        self.reading, self.order = reading, order
        self.usual = [_usual(reading, j, space.axes[place]) for j, place in enumerate(order)]

    def numbers(self, columns: dict[int, pd.Series], n_rows: int) -> np.ndarray:
        """What the trees read of rows with these raw columns, and of the others usual values."""
        given = {}
        for j, name in enumerate(self.reading.names):
            series = columns.get(j)
            if series is None:
                series = pd.Series([self.usual[j]] * n_rows)
            given[name] = series
        return self.reading.prepare(pd.DataFrame(given))

    def cells(self, grid: Sequence[GridAxis]) -> dict[int, np.ndarray]:
        """What the trees read of each cell: by raw column (n_cells, n_columns); NaN: missing.

        A cell that the steps refuse is infinite. Columns that are the same before and after the
        steps are left out.
        """
        own = {one.column for one in self.reading.sources if not one.is_raw}
        own |= {
            j for j, place in enumerate(self.order) if not isinstance(grid[place].axis, NumberAxis)
        }
        if not own:
            return {}
        sizes = {j: grid[self.order[j]].n_cells for j in own}
        n_rows = max(sizes.values())
        columns = {}
        for j in own:
            axis = grid[self.order[j]]
            columns[j] = axis.column([*range(sizes[j]), *[0] * (n_rows - sizes[j])])
        try:
            found = self.numbers(columns, n_rows)
        except (ValueError, TypeError):
            return {j: self._one_by_one(j, grid[self.order[j]]) for j in own}
        return {j: found[: sizes[j]] for j in own}

    def _one_by_one(self, j: int, axis: GridAxis) -> np.ndarray:
        found = np.full((axis.n_cells, len(self.reading.sources)), np.inf)
        for cell in range(axis.n_cells):
            try:
                found[cell] = self.numbers({j: axis.column([cell])}, 1)[0]
            except (ValueError, TypeError):
                continue  # refused: no row with this value is ever decided
        if np.isinf(found).all():
            raise InputError(
                f"The steps before the {self.reading.name} refuse every value of "
                f"{self.reading.names[j]!r}. Verify the pipeline with columns as it was fitted on."
            )
        return found


def _usual(reading: Reading, j: int, axis: Any) -> Any:
    """A value that the steps do not refuse."""
    levels = [level for one in reading.sources if one.column == j for level in one.levels]
    if levels:
        return levels[0]
    return 0.0 if isinstance(axis, NumberAxis) else axis.example(0)


def _joined(cuts: dict[int, list[np.ndarray]], place: int) -> np.ndarray:
    return np.concatenate([np.empty(0), *cuts.get(place, [])])


_Cuts = dict[Any, Any]


def _pulled_cuts(
    reading: Reading,
    space: Space,
    order: Sequence[int],
    asked: _Asked,
    nodes: Sequence[np.ndarray],
) -> _Cuts:
    """Where cells of each axis of numbers must end; and, by column, thresholds and their cuts."""
    splits = reading.splits
    cuts: _Cuts = {}
    rising: list[tuple[int, np.ndarray]] = []
    for column, source in enumerate(reading.sources):
        place = order[source.column]
        if not isinstance(space.axes[place], NumberAxis):
            continue
        here = nodes[column]
        thresholds, which = np.unique(splits.threshold[here], return_inverse=True)
        of_place = cuts.setdefault(place, [])
        numeric = [x for x in source.levels if isinstance(x, int | float | np.number)]
        of_place.append(_around(np.array(numeric, float)))
        if source.kind == "same":
            cuts[column, "pulled"] = (thresholds, which)
            of_place += [thresholds[np.isfinite(thresholds)], _of_codes(splits, here)]
        elif source.kind == "rising" and len(thresholds):
            rising.append((column, thresholds))
            cuts[column, "pulled"] = (thresholds, which)
    for (column, _), pulled in zip(rising, _bisected(reading, asked, rising)):
        cuts[column, "pulled"] = (pulled, cuts[column, "pulled"][1])
        cuts[order[reading.sources[column].column]].append(pulled)
    return cuts


def _around(numbers: np.ndarray) -> np.ndarray:
    """Cuts that put each number into a cell of its own."""
    return np.concatenate([numbers, np.nextafter(numbers, -np.inf)])


def _of_codes(splits: Splits, nodes: np.ndarray) -> np.ndarray:
    """Cuts where numbers are taken for codes, or zero for missing, by some nodes."""
    found = [np.empty(0)]
    if splits.zero_is_missing and not splits.zero_is_missing.isdisjoint(nodes.tolist()):
        found.append(np.array([np.nextafter(-ZERO, -np.inf), ZERO]))
    asking = splits.left_codes.keys() & nodes.tolist() if splits.left_codes else set()
    if asking:
        codes = [splits.left_codes[node] for node in asking]
        every = np.unique(np.concatenate(codes)).astype(float)
        ends = np.nextafter(np.concatenate([every, every + 1]), -np.inf)
        found += [ends, np.array([-1.0])]
    return np.concatenate(found)


def _bisected(
    reading: Reading, asked: _Asked, rising: Sequence[tuple[int, np.ndarray]]
) -> list[np.ndarray]:
    """For each threshold the largest raw number that what the trees read is not above.

    All columns at once: 64 times the steps see as many rows as the longest list of thresholds.
    """
    if not rising:
        return []
    by_raw: dict[int, list[int]] = {}
    for task, (column, _) in enumerate(rising):
        by_raw.setdefault(reading.sources[column].column, []).append(task)
    wanted = {j: np.concatenate([rising[t][1] for t in tasks]) for j, tasks in by_raw.items()}
    n_rows = max(map(len, wanted.values()), default=0)
    low = {j: places(np.full(len(of), -LARGEST)) for j, of in wanted.items()}
    high = {j: places(np.full(len(of), LARGEST)) for j, of in wanted.items()}

    def below(at: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
        columns = {}
        for j, of in at.items():
            numbers = _beside(numbers_at(of), reading, j)
            columns[j] = pd.Series(np.resize(numbers, n_rows))
        made = asked.numbers(columns, n_rows)
        found = {}
        for j, tasks in by_raw.items():
            column = np.concatenate([np.full(len(rising[t][1]), rising[t][0]) for t in tasks])
            found[j] = made[np.arange(len(column)), column] <= wanted[j]
        return found

    never = below(low)
    always = below(high)
    for _ in range(64):
        middle = {j: halfway(low[j], high[j]) for j in wanted}
        under = below(middle)
        for j in wanted:
            low[j] = np.where(under[j], middle[j], low[j])
            high[j] = np.where(under[j], high[j], middle[j])
    found: list[np.ndarray] = [np.empty(0)] * len(rising)
    for j, tasks in by_raw.items():
        cut = np.where(always[j], np.inf, np.where(never[j], numbers_at(low[j]), -np.inf))
        ends = np.cumsum([len(rising[t][1]) for t in tasks])[:-1]
        for task, part in zip(tasks, np.split(cut, ends)):
            found[task] = part
    return found


def _beside(numbers: np.ndarray, reading: Reading, j: int) -> np.ndarray:
    """Numbers, but instead of one that stands for a missing value the one after it."""
    marked = [x for one in reading.sources if one.column == j for x in one.levels]
    special = [x for x in marked if isinstance(x, int | float)]
    return np.where(np.isin(numbers, special), np.nextafter(numbers, np.inf), numbers)


def _decided(
    grid: Sequence[GridAxis], seen: dict[int, np.ndarray], reading: Reading, order: Sequence[int]
) -> tuple[GridAxis, ...]:
    """The grid without the cells that the model refuses."""
    from dataclasses import replace

    found = list(grid)
    for j, place in enumerate(order):
        of = [column for column, one in enumerate(reading.sources) if one.column == j]
        occurs = grid[place].occurs.copy()
        if j in seen and of:
            made = seen[j][:, of]
            occurs &= ~np.isinf(made).any(axis=1)
            if not reading.takes_missing:
                occurs &= ~np.isnan(made).any(axis=1)
        elif of and not reading.takes_missing:
            occurs[grid[place].missing_cell] = False
        found[place] = replace(grid[place], occurs=occurs)
    return tuple(found)


def _coded(
    reading: Reading,
    order: Sequence[int],
    grid: tuple[GridAxis, ...],
    seen: dict[int, np.ndarray],
    cuts: _Cuts,
    nodes: Sequence[np.ndarray],
) -> CodedTrees:
    splits = reading.splits
    n_nodes = len(splits.column)
    axis = np.full(n_nodes, -1, np.int32)
    cut = np.zeros(n_nodes, np.int32)
    missing_left = splits.missing_left.copy()
    test = np.full(n_nodes, -1, np.int32)
    lefts: list[np.ndarray] = []
    in_sets = np.array([not isinstance(of.axis, NumberAxis) for of in grid])
    for column, source in enumerate(reading.sources):
        here = nodes[column]
        place = order[source.column]
        axis[here] = place
        if not len(here):
            continue
        values = seen.get(source.column)
        read = None if values is None else values[:, column]
        if _is_plain(reading, source, grid[place], splits, here):
            pulled, which = cuts[column, "pulled"]
            cut[here] = _cut_of(grid[place], pulled)[which]
            if read is not None:
                at_missing = read[-1]
                if not np.isnan(at_missing):
                    missing_left[here] = at_missing <= splits.threshold[here]
        else:
            in_sets[place] = True
            test[here] = _tests(splits, here, _read_of(grid[place], read), lefts)
    for place in np.flatnonzero(in_sets).tolist():
        _compared_in_sets(grid[place], (axis == place) & (test < 0), cut, missing_left, test, lefts)
    return CodedTrees(
        grid=grid,
        axis=axis,
        cut=cut,
        missing_left=missing_left,
        test=test,
        lefts=_padded(lefts),
        left=splits.left,
        right=splits.right,
        root=splits.root,
        value=splits.value,
        base=splits.base,
        tolerance=splits.tolerance,
        in_sets=in_sets,
    )


def _is_plain(
    reading: Reading, source: Any, axis: GridAxis, splits: Splits, nodes: np.ndarray
) -> bool:
    """Whether all splits on a column are comparisons of the raw number."""
    if source.kind == "levels" or source.levels or not isinstance(axis.axis, NumberAxis):
        return False
    special = splits.left_codes.keys() | splits.zero_is_missing
    return not special or special.isdisjoint(nodes.tolist())


def _cut_of(axis: GridAxis, pulled: np.ndarray) -> np.ndarray:
    """The last cell below each threshold on the raw numbers; an infinite one parts off missing."""
    if isinstance(axis.axis, NumberAxis) and axis.axis.kind == "integer":
        pulled = np.floor(pulled)
    return axis.cut(pulled)


def _by_column(splits: Splits, n_columns: int) -> list[np.ndarray]:
    """The nodes that split on each column."""
    # Two bytes are sorted by their digits, four by comparing.
    narrow = np.int16 if n_columns < 2**15 else np.int32
    order = np.argsort(splits.column.astype(narrow), kind="stable")
    ends = np.searchsorted(splits.column[order], np.arange(n_columns + 1), side="left")
    return np.split(order, ends)[1:-1]


def _read_of(axis: GridAxis, read: np.ndarray | None) -> np.ndarray:
    """What a column holds for each cell of its axis, where it is the raw number itself."""
    if read is not None:
        return read
    above = np.nextafter(axis.cuts[-1:], np.inf) if len(axis.cuts) else np.zeros(1)
    return np.concatenate([axis.cuts, above, [np.nan]])


def _tests(
    splits: Splits, nodes: np.ndarray, read: np.ndarray, lefts: list[np.ndarray]
) -> np.ndarray:
    """The tests of nodes, each distinct one once."""
    first, which = _alike(splits, nodes)
    found = which + len(lefts)
    lefts += [splits.goes_left(node, read) for node in nodes[first].tolist()]
    return found.astype(np.int32)


def _alike(splits: Splits, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nodes that ask the same: places of the first of each kind, and the kind of each node."""
    missing_left, threshold = splits.missing_left[nodes], splits.threshold[nodes]
    special = splits.left_codes.keys() | splits.zero_is_missing
    if not special or special.isdisjoint(nodes.tolist()):
        key = (threshold == threshold[0]) & (missing_left == missing_left[0])
        if key.all():  # as most splits on the columns that a one-hot encoder makes
            return np.zeros(1, np.intp), np.zeros(len(nodes), np.intp)
        _, key = np.unique(threshold, return_inverse=True)
        _, first, which = np.unique(2 * key + missing_left, return_index=True, return_inverse=True)
        return first, which
    known: dict[Any, int] = {}
    kinds = np.empty(len(nodes), np.intp)
    for place, node in enumerate(nodes.tolist()):
        codes = splits.left_codes.get(node)
        asked = threshold[place] if codes is None else codes.tobytes()
        kind = (asked, missing_left[place], node in splits.zero_is_missing)
        kinds[place] = known.setdefault(kind, len(known))
    return np.unique(kinds, return_index=True)[1], kinds


def _compared_in_sets(
    axis: GridAxis,
    here: np.ndarray,
    cut: np.ndarray,
    missing_left: np.ndarray,
    test: np.ndarray,
    lefts: list[np.ndarray],
) -> None:
    """Write comparisons as sets, on an axis of which other splits are sets."""
    keys, which = np.unique(
        np.stack([cut[here], missing_left[here]], axis=1), axis=0, return_inverse=True
    )
    test[here] = len(lefts) + which.reshape(-1)
    for last, takes_missing in keys.tolist():
        cells = np.arange(axis.n_cells) <= last
        cells[axis.missing_cell] = bool(takes_missing)
        lefts.append(cells)


def _padded(lefts: list[np.ndarray]) -> np.ndarray:
    width = max(map(len, lefts), default=1)
    found = np.zeros((len(lefts), width), bool)
    for row, of in zip(found, lefts):
        row[: len(of)] = of
    return found
