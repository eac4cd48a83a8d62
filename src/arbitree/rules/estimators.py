"""The classifiers that can be verified, each by its own library's words."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree.model.fitted import refuse_own_unfitted, refuse_unfitted
from arbitree.rules.sklearn_trees import feature_names, takes_missing
from arbitree.rules.splits import Splits

KNOWN = (
    "a TreeClassifier; a decision tree, forest, extra-trees or gradient boosting classifier of "
    "scikit-learn; an XGBoost or LightGBM classifier; or a Pipeline or grid search with one of "
    "them at its end"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimator:
    """A classifier of trees, without what stands before it.

    Attributes
    ----------
    levels : mapping of column to tuple
        Categories that the trees know by their place among these.
    dtypes : mapping of column to tuple
        Columns that must have the dtype 'category', with these categories.
    strict : bool
        Whether rows with other categories are refused; else they count as missing.
    named : bool
        Whether it takes frames, and not arrays.
    predict : callable or None
        Labels of rows, where the model has no `predict` that takes a frame and gives labels.
    scores : callable or None
        The model's own scores of classes, (n_rows, n_classes); None where the trees are in
        documented attributes.
    """

    names: tuple[Hashable, ...]
    classes: tuple[object, ...]
    splits: Splits
    takes_missing: bool
    levels: Mapping[int, tuple[object, ...]] = field(default_factory=dict)
    dtypes: Mapping[int, tuple[object, ...]] = field(default_factory=dict)
    strict: bool = False
    named: bool = True
    predict: Callable[[Any], np.ndarray] | None = None
    scores: Callable[[Any], np.ndarray] | None = None

    @property
    def n_columns(self) -> int:
        """Columns that are read."""
        return len(self.names)


def read_estimator(model: Any) -> Estimator:
    """Read a fitted classifier.

    Raises
    ------
    InputError
        If it is of a kind that cannot be verified.
    """
    package = type(model).__module__.split(".")[0]
    reader = {"xgboost": _of_xgboost, "lightgbm": _of_lightgbm}.get(package, _of_sklearn)
    return reader(model)


def _refusal(model: Any) -> InputError:
    refuse_own_unfitted(model)
    return InputError(f"A {type(model).__name__} cannot be verified. Pass {KNOWN}.")


def _of_sklearn(model: Any) -> Estimator:
    from sklearn.ensemble import (
        ExtraTreesClassifier,
        GradientBoostingClassifier,
        HistGradientBoostingClassifier,
        RandomForestClassifier,
    )
    from sklearn.tree import DecisionTreeClassifier

    forests = (RandomForestClassifier, ExtraTreesClassifier)
    single, boosted = DecisionTreeClassifier, GradientBoostingClassifier
    if not isinstance(model, (*forests, single, boosted, HistGradientBoostingClassifier)):
        raise _refusal(model)
    refuse_unfitted(model)
    if getattr(model, "n_outputs_", 1) > 1:
        raise InputError(f"The model decides {model.n_outputs_} things at once. Pass one of them.")
    if isinstance(model, HistGradientBoostingClassifier):
        return _of_histogram(model)
    return Estimator(
        names=tuple(feature_names(model)),
        classes=tuple(model.classes_.tolist()),
        splits=_sklearn_splits(model),
        takes_missing=takes_missing(model),
        named=hasattr(model, "feature_names_in_"),
        scores=model.decision_function if isinstance(model, boosted) else None,
    )


def _sklearn_splits(model: Any) -> Splits:
    from sklearn.ensemble import GradientBoostingClassifier
    from sklearn.tree import DecisionTreeClassifier

    from arbitree.rules.sklearn_splits import splits_of_boosting, splits_of_forest

    if isinstance(model, GradientBoostingClassifier):
        return splits_of_boosting(model)
    one = isinstance(model, DecisionTreeClassifier)
    return splits_of_forest([model.tree_] if one else [tree.tree_ for tree in model.estimators_])


def _of_histogram(model: Any) -> Estimator:
    from arbitree.rules.histogram_splits import category_lists, splits_of_histogram

    return Estimator(
        names=tuple(feature_names(model)),
        classes=tuple(model.classes_.tolist()),
        splits=splits_of_histogram(model),
        takes_missing=True,
        levels=category_lists(model),
        named=hasattr(model, "feature_names_in_"),
        scores=model.decision_function,
    )


def _of_xgboost(model: Any) -> Estimator:
    from xgboost import Booster, XGBClassifier

    from arbitree.rules.xgboost_splits import category_lists, splits_of_xgboost

    alone = isinstance(model, Booster)
    if not alone and not isinstance(model, XGBClassifier):
        raise _refusal(model)
    if not alone:
        refuse_unfitted(model)
    booster = model if alone else model.get_booster()
    missing = np.nan if alone else model.missing
    if missing is not None and not np.isnan(missing):
        raise InputError(
            f"The XGBoost model takes {missing} for a missing value. Verify one that was fitted "
            "with missing=nan, on data where such values are NaN."
        )
    lists = category_lists(booster)
    best = None if alone else getattr(model, "best_iteration", None)
    rounds = None if best is None else best + 1
    splits = splits_of_xgboost(booster, rounds, max(map(len, lists.values()), default=0))
    classes = tuple(range(len(splits.base))) if alone else tuple(model.classes_.tolist())
    names = booster.feature_names or [f"x_{j}" for j in range(booster.num_features())]
    return Estimator(
        names=tuple(names),
        classes=classes,
        splits=splits,
        takes_missing=True,
        levels=lists,
        dtypes=lists,
        strict=True,
        named=booster.feature_names is not None,
        predict=(lambda rows: _booster_labels(booster, rows)) if alone else None,
        scores=lambda rows: _booster_margins(booster, rows, rounds),
    )


def _booster_margins(booster: Any, rows: Any, rounds: int | None) -> np.ndarray:
    from xgboost import DMatrix

    given = DMatrix(rows, enable_categorical=True)
    found = booster.predict(given, output_margin=True, iteration_range=(0, rounds or 0))
    return np.asarray(found, np.float64)


def _booster_labels(booster: Any, rows: Any) -> np.ndarray:
    from xgboost import DMatrix

    found = np.asarray(booster.predict(DMatrix(rows, enable_categorical=True)))
    if found.ndim == 2:
        return found.argmax(axis=1)
    name = booster.save_config().split('"objective":{"name":"')[-1].split('"')[0]
    cut = {"binary:logistic": 0.5, "binary:logitraw": 0.0}.get(name)
    return found.astype(int) if cut is None else (found > cut).astype(int)


def _of_lightgbm(model: Any) -> Estimator:
    from lightgbm import Booster, LGBMClassifier

    from arbitree.rules.lightgbm_splits import category_lists, splits_of_lightgbm

    alone = isinstance(model, Booster)
    if not alone and not isinstance(model, LGBMClassifier):
        raise _refusal(model)
    if not alone:
        refuse_unfitted(model)
    booster = model if alone else model.booster_
    splits = splits_of_lightgbm(booster)
    classes = tuple(range(len(splits.base))) if alone else tuple(model.classes_.tolist())
    names = booster.feature_name() if alone else model.feature_name_
    lists = category_lists(booster)
    return Estimator(
        names=tuple(str(name) for name in names),
        classes=classes,
        splits=splits,
        takes_missing=True,
        levels=lists,
        dtypes=lists,
        predict=(lambda rows: _lightgbm_labels(booster, rows)) if alone else None,
        scores=lambda rows: np.asarray(booster.predict(rows, raw_score=True)),
    )


def _lightgbm_labels(booster: Any, rows: Any) -> np.ndarray:
    found = np.asarray(booster.predict(rows))
    return found.argmax(axis=1) if found.ndim == 2 else (found > 0.5).astype(int)
