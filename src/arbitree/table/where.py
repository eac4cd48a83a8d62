"""Rows that a condition in SQL selects, of any source.

DuckDB reads no file here. It parses the condition and evaluates it on one batch after another, in
a connection that may neither read nor write outside it, so a condition that someone else wrote
can do no harm. Columns of a text file have the type that all their texts have in the whole file.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Any, cast

import narwhals as nw
import numpy as np

from arbitree._errors import ColumnError, InputError, MissingDependencyError
from arbitree._wording import listed, nearest
from arbitree.table.raw_file import INSTALL
from arbitree.table.sources import Source, check_columns
from arbitree.table.text import KINDS, NumberStyle, TextKind, kind_from, possible_kinds, read_texts
from arbitree.table.text_codes import TextCodes, is_textual, text_codes

_ALLOWED = (  # what a condition on one row is made of
    *("CONJUNCTION", "COMPARISON", "BETWEEN", "OPERATOR", "CASE", "CAST", "TYPE", "COLLATE"),
    *("FUNCTION", "COLUMN_REF", "CONSTANT"),
)
_REFUSED = {
    "SUBQUERY": "a query within it",
    "WINDOW": "a window function, which needs other rows",
    "PARAMETER": "a parameter",
    "STAR": "a star",
    "LAMBDA": "a lambda function",
}
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
    "python_enable_replacements": "false",
    "threads": "2",
    "memory_limit": "1GB",
    "lock_configuration": "true",
}


class Selected:
    """The rows of a source for which a condition is true; not those where it is unknown.

    Parameters
    ----------
    source : Source
    where : str
        A condition as it would follow WHERE in SQL: ``"age >= 18 and sex <> 'unknown'"``.
        Missing values are NULL.
    style : NumberStyle
        How a text file writes numbers.
    missing : collection of str
        Texts that mean no value.

    Raises
    ------
    InputError
        If the condition is no SQL, is not true or false for a row, or needs more than the row.
    ColumnError
        If it names a column that is not there.
    MissingDependencyError
        Without DuckDB and PyArrow.
    """

    n_rows = None  # not known before reading

    def __init__(
        self, source: Source, where: str, *, style: NumberStyle, missing: Collection[str]
    ) -> None:
        self.source = source
        self.name = source.name
        self.columns = source.columns
        self.is_text = source.is_text
        self.where = where
        self._style = style
        self._missing = frozenset(missing)
        self._connection = _connection()
        self._used = _columns_used(self._connection, where, source)
        self._kinds = self._kinds_of_texts()
        self._check_type()
        self.notices = (*source.notices, *self._notices())

    def batches(self, columns: Sequence[str]) -> Iterator[nw.DataFrame[Any]]:
        """The selected rows of these columns."""
        for _, batch in self.batches_of_all(columns):
            yield batch

    def batches_of_all(self, columns: Sequence[str]) -> Iterator[tuple[int, nw.DataFrame[Any]]]:
        """The same, each with how many rows it was selected from."""
        check_columns(columns, self.columns, where=self.name)
        wanted = list(dict.fromkeys([*columns, *self._used]))
        for batch in self.source.batches(wanted):
            rows = self._mask(batch)
            yield len(batch), batch.select(list(columns)).filter(rows.tolist())

    def describe(self) -> dict[str, Any]:
        """Of the source, and ``where``."""
        return {**self.source.describe(), "where": self.where}

    def close(self) -> None:
        """Close the source."""
        self._connection.close()
        self.source.close()

    def _kinds_of_texts(self) -> dict[str, TextKind | None]:
        """The kind of each column used, from a pass over the whole file; None without a text."""
        if not (self.is_text and self._used):
            return {}
        possible = {column: frozenset(KINDS) for column in self._used}
        blank = set(self._used)
        for batch in self.source.batches(self._used):
            for column in self._used:
                texts = text_codes(batch[column], self._missing)
                seen = texts.present().levels
                if len(seen):
                    blank.discard(column)
                possible[column] &= possible_kinds(seen, self._style, among=possible[column])
        return {
            column: None if column in blank else kind_from(kinds)
            for column, kinds in possible.items()
        }

    def _notices(self) -> Iterator[str]:
        for column, kind in self._kinds.items():
            if kind == "decimal comma":
                yield f"where takes the numbers of {column!r} as written with decimal commas."

    def _check_type(self) -> None:
        empty = next(iter(self.source.batches(self._used)))[:0] if self._used else None
        kind = self._ask(empty, f"({self.where}\n)").types[0]
        if str(kind).upper() != "BOOLEAN":
            raise InputError(
                f"where={self.where!r} is {kind} and not true or false for each row. Compare it "
                "with something, such as 'age >= 18'."
            )

    def _mask(self, batch: nw.DataFrame[Any]) -> np.ndarray:
        used = batch.select(self._used) if self._used else None
        relation = self._ask(used, f"coalesce(({self.where}\n), false) as selected")
        mask = np.asarray(self._fetched(relation)["selected"], dtype=bool)
        if len(mask) != (1 if used is None else len(batch)):
            raise InputError(f"where={self.where!r} is not a condition on each row by itself.")
        return mask if used is not None else np.full(len(batch), mask[0])

    def _ask(self, batch: nw.DataFrame[Any] | None, expression: str) -> Any:
        import duckdb

        if batch is not None:
            self._connection.register("batch", self._typed(batch))
        try:
            source = "" if batch is None else " from batch"
            return self._connection.sql(f"select {expression}{source}")
        except duckdb.Error as error:
            raise self._refused(error) from error

    def _fetched(self, relation: Any) -> Any:
        import duckdb

        try:
            return relation.fetchnumpy()
        except duckdb.Error as error:
            raise self._refused(error) from error

    def _refused(self, error: Exception) -> InputError:
        kinds = {column: f"{column!r} ({kind or 'empty'})" for column, kind in self._kinds.items()}
        shown = ", ".join(kinds.get(column, repr(column)) for column in self._used)
        used = f" It uses the columns {shown}." if shown else ""
        if "text" in self._kinds.values() and "onver" in str(error):
            used += " A column is text if any value is; texts that mean missing can be named."
        return InputError(
            f"where={self.where!r} cannot be evaluated. DuckDB says: {_first_lines(error)}.{used}"
        )

    def _typed(self, batch: nw.DataFrame[Any]) -> Any:
        import pyarrow as pa

        arrays = {column: self._typed_column(batch[column]) for column in batch.columns}
        return pa.table(arrays)

    def _typed_column(self, series: nw.Series[Any]) -> Any:
        """An Arrow column for DuckDB: values that are missing, NaN too, are null."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if is_textual(series):
            texts = text_codes(series, self._missing)
            return _arrow(texts, self._kinds.get(str(series.name), "text"), self._style)
        column = series.to_arrow()
        if series.dtype.is_float():
            return pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
        return column


def _connection() -> Any:
    try:
        import duckdb
        import pyarrow  # noqa: F401  DuckDB needs it for the batches, without saying so here
    except ImportError as error:
        raise MissingDependencyError(
            f"A condition on rows (where) needs DuckDB and PyArrow. {INSTALL}"
        ) from error
    return duckdb.connect(":memory:", config=_SETTINGS)


def _columns_used(connection: Any, where: str, source: Source) -> list[str]:
    """Columns that a condition names, once it is known to be one."""
    tree = _parsed(connection, where, source)
    aggregate, volatile = _functions_of_more_than_the_row()
    used: dict[str, None] = {}
    for node in _nodes(tree):
        kind = node.get("class", "")
        if kind not in _ALLOWED:
            what = _REFUSED.get(kind, f"something ({kind.lower()}) that is not part of a condition")
            raise InputError(f"where={where!r} has {what}. Use columns and values of a row only.")
        function = str(node.get("function_name", "")).lower()
        if function in aggregate or function in volatile:
            why = "needs other rows" if function in aggregate else "gives another result each time"
            raise InputError(
                f"where={where!r} uses {function}(), which {why}. Use columns and values of a row "
                "only."
            )
        if kind == "COLUMN_REF":
            used[_column(node["column_names"], source, where)] = None
    return list(used)


def _parsed(connection: Any, where: str, source: Source) -> dict[str, Any]:
    """DuckDB's syntax tree of a condition."""
    if not where.strip():
        raise InputError("where is empty. Pass what would follow WHERE, such as 'age >= 18'.")
    query = f"select 1 where ({where}\n)"
    text = connection.sql("select json_serialize_sql(?::varchar)", params=[query]).fetchall()[0][0]
    found = json.loads(text)
    if found["error"]:
        raise InputError(
            f"where={where!r} is not a condition in SQL. DuckDB says: {found['error_message']}. "
            f"The columns are {listed(source.columns)}; a text stands in single quotes."
        )
    nodes = [statement["node"] for statement in found["statements"]]
    node = nodes[0]
    only_a_condition = (
        len(nodes) == 1
        and node["type"] == "SELECT_NODE"
        and node["from_table"]["type"] == "EMPTY"
        and not any(node.get(part) for part in ("modifiers", "group_expressions", "having"))
        and not any(node.get(part) for part in ("sample", "qualify"))
    )
    if not only_a_condition:
        raise InputError(
            f"where={where!r} is more than a condition. Pass what would follow WHERE, such as "
            "'age >= 18'."
        )
    return cast(dict[str, Any], node["where_clause"])


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """All expressions in a syntax tree."""
    if isinstance(tree, dict):
        if "class" in tree:
            yield tree
        for part in tree.values():
            yield from _nodes(part)
    elif isinstance(tree, list):
        for part in tree:
            yield from _nodes(part)


@cache
def _functions_of_more_than_the_row() -> tuple[set[str], set[str]]:
    """Names of aggregate functions, and of those that differ from call to call."""
    connection = _connection()  # kept until the rows are fetched
    functions = connection.sql(
        "select lower(function_name), function_type, stability from duckdb_functions()"
    ).fetchall()
    connection.close()
    scalar = {name for name, kind, _ in functions if kind == "scalar"}
    aggregate = {name for name, kind, _ in functions if kind == "aggregate"} - scalar
    return aggregate, {name for name, _, stability in functions if stability == "VOLATILE"}


def _column(names: list[str], source: Source, where: str) -> str:
    """The column meant, as the file spells it; SQL does not tell cases apart."""
    name = names[0]
    alike = [column for column in source.columns if column.lower() == name.lower()]
    if len(alike) > 1:
        raise InputError(
            f"where={where!r} cannot tell the columns {listed(alike)} apart, because SQL takes "
            "upper and lower case as one. Rename one of them."
        )
    if not alike:
        raise ColumnError(
            f"{source.name} has no column {name!r}, which where={where!r} names. "
            f"{nearest(name, source.columns)} In SQL a text stands in single quotes."
        )
    return alike[0]


def _arrow(texts: TextCodes, kind: TextKind | None, style: NumberStyle) -> Any:
    """Texts as the values they stand for, null where missing."""
    import pyarrow as pa

    if kind is None:
        return pa.nulls(len(texts.codes))  # compares with anything
    texts = texts.present()
    indices = pa.array(texts.codes, mask=texts.missing)
    if kind == "text":
        return pa.DictionaryArray.from_arrays(indices, pa.array(texts.levels, pa.string()))
    values = pa.array(read_texts(texts.levels, kind, style), from_pandas=True)
    if kind == "integer":
        values = values.cast(pa.int64())
    return values.take(indices)


def _first_lines(error: Exception) -> str:
    """DuckDB's message without the query, which the user did not write."""
    message = str(error).split("\nLINE")[0].split("\n\nLINE")[0].strip()
    return " ".join(message.split()).rstrip(".!")
