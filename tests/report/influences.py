"""Influences made by hand: every number is known, and no engine stands behind them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from arbitree.influence.result import Influence


def made_influence(
    influences: Mapping[tuple[str, ...], float],
    *,
    unexplained: float = 0.012,
    half: float = 0.01,
    **fields: object,
) -> Influence:
    """An influence with these numbers, whose gap is their sum."""
    value = np.array(list(influences.values()), dtype=float)
    order = np.argsort(-np.abs(np.nan_to_num(value)), kind="stable")
    features = [list(influences)[k] for k in order]
    gap = float(np.nansum(value)) + unexplained
    high, low = "White", "Black"
    table = pd.DataFrame(
        {
            "features": features,
            "order": [len(names) for names in features],
            "influence": value[order],
            "ci_low": value[order] - half,
            "ci_high": value[order] + half,
            "share_high": 0.25,
            "share_low": 0.125,
        }
    )
    names = list(dict.fromkeys(name for one in features for name in one))
    defaults: dict[str, object] = {
        "gap": gap,
        "group_high": high,
        "group_low": low,
        "rates": pd.DataFrame(
            {
                "group": [high, low],
                "n": [6000, 4000],
                "rate": [0.3 + gap, 0.3],
                "role": ["high", "low"],
            }
        ),
        "table": table,
        "unexplained": unexplained,
        "unexplained_low": unexplained - half,
        "unexplained_high": unexplained + half,
        "constant": 0.0,
        "r2": pd.DataFrame(
            {
                "group": [high, low],
                "n": [6000, 4000],
                "in_sample": [0.9, 0.8],
                "out_of_fold": [0.85, 0.5],
                "explained": [0.88, 0.7],
            }
        ),
        "proxies": pd.DataFrame(
            {
                "feature": names,
                "auc": np.linspace(0.8, 0.5, len(names)),
                "constant": [False] * len(names),
            }
        ),
        "metric": "statistical_parity",
        "condition": "all rows",
        "favorable": "favourable: approved = 'yes'",
        "max_order": 2,
        "n_intervals": 20,
        "cross_fit": 5,
        "n_bootstrap": 200,
        "confidence": 0.95,
        "random_state": 0,
        "n_rows": 10000,
        "notices": ("The column 'zip' suggests codes.",),
        "versions": {"arbitree": "0.1.0"},
    }
    return Influence(**(defaults | fields))  # type: ignore[arg-type]


LOANS = {
    ("zip_income",): 0.091,
    ("tenure",): 0.034,
    ("zip_income", "tenure"): 0.022,
    ("age",): 0.015,
    ("age", "tenure"): -0.006,
}


def many(n: int, *, seed: int = 0) -> dict[tuple[str, ...], float]:
    """Influences of features whose names are long and differ in the middle only."""
    rng = np.random.default_rng(seed)
    names = [
        f"average_of_the_monthly_{k % 7}_balance_of_account_number_{k:03d}_over_the_last_year"
        for k in range(n)
    ]
    found: dict[tuple[str, ...], float] = {(name,): rng.normal() / 50 for name in names}
    return found | {(names[0], names[1]): 0.3, (names[0], names[1], names[2]): -0.2}
