"""The decisions of a fitted tree on a frame, taken through each format that it is exported to."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

from arbitree import TreeClassifier, read_tree

from .rules_reader import decided_by_rules, decided_by_text


def by_json(tree: TreeClassifier, X: pd.DataFrame, path: Any) -> list[Any]:
    tree.save(path)
    return read_tree(path).predict(X).tolist()


def by_sklearn(tree: TreeClassifier, X: Any) -> list[Any]:
    return tree.to_sklearn().predict(X).tolist()


def by_onnx(tree: TreeClassifier, X: Any) -> list[Any]:
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(tree.to_onnx().SerializeToString())
    return session.run(["label"], tree.onnx_inputs(X))[0].tolist()


def by_python(tree: TreeClassifier, X: pd.DataFrame) -> list[Any]:
    names: dict[str, Any] = {}
    exec(compile(tree.to_python(), "<exported>", "exec"), names)
    columns = [X[name].astype(object).tolist() for name in X]
    return [names["predict"](dict(zip(X.columns, row))) for row in zip(*columns)]


def by_duckdb(tree: TreeClassifier, X: pd.DataFrame) -> list[Any]:
    with duckdb.connect() as connection:
        connection.register("x", _null(X))
        found = connection.sql(f"SELECT {tree.to_sql()} FROM x").fetchall()
    return [row[0] for row in found]


def by_sqlite(tree: TreeClassifier, X: pd.DataFrame) -> list[Any]:
    quoted = ", ".join('"' + str(name).replace('"', '""') + '"' for name in X)
    with sqlite3.connect(":memory:") as connection:
        connection.execute(f"CREATE TABLE x ({quoted})")
        rows = zip(*(_plain(X[name]) for name in X))
        marks = ", ".join("?" * X.shape[1])
        connection.executemany(f"INSERT INTO x VALUES ({marks})", rows)
        found = connection.execute(f"SELECT {tree.to_sql()} FROM x ORDER BY rowid").fetchall()
    connection.close()
    return [row[0] for row in found]


def by_rules(tree: TreeClassifier, X: pd.DataFrame) -> list[Any]:
    return decided_by_rules(tree.to_rules(), known(tree, X)).tolist()


def by_text(tree: TreeClassifier, X: pd.DataFrame) -> list[Any]:
    return decided_by_text(tree.export_text(), known(tree, X)).tolist()


FORMATS: dict[str, Callable[[TreeClassifier, pd.DataFrame], list[Any]]] = {
    "sklearn": by_sklearn,
    "onnx": by_onnx,
    "python": by_python,
    "duckdb": by_duckdb,
    "sqlite": by_sqlite,
    "rules": by_rules,
    "text": by_text,
}
if not (find_spec("onnx") and find_spec("onnxruntime")):
    del FORMATS["onnx"]


def installed(*names: str) -> list[str]:
    """Those of some formats that can be tried here."""
    return [name for name in names if name in FORMATS]


def known(tree: TreeClassifier, X: pd.DataFrame) -> pd.DataFrame:
    """Levels that training did not know as missing, as rules say that they count."""
    found = X.copy()
    for feature in tree.tree_.features:
        levels = getattr(feature.coding, "levels", None)
        if levels is not None:
            column = X[feature.name].astype(object)
            found[feature.name] = column.where(column.isin(levels), None)
    return found


def _null(X: pd.DataFrame) -> pd.DataFrame:
    """Objects with None for missing; other columns as they are, where NaN is NULL."""
    objects = {name: _plain(X[name]) for name in X if X[name].dtype == object}
    return X.assign(**{name: pd.Series(v, dtype=object) for name, v in objects.items()})


def _plain(column: pd.Series) -> list[Any]:
    if pd.api.types.is_datetime64_any_dtype(column):
        column = column.dt.strftime("%Y-%m-%d %H:%M:%S.%f")
    return [None if pd.isna(value) else value for value in column.astype(object).tolist()]


def on_thresholds(tree: TreeClassifier, name: str) -> np.ndarray:
    """The thresholds of a column, and the float32 numbers next to them."""
    here = [j for j, feature in enumerate(tree.tree_.features) if feature.name == name]
    found = tree.tree_.threshold[tree.tree_.feature == here[0]]
    found = np.unique(found[np.isfinite(found)])
    above = np.nextafter(found, np.float32(np.inf))
    return np.concatenate([found, above, np.nextafter(found, np.float32(-np.inf))])
