"""Tables on which trees are compared: features, whether the outcome is favourable, groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"

Rows = tuple[pd.DataFrame, pd.Series, pd.Series]


def adult() -> Rows:
    """Adult, rows with a missing value dropped; groups by sex."""
    table = pd.read_csv(DATA / "adult.csv.gz", na_values="?").dropna().reset_index(drop=True)
    return table.drop(columns=["income", "sex"]), table["income"] == ">50K", table["sex"]


def compas() -> Rows:
    """COMPAS as ProPublica filters it; African-American and Caucasian defendants."""
    table = pd.read_csv(DATA / "compas.csv.gz")
    kept = table["days_b_screening_arrest"].between(-30, 30) & (table["is_recid"] != -1)
    kept &= (table["c_charge_degree"] != "O") & (table["score_text"] != "N/A")
    kept &= table["race"].isin(["African-American", "Caucasian"])
    table = table[kept].reset_index(drop=True)
    names = ["sex", "age", "juv_fel_count", "juv_misd_count", "juv_other_count"]
    names += ["priors_count", "c_charge_degree"]
    return table[names], table["two_year_recid"] == 0, table["race"]


def law_school() -> Rows:
    """Law School: who passes the bar; groups by race."""
    table = pd.read_csv(DATA / "law_school.csv.gz")
    return table.drop(columns=["pass_bar", "race"]), table["pass_bar"] == 1, table["race"]


def german() -> Rows:
    """German credit; groups by age above 25."""
    table = pd.read_csv(DATA / "german.csv")
    old = (table["age"] > 25).map({True: "older", False: "25 or less"})
    return table.drop(columns=["class", "age"]), table["class"] == "good", old.rename("age group")


def ricci() -> Rows:
    """Ricci: who passes for promotion; groups White and not White."""
    table = pd.read_csv(DATA / "ricci.csv")
    white = (table["Race"] == "W").map({True: "White", False: "not White"})
    return table[["Position", "Oral", "Written"]], table["Class"] == 1, white.rename("race")


def titanic() -> Rows:
    """Titanic: who survived; groups by sex. Ages and ports may be missing."""
    table = pd.read_csv(DATA / "titanic.csv")
    return table.drop(columns=["survived", "sex"]), table["survived"] == 1, table["sex"]


def taiwan() -> Rows:
    """Credit default in Taiwan: who pays; groups by sex."""
    table = pd.read_csv(DATA / "credit_default_taiwan.csv.gz")
    paid = table["DEFAULT_PAYMENT"] == 0
    return table.drop(columns=["DEFAULT_PAYMENT", "SEX"]), paid, table["SEX"].astype(str)


NOMINAL_OF_CENSUS = ["household_position", "prev_residence_place", "citizenship", "country_birth"]
NOMINAL_OF_CENSUS += ["economic_status", "cur_eco_activity", "marital_status"]


def dutch() -> Rows:
    """Dutch census: a prestigious occupation; groups by sex. Codes of the census are levels."""
    table = pd.read_csv(DATA / "dutch_census.csv.gz")
    table[NOMINAL_OF_CENSUS] = table[NOMINAL_OF_CENSUS].astype(str)
    return table.drop(columns=["occupation", "sex"]), table["occupation"] == 1, table["sex"]


TABLES = {
    "Ricci": ricci,
    "German": german,
    "Titanic": titanic,
    "COMPAS": compas,
    "Law School": law_school,
    "Taiwan": taiwan,
    "Adult": adult,
    "Dutch": dutch,
}


@dataclass(frozen=True)
class Split:
    """Training and test rows: as frames for us, as numbers for the peers."""

    X: tuple[pd.DataFrame, pd.DataFrame]
    Z: tuple[np.ndarray, np.ndarray]
    y: tuple[np.ndarray, np.ndarray]  # 1 where the outcome is favourable
    a: tuple[np.ndarray, np.ndarray]
    depth: int
    leaves: int


def splits(name: str, n_splits: int, depth: int, leaves: int) -> Iterator[Split]:
    """Splits of 70/30, the same for every method."""
    for number in range(n_splits):
        yield split_of(name, number, depth, leaves)


def split_of(name: str, number: int, depth: int, leaves: int) -> Split:
    X, favorable, groups = TABLES[name]()
    y, a = favorable.to_numpy().astype(int), groups.to_numpy().astype(str)
    order = np.random.default_rng(number).permutation(len(X))
    parts = np.split(order, [round(0.7 * len(X))])
    train, test = (X.iloc[rows].reset_index(drop=True) for rows in parts)
    of_train, of_test = (y[rows] for rows in parts)
    return Split(
        X=(train, test),
        Z=numbered(train, test, of_train),
        y=(of_train, of_test),
        a=(a[parts[0]], a[parts[1]]),
        depth=depth,
        leaves=leaves,
    )


def numbered(
    train: pd.DataFrame, test: pd.DataFrame, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Numbers for peers that know no categories.

    The levels of a category are numbered by their share of favourable outcomes among the training
    rows: a threshold on that number is CART's best subset of levels at the root (Breiman et al.
    1984, theorem 4.5). Missing values and unseen levels are -1.
    """
    found: list[list[np.ndarray]] = [[], []]
    for name in train:
        if train[name].dtype.kind in "ifb":
            for columns, X in zip(found, (train, test)):
                columns.append(X[name].fillna(-1).to_numpy(float))
            continue
        share = pd.Series(y).groupby(train[name].astype(object).to_numpy()).mean()
        number = {level: k for k, level in enumerate(share.sort_values(kind="stable").index)}
        for columns, X in zip(found, (train, test)):
            columns.append(X[name].map(number).fillna(-1).to_numpy(float))
    return np.column_stack(found[0]), np.column_stack(found[1])


def binary(split: Split, n_cuts: int) -> tuple[np.ndarray, np.ndarray]:
    """0/1 features for the optimal solver: each column at or below some of its quantiles."""
    train, test = [], []
    for of_train, of_test in zip(split.Z[0].T, split.Z[1].T):
        shares = np.arange(1, n_cuts + 1) / (n_cuts + 1)
        for cut in np.unique(np.quantile(of_train, shares, method="lower")):
            if cut < of_train.max():
                train.append(of_train <= cut)
                test.append(of_test <= cut)
    return np.column_stack(train).astype(int), np.column_stack(test).astype(int)
