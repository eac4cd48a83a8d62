"""Loan applications drawn from a population whose rates are known."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import expit

from arbitree._errors import InputError
from arbitree._wording import nearest
from arbitree.datasets import applicants as population
from arbitree.datasets.dataset import Dataset


def make_lending(
    n_rows: int = 10_000,
    *,
    unknown_race: float = 0.004,
    decided: str = "drawn",
    random_state: int | np.random.Generator | None = 0,
) -> Dataset:
    """Draw loan applications whose true rates, by group, are known.

    A lender scores applications by points for income, the income of the neighbourhood, time at the
    employer and education; neither sex nor race is scored, but neighbourhood, income and
    tenure differ between groups, so approvals do too. ``repaid`` is what would come true were
    every loan granted, so that it is known for declined applications as well.

    Parameters
    ----------
    n_rows : int, default 10,000
        Applications to draw.
    unknown_race : float, default 0.004
        Probability that an applicant did not state a race, whatever else is true of them.
    decided : {"drawn", "points"}
        Approved with the probability that the points give, as by clerks who see the score; or
        exactly where the points reach a pass mark, as by a scorecard.
    random_state : int, numpy.random.Generator or None, default 0
        Seed, or the generator to draw from.

    Returns
    -------
    Dataset
        ``frame`` has the columns ``age`` (years), ``income``, ``zip_income`` (both a year, rounded
        down to hundreds), ``tenure`` (years, rounded down to tenths), ``education``, ``sex``,
        ``race`` (missing where not stated), ``approved`` and ``repaid`` ("yes" or "no").
        ``truth`` holds the rates of the population, by sex, by race and by both: exact sums, not
        estimates from ``frame``.

    Raises
    ------
    InputError
        Where ``n_rows`` is not positive, ``unknown_race`` is not a probability below 1, or
        ``decided`` is neither.

    Examples
    --------
    >>> from arbitree.datasets import make_lending
    >>> loans = make_lending(1_000)
    >>> loans
    <Dataset lending: 1,000 rows; 5 features; sensitive sex, race; decision approved; label repaid>
    >>> loans.truth.loc[loans.truth.grouping == "sex", ["group", "selection_rate"]].round(4)
        group  selection_rate
    0  Female          0.5405
    1    Male          0.5995
    """
    if isinstance(random_state, int) and random_state < 0:
        raise InputError(f"random_state is {random_state}; pass a whole number of at least 0.")
    if n_rows < 1:
        raise InputError(f"n_rows is {n_rows}; pass a positive number of applications.")
    if not 0 <= unknown_race < 1:
        raise InputError(
            f"unknown_race is {unknown_race}; pass a probability of at least 0, below 1."
        )
    if decided not in population.APPROVALS:
        raise InputError(f"decided is {decided!r}. {nearest(decided, list(population.APPROVALS))}")
    frame = _draw(n_rows, unknown_race, decided, np.random.default_rng(random_state))
    return Dataset(
        name="lending",
        about="Loan applications drawn from a population with known rates (make_lending).",
        frame=frame,
        features=population.BANDED,
        sensitive=("sex", "race"),
        decision="approved",
        label="repaid",
        favorable={"approved": "yes", "repaid": "yes"},
        truth=_truth(decided),
    )


def _draw(n: int, unknown_race: float, decided: str, rng: np.random.Generator) -> pd.DataFrame:
    sex = rng.choice(len(population.SEXES), n, p=population.SHARE_OF_SEX)
    race = rng.choice(len(population.RACES), n, p=population.SHARE_OF_RACE)
    columns = _features(sex, race, rng)
    approval = population.APPROVALS[decided](population.APPROVAL.of(_bands(columns)))
    repayment = expit(population.REPAYMENT.of(_bands(columns)))
    approved, repaid = rng.random(n) < approval, rng.random(n) < repayment
    not_stated = rng.random(n) < unknown_race
    columns["education"] = _text(population.EDUCATIONS, columns["education"])
    columns["sex"] = _text(population.SEXES, sex)
    columns["race"] = _text(population.RACES, race)
    columns["race"][not_stated] = None
    columns["approved"] = _text(("no", "yes"), approved)
    columns["repaid"] = _text(("no", "yes"), repaid)
    return pd.DataFrame(columns)


def _features(sex: np.ndarray, race: np.ndarray, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Features as published, education as its code."""
    n = len(sex)
    income = population.MEDIAN_INCOME[sex, race] * _lognormal(population.INCOME_SPREAD, n, rng)
    zip_income = population.MEDIAN_ZIP_INCOME[race] * _lognormal(
        population.ZIP_INCOME_SPREAD, n, rng
    )
    tenure = population.MEAN_TENURE[sex, race] * rng.standard_exponential(n)
    reached = np.cumsum(population.SHARE_OF_EDUCATION, axis=1)[race, :-1]
    return {
        "age": rng.integers(population.YOUNGEST, population.OLDEST, n, endpoint=True),
        "income": np.floor(income / 100).astype(np.int64) * 100,
        "zip_income": np.floor(zip_income / 100).astype(np.int64) * 100,
        "tenure": np.floor(tenure * 10) / 10,
        "education": np.sum(rng.random((n, 1)) >= reached, axis=1),
    }


def _lognormal(spread: float, n: int, rng: np.random.Generator) -> np.ndarray:
    return np.exp(spread * rng.standard_normal(n))


def _bands(columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    # Edges are multiples of the steps that values are rounded down to, so rounding moves no
    # value out of its band.
    bands = {
        name: np.searchsorted(edges, columns[name], side="right")
        for name, edges in population.EDGES.items()
    }
    return bands | {"education": columns["education"]}


def _text(levels: tuple[str, ...], codes: np.ndarray) -> np.ndarray:
    return np.array(levels, dtype=object)[codes.astype(np.intp)]


def _truth(decided: str) -> pd.DataFrame:
    """The rates of each group, from the shares of its four outcomes."""
    shares = population.group_shares()
    outcomes = np.array(
        [
            [population.outcome_shares(sex, race, decided) for race in range(len(population.RACES))]
            for sex in range(len(population.SEXES))
        ]
    )
    joint = shares[:, :, None, None] * outcomes  # (sex, race, repaid, approved)
    groupings = {
        "sex": (population.SEXES, joint.sum(axis=1)),
        "race": (population.RACES, joint.sum(axis=0)),
        "sex x race": (
            [f"{sex} x {race}" for sex in population.SEXES for race in population.RACES],
            joint.reshape(-1, 2, 2),
        ),
    }
    rows = [
        {"grouping": grouping, "group": group, **_rates(cells)}
        for grouping, (groups, tables) in groupings.items()
        for group, cells in zip(groups, tables, strict=True)
    ]
    return pd.DataFrame(rows)


def _rates(cells: np.ndarray) -> dict[str, float]:
    """Rates of one group.  (repaid, approved) shares of all applicants -> by name"""
    (declined_bad, approved_bad), (declined_good, approved_good) = cells
    share = cells.sum()
    return {
        "share": float(share),
        "selection_rate": float((approved_bad + approved_good) / share),
        "base_rate": float((declined_good + approved_good) / share),
        "true_positive_rate": float(approved_good / (declined_good + approved_good)),
        "false_positive_rate": float(approved_bad / (declined_bad + approved_bad)),
        "positive_predictive_value": float(approved_good / (approved_bad + approved_good)),
        "negative_predictive_value": float(declined_bad / (declined_bad + declined_good)),
        "accuracy": float((declined_bad + approved_good) / share),
    }
