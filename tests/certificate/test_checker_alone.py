"""The checker owes nothing to what it checks: it needs Python, and nothing else."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import arbitree.certificate.check as checker

from . import problems

FILES = sorted(Path(checker.__file__).parent.glob("*.py"))
# Only where a user asks for them: z3's second opinion, and Parquet.
IN_FUNCTIONS = {"second_opinion": {"z3", "arbitree._errors"}, "table_file": {"pandas"}}


def _imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, path
            yield node.module


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_imports_the_standard_library_and_itself(path):
    others = {
        name
        for name in _imports(path)
        if name.split(".")[0] not in sys.stdlib_module_names
        and not name.startswith("arbitree.certificate.check.")
    }
    assert others <= IN_FUNCTIONS.get(path.stem, set())


def test_it_runs_where_nothing_else_is_installed(tmp_path):
    path = tmp_path / "certificate.json"
    problems.both().write(path)
    rows = tmp_path / "rows.csv"
    problems.people().to_csv(rows, index=False)
    refuse = (
        "import sys, runpy\n"
        "for name in ('numpy', 'pandas', 'scipy', 'sklearn', 'numba', 'narwhals', 'pysat'):\n"
        "    sys.modules[name] = None\n"
        "runpy.run_module('arbitree.certificate.check', run_name='__main__', alter_sys=True)\n"
    )
    for more in ([], ["--data", str(rows)]):
        done = subprocess.run(
            [sys.executable, "-c", refuse, str(path), *more], capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("certificate: valid\n")
    document = json.loads(path.read_text(encoding="utf-8"))
    document["fairness"]["bound"] -= 0.01
    path.write_text(json.dumps(document), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "arbitree.certificate.check", path], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "the seal is" in done.stdout
    done = subprocess.run(
        [sys.executable, "-m", "arbitree.certificate.check", tmp_path / "nowhere.json"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
