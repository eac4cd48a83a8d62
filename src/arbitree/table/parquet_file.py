"""A Parquet file, or a folder of them, read in batches by PyArrow.

Texts come as they are stored, as dictionaries: most columns of groups and decisions are coded
without a look at each row's text.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, cast

import narwhals as nw

from arbitree._errors import ColumnError, InputError, MissingDependencyError
from arbitree._wording import counted, listed
from arbitree.table.raw_file import INSTALL, RawFile, existing, in_background, sha256_of
from arbitree.table.sources import check_columns
from arbitree.table.text import NumberStyle, kind_from, possible_kinds

_BATCH_ROWS = 1 << 17
_SUFFIXES = (".parquet", ".parq", ".pq")


class ParquetFiles:
    """Rows of a Parquet file, or of all Parquet files in a folder, in the order of their paths.

    Folders named ``column=value`` give a column, as Hive and Spark write them.

    Parameters
    ----------
    path : str or path
    raw : RawFile, optional
        The same file, if it is to be closed with this source.

    Raises
    ------
    InputError
        If there is no such file, it is not Parquet or has no rows, or files differ in columns.
    ColumnError
        If two columns have the same name.
    MissingDependencyError
        Without PyArrow.
    """

    is_text = False
    notices: tuple[str, ...] = ()

    def __init__(self, path: str | os.PathLike[str], *, raw: RawFile | None = None) -> None:
        self._raw = raw
        self.path = existing(path)
        self.name = self.path.resolve().name if raw is None else raw.name
        self.files = _files(self.path)
        self._digests: Future[list[str]] | None = None
        self._dataset, self.n_rows = _dataset(self.path, self.files, self.name)
        if self.n_rows == 0:
            raise InputError(f"{self.name} has no rows. Give at least one row of data.")
        self.columns: tuple[str, ...] = tuple(self._dataset.schema.names)
        self.start_sha256()

    def batches(self, columns: Sequence[str]) -> Iterator[nw.DataFrame[Any]]:
        """The rows of these columns, as Arrow tables; texts as dictionaries.

        Raises
        ------
        ColumnError
            If there is no such column.
        InputError
            If the file is damaged.
        """
        import pyarrow as pa
        import pyarrow.dataset as ds

        check_columns(columns, self.columns, where=self.name)
        scanner = self._dataset.scanner(
            columns={column: ds.field(column) for column in columns},
            batch_size=_BATCH_ROWS,
            batch_readahead=2,
            fragment_readahead=1,
        )
        try:
            for batch in scanner.to_batches():
                if batch.num_rows:
                    table = pa.Table.from_batches([batch])
                    yield cast(Any, nw.from_native(table, eager_only=True))
        except (pa.ArrowException, OSError) as error:
            raise _unreadable(self.name, error) from error

    def start_sha256(self) -> None:
        """Begin to hash the files, beside whatever comes next."""
        files = self.files
        self._digests = in_background(lambda: [sha256_of(file) for file in files])

    def describe(self) -> dict[str, Any]:
        """``name``, ``size`` and ``sha256``; for a folder ``n_files`` too.

        The hash of a folder is that of lines "<sha256>  <path>", as ``sha256sum`` prints them,
        in the order of the paths within the folder.
        """
        assert self._digests is not None
        digests = self._digests.result()
        size = sum(file.stat().st_size for file in self.files)
        if self.path.is_file():
            return {"name": self.name, "size": size, "sha256": digests[0]}
        lines = "".join(
            f"{digest}  {file.relative_to(self.path).as_posix()}\n"
            for digest, file in zip(digests, self.files)
        )
        digest = hashlib.sha256(lines.encode()).hexdigest()
        return {"name": self.name, "size": size, "sha256": digest, "n_files": len(digests)}

    def close(self) -> None:
        """Delete the copy of standard input."""
        if self._digests is not None:
            self._digests.result()
        if self._raw is not None:
            self._raw.close()


def _files(path: Path) -> list[Path]:
    """The file itself, or those in a folder, without hidden ones such as ``_SUCCESS``."""
    if path.is_file():
        return [path]
    found = sorted(
        file
        for file in path.rglob("*")
        if file.suffix.lower() in _SUFFIXES
        and file.is_file()
        and not any(part[0] in "._" for part in file.relative_to(path).parts)
    )
    if not found:
        raise InputError(
            f"The folder {str(path)!r} has no Parquet files. Name one CSV file, or a folder of "
            "files that end in .parquet."
        )
    return found


def _dataset(path: Path, files: list[Path], name: str) -> tuple[Any, int]:
    """All files as one dataset, and their number of rows."""
    try:
        import pyarrow as pa
        import pyarrow.dataset as ds
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingDependencyError(
            f"{name} is Parquet, which needs PyArrow. {INSTALL}"
        ) from error
    folder = path if path.is_dir() else path.parent
    parts = _parts(files, folder)
    try:
        metadata = [pq.read_metadata(file) for file in files]
        schemas = [each.schema.to_arrow_schema() for each in metadata]
        typed = _typed(schemas, files, name)
        texts = [column for column, arrow in typed.items() if _is_text(arrow)]
        _refuse_double([part for part, _ in parts], schemas[0].names, name)
        dataset = ds.dataset(
            [str(file) for file in files],
            format=ds.ParquetFileFormat(dictionary_columns=texts),
            partitioning=ds.partitioning(
                pa.schema(
                    [(part, pa.int64() if _whole(seen) else pa.string()) for part, seen in parts]
                ),
                flavor="hive",
            ),
            partition_base_dir=str(folder),
        )
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(name, error) from error
    for at, field in enumerate(dataset.schema):
        if pa.types.is_null(field.type) and field.name in typed:
            arrow = typed[field.name]
            arrow = pa.dictionary(pa.int32(), arrow) if field.name in texts else arrow
            dataset = dataset.replace_schema(dataset.schema.set(at, field.with_type(arrow)))
    return dataset, sum(each.num_rows for each in metadata)


def _parts(files: list[Path], folder: Path) -> list[tuple[str, list[str]]]:
    """Columns that folders name, as in ``zip=01234``, each with its values."""
    values: dict[str, list[str]] = {}
    for file in files:
        for part in file.relative_to(folder).parts[:-1]:
            name, equals, value = part.partition("=")
            if equals:
                values.setdefault(name, []).append(value)
    return list(values.items())


def _whole(texts: list[str]) -> bool:
    """Whether all are whole numbers; 01234 is a code, as in a CSV file."""
    return kind_from(possible_kinds(texts, NumberStyle())) == "integer"


def _refuse_double(parts: list[str], columns: list[str], name: str) -> None:
    for part in parts:
        if part in columns:
            raise ColumnError(
                f"{name} has folders named {part}=... and a column {part!r} in its files, which "
                "may differ. Rename the folders or the column."
            )


def _is_text(arrow: Any) -> bool:
    return str(arrow) in ("string", "large_string", "string_view")


def _typed(schemas: list[Any], files: list[Path], name: str) -> dict[str, Any]:
    """The type of each column; a file in which it has no value at all may say "null"."""
    twice = [column for column, count in Counter(schemas[0].names).items() if count > 1]
    if twice:
        raise ColumnError(f"{name} has two columns named {twice[0]!r}. Rename one of them.")
    typed = {field.name: field.type for field in schemas[0]}
    for schema in schemas[1:]:
        for field in schema:
            if str(typed.get(field.name)) == "null":
                typed[field.name] = field.type
    for schema, file in zip(schemas[1:], files[1:]):
        if difference := _difference(typed, schema):
            raise InputError(
                f"The files of {name} do not have the same columns: {file.name} {difference} as "
                f"{files[0].name} has. Read them one by one, or write them alike."
            )
    return typed


def _difference(typed: dict[str, Any], other: Any) -> str:
    """How the columns of a file differ from the others', in words; "" where they do not."""
    lost = [column for column in typed if column not in other.names]
    if lost:
        return f"has no {counted(len(lost), 'column').split()[1]} {listed(lost)}"
    new = [column for column in other.names if column not in typed]
    if new:
        return f"has {listed(new)} and not the same columns"
    for column, there in typed.items():
        here = other.field(column).type
        if here != there and str(here) != "null":
            return f"has {column!r} as {here} and not {there}"
    return ""


def _unreadable(name: str, error: Exception) -> InputError:
    return InputError(f"{name} cannot be read as Parquet: {error}. The file may be damaged.")
