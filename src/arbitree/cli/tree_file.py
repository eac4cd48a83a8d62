"""A learnt tree as a file: ``tree.json``, source, text, ONNX or skops."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .._errors import InputError, MissingDependencyError
from .._wording import listed
from ..table.whole_file import write_whole
from .output import Format, Output, check_place

if TYPE_CHECKING:
    from ..tree.estimator import TreeClassifier

FORMATS = (".json", ".py", ".sql", ".txt", ".onnx", ".skops")


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeFile:
    """A place for a tree, checked before any work is done; without a path standard output."""

    path: Path | None

    def write(self, model: TreeClassifier) -> None:
        """Write the whole tree, or raise OSError and leave no part of it in a file."""
        if self.path is None:
            Output(format=Format.JSON).write(model.to_json())
        else:
            write_whole(_bytes(model, self.path.suffix.lower()), self.path)


def tree_file(path: Path | None, *, reads: str) -> TreeFile | None:
    """Check where a tree is to go; None for nowhere, ``-`` is standard output.

    Raises
    ------
    InputError
        The name does not say which format; a folder that is not there, or the file that is read.
    """
    if path is None:
        return None
    if str(path) == "-":
        return TreeFile(path=None)
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"--output {path} should end in one of {listed(FORMATS)}.")
    check_place(path, reads=reads)
    return TreeFile(path=path)


def _bytes(model: TreeClassifier, suffix: str) -> bytes:
    if suffix == ".onnx":
        return bytes(model.to_onnx().SerializeToString())
    if suffix == ".skops":
        return _skops(model)
    text = {
        ".json": model.to_json,
        ".py": model.to_python,
        ".sql": model.to_sql,
        ".txt": model.export_text,
    }[suffix]()
    whole = text if text.endswith("\n") else f"{text}\n"
    return whole.encode("utf-8", "backslashreplace")


def _skops(model: TreeClassifier) -> bytes:
    try:
        from skops.io import dumps
    except ImportError as error:
        raise MissingDependencyError(
            "Writing a skops file needs skops. Install it with: pip install 'arbitree[models]'"
        ) from error
    return bytes(dumps(model))
