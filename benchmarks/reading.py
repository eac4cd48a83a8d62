"""How long files take to read, and whether DuckDB's readers would be faster.

python benchmarks/reading.py [n_rows]
"""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd

from arbitree.table.csv_file import CsvFile
from arbitree.table.parquet_file import ParquetFiles
from arbitree.table.reader import read
from arbitree.table.text_codes import is_textual, text_codes

N_REPEATS = 5
COLUMNS = ("sex", "race", "approved", "repaid")


def decisions(n_rows: int) -> pd.DataFrame:
    """Twelve columns: four that an audit reads, eight that it does not."""
    rng = np.random.default_rng(0)
    frame = {
        "id": np.arange(n_rows),
        "sex": rng.choice(["Female", "Male"], n_rows),
        "race": rng.choice(["Asian", "Black", "Native American", "Other", "White"], n_rows),
        "approved": rng.choice(["no", "yes"], n_rows),
        "repaid": rng.integers(0, 2, n_rows),
        "city": rng.choice([f"city {i}" for i in range(300)], n_rows),
        "n_cards": rng.integers(0, 9, n_rows),
    }
    numbers = {f"amount_{i}": rng.lognormal(9, 1, n_rows).round(2) for i in range(5)}
    return pd.DataFrame(frame | numbers)


def codes(source: Any) -> None:
    """Distinct texts of every batch, as the reader takes them."""
    for batch in source.batches(COLUMNS):
        for column in COLUMNS:
            if is_textual(batch[column]):
                text_codes(batch[column], {""})


def codes_by_duckdb(query: str) -> None:
    """The same from DuckDB's reader."""
    connection = duckdb.connect()
    connection.execute("set memory_limit = '500MB'")
    relation = connection.sql(query)
    to_reader = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
    for batch in to_reader(1 << 18):
        for column in batch.columns:
            column.dictionary_encode()


def tasks(folder: Path, n_rows: int) -> dict[str, Callable[[], object]]:
    frame = decisions(n_rows)
    csv, parquet = folder / "decisions.csv", folder / "decisions.parquet"
    frame.to_csv(csv, index=False)
    frame.to_parquet(parquet, row_group_size=1 << 18)
    names = ", ".join(f"'{column}': 'varchar'" for column in frame)
    dialect = "header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"'"
    from_csv = f"read_csv('{csv}', columns = {{{names}}}, {dialect})"
    audit = partial(
        read, sensitive=["sex", "race"], decision="approved", favorable_label="yes", label="repaid"
    )
    return {
        "CSV: look at every row": lambda: CsvFile(csv),
        "CSV: codes by pandas": partial(codes, CsvFile(csv)),
        "CSV: codes by DuckDB": lambda: codes_by_duckdb(_query(from_csv)),
        "CSV: all of it": lambda: audit(csv),
        "Parquet: codes by PyArrow": partial(codes, ParquetFiles(parquet)),
        "Parquet: codes by DuckDB": lambda: codes_by_duckdb(_query(f"read_parquet('{parquet}')")),
        "Parquet: all of it": lambda: audit(parquet),
        "Parquet: all of it, where": lambda: audit(parquet, where="amount_0 > 9000"),
    }


def _query(source: str, columns: Sequence[str] = COLUMNS) -> str:
    return f"select {', '.join(columns)} from {source}"


def main(n_rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        todo = tasks(Path(folder), n_rows)
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in todo}
        for _ in range(N_REPEATS):
            for name, task in todo.items():
                wall, cpu = time.perf_counter(), time.process_time()
                task()
                times[name].append((time.perf_counter() - wall, time.process_time() - cpu))
    print(f"{n_rows:,} rows x 12 columns, 4 of them read; medians of {N_REPEATS}")
    for name, pairs in times.items():
        wall, cpu = (statistics.median(seconds) for seconds in zip(*pairs))
        print(f"{name:28} {wall:6.2f} s, {cpu:6.2f} s of CPU")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory of this process, with the rows it made: {peak / 1024:,.0f} MiB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
