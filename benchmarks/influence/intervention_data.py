"""Four tables with the columns of the paper, all numbers, ready for a logistic regression."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FOLDS = 5
SEED = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    """A table, what is predicted, and the groups.

    `X` has all columns that the model reads, those of the sensitive feature included.
    """

    name: str
    X: pd.DataFrame
    y: np.ndarray  # (n,) 0 or 1
    groups: np.ndarray  # (n,) text
    sensitive: tuple[str, ...]  # columns of X

    @property
    def explained(self) -> pd.DataFrame:
        """The columns that vary within groups."""
        return self.X.drop(columns=list(self.sensitive))


def folds(n: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Rows to train on and rows held out, five times."""
    yield from KFold(FOLDS, shuffle=True, random_state=SEED).split(np.empty(n))


def thirds(n: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Rows to train on (three fifths), the attacker's (one fifth), and held out, five times."""
    held_out = [test for _, test in folds(n)]
    for k in range(FOLDS):
        mine = [held_out[(k + step) % FOLDS] for step in range(FOLDS)]
        yield np.sort(np.concatenate(mine[2:])), mine[1], mine[0]


def _raw(name: str) -> pd.DataFrame:
    path = next(DATA.glob(f"{name}.csv*"), None)
    if path is None:
        raise SystemExit(f"Needs ../shared/data/{name}.csv, which is not part of this repository.")
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def _numbers(raw: pd.DataFrame, *names: str) -> pd.DataFrame:
    return raw[list(names)].astype(float)


def _indicators(raw: pd.DataFrame, *names: str) -> pd.DataFrame:
    """A column for each level."""
    return pd.get_dummies(raw[list(names)], prefix_sep="=", dtype=float)


def compas() -> Case:
    """COMPAS; the prediction is a new offence within two years, as in the paper."""
    raw = _raw("compas")
    counts = ("age", "juv_fel_count", "juv_misd_count", "juv_other_count", "priors_count")
    X = _numbers(raw, *counts).assign(
        male=(raw["sex"] == "Male").astype(float),
        felony=(raw["c_charge_degree"] == "F").astype(float),
        caucasian=(raw["race"] == "Caucasian").astype(float),
    )
    groups = np.where(raw["race"] == "Caucasian", "Caucasian", "not Caucasian")
    y = (raw["two_year_recid"] == "1").to_numpy(dtype=float)
    return Case(name="COMPAS by race", X=X, y=y, groups=groups, sensitive=("caucasian",))


def adult() -> Case:
    """The training rows of Adult; the prediction is an income above 50,000."""
    raw = _raw("adult").iloc[:32_561]
    names = ("age", "education-num", "capital-gain", "capital-loss", "hours-per-week")
    X = pd.concat([_numbers(raw, *names), _indicators(raw, "race")], axis=1).assign(
        male=(raw["sex"] == "Male").astype(float)
    )
    y = (raw["income"] == ">50K").to_numpy(dtype=float)
    groups = raw["sex"].to_numpy(dtype=str)
    return Case(name="Adult by sex", X=X, y=y, groups=groups, sensitive=("male",))


def titanic() -> Case:
    """Passengers without a missing value; the prediction is survival."""
    raw = _raw("titanic")
    names = ["pclass", "sex", "age", "sibsp", "parch", "fare", "embarked"]
    raw = raw[(raw[names] != "").all(axis=1)].reset_index(drop=True)
    numbers = _numbers(raw, "age", "sibsp", "parch", "fare")
    X = pd.concat([numbers, _indicators(raw, "pclass", "embarked")], axis=1).assign(
        female=(raw["sex"] == "female").astype(float)
    )
    y = (raw["survived"] == "1").to_numpy(dtype=float)
    groups = raw["sex"].to_numpy(dtype=str)
    return Case(name="Titanic by sex", X=X, y=y, groups=groups, sensitive=("female",))


def german() -> Case:
    """German credit, nine features, rows without a missing value; the prediction is good credit."""
    raw = _raw("german_kaggle9")
    raw = raw[(raw != "NA").all(axis=1)].reset_index(drop=True)
    X = pd.concat(
        [
            _numbers(raw, "Age", "Job", "Credit amount", "Duration"),
            _indicators(raw, "Housing", "Saving accounts", "Checking account", "Purpose"),
        ],
        axis=1,
    ).assign(male=(raw["Sex"] == "male").astype(float))
    y = (raw["target"] == "good").to_numpy(dtype=float)
    groups = raw["Sex"].to_numpy(dtype=str)
    return Case(name="German credit by sex", X=X, y=y, groups=groups, sensitive=("male",))


CASES: tuple[Callable[[], Case], ...] = (compas, adult, titanic, german)
