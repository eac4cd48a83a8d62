"""Example data: generated with a known truth, enumerated, or fetched from OpenML."""

from __future__ import annotations

from arbitree.datasets.dataset import Dataset
from arbitree.datasets.health_insurance import make_health_insurance
from arbitree.datasets.lending import make_lending
from arbitree.datasets.openml import (
    fetch_adult,
    fetch_compas,
    fetch_credit_default,
    fetch_german,
    fetch_law_school,
    fetch_titanic,
)
from arbitree.datasets.tic_tac_toe import make_tic_tac_toe

__all__ = [
    "Dataset",
    "fetch_adult",
    "fetch_compas",
    "fetch_credit_default",
    "fetch_german",
    "fetch_law_school",
    "fetch_titanic",
    "make_health_insurance",
    "make_lending",
    "make_tic_tac_toe",
]
