"""The example of a GitHub Action can be read, and its commands do what it says."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

import arbitree as ar
from arbitree.cli import main

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "github-action.yml"


@pytest.fixture
def steps():
    yaml = pytest.importorskip("yaml")
    read = yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))
    assert set(read) == {"name", True, "permissions", "jobs"}  # YAML reads "on" as true
    return read["jobs"]["audit"]["steps"]


def _command(steps, word):
    commands = [shlex.split(step["run"]) for step in steps if "run" in step]
    return next(words for words in commands if word in words)


def test_what_is_installed_exists(steps):
    import tomllib

    project = tomllib.loads((EXAMPLE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    name, _, extras = _command(steps, "install")[-1].rstrip("]").partition("[")
    assert name == project["project"]["name"]
    assert set(extras.split(",")) <= set(project["project"]["optional-dependencies"])


@pytest.mark.parametrize(("selected", "status"), [((30, 55), 1), ((50, 52), 0)])
def test_the_audit_fails_the_build_where_a_group_is_behind(
    steps, selected, status, tmp_path, monkeypatch
):
    pytest.importorskip("jinja2")
    lines = ["sex,race,approved"]
    for sex, n in zip("fm", selected):
        lines += [f"{sex},{race},{'yes' if i < n else 'no'}" for race in "ab" for i in range(100)]
    (tmp_path / "decisions.csv").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(_command(steps, "audit")[1:]) == status
    uploaded = next(step for step in steps if "upload-artifact" in step.get("uses", ""))
    assert uploaded["if"] == "always()"
    assert ar.__version__ in (tmp_path / uploaded["with"]["path"]).read_text(encoding="utf-8")
