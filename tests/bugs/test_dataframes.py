"""Failures reported of other tools: frames of every library, and their names."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import arbitree as ar

from .audits import DECISIONS, LABELS, RACE, SEX, audited, coded, numbers

DATA = {"ok": DECISIONS, "repaid": LABELS, "sex": SEX, "race": RACE, "weight": [1.0, 2.0] * 6}
FRAMES = {
    "pandas": pd.DataFrame,
    "pandas on Arrow": lambda data: pd.DataFrame(data).convert_dtypes(dtype_backend="pyarrow"),
    "Polars": pl.DataFrame,
    "PyArrow": pa.table,
    "dictionary": dict,
}


def select(frame: object, names: list[str]) -> object:
    if isinstance(frame, dict):
        return {name: frame[name] for name in names}
    return frame.select(names) if hasattr(frame, "select") else frame[names]


@cache
def measured(make: Callable[[dict], object]) -> ar.Audit:
    frame = make(DATA)
    return audited(
        select(frame, ["ok"]),
        select(frame, ["sex"]),
        control_features=select(frame, ["race"]),
        y_true=select(frame, ["repaid"]),
        sample_weight=select(frame, ["weight"]),
    )


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_an_audit_is_the_same_whatever_library_holds_the_data(make):  # DALEX#575
    found = measured(make)
    assert numbers(found) == numbers(measured(pd.DataFrame))
    assert found.favorable == "favourable: ok = 1 (assumed)"


@pytest.mark.parametrize(
    "decisions", FRAMES.values(), ids=[f"decisions: {name}" for name in FRAMES]
)
@pytest.mark.parametrize("groups", FRAMES.values(), ids=[f"groups: {name}" for name in FRAMES])
def test_libraries_may_be_mixed(decisions, groups):  # fairlearn#1522
    table = coded(select(decisions(DATA), ["ok"]), select(groups(DATA), ["sex", "race"]))
    assert table.decisions.codes.tolist() == DECISIONS
    assert [column.name for column in table.sensitive] == ["sex", "race"]
    assert table.sensitive[1].codes.tolist() == ["abc".index(race) for race in RACE]


NAMED = {
    "pandas series": pd.Series(SEX, name="sex"),
    "pandas frame": pd.DataFrame({"sex": SEX}),
    "pandas index": pd.Index(SEX, name="sex").to_series(index=range(12)),
    "Polars series": pl.Series("sex", SEX),
    "Polars frame": pl.DataFrame({"sex": SEX}),
    "Polars lazy frame": pl.LazyFrame({"sex": SEX}),
    "Polars categorical": pl.Series("sex", SEX, dtype=pl.Categorical),
    "PyArrow table": pa.table({"sex": SEX}),
    "PyArrow batch": pa.RecordBatch.from_pydict({"sex": SEX}),
    "dictionary": {"sex": SEX},
    "list of series": [pl.Series("sex", SEX)],
}


@pytest.mark.parametrize("groups", NAMED.values(), ids=NAMED)
def test_names_are_kept_in_every_library(groups):  # fairlearn 0.15: sensitive_feature_0
    table = coded(sensitive_features=groups, control_features=groups)
    assert [column.name for column in (*table.sensitive, *table.control)] == ["sex", "sex"]


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_an_audit_leaves_the_frame_as_it_is(make):
    frame, before = make(DATA), make(DATA)
    coded(select(frame, ["ok"]), select(frame, ["sex", "race"]))
    assert frame == before if isinstance(frame, dict) else frame.equals(before)
