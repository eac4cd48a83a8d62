"""The lending generator against the truth that it states."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri

from arbitree._errors import InputError
from arbitree.datasets import applicants as population
from arbitree.datasets import make_lending


def _observed(frame: pd.DataFrame) -> pd.DataFrame:
    """Numerators and denominators of each rate in a group of rows, counted."""
    approved, repaid = frame.approved == "yes", frame.repaid == "yes"
    pairs = {
        "selection_rate": (approved, slice(None)),
        "base_rate": (repaid, slice(None)),
        "true_positive_rate": (approved, repaid),
        "false_positive_rate": (approved, ~repaid),
        "positive_predictive_value": (repaid, approved),
        "negative_predictive_value": (~repaid, ~approved),
        "accuracy": (approved == repaid, slice(None)),
    }
    return pd.DataFrame(
        {name: [event[given].sum(), event[given].size] for name, (event, given) in pairs.items()},
        index=["k", "n"],
    )


def _groups(frame: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    known = frame.dropna(subset=["race"])
    both = known.sex + " x " + known.race
    groups = {("sex", sex): rows for sex, rows in frame.groupby("sex")}
    groups |= {("race", race): rows for race, rows in known.groupby("race")}
    return groups | {("sex x race", pair): rows for pair, rows in known.groupby(both)}


@pytest.mark.parametrize("decided", ["drawn", "points"])
def test_a_large_draw_has_the_rates_of_the_stated_truth(decided):
    loans = make_lending(400_000, decided=decided, random_state=1)
    groups = _groups(loans.frame)
    assert len(groups) == len(loans.truth) == 17
    z = []
    for row in loans.truth.to_dict("records"):
        observed = _observed(groups[row["grouping"], row["group"]])
        for name, (k, n) in observed.items():
            p = row[name]
            z.append((k - n * p) / np.sqrt(n * p * (1 - p)))
    # 119 standard normal values; the bound is passed by chance once in 10,000 draws.
    assert np.abs(z).max() < -ndtri(1e-4 / (2 * len(z)))
    assert 0.7 < np.std(z) < 1.4  # rates of crossed groups depend on those of single ones


def test_the_truth_is_a_distribution_over_groups():
    truth = make_lending(10).truth
    assert truth.groupby("grouping").share.sum().round(12).eq(1).all()
    for grouping, rows in truth.groupby("grouping"):
        overall = (rows.share * rows.selection_rate).sum()
        assert overall == pytest.approx(0.5712, abs=5e-5), grouping


def test_the_bands_of_a_group_sum_to_one():
    for sex in range(2):
        for race in range(5):
            assert population.band_shares(sex, race).sum() == pytest.approx(1, abs=1e-12)
            assert population.outcome_shares(sex, race).sum() == pytest.approx(1, abs=1e-12)


def test_a_scorecard_decides_alike_for_people_of_the_same_bands():
    frame = make_lending(20_000, decided="points").frame
    bands = {
        name: np.searchsorted(edges, frame[name], side="right")
        for name, edges in population.EDGES.items()
    }
    decided = frame.assign(**bands).groupby([*bands, "education"])["approved"].nunique()
    assert decided.max() == 1
    drawn = make_lending(20_000).frame
    pd.testing.assert_frame_equal(frame.drop(columns="approved"), drawn.drop(columns="approved"))


def test_bands_are_drawn_as_often_as_their_shares_say():
    frame = make_lending(300_000, unknown_race=0.0, random_state=2).frame
    rows = frame[(frame.sex == "Female") & (frame.race == "White")]
    shares = population.band_shares(0, 4)
    for axis, name in enumerate(population.BANDED[:-1]):
        bands = np.searchsorted(population.EDGES[name], rows[name], side="right")
        drawn = np.bincount(bands, minlength=shares.shape[axis]) / len(rows)
        others = tuple(other for other in range(5) if other != axis)
        np.testing.assert_allclose(drawn, shares.sum(axis=others), atol=0.008)


def test_race_is_unknown_as_often_as_asked_and_else_complete():
    frame = make_lending(50_000, unknown_race=0.1).frame
    missing = frame.isna().sum()
    assert missing.drop("race").eq(0).all()
    assert 4_700 < missing.race < 5_300
    assert make_lending(1_000, unknown_race=0.0).frame.notna().all(axis=None)


def test_a_single_application_can_be_drawn():
    outcomes = {make_lending(1, random_state=seed).frame.approved[0] for seed in range(20)}
    assert outcomes == {"no", "yes"}


@given(seed=st.integers(0, 2**32 - 1))
def test_the_same_seed_gives_the_same_rows(seed):
    pd.testing.assert_frame_equal(
        make_lending(20, random_state=seed).frame,
        make_lending(20, random_state=np.random.default_rng(seed)).frame,
    )


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        ({"n_rows": 0}, "n_rows is 0; pass a positive number"),
        ({"unknown_race": 1.0}, "unknown_race is 1.0; pass a probability"),
        ({"unknown_race": -0.1}, "unknown_race is -0.1"),
        ({"decided": "point"}, "decided is 'point'. Did you mean 'points'?"),
    ],
)
def test_errors_say_what_to_pass(arguments, advice):
    with pytest.raises(InputError, match=advice):
        make_lending(**arguments)


def test_a_negative_seed_is_refused_in_words():
    with pytest.raises(InputError, match="at least 0"):
        make_lending(10, random_state=-1)
