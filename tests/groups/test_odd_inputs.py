"""Odd values are audited or refused in words; no other error leaves."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import arbitree as ar
from arbitree._errors import ArbitreeError

VALUES: dict[str, Any] = {
    "halves of surrogate pairs": ["\ud800", "caf\udce9"],
    "texts with NUL": ["a\0", "a"],
    "decimals": [Decimal("0.1"), Decimal("1e400")],
    "signalling decimals": [Decimal("sNaN"), Decimal(1)],
    "fractions": [Fraction(1, 3), Fraction(2, 3)],
    "huge integers": [10**400, 1],
    "integers too long to write": [10**5000, 1],
    "integers and floats": [2**53 + 1, 0.5],
    "infinite floats": [float("inf"), 1.0],
    "moments with and without a zone": [dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.datetime.min],
    "first and last day": [dt.date.min, dt.date.max],
    "clock times": [dt.time.min, dt.time.max],
    "durations": [dt.timedelta.min, dt.timedelta.max],
    "sets": [{1}, {2}],
    "dictionaries": [{}, {"a": 1}],
    "arrays": [np.array([1]), np.array([1, 2])],
    "objects": [object(), object],
    "bytes": [b"a", b"\xff"],
    "complex numbers": [1j, 2],
    "intervals": [pd.Interval(0, 2), pd.Interval(1, 3)],
    "128 bits": pl.Series([2**100, 1], dtype=pl.Int128),
    "days of Polars": pl.Series([2**31 - 1, 1], dtype=pl.Int32).cast(pl.Date),
    "milliseconds of Polars": pl.Series([2**62, 1]).cast(pl.Datetime("ms")),
    "milliseconds between, of Polars": pl.Series([2**62, 1]).cast(pl.Duration("ms")),
    "nanoseconds of Polars": pl.Series([2, 1]).cast(pl.Datetime("ns")),
    "clock times of Polars": pl.Series([2, 1]).cast(pl.Time),
    "arrays of Polars": pl.Series([[1], [2]], dtype=pl.Array(pl.Int8, 1)),
    "objects of Polars": pl.Series([{}, []], dtype=pl.Object),
    "seconds": pa.array([2**60, 1], pa.timestamp("s")),
    "seconds between": pa.array([2**60, 1], pa.duration("s")),
    "a zone that is not": pa.array([1, 2], pa.timestamp("s", "Mars/Olympus")),
    "texts that are not UTF-8": pa.array([b"\xff", b"a"]).view(pa.string()),
    "a union": pa.UnionArray.from_sparse(pa.array([0, 0], pa.int8()), [pa.array([1, 2])]),
    "a map": pa.array([[("a", 1)], []], pa.map_(pa.string(), pa.int8())),
    "UUIDs": pa.array([b"a" * 16, b"b" * 16], pa.uuid()),
    "runs": pa.RunEndEncodedArray.from_arrays([1, 2], ["a", "b"]),
    "calendar intervals": pa.array([(1, 2, 3), (1, 2, 4)], pa.month_day_nano_interval()),
    "long decimals": pa.array([Decimal(1), Decimal(2)], pa.decimal256(60, 1)),
    "half floats": pa.array(np.array([1, 0], dtype=np.float16)),
    "void": np.array([b"a", b"b"], dtype="V1"),
    "records": np.array([(1, 2), (3, 4)], dtype=[("a", int), ("b", int)]),
    "years": np.array([10**6, 2], dtype="M8[Y]"),
    "durations without a unit": np.array([1, 2], dtype="m8"),
    "periods": pd.Series(pd.PeriodIndex.from_ordinals([10**7, 1], freq="Y")),
    "lists in Arrow": pd.Series([[1], [2]], dtype=pd.ArrowDtype(pa.list_(pa.int8()))),
    "categories of decimals": pd.Series([Decimal(1), Decimal("1.5")]).astype("category"),
}
PLAIN = {"decisions": [1, 0], "sensitive_features": ["f", "m"]}
ROLES: dict[str, dict[str, Any]] = {
    "decisions": {},
    "decisions by label": {"favorable_label": 1},
    "decisions by threshold": {"score_threshold": 0.5},
    "sensitive_features": {},
    "sensitive_features with bins": {"bins": {"sensitive_feature_0": [1]}},
    "control_features": {},
    "y_true": {},
    "sample_weight": {},
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
def test_odd_values_are_audited_or_refused_in_words(values, role):
    given = {**PLAIN, **ROLES[role], role.split()[0]: values}
    try:
        audit = ar.audit(given.pop("decisions"), **given)
    except ArbitreeError as error:
        str(error).encode()
        return
    for written in (audit.to_json(), audit.to_markdown(), audit.to_html(), repr(audit)):
        written.encode()


def test_half_a_surrogate_pair_is_written_out_in_every_format():
    audit = ar.audit([1, 0, 1, 0], sensitive_features=["caf\udce9", "b"] * 2)
    assert audit.by_group["group"].tolist() == ["b", "caf\\udce9"]
    assert "udce9" in audit.to_markdown()
