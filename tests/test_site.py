"""The documentation as a site: it builds without a warning and asks nothing of the network."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import arbitree as ar

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
NAMED = re.compile(r"^\.\. auto(?!module)\w+:: arbitree\.(\w+)$", re.MULTILINE)
FETCHED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)=\"(?:https?:)?//[^\"]*\"")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    pytest.importorskip("sphinx", reason="the site needs the extra docs")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, "-d", str(folder / "doctrees"), str(DOCS), str(folder / "html")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


def test_every_page_of_the_docs_is_a_page_of_the_site(site):
    paths = [*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")]
    pages = {path.relative_to(DOCS).with_suffix("") for path in paths}
    pages = {page for page in pages if page.parts[0] != "_build"}
    built = {path.relative_to(site).with_suffix("") for path in site.rglob("*.html")}
    assert pages <= built


def test_no_page_of_the_site_loads_anything_from_elsewhere(site):
    pages = {path.name: FETCHED.findall(path.read_text("utf-8")) for path in site.rglob("*.html")}
    assert {name: found for name, found in pages.items() if found} == {}


def test_the_reference_has_every_public_name_once():
    text = "\n".join(path.read_text("utf-8") for path in (DOCS / "reference").glob("*.md"))
    assert sorted(set(NAMED.findall(text)) | {"datasets"}) == sorted(ar.__all__)
    assert len(NAMED.findall(text)) == len(set(NAMED.findall(text)))
