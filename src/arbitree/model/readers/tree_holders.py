"""Trees in a model that was read from a skops file, checked before anything asks them.

skops counts scikit-learn's `Tree` and `TreePredictor` as untrusted, not because building them runs
anything, but because their arrays are followed in C without a check. Here they are trusted where
they stand in estimators that make sure of the width of the rows, and where their arrays are right.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree.model.readers.tree_arrays import check_predictor, check_tree

TREE = "sklearn.tree._tree.Tree"
PREDICTOR = "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor"
PARTIAL = "functools.partial"
CHECK_ARRAY = "sklearn.utils.validation.check_array"
CHECKED = (TREE, PREDICTOR, PARTIAL, CHECK_ARRAY)


def refuse_wrong_trees(native: Any, path: str) -> list[str]:
    """Check the trees of every estimator in a model.

    Parameters
    ----------
    native : object
        As skops built it; nothing of it has been called.
    path : str

    Returns
    -------
    list of str
        Types of `CHECKED` that stand where nothing makes sure of them.

    Raises
    ------
    InputError
        If a tree leads out of its nodes or columns; names the node.
    """
    found, sure = list(_objects(native)), set()
    n_checked = 0
    for one in found:
        for tree in _trees_of(one, path, n_checked):
            sure.add(id(tree))
            n_checked += 1
    for one in found:
        _check_boosting(one, path)
    return sorted({name for one in found if (name := _kind(one)) and id(one) not in sure})


def _kind(one: Any) -> str | None:
    """Which of the types that are trusted only where they are checked."""
    if isinstance(one, partial):
        from sklearn.utils.validation import check_array

        return None if one.func is check_array else PARTIAL
    name = f"{type(one).__module__}.{type(one).__qualname__}"
    return name if name in (TREE, PREDICTOR) else None


def _trees_of(one: Any, path: str, n_before: int) -> Iterator[Any]:
    """The trees that an estimator holds itself, each once it is checked."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from sklearn.tree import (
        DecisionTreeClassifier,
        DecisionTreeRegressor,
        ExtraTreeClassifier,
        ExtraTreeRegressor,
    )

    classifiers = (DecisionTreeClassifier, ExtraTreeClassifier)
    if type(one) in (*classifiers, DecisionTreeRegressor, ExtraTreeRegressor):
        tree = vars(one).get("tree_")
        if _kind(tree) == TREE:
            _refuse_overwritten(one, path)
            check_tree(tree, n_features=_width(one, path), where=f"{path}: tree {n_before}")
            if type(one) in classifiers:
                _check_classes(one, tree, f"{path}: tree {n_before}")
            yield tree
    elif type(one) in (HistGradientBoostingClassifier, HistGradientBoostingRegressor):
        _refuse_overwritten(one, path)
        n_features = _width(one, path)
        categorical = _categorical(one, n_features, path)
        predictors = [of for round_ in vars(one).get("_predictors", ()) for of in round_]
        for place, predictor in enumerate(predictors, n_before):
            where = f"{path}: tree {place}"
            if _kind(predictor) != PREDICTOR:
                raise InputError(f"{where} is a {type(predictor).__name__}.")
            check_predictor(predictor, n_features=n_features, categorical=categorical, where=where)
            yield predictor


def _check_classes(one: Any, tree: Any, where: str) -> None:
    """The values of a node are shares of the classes."""
    if (tree.value < 0).any():
        node = int(np.argmax((tree.value < 0).any(axis=(1, 2))))
        raise InputError(f"{where}, node {node}, has a share of a class below 0.")
    if tree.n_outputs == 1 and len(one.classes_) != tree.value.shape[2]:
        many = len(one.classes_)
        raise InputError(f"{where} has shares of {tree.value.shape[2]} classes, and not of {many}.")


def _width(one: Any, path: str) -> int:
    """How many columns an estimator makes sure of."""
    found = vars(one).get("n_features_in_")
    if not isinstance(found, (int, np.integer)) or found < 1:
        raise InputError(f"{path}: a {type(one).__name__} does not say how many columns it reads.")
    return int(found)


def _refuse_overwritten(one: Any, path: str) -> None:
    """An estimator of a file must not bring methods of its own instead of those that check."""
    own = sorted(name for name in vars(one) if callable(getattr(type(one), name, None)))
    if own or vars(one).get("_in_fit"):
        named = own[0] if own else "_in_fit"
        raise InputError(f"{path}: a {type(one).__name__} overwrites {named!r}.")


def _categorical(one: Any, n_features: int, path: str) -> np.ndarray:
    """Columns of a histogram gradient boosting that are codes, in the order of its trees."""
    found = np.asarray(one._bin_mapper.is_categorical_)
    if found.shape != (n_features,) or not _keeps_width(one, n_features, path):
        raise InputError(
            f"{path}: a {type(one).__name__} of {n_features} columns encodes another number."
        )
    return found.astype(bool)


def _keeps_width(one: Any, n_features: int, path: str) -> bool:
    """Whether what encodes its categories hands on as many columns as it is given."""
    from sklearn.compose import ColumnTransformer
    from sklearn.preprocessing import FunctionTransformer, OrdinalEncoder

    encoder = one._preprocessor
    if encoder is None:
        return True
    if type(encoder) is not ColumnTransformer:
        return False
    steps, rest = encoder.transformers_[:2], encoder.transformers_[2:]
    for part in (encoder, *(step for _, step, _ in steps)):
        _refuse_overwritten(part, path)
    masks = [np.asarray(columns) for _, _, columns in steps]
    return (
        [type(step) for _, step, _ in steps] == [OrdinalEncoder, FunctionTransformer]
        and isinstance(steps[1][1].func, partial)
        and all(step == "drop" for _, step, _ in rest)
        and all(mask.dtype == bool and mask.shape == (n_features,) for mask in masks)
        and bool((masks[0] ^ masks[1]).all())
    )


def _check_boosting(one: Any, path: str) -> None:
    """Gradient boosting writes its trees' sums in C, into what its first estimator returns."""
    from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
    from sklearn.tree import DecisionTreeRegressor

    if type(one) not in (GradientBoostingClassifier, GradientBoostingRegressor):
        return
    _refuse_overwritten(one, path)
    trees, n_features = one.estimators_, _width(one, path)
    right = isinstance(trees, np.ndarray) and trees.ndim == 2 and trees.size > 0
    for tree in trees.ravel() if right else ():
        right = right and type(tree) is DecisionTreeRegressor and _kind(tree.tree_) == TREE
        right = right and tree.tree_.value.shape[1:] == (1, 1)
        right = right and tree.tree_.n_features == n_features
    if not right:
        raise InputError(f"{path}: a {type(one).__name__} has other estimators than its trees.")
    start = one._raw_predict_init(np.zeros((1, n_features), np.float32))
    if start.shape != (1, trees.shape[1]):
        raise InputError(
            f"{path}: a {type(one).__name__} has {trees.shape[1]} trees a round, and starts with "
            f"{start.shape[-1]} scores."
        )


def _objects(native: Any) -> Iterator[Any]:
    """Everything that a model holds, each once."""
    waiting, seen = [native], {}
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, (type, str, bytes, FunctionType, ModuleType)):
            continue
        seen[id(one)] = one
        yield one
        waiting += reversed(_held(one))


def _held(one: Any) -> list[Any]:
    """What an object holds."""
    if isinstance(one, np.ndarray):
        return one.ravel().tolist() if one.dtype == object else []
    found = [*getattr(one, "__dict__", {}).values()]
    found += [getattr(one, name, None) for name in _slots(one)]
    if isinstance(one, dict):
        found += [*one.keys(), *one.values()]
    elif isinstance(one, (list, tuple, set, frozenset)):
        found += one
    elif isinstance(one, partial):
        found += [one.func, one.args, one.keywords]
    elif isinstance(one, MethodType):
        found.append(one.__self__)
    return found


def _slots(one: Any) -> list[str]:
    """Names of attributes that stand in no dict."""
    named = [getattr(kind, "__slots__", ()) for kind in type(one).__mro__]
    return [
        name
        for names in named
        for name in ((names,) if isinstance(names, str) else names)
        if not name.startswith("__")
    ]
