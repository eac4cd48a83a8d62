"""Debian's Chromium, driven by Playwright, and what it saw of a page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
_FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
_PATIENCE = 120_000  # milliseconds: a busy machine is no failure
_DRAWN = "document.documentElement.dataset.drawn === 'true'"


@dataclass
class Seen:
    """A page that is open, what it asked for, and what it complained of."""

    page: Any
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def texts(self, selector: str) -> list[str]:
        """The text of each element, in the order of the page."""
        return [text.strip() for text in self.page.locator(selector).all_text_contents()]

    def count(self, selector: str) -> int:
        """How many elements there are."""
        return int(self.page.locator(selector).count())


@contextmanager
def browser() -> Iterator[Any]:
    """A browser with an empty profile of its own; skips where there is none."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="needs playwright, see the extra dev"
    )
    if CHROMIUM is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=_FLAGS)
        yield opened
        opened.close()


@contextmanager
def opened(chromium: Any, path: Path, *, scripts: bool = True, **options: Any) -> Iterator[Seen]:
    """A file, open in a window of its own and drawn."""
    options.setdefault("viewport", {"width": 1280, "height": 900})
    context = chromium.new_context(java_script_enabled=scripts, **options)
    context.set_default_timeout(_PATIENCE)
    page = context.new_page()
    seen = Seen(page=page)
    page.on("request", lambda request: seen.requests.append(request.url))
    page.on("console", lambda message: seen.complaints.append(message.text))
    page.on("pageerror", lambda error: seen.complaints.append(str(error)))
    page.on("dialog", lambda dialog: seen.complaints.append(dialog.message))
    page.goto(path.as_uri())
    if scripts:
        page.wait_for_function(_DRAWN)
    yield seen
    context.close()
