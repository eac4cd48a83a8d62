"""What is compiled, and where it is kept."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import arbitree.counts

ROOM = Path(arbitree.counts.__file__).parent

COUNT = """
import numpy as np
from arbitree.counts.histograms import histogram
one = np.zeros(1, np.uint8)
print(histogram([one], one, one, n_bins=1, n_classes=1, n_groups=1).sum())
"""

NOWHERE_TO_CACHE = """
from numba.core import caching
class Nowhere(caching.CompileResultCacheImpl):
    _locator_classes = []
caching.FunctionCache._impl_class = Nowhere
"""


def test_only_the_kernels_import_numba():
    importers = {
        path.name
        for path in ROOM.parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        and any(
            name.split(".")[0] == "numba"
            for name in [getattr(node, "module", None) or "", *(a.name for a in node.names)]
        )
    }
    assert importers == {"_kernels.py"}


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(ROOM.glob("*.py")) if path.name != "_tree_kernels.py"],
    ids=lambda path: path.name,
)
def test_no_module_imports_the_kernels_at_its_top(path):
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        assert not (
            isinstance(statement, ast.ImportFrom) and "_kernels" in (statement.module or "")
        )


def test_kernels_are_kept_on_disk(run_python, tmp_path):
    assert run_python(COUNT, NUMBA_CACHE_DIR=str(tmp_path)) == "1"
    assert list(tmp_path.rglob("*.nbi"))


def test_kernels_work_where_nothing_can_be_kept(run_python):
    assert run_python(NOWHERE_TO_CACHE + COUNT) == "1"


def test_kernels_run_without_the_interpreters_lock():
    from arbitree.counts import _kernels, _tree_kernels

    both = [*vars(_kernels).values(), *vars(_tree_kernels).values()]
    kernels = [each for each in both if hasattr(each, "py_func")]
    assert kernels
    assert all(kernel.targetoptions["nogil"] for kernel in kernels)


def test_at_most_a_dozen_kernels_are_called_from_python():
    called = set()
    for path in Path(arbitree.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and str(node.module).endswith("_kernels"):
                called |= {alias.name for alias in node.names}
    assert 0 < len(called) <= 12
