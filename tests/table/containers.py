"""The same values in every container that the door takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

Values = Sequence[Any]

CONTAINERS: dict[str, Callable[[Values], Any]] = {
    "list": list,
    "tuple": tuple,
    "NumPy objects": lambda values: np.array(values, dtype=object),
    "column of a NumPy table": lambda values: np.array([[value] for value in values], dtype=object),
    "list of rows": lambda values: [[value] for value in values],
    "pandas objects": lambda values: pd.Series(values, dtype=object),
    "pandas inferred": lambda values: pd.Series(values),
    "pandas nullable": lambda values: pd.Series(values, dtype=object).convert_dtypes(),
    "pandas ArrowDtype": lambda values: pd.Series(values, dtype=object).convert_dtypes(
        dtype_backend="pyarrow"
    ),
    "pandas category": lambda values: pd.Series(pd.Categorical(values)),
    "pandas frame": lambda values: pd.DataFrame({"x": pd.Series(values, dtype=object)}),
    "pandas index": lambda values: pd.Index(values, dtype=object),
    "pandas extension array": lambda values: pd.Series(values, dtype=object).convert_dtypes().array,
    "Polars series": lambda values: pl.Series("x", values),
    "Polars frame": lambda values: pl.DataFrame({"x": values}),
    "Polars lazy frame": lambda values: pl.LazyFrame({"x": values}),
    "PyArrow array": lambda values: pa.array(values),
    "PyArrow chunks": lambda values: pa.chunked_array([values[:2], values[2:]]),
    "PyArrow dictionary": lambda values: pa.array(values).dictionary_encode(),
    "PyArrow table": lambda values: pa.table({"x": values}),
    "PyArrow batch": lambda values: pa.RecordBatch.from_pydict({"x": values}),
    "dictionary": lambda values: {"x": values},
    "dictionary of arrays": lambda values: {"x": np.array(values, dtype=object)},
    "list of series": lambda values: [pd.Series(values, dtype=object)],
}

TEXT_ONLY: dict[str, Callable[[Values], Any]] = {
    "pandas str": lambda values: pd.Series(values, dtype="str"),
    "pandas string": lambda values: pd.Series(values, dtype="string"),
    "pandas string[python]": lambda values: pd.Series(values, dtype="string[python]"),
    "pandas string[pyarrow]": lambda values: pd.Series(values, dtype="string[pyarrow]"),
    "pandas ArrowDtype(large_string)": lambda values: pd.Series(
        values, dtype=pd.ArrowDtype(pa.large_string())
    ),
    "pandas ArrowDtype(dictionary)": lambda values: pd.Series(
        values, dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    ),
    "Polars Categorical": lambda values: pl.Series("x", values, dtype=pl.Categorical),
    "Polars Enum": lambda values: pl.Series("x", values, dtype=pl.Enum(_sorted(values))),
    "PyArrow string_view": lambda values: pa.array(values, type=pa.string_view()),
}


def _sorted(values: Values) -> list[Any]:
    return sorted({value for value in values if value is not None})


every_container = pytest.mark.parametrize("put", CONTAINERS.values(), ids=CONTAINERS)
every_text_container = pytest.mark.parametrize(
    "put", [*CONTAINERS.values(), *TEXT_ONLY.values()], ids=[*CONTAINERS, *TEXT_ONLY]
)
