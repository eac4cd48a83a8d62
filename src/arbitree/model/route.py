"""Which leaf a row falls into."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence

import numpy as np

from arbitree._errors import ArbitreeWarning, InputError
from arbitree._wording import counted, listed
from arbitree.model.tree import LEAF, Tree, n_left_codes
from arbitree.table.codings import CategoryCoding, NumericCoding
from arbitree.table.distinct import as_number, distinct
from arbitree.table.edges import to_float32
from arbitree.table.frames import Column
from arbitree.table.measures import kind_of, numbers

Goes = Callable[[int, np.ndarray], np.ndarray]  # node, rows -> position among its children

KERNELS = "arbitree.counts._kernels"
FEW_ROWS = 1_000  # for which the kernel is not worth a call
MANY_ROWS = 5_000_000  # for which it is worth the half second that its import takes
BLOCK = 65_536  # rows whose values are side by side in memory at a time


def leaves(tree: Tree, columns: Sequence[Column]) -> np.ndarray:
    """The leaf of each row of raw columns.

    Parameters
    ----------
    tree : Tree
    columns : sequence of Column
        One for each of the tree's features, in their order. Numbers are compared as float32; a
        level that the coding does not know counts as missing.

    Returns
    -------
    ndarray of int32, shape (n_rows,)

    Raises
    ------
    InputError
        If the number of columns is wrong, or a column holds what the tree cannot read.

    Examples
    --------
    >>> from arbitree.model.tree import Feature
    >>> from arbitree.table.codings import NumericCoding
    >>> from arbitree.table.frames import columns
    >>> age = NumericCoding(edges=np.float32([40]), exact=False, values=None, kind="number")
    >>> stump = Tree(
    ...     features=(Feature(name="age", coding=age),), classes=("no", "yes"),
    ...     feature=np.array([0, -1, -1]), threshold=np.float32([40, np.nan, np.nan]),
    ...     child_start=np.array([0, 2, 2, 2]), child=np.array([1, 2]),
    ...     route_start=np.array([0, 1, 1, 1]), route=np.array([1]),
    ...     label=np.array([0, 0, 1]), n=np.array([4, 2, 2]), weight=np.zeros((3, 2)),
    ... )
    >>> leaves(stump, columns({"age": [40.0, 40.1, None]}, what="X", default_name="x"))
    array([1, 2, 2], dtype=int32)
    """
    n_rows = _n_rows(tree, columns)
    used = set(tree.feature.tolist()) - {LEAF}
    values = {j: readable(tree, j, columns[j]) for j in used}
    if n_rows > MANY_ROWS or (n_rows > FEW_ROWS and KERNELS in sys.modules):
        return _descend_compiled(tree, n_rows, values)

    def goes(node: int, rows: np.ndarray) -> np.ndarray:
        j = int(tree.feature[node])
        routes = tree.routes(node)
        if not isinstance(tree.features[j].coding, NumericCoding):
            return routes[values[j][rows]]
        x = values[j][rows]
        side = (x > tree.threshold[node]).astype(np.uint16)
        side[np.isnan(x)] = routes[0]
        return side

    return _descend(tree, n_rows, goes)


def leaves_of_codes(tree: Tree, codes: Sequence[np.ndarray]) -> np.ndarray:
    """The leaf of each row of coded columns.

    Parameters
    ----------
    tree : Tree
    codes : sequence of ndarray of uint8 or uint16, shape (n_rows,)
        One for each feature, by its coding.

    Returns
    -------
    ndarray of int32, shape (n_rows,)
        As `leaves` where codings are exact or thresholds are edges of the codings, as those of
        a tree that was grown on these codes are.
    """
    n_rows = len(codes[0]) if len(codes) else 0

    def goes(node: int, rows: np.ndarray) -> np.ndarray:
        return code_routes(tree, node)[codes[int(tree.feature[node])][rows]]

    return _descend(tree, n_rows, goes)


def code_routes(tree: Tree, node: int) -> np.ndarray:
    """The child, as its position, that each code of a node's feature goes to, missing last.

    Returns
    -------
    ndarray of uint16, shape (n_codes,)
    """
    coding = tree.features[tree.feature[node]].coding
    if not isinstance(coding, NumericCoding):
        return tree.routes(node)
    found = np.ones(coding.n_codes, np.uint16)
    found[: n_left_codes(coding, float(tree.threshold[node]))] = 0
    found[coding.missing_code] = tree.routes(node)[0]
    return found


def paths(tree: Tree) -> list[tuple[int, ...]]:
    """The nodes from the root to each node, both included."""
    found: list[tuple[int, ...]] = []
    for node, above in enumerate(tree.parent.tolist()):
        found.append((*found[above], node) if above >= 0 else (node,))
    return found


def _n_rows(tree: Tree, columns: Sequence[Column]) -> int:
    if len(columns) != len(tree.features):
        raise InputError(
            f"X has {counted(len(columns), 'column')}, and the tree reads "
            f"{counted(len(tree.features), 'column')}."
        )
    return len(columns[0]) if columns else 0


def readable(tree: Tree, j: int, column: Column) -> np.ndarray:
    """A column as its node tests compare it: float32 numbers, or codes of levels.

    Raises
    ------
    InputError
        If the column does not hold what the tree was trained on.
    """
    coding = tree.features[j].coding
    if not isinstance(coding, NumericCoding):
        codes = coding.encode_column(column, unseen="missing")
        if (codes == coding.missing_code).all():
            _warn_of_strangers(coding, column)
        return codes
    coding.check(column)
    if kind_of(column) == "category":  # and every value is missing
        return np.full(len(column), np.nan, np.float32)
    return to_float32(numbers(column, coding.unit))[0]


def _warn_of_strangers(coding: CategoryCoding, column: Column) -> None:
    """A column of which no level is known may hold the same levels as another type, or spelling."""
    found = distinct(column)
    seen = [level for level, n in zip(found.levels, found.counts.tolist()) if n]
    known = {_spelling(level) for level in coding.levels}
    if any(_spelling(level) in known for level in seen):
        warnings.warn(
            f"column {column.name!r} holds {listed(seen)}, none of which is a level that the tree "
            f"knows: {listed(coding.levels)}. All count as missing. Write them as in training.",
            ArbitreeWarning,
            stacklevel=7,
        )


def _spelling(level: object) -> object:
    """What levels share that differ in type, case or spaces only."""
    text = level.decode(errors="replace") if isinstance(level, bytes) else str(level)
    number = as_number(text)
    return text.strip().casefold() if number is None else number


def _descend(tree: Tree, n_rows: int, goes: Goes) -> np.ndarray:
    """Rows of a node, parted among its children, from the root down."""
    found = np.zeros(n_rows, np.int32)
    waiting = [(0, np.arange(n_rows, dtype=np.int32))]
    while waiting:
        node, rows = waiting.pop()
        if tree.feature[node] == LEAF or not len(rows):
            found[rows] = node
            continue
        side = goes(node, rows)
        waiting += [
            (child, rows[side == place]) for place, child in enumerate(tree.children(node).tolist())
        ]
    return found


def _descend_compiled(tree: Tree, n_rows: int, values: dict[int, np.ndarray]) -> np.ndarray:
    """The same by a compiled loop, which is at hand wherever a tree was grown.

    A tree of 4,868 leaves takes 31,656 rows of Adult a tenth of the time so.
    """
    from arbitree.counts._tree_kernels import descend_values

    used = sorted(values)
    place = np.full(len(tree.features) + 1, -1, np.int32)  # the last one for LEAF
    place[used] = np.arange(len(used))
    found = np.zeros(n_rows, np.int32)
    for start in range(0, n_rows if used else 0, BLOCK):
        rows = slice(start, start + BLOCK)
        block = np.empty((len(found[rows]), len(used)), np.float32)
        for k, j in enumerate(used):
            block[:, k] = values[j][rows]
        descend_values(
            block,
            place[tree.feature],
            tree.threshold,
            tree.child_start,
            tree.child,
            tree.route_start,
            tree.route,
            found[rows],
        )
    return found
