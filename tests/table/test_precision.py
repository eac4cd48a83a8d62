"""Numbers that float32 squeezes into a few are told, from frames and from files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree.table.code import code_features
from arbitree.table.frames import columns

ROWS = 300
BASE = np.random.default_rng(0).normal(size=ROWS)
SQUEEZED = {
    "far from 0": BASE + 1e9,
    "many and far": np.arange(ROWS) * 0.25 + 3e8,
    "whole and far": (np.arange(ROWS) + 16_000_000_001).astype(float),
    "tiny": BASE * 1e-50,
    "two": np.where(BASE > 0, 1e9 + 0.5, 1e9 + 2.5),
}
KEPT = {
    "plain": BASE,
    "counts": np.arange(ROWS) + 16_776_000.0,
    "one value": np.full(ROWS, 1e9 + 0.1),
    "exact": np.arange(ROWS) * 1024 + 2.0**33,
    "with infinity": np.where(BASE > 2, np.inf, BASE),
    "missing": np.full(ROWS, np.nan),
}


def told_of_frame(values: np.ndarray) -> bool:
    given = columns(pd.DataFrame({"x": values}), what="X", default_name="x")
    return any("so near" in sentence for sentence in code_features(given, max_bins=255)[1])


def told_of_file(values: np.ndarray, path: Path) -> bool:
    frame = pd.DataFrame({"x": values, "sex": ["f", "m"] * (ROWS // 2), "ok": [1, 0, 0] * 100})
    frame.to_csv(path, index=False)
    table = ar.read(path, decision="ok", sensitive="sex", features=["x"])
    return any("so near" in sentence for sentence in table.notices)


@pytest.mark.parametrize("name", SQUEEZED)
def test_squeezed_numbers_are_told(name, tmp_path):
    assert told_of_frame(SQUEEZED[name])
    assert told_of_file(SQUEEZED[name], tmp_path / "a.csv")


@pytest.mark.parametrize("name", KEPT)
def test_other_numbers_are_not(name, tmp_path):
    assert not told_of_frame(KEPT[name])
    assert not told_of_file(KEPT[name], tmp_path / "a.csv")


def test_many_squeezed_numbers_of_a_frame_are_told():
    assert told_of_frame(np.random.default_rng(1).normal(size=70_000) * 1e4 + 1e13)
