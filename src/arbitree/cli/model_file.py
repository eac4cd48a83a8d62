"""A model's file as a command is given it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._errors import InputError
from ..table.whole_file import read_whole

if TYPE_CHECKING:
    from ..model.read import ReadModel
    from ..tree.estimator import TreeClassifier


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    """A file with a model, and what the user says of it."""

    path: Path
    allow_pickle: bool = False
    trust: tuple[str, ...] = ()
    columns: tuple[str, ...] | None = None

    def read(self) -> TreeClassifier | ReadModel:
        """The model."""
        return read_model(
            self.path,
            allow_pickle=self.allow_pickle,
            trust=self.trust,
            model_columns=self.columns,
        )

    def provable(self) -> Any:
        """The model as its library has it, of which something is to be proved.

        Raises
        ------
        InputError
            If its file does not say how it decides.
        """
        from ..model.read import ReadModel
        from ..model.readers.native_names import NO_ONNX, native_under_names

        if self.path.suffix.lower() == ".onnx" and self.path.exists():
            raise InputError(NO_ONNX.format(self.path))
        found = self.read()
        return native_under_names(found) if isinstance(found, ReadModel) else found

    def described(self) -> dict[str, str]:
        """The file and its SHA-256, for a report."""
        digest = sha256(read_whole(self.path)).hexdigest()
        return {"model": self.path.name, "model_sha256": digest}


def read_model(
    path: Path,
    *,
    allow_pickle: bool = False,
    trust: Sequence[str] = (),
    model_columns: Sequence[str] | None = None,
) -> TreeClassifier | ReadModel:
    """The model in a file, of any kind that `arbitree.read_model` reads.

    Raises
    ------
    InputError
        It is none, or must not be opened without --allow-pickle or --trust.
    """
    from ..tree.read_model import read_model as read

    return read(path, allow_pickle=allow_pickle, trust=trust, model_columns=model_columns)


def read_tree_file(path: Path, *, option: str) -> TreeClassifier:
    """The tree in a ``tree.json``.

    Raises
    ------
    InputError
        It is another model or none; says by which option or argument it was named.
    """
    if path.suffix.lower() != ".json":
        raise InputError(
            f"{option} {path} should be a tree.json, as arbitree learn -o writes it. What "
            "any other model decided is certified in Python, by ar.certify."
        )
    from ..tree.saved_tree import read_tree

    return read_tree(path)
