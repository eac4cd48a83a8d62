"""Failures reported of other tools: work and memory that grow where they need not.

Nothing is timed here: what is counted is passes, rows held, groups held and numbers drawn.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree.counts.cells import Cells, count_cells
from arbitree.groups import audit as auditing
from arbitree.groups import gaps
from arbitree.report.html import html_page
from arbitree.table import csv_file

from .audits import DECISIONS, SEX, audited, coded

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def people(n_rows: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {name: rng.integers(0, k, n_rows) for name, k in (("sex", 2), ("race", 8), ("age", 7))}


@pytest.mark.parametrize("n_rows", [2, 20, 20_000])
def test_small_data_start_no_thread_and_no_process(n_rows, monkeypatch):  # interpret#515
    started = []
    monkeypatch.setattr(threading.Thread, "start", lambda self: started.append(self))
    audited([0, 1] * (n_rows // 2), {"sex": ["f", "m"] * (n_rows // 2)})
    assert not started


@pytest.mark.parametrize("columns", [2, 200])
def test_only_columns_that_were_asked_for_are_read(columns, tmp_path, monkeypatch):
    # responsible-ai-toolbox#826
    frame = pd.DataFrame(
        {"sex": SEX, "ok": DECISIONS} | {f"x{i}": range(12) for i in range(columns)}
    )
    frame.to_csv(tmp_path / "a.csv", index=False)
    read: list[str] = []
    batches = csv_file.CsvFile.batches
    monkeypatch.setattr(
        csv_file.CsvFile,
        "batches",
        lambda self, names: (read.extend(names), batches(self, names))[1],
    )
    table = ar.read(tmp_path / "a.csv", decision="ok", sensitive="sex")
    assert sorted(read) == ["ok", "sex"]
    assert not table.features


@pytest.mark.parametrize("way", ["JSON", "page"])
def test_the_size_of_a_result_does_not_depend_on_the_number_of_rows(way):
    # responsible-ai-toolbox#826
    written = ar.Audit.to_json if way == "JSON" else html_page
    few, many = (
        written(audited([0, 1, 1] * n, {"sex": ["f", "m", "m"] * n})) for n in (10, 20_000)
    )
    assert len(many) < 1.2 * len(few)


@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_a_file_is_read_in_batches_and_gives_the_same_counts(batch, tmp_path, monkeypatch):
    # fairlearn#655
    monkeypatch.setattr(csv_file, "_MOST_ROWS", batch)
    largest = []
    reader = csv_file.CsvFile._reader

    def watched(self, lines, columns):
        for frame in reader(self, lines, columns):
            largest.append(len(frame))
            yield frame

    monkeypatch.setattr(csv_file.CsvFile, "_reader", watched)
    frame = pd.DataFrame({"sex": SEX * 10, "ok": DECISIONS * 10})
    frame.to_csv(tmp_path / "a.csv", index=False)
    table = ar.read(tmp_path / "a.csv", decision="ok", sensitive="sex")
    assert max(largest) <= batch
    assert sum(largest) == 120
    whole = coded(DECISIONS * 10, {"sex": SEX * 10})
    assert table.decisions.codes.tolist() == whole.decisions.codes.tolist()
    assert table.sensitive[0].codes.tolist() == whole.sensitive[0].codes.tolist()


@pytest.mark.parametrize("n_batches", [1, 3, 10])
@pytest.mark.parametrize("weighted", [False, True])
def test_counts_of_batches_add_up_to_those_of_all_rows(n_batches, weighted):  # fairlearn#655
    rng = np.random.default_rng(0)
    group, decisions, labels = (rng.integers(0, k, 1000) for k in (5, 3, 3))
    weights = rng.integers(0, 4, 1000).astype(float) if weighted else None

    def count(rows: np.ndarray) -> Cells:
        return count_cells(
            group[rows],
            5,
            decisions=decisions[rows],
            labels=labels[rows],
            weights=None if weights is None else weights[rows],
        )

    first, *others = (count(rows) for rows in np.array_split(np.arange(1000), n_batches))
    total = sum(others, start=first)
    whole = count(np.arange(1000))
    assert (total.n == whole.n).all()
    assert not weighted or (total.w == whole.w).all()


@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("columns", [["sex"], ["sex", "race", "age"]], ids=str)
def test_one_pass_over_the_rows_serves_every_metric_and_grouping(columns, labelled, monkeypatch):
    # fairlearn PR#44, and MetricFrame at a million rows
    passes = []

    def counted(group, n_groups, **options):
        passes.append(n_groups)
        return count_cells(group, n_groups, **options)

    monkeypatch.setattr(auditing, "count_cells", counted)
    data = people(3000)
    decisions = np.arange(3000) % 2
    found = audited(
        decisions,
        {name: data[name] for name in columns},
        y_true=decisions if labelled else None,
        control_features=data["race"] % 2,
    )
    assert passes == [112 if len(columns) == 3 else 2]
    assert found.rates["metric"].nunique() == (7 if labelled else 1)


@pytest.mark.parametrize("n_rows", [500, 50_000])
def test_resampling_works_on_counts_and_never_on_rows(n_rows, monkeypatch):
    # fairlearn 0.15: 0.7 s for each resampling of 100,000 rows
    sizes = []
    interval = gaps.max_gap_interval

    def watched(k, n, **options):
        sizes.append(np.size(n))
        return interval(k, n, **options)

    monkeypatch.setattr(gaps, "max_gap_interval", watched)
    data = people(n_rows)
    audited(np.arange(n_rows) % 2, {"race": data["race"]}, n_resamples=2000)
    assert sizes
    assert max(sizes) <= 2 * 8


@pytest.mark.parametrize("n_levels", [3, 50])
def test_groups_that_no_row_has_cost_nothing(n_levels):  # pandas#17594
    n_rows = 60
    columns = {name: [f"{i % n_levels}" for i in range(n_rows)] for name in "abcdef"}
    table = coded([0, 1] * 30, columns)
    crossing = table.crossing(list("abcdef"))
    assert crossing.cells.shape == (n_levels, 6)  # not n_levels ** 6
    assert crossing.codes.dtype == np.uint8


def test_codes_take_a_byte_a_value():
    table = coded(np.zeros(1000, int), people(1000))
    assert {column.codes.dtype for column in table.sensitive} == {np.dtype(np.uint8)}
    assert table.decisions.codes.dtype == np.uint8


def test_limits_are_known_from_benchmarks():  # fairlearn#226
    text = (BENCHMARKS / "audit.py").read_text("utf-8")
    for word in ("1_000_000", "10_000_000", "MetricFrame", "n_resamples", "ru_maxrss"):
        assert word in text


def test_an_audit_loads_no_compiler_and_no_plots():
    heavy = {"numba", "matplotlib", "duckdb", "dask", "sklearn"}
    code = (
        "import sys, arbitree as ar;"
        "ar.audit([0, 1], sensitive_features=['f', 'm']).to_json();"
        f"print(sorted({heavy!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
