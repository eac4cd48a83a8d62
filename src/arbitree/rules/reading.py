"""A fitted model as it is verified: its trees, and what they read of a raw row."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree.model.fitted import refuse_unfitted
from arbitree.model.tree import Feature
from arbitree.rules.estimators import Estimator, read_estimator
from arbitree.rules.preprocessing import Source, sources_after
from arbitree.rules.splits import Splits
from arbitree.table.codings import CategoryCoding, NumericCoding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """What a model decides by.

    Attributes
    ----------
    features : tuple of Feature
        Raw columns, in the order of the model's.
    sources : tuple of Source
        Of each column that the trees read.
    takes_missing : bool
        Whether the trees take missing values, after what stands before them.
    prepare : callable
        A frame of raw rows -> the columns that the trees read, (n_rows, n_columns) float64.
    decide : callable
        A frame of raw rows -> the labels that the model's own `predict` gives them.
    dress : callable
        A frame of raw rows -> the same with the dtypes that the model asks for.
    check : callable or None
        A frame of raw rows -> the model's own scores of classes, to compare with.
    """

    name: str
    features: tuple[Feature, ...]
    classes: tuple[object, ...]
    sources: tuple[Source, ...]
    splits: Splits
    takes_missing: bool
    prepare: Callable[[pd.DataFrame], np.ndarray]
    decide: Callable[[pd.DataFrame], np.ndarray]
    dress: Callable[[pd.DataFrame], pd.DataFrame]
    check: Callable[[pd.DataFrame], np.ndarray] | None

    @property
    def names(self) -> list[Hashable]:
        """The raw columns."""
        return [feature.name for feature in self.features]


def read_model(model: Any) -> Reading:
    """Take a fitted classifier apart.

    Parameters
    ----------
    model : fitted estimator
        Also a `Pipeline`, or a search such as `GridSearchCV`, that ends in one.

    Raises
    ------
    InputError
        If it is of a kind that cannot be verified; says which part.
    """
    steps, last = _taken_apart(model)
    estimator = read_estimator(last)
    named = steps[0][1] if steps else last
    names = _raw_names(named, estimator if not steps else None)
    sources = sources_after(steps, names)
    if len(sources) != estimator.n_columns:
        raise InputError(
            f"The {type(last).__name__} reads {estimator.n_columns} columns, and the steps before "
            f"it make {len(sources)}, so that it cannot be verified."
        )
    sources = [
        Source(column=one.column, kind="levels", levels=(*one.levels, *estimator.levels[place]))
        if place in estimator.levels
        else one
        for place, one in enumerate(sources)
    ]
    by_frame = hasattr(named, "feature_names_in_") if steps else estimator.named
    rows = _rows(estimator.dtypes, names if not steps else (), by_frame)
    final, scores = _transform(steps), estimator.scores
    return Reading(
        name=type(last).__name__,
        features=tuple(_features(names, sources, estimator if not steps else None)),
        classes=estimator.classes,
        sources=tuple(sources),
        splits=estimator.splits,
        takes_missing=estimator.takes_missing,
        prepare=lambda frame: _numbers(final(rows(frame)), estimator),
        decide=lambda frame: _quietly(estimator.predict or model.predict, rows(frame)),
        dress=lambda frame: _dressed(frame, estimator.dtypes if not steps else {}, names),
        check=None if scores is None else lambda frame: scores(final(rows(frame))),
    )


def _taken_apart(model: Any) -> tuple[list[tuple[str, Any]], Any]:
    """The steps before the last estimator, and that."""
    from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
    from sklearn.pipeline import Pipeline

    steps: list[tuple[str, Any]] = []
    while True:
        if isinstance(model, Pipeline):
            refuse_unfitted(model)
            steps += model.steps[:-1]
            model = model.steps[-1][1]
        elif hasattr(model, "best_estimator_"):  # of any search
            model = model.best_estimator_
        elif isinstance(model, GridSearchCV | RandomizedSearchCV):
            refuse_unfitted(model)
            raise InputError(
                f"The {type(model).__name__} has no best estimator. Fit it, with refit=True."
            )
        else:
            return steps, model


def _raw_names(first: Any, estimator: Estimator | None) -> list[Hashable]:
    if estimator is not None:
        return list(estimator.names)
    names = getattr(first, "feature_names_in_", None)
    if names is not None:
        return [str(name) for name in names]
    n_columns = getattr(first, "n_features_in_", None)
    if n_columns is None:
        raise InputError(
            f"The first step of the pipeline, a {type(first).__name__}, does not say how many "
            "columns it was fitted on, so that the pipeline cannot be verified."
        )
    return [f"x_{j}" for j in range(n_columns)]


def _features(
    names: Sequence[Hashable], sources: Sequence[Source], estimator: Estimator | None
) -> list[Feature]:
    """Raw columns as numbers, or categories where a step knows levels that are no numbers."""
    levels: dict[int, dict[Any, Any]] = {}
    for source in sources:
        known = levels.setdefault(source.column, {})
        known.update({(type(level), level): level for level in source.levels})
    found = []
    for place, name in enumerate(names):
        of = tuple(levels.get(place, {}).values())
        dtypes = {} if estimator is None else estimator.dtypes
        if place in dtypes or any(not _is_number(level) for level in of):
            boolean = bool(of) and all(isinstance(level, bool) for level in of)
            coding: Any = CategoryCoding(
                levels=(False, True) if boolean else of,
                kind="boolean" if boolean else "category",
                admits_missing=True,
            )
        else:
            coding = _any_number()
        found.append(Feature(name=name, coding=coding))
    return found


def _any_number() -> NumericCoding:
    empty = np.empty(0, np.float32)
    return NumericCoding(edges=empty, exact=False, values=None, kind="number", admits_missing=True)


def _is_number(level: object) -> bool:
    return isinstance(level, int | float | np.number) and not isinstance(level, bool | np.bool_)


def _rows(
    dtypes: Mapping[int, Any], names: Sequence[Hashable], by_frame: bool
) -> Callable[[pd.DataFrame], Any]:
    """What turns a frame into what the first step of the model takes."""

    def rows(frame: pd.DataFrame) -> Any:
        return _dressed(frame, dtypes, names) if by_frame else frame.to_numpy()

    return rows


def _dressed(
    frame: pd.DataFrame, dtypes: Mapping[int, Any], names: Sequence[Hashable]
) -> pd.DataFrame:
    """Categorical columns with the categories that the model knows, and those in the rows."""
    for place, levels in dtypes.items():
        if place < len(names):
            name = names[place]
            new = [x for x in frame[name].unique() if x == x and x not in levels]
            as_category = pd.Categorical(frame[name], categories=[*levels, *new])
            frame = frame.assign(**{str(name): as_category})
    return frame


def _transform(steps: Sequence[tuple[str, Any]]) -> Callable[[Any], Any]:
    def transform(rows: Any) -> Any:
        for _, step in steps:
            if step is not None and not isinstance(step, str):
                rows = _quietly(step.transform, rows)
        return rows

    return transform


def _quietly(call: Callable[[Any], Any], rows: Any) -> Any:
    """What a model says of rows, without warnings of unknown categories: they are meant.

    scikit-learn sets all filters of warnings anew for every tree of a forest, and starts threads
    for the few rows that are asked about here: with one filter and no threads `predict` of 500
    trees takes 30 ms for a row, and 45 to 75 otherwise (benchmarks/rules/speed.py).
    """
    from joblib import parallel_config

    with warnings.catch_warnings(), parallel_config(backend="sequential"):
        warnings.resetwarnings()
        warnings.simplefilter("ignore")
        return call(rows)


def _numbers(made: Any, estimator: Estimator) -> np.ndarray:
    """The columns that the trees compare; categories as their codes, unknown ones missing."""
    if hasattr(made, "toarray"):
        made = made.toarray()
    if isinstance(made, np.ndarray) and made.dtype.kind in "biuf" and not estimator.levels:
        return made.astype(np.float64, copy=False)
    frame = made if isinstance(made, pd.DataFrame) else pd.DataFrame(np.asarray(made))
    found = np.empty(frame.shape, np.float64)
    for place in range(frame.shape[1]):
        column = frame.iloc[:, place]
        if place in estimator.levels:
            codes = {level: code for code, level in enumerate(estimator.levels[place])}
            unknown = np.inf if estimator.strict else np.nan
            found[:, place] = [
                codes.get(level, unknown if level == level else np.nan) for level in column.tolist()
            ]
        else:
            found[:, place] = column.to_numpy(dtype=np.float64, na_value=np.nan)
    return found
