"""A small domain whose rows can all be listed, and random rules over it."""

from __future__ import annotations

from itertools import product

import pandas as pd
from hypothesis import strategies as st

from arbitree.rules.conditions import And, Between, Compare, Missing, Not, OneOf, Or
from arbitree.rules.schema import Schema
from arbitree.rules.statements import Fact, Rule
from arbitree.table.frames import columns

CLASSES = ("a", "b", "c")
# Every value that random conditions can tell apart: numbers on and between their limits, levels,
# and a level that is not listed.
VALUES = {"x": [0, 1, 1.5, 2, 3], "level": ["f", "g", "(other)"], "flag": [False, True]}
SCHEMA = Schema.of(
    {
        "x": {"type": "number", "missing": True},
        "level": {"levels": ["f", "g"], "open": True, "missing": True},
        "flag": "boolean",
    },
    CLASSES,
)
ROWS = [
    dict(zip(VALUES, row))
    for row in product([*VALUES["x"], None], [*VALUES["level"], None], VALUES["flag"])
]

COLUMNS = columns(
    pd.DataFrame(ROWS).astype({"x": float, "level": object, "flag": bool}),
    what="X",
    default_name="x",
)

_closed = st.sampled_from(["left", "right", "both", "neither"])
_levels = st.sampled_from(["f", "g"])
_numbers = st.sampled_from([1, 2])
_operators = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
_same = st.sampled_from(["=", "!="])
atoms = st.one_of(
    st.builds(Compare, st.just("x"), _operators, _numbers),
    st.builds(
        Between,
        st.just("x"),
        _numbers,
        _numbers,
        st.sampled_from(["left", "right", "both", "neither"]),
    ),
    st.builds(OneOf, st.just("x"), st.lists(_numbers, min_size=1).map(tuple)),
    st.builds(Compare, st.just("level"), _same, _levels),
    st.builds(OneOf, st.just("level"), st.lists(_levels, min_size=1).map(tuple)),
    st.builds(Compare, st.just("flag"), _same, st.booleans()),
    st.builds(Missing, st.sampled_from(["x", "level", "flag"])),
)


def _joined(inner):
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(st.builds(Not, inner), st.builds(And, several), st.builds(Or, several))


conditions = st.recursive(atoms, _joined, max_leaves=5)
rules = st.builds(
    Rule,
    when=conditions,
    classes=st.lists(st.sampled_from(CLASSES), min_size=1, max_size=2).map(tuple),
    forbidden=st.booleans(),
    missing=st.sampled_from([None, "possible", "certain"]),
)
facts = st.builds(Fact, when=conditions, then=conditions)


@st.composite
def statements(draw, *, most_rules=4, most_facts=2):
    """Some rules and facts, in any order."""
    found = draw(st.lists(rules, max_size=most_rules)) + draw(st.lists(facts, max_size=most_facts))
    return tuple(draw(st.permutations(found)))
