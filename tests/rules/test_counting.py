"""Counts of rows against listing them all."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import Rules
from arbitree.rules.axes import CategoryAxis, bits
from arbitree.rules.count_exactly import Outside
from arbitree.rules.counting import count_by_cell, count_rows
from arbitree.rules.space import Space


def _space(n_cells):
    return Space(
        axes=tuple(
            CategoryAxis(name=f"f{i}", levels=tuple(range(n)), whole=(1 << n) - 1)
            for i, n in enumerate(n_cells)
        )
    )


def _listed(masks, unions, sizes):
    """The weight of every combination that is in a box of each union, one by one."""
    found = 0
    for cells in product(*map(bits, masks)):
        inside = [any(all(m >> cells[p] & 1 for p, m in b.items()) for b in u) for u in unions]
        if all(inside):
            weight = 1
            for place, cell in enumerate(cells):
                weight *= sizes[place][cell]
            found += weight
    return found


@st.composite
def problems(draw):
    n_cells = draw(st.lists(st.integers(1, 3), min_size=1, max_size=5))
    masks = tuple(draw(st.integers(1, (1 << n) - 1)) for n in n_cells)

    def box():
        return {
            place: draw(st.integers(1, (1 << n) - 1))
            for place, n in enumerate(n_cells)
            if draw(st.booleans())
        }

    boxes = [box() for _ in range(draw(st.integers(0, 5)))]
    facts = [
        [box() for _ in range(draw(st.integers(1, 2)))] for _ in range(draw(st.integers(0, 2)))
    ]
    sizes = [[draw(st.integers(0, 4)) for _ in range(n + 2)] for n in n_cells]
    return n_cells, masks, boxes, facts, sizes


@settings(deadline=None)
@given(problems())
def test_a_count_is_what_listing_gives(problem):
    n_cells, masks, boxes, facts, sizes = problem
    space = _space(n_cells)
    found = count_rows(space, masks, boxes, facts=facts, sizes=sizes)
    assert found.status == "exact"
    assert found.low == found.value == found.high == _listed(masks, [boxes, *facts], sizes)


@settings(deadline=None)
@given(problems())
def test_counts_by_cell_are_counts_of_the_box_in_that_cell(problem):
    n_cells, masks, boxes, facts, sizes = problem
    found = count_by_cell(_space(n_cells), masks, boxes, 0, facts=facts, sizes=sizes)
    for cell, count in enumerate(found):
        inside = (masks[0] & 1 << cell, *masks[1:])
        expected = _listed(inside, [boxes, *facts], sizes) if inside[0] else 0
        assert count.value == expected


@settings(deadline=None, max_examples=25)
@given(problems(), st.integers(0, 3))
def test_an_estimate_says_so_and_its_bounds_hold(problem, seed):
    n_cells, masks, boxes, facts, sizes = problem
    found = count_rows(
        _space(n_cells), masks, boxes, facts=facts, sizes=sizes, most_states=-1, random_state=seed
    )
    truth = _listed(masks, [boxes, *facts], sizes)
    assert found.low <= truth <= found.high
    assert found.status == "exact" or found.low <= found.value <= found.high


def test_numbers_beyond_every_machine_integer_are_exact():
    n_axes, n_levels = 60, 40
    space = _space([n_levels] * n_axes)
    boxes = [{place: 1} for place in range(n_axes)]
    found = count_rows(space, space.whole, boxes)
    assert found.value == n_levels**n_axes - (n_levels - 1) ** n_axes
    assert found.status == "exact"


def test_a_random_union_of_many_conjunctions_is_within_its_estimate():
    rng = np.random.default_rng(0)
    space = _space([6] * 22)
    boxes = [
        {int(p): 1 << int(rng.integers(6)) for p in rng.choice(22, 5, replace=False)}
        for _ in range(40)
    ]
    exact = count_rows(space, space.whole, boxes)
    guess = count_rows(space, space.whole, boxes, most_states=10)
    assert (exact.status, guess.status) == ("exact", "estimated")
    assert guess.low <= exact.value <= guess.high
    assert guess.high - guess.low <= 0.03 * exact.value
    assert guess == count_rows(space, space.whole, boxes, most_states=10)


MUSHROOM = """
feature cap-shape: {bell, flat}
feature cap-color: {white, yellow}
feature gill-color: {green, black}
cap-shape = bell and gill-color = green => poisonous
"""


def test_the_papers_rule_has_two_models_and_none_under_the_fact():
    bound = Rules.parse(MUSHROOM).bind()
    rule = bound.rules[0]
    assert count_rows(bound.space, bound.space.whole, rule.boxes).value == 2
    more = MUSHROOM.replace("yellow}", "yellow, pink}")
    bound = Rules.parse(f"{more}gill-color = green => cap-color = pink\n").bind()
    white_or_yellow = bound.space.masks({bound.space.place("cap-color"): 0b011})
    facts = [fact.boxes for fact in bound.facts]
    boxes = bound.rules[0].boxes
    assert count_rows(bound.space, white_or_yellow, boxes).value == 2
    assert count_rows(bound.space, white_or_yellow, boxes, facts=facts).value == 0
    assert count_rows(bound.space, bound.space.whole, boxes, facts=facts).value == 1


def test_counts_of_rows_are_probabilities_when_divided():
    space = _space([2, 2])
    sizes = [[3, 1, 0, 0], [1, 4, 0, 0]]
    found = count_rows(space, space.whole, [{0: 1, 1: 1}], sizes=sizes)
    assert Fraction(found.value, 4 * 5) == Fraction(3, 4) * Fraction(1, 5)


@pytest.mark.parametrize("boxes", [[], [{0: 0}]])
def test_nothing_is_in_no_box(boxes):
    space = _space([2])
    assert count_rows(space, space.whole, boxes).value == 0
    assert Outside(space.whole, [[1, 1, 0, 0]]).count(boxes) == 2
