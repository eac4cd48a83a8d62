"""The paper's rules on its data sets, where the answers can be listed or are known."""

from __future__ import annotations

from itertools import product

import pandas as pd
import pytest

from arbitree import Rules
from arbitree.rules.counting import cell_sizes, count_rows
from arbitree.rules.on_codes import Membership
from arbitree.table.frames import columns

LINES = ["top", "middle", "bottom"]
BOARD = [f"{row}-{column}-square" for row in LINES for column in ("left", "middle", "right")]


def _read(folder, name):
    return pd.read_csv(folder / name, dtype=str, keep_default_na=False)


@pytest.fixture(scope="module")
def nursery(shared_data) -> pd.DataFrame:
    return _read(shared_data, "nursery.csv.gz")


@pytest.mark.parametrize(
    "rule",
    [
        "health = not_recom => not_recom",
        "health = not_recom => not very_recom",
        "parents = usual or form in {foster, completed} and children != more => not not_recom",
        "not (has_nurs = proper and social = problematic) or finance = inconv => {priority}",
    ],
)
def test_counts_are_rows_of_nursery_which_has_every_combination_once(nursery, rule):
    X, y = nursery.drop(columns="class"), nursery["class"]
    rules = Rules.parse(rule)
    bound = rules.bind(X, classes=y)
    found = count_rows(bound.space, bound.space.whole, bound.rules[0].boxes)
    assert found.value == rules.coverage(X, y).by_rule.loc[0, "n_matching"]


def test_every_board_of_tic_tac_toe_is_counted_once():
    threes = [[f"{row}-{c}-square" for c in ("left", "middle", "right")] for row in LINES]
    threes += [[f"{row}-{c}-square" for row in LINES] for c in ("left", "middle", "right")]
    text = " or ".join(f"({' and '.join(f'{s} = o' for s in line)})" for line in threes)
    schema = "".join(f"feature {name}: {{x, o, b}}\n" for name in BOARD)
    bound = Rules.parse(f"{schema}{text} => negative").bind()
    boards = pd.DataFrame(product("xob", repeat=9), columns=BOARD)
    rows = Membership(bound.space, bound.space.encode(columns(boards, what="X", default_name="x")))
    wins = [
        any(all(board[s] == "o" for s in line) for line in threes)
        for board in boards.to_dict("records")
    ]
    assert rows.in_one_of(bound.rules[0].boxes).tolist() == wins
    assert count_rows(bound.space, bound.space.whole, bound.rules[0].boxes).value == sum(wins)


def test_mushrooms_green_gills_are_the_code_r(shared_data):
    frame = _read(shared_data, "mushroom.csv.gz")
    X, y = frame.drop(columns="class"), frame["class"]
    rules = Rules.parse(
        """
        feature stalk-color-below-ring: {g, ...}
        cap-shape = b and gill-color = g => p                            [id: read-as-g]
        cap-shape = b and gill-color = r => p                            [id: green]
        stalk-color-above-ring = b and stalk-color-below-ring = g => p   [id: second]
        """
    )
    found = rules.coverage(X, y).by_rule.set_index("rule")
    assert found["n_matching"].to_dict() == {"read-as-g": 108, "green": 12, "second": 0}
    assert found["n_overruled"].to_dict() == {"read-as-g": 96, "green": 0, "second": 0}
    assert found.loc["second", "status"] == "never exercised"


def test_models_of_the_mushroom_rule_outnumber_the_rows_by_nine_orders(shared_data):
    X = _read(shared_data, "mushroom.csv.gz").drop(columns="class")
    bound = Rules.parse("cap-shape = b and gill-color = r => p").bind(X)
    found = count_rows(bound.space, bound.space.whole, bound.rules[0].boxes)
    assert found.status == "exact"
    expected = 1
    for name in X.columns.drop(["cap-shape", "gill-color"]):
        expected *= X[name].nunique()
    assert found.value == expected > 10**12
    assert sum(map(sum, cell_sizes(bound.space))) == X.nunique().sum()
