"""How much of the outcome's variance each set of features carries.

A component fitted to data is not yet the function g_S of its features: a table over two features
may hold effects of one. These parts are moved to where they belong, so that g_S is uncorrelated
with every function in the model of fewer of its features (hierarchical orthogonality: Hooker
2007, J. Comput. Graph. Stat. 16:709; Chastaing, Gamboa and Prieur 2012, Electron. J. Stat. 6:2420).
The fitted value of a row does not change. Then V_S = mean of g_S (y - mean of y).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from arbitree.influence.axes import Functions
from arbitree.influence.design import Design, spread_out

Carried = dict[tuple[int, ...], np.ndarray]  # (r,), or (r, n_1, ..), by axes
RIDGE = 1e-9  # of directions that data cannot tell apart, relative


def covariances(
    design: Design,
    theta: np.ndarray,
    sums: np.ndarray,
    counts: np.ndarray,
    functions: Carried | None = None,
) -> Carried:
    """Sums over rows of g_S times the outcome.

    Parameters
    ----------
    design : Design
    theta : (r, n_coefficients)
    sums : (r, n_cells)
        Sums of the centred outcome in each cell, in the rows to evaluate on.
    counts : (r or 1, n_cells)
        Sums of weights in each cell, of the rows over which functions are made uncorrelated.
    functions : dict, optional
        Filled with the functions g_S themselves: tables over the codes of axes.

    Returns
    -------
    dict from axes to (r,)
    """
    tables = design.tables(np.concatenate([theta[:, :-1], 0 * theta[:, -1:]], axis=1))
    found: Carried = {}
    for block, axes in zip(design.blocks, design.subsets):
        at, shape = block.cells, block.cell_shape
        _credit(
            found,
            axes,
            tables[:, at].reshape(len(tables), *shape),
            sums[:, at].reshape(len(sums), *shape),
            counts[:, at].reshape(len(counts), *shape),
            list(block.parts),
            functions,
        )
    return found


def _credit(
    found: Carried,
    axes: tuple[int, ...],
    table: np.ndarray,  # (r, n_1, ..)
    sums: np.ndarray,  # (r, n_1, ..)
    counts: np.ndarray,  # (r or 1, n_1, ..)
    parts: list[Functions],
    functions: Carried | None,
) -> None:
    """Share out one component between its features and their subsets."""
    cells = tuple(range(1, table.ndim))
    total = np.maximum(counts.sum(axis=cells), 1e-300)
    mean = (table * counts).sum(axis=cells) / total
    table = table - mean.reshape(-1, *[1] * len(cells))
    kept = table
    for kept_axes, piece in _lower(table, counts, parts):
        dropped = tuple(c for c in cells if c - 1 not in kept_axes)
        _credit(
            found,
            tuple(axes[k] for k in kept_axes),
            piece,
            sums.sum(axis=dropped),
            counts.sum(axis=dropped),
            [parts[k] for k in kept_axes],
            functions,
        )
        kept = kept - np.expand_dims(piece, dropped)
    if functions is not None:
        functions[axes] = functions[axes] + kept if axes in functions else kept
    carried = (kept * sums).sum(axis=cells)
    found[axes] = found[axes] + carried if axes in found else carried


def _lower(
    table: np.ndarray, counts: np.ndarray, parts: list[Functions]
) -> list[tuple[tuple[int, ...], np.ndarray]]:
    """The best approximation of a table by functions of fewer of its axes, term by term."""
    order = len(parts)
    if order == 1:
        return []
    if order == 2:
        return _margins(table, counts, parts)
    subsets = [s for size in range(1, order) for s in combinations(range(order), size)]
    columns = [_basis(subset, parts) for subset in subsets]
    x = np.concatenate(columns, axis=1)
    shape = table.shape[1:]
    weights = np.broadcast_to(counts, (len(counts), *shape)).reshape(len(counts), -1)
    seen = np.flatnonzero(weights.any(axis=0))
    solution = _least_squares(x[seen], weights[:, seen], table.reshape(len(table), -1)[:, seen])
    found, first = [], 0
    for subset, column in zip(subsets, columns):
        coefficients = solution[:, first : first + column.shape[1]]
        first += column.shape[1]
        sizes = [parts[k].values.shape[1] for k in subset]
        piece = spread_out(coefficients.reshape(len(table), *sizes), [parts[k] for k in subset])
        found.append((subset, piece))
    return found


def _margins(
    table: np.ndarray, counts: np.ndarray, parts: list[Functions]
) -> list[tuple[tuple[int, ...], np.ndarray]]:
    """The same for a pair, from products of small matrices: F' C G and the like."""
    f, g = (part.values for part in parts)
    k, m = f.shape[1], g.shape[1]
    total = np.maximum(counts.sum(axis=(1, 2)), 1e-300)
    share = counts / total[:, None, None]
    of_f, of_g = share.sum(axis=2), share.sum(axis=1)
    gram = np.empty((len(share), k + m + 1, k + m + 1))
    gram[:, :k, :k] = f.T @ (of_f[:, :, None] * f)
    gram[:, k:-1, k:-1] = g.T @ (of_g[:, :, None] * g)
    gram[:, :k, k:-1] = f.T @ share @ g
    gram[:, k:-1, :k] = gram[:, :k, k:-1].transpose(0, 2, 1)
    gram[:, :k, -1] = gram[:, -1, :k] = of_f @ f
    gram[:, k:-1, -1] = gram[:, -1, k:-1] = of_g @ g
    gram[:, -1, -1] = 1.0
    gram += RIDGE * np.eye(k + m + 1)
    weighed = table * share
    right = np.empty((len(table), k + m + 1))
    right[:, :k] = weighed.sum(axis=2) @ f
    right[:, k:-1] = weighed.sum(axis=1) @ g
    right[:, -1] = weighed.sum(axis=(1, 2))
    gram = np.broadcast_to(gram, (len(table), *gram.shape[1:]))
    found = np.linalg.solve(gram, right[:, :, None])[:, :, 0]
    return [((0,), found[:, :k] @ f.T), ((1,), found[:, k:-1] @ g.T)]


def _basis(subset: tuple[int, ...], parts: list[Functions]) -> np.ndarray:
    """Products of the functions of some axes, in every cell of all.  -> (n_cells, k)"""
    found = np.ones((1, 1))
    for k, part in enumerate(parts):
        values = part.values if k in subset else np.ones((len(part.values), 1))
        found = np.einsum("ak,bl->abkl", found, values).reshape(len(found) * len(values), -1)
    return found


def _least_squares(x: np.ndarray, weights: np.ndarray, tables: np.ndarray) -> np.ndarray:
    """Weighted least squares with an intercept, which is left out.  -> (r, k)"""
    with_one = np.concatenate([x, np.ones((len(x), 1))], axis=1)
    total = np.maximum(weights.sum(axis=1), 1e-300)
    gram = np.stack([(with_one.T * w) @ with_one for w in weights / total[:, None]])
    gram[:, np.arange(gram.shape[1]), np.arange(gram.shape[1])] += RIDGE
    right = (tables * (weights / total[:, None])) @ with_one
    return np.asarray(np.linalg.solve(gram, right[:, :, None])[:, :-1, 0])
