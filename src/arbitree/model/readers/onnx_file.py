"""ONNX models of tables: one matrix of numbers, or an input for each column."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError, MissingDependencyError
from arbitree._wording import counted, listed
from arbitree.model.read import ReadModel
from arbitree.model.readers.names import named

_CODE = re.compile(r"^\[ONNXRuntimeError\] : \d+ : \w+ : ")
_NUMBERS = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(bool)": np.bool_,
}
_TEXT = "tensor(string)"
_LABELS = ("tensor(int64)", "tensor(int32)", "tensor(string)", "tensor(bool)")


def read_onnx(data: bytes, *, path: str, columns: Sequence[str] | None) -> ReadModel:
    """A classifier as an ONNX model.

    Its label is the first output of whole numbers, truths or texts; where there is none, the
    largest of the shares, or of one share whether it is above a half.

    Raises
    ------
    InputError
        If it is no such file, or its inputs and outputs are not those of a classifier of rows.
    MissingDependencyError
    """
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingDependencyError(
            "Reading an ONNX model needs onnxruntime. Install it with: pip install 'arbitree[onnx]'"
        ) from error
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # what is wrong is said by the error
    try:
        session = onnxruntime.InferenceSession(
            data, sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:
        said = _CODE.sub("", " ".join(str(error).split()))
        told = said[:200].rstrip(".")
        raise InputError(f"{path} is no ONNX model that can be run: {told}.") from error
    inputs = session.get_inputs()
    _check_types(inputs, path)
    wide = len(inputs) == 1 and _width(inputs[0]) != 1
    if wide:
        names = named(path, None, _width(inputs[0]), columns)
    else:
        names = tuple(columns) if columns is not None else tuple(one.name for one in inputs)
        if len(names) != len(inputs):
            raise InputError(
                f"{path} has {counted(len(inputs), 'input')}, and model_columns names {len(names)}."
            )
    output, labels = _output(session, path)

    def decide(frame: pd.DataFrame) -> np.ndarray:
        given = _matrix(inputs[0], frame) if wide else _by_column(inputs, frame)
        return labels(np.asarray(session.run([output], given)[0]))

    return ReadModel(
        path=path,
        kind="ONNX",
        native=session,
        columns=names,
        reads="values" if any(one.type == _TEXT for one in inputs) else "numbers",
        classes=None,
        decide=decide,
    )


def _check_types(inputs: Sequence[Any], path: str) -> None:
    if not inputs:
        raise InputError(f"{path} has no inputs. Export a model that reads rows.")
    for one in inputs:
        if one.type not in (*_NUMBERS, _TEXT):
            raise InputError(
                f"{path} has an input {one.name!r} of type {one.type}. Inputs are columns of "
                "numbers or texts, or one matrix of them."
            )
        if len(one.shape) not in (1, 2):
            raise InputError(
                f"{path} has an input {one.name!r} of {len(one.shape)} dimensions, {one.shape}. "
                "It should read rows of a table."
            )
    several = [one.name for one in inputs if len(inputs) > 1 and _width(one) != 1]
    if several:
        raise InputError(
            f"{path} has several inputs, of which {listed(several)} has more than one column. Give "
            "the model one matrix, or an input for each column."
        )


def _width(one: Any) -> int | None:
    """The columns of an input, None where the file does not say."""
    if len(one.shape) == 1:
        return 1
    return one.shape[1] if isinstance(one.shape[1], int) else None


def _output(session: Any, path: str) -> tuple[str, Callable[[np.ndarray], np.ndarray]]:
    """The output to ask for, and how labels follow from it."""
    outputs = session.get_outputs()
    for one in outputs:
        if one.type in _LABELS:
            return one.name, _flat
    for one in outputs:
        if one.type in ("tensor(float)", "tensor(double)"):
            return one.name, lambda told: _of_shares(told, path)
    raise InputError(
        f"{path} has the outputs {listed(one.name for one in outputs)}, none of which is a label "
        "or a tensor of shares."
    )


def _flat(told: np.ndarray) -> np.ndarray:
    return told[:, 0] if told.ndim == 2 and told.shape[1] == 1 else told


def _of_shares(told: np.ndarray, path: str) -> np.ndarray:
    if np.isnan(told).any() or (told < 0).any() or (told > 1).any():
        raise InputError(
            f"{path} returns numbers that are no shares from 0 to 1, and no labels. Export it "
            "with its label or its probabilities."
        )
    told = _flat(told)
    found = told > 0.5 if told.ndim == 1 else told.argmax(axis=1)
    return np.asarray(found, np.int64)


def _matrix(one: Any, frame: pd.DataFrame) -> dict[str, np.ndarray]:
    parts = [_values(one, frame[name]) for name in frame.columns]
    return {one.name: np.column_stack(parts)}


def _by_column(inputs: Sequence[Any], frame: pd.DataFrame) -> dict[str, np.ndarray]:
    found = {}
    for one, name in zip(inputs, frame.columns):
        values = _values(one, frame[name])
        found[one.name] = values.reshape(-1, 1) if len(one.shape) == 2 else values
    return found


def _values(one: Any, column: pd.Series) -> np.ndarray:
    """A column in an input's type."""
    missing = column.isna().to_numpy()
    if one.type == _TEXT:
        texts = column.astype(object).where(~missing, "")
        return np.array([str(text) for text in texts], object)
    dtype = _NUMBERS[one.type]
    try:
        numbers = column.to_numpy(np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise InputError(f"Input {one.name!r} is of numbers, and so must its column be.") from error
    if np.issubdtype(dtype, np.floating):
        return numbers.astype(dtype)
    wrong = missing | (numbers != np.trunc(numbers))
    if wrong.any():
        row = int(np.argmax(wrong))
        held = "no value" if missing[row] else f"{numbers[row]:g}"
        raise InputError(
            f"Input {one.name!r} is of whole numbers, and its column has {held} in row {row} of "
            "those asked about."
        )
    return column.to_numpy(dtype)
