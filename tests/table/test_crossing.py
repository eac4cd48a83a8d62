"""Crossed groups are the combinations that rows have, each once, in order."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import _errors as errors
from arbitree.table.code import code_groups
from arbitree.table.coded import CodedTable
from arbitree.table.crossing import Crossing, cross
from arbitree.table.frames import columns
from tests.oracles.codings import group_counts

value = st.sampled_from(["f", "m", "x", None, 1, "1"])
frames = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[value] * width), min_size=1, max_size=40)
)


def crossed(frame: pd.DataFrame) -> Crossing:
    coded, _ = code_groups(columns(frame, what="sensitive_features", default_name="x"))
    return cross(coded)


def as_frame(rows: list[tuple]) -> pd.DataFrame:
    width = len(rows[0])
    return pd.DataFrame(
        {f"column {i}": pd.Series([row[i] for row in rows], dtype=object) for i in range(width)}
    )


@settings(max_examples=40)
@given(frames)
def test_groups_have_the_rows_that_a_dictionary_counts(rows):
    crossing = crossed(as_frame(rows))
    by_text = [
        tuple(repr(v) if v == "1" and _has_both(rows, i) else _text(v) for i, v in enumerate(row))
        for row in rows
    ]
    counts = np.bincount(crossing.codes, minlength=crossing.n_groups)
    found = {crossing.level_texts(g): int(counts[g]) for g in range(crossing.n_groups)}
    assert found == group_counts(by_text)


def _has_both(rows: list[tuple], i: int) -> bool:
    return {1, "1"} <= {row[i] for row in rows}


def _text(level: object) -> str:
    return "(missing)" if level is None else str(level)


@settings(max_examples=40)
@given(frames)
def test_cells_are_in_lexicographic_order_without_repetition(rows):
    cells = [tuple(cell) for cell in crossed(as_frame(rows)).cells]
    assert cells == sorted(set(cells))


@settings(max_examples=40)
@given(frames, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(rows, random):
    order = list(range(len(rows)))
    random.shuffle(order)
    one, other = crossed(as_frame(rows)), crossed(as_frame([rows[i] for i in order]))
    np.testing.assert_array_equal(one.cells, other.cells)
    np.testing.assert_array_equal(one.codes[order], other.codes)


@settings(max_examples=40)
@given(frames)
def test_a_group_is_unknown_where_a_value_is_missing(rows):
    crossing = crossed(as_frame(rows))
    expected = [None in row for row in rows]
    assert crossing.has_missing[crossing.codes].tolist() == expected


def test_names_and_labels_are_joined():
    crossing = crossed(pd.DataFrame({"sex": ["Female"], "race": ["Black"]}))
    assert crossing.name == "sex x race"
    assert crossing.label(0) == "Female x Black"


def test_combinations_that_no_row_has_cost_nothing():
    rng = np.random.default_rng(0)
    levels = [f"level {i}" for i in range(50)]
    frame = pd.DataFrame(
        {
            name: pd.Categorical(rng.choice(levels[:5], 2_000), categories=levels)
            for name in ("a", "b", "c")
        }
    )
    coded, _ = code_groups(columns(frame, what="A", default_name="x"))
    tracemalloc.start()
    crossing = cross(coded)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert crossing.n_groups <= 125
    assert peak < 200_000


def test_many_wide_columns_are_crossed_without_their_product():
    rng = np.random.default_rng(0)
    names = np.array([f"place {i}" for i in range(5_000)])
    rows = rng.integers(0, 5_000, (300, 6))
    crossing = crossed(pd.DataFrame({f"c{j}": names[rows[:, j]] for j in range(6)}))
    assert crossing.n_groups == len({tuple(row) for row in rows})
    assert crossing.codes.dtype == np.uint16
    for row, group in zip(rows[:20], crossing.codes[:20]):
        assert crossing.level_texts(int(group)) == tuple(names[row])


def test_more_groups_than_two_bytes_hold():
    n = 70_000
    i = np.arange(n)
    frame = pd.DataFrame({"a": np.char.mod("%d a", i % 300), "b": np.char.mod("%d b", i // 300)})
    crossing = crossed(frame)
    assert crossing.n_groups == n
    assert crossing.codes.dtype == np.uint32


def test_no_rows_make_no_groups():
    crossing = crossed(pd.DataFrame({"a": pd.Series([], dtype=str), "b": pd.Series([], dtype=str)}))
    assert crossing.n_groups == 0
    assert crossing.cells.shape == (0, 2)


def test_groups_need_a_column():
    with pytest.raises(errors.InputError, match="at least one column"):
        cross([])


def test_a_table_crosses_columns_by_name():
    frame = pd.DataFrame({0: ["f", "m"], "race": ["a", "a"]})
    coded, _ = code_groups(columns(frame, what="A", default_name="x"))
    table = CodedTable(n_rows=2, sensitive=coded[:1], control=coded[1:])
    crossing = table.crossing(["race", 0])
    assert [crossing.label(g) for g in range(crossing.n_groups)] == ["a x f", "a x m"]
    np.testing.assert_array_equal(table.crossing([coded[0]]).codes, table.column(0).codes)
    with pytest.raises(errors.ColumnError, match="Did you mean 'race'"):
        table.crossing(["Race"])
