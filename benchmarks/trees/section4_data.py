"""The four tables of Section 4 of "Local Statistical Parity", with the counts that it prints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Rows of a data set. Its counts are those that the paper prints."""

    name: str
    said: str  # what the predictors are
    X: pd.DataFrame
    favorable: np.ndarray  # (n,) bool: Y = 1
    other: np.ndarray  # (n,) bool: A = 1, not of the protected group
    groups: tuple[str, str]  # protected, other
    counts: tuple[int, int, int, int]  # protected Y = -1 and 1, other Y = -1 and 1

    def __post_init__(self) -> None:
        cell = 2 * self.other + self.favorable
        found = tuple(np.bincount(cell, minlength=4).tolist())
        if found != self.counts:
            raise ValueError(f"{self.name} has counts {found}, and the paper {self.counts}.")


def _read(file: str) -> pd.DataFrame:
    return pd.read_csv(DATA / file, dtype=str, keep_default_na=False)


def _predictors(table: pd.DataFrame, numbers: str, categories: str = "") -> pd.DataFrame:
    """Named columns in the order of the table, as numbers and as categories."""
    names = set((numbers + " " + categories).split())
    kept = table[[name for name in table if name in names]].reset_index(drop=True)
    return kept.astype(dict.fromkeys(numbers.split(), "float64")).astype(
        dict.fromkeys(categories.split(), "category")
    )


def adult() -> Table:
    table = _read("adult.csv.gz")
    table = table[~(table == "?").any(axis=1)]
    return Table(
        name="Adult",
        said="all columns but sex (13), rows with a missing value left out",
        X=_predictors(
            table,
            "age fnlwgt education-num capital-gain capital-loss hours-per-week",
            "workclass education marital-status occupation relationship race native-country",
        ),
        favorable=(table["income"] == ">50K").to_numpy(),
        other=(table["sex"] == "Male").to_numpy(),
        groups=("Female", "Male"),
        counts=(13026, 1669, 20988, 9539),
    )


def compas() -> Table:
    table = _read("compas.csv.gz")
    days = pd.to_numeric(table["days_b_screening_arrest"])
    kept = days.between(-30, 30) & (table["is_recid"] != "-1") & (table["score_text"] != "N/A")
    kept &= table["c_charge_degree"] != "O"
    table = table[kept & table["race"].isin(["African-American", "Caucasian"])]
    return Table(
        name="COMPAS",
        said="sex, age, age group, three juvenile counts, priors, degree of charge, decile score "
        "and its text; rows filtered as by ProPublica; favourable is no new offence",
        X=_predictors(
            table,
            "age juv_fel_count juv_misd_count juv_other_count priors_count decile_score",
            "sex age_cat c_charge_degree score_text",
        ),
        favorable=(table["two_year_recid"] == "0").to_numpy(),
        other=(table["race"] == "Caucasian").to_numpy(),
        groups=("African-American", "Caucasian"),
        counts=(1661, 1514, 822, 1281),
    )


def ricci() -> Table:
    table = _read("ricci.csv")
    return Table(
        name="Ricci",
        said="position, oral and written examination; not their weighted sum, which decides",
        X=_predictors(table, "Oral Written", "Position"),
        favorable=(table["Class"] == "1").to_numpy(),
        other=(table["Race"] == "W").to_numpy(),
        groups=("Non-White", "White"),
        counts=(35, 15, 27, 41),
    )


def law_school() -> Table:
    table = _read("law_school.csv.gz")
    return Table(
        name="Law School",
        said="all columns but race (10), each as the number that it is",
        X=_predictors(table, "decile1b decile3 lsat ugpa zfygpa zgpa fulltime fam_inc male tier"),
        favorable=(table["pass_bar"] == "1.0").to_numpy(),
        other=(table["race"] == "White").to_numpy(),
        groups=("Non-White", "White"),
        counts=(916, 2391, 1377, 16114),
    )


TABLES: dict[str, Callable[[], Table]] = {
    "Adult": adult,
    "COMPAS": compas,
    "Ricci": ricci,
    "Law School": law_school,
}
