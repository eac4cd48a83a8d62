"""Forests on real data and random rules about them, and dtai-veritas asked about the same."""

from __future__ import annotations

import copy
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

N_TRAIN = 4000
_ATOM = re.compile(r"(\S+) (<=|>=) (\S+)")


def forests(folder: Path, n_trees: int) -> Iterator[tuple[str, Any, pd.DataFrame]]:
    """Name, model and training data: numbers of Taiwan; texts and numbers of German and Adult."""
    for name, file, target in (
        ("Taiwan", "credit_default_taiwan.csv.gz", "DEFAULT_PAYMENT"),
        ("German", "german.csv", "class"),
        ("Adult", "adult.csv.gz", "income"),
    ):
        frame = pd.read_csv(folder / file, nrows=10 * N_TRAIN)
        frame = frame.sample(min(N_TRAIN, len(frame)), random_state=0).reset_index(drop=True)
        y = frame.pop(target)
        numbers = frame.select_dtypes("number").astype(float)
        X = frame.assign(**{str(column): numbers[column] for column in numbers})
        forest = RandomForestClassifier(n_trees, min_samples_leaf=5, random_state=0)
        if len(numbers.columns) == len(X.columns):
            yield name, forest.fit(X, y), X
        else:
            yield name, make_pipeline(_encoder(), forest).fit(X, y), X


def mushroom_forest(folder: Path, n_trees: int) -> tuple[Any, pd.DataFrame]:
    """A forest on one-hot columns of Mushroom."""
    frame = pd.read_csv(folder / "mushroom.csv.gz", dtype=str, keep_default_na=False)
    y = frame.pop("class")
    model = make_pipeline(_encoder(), RandomForestClassifier(n_trees, random_state=0))
    return model.fit(frame, y), frame


def _encoder() -> Any:
    return make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")),
        remainder="passthrough",
    )


def random_rules(
    X: pd.DataFrame, rng: np.random.Generator, n_rules: int, n_atoms: int = 3
) -> list[str]:
    """Conjunctions of comparisons with quantiles of their columns."""
    numbers = list(X.select_dtypes("number").columns)
    labels = {"Taiwan": ("0", "1"), "German": ("good", "bad"), "Adult": ("'>50K'", "'<=50K'")}
    name = "Taiwan" if "LIMIT_BAL" in X else "Adult" if "education" in X else "German"
    found = []
    for _ in range(n_rules):
        atoms = []
        for column in rng.choice(numbers, min(n_atoms, len(numbers)), replace=False):
            level = rng.uniform(0.02, 0.98)
            limit = float(np.quantile(X[column].dropna(), level))
            atoms.append(f"{column} {'<=' if level < 0.5 else '>='} {limit:g}")
        found.append(f"{' and '.join(atoms)} => {rng.choice(labels[name])}")
    return found


def atoms_of(text: str) -> list[tuple[str, str, str]]:
    """The comparisons of a rule: column, sign and limit."""
    return _ATOM.findall(text.split(" =>")[0])


def first_trees(forest: Any, n_trees: int) -> Any:
    """The forest of the first trees of another one."""
    found = copy.copy(forest)
    found.estimators_ = forest.estimators_[:n_trees]
    found.n_estimators = n_trees
    return found


def narrow_rule(X: pd.DataFrame, y: object, row: int, free: Sequence[str]) -> str:
    """All columns but some as they are in a row => a class."""
    fixed = X.iloc[row].drop(list(free))
    atoms = [f"{name} {sign} {value:g}" for name, value in fixed.items() for sign in (">=", "<=")]
    return f"{' and '.join(atoms)} => {y}"


def veritas_outcome(model: Any, X: pd.DataFrame, text: str, seconds: float) -> tuple[str, float]:
    """What dtai-veritas says of a rule, and after how many CPU seconds, with reading the model.

    "unconfirmed": it found a row that the model's own `predict` does not decide against the rule.
    """
    import veritas

    start = time.process_time()
    trees = veritas.get_addtree(model, silent=True)
    if trees.num_leaf_values() > 1:
        trees = trees.make_singleclass(1)
    demanded = text.split("=> ")[1]
    if demanded == str(model.classes_[1]):  # then the score of the other class is to be large
        trees = trees.negate_leaf_values()
    box = [veritas.Interval() for _ in X.columns]
    places = {str(name): place for place, name in enumerate(X)}
    for name, sign, limit in atoms_of(text):
        number = float(np.float32(limit))
        least = (number, np.inf) if sign == ">=" else (-np.inf, float(np.nextafter(number, np.inf)))
        box[places[name]] = box[places[name]].intersect(veritas.Interval(*least))
    # Its scores are positive where the second class is decided, once negated where the first is.
    search = veritas.Config(veritas.HeuristicType.MAX_OUTPUT).get_search(trees, box)
    while time.process_time() - start < seconds:
        search.step_for(0.2, 100)
        # Without a solution `atleast` is infinite, and says nothing.
        if search.num_solutions() and (found := search.get_solution(0)).output > 0:
            spent = time.process_time() - start
            decided = model.predict(_row_within(found.box(), X))[0]
            return "unconfirmed" if str(decided) == demanded else "violated", spent
        if search.current_bounds().best < 0:
            return "holds", time.process_time() - start
    return "undecided", time.process_time() - start


def _row_within(box: Any, X: pd.DataFrame) -> pd.DataFrame:
    """The first row, moved into a box of ``lo <= x < hi``."""
    row = X.iloc[0].to_numpy(float, copy=True)
    for place, of in box.items():
        if not of.lo <= row[place] < of.hi:
            last = np.nextafter(np.float32(of.hi), np.float32(-np.inf))
            row[place] = of.lo if np.isfinite(of.lo) else float(last)
    return pd.DataFrame([row], columns=X.columns)
