"""Tables on which trees are compared: features, whether the outcome is favourable, groups."""

from __future__ import annotations

from pathlib import Path

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


def taiwan() -> Rows:
    """Credit default in Taiwan; groups by sex."""
    table = pd.read_csv(DATA / "credit_default_taiwan.csv.gz")
    paid = table["DEFAULT_PAYMENT"] == 0
    return table.drop(columns=["DEFAULT_PAYMENT", "SEX"]), paid, table["SEX"].astype(str)


def dutch() -> Rows:
    """Dutch census: a prestigious occupation; groups by sex."""
    table = pd.read_csv(DATA / "dutch_census.csv.gz")
    prestigious = table["occupation"].astype(str).isin(["1", "1.0"])
    return table.drop(columns=["occupation", "sex"]), prestigious, table["sex"].astype(str)


TABLES = {
    "Adult": adult,
    "COMPAS": compas,
    "Law School": law_school,
    "German": german,
    "Taiwan": taiwan,
    "Dutch": dutch,
}
