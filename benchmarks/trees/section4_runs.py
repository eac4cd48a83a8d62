"""Trees of one repetition: LRT, C-LRT over a grid of c, and what a budget for the gap gives."""

from __future__ import annotations

import hashlib
import os
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from section4_data import Table
from section4_metrics import measured
from section4_nodes import split_p_values

import arbitree as ar
from arbitree.tree.parity import Parity

CACHE = Path(__file__).resolve().parents[1] / ".cache" / "section4"
GRID = (1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 1.0, 10.0)
UNBOUND = float("inf")  # the c of LRT, as in the paper's Figure 1
TEST = 0.3
LEVEL = 0.05
SMALL_GAP, SMALL_TREE = 0.01, 8  # of a budget that stands alone

# More than 5 rows for a split and depth 10: the first author's public code, as the paper is silent.
AS_PUBLISHED = {"max_depth": 10, "min_samples_split": 6}
STOPPING = {
    "depth 10, more than 5 rows": AS_PUBLISHED,
    "depth 5": {"max_depth": 5},
    "none": {},
}
STOPPED = next(iter(STOPPING))
CHECKED = (UNBOUND, 0.01)  # c whose trees are grown under each rule for stopping,
STOPPED_OTHERWISE = 10  # in so many repetitions


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Split:
    """Training and test rows of one repetition."""

    X: tuple[pd.DataFrame, pd.DataFrame]
    favorable: tuple[np.ndarray, np.ndarray]
    other: tuple[np.ndarray, np.ndarray]  # not of the protected group


def split(table: Table, repetition: int) -> Split:
    order = np.random.default_rng(repetition).permutation(len(table.X))
    train, test = np.split(order, [round((1 - TEST) * len(order))])
    return Split(
        X=(table.X.iloc[train], table.X.iloc[test]),
        favorable=(table.favorable[train], table.favorable[test]),
        other=(table.other[train], table.other[test]),
    )


def logistic_trees(table: Table, repetition: int) -> pd.DataFrame:
    """A row for each tree of LRT and C-LRT."""
    rules = list(STOPPING)[: None if repetition < STOPPED_OTHERWISE else 1]
    return _kept(
        table, repetition, "logistic", lambda: _logistic_rows(split(table, repetition), rules)
    )


def budget_trees(table: Table, repetition: int) -> pd.DataFrame:
    """A row for the budget tree of each LRT or C-LRT tree that is not constant."""
    trees = logistic_trees(table, repetition)
    trees = trees[(trees["stopping"] == STOPPED) & (trees["constant"] == 0)]
    return _kept(table, repetition, "budget", lambda: _budget_rows(split(table, repetition), trees))


Rows = Iterator[dict[str, float | str]]


def _kept(table: Table, repetition: int, kind: str, grow: Callable[[], Rows]) -> pd.DataFrame:
    """Rows as a frame, on disk for as long as the code that grows the trees is the same."""
    path = CACHE / f"{table.name.replace(' ', '-')}-{repetition}-{kind}-{_code(kind)}.csv"
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ar.ArbitreeWarning)
            pd.DataFrame(list(grow())).to_csv(part, index=False)
        part.replace(path)
    kept = pd.read_csv(path, keep_default_na=False, na_values=[""])
    return kept.assign(table=table.name, repetition=repetition)


def _code(kind: str) -> str:
    """Of what the results depend on."""
    package = Path(ar.__file__).parent
    files = [Path(__file__), Path(__file__).with_name("section4_data.py")]
    files += [files[0].with_name(f"section4_{part}.py") for part in ("metrics", "nodes")]
    for room in ("counts", "model", "table", "tree"):
        files += sorted((package / room).rglob("*.py"))
    content = hashlib.sha256()
    for file in files:
        if kind == "budget" or "budget" not in file.parts:
            content.update(file.read_bytes())
    return content.hexdigest()[:16]


def _logistic_rows(parts: Split, rules: list[str]) -> Rows:
    for name in rules:
        for c in reversed((*GRID, UNBOUND)) if name == STOPPED else CHECKED:
            method = "LRT" if c == UNBOUND else "C-LRT"
            row = _measured(parts, logistic(c, **STOPPING[name]))
            yield {"method": method, "c": c, "stopping": name, **row}


def _budget_rows(parts: Split, trees: pd.DataFrame) -> Rows:
    grown: dict[tuple[float, int], dict[str, float]] = {}  # many c lead to the same tree
    for tree in trees.itertuples():
        allowed = (float(tree.train_gap), int(tree.leaves))
        if allowed not in grown:
            grown[allowed] = _measured(parts, _budget(*allowed))
        yield {"method": "budget", "c": tree.c, "stopping": STOPPED, **grown[allowed]}
    row = _measured(parts, _budget(SMALL_GAP, SMALL_TREE))
    yield {"method": "small budget", "c": SMALL_GAP, "stopping": STOPPED, **row}


def logistic(c: float, **rule: int) -> ar.TreeClassifier:
    """LRT or C-LRT, whose numbers are not binned but for those of more than 1,000 values."""
    parity: Parity | None = None if c == UNBOUND else ar.Covariance(c)
    return ar.TreeClassifier(split="logistic", parity=parity, max_bins=1000, **rule)


def _budget(eps: float, leaves: int) -> ar.TreeClassifier:
    return ar.TreeClassifier(
        parity=ar.GapBudget(eps), max_depth=5, max_leaf_nodes=leaves, min_samples_split=6
    )


def _measured(parts: Split, tree: ar.TreeClassifier) -> dict[str, float]:
    start = time.process_time()
    tree.fit(parts.X[0], parts.favorable[0], sensitive_features=parts.other[0])
    seconds = time.process_time() - start
    grown, other = tree.tree_, parts.other[1]
    leaf = tree.apply(parts.X[1])
    decided = grown.label[leaf] == tree.favorable_
    report = tree.parity_report_
    p_values = split_p_values(grown, leaf, other)
    return {
        **measured(decided, parts.favorable[1], other),
        "constant": float(len(np.unique(grown.label[grown.is_leaf])) == 1),
        "leaves": float(grown.n_leaves),
        "depth": float(tree.get_depth()),
        "train_gap": abs(float(report["contribution"].sum())),
        "root_gap": float(report["eps"].iloc[0]) if len(report) else float("nan"),
        "widest_gap": float((report["reach"] * report["eps"]).max() if len(report) else 0.0),
        "splits": float(len(p_values)),
        "rejected": float((p_values <= LEVEL).sum()),
        "seconds": seconds,
    }


Progress = Callable[[list[tuple[str, int]], str], Iterator[tuple[str, int]]]


def all_results(
    tables: dict[str, Callable[[], Table]], *, repetitions: int, budgets: int, progress: Progress
) -> pd.DataFrame:
    """Rows of all trees: budgets of the first repetitions only, as they take long."""
    loaded = {name: load() for name, load in tables.items()}
    found = []
    for kind, n, what in (
        (logistic_trees, repetitions, "LRT and C-LRT"),
        (budget_trees, min(budgets, repetitions), "budgets"),
    ):
        jobs = [(name, repetition) for repetition in range(n) for name in loaded]
        found += [kind(loaded[name], repetition) for name, repetition in progress(jobs, what)]
    return pd.concat(found, ignore_index=True)
