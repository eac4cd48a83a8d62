"""The audit against fairlearn's MetricFrame, on a large file, and its resampling.

    python benchmarks/audit.py            all three
    python benchmarks/audit.py metricframe | file | resampling

Each part prints one table. Both sides of a comparison run in the same process, on the same
arrays, ours first in one half of the rounds; times are medians.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np
import pandas as pd

N_ROWS = 1_000_000
SEXES, RACES, AGE_BANDS = 2, 8, 7  # 112 crossed groups
FILE_ROWS = 10_000_000


def people(n_rows: int, seed: int = 0) -> pd.DataFrame:
    """Decisions and outcomes of people in 2 x 8 x 7 groups."""
    rng = np.random.default_rng(seed)
    sex, race, age = (rng.integers(0, k, n_rows) for k in (SEXES, RACES, AGE_BANDS))
    label = rng.random(n_rows) < 0.3 + 0.02 * race
    decision = rng.random(n_rows) < 0.2 + 0.3 * label + 0.05 * sex
    return pd.DataFrame(
        {
            "sex": pd.Categorical.from_codes(sex, ["f", "m"]),
            "race": pd.Categorical.from_codes(race, [f"race {i}" for i in range(RACES)]),
            "age": pd.Categorical.from_codes(age, [f"age {i}" for i in range(AGE_BANDS)]),
            "label": label.astype(np.int64),
            "decision": decision.astype(np.int64),
        }
    )


def metricframe() -> None:
    """One million rows, 112 groups, four metrics."""
    import fairlearn.metrics as fm
    from sklearn.metrics import accuracy_score

    import arbitree as ar

    data = people(N_ROWS)
    groups = data[["sex", "race", "age"]]
    metrics = {
        "selection_rate": fm.selection_rate,
        "true_positive_rate": fm.true_positive_rate,
        "false_positive_rate": fm.false_positive_rate,
        "accuracy": accuracy_score,
    }

    def theirs() -> pd.DataFrame:
        frame = fm.MetricFrame(
            metrics=metrics,
            y_true=data["label"],
            y_pred=data["decision"],
            sensitive_features=groups,
        )
        return frame.by_group

    def ours() -> pd.DataFrame:
        found = ar.audit(data["decision"], y_true=data["label"], sensitive_features=groups)
        return found.by_group

    ours()
    times: dict[str, list[float]] = {"ours": [], "theirs": []}
    results = {}
    for turn in range(4):
        for name, run in [("ours", ours), ("theirs", theirs)][:: 1 if turn % 2 else -1]:
            start = perf_counter()
            results[name] = run()
            times[name].append(perf_counter() - start)
    full = results["ours"][results["ours"]["grouping"] == "sex x race x age"]
    worst = max(np.abs(full[m].to_numpy() - results["theirs"][m].to_numpy()).max() for m in metrics)
    here, there = median(times["ours"]), median(times["theirs"])
    print(f"{N_ROWS:,} rows, {len(full)} crossed groups, 4 metrics; medians of 4 rounds")
    print(f"  MetricFrame.by_group, point values of the crossing        {there:8.3f} s")
    print(f"  arbitree.audit, 7 groupings, intervals, gaps, statuses    {here:8.3f} s")
    print(f"  ratio {there / here:.0f}; largest difference of any value {worst:.1e}")


def file() -> None:
    """Ten million rows x 12 columns of Parquet through the command line."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.parquet"
        rng = np.random.default_rng(1)
        writer = None
        for part in range(10):
            data = people(FILE_ROWS // 10, seed=part)
            for extra in range(7):
                data[f"x{extra}"] = rng.normal(size=len(data))
            table = pa.Table.from_pandas(data, preserve_index=False)
            writer = writer or pq.ParquetWriter(path, table.schema)
            writer.write_table(table)
        writer.close()
        size = path.stat().st_size / 2**20
        command = [sys.executable, "-m", "arbitree", "audit", str(path)]
        command += ["--decision", "decision", "--label", "label", "--sensitive", "sex,race,age"]
        start = perf_counter()
        subprocess.run([*command, "--json", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        elapsed = perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{FILE_ROWS:,} rows x 12 columns of Parquet ({size:,.0f} MiB), `arbitree audit`")
    print(f"  {elapsed:.2f} s, {used.ru_utime + used.ru_stime:.2f} s of CPU")
    print(f"  peak memory {used.ru_maxrss / 2**10:,.0f} MiB")


def resampling() -> None:
    """Two thousand resamplings of 8 groups."""
    from arbitree.groups.max_gap import max_gap_interval

    n = np.full(8, 5_000)
    k = np.linspace(1_000, 2_000, 8).astype(int)
    max_gap_interval(k, n, n_resamples=2_000, rng=np.random.default_rng(0))
    times = []
    for seed in range(20):
        start = process_time()
        max_gap_interval(k, n, n_resamples=2_000, rng=np.random.default_rng(seed))
        times.append(process_time() - start)
    print("2,000 resamplings of 8 groups, with the interval of the largest gap")
    print(f"  {1000 * median(times):.1f} ms of CPU, median of 20")


if __name__ == "__main__":
    parts = {"metricframe": metricframe, "file": file, "resampling": resampling}
    for name in sys.argv[1:] or parts:
        parts[name]()
