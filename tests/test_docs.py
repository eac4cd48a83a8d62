"""Every example in the README and the docs does what it shows.

A ```python block is run, in order, with the earlier blocks of its page; where it has prompts, what
they print must be as shown. In a ```console block each line after "$ " is run, and what it prints
must be as shown, with "..." for anything. Other blocks (```sh) are not run.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)[^)]*\)")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

matplotlib.use("agg")


def _blocks(page: Path) -> Iterator[tuple[str, str, int]]:
    """Language, text and first line of each fenced block."""
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        yield found[1], found[2], text.count("\n", 0, found.start(2)) + 1


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def _run_python(text: str, names: dict[str, object], where: str) -> None:
    if ">>>" not in text:
        exec(compile(text, where, "exec"), names)
        return
    example = doctest.DocTestParser().get_doctest(text, names, where, where, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    said: list[str] = []
    runner.run(example, out=said.append, clear_globs=False)
    names.update(example.globs)
    assert not runner.failures, "".join(said)


def _commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command with the output shown below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, output = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*\n)(.*)", part, re.DOTALL).groups()
        yield command, output


def _run_command(command: str, shown: str, where: str) -> None:
    binaries = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        command,
        shell=True,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert doctest.OutputChecker().check_output(shown, done.stdout, FLAGS), (
        f"{where}\n$ {command}prints\n{done.stdout}\nand not\n{shown}"
    )


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_the_examples_of_a_page_do_what_they_show(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for language, text, line in _blocks(page):
        where = f"{_name(page)}, line {line}"
        if language == "python":
            _run_python(text, names, where)
        elif language == "console":
            for command, shown in _commands(text):
                _run_command(command, shown, where)


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_the_links_of_a_page_lead_somewhere(page):
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    assert not [target for target in targets if not (page.parent / target).exists()]
