"""Random training tables for budgets, and obvious ways to measure decisions."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from arbitree.model.route import leaves_of_codes
from arbitree.model.tree import Feature, Tree
from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import CategoryCoding, NumericCoding
from arbitree.tree.populations import grouping
from arbitree.tree.table import TrainingTable

METRICS = ("statistical_parity", "equal_opportunity", "predictive_equality", "equalized_odds")


def number(n_values: int) -> NumericCoding:
    """A coding of the numbers 0, 1, ..."""
    return NumericCoding(
        edges=np.arange(n_values - 1, dtype=np.float32) + np.float32(0.5),
        exact=True,
        values=np.arange(n_values, dtype=float),
        kind="integer",
    )


def random_table(
    seed: int,
    *,
    n_rows: int = 60,
    n_groups: int = 2,
    n_classes: int = 2,
    metric: str = "statistical_parity",
    weights: np.ndarray | None = None,
    missing: bool = True,
    n_values: int = 6,
    n_levels: int = 4,
) -> TrainingTable:
    """Two numbers and a category that have to do with both the class and the group."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, n_groups, n_rows).astype(np.uint8)
    y = rng.integers(0, n_classes, n_rows).astype(np.uint8)
    signal = y + 0.7 * group
    codes = [
        np.clip(rng.normal(signal + 1, 1.2), 0, n_values - 1).astype(np.uint8),
        rng.integers(0, n_values, n_rows).astype(np.uint8),
        np.clip(rng.normal(signal, 1.0), 0, n_levels - 1).astype(np.uint8),
    ]
    if missing:
        codes[0][rng.random(n_rows) < 0.1] = n_values
        codes[2][rng.random(n_rows) < 0.1] = n_levels
    levels = CategoryCoding(levels=tuple("abcdefgh"[:n_levels]))
    sex = CodedColumn(name="g", coding=CategoryCoding(levels=tuple(range(n_groups))), codes=group)
    compared = grouping(
        [sex], [], metric=metric, joint=True, classes=tuple(range(n_classes)), favorable=1
    )
    return TrainingTable(
        features=(
            Feature(name="x", coding=number(n_values)),
            Feature(name="z", coding=number(n_values)),
            Feature(name="c", coding=levels),
        ),
        codes=tuple(codes),
        y=y,
        classes=tuple(range(n_classes)),
        favorable=1,
        weights=weights,
        group=compared.group,
        groups=compared.groups,
        populations=compared.populations,
    )


@st.composite
def tables(draw: st.DrawFn) -> TrainingTable:
    n_rows = draw(st.integers(30, 80))
    seed = draw(st.integers(0, 2**20))
    weighted = draw(st.sampled_from(["none", "whole", "any"]))
    rng = np.random.default_rng(seed + 1)
    weights = {
        "none": None,
        "whole": rng.integers(1, 4, n_rows).astype(float),
        "any": rng.random(n_rows) + 0.1,
    }[weighted]
    return random_table(
        seed,
        n_rows=n_rows,
        n_groups=draw(st.integers(2, 4)),
        n_classes=draw(st.sampled_from([2, 2, 3])),
        metric=draw(st.sampled_from(METRICS)),
        weights=weights,
        missing=draw(st.booleans()),
    )


def decisions(tree: Tree, table: TrainingTable) -> np.ndarray:
    """Whether each training row is decided favourably."""
    return tree.label[leaves_of_codes(tree, table.codes)] == table.favorable


def error(tree: Tree, table: TrainingTable) -> float:
    """Weighted share of rows decided favourably or not against their class."""
    wrong = decisions(tree, table) != (table.y == table.favorable)
    return float(np.average(wrong, weights=table.row_weights()))


def gap_of(decided: np.ndarray, table: TrainingTable) -> float:
    """The largest difference of rates within a population, row by row."""
    gaps, w = [], table.row_weights()
    for population in table.populations:
        rates = []
        for members in population.members:
            inside = members[table.group, table.y]
            if inside.any():
                rates.append(np.average(decided[inside], weights=w[inside]))
        gaps.append(max(rates) - min(rates) if len(rates) > 1 else 0.0)
    return float(max(gaps))
