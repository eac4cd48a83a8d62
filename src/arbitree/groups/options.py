"""How an audit is done: checked once, then passed along as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np

from arbitree._errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditOptions:
    """Every choice that an audit depends on, apart from the data."""

    cross: bool = True
    reference_group: object = "best"
    confidence: float = 0.95
    min_group_size: int = 30
    n_resamples: int = 2000
    seed: int = 0
    p_values: bool = False
    missing: str = "error"

    def generator(self, *key: int) -> np.random.Generator:
        """The same numbers for the same place in the audit, whatever else is asked for."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=key))


def audit_options(
    *,
    cross: bool,
    reference_group: object,
    confidence: float,
    min_group_size: int,
    n_resamples: int,
    random_state: int | np.random.Generator | None,
    p_values: bool,
    missing: str,
) -> AuditOptions:
    """Check what the user asked for."""
    if not isinstance(confidence, Real) or not 0 < confidence <= 1 - 1e-9:
        raise InputError(
            f"confidence is {confidence!r}. Give a number between 0 and 1, such as 0.95."
        )
    return AuditOptions(
        cross=_truth("cross", cross),
        reference_group=_reference(reference_group),
        confidence=float(confidence),
        min_group_size=_whole("min_group_size", min_group_size, at_least=0),
        n_resamples=_whole("n_resamples", n_resamples, at_least=100, at_most=1_000_000),
        seed=_seed(random_state),
        p_values=_truth("p_values", p_values),
        missing=missing,
    )


def _whole(name: str, value: object, *, at_least: int, at_most: int | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < at_least:
        raise InputError(f"{name} is {value!r}. Give a whole number of at least {at_least}.")
    if at_most is not None and int(value) > at_most:
        raise InputError(f"{name} is {int(value):,}. Give at most {at_most:,}.")
    return int(value)


def _truth(name: str, value: object) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{name} is {value!r}. Give True or False.")
    return bool(value)


def _seed(random_state: object) -> int:
    """A seed that can be printed, so that an audit without one can be repeated too."""
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if random_state is None:
        return int(np.random.default_rng().integers(2**63))
    return _whole("random_state", random_state, at_least=0)


def _reference(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(column): str(level) for column, level in value.items()}
    return value
