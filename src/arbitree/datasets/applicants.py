"""The population behind `make_lending`: who applies, how the lender decides, who would repay.

Given sex and race the features are independent, and both outcomes depend on them only through
bands: the lender adds points for each band, a point being one unit of log-odds,

    P(approved | bands) = 1 / (1 + exp(-points)),

and repayment works alike with points of its own; or the lender approves where the points reach a
pass mark. So every rate is a finite sum over the bands,

    P(approved | group) = sum over bands of P(bands | group) P(approved | bands),

and `outcome_shares` computes it without drawing a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log

import numpy as np
from scipy.special import expit, ndtr

SEXES = ("Female", "Male")
RACES = ("Asian", "Black", "Hispanic", "Other", "White")
EDUCATIONS = ("school", "college", "degree")

SHARE_OF_SEX = np.array([0.48, 0.52])
SHARE_OF_RACE = np.array([0.07, 0.13, 0.16, 0.02, 0.62])

YOUNGEST, OLDEST = 18, 79  # every age in between is equally likely
MEDIAN_INCOME = np.outer([37_000, 42_000], [1.08, 0.90, 0.88, 0.95, 1.0])  # (sex, race)
INCOME_SPREAD = 0.45  # standard deviation of the logarithm
MEDIAN_ZIP_INCOME = np.array([72_000.0, 48_000.0, 53_000.0, 58_000.0, 67_000.0])  # (race,)
ZIP_INCOME_SPREAD = 0.30
MEAN_TENURE = np.outer([4.5, 5.5], [1.0, 0.8, 0.85, 0.9, 1.0])  # (sex, race)
SHARE_OF_EDUCATION = np.array(  # (race, education)
    [
        [0.25, 0.30, 0.45],
        [0.42, 0.35, 0.23],
        [0.48, 0.33, 0.19],
        [0.40, 0.33, 0.27],
        [0.35, 0.33, 0.32],
    ]
)

EDGES = {  # a value on an edge is in the band above it
    "age": (25, 65),
    "income": (25_000, 40_000, 60_000),
    "zip_income": (45_000, 60_000, 80_000),
    "tenure": (1, 3, 8),
}
BANDED = ("age", "income", "zip_income", "tenure", "education")  # the axes of a table of bands


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Points for the bands of each feature; `settled` is for a rich area and a long tenure."""

    start: float
    age: tuple[float, ...]
    income: tuple[float, ...]
    zip_income: tuple[float, ...]
    tenure: tuple[float, ...]
    education: tuple[float, ...]
    settled: float

    def of(self, bands: Mapping[str, np.ndarray]) -> np.ndarray:
        """Log-odds of rows whose bands are given.  arrays (...) -> (...)"""
        points = self.start + sum(np.array(getattr(self, name))[bands[name]] for name in BANDED)
        return points + self.settled * ((bands["zip_income"] >= 2) & (bands["tenure"] >= 2))


APPROVAL = Points(
    start=-4.3,
    age=(0.0, 0.0, 0.0),
    income=(0.0, 1.2, 2.1, 2.8),
    zip_income=(0.0, 1.3, 2.2, 2.7),
    tenure=(0.0, 0.7, 1.4, 1.9),
    education=(0.0, 0.3, 0.6),
    settled=0.8,
)
REPAYMENT = Points(
    start=-2.7,
    age=(0.0, 0.5, 0.3),
    income=(0.0, 1.5, 2.5, 3.1),
    zip_income=(0.0, 0.1, 0.2, 0.3),
    tenure=(0.0, 0.9, 1.7, 2.2),
    education=(0.0, 0.6, 1.1),
    settled=0.0,
)


def band_shares(sex: int, race: int) -> np.ndarray:
    """P(bands | sex, race).  -> (3, 4, 4, 4, 3), the axes as in BANDED"""
    below = {
        "age": [(edge - YOUNGEST) / (OLDEST + 1 - YOUNGEST) for edge in EDGES["age"]],
        "income": _below_lognormal("income", MEDIAN_INCOME[sex, race], INCOME_SPREAD),
        "zip_income": _below_lognormal("zip_income", MEDIAN_ZIP_INCOME[race], ZIP_INCOME_SPREAD),
        "tenure": [1 - exp(-edge / MEAN_TENURE[sex, race]) for edge in EDGES["tenure"]],
    }
    shares = [np.diff([0.0, *below[name], 1.0]) for name in BANDED[:-1]]
    return np.einsum("a,i,z,t,e->aizte", *shares, SHARE_OF_EDUCATION[race])


def _below_lognormal(name: str, median: float, spread: float) -> list[float]:
    return [float(ndtr(log(edge / median) / spread)) for edge in EDGES[name]]


def _pass_mark(points: np.ndarray) -> np.ndarray:
    """1 where the points reach the mark.  (...) -> (...) float64"""
    return (points >= 0).astype(np.float64)


#: How points become the probability of being approved.
APPROVALS = {"drawn": expit, "points": _pass_mark}


def outcome_shares(sex: int, race: int, decided: str = "drawn") -> np.ndarray:
    """P(repaid, approved | sex, race), each first "no", then "yes".  -> (2, 2)"""
    shares = band_shares(sex, race)
    bands: dict[str, np.ndarray] = dict(
        zip(BANDED, np.indices(shares.shape, sparse=True), strict=True)
    )
    approved, repaid = APPROVALS[decided](APPROVAL.of(bands)), expit(REPAYMENT.of(bands))
    return np.array(
        [[np.sum(shares * r * a) for a in (1 - approved, approved)] for r in (1 - repaid, repaid)]
    )


def group_shares() -> np.ndarray:
    """P(sex, race).  -> (2, 5)"""
    return np.outer(SHARE_OF_SEX, SHARE_OF_RACE)
