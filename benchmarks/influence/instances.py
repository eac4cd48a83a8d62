"""The 480 instances of the paper: 24 sensitive combinations x 4 classifiers x 5 folds.

An instance is the training part of a fold, the decisions of a classifier fitted to it, and the
sensitive columns. Decisions are made once and kept, so that every method explains the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
from datasets_of_paper import BY_NAME, DATASETS, Coded, load
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

CACHE = Path(__file__).resolve().parents[1] / ".cache" / "influence-tables"
FOLDS = 5
CLASSIFIERS: dict[str, Callable[[], Any]] = {  # settings of the authors' public run
    "LR": lambda: LogisticRegression(class_weight="balanced", solver="liblinear", random_state=0),
    "SVM": lambda: SVC(kernel="linear"),
    "NN": lambda: MLPClassifier(
        solver="lbfgs", alpha=1e-5, hidden_layer_sizes=(5, 2), random_state=1
    ),
    "DT": lambda: DecisionTreeClassifier(max_depth=5, random_state=0),
}
CONDITIONS = {  # name: metric, what a row's decision or label must be
    "sp": ("statistical_parity", None),
    "eo1": ("equalized_odds", 1),
    "eo0": ("equalized_odds", 0),
    "pp1": ("predictive_parity", 1),
    "pp0": ("predictive_parity", 0),
}


@dataclass(frozen=True, slots=True)
class Instance:
    """One of the 480."""

    dataset: str
    sensitive: tuple[str, ...]
    classifier: str
    fold: int

    @property
    def key(self) -> str:
        return f"{self.dataset}/{'+'.join(self.sensitive)}/{self.classifier}/{self.fold}"

    @property
    def age_binned(self) -> bool:
        return BY_NAME[self.dataset].age in self.sensitive

    @property
    def model(self) -> str:
        """Instances of one dataset share a classifier, unless age is binned in one of them."""
        binned = "binned" if self.age_binned else "plain"
        return f"{self.dataset}-{binned}-{self.classifier}-{self.fold}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Problem:
    """A gap to explain: one instance under one condition."""

    rows: np.ndarray  # numbers of the training rows under the condition
    outcome: np.ndarray  # (rows,) 0 or 1
    groups: np.ndarray  # (rows,) numbers of the groups
    high: int
    low: int
    rate_high: float
    rate_low: float

    @property
    def gap(self) -> float:
        return self.rate_high - self.rate_low

    @property
    def why_degenerate(self) -> str:
        if self.high == self.low:
            return "no gap"
        if self.rate_high == 1:
            return "p_max = 1"
        return "p_min = 0" if self.rate_low == 0 else ""


def all_instances() -> list[Instance]:
    return [
        Instance(dataset.name, sensitive, classifier, fold)
        for dataset in DATASETS
        for sensitive in dataset.combinations()
        for classifier in CLASSIFIERS
        for fold in range(FOLDS)
    ]


@cache
def coded(dataset: str, age_binned: bool) -> Coded:
    return load(BY_NAME[dataset], age_binned=age_binned)


@cache
def _folds(n: int) -> list[np.ndarray]:
    """As the authors' run: five shuffled folds of seed 10."""
    return [train for train, _ in KFold(FOLDS, shuffle=True, random_state=10).split(np.zeros(n))]


def training_rows(instance: Instance) -> np.ndarray:
    return _folds(len(coded(instance.dataset, instance.age_binned).labels))[instance.fold]


def training_table(instance: Instance) -> pd.DataFrame:
    return coded(instance.dataset, instance.age_binned).table.iloc[training_rows(instance)]


def training_matrix(instance: Instance) -> pd.DataFrame:
    return coded(instance.dataset, instance.age_binned).matrix.iloc[training_rows(instance)]


def training_labels(instance: Instance) -> np.ndarray:
    return coded(instance.dataset, instance.age_binned).labels[training_rows(instance)]


def fitted(instance: Instance) -> Any:
    """The instance's classifier, from the cache if it has been fitted before."""
    path = CACHE / "models" / f"{instance.model}.joblib"
    if not path.exists():
        model = CLASSIFIERS[instance.classifier]()
        model.fit(training_matrix(instance).to_numpy(), training_labels(instance))
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".part")
        joblib.dump(model, beside)
        beside.replace(path)
    return joblib.load(path)


def decisions_file(instance: Instance) -> Path:
    """What the reference's worker reads: matrix, its columns, decisions and labels."""
    path = CACHE / "decisions" / f"{instance.model}.npz"
    if not path.exists():
        matrix = training_matrix(instance)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".part.npz")
        np.savez_compressed(
            beside,
            matrix=matrix.to_numpy(),
            columns=np.array(list(matrix.columns)),
            decisions=fitted(instance).predict(matrix.to_numpy()).astype(np.int64),
            labels=training_labels(instance),
        )
        beside.replace(path)
    return path


def decisions(instance: Instance) -> np.ndarray:
    return _decisions(decisions_file(instance))


@cache
def _decisions(path: Path) -> np.ndarray:
    with np.load(path) as stored:
        return stored["decisions"]


@cache
def _groups(dataset: str, sensitive: tuple[str, ...], age_binned: bool) -> np.ndarray:
    """A number for each combination of the sensitive columns, of all rows."""
    table = coded(dataset, age_binned).table
    return table.groupby(list(sensitive), sort=True).ngroup().to_numpy()


def problem(instance: Instance, condition: str) -> Problem:
    """The rows under a condition, and the groups with the highest and the lowest rate."""
    decided, labels = decisions(instance), training_labels(instance)
    metric, value = CONDITIONS[condition]
    of_labels = metric == "predictive_parity"
    given, outcome = (decided, labels) if of_labels else (labels, decided)
    rows = np.arange(len(labels)) if value is None else np.flatnonzero(given == value)
    every = _groups(instance.dataset, instance.sensitive, instance.age_binned)
    groups = every[training_rows(instance)][rows]
    n = np.bincount(groups, minlength=1)
    with np.errstate(invalid="ignore"):
        rates = np.bincount(groups, outcome[rows], minlength=1) / n
    seen = np.flatnonzero(n) if n.any() else np.array([0])
    high, low = int(seen[rates[seen].argmax()]), int(seen[rates[seen].argmin()])
    return Problem(
        rows=rows,
        outcome=outcome[rows],
        groups=groups,
        high=high,
        low=low,
        rate_high=float(rates[high]),
        rate_low=float(rates[low]),
    )


def dimensions() -> Iterator[tuple[str, tuple[int, int], tuple[int, int]]]:
    """For each dataset, what the first training part has and what the paper says."""
    for dataset in DATASETS:
        first = Instance(dataset.name, (dataset.sensitive[0],), "LR", 0)
        plain = [one for one in dataset.combinations() if dataset.age not in one]
        first = Instance(dataset.name, plain[0], "LR", 0)
        yield dataset.name, training_matrix(first).shape, dataset.dimension


CONDITIONS_OF = {"sp": ("sp",), "eo": ("eo1", "eo0"), "pp": ("pp1", "pp0")}


def explained_condition(instance: Instance, metric: str) -> str:
    """The condition of "sp", "eo" or "pp" with the larger gap; the first of two equal ones."""
    names = CONDITIONS_OF[metric]
    gaps = [np.nan_to_num(problem(instance, name).gap, nan=-1.0) for name in names]
    return names[int(np.argmax(gaps))]


def explained_problem(instance: Instance, metric: str) -> Problem:
    return problem(instance, explained_condition(instance, metric))
