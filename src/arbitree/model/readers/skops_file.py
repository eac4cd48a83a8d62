"""skops files, of which only types are built that are known or that the user trusts."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Sequence
from importlib import import_module
from typing import Any

from arbitree._errors import InputError, MissingDependencyError
from arbitree._wording import counted, listed
from arbitree.model.read import ReadModel
from arbitree.model.readers.estimator import of_estimator
from arbitree.model.readers.tree_holders import CHECKED, refuse_wrong_trees

# It describes arrays and runs nothing; encoders of texts hold one.
_HARMLESS = ("numpy.dtype",)


def read_skops(
    data: bytes, *, path: str, trust: Collection[str], columns: Sequence[str] | None
) -> ReadModel:
    """The estimator in a skops file.

    Raises
    ------
    InputError
        If it is no such file, or holds types that are neither known nor trusted: lists them.
    MissingDependencyError
    """
    try:
        from skops.io import get_untrusted_types, loads
    except ImportError as error:
        raise MissingDependencyError(
            "Reading a skops file needs skops. Install it with: pip install 'arbitree[models]'"
        ) from error
    try:
        untrusted = get_untrusted_types(data=data)
    except Exception as error:
        raise InputError(f"{path} is no skops file: {_told(error)}") from error
    known = (*_HARMLESS, *CHECKED)
    ours = [name for name in untrusted if name in known or _is_ours(name)]
    strange = [name for name in untrusted if name not in (*ours, *trust)]
    if strange:
        raise InputError(_untrusted(path, strange))
    try:
        native: Any = loads(data, trusted=sorted({*ours, *trust}))
    except Exception as error:
        raise InputError(f"{path} cannot be read: {_told(error)}") from error
    _check_trees(native, path, trust)
    return of_estimator(native, path=path, kind="skops", columns=columns)


def _check_trees(native: Any, path: str, trust: Collection[str]) -> None:
    """Trees are built of any file, and asked only where their arrays have been checked."""
    try:
        loose = refuse_wrong_trees(native, path)
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{path} holds a model that is not whole: {_told(error)}") from error
    strange = [name for name in loose if name not in trust]
    if strange:
        raise InputError(
            f"{path} holds {listed(strange)} where arbitree does not know what asks it, and "
            "scikit-learn would not check it. Nothing was asked. If you trust whoever made the "
            f"file, pass trust={strange!r}."
        )


def _untrusted(path: str, strange: Sequence[str]) -> str:
    many, are = counted(len(strange), "type"), "is" if len(strange) == 1 else "are"
    return (
        f"{path} holds {many} that {are} not known to be harmless: {', '.join(strange)}. Nothing "
        f"was built. If you trust whoever made the file, pass trust={list(strange)!r}."
    )


def _is_ours(name: str) -> bool:
    """Whether it is a class that arbitree defines, whose building runs nothing but arbitree."""
    module, _, attribute = name.rpartition(".")
    if not module.startswith("arbitree."):
        return False
    try:
        found = getattr(import_module(module), attribute, None)
    except ImportError:
        return False
    return inspect.isclass(found) and found.__module__ == module


def _told(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300].rstrip(".") + "."
