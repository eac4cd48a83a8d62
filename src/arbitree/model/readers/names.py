"""Which columns a model reads, where its file may not say."""

from __future__ import annotations

from collections.abc import Sequence

from arbitree._errors import InputError
from arbitree._wording import counted


def named(
    path: str, said: Sequence[str] | None, n_columns: int | None, given: Sequence[str] | None
) -> tuple[str, ...]:
    """The columns that a file says, else those that the user gives.

    Parameters
    ----------
    path : str
    said : sequence of str or None
        By the file.
    n_columns : int or None
        How many there are, where the file only says that.
    given : sequence of str or None

    Raises
    ------
    InputError
        If neither says them, or they contradict each other.
    """
    if said is not None:
        if given is not None and tuple(given) != tuple(said):
            raise InputError(
                f"{path} says itself which columns it reads, and in which order. Leave "
                "model_columns out."
            )
        return tuple(said)
    many = "columns" if n_columns is None else counted(n_columns, "column")
    if given is None:
        raise InputError(
            f"{path} reads {many} and has no names for them. Name them in the order of its "
            "training with model_columns, or save a model that was fitted on a frame."
        )
    if n_columns is not None and len(given) != n_columns:
        raise InputError(f"{path} reads {many}, and model_columns names {len(given)}.")
    return tuple(given)
