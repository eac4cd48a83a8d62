"""Names, levels and classes that look like code or markup come through every format as data."""

from __future__ import annotations

import ast
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import TreeClassifier
from arbitree._errors import InputError

from .formats import FORMATS, by_duckdb, by_json, by_python, by_sqlite, installed

HOSTILE = [
    "two\nlines",
    'double " quote',
    "single ' quote",
    "'; DROP TABLE x; --",
    '"; DROP TABLE x; --',
    "*/ comment /*",
    "# comment",
    "=cmd|' /C calc'!A0",
    "back\\slash",
    "trailing \\",
    "'''\nimport os\n'''",
    '"""\nimport os\n"""',
    "{x!r} %s $1 ?",
    "and",
    "missing",
    "true",
    "1.5",
    "a, b}",
    "a => b",
    "größe 年齢",
    "right\u202eleft",
    "line\u2028separator",
    "tab\tcarriage\rreturn",
    "label",
    "/branch 0",
    " ",
    "__import__('os')",
]


def table(name: str, level: str) -> pd.DataFrame:
    return pd.DataFrame(
        {
            f"{name}": [1.0, 2.0, 1.0, 2.0, np.nan],
            f"{name}{name}": pd.Series([level, level, "other", "other", None], dtype=object),
        }
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_levels_and_classes_come_through_every_format(text, tmp_path):
    X = table(text, text)
    tree = TreeClassifier().fit(X, [text, "b", "c", "d", text])
    expected = tree.predict(X).tolist()
    assert expected[0] == text
    assert by_json(tree, X, tmp_path / "tree.json") == expected
    for name, decide in FORMATS.items():
        assert decide(tree, X) == expected, name


TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS, TEXTS)
def test_any_text_comes_through_source_code(name, level, label):
    X = pd.DataFrame({name: pd.Series([level, f"{level}x"], dtype=object)})
    tree = TreeClassifier().fit(X, [label, f"{label}x"])
    expected = tree.predict(X).tolist()
    for decide in (by_python, by_sqlite, by_duckdb, FORMATS["rules"], FORMATS["text"]):
        assert decide(tree, X) == expected


@pytest.mark.parametrize("text", HOSTILE)
def test_python_source_calls_nothing_but_its_own_functions(text):
    X = table(text, text)
    source = TreeClassifier().fit(X, [text, "b", "c", "d", "e"]).to_python()
    module = ast.parse(source)
    called = {ast.unparse(node.func) for node in ast.walk(module) if isinstance(node, ast.Call)}
    known = {"bool", "isinstance", "TypeError", "float", "struct.unpack", "struct.pack"}
    assert called <= known | {"_is_missing", "_number", "_level"}
    imported = {
        name.name for n in ast.walk(module) if isinstance(n, ast.Import) for name in n.names
    }
    assert imported == {"struct"}


@pytest.mark.parametrize("text", HOSTILE)
def test_rules_and_text_have_a_line_for_each_branch_whatever_the_names(text):
    X = table(text, text)
    tree = TreeClassifier().fit(X, [text, "b", "c", "d", "e"])
    rules = [line for line in tree.to_rules().splitlines() if line and line[0] != "#"]
    assert len(rules) == tree.get_n_leaves()
    lines = tree.export_text().splitlines()
    assert len(lines) == tree.tree_.n_nodes - 1 + tree.get_n_leaves()


def test_names_of_other_types_come_through(tmp_path):
    X = pd.DataFrame({7: [1.0, 2.0, 1.0, 2.0], ("a", 1): ["x", "x", "y", "y"]})
    tree = TreeClassifier().fit(X, [0, 1, 2, 3])
    expected = tree.predict(X).tolist()
    assert by_json(tree, X, tmp_path / "tree.json") == expected
    for name in installed("sklearn", "onnx", "python"):
        assert FORMATS[name](tree, X) == expected
    assert '"7" <= 1.5' in tree.to_rules()
    assert """"('a', 1)" IN ('""" in tree.to_sql()


@pytest.mark.parametrize("text", ["half \udc80 pair", "nul \0"])
def test_text_that_sql_cannot_hold_is_refused_and_comes_through_elsewhere(text, tmp_path):
    X = pd.DataFrame({"x": ["a", text]}, dtype=object)
    tree = TreeClassifier().fit(X, [0, 1])
    assert by_json(tree, X, tmp_path / "tree.json") == [0, 1]
    for name in installed("sklearn", "onnx", "python"):
        assert FORMATS[name](tree, X) == [0, 1]
    with pytest.raises(InputError, match="a character that SQL cannot hold"):
        tree.to_sql()


def test_the_json_is_strict_and_one_document():
    X = table("a", HOSTILE[0])
    text = TreeClassifier().fit(X, ["</script>", "b", "c", "d", "e"]).to_json()
    assert json.loads(text)["format"] == "arbitree-tree"
    assert "NaN" not in text
