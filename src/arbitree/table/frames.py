"""Any frame or array as a list of named columns.

The one door for data in memory. Nothing here knows what a column is for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import narwhals as nw
import numpy as np
import pandas as pd
from narwhals.exceptions import DuplicateError

from arbitree._errors import ColumnError, InputError
from arbitree._wording import counted, nearest
from arbitree.table.dtypes import plain, unreadable


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One named column. `values` has a plain dtype; `index` is as long as `values`, or None."""

    name: Hashable
    values: nw.Series[Any]
    index: pd.Index | None = None
    text: bool = False  # from a text file, where '1' may stand for the number 1

    def __len__(self) -> int:
        return len(self.values)

    @property
    def numpy_numbers(self) -> np.ndarray | None:
        """Numbers or truths of which pandas holds the NumPy array; None for any other column.

        What is asked of such an array directly takes a tenth of the time that a call through
        narwhals does: 6 of 15 ms of reading 5,771 rows x 8 columns
        (benchmarks/influence/speed.py).
        """
        native = self.values.to_native()
        if not isinstance(native, pd.Series) or not isinstance(native.dtype, np.dtype):
            return None
        return native.to_numpy() if native.dtype.kind in "biuf" else None


def columns(data: object, *, what: str, default_name: str) -> list[Column]:
    """Columns of a frame, an array, a dictionary or a list.

    Parameters
    ----------
    data : DataFrame, Series, dict, array or list
        A pandas, Polars, PyArrow, Modin, ... frame or Series; a dictionary of columns; an array
        of shape (n,) or (n, d); a list of n values or of n rows; a list of Series.
    what : str
        The parameter's name, for errors: ``"sensitive_features"``.
    default_name : str
        Columns without a name become ``default_name_0``, ``default_name_1`` and so on.

    Returns
    -------
    list of Column
        In the order of the data.

    Raises
    ------
    ColumnError
        If two columns have the same name.
    InputError
        If `data` is not a table, or its columns differ in length.

    Examples
    --------
    >>> [column.name for column in columns({"sex": ["f", "m"]}, what="X", default_name="x")]
    ['sex']
    >>> [column.name for column in columns([[1, 2], [3, 4]], what="X", default_name="x")]
    ['x_0', 'x_1']
    """
    found = [
        _column(f"{default_name}_{i}" if name is None else name, values, what)
        for i, (name, values) in enumerate(_named(data, what))
    ]
    if not found:
        raise InputError(f"{what} has no columns. Pass at least one.")
    _refuse_duplicates([column.name for column in found], what)
    return found


def column(data: object, *, what: str, default_name: str) -> Column:
    """The single column of `data`; without a name of its own it is called `default_name`.

    Raises
    ------
    InputError
        As `columns`, and if there are several columns.

    Examples
    --------
    >>> column([0, 1, 1], what="decisions", default_name="decision").name
    'decision'
    """
    named = list(_named(data, what))
    if len(named) != 1:
        raise InputError(f"{what} has {counted(len(named), 'column')}. Pass a single one.")
    name, values = named[0]
    return _column(default_name if name is None else name, values, what)


def select(found: Sequence[Column], name: Hashable, *, what: str) -> Column:
    """The column called `name`.

    Raises
    ------
    ColumnError
        If there is none; suggests the nearest name, with invisible characters spelt out.

    Examples
    --------
    >>> select(columns({"sex": ["f"]}, what="X", default_name="x"), "Sex", what="X")
    Traceback (most recent call last):
    arbitree._errors.ColumnError: X has no column 'Sex'. Did you mean 'sex'?
    """
    for candidate in found:
        if candidate.name == name:
            return candidate
    names = [candidate.name for candidate in found]
    raise ColumnError(f"{what} has no column {name!r}. {nearest(name, names)}")


def _named(data: object, what: str) -> Iterable[tuple[Hashable | None, object]]:
    """Pairs of a name, or None, and a native column."""
    data = nw.to_native(cast(Any, data), pass_through=True)
    if isinstance(data, Mapping):
        return list(data.items())
    if isinstance(data, Column):
        return [(data.name, data)]
    if isinstance(data, pd.MultiIndex):
        data = data.to_frame(index=False)
    if isinstance(data, pd.DataFrame):
        return list(data.items())
    if isinstance(data, (pd.Index, pd.api.extensions.ExtensionArray)):
        return [(None, pd.Series(data))]
    if isinstance(data, np.ndarray):
        return _of_array(data, what)
    if isinstance(data, (list, tuple, range)):
        return _of_list(data, what)
    wrapped = _wrapped(data, what)
    if isinstance(wrapped, nw.LazyFrame):
        wrapped = wrapped.collect()
    if isinstance(wrapped, nw.DataFrame):
        return [(series.name, series.to_native()) for series in wrapped.iter_columns()]
    if isinstance(wrapped, nw.Series):
        return [(None if wrapped.name == "" else wrapped.name, data)]
    return _of_other(data, what)


def _wrapped(data: Any, what: str) -> Any:
    """The narwhals frame or Series of `data`, or `data` itself where it is neither."""
    try:
        return nw.from_native(data, allow_series=True, pass_through=True)
    except DuplicateError:
        _refuse_duplicates(getattr(data, "column_names", None) or list(data.columns), what)
        raise


def _of_array(data: np.ndarray, what: str) -> list[tuple[Hashable | None, object]]:
    if data.dtype.names:
        return [(name, data[name]) for name in data.dtype.names]
    if data.ndim == 1:
        return [(None, data)]
    if data.ndim == 2:
        table = data if isinstance(data, np.ma.MaskedArray) else np.asarray(data)
        return [(None, table[:, j]) for j in range(table.shape[1])]
    raise InputError(
        f"{what} is an array of {data.ndim} dimensions, shape {data.shape}. "
        "Pass one value a row, or a table of rows and columns."
    )


def _of_list(data: Sequence[Any], what: str) -> list[tuple[Hashable | None, object]]:
    first = data[0] if len(data) else None
    if isinstance(first, (list, tuple)) or (isinstance(first, np.ndarray) and first.ndim):
        return _of_array(_rows(data, what), what)
    if isinstance(first, Mapping):
        raise InputError(f"{what} is a list of records. Pass pandas.DataFrame({what}).")
    if _is_series(first):
        return [pair for part in data for pair in _named(part, what)]
    return [(None, data)]


def _rows(data: Sequence[Any], what: str) -> np.ndarray:
    width = len(data[0])
    for i, row in enumerate(data):
        if not isinstance(row, (list, tuple, np.ndarray)) or len(row) != width:
            raise InputError(
                f"{what} is a list of rows, and row {i} does not have "
                f"{counted(width, 'value')} as row 0 has."
            )
    table = np.empty((len(data), width), dtype=object)
    table[:] = [list(row) for row in data]
    return table


def _of_other(data: Any, what: str) -> list[tuple[Hashable | None, object]]:
    """Whatever else can become an array: PyArrow arrays, tensors, other sequences."""
    if data is None:
        raise InputError(f"{what} is None. Pass a frame, an array or a list.")
    if isinstance(data, (str, bytes)):
        raise InputError(
            f"{what} is the text {data!r}. Pass the values, for instance frame[{data!r}]."
        )
    if hasattr(data, "toarray"):
        raise InputError(f"{what} is a sparse matrix. Pass {what}.toarray() or a frame.")
    if type(data).__module__.partition(".")[0] == "pyarrow":
        whole = _whole_arrow(data)
        if whole is not None:
            return list(_named(whole, what))
    if hasattr(data, "__array__"):
        return _of_array(np.asarray(data), what)
    if isinstance(data, Sequence):
        return _of_list(list(data), what)
    if hasattr(data, "predict"):
        raise InputError(
            f"{what} is a model, of type {type(data).__name__}, and data is read there. For what a "
            f"fitted model decides, pass {what}=model.predict(X)."
        )
    raise InputError(
        f"{what} is of type {type(data).__name__}. Pass a frame, an array, a dictionary of "
        "columns or a list."
    )


def _whole_arrow(data: Any) -> object:
    """A PyArrow array or batch as the chunked array or table that narwhals reads, else None."""
    import pyarrow as pa

    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    return pa.chunked_array([data]) if isinstance(data, pa.Array) else None


def _column(name: Hashable, values: object, what: str) -> Column:
    if isinstance(values, Column):
        return values
    name = name.item() if isinstance(name, np.generic) else name
    _refuse_half_characters(name, what)
    where = f"{what} column {name!r}"
    values = nw.to_native(cast(Any, values), pass_through=True)
    native = _in_pandas(values) if _is_series(values) else _as_series(values, where)
    index = native.index if _is_series(values) and isinstance(native, pd.Series) else None
    return Column(name, plain(native, where=where), index)


def _refuse_half_characters(name: Hashable, what: str) -> None:
    """A name with half of a surrogate pair could not be written into any report."""
    try:
        str(name).encode()
    except UnicodeEncodeError as error:
        raise ColumnError(
            f"{what} has a column named {name!r}, which is not valid Unicode. Rename it."
        ) from error


def _is_series(values: object) -> bool:
    if isinstance(values, pd.Series):
        return True
    wrapped = nw.from_native(cast(Any, values), allow_series=True, pass_through=True)
    return isinstance(wrapped, nw.Series)


def _in_pandas(values: Any) -> object:
    """A Series of Modin or another library in the manner of pandas as one of pandas itself."""
    if isinstance(values, pd.Series):
        return values
    series = nw.from_native(values, series_only=True)
    return series.to_pandas() if series.implementation.is_pandas_like() else values


def _as_series(values: Any, where: str) -> object:
    """A list or an array of shape (n,) as a Series, values untouched."""
    if isinstance(values, np.ma.MaskedArray):
        objects = np.ma.getdata(values).astype(object)
        objects[np.ma.getmaskarray(values)] = None
        return pd.Series(objects, dtype=objects.dtype)
    if isinstance(values, (list, tuple, range)):
        return pd.Series(list(values), dtype=np.dtype(object))
    if isinstance(values, np.ndarray) and values.ndim == 1:
        return _of_flat_array(values, where)
    named = [] if isinstance(values, (str, Mapping)) else list(_named(values, where))
    if len(named) != 1 or named[0][1] is values:
        raise InputError(f"{where} is not a column. Pass one value a row.")
    inner = named[0][1]
    return inner if _is_series(inner) else _as_series(inner, where)


def _of_flat_array(values: np.ndarray, where: str) -> pd.Series:
    if values.dtype.kind == "S":
        try:
            values = np.char.decode(values, "utf-8")
        except UnicodeDecodeError as error:
            raise InputError(f"{where} holds bytes that are not UTF-8. Decode them.") from error
    if values.dtype.kind in "OUT":
        return pd.Series(values.astype(object, copy=False), dtype=np.dtype(object))
    if values.dtype == np.longdouble:
        return pd.Series(values.astype(np.float64))
    if values.dtype.kind == "V":
        raise unreadable(where, f"they are raw bytes of the dtype {values.dtype.str!r}")
    try:
        return pd.Series(values.astype(values.dtype.newbyteorder("="), copy=False), copy=False)
    except (OverflowError, TypeError, ValueError) as error:
        raise unreadable(where, error) from error


def _refuse_duplicates(names: Sequence[Hashable], what: str) -> None:
    """Two names that read the same are one name to the reader of a table."""
    seen: dict[str, Hashable] = {}
    for name in names:
        if str(name) in seen:
            twin = seen[str(name)]
            shown = repr(name) if twin == name else f"{twin!r} and {name!r}"
            raise ColumnError(f"{what} has two columns named {shown}. Rename one of them.")
        seen[str(name)] = name
