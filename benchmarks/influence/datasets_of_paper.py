"""The four datasets of 'How Biased are Your Features?', coded as its own run codes them.

Facts of coding (columns, dropped rows, bins, dummy columns, folds) follow the authors' public run;
their dimensions are checked. Reads ../shared/data, which is not part of this repository.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
AGE_BINS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Where a dataset is, and which of its columns mean what."""

    name: str
    file: str
    features: tuple[str, ...]
    categorical: tuple[str, ...]  # of the features
    target: str
    positive: str  # the value of the target that the classifiers predict as 1
    sensitive: tuple[str, ...]
    age: str
    dimension: tuple[int, int]  # rows of the first training part, columns with dummies
    missing: str = ""
    rows: int | None = None  # the first ones
    prepare: Callable[[pd.DataFrame], pd.DataFrame] = lambda frame: frame

    def combinations(self) -> list[tuple[str, ...]]:
        """Every non-empty subset of the sensitive columns."""
        sizes = range(1, len(self.sensitive) + 1)
        return [subset for size in sizes for subset in combinations(self.sensitive, size)]


def _race_in_two(frame: pd.DataFrame) -> pd.DataFrame:
    race = np.where(frame["race"] == "Caucasian", "Caucasian", "Not Caucasian")
    return frame.assign(race=race)


DATASETS = (
    Dataset(
        name="Titanic",
        file="titanic.csv",
        features=("pclass", "sex", "age", "sibsp", "parch", "fare", "embarked"),
        categorical=("pclass", "sex", "embarked"),
        target="survived",
        positive="1",
        sensitive=("sex", "pclass", "age"),
        age="age",
        dimension=(834, 11),
    ),
    Dataset(
        name="German",
        file="german_kaggle9.csv",
        features=(
            "Age",
            "Sex",
            "Job",
            "Housing",
            "Saving accounts",
            "Checking account",
            "Credit amount",
            "Duration",
            "Purpose",
        ),
        categorical=("Sex", "Housing", "Checking account", "Saving accounts", "Purpose"),
        target="target",
        positive="good",
        sensitive=("Age", "Sex"),
        age="Age",
        dimension=(417, 23),
        missing="NA",
    ),
    Dataset(
        name="COMPAS",
        file="compas.csv.gz",
        features=(
            "sex",
            "age",
            "race",
            "juv_fel_count",
            "juv_misd_count",
            "juv_other_count",
            "priors_count",
            "c_charge_degree",
        ),
        categorical=("sex", "race", "c_charge_degree"),
        target="two_year_recid",
        positive="1",  # as the paper: the prediction is that a person offends again
        sensitive=("race", "age", "sex"),
        age="age",
        dimension=(5771, 8),
        prepare=_race_in_two,
    ),
    Dataset(
        name="Adult",
        file="adult.csv.gz",
        features=(
            "race",
            "sex",
            "age",
            "education-num",
            "capital-gain",
            "capital-loss",
            "hours-per-week",
        ),
        categorical=("race", "sex"),
        target="income",
        positive=">50K",
        sensitive=("race", "sex", "age"),
        age="age",
        dimension=(26048, 11),
        rows=32_561,
    ),
)
BY_NAME = {dataset.name: dataset for dataset in DATASETS}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coded:
    """A dataset as a table of features, as the matrix of numbers a classifier reads, and labels."""

    table: pd.DataFrame  # (n, features): texts for categories, floats otherwise
    matrix: pd.DataFrame  # (n, m): scaled to 0 to 1, dummy columns for more than two levels
    labels: np.ndarray  # (n,) 0 or 1


def load(dataset: Dataset, *, age_binned: bool) -> Coded:
    """One dataset; with `age_binned`, age is a category of four intervals of equal width."""
    raw = _read(dataset)
    bins = _equal_width(raw[dataset.age]) if age_binned and dataset.name == "German" else None
    raw = raw[~raw.isna().any(axis=1)].reset_index(drop=True)
    if bins is not None:  # its bins are of all rows, also of those that are dropped
        bins = bins[_complete(dataset)]
    elif age_binned:
        bins = _equal_width(raw[dataset.age])
    table = raw[list(dataset.features)].copy()
    if bins is not None:
        table[dataset.age] = [str(k) for k in bins]
    matrix = _matrix(dataset, table, age_binned)
    labels = (raw[dataset.target] == dataset.positive).to_numpy(np.int64)
    return Coded(table=table, matrix=matrix, labels=labels)


def _complete(dataset: Dataset) -> np.ndarray:
    return ~_read(dataset).isna().any(axis=1).to_numpy()


def _read(dataset: Dataset) -> pd.DataFrame:
    frame = pd.read_csv(
        DATA / dataset.file, dtype=str, keep_default_na=False, na_values=[dataset.missing]
    )
    frame = frame[[*dataset.features, dataset.target]].head(dataset.rows or len(frame))
    frame = dataset.prepare(frame)
    numeric = [name for name in dataset.features if name not in dataset.categorical]
    return frame.astype(dict.fromkeys(numeric, np.float64))


def _equal_width(values: pd.Series) -> np.ndarray:
    edges = np.linspace(values.min(), values.max(), AGE_BINS + 1)
    return np.searchsorted(edges[1:-1], values.to_numpy(), side="left")


def _matrix(dataset: Dataset, table: pd.DataFrame, age_binned: bool) -> pd.DataFrame:
    matrix = table.copy()
    categorical = [*([dataset.age] if age_binned else []), *dataset.categorical]
    for name in dataset.features:
        if name not in categorical:
            low, high = matrix[name].min(), matrix[name].max()
            matrix[name] = (matrix[name] - low) / (high - low)
    for name in categorical:
        levels = matrix[name].unique()
        if len(levels) > 2:
            dummies = pd.get_dummies(matrix[name], prefix=name, dtype=np.float64)
            matrix = matrix.drop(columns=name).join(dummies)
        else:
            matrix[name] = (matrix[name] == levels[1]).astype(np.float64)
    return matrix.astype(np.float64)
