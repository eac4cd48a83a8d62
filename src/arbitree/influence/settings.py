"""How a group is fitted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to fit. Nothing here depends on data."""

    penalty: str | float
    cross_fit: int
    n_bootstrap: int
    seed: int
    n_threads: int | None
