"""Tables of the page on Section 4, from the results of single trees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from page import table
from section4_metrics import FAIRNESS, PREDICTION
from section4_runs import STOPPED, STOPPED_OTHERWISE, TEST, UNBOUND

from arbitree.tree.scores import corrected_interval

LOGISTIC = ("LRT", "C-LRT")


def mean_and_half(values: pd.Series) -> tuple[float, float]:
    """Mean over repetitions, and half of Nadeau and Bengio's interval of 95 %."""
    mean, low, high = corrected_interval(
        values.to_numpy(float), share_of_test=TEST / (1 - TEST), confidence=0.95
    )
    return mean, (high - low) / 2


def cell(values: pd.Series, *, sign: str = "") -> str:
    """Mean ± half the interval; a dash without values."""
    mean, half = mean_and_half(values)
    if np.isnan(mean):
        return "–"
    shown = f"{mean:{sign}.3f}"
    return shown if np.isnan(half) else f"{shown} ± {half:.3f}"


def bound(c: float) -> str:
    return "LRT" if c == UNBOUND else f"{c:g}"


def logistic(found: pd.DataFrame) -> pd.DataFrame:
    """LRT and C-LRT of one table, stopped as published."""
    kept = found["method"].isin(LOGISTIC) & (found["stopping"] == STOPPED)
    return found[kept].sort_values("c", ascending=False, kind="stable")


def by_bound(trees: pd.DataFrame) -> list[tuple[float, pd.DataFrame]]:
    """The trees of each c, LRT first."""
    return [(float(c), of_c) for c, of_c in trees.groupby("c", sort=False)]


def overview(found: pd.DataFrame) -> str:
    measures = {**PREDICTION, **FAIRNESS}
    rows = [
        [
            bound(c),
            f"{trees['constant'].sum():.0f}",
            f"{trees['leaves'].mean():.1f}",
            *(cell(trees[name]) for name in measures),
        ]
        for c, trees in by_bound(logistic(found))
    ]
    return table(["c", "constant", "leaves", *measures.values()], rows)


def without_constant(found: pd.DataFrame) -> str:
    """Of those c that made some tree constant, but not all."""
    rows = []
    for c, trees in by_bound(logistic(found)):
        varied = trees[trees["constant"] == 0]
        if 0 < len(varied) < len(trees):
            names = ("accuracy", "ba", *FAIRNESS)
            rows.append([bound(c), str(len(varied)), *(cell(varied[name]) for name in names)])
    if not rows:
        return "(there is no such c)"
    return table(["c", "trees", "accuracy", "BA", *FAIRNESS.values()], rows)


def gap(trees: pd.DataFrame) -> pd.Series:
    """Absolute SP of each repetition."""
    return trees.set_index("repetition")["sp"].abs()


def change(trees: pd.DataFrame, reference: pd.DataFrame) -> pd.Series:
    """Of the gap, against another tree of the same repetition."""
    return gap(trees) - gap(reference).reindex(trees["repetition"])


def kept_gaps(found: pd.DataFrame) -> str:
    """What c leaves of the gap of LRT and of single splits."""
    trees = logistic(found)
    reference = trees[trees["c"] == UNBOUND]
    rows = []
    for c, of_c in by_bound(trees):
        varied = of_c[of_c["constant"] == 0]
        changed = change(varied, reference)
        rows.append(
            [
                bound(c),
                str(len(varied)),
                cell(gap(of_c)),
                cell(gap(varied)),
                "" if c == UNBOUND else cell(changed, sign="+"),
                "" if c == UNBOUND else f"{(changed > 0).sum()}",
                _median(varied["root_gap"]),
                _median(varied["widest_gap"]),
                f"{(varied['rejected'] > 0).sum()}",
            ]
        )
    columns = ["c", "not constant", "gap", "gap of these", "change from LRT", "wider than LRT"]
    return table([*columns, "root split", "widest split", "rejected"], rows)


def _median(values: pd.Series) -> str:
    return f"{values.median():.3f}" if len(values) else "–"


def budgets(found: pd.DataFrame) -> str:
    """C-LRT trees that are not constant, and the budget tree of each."""
    rows = []
    for c, ours in by_bound(
        found[found["method"] == "budget"].sort_values("c", ascending=False, kind="stable")
    ):
        trees = logistic(found)
        theirs = trees[(trees["c"] == c) & (trees["constant"] == 0)]
        rows.append([bound(c), str(len(ours)), *_compared(ours, theirs)])
    columns = ["accuracy", "budget", "difference", "gap", "budget's", "difference of gaps"]
    return table(["c", "trees", "leaves", "training gap", *columns], rows)


def _compared(ours: pd.DataFrame, theirs: pd.DataFrame) -> Sequence[str]:
    accuracy = [part.set_index("repetition")["accuracy"] for part in (theirs, ours)]
    return [
        f"{theirs['leaves'].mean():.1f}, {ours['leaves'].mean():.1f}",
        f"{theirs['train_gap'].mean():.3f}, {ours['train_gap'].mean():.3f}",
        f"{accuracy[0].mean():.3f}",
        f"{accuracy[1].mean():.3f}",
        cell(accuracy[1] - accuracy[0], sign="+"),
        f"{gap(theirs).mean():.3f}",
        f"{gap(ours).mean():.3f}",
        cell(gap(ours) - gap(theirs), sign="+"),
    ]


def small_budgets(found: pd.DataFrame) -> str:
    """One small tree with a budget, on each table, beside the majority class."""
    rows = []
    for name, of_table in found.groupby("table", sort=False):
        trees = of_table[of_table["method"] == "small budget"]
        measures = {**PREDICTION, **FAIRNESS}
        cells = [cell(trees[measure]) for measure in measures]
        rows.append([str(name), f"{trees['constant'].sum():.0f}", *cells])
    return table(["table", "constant", *PREDICTION.values(), *FAIRNESS.values()], rows)


def stopping(found: pd.DataFrame) -> str:
    """LRT and one C-LRT under other rules for stopping."""
    kept = found[found["method"].isin(LOGISTIC) & (found["repetition"] < STOPPED_OTHERWISE)]
    checked = kept.loc[kept["stopping"] != STOPPED, "c"].unique()
    rows = []
    for (name, c, rule), trees in kept[kept["c"].isin(checked)].groupby(
        ["table", "c", "stopping"], sort=False
    ):
        rows.append(
            [
                str(name),
                bound(float(c)),
                str(rule),
                f"{trees['leaves'].mean():.1f}",
                f"{trees['constant'].sum():.0f}",
                cell(trees["accuracy"]),
                cell(gap(trees)),
            ]
        )
    columns = ["table", "c", "stopping rule", "leaves", "constant", "accuracy", "gap"]
    return table(columns, rows)
