"""Any model file -> something that decides."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from arbitree._errors import InputError
from arbitree.model.read import ReadModel
from arbitree.model.readers.choose import read_other
from arbitree.model.readers.kinds import refuse_other_kind
from arbitree.table.whole_file import read_whole
from arbitree.tree.estimator import TreeClassifier
from arbitree.tree.saved_tree import read_tree


def read_model(
    path: str | os.PathLike[str],
    *,
    allow_pickle: bool = False,
    trust: Collection[str] = (),
    model_columns: Sequence[str] | None = None,
) -> TreeClassifier | ReadModel:
    """The model in a file, without running what is in the file unless that is asked for.

    Parameters
    ----------
    path : str or path
        A ``tree.json``, or a model as skops (.skops), ONNX (.onnx), XGBoost (.json, .ubj) or
        LightGBM (.txt) write it; a pickle only with `allow_pickle`.
    allow_pickle : bool
        Whether a pickle, which can run any program as it is opened, may be.
    trust : collection of str
        Types of a skops file that may be built besides those that are known to be harmless.
    model_columns : sequence of str, optional
        The columns that the model reads, in the order of its training, where the file does not
        say them.

    Returns
    -------
    TreeClassifier or ReadModel
        With ``predict``, for frames with at least the columns that it reads.

    Raises
    ------
    InputError
        If it is no such file, decides nothing, or must not be opened without a word.
    MissingDependencyError
        If the library that wrote it is not installed.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> tree = TreeClassifier().fit({"age": [30, 60]}, ["no", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tree.save(f"{folder}/tree.json")
    ...     again = read_model(f"{folder}/tree.json")
    >>> again.predict({"age": [44, 46]}).tolist()
    ['no', 'yes']
    """
    if not isinstance(trust, Collection) or isinstance(trust, str):
        trust = (trust,)
    data = read_whole(Path(path))
    refuse_other_kind(data, Path(path).suffix.lower(), str(path))
    if Path(path).suffix.lower() == ".json" and not _is_xgboost(data):
        if model_columns is not None:
            raise InputError(f"{path} says itself which columns it reads. Leave them out.")
        return read_tree(path)
    return read_other(path, allow_pickle=allow_pickle, trust=trust, columns=model_columns)


def _is_xgboost(data: bytes) -> bool:
    """Whether JSON is of XGBoost, whose files begin with the learner or its version."""
    return b'"learner"' in data and b'"arbitree-tree"' not in data[:200]
