"""How a tree may grow, checked."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import nearest
from arbitree.tree.parity import Covariance, GapBudget, Parity, SplitGap

SPLITS = ("threshold", "logistic", "multiway")
CRITERIA = ("gini", "entropy")
CHOSEN = 0  # a size of leaves that is chosen by cross-validation


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthOptions:
    """How a tree may grow. Every value makes sense, for the rows at hand."""

    split: str = "threshold"
    criterion: str = "gini"
    parity: Parity | None = None
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1  # CHOSEN only with a GapBudget
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    ccp_alpha: float = 0.0
    simplify: bool = False


GROWTH = tuple(field.name for field in fields(GrowthOptions))


def growth_options(
    n_rows: int,
    *,
    split: Any,
    criterion: Any,
    parity: Any,
    max_depth: Any,
    max_leaf_nodes: Any,
    min_samples_split: Any,
    min_samples_leaf: Any,
    min_weight_fraction_leaf: Any,
    min_impurity_decrease: Any,
    ccp_alpha: Any,
    simplify: Any,
) -> GrowthOptions:
    """Check what was asked for.  Parameters are those of `arbitree.TreeClassifier`.

    Raises
    ------
    InputError
        If a value makes no sense, or two of them do not go together.
    """
    one_of("split", split, SPLITS)
    one_of("criterion", criterion, CRITERIA)
    check_parity(parity)
    return GrowthOptions(
        split=split,
        criterion=criterion,
        parity=parity,
        max_depth=_whole_or_none("max_depth", max_depth, 1),
        max_leaf_nodes=_whole_or_none("max_leaf_nodes", max_leaf_nodes, 2),
        min_samples_split=max(2, _rows("min_samples_split", min_samples_split, n_rows)),
        min_samples_leaf=_leaf_rows(min_samples_leaf, n_rows, parity),
        min_weight_fraction_leaf=_not_negative(
            "min_weight_fraction_leaf", min_weight_fraction_leaf, most=0.5
        ),
        min_impurity_decrease=_not_negative("min_impurity_decrease", min_impurity_decrease),
        ccp_alpha=_not_negative("ccp_alpha", ccp_alpha),
        simplify=truth("simplify", simplify),
    )


def check_parity(parity: Any) -> None:
    """Refuse what is no bound.

    Raises
    ------
    InputError
    """
    if parity is not None and not isinstance(parity, Covariance | SplitGap | GapBudget):
        raise InputError(
            f"parity is {parity!r}. Pass None, Covariance(c), SplitGap(eps) or GapBudget(eps)."
        )


def truth(name: str, value: Any) -> bool:
    """The value of a parameter that is True or False.

    Raises
    ------
    InputError
    """
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{name} is {value!r}. Pass True or False.")
    return bool(value)


def one_of(name: str, value: Any, known: Sequence[str]) -> None:
    """Refuse a parameter that is none of the names known.

    Raises
    ------
    InputError
    """
    if not isinstance(value, str) or value not in known:
        raise InputError(f"{name} is {value!r}. {nearest(str(value), known)}")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _whole_or_none(name: str, value: Any, least: int) -> int | None:
    if value is None:
        return None
    if not _is_whole(value) or value < least:
        raise InputError(f"{name} is {value!r}. Pass None or a whole number of at least {least}.")
    return int(value)


def _leaf_rows(value: Any, n_rows: int, parity: Any) -> int:
    if not isinstance(value, str) or value != "auto":
        return _rows("min_samples_leaf", value, n_rows)
    if not isinstance(parity, GapBudget):
        raise InputError(
            "min_samples_leaf='auto' is chosen with parity=GapBudget(eps) only. Pass a number of "
            "rows."
        )
    return CHOSEN


def _rows(name: str, value: Any, n_rows: int) -> int:
    """A number of rows, given as such or as a share of all rows."""
    if _is_whole(value) and value >= 1:
        return int(value)
    if isinstance(value, float | np.floating) and 0 < value < 1:
        return max(1, math.ceil(float(value) * n_rows))
    raise InputError(
        f"{name} is {value!r}. Pass a whole number of rows, at least 1, or a share of all rows "
        "between 0 and 1."
    )


def _not_negative(name: str, value: Any, *, most: float = sys.float_info.max) -> float:
    number = isinstance(value, int | float | np.integer | np.floating)
    if not number or isinstance(value, bool) or not 0 <= value <= most:
        wanted = f"from 0 to {most}" if most < 1 else "of 0 or more"
        raise InputError(f"{name} is {value!r}. Pass a number {wanted}.")
    return float(value)
