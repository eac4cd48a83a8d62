"""Boxes against the definition, on every row of a small domain."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import RuleError
from arbitree.rules.conditions import And, Compare, Or, atoms
from arbitree.rules.make_space import make_space
from arbitree.rules.normal_form import certain_boxes, possible_boxes, simplified
from arbitree.rules.on_codes import Membership
from arbitree.rules.ruleset import Rules
from arbitree.rules.schema import Schema
from arbitree.rules.space import remainder
from arbitree.table.frames import columns
from tests.oracles import rules as oracle
from tests.rules import domains
from tests.rules.domains import CLASSES, COLUMNS, ROWS, SCHEMA, VALUES


def _codes(space):
    return space.encode(COLUMNS)


def _masks(cells):
    return tuple(1 << cell for cell in cells)


@settings(deadline=None, max_examples=60)
@given(domains.conditions)
def test_boxes_hold_the_rows_of_which_the_condition_is_possibly_or_certainly_true(condition):
    space = make_space(atoms(condition), SCHEMA, None)
    rows = Membership(space, _codes(space))
    for missing, boxes in (("possible", possible_boxes), ("certain", certain_boxes)):
        expected = [oracle.holds(condition, row, VALUES, missing) for row in ROWS]
        assert rows.in_one_of(boxes(condition, space)).tolist() == expected


@settings(deadline=None, max_examples=60)
@given(domains.statements())
def test_what_is_allowed_of_a_row_is_what_no_rule_forbids(statements):
    bound = Rules(statements, SCHEMA).bind()
    codes = np.array(_codes(bound.space)).T
    for row, cells in zip(ROWS, codes.tolist()):
        exists = oracle.can_exist(row, statements, VALUES)
        expected = oracle.allowed(row, statements, VALUES, CLASSES, "possible")
        found = bound.allowed(_masks(cells))
        assert {CLASSES[place] for place in found} == (expected if exists else set(CLASSES))


@settings(deadline=None, max_examples=60)
@given(domains.statements(), st.data())
def test_a_box_allows_what_each_of_its_rows_that_can_exist_allows(statements, data):
    bound = Rules(statements, SCHEMA).bind()
    codes = np.array(_codes(bound.space)).T.tolist()
    masks = tuple(
        sum(1 << c for c in data.draw(st.sets(st.sampled_from(range(axis.n_cells)), min_size=1)))
        & axis.whole
        for axis in bound.space.axes
    )
    inside = [
        row
        for row, cells in zip(ROWS, codes)
        if all(mask >> cell & 1 for mask, cell in zip(masks, cells))
    ]
    real = [row for row in inside if oracle.can_exist(row, statements, VALUES)]
    expected = set(CLASSES)
    for row in real:
        expected &= oracle.allowed(row, statements, VALUES, CLASSES, "possible")
    assert {CLASSES[place] for place in bound.allowed(masks)} == expected
    for rule in bound.rules:
        missing = rule.rule.missing or "possible"
        truths = {oracle.holds(rule.rule.when, row, VALUES, missing) for row in real}
        standing = {frozenset([True]): "entailed", frozenset([True, False]): "undecided"}
        assert bound.standing(masks, rule) == standing.get(frozenset(truths), "refuted")
        cells = bound.witness(masks, rule)
        assert (cells is not None) == (True in truths)
        if cells is not None:
            row = bound.row(cells)
            assert all(mask >> cell & 1 for mask, cell in zip(masks, cells))
            assert oracle.holds(rule.rule.when, row, VALUES, missing)
            assert oracle.can_exist(row, statements, VALUES)


@settings(deadline=None, max_examples=60)
@given(domains.conditions)
def test_the_remainder_and_the_boxes_are_all_rows_and_share_none(condition):
    space = make_space(atoms(condition), SCHEMA, None)
    boxes = possible_boxes(condition, space)
    rest = [space.box(masks) for masks in remainder(space.whole, boxes)]
    rows = Membership(space, _codes(space))
    inside = rows.in_one_of(boxes)
    times = np.sum([rows.in_box(box) for box in rest], axis=0) if rest else np.zeros(len(ROWS))
    assert (times + inside == 1).all()


def test_numbers_are_compared_as_float32_on_both_sides():
    rules = Rules.parse("x < 0.1 => a\nx <= 0.1 => b\nx = 0.3 => c")
    below = np.nextafter(np.float32(0.1), np.float32(0))
    values = [float(below), 0.1, 0.1 - 1e-12, float(np.float32(0.3)), 0.3]
    bound = rules.bind({"x": values})
    rows = Membership(
        bound.space, bound.space.encode(columns({"x": values}, what="X", default_name="x"))
    )
    found = [rows.in_one_of(rule.boxes).tolist() for rule in bound.rules]
    assert found == [
        [True, False, False, False, False],
        [True, True, True, False, False],
        [False, False, False, True, True],
    ]


@pytest.mark.parametrize("number", [0.0, 1e-45, -1e-45, 16777217, -5.5, 1e38])
def test_a_strict_limit_and_its_contrary_part_the_numbers(number):
    bound = Rules.parse(f"x < {number!r} => a\nx >= {number!r} => b").bind({"x": [0.0]})
    (less,), (least,) = (rule.boxes for rule in bound.rules)
    assert less[0] & least[0] == 0
    assert less[0] | least[0] == bound.space.whole[0]
    single = np.float32(number)
    cell = int(np.searchsorted(bound.space.axes[0].edges, single))
    assert least[0] >> cell & 1


def test_whole_numbers_leave_no_room_between_them():
    text = "feature n: integer, from 0 to 5\n2 < n < 3 => a\nn >= 5.5 => b"
    bound = Rules.parse(text).bind()
    assert [bound.touches(bound.space.whole, rule) for rule in bound.rules] == [False, False]


def test_levels_of_numbers_are_the_only_ones_when_they_are_declared():
    bound = Rules.parse("feature n: {1, 2, 4}\n2 < n < 4 => a\nn > 2 => b").bind({"n": [1, 2]})
    assert [bound.touches(bound.space.whole, rule) for rule in bound.rules] == [False, True]
    assert bound.row(bound.witness(bound.space.whole, bound.rules[1])) == {"n": 4}


def test_ordered_levels_are_compared_by_their_order():
    grades = pd.DataFrame(
        {"g": pd.Categorical(["low", "mid"], ["low", "mid", "high"], ordered=True)}
    )
    bound = Rules.parse("g < mid => a\ng >= mid => b").bind(grades)
    assert [rule.boxes[0][0] for rule in bound.rules] == [0b001, 0b110]


def test_dates_and_durations_are_compared_in_the_unit_of_the_data():
    X = pd.DataFrame(
        {
            "day": pd.to_datetime(["2024-04-30", "2024-05-01", None]),
            "wait": pd.to_timedelta(["1h", "36h", "48h"]),
        }
    )
    found = Rules.parse("day < 2024-05-01 => a\nwait > '1.5 days' => a").coverage(X, ["a"] * 3)
    assert found.by_rule["n_matching"].tolist() == [2, 1]  # a missing day could be before it


def test_a_witness_is_a_value_that_the_column_can_hold():
    X = pd.DataFrame({"day": pd.to_datetime(["2024-04-30", "2024-05-01"]), "age": [3, 4]})
    bound = Rules.parse("day >= 2024-05-02 and age < 18 => a").bind(X)
    row = bound.row(bound.witness(bound.space.whole, bound.rules[0]))
    assert row["day"] >= pd.Timestamp("2024-05-02")
    assert row["age"] == 17


def test_boxes_that_differ_on_one_axis_become_one():
    schema = Schema.of({"u": ["p", "q", "r"], "v": ["p", "q"]})
    parts = tuple(And((Compare("u", "=", u), Compare("v", "=", "p"))) for u in ("p", "q", "r"))
    space = make_space(atoms(Or(parts)), schema, None)
    assert possible_boxes(Or(parts), space) == [{1: 0b01}]
    assert simplified([{}, {0: 1}], space) == [{}]


def test_a_condition_that_needs_too_many_boxes_says_so():
    features = {f"f{i}": ["p", "q"] for i in range(40)}
    pairs = tuple(
        Or((Compare(f"f{i}", "=", "p"), Compare(f"f{i + 1}", "=", "p"))) for i in range(0, 40, 2)
    )
    space = make_space((), Schema.of(features), None)
    with pytest.raises(RuleError, match="more than 10,000 boxes"):
        possible_boxes(And(pairs), space)
