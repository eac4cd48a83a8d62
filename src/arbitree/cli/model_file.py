"""The decisions that a learnt tree makes on the rows of a file."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._errors import InputError, LabelError
from .._wording import listed
from .reading import table_of
from .words import Words

if TYPE_CHECKING:
    from ..table.coded import CodedTable
    from ..tree.estimator import TreeClassifier


def decided_table(
    file: str, model: Path | None, arguments: dict[str, Any], words: Words
) -> CodedTable:
    """Read a file; where there is a model, decisions are the model's.

    Parameters
    ----------
    file : str
    model : path or None
        A ``tree.json``.
    arguments : dict
        Those of `arbitree.read`. Features, where they are "all", become the columns that the
        model reads.
    words : Words
    """
    if model is None:
        return table_of(file, arguments, words)
    from ..model.deciding import codings_read, decided_outcome

    tree = read_model(model)
    codings = codings_read(tree.tree_)
    favorable = arguments.pop("favorable_label") or _said(tree)
    if arguments["label"] is not None and arguments["label_favorable"] is None:
        arguments["label_favorable"] = favorable
    if arguments.get("features") == "all":
        sensitive = arguments["sensitive"]
        arguments["features"] = [name for name in codings if name not in sensitive]
    table = table_of(file, arguments | {"codings": codings}, words)
    outcome = decided_outcome(tree.tree_, table.for_model, table.n_rows, favorable_label=favorable)
    return replace(table, decisions=outcome)


def _said(tree: TreeClassifier) -> object:
    """The favourable label that the model was fitted with."""
    if not tree.favorable_assumed_:
        return tree.favorable_label_
    classes = tree.tree_.classes
    raise LabelError(
        f"--model has the classes {listed(classes)}, and was grown without a word on which is "
        f"favourable. Say --favorable {shlex.quote(str(classes[-1]))}, or another of them."
    )


def read_model(path: Path, *, option: str = "--model") -> TreeClassifier:
    """The tree in a file.

    Parameters
    ----------
    path : Path
    option : str
        By which it was named.

    Raises
    ------
    InputError
        It is none.
    """
    if path.suffix.lower() != ".json":
        raise InputError(f"{option} {path} should be a tree.json, as arbitree learn -o writes it.")
    from ..tree.saved_tree import read_tree

    return read_tree(path)
