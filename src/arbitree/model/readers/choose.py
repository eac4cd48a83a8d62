"""Which reader a model file needs: its first bytes and its ending say."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from arbitree._errors import InputError
from arbitree.model.read import ReadModel
from arbitree.table.whole_file import read_whole

_PICKLES = (".pkl", ".pickle", ".joblib", ".sav", ".p")
ENDINGS = (".json", ".skops", ".onnx", ".ubj", ".txt")


def read_other(
    path: str | os.PathLike[str],
    *,
    allow_pickle: bool = False,
    trust: Collection[str] = (),
    columns: Sequence[str] | None = None,
) -> ReadModel:
    """A model of another library.

    Parameters
    ----------
    path : str or path
    allow_pickle : bool
        Whether a pickle may be opened, which can run any program.
    trust : collection of str
        Types of a skops file that may be built.
    columns : sequence of str, optional
        What the model reads, in its order, where the file does not say.

    Returns
    -------
    ReadModel

    Raises
    ------
    InputError
        If it is no model that can be read, or not without one of these words.
    MissingDependencyError
        If the library that wrote it is not there.
    OSError
    """
    from arbitree.model.readers.kinds import refuse_other_kind
    from arbitree.model.readers.lightgbm_file import read_lightgbm
    from arbitree.model.readers.onnx_file import read_onnx
    from arbitree.model.readers.pickle_file import read_pickle
    from arbitree.model.readers.skops_file import read_skops
    from arbitree.model.readers.xgboost_file import read_xgboost

    data, name = read_whole(Path(path)), str(path)
    suffix = Path(path).suffix.lower()
    refuse_other_kind(data, suffix, name)
    if suffix == ".skops":
        return read_skops(data, path=name, trust=trust, columns=columns)
    if suffix == ".onnx":
        return read_onnx(data, path=name, columns=columns)
    if suffix in (".json", ".ubj"):
        return read_xgboost(data, path=name, columns=columns)
    if suffix == ".txt":
        return read_lightgbm(data, path=name, columns=columns)
    if suffix in _PICKLES or _is_pickle(data):
        return read_pickle(data, path=name, allowed=allow_pickle, columns=columns)
    raise InputError(
        f"{path} is no model that can be read. Models are a tree.json, skops (.skops), ONNX "
        "(.onnx), XGBoost's (.json, .ubj), LightGBM's (.txt) and, where they are allowed, pickles."
    )


def _is_pickle(data: bytes) -> bool:
    """Whether it begins as a pickle does that was written since 2003."""
    return data[:1] == b"\x80" and data[1:2] in bytes(range(2, 6)) and data[-1:] == b"."
