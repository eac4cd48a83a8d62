"""The decisions that a model makes on the rows of a file."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .._errors import LabelError
from .._wording import listed
from .reading import table_of
from .words import Words

if TYPE_CHECKING:
    from ..model.read import ReadModel
    from ..table.coded import CodedTable
    from ..tree.estimator import TreeClassifier
    from .model_file import ModelFile


def decided_table(
    file: str, model: ModelFile | None, arguments: dict[str, Any], words: Words
) -> CodedTable:
    """Read a file; where there is a model, decisions are the model's.

    Parameters
    ----------
    file : str
    model : ModelFile or None
    arguments : dict
        Those of `arbitree.read`. Features, where they are "all", become the columns that the
        model reads.
    words : Words
    """
    if model is None:
        return table_of(file, arguments, words)
    from ..model.read import ReadModel

    found = model.read()
    if isinstance(found, ReadModel):
        table = _by_other(file, found, arguments, words)
    else:
        table = _by_tree(file, found, arguments, words)
    return replace(table, source={**(table.source or {}), **model.described()})


def _by_tree(
    file: str, tree: TreeClassifier, arguments: dict[str, Any], words: Words
) -> CodedTable:
    from ..model.deciding import codings_read, decided_outcome

    codings = codings_read(tree.tree_)
    favorable = arguments.pop("favorable_label") or _said(tree)
    arguments = _around(arguments, favorable, list(codings))
    table = table_of(file, arguments | {"codings": codings}, words)
    outcome = decided_outcome(tree.tree_, table.for_model, table.n_rows, favorable_label=favorable)
    return replace(table, decisions=outcome)


def _by_other(file: str, model: ReadModel, arguments: dict[str, Any], words: Words) -> CodedTable:
    from ..model.deciding_held import columns_read, held_outcome

    favorable = arguments.pop("favorable_label")
    _check_favorable(model, favorable)
    arguments = _around(arguments, favorable, model.columns)
    table = table_of(file, arguments | {"held": columns_read(model)}, words)
    outcome = held_outcome(model, table.held, table.n_rows, favorable_label=favorable)
    return replace(table, decisions=outcome, held=())


def _around(arguments: dict[str, Any], favorable: object, columns: Sequence[str]) -> dict[str, Any]:
    """Arguments in which labels are coded as the model's, and its columns are the features."""
    changed: dict[str, Any] = {}
    if arguments["label"] is not None and arguments["label_favorable"] is None:
        changed["label_favorable"] = favorable
    if arguments.get("features") == "all":
        sensitive = arguments["sensitive"]
        changed["features"] = [name for name in columns if name not in sensitive]
    return arguments | changed


def _check_favorable(model: ReadModel, favorable: object) -> None:
    """Ask for the favourable class before the file is read, where the classes do not say it."""
    classes = model.classes
    if favorable is None and classes is not None and not _say_themselves(classes):
        raise LabelError(
            f"{model.path} has the classes {listed(classes)}. Say which is favourable with "
            f"--favorable {shlex.quote(str(classes[-1]))}, or another of them."
        )


def _say_themselves(classes: Sequence[object]) -> bool:
    from ..tree.favorable import say_themselves

    return say_themselves(tuple(classes))


def _said(tree: TreeClassifier) -> object:
    """The favourable label that the model was fitted with."""
    if not tree.favorable_assumed_:
        return tree.favorable_label_
    classes = tree.tree_.classes
    raise LabelError(
        f"--model has the classes {listed(classes)}, and was grown without a word on which is "
        f"favourable. Say --favorable {shlex.quote(str(classes[-1]))}, or another of them."
    )
