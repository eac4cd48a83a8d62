"""A model of another library, read from a file: what it decides on rows of named columns."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from arbitree._errors import ArbitreeWarning, InputError
from arbitree._wording import counted, listed
from arbitree.table.frames import columns as columns_of
from arbitree.table.measures import floats, kind_of
from arbitree.table.sources import check_there


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReadModel:
    """A model from a file.

    It has a decision for every row on its own, one of `classes` where these are known.

    Attributes
    ----------
    path, kind : str
        The file, and what wrote it: ``"skops"``, ``"pickle"``, ``"ONNX"``, ``"XGBoost"`` or
        ``"LightGBM"``.
    native : object
        The model as its own library has it: an estimator, a Booster, an InferenceSession.
    columns : tuple of str
        The columns that it reads, in its order.
    reads : {"numbers", "values"}
        Whether every column is read as numbers, or as the numbers, truths and texts that the
        file holds.
    classes : tuple or None
        Its labels, where the file says them.
    decide : callable
        From a pandas frame of exactly `columns` to a label for each row.
    cautions : callable
        From such a frame to sentences that the user should read.
    """

    path: str
    kind: str
    native: Any
    columns: tuple[str, ...]
    reads: Literal["numbers", "values"]
    classes: tuple[object, ...] | None
    decide: Callable[[pd.DataFrame], np.ndarray]
    cautions: Callable[[pd.DataFrame], Sequence[str]] = lambda frame: ()

    def predict(self, X: Any) -> np.ndarray:
        """The label of each row.

        Parameters
        ----------
        X : frame (n, d) or array of exactly `columns`
            Further columns of a frame are not read.

        Returns
        -------
        ndarray, shape (n,)

        Raises
        ------
        ColumnError
            If a column that the model reads is not there.
        InputError
            If the model fails, or reads numbers where there are none.
        """
        return decided(self, self._frame(X))

    def _frame(self, X: Any) -> pd.DataFrame:
        if isinstance(X, np.ndarray) and X.ndim == 2:
            X = self._named(X)
        if isinstance(X, pd.DataFrame) and self.reads == "values":
            check_there(self.columns, list(X.columns), where="X")
            return X.loc[:, list(self.columns)]
        found = {str(column.name): column for column in columns_of(X, what="X", default_name="x")}
        check_there(self.columns, list(found), where="X")
        frame = {}
        for name in self.columns:
            if self.reads == "values":
                frame[name] = found[name].values.to_pandas().reset_index(drop=True)
            elif kind_of(found[name]) not in ("number", "integer", "boolean"):
                raise InputError(
                    f"{self.path} reads column {name!r} as numbers, and X has none there."
                )
            else:
                frame[name] = pd.Series(floats(found[name]))
        return pd.DataFrame(frame)

    def _named(self, X: np.ndarray) -> pd.DataFrame:
        if X.shape[1] != len(self.columns):
            raise InputError(
                f"X has {counted(X.shape[1], 'column')}, and {self.path} reads "
                f"{len(self.columns)}: {listed(self.columns)}."
            )
        return pd.DataFrame(X, columns=list(self.columns))


def decided(model: ReadModel, frame: pd.DataFrame) -> np.ndarray:
    """The label of each row of exactly the model's columns.

    Raises
    ------
    InputError
        If the model fails, or returns something else than a label for each row.

    Warns
    -----
    ArbitreeWarning
        Where rows have levels that the model did not see in training.
    """
    try:
        found = np.asarray(model.decide(frame))
    except InputError:
        raise
    except Exception as error:
        told = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(f"{model.path} fails on these rows: {told[:300].rstrip('.')}.") from error
    for caution in model.cautions(frame):
        warnings.warn(caution, ArbitreeWarning, stacklevel=2)
    if found.ndim == 2 and found.shape[1] == 1:
        found = found[:, 0]
    if found.shape != (len(frame),):
        raise InputError(
            f"{model.path} returns an array of shape {found.shape} for "
            f"{counted(len(frame), 'row')}. A model decides one label for each row."
        )
    return found
