"""Python, SQL, rules and text: what they say, what they refuse, and where they stop."""

from __future__ import annotations

import datetime as dt
import sqlite3
from dataclasses import replace
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree import TreeClassifier
from arbitree._errors import InputError
from arbitree.model.route import leaves
from arbitree.model.tree import Feature, Tree
from arbitree.table.bins import Bins
from arbitree.table.codings import CategoryCoding
from arbitree.table.frames import columns
from arbitree.tree.export.exact_bounds import largest_float64, last_microsecond
from arbitree.tree.export.python_source import python_source
from arbitree.tree.export.rules_text import rules_text
from arbitree.tree.export.sql_source import sql_source
from arbitree.tree.export.text_tree import text_tree

from ...model.trees import small_tree
from .formats import by_duckdb, by_python, by_rules, by_sqlite

FLOAT32 = st.floats(width=32, allow_nan=False)


@given(FLOAT32, st.floats(allow_nan=False))
def test_the_largest_float64_is_exactly_where_rounding_changes_sides(threshold, value):
    bound = largest_float64(threshold)
    with np.errstate(over="ignore"):
        for x in (value, bound, np.nextafter(bound, np.inf), np.nextafter(bound, -np.inf)):
            assert (x <= bound) == (np.float64(x).astype(np.float32) <= np.float32(threshold))


@given(
    st.datetimes(dt.datetime(1970, 1, 1), dt.datetime(2100, 1, 1)),
    st.sampled_from(["days since 1970-01-01", "minutes since 2024-05-01"]),
)
def test_the_last_microsecond_is_where_the_coding_changes_sides(moment, unit):
    from arbitree.table.edges import to_float32
    from arbitree.table.units import in_unit

    at = np.array([(moment - dt.datetime(1970, 1, 1)) // dt.timedelta(microseconds=1)])
    threshold = to_float32(in_unit(at, unit))[0][0]
    last = last_microsecond(threshold, unit)
    sides = to_float32(in_unit(np.array([last, last + 1]), unit))[0] <= threshold
    assert sides.tolist() == [True, False]


@pytest.mark.parametrize(
    "levels",
    [
        [1, 2, 3],
        [0.5, 1.5, -2.5],
        [Decimal("1.10"), Decimal("2.2"), Decimal("3")],
        [dt.date(2024, 5, 1), dt.date(2024, 5, 2), dt.date(2024, 5, 3)],
    ],
)
def test_levels_of_other_types_are_written_as_such(levels):
    X = pd.DataFrame({"x": pd.Categorical(levels * 2), "k": ["k"] * 6})
    tree = TreeClassifier(split="multiway").fit(X, [0, 1, 2] * 2)
    assert tree.get_n_leaves() == 3
    assert by_python(tree, X) == tree.predict(X).tolist()
    if not isinstance(levels[0], dt.date):
        assert by_duckdb(tree, X.astype({"x": object})) == tree.predict(X).tolist()


@pytest.mark.parametrize("dtype", ["datetime64[ns]", "datetime64[us]", "datetime64[ns, UTC]"])
def test_moments_on_the_threshold_are_decided_alike(dtype):
    times = pd.to_datetime(["2024-05-01 10:00", "2024-05-01 10:30", "2024-05-02 00:00"])
    zone = "UTC" if "UTC" in dtype else None
    X = pd.DataFrame({"t": times.tz_localize(zone).astype(dtype)})
    tree = TreeClassifier().fit(X, ["a", "b", "c"])
    near = pd.date_range("2024-05-01 09:59", "2024-05-02 00:01", freq="min", tz=zone)
    asked = pd.DataFrame({"t": near.astype(dtype)})
    expected = tree.predict(asked).tolist()
    assert set(expected) == {"a", "b", "c"}
    assert by_python(tree, asked) == expected
    assert by_duckdb(tree, asked) == expected


def test_dates_in_sql_are_texts_that_sqlite_and_duckdb_both_compare():
    days = pd.Series([dt.date(2024, 5, 1), dt.date(2024, 5, 3), None])
    tree = TreeClassifier().fit(pd.DataFrame({"day": days}), ["a", "b", "b"])
    asked = [dt.date(2024, 5, day) for day in range(1, 5)]
    expected = tree.predict(pd.DataFrame({"day": asked})).tolist()
    texts = pd.DataFrame({"day": [day.isoformat() for day in asked]}, dtype=object)
    assert by_sqlite(tree, texts) == expected
    found = duckdb.sql(
        f"SELECT {tree.to_sql()} FROM (SELECT unnest({texts['day'].tolist()})::DATE AS day)"
    )
    assert [row[0] for row in found.fetchall()] == expected


def test_durations_are_written_in_python_and_refused_in_sql():
    X = pd.DataFrame({"wait": pd.to_timedelta([1, 2, 30, None], unit="h")})
    tree = TreeClassifier().fit(X, ["short", "short", "long", "none"])
    assert by_python(tree, X) == tree.predict(X).tolist()
    assert '<= "16 hours"' in tree.export_text()
    with pytest.raises(InputError, match="durations in 'wait'"):
        tree.to_sql()


def test_sql_may_be_given_for_a_feature():
    X = pd.DataFrame({"age": [20.0, 60.0], "k": [1, 1]})
    tree = TreeClassifier().fit(X, [0, 1])
    assert 't."age" > 40.0' in tree.to_sql(columns={"age": 't."age"'})
    with pytest.raises(InputError, match=r"columns names 'agee'\. Did you mean 'age'"):
        tree.to_sql(columns={"agee": "x"})


def test_two_features_with_one_name_in_sql_are_refused():
    age, job = small_tree().features
    tree = small_tree(features=(replace(age, name=1), replace(job, name="1")))
    with pytest.raises(InputError, match='two features are written "1" in SQL'):
        sql_source(tree)
    assert "one > 40" in sql_source(tree, columns={1: "one"})


def test_whole_numbers_have_short_thresholds_in_sql_and_others_exact_ones():
    whole = TreeClassifier().fit(pd.DataFrame({"n": [1, 2]}), [0, 1])
    assert '"n" > 1.5e0' in whole.to_sql()
    other = TreeClassifier().fit(pd.DataFrame({"n": [1.0, 2.0]}), [0, 1])
    assert '"n" > 1.5000000596046448e0' in other.to_sql()


def test_classes_of_several_types_are_texts_in_sql():
    days = (dt.date(2024, 5, 1), dt.date(2024, 5, 2))
    assert "ELSE '2024-05-02'" in sql_source(small_tree(classes=days))
    assert "ELSE '''1'''" in sql_source(small_tree(classes=(1, "1")))


def test_what_cannot_be_written_is_refused_with_its_name():
    interval = CategoryCoding(levels=tuple(pd.interval_range(0, 3, periods=3)))
    tree = small_tree(features=(small_tree().features[0], Feature(name="band", coding=interval)))
    for write in (python_source, sql_source):
        with pytest.raises(InputError, match="type Interval"):
            write(tree)
    ranges = CategoryCoding(levels=("a", "b", "c"), bins=Bins.__new__(Bins))
    tree = small_tree(features=(small_tree().features[0], Feature(name="band", coding=ranges)))
    for write in (python_source, sql_source):
        with pytest.raises(InputError, match="'band' are ranges of a number"):
            write(tree)


def chain(depth: int) -> Tree:
    """A tree whose every second child is split again."""
    small = small_tree()
    n = 2 * depth + 1
    inner = np.arange(n) % 2 == 0
    inner[-1] = False
    child = np.column_stack([np.arange(1, n, 2), np.arange(2, n, 2)]).ravel()
    return Tree(
        features=small.features,
        classes=small.classes,
        feature=np.where(inner, 0, -1),
        threshold=np.where(inner, np.arange(n), np.nan),
        child_start=np.concatenate([[0], np.cumsum(np.where(inner, 2, 0))]),
        child=child,
        route_start=np.concatenate([[0], np.cumsum(inner)]),
        route=np.zeros(depth),
        label=np.arange(n) % 2,
        n=np.ones(n),
        weight=np.ones((n, 2)),
    )


@pytest.mark.parametrize("depth", [90, 900])
def test_trees_of_any_depth_are_written_in_every_format(depth):
    tree = chain(depth)
    ages = [float(age) for age in range(-1, 2 * depth + 2, 7)]
    names: dict = {}
    exec(python_source(tree), names)
    found = [names["predict"]({"age": age}) for age in ages]
    assert found == [tree.classes[label] for label in decided(tree, ages)]
    source = f"SELECT {sql_source(tree)} FROM (SELECT CAST(? AS REAL) AS age)"
    with sqlite3.connect(":memory:") as connection:
        assert [connection.execute(source, [age]).fetchone()[0] for age in ages] == found
    connection.close()
    with duckdb.connect() as other:
        assert [other.execute(source, [age]).fetchall()[0][0] for age in ages[:5]] == found[:5]
    assert rules_text(tree).count("=>") == text_tree(tree).count("class:") == depth + 1


def decided(tree: Tree, ages: list[float]) -> list[int]:
    frame = {"age": ages, "job": [None] * len(ages)}
    return tree.label[leaves(tree, columns(frame, what="X", default_name="x"))].tolist()


def test_full_trees_nest_no_deeper_than_the_logarithm_of_their_leaves():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(1500, 3)), columns=["a", "b", "c"])
    y = rng.integers(0, 2, 1500)
    tree = TreeClassifier().fit(X, y)
    assert tree.get_depth() > 12
    deepest = max(len(line) - len(line.lstrip()) for line in tree.to_sql().splitlines()) // 2
    assert deepest <= 1 + np.log2(tree.get_n_leaves())
    assert by_sqlite(tree, X) == by_python(tree, X) == tree.predict(X).tolist() == y.tolist()


def test_python_source_refuses_texts_where_numbers_are_compared():
    tree = TreeClassifier().fit(pd.DataFrame({"age": [1.0, 2.0]}), [0, 1])
    names: dict = {}
    exec(tree.to_python(), names)
    with pytest.raises(TypeError, match="is a text, where a number"):
        names["predict"]({"age": "1.0"})
    assert names["predict"]({"age": pd.NA}) == names["predict"]({"age": None})


def test_text_shows_conditions_classes_and_shares_down_to_a_depth():
    X = pd.DataFrame({"age": [20.0, 30.0, 60.0, 70.0], "job": ["a", "b", "a", "b"]})
    tree = TreeClassifier().fit(X, ["no", "yes", "no", "no"])
    assert tree.export_text(max_depth=1, decimals=1) == (
        "|--- age <= 45 or missing\n"
        "|   |--- ... 2 leaves\n"
        "|--- age > 45\n"
        "|   |--- class: no (n = 2, no 1.0, yes 0.0)\n"
    )
    for wrong in ({"max_depth": -1}, {"decimals": 1.5}):
        with pytest.raises(InputError, match="Pass a whole number"):
            tree.export_text(**wrong)


def test_rules_merge_the_tests_of_a_path():
    X = pd.DataFrame({"x": np.arange(6.0), "job": list("abcabc")})
    tree = TreeClassifier().fit(X, [0, 0, 1, 1, 0, 0])
    rules = [line for line in tree.to_rules().splitlines() if line.endswith("=> 1")]
    assert rules == ["(1.5 < x <= 3.5 or missing(x)) => 1"]
    assert by_rules(tree, X) == ["0", "0", "1", "1", "0", "0"]


def test_an_unfitted_tree_cannot_be_exported():
    for name in ("to_sklearn", "to_onnx", "to_rules", "export_text", "to_python", "to_sql"):
        with pytest.raises(ValueError, match="not fitted"):
            getattr(TreeClassifier(), name)()
