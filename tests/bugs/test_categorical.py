"""Failures reported of other tools: categories that nobody has, and categories of few."""

from __future__ import annotations

import collections
import itertools

import numpy as np
import pandas as pd
import polars as pl
import pytest

from .audits import DECISIONS, LABELS, RACE, SEX, audited, coded, selected


@pytest.mark.parametrize("minimum", [0, 3, 5, 1000])
def test_the_minimum_size_holds_on_every_path(minimum):  # interpret#628
    found = audited(
        sensitive_features={"sex": SEX, "race": RACE},
        y_true=LABELS,
        control_features={"half": ["x", "y"] * 6},
        min_group_size=minimum,
    )
    for frame in (found.by_group, found.rates, found.overall):
        for row in frame.itertuples():
            if row.n and not row.status.startswith("not estimable"):
                assert row.status.startswith("small group") == (row.n < minimum), row
    sizes = found.by_group.set_index(["half", "grouping", "group"])["n"].sort_index()
    for row in found.gaps[found.gaps["metric"] == "statistical_parity"].itertuples():
        small = (sizes[row.half, row.grouping] < minimum).any()
        assert ("small group" in row.status) == small
    assert found.by_group["n"].sum() == 3 * 12


@pytest.mark.parametrize("kind", ["pandas", "ordered", "Polars"])
def test_categories_that_nobody_has_are_listed_once_and_never_multiplied(kind):  # pandas#17631
    declared = [f"level {i:02}" for i in range(50)]
    used = declared[::10]
    columns = {}
    for name, shift in (("a", 0), ("b", 1), ("c", 2)):
        values = [used[(i + shift) % 5] for i in range(60)]
        columns[name] = (
            pl.Series(values, dtype=pl.Enum(declared))
            if kind == "Polars"
            else pd.Categorical(values, declared, ordered=kind == "ordered")
        )
    table = coded([0, 1] * 30, columns)
    assert [len(column.coding.declared_unused) for column in table.sensitive] == [45] * 3
    crossing = table.crossing(["a", "b", "c"])
    assert len(crossing.cells) == 5  # not 50 ** 3
    found = audited([0, 1] * 30, columns)
    sizes = found.by_group.groupby("grouping")["n"]
    assert sizes.sum().tolist() == [60] * 7
    assert (found.by_group["n"] == 0).sum() == 3 * 45
    crossed = found.by_group[found.by_group["grouping"].str.contains(" x ")]
    assert (crossed["n"] > 0).all()
    told = [notice for notice in found.notices if "never seen" in notice]
    assert len(told) == 3


ORDERS = list(itertools.permutations(["a", "b", "unused"]))


@pytest.mark.parametrize("categories", ORDERS, ids=str)
@pytest.mark.parametrize("values", ["-a-a", "a-b-", "--bb", "b-aa"])
def test_every_row_counts_for_its_own_category(categories, values):  # pandas#21151
    rows = [None if value == "-" else value for value in values]
    column = coded([1, 0, 1, 1], {"g": pd.Categorical(rows, list(categories))}).sensitive[0]
    shown = [column.coding.label(int(code)) for code in column.codes]
    assert shown == [row or "(missing)" for row in rows]
    assert column.coding.levels == tuple(level for level in categories if level in rows)


@pytest.mark.parametrize("values", ["-a-a", "--bb"])
def test_every_category_has_the_decisions_of_its_rows(values):  # pandas#21151
    rows = [None if value == "-" else value for value in values]
    found = audited([1, 0, 0, 1], {"g": pd.Categorical(rows, ["b", "a", "c"])}, missing="group")
    for name, counts in selected(found).items():
        own = [d for d, row in zip([1, 0, 0, 1], rows) if (row or "(missing)") == name]
        assert counts == (sum(own), len(own))


def test_groups_of_random_columns_are_those_of_a_dictionary():  # pandas#21151
    rng = np.random.default_rng(0)
    categories = list("abcdef")
    for _ in range(5):
        values = [None if i == 6 else categories[i] for i in rng.integers(0, 7, 40)]
        column = pd.Categorical(values, list(rng.permutation(categories)))
        table = coded([0] * 40, {"g": column})
        coding = table.sensitive[0].coding
        counts = collections.Counter(coding.label(int(code)) for code in table.sensitive[0].codes)
        assert counts == collections.Counter(value or "(missing)" for value in values)


def test_a_category_may_hold_numbers_and_still_be_levels():
    groups = pd.Categorical([3, 1, 2] * 4, [3, 1, 2])
    assert list(selected(audited(DECISIONS, {"code": groups}))) == ["3", "1", "2"]
