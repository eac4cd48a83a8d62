"""The files of a report: every one of them is whole, or none is there."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from .._errors import InputError
from .._tables import csv_table

if TYPE_CHECKING:
    from ..report.story.result import Story

MARK = "report.json"  # a folder with it is one that a report made


def check_folder(folder: Path) -> None:
    """Refuse a folder that may hold what somebody wants to keep.

    Raises
    ------
    InputError
        There is such a folder, and no report made it; or there is nothing to put it in.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file. Name a folder with --files.")
    if not folder.absolute().parent.is_dir():
        raise InputError(
            f"There is no folder {folder.absolute().parent} to write {folder.name} in."
        )
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise InputError(
            f"The folder {folder} holds something else than a report. Name another with --files, "
            "or pass --no-files."
        )


def files_of(story: Story) -> dict[str, bytes]:
    """The files by their names within the folder."""
    from ..report.story.tables import tables

    texts = {MARK: story.to_json()}
    if story.tree is not None:
        texts["tree.json"] = story.tree.learned.model.to_json()
    if story.certificate is not None:
        texts["certificate.json"] = story.certificate.to_json()
    for name, frame in tables(story).items():
        texts[f"tables/{name}.csv"] = csv_table(frame)
    return {name: _bytes(text) for name, text in texts.items()}


def _bytes(text: str) -> bytes:
    whole = text if text.endswith("\n") else f"{text}\n"
    return whole.encode("utf-8", "backslashreplace")


def write_folder(files: Mapping[str, bytes], folder: Path) -> None:
    """Write a folder beside its place, then move it there; what a report left there goes."""
    folder = folder.resolve()
    beside = Path(tempfile.mkdtemp(prefix=f".{folder.name[:100]}.", dir=folder.parent))
    try:
        new, old = beside / "new", beside / "old"
        for name, data in files.items():
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if folder.exists():
            os.replace(folder, old)
        try:
            os.replace(new, folder)
        except BaseException:
            if old.exists():
                os.replace(old, folder)
            raise
    finally:
        with suppress(OSError):
            shutil.rmtree(beside)
