"""The numbers of an influence as frames of text, for layouts that draw tables."""

from __future__ import annotations

import pandas as pd

from .._tables import visible
from ..influence.result import Influence
from .influence_phrases import (
    MAX_DISPLAY,
    amount,
    interval,
    joined,
    others_together,
    printed,
    rate,
    share,
    split_rows,
    unexplained,
)
from .plot_names import distinct_names

PROXIES = 5
GROUP = 16  # columns of a group's name in a header


def influences_display(infl: Influence, *, max_display: int = MAX_DISPLAY) -> pd.DataFrame:
    """The strongest sets of features, the others as one row, and below them what adds up.

    Returns
    -------
    DataFrame
        features, influence, interval, and the shares of the variance of either group.
    """
    strongest, others = split_rows(infl.table, max_display)
    names = [joined(features) for features in strongest["features"]]
    rows = [
        (
            name,
            amount(infl, row["influence"]),
            interval(infl, row["ci_low"], row["ci_high"]),
            share(row["share_high"]),
            share(row["share_low"]),
        )
        for name, row in zip(names, strongest.to_dict("records"))
    ]
    if len(others):
        total = others[["share_high", "share_low"]].sum()
        rows.append(
            (
                f"other({len(others):,})",
                printed(infl, others_together(infl, strongest, others)),
                interval(infl, *infl.summed(others.index.to_numpy())[1:]),
                share(total["share_high"]),
                share(total["share_low"]),
            )
        )
    rest = interval(infl, infl.unexplained_low, infl.unexplained_high)
    rows.append(("(unexplained)", printed(infl, unexplained(infl)), rest, "", ""))
    rows.append(("(gap)", amount(infl, infl.gap), "", "", ""))
    columns = ["features", "influence", "interval"]
    short = distinct_names([infl.group_high, infl.group_low], width=GROUP)
    groups = [f"share in {name}" for name in short]
    return pd.DataFrame(rows, columns=[*columns, *groups])


def groups_display(infl: Influence) -> pd.DataFrame:
    """The two groups: rows, rate, and how much of the variance the functions explain."""
    rates = infl.rates.set_index("role")["rate"]
    return pd.DataFrame(
        {
            "group": [visible(str(name)) for name in infl.r2["group"]],
            "n": [f"{n:,}" for n in infl.r2["n"]],
            "rate": [rate(infl, rates[role]) for role in ("high", "low")],
            "R2 in-sample": [share(value) for value in infl.r2["in_sample"]],
            "R2 out-of-fold": [share(value) for value in infl.r2["out_of_fold"]],
        }
    )


def proxies_display(infl: Influence, *, at_most: int = PROXIES) -> pd.DataFrame:
    """The features that tell the two groups apart best."""
    shown = infl.proxies.head(at_most)
    return pd.DataFrame(
        {
            "feature": [visible(str(name)) for name in shown["feature"]],
            "AUC": [share(value) for value in shown["auc"]],
            "": ["one value in each group" if one else "" for one in shown["constant"]],
        }
    )
