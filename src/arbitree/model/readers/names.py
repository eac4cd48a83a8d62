"""Which columns a model reads, where its file may not say."""

from __future__ import annotations

from collections.abc import Sequence

from arbitree._errors import InputError
from arbitree._wording import counted


def named(
    path: str, said: Sequence[str] | None, n_columns: int | None, given: Sequence[str] | None
) -> tuple[str, ...]:
    """The columns that the user gives, else those that a file says.

    Parameters
    ----------
    path : str
    said : sequence of str or None
        By the file.
    n_columns : int or None
        How many there are, where the file only says that.
    given : sequence of str or None
        What they are called now, in the order of the training.

    Raises
    ------
    InputError
        If neither says them, or there are more of one than of the other.
    """
    if said is not None:
        n_columns = len(said)
    many = "columns" if n_columns is None else counted(n_columns, "column")
    if given is not None and n_columns not in (None, len(given)):
        raise InputError(f"{path} reads {many}, and model_columns names {len(given)}.")
    if given is None and said is None:
        raise InputError(
            f"{path} reads {many} and has no names for them. Name them in the order of its "
            "training with model_columns, or save a model that was fitted on a frame."
        )
    return tuple(given if given is not None else said or ())
