"""What stands before a model in a pipeline: where each of its columns comes from, and how.

Only steps that treat column by column are followed; their numbers are never computed here, but by
the fitted steps themselves, on rows that are chosen by what is found here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from arbitree._errors import InputError

Kind = Literal["same", "rising", "levels"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a column that a model reads comes from.

    Attributes
    ----------
    column : int
        The raw column.
    kind : {"same", "rising", "levels"}
        The same number; a number that never falls where the raw one rises; or anything that
        depends on which of `levels` the raw value is, or on its being none of them.
    levels : tuple
        Raw values that are told apart from others. They count also where the kind is another.
    fills : bool
        Whether something else may stand for a missing value.
    """

    column: int
    kind: Kind = "same"
    levels: tuple[object, ...] = ()
    fills: bool = False

    @property
    def is_raw(self) -> bool:
        """Whether the column is the raw one, missing values included."""
        return self.kind == "same" and not self.levels and not self.fills


def sources_after(steps: Sequence[tuple[str, Any]], names: Sequence[Hashable]) -> list[Source]:
    """Where the columns come from that fitted steps make of raw ones.

    Parameters
    ----------
    steps : sequence of (str, transformer)
    names : sequence
        Raw columns.

    Raises
    ------
    InputError
        If a step mixes columns, or is of a kind that is not known; says which.
    """
    given = [Source(column=place) for place in range(len(names))]
    for name, step in steps:
        given = _after(step, name, given, names)
    return given


def _after(step: Any, name: str, given: list[Source], names: Sequence[Hashable]) -> list[Source]:
    from sklearn.compose import ColumnTransformer
    from sklearn.feature_selection import SelectorMixin
    from sklearn.pipeline import Pipeline

    if step is None or (isinstance(step, str) and step == "passthrough"):
        return given
    if isinstance(step, Pipeline):
        for inner, one in step.steps:
            given = _after(one, f"{name}: {inner}", given, names)
        return given
    if isinstance(step, ColumnTransformer):
        return _after_columns(step, name, given, names)
    if isinstance(step, SelectorMixin):
        return [given[place] for place in step.get_support(indices=True)]
    for kind, follow in _followed().items():
        if type(step) is kind:
            return follow(step, name, given)
    raise InputError(
        f"Step {name!r} of the pipeline is a {type(step).__name__}, which is not followed back to "
        "raw columns. Fit it outside of the pipeline, and verify the rest with rules on what it "
        "makes; or use encoders, imputers and scalers, which treat column by column."
    )


def _followed() -> Mapping[type, Callable[[Any, str, list[Source]], list[Source]]]:
    from sklearn.impute import SimpleImputer
    from sklearn.preprocessing import (
        FunctionTransformer,
        MaxAbsScaler,
        MinMaxScaler,
        OneHotEncoder,
        OrdinalEncoder,
        RobustScaler,
        StandardScaler,
    )

    return {
        SimpleImputer: _after_imputer,
        OneHotEncoder: _after_one_hot,
        OrdinalEncoder: _after_ordinal,
        StandardScaler: _after_scaler,
        MinMaxScaler: _after_scaler,
        MaxAbsScaler: _after_scaler,
        RobustScaler: _after_scaler,
        FunctionTransformer: _after_function,
    }


def _after_columns(
    step: Any, name: str, given: list[Source], names: Sequence[Hashable]
) -> list[Source]:
    taken: dict[int, Source] = {}
    known = list(getattr(step, "feature_names_in_", range(len(given))))
    for inner, one, chosen in step.transformers_:
        if isinstance(one, str) and one == "drop":
            continue
        places = _places(chosen, known)
        if not places:
            continue
        made = _after(one, f"{name}: {inner}", [given[place] for place in places], names)
        where = step.output_indices_[inner]
        positions = range(where.start, where.stop)
        if len(positions) != len(made):
            raise InputError(
                f"Step '{name}: {inner}' of the pipeline makes {len(positions)} columns where "
                f"{len(made)} were expected, so that it cannot be verified."
            )
        taken.update(zip(positions, made))
    return [taken[position] for position in range(len(taken))]


def _places(chosen: Any, known: list[Any]) -> list[int]:
    """The places of the columns that a transformer was given."""
    every = range(len(known))
    if isinstance(chosen, slice):
        if isinstance(chosen.start, str) or isinstance(chosen.stop, str):
            start = 0 if chosen.start is None else known.index(chosen.start)
            stop = len(known) if chosen.stop is None else known.index(chosen.stop) + 1
            return list(every[start : stop : chosen.step])
        return list(every[chosen])
    listed = np.atleast_1d(np.asarray(chosen, dtype=object)).tolist()
    if listed and all(isinstance(one, bool | np.bool_) for one in listed):
        return [place for place, is_in in zip(every, listed) if is_in]
    return [known.index(one) if isinstance(one, str) else every[int(one)] for one in listed]


def _after_imputer(step: Any, name: str, given: list[Source]) -> list[Source]:
    marker = step.missing_values
    if marker is not None and marker == marker:  # a value that stands for a missing one
        given = [replace(one, levels=(*one.levels, marker)) for one in given]
    fills = np.asarray(step.statistics_, dtype=object)
    empty = [fill is None or fill != fill for fill in fills]
    keeps = step.keep_empty_features
    kept = [
        replace(one, fills=True) for one, is_empty in zip(given, empty) if keeps or not is_empty
    ]
    if step.add_indicator:
        marked = [given[place] for place in step.indicator_.features_]
        # The same for all numbers but the marker, which is a kind of rising.
        kept += [replace(one, kind=_at_least(one, "rising"), fills=True) for one in marked]
    return kept


def _at_least(source: Source, kind: Kind) -> Kind:
    return "levels" if source.kind == "levels" else kind


def _after_scaler(step: Any, name: str, given: list[Source]) -> list[Source]:
    return [replace(one, kind=_at_least(one, "rising")) for one in given]


def _after_function(step: Any, name: str, given: list[Source]) -> list[Source]:
    if step.func is not None:
        raise InputError(
            f"Step {name!r} of the pipeline calls a function ({step.func!r}), of which nothing is "
            "known. Apply it to the data before the pipeline, and state rules on what it makes."
        )
    return given


def _after_ordinal(step: Any, name: str, given: list[Source]) -> list[Source]:
    return [_encoded(one, levels, name) for one, levels in zip(given, step.categories_)]


def _after_one_hot(step: Any, name: str, given: list[Source]) -> list[Source]:
    found: list[Source] = []
    dropped = step.drop_idx_ if step.drop_idx_ is not None else [None] * len(given)
    rare = getattr(step, "infrequent_categories_", [None] * len(given))
    for one, levels, without, infrequent in zip(given, step.categories_, dropped, rare):
        n_made = len(levels) - (0 if infrequent is None else len(infrequent) - 1)
        n_made -= without is not None
        found += [_encoded(one, levels, name)] * n_made
    return found


def _encoded(source: Source, levels: np.ndarray, name: str) -> Source:
    if source.kind == "rising":
        raise InputError(
            f"Step {name!r} of the pipeline encodes numbers that another step has computed. Let "
            "the encoder read the raw column."
        )
    found = (*source.levels, *(level for level in levels.tolist() if level == level))
    listed = tuple({(type(one), one): one for one in found if one is not None}.values())
    return replace(source, kind="levels", levels=listed)
