"""Imports run one way through the rooms, and each room keeps to its trade."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "arbitree"
FILES = sorted(PACKAGE.rglob("*.py"))

# From the users' side down; a room imports only rooms of lines below its own.
LAYERS = [
    ["__main__"],
    ["cli"],
    ["report"],
    ["testing"],
    ["certificate"],
    ["influence", "tree"],
    ["rules"],
    ["groups"],
    ["model"],
    ["counts"],
    ["table"],
    ["datasets"],
    ["_tables"],
    ["_errors", "_versions", "_wording"],
]
RANK = {room: -i for i, layer in enumerate(LAYERS) for room in layer}

# Slow to import or in an extra: imported inside the function that needs them.
LATE = {"dask", "distributed", "duckdb", "jinja2", "lark", "markupsafe", "matplotlib", "polars"}
LATE |= {"onnx", "onnxruntime", "pyarrow", "pysat", "shap", "sklearn", "vl_convert", "yaml", "z3"}
LATE |= {"joblib", "lightgbm", "skops", "xgboost"}
# Estimators inherit from scikit-learn's classes; `import arbitree` does not load them.
EARLY = {
    "arbitree.model.unfitted_error": {"sklearn"},
    "arbitree.rules.shield": {"sklearn"},
    "arbitree.tree.estimator": {"sklearn"},
    "arbitree.tree.export.split_columns": {"sklearn"},
}
# Checks certificates by itself, so it reads and prints by itself too.
CHECKER = "arbitree.certificate.check"
FILE_CALLS = {"open", ".open", ".read_text", ".read_bytes", ".write_text", ".write_bytes"}
FILE_CALLS |= {".read_csv", ".read_parquet", ".scan_csv", ".scan_parquet"}
_SCREEN = re.compile(r"\bsys\.(stdout|stderr)\b")
VAGUE = {"utils", "util", "helpers", "helper", "core", "common", "base", "misc"}


def _module(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_module(path): path for path in FILES}


def _room(module: str) -> str:
    """The room of a module of ours; "" for the package itself."""
    return ".".join(module.split(".")[1:2])


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def _imports(path: Path) -> Iterator[str]:
    """Modules of ours that a file imports, anywhere in it."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = _absolute(node, path)
            names = [_imported(module, alias.name) for alias in node.names]
        else:
            continue
        yield from (name for name in names if name.split(".")[0] == "arbitree")


def _absolute(node: ast.ImportFrom, path: Path) -> str:
    """The module that `from ... import` names, relative or not."""
    if not node.level:
        return node.module or ""
    folder = path.parents[node.level - 1].relative_to(PACKAGE.parent)
    return ".".join((*folder.parts, *([node.module] if node.module else [])))


def _imported(module: str, name: str) -> str:
    return f"{module}.{name}" if f"{module}.{name}" in MODULES else module


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes that run when the module is imported."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from _outside_functions(child)


def _packages(nodes: Iterable[ast.AST]) -> set[str]:
    """Packages of others that are imported by some of these nodes."""
    packages = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            packages |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            packages.add((node.module or "").split(".")[0])
    return packages


def _calls(path: Path) -> Iterator[str]:
    """What is called: "print" for a function, ".print" for a method."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield f".{node.func.attr}"


def test_every_room_has_its_place_in_the_order():
    rooms = {_room(module) for module in MODULES} - {""}
    assert rooms <= set(RANK)


def test_rooms_import_only_from_rooms_below():
    wrong = [
        f"{here} imports {there}"
        for here, path in MODULES.items()
        for there in _imports(path)
        if _room(here) and _room(here) != _room(there)
        if _room(there) == "" or RANK[_room(here)] <= RANK[_room(there)]
    ]
    assert not wrong


def test_files_import_each_other_one_way():
    graph = {here: set(_imports(path)) - {here} for here, path in MODULES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"these import each other in a circle: {' -> '.join(error.args[1])}")


def test_slow_and_optional_packages_are_imported_late():
    wrong = {
        module: LATE & _packages(_outside_functions(_tree(path))) - EARLY.get(module, set())
        for module, path in MODULES.items()
    }
    assert not {module: packages for module, packages in wrong.items() if packages}


def test_only_the_kernels_import_numba():
    users = {
        module for module, path in MODULES.items() if "numba" in _packages(ast.walk(_tree(path)))
    }
    assert users <= {"arbitree.counts._kernels"}


def test_the_kernels_are_imported_when_the_first_one_is_called():
    users = [
        module
        for module, path in MODULES.items()
        for node in _outside_functions(_tree(path))
        if isinstance(node, ast.Import | ast.ImportFrom) and "_kernels" in ast.unparse(node)
    ]
    assert users == ["arbitree.counts._tree_kernels"]  # which is imported so itself


def test_only_the_command_line_prints():
    wrong = [
        module
        for module, path in MODULES.items()
        if _room(module) != "cli" and module != f"{CHECKER}.__main__"
        if "print" in _calls(path) or _SCREEN.search(path.read_text(encoding="utf-8"))
    ]
    assert not wrong


def test_only_the_table_and_the_command_line_open_files():
    wrong = {
        module: FILE_CALLS & set(_calls(path))
        for module, path in MODULES.items()
        if _room(module) not in ("table", "cli") and not module.startswith(f"{CHECKER}.")
    }
    assert not {module: calls for module, calls in wrong.items() if calls}


def test_no_name_is_vague():
    paths = [path for top in ("src", "tests", "benchmarks") for path in (ROOT / top).rglob("*")]
    ours = [path for path in paths if ".cache" not in path.parts]
    assert not [path for path in ours if path.stem.lstrip("_") in VAGUE]
