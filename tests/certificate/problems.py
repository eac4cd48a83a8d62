"""Certificates of every kind, small enough to be changed in every field."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pandas as pd

import arbitree as ar

RULES = """
feature age: integer, from 0 to 110, missing
feature job: {clerk, nurse, none, pilot, ...}
feature grade: {1, 2, 3}, never missing
age < 18 => deny                                    [id: minors, reason: "the law"]
job = none and income <= 900 and not missing(income) => {deny, review}   [id: poor]
job = pilot and age >= 67 and not missing(age) => not approve  [id: old-pilots, severity: high]
not (grade in {1, 2}) and income < 2000 => not approve [id: third, missing: certain]
job = pilot and income < 2000 => not review         [id: pilots]
job = pilot and grade in {2, 3} => review           [id: cannot-be]
job = pilot => grade = 1                            [id: pilots-are-first]
age < 16 => job = none
"""


@cache
def people(n: int = 600, seed: int = 0) -> pd.DataFrame:
    """Applicants with groups and labels; ages, jobs and incomes may be missing."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(16, 90, n).astype(float),
            "job": rng.choice(["clerk", "nurse", "none"], n),
            "income": rng.normal(2000, 800, n).round(1),
            "grade": rng.integers(1, 4, n).astype(str),
            "sex": rng.choice(["f", "m"], n),
            "member": rng.choice([False, True], n),
            "origin": rng.choice(["a", "b", "c"], n),
        }
    )
    frame.loc[rng.random(n) < 0.05, "age"] = np.nan
    frame.loc[rng.random(n) < 0.05, "income"] = np.nan
    score = frame["income"].fillna(0) / 1000 + (frame["job"] == "nurse") + rng.normal(size=n)
    frame["decided"] = np.select([score > 2.5, score > 1.5], ["approve", "review"], "deny")
    return frame


FEATURES = ["age", "job", "income", "grade"]


@cache
def safe_tree(max_depth: int = 1) -> ar.TreeClassifier:
    """Learnt under the rules."""
    grown = people(seed=1)
    tree = ar.TreeClassifier(
        rules=RULES, contradictions="drop", max_depth=max_depth, favorable_label="approve"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # says how many rows were dropped
        return tree.fit(grown[FEATURES], grown["decided"])


@cache
def safety() -> ar.Certificate:
    """Rules, facts, levels, numbers, missing values; no fairness."""
    return ar.certify(safe_tree())


@cache
def one_rule() -> ar.Certificate:
    """One rule about one number, which is never missing."""
    tree = ar.TreeClassifier().fit({"age": [10, 40]}, ["deny", "approve"])
    return ar.certify(tree, rules="age < 18 => deny")


@cache
def plain_tree() -> ar.TreeClassifier:
    """Learnt without rules, from four columns."""
    grown = people(seed=1)
    return ar.TreeClassifier(max_depth=2, favorable_label="approve").fit(
        grown[FEATURES], grown["decided"]
    )


@cache
def both(method: str = "clopper-pearson") -> ar.Certificate:
    """Two rules, and the gap between the four groups of two columns."""
    rows = people()
    return ar.certify(
        plain_tree(),
        rows[FEATURES],
        rows["decided"],
        sensitive_features=rows[["sex", "member"]],
        rules="income < 0 => not approve\nincome < 100 or missing(income) => deny  [id: none]",
        domain=rows[FEATURES],
        max_gap=0.4,
        method=method,
    )


@cache
def candidates(
    method: str = "clopper-pearson", procedure: str = "fixed_sequence"
) -> ar.Certificate:
    """One of three trees, chosen on the same rows; of two conditions and three groups."""
    rows, grown = people(), people(seed=1)
    trees = {
        f"depth {depth}": ar.TreeClassifier(max_depth=depth, favorable_label="yes").fit(
            grown[FEATURES], np.where(grown["decided"] == "deny", "no", "yes")
        )
        for depth in (1, 2, 3)
    }
    return ar.certify(
        trees,
        rows[FEATURES],
        np.where(rows["decided"] == "deny", "no", "yes"),
        sensitive_features=rows["origin"],
        metric="equalized_odds",
        max_gap=0.5,
        method=method,
        procedure=procedure,
    )
