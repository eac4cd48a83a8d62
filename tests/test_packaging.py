"""What pyproject.toml declares agrees with the files beside it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
_TESTED = [line for extra in ("files", "report", "rules") for line in EXTRAS[extra]]
PYTHONS = [
    line.rpartition(" ")[2]
    for line in PROJECT["classifiers"]
    if line.startswith("Programming Language :: Python :: 3.")
]


def _bounds(requirements: list[str]) -> dict[str, str]:
    """Lower bounds by package, extras of our own left out."""
    pairs = (re.split(r"\[.*?\]>=|>=", line) for line in requirements if ">=" in line)
    return {name.lower(): bound for name, bound in pairs}


def test_the_oldest_versions_are_the_lower_bounds():
    text = (ROOT / ".ci" / "oldest.txt").read_text(encoding="utf-8")
    oldest = dict(line.split("==") for line in text.splitlines() if "==" in line)
    declared = _bounds(PROJECT["dependencies"]) | _bounds(_TESTED)
    for package in ("polars", "pytest", "hypothesis"):
        declared[package] = _bounds(EXTRAS["dev"])[package]
    exact = {name: re.sub(r"(\.0)+$", "", bound) for name, bound in declared.items()}
    assert {name: re.sub(r"(\.0)+$", "", version) for name, version in oldest.items()} == exact


def test_every_supported_python_can_be_picked_by_make():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    candidates = re.search(r"^CANDIDATES := (.*)$", makefile, re.MULTILINE).group(1).split()
    assert candidates[: len(PYTHONS)] == [f"python{version}" for version in reversed(PYTHONS)]
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"


def test_all_is_what_users_run():
    assert EXTRAS["all"] == ["arbitree[files,report,rules,shapley,dask,onnx,skops]"]


def test_the_news_begin_with_this_version():
    news = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+)", news, re.MULTILINE).group(1) == PROJECT["version"]


def test_the_licence_is_the_declared_one():
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert PROJECT["license"] == "Apache-2.0"
    assert "Apache License\n" in text
    assert "Version 2.0, January 2004" in text
