"""The notebooks of the gallery show what a run of them shows, and run without a warning."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"
NOTEBOOKS = sorted((DOCS / "gallery").glob("*.ipynb"))


def _stored(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_run_of_a_notebook_shows_what_the_notebook_shows(path):
    for needed in ("nbclient", "ipykernel"):
        pytest.importorskip(needed, reason="running notebooks needs nbclient and ipykernel")
    import nbformat
    from docs.gallery.run import executed, shown

    assert shown(executed(path)) == shown(nbformat.read(path, as_version=4))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_keeps_nothing_that_changes_by_run(path):
    notebook = _stored(path)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert {cell["execution_count"] for cell in code} == {None}
    assert {name for cell in code for name in cell["metadata"]} <= {"mystnb", "tags"}
    shown = json.dumps([cell["outputs"] for cell in code])
    assert not re.search(r" at 0x[0-9a-f]{6,}|/(?:tmp|home|Users)/", shown)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_picture_of_a_notebook_is_told_in_words(path):
    for cell in _stored(path)["cells"]:
        outputs = cell.get("outputs", [])
        if any("image/png" in output.get("data", {}) for output in outputs):
            assert cell["metadata"]["mystnb"]["image"]["alt"], cell["source"]


def test_the_index_has_each_notebook_once():
    index = (DOCS / "gallery" / "index.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\(([\w-]+\.ipynb)\)", index)
    assert sorted(linked) == [path.name for path in NOTEBOOKS]
