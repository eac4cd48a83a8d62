"""A tree as an ONNX model, categories included.

The tree is one ``TreeEnsembleRegressor`` whose targets are the number of the class and the shares
of classes, so that a decision need not be the class with the largest share. Categories are mapped
to the branch they take by a ``LabelEncoder`` for each split.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from arbitree._errors import MissingDependencyError
from arbitree.model.tree import LEAF, Tree
from arbitree.table.levels import level_texts
from arbitree.tree.export.onnx_inputs import Input, model_inputs
from arbitree.tree.export.refusals import refuse_ranges
from arbitree.tree.export.shares import shares
from arbitree.tree.export.two_way import SplitColumn, TwoWayTree, all_numbers, two_way

_OPSETS = (("", 17), ("ai.onnx.ml", 3))
_IR_VERSION = 8  # what a runtime of 2022 reads


def to_onnx(tree: Tree) -> Any:
    """An ONNX model with the same decisions on numbers that are float32.

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    onnx.ModelProto
        Inputs: ``X``, a matrix of float32, where every column holds numbers or truth values;
        else one of shape (n, 1) for each column that the tree reads. Outputs: ``label`` and
        ``probabilities``.

    Raises
    ------
    MissingDependencyError
        If onnx is not installed.
    """
    try:
        from onnx import TensorProto, helper
    except ImportError as error:
        raise MissingDependencyError(
            "to_onnx needs onnx. Install it with: pip install 'arbitree[onnx]'"
        ) from error
    refuse_ranges(tree)
    found = two_way(tree, truths_as_numbers=True)
    inputs = model_inputs(tree)
    nodes, matrix = _matrix(tree, found, inputs, helper)
    nodes.append(_ensemble(tree, found, matrix, helper))
    more, constants, label_type = _outputs(tree, helper, TensorProto)
    shape = [None, len(tree.classes)]
    graph = helper.make_graph(
        [*nodes, *more],
        "tree",
        [_declared(one, tree, helper, TensorProto) for one in inputs],
        [
            helper.make_tensor_value_info("label", label_type, [None]),
            helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, shape),
        ],
        constants,
    )
    model = helper.make_model(
        graph,
        ir_version=_IR_VERSION,
        opset_imports=[helper.make_opsetid(*opset) for opset in _OPSETS],
        producer_name="arbitree",
    )
    helper.set_model_props(model, _described(tree, inputs))
    return model


def _declared(one: Input, tree: Tree, helper: Any, types: Any) -> Any:
    kind = {"number": types.FLOAT, "text": types.STRING, "whole": types.INT64}[one.kind]
    width = len(tree.features) if one.feature is None else 1
    return helper.make_tensor_value_info(one.name, kind, [None, width])


def _matrix(
    tree: Tree, found: TwoWayTree, inputs: Sequence[Input], helper: Any
) -> tuple[list[Any], str]:
    """Operations that make the compared columns, and what their matrix is called."""
    if all_numbers(tree):
        return [], inputs[0].name
    of_feature = {one.feature: one for one in inputs}
    nodes, parts = [], []
    for i, column in enumerate(found.columns or _unread(inputs[0])):
        one = of_feature[column.feature]
        if column.places is None:
            parts.append(one.name)
            continue
        parts.append(f"/branch {i}")
        keys = {"text": "keys_strings", "whole": "keys_int64s", "number": "keys_floats"}[one.kind]
        nodes.append(
            helper.make_node(
                "LabelEncoder",
                [one.name],
                [parts[-1]],
                domain="ai.onnx.ml",
                values_floats=[float(place) for place in column.places[:-1]],
                default_float=float(column.places[-1]),
                **{keys: list(one.keys)},
            )
        )
    nodes.append(helper.make_node("Concat", parts, ["/columns"], axis=1))
    return nodes, "/columns"


def _unread(one: Input) -> tuple[SplitColumn]:
    """A column for a tree that compares none; its rows are counted."""
    assert one.feature is not None
    places = (0,) * (len(one.keys) + 1) if one.keys else None
    return (SplitColumn(feature=one.feature, places=places),)


def _ensemble(tree: Tree, found: TwoWayTree, matrix: str, helper: Any) -> Any:
    n = len(found.node)
    leaf = found.column == LEAF
    of_column = [column.feature for column in found.columns]
    if not all_numbers(tree):
        of_column = list(range(len(found.columns)))
    column = [of_column[c] if c != LEAF else 0 for c in found.column.tolist()]
    targets = np.column_stack([tree.label, shares(tree)])[found.node]
    leaves = np.flatnonzero(leaf).tolist()
    n_targets = targets.shape[1]
    return helper.make_node(
        "TreeEnsembleRegressor",
        [matrix],
        ["/decided"],
        domain="ai.onnx.ml",
        n_targets=n_targets,
        nodes_treeids=[0] * n,
        nodes_nodeids=list(range(n)),
        nodes_featureids=column,
        nodes_modes=["LEAF" if end else "BRANCH_LEQ" for end in leaf.tolist()],
        nodes_values=np.where(leaf, 0.0, found.threshold).tolist(),
        nodes_truenodeids=np.where(leaf, 0, found.left).tolist(),
        nodes_falsenodeids=np.where(leaf, 0, found.right).tolist(),
        nodes_missing_value_tracks_true=found.missing_left.astype(int).tolist(),
        target_treeids=[0] * (len(leaves) * n_targets),
        target_nodeids=np.repeat(leaves, n_targets).tolist(),
        target_ids=list(range(n_targets)) * len(leaves),
        target_weights=targets[leaf].ravel().tolist(),
    )


def _outputs(tree: Tree, helper: Any, types: Any) -> tuple[list[Any], list[Any], int]:
    """Operations from targets to label and probabilities, their constants, the label's type."""
    values, label_type = _labels(tree.classes, types)
    n = len(tree.classes)
    make = helper.make_node
    nodes = [
        make("Gather", ["/decided", "/first"], ["/number"], axis=1),
        make("Cast", ["/number"], ["/class"], to=types.INT64),
        make("Gather", ["/classes", "/class"], ["label"], axis=0),
        make("Gather", ["/decided", "/others"], ["probabilities"], axis=1),
    ]
    constants = [
        helper.make_tensor("/first", types.INT64, [], [0]),
        helper.make_tensor("/others", types.INT64, [n], list(range(1, n + 1))),
        helper.make_tensor("/classes", label_type, [n], values),
    ]
    return nodes, constants, label_type


def _labels(classes: Sequence[Any], types: Any) -> tuple[list[Any], int]:
    """Whole numbers, fractions and truths of one type as such, other classes as their texts."""
    kinds: dict[type, tuple[int, Callable[[Any], Any]]] = {
        int: (types.INT64, int),
        float: (types.DOUBLE, float),
        bool: (types.BOOL, bool),
    }
    kind = type(classes[0])
    alike = all(type(label) is kind for label in classes)
    if alike and kind in kinds and (kind is not int or all(-(2**63) <= c < 2**63 for c in classes)):
        code, convert = kinds[kind]
        return [convert(label) for label in classes], code
    texts = classes if all(isinstance(c, str) for c in classes) else level_texts(classes)
    return [text.encode("utf-8", "backslashreplace") for text in texts], types.STRING


def _described(tree: Tree, inputs: Sequence[Input]) -> dict[str, str]:
    """What a reader of the file should know, as JSON texts."""
    units = {one.name: one.unit for one in inputs if one.unit}
    found = {"classes": json.dumps(level_texts(tree.classes))}
    if units:
        found["units"] = json.dumps(units)
    return found
