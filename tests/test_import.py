"""What `import arbitree` costs and gives, in a fresh interpreter."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys

import pytest

import arbitree

SLOW = {"matplotlib", "duckdb", "dask", "distributed", "sklearn", "numba", "pyarrow", "polars"}
SLOW |= {"jinja2", "z3", "pysat", "lark", "typer", "rich", "shap", "onnx"}


def _run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _loaded(code: str) -> set[str]:
    return set(json.loads(_run(f"{code}\nimport json, sys; print(json.dumps(list(sys.modules)))")))


def test_importing_arbitree_loads_nothing_slow():
    loaded = _loaded("import arbitree")
    assert not SLOW & loaded
    assert "scipy.stats" not in loaded


@pytest.mark.parametrize("name", arbitree.__all__)
def test_every_public_name_is_there(name):
    assert getattr(arbitree, name) is not None


def test_public_names_are_listed_for_completion():
    assert set(arbitree.__all__) <= set(dir(arbitree))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = arbitree.no_such_name


def test_the_version_is_the_installed_one():
    assert arbitree.__version__ == importlib.metadata.version("arbitree")
