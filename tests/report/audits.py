"""Audits made by hand: small frames whose every number is known, without a table behind them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from arbitree.groups.intervals import newcombe, wilson
from arbitree.groups.ratios import ratio_interval
from arbitree.groups.result import Audit

Counts = Mapping[str, tuple[int, int]]  # group -> (selected, all)

LABEL_RATES = (
    "true_positive_rate",
    "false_positive_rate",
    "positive_predictive_value",
    "negative_predictive_value",
    "accuracy",
    "base_rate",
)


def made_audit(
    groupings: Mapping[str, Counts],
    *,
    unknown: Mapping[str, int] | None = None,
    segments: tuple[str, ...] = (),
    labels: bool = False,
    **fields: object,
) -> Audit:
    """An audit with these counts; with `segments` the same counts in each job of these."""
    jobs: tuple[str | None, ...] = segments or (None,)
    blocks = [
        (job, name, _by_group(name, counts)) for job in jobs for name, counts in groupings.items()
    ]
    by_group = pd.concat([_in_job(block, job) for job, _, block in blocks], ignore_index=True)
    if labels:
        at = by_group.columns.get_loc("reference")
        for offset, rate in enumerate(LABEL_RATES):
            by_group.insert(at + offset, rate, 0.25 + 0.1 * offset)
    gaps = pd.concat(
        [_in_job(_gap(name, block), job) for job, name, block in blocks], ignore_index=True
    )
    first = next(iter(groupings.values()))
    missing = dict(unknown or {})
    n_rows = len(jobs) * sum(n for _, n in first.values()) + max(missing.values(), default=0)
    singles = [name for name in groupings if " x " not in name]
    unknown_frame = pd.DataFrame(
        {"column": singles, "n_missing": [missing.get(name, 0) for name in singles]}
    )
    defaults: dict[str, object] = {
        "by_group": by_group,
        "rates": _rates(by_group, labels=labels),
        "gaps": gaps,
        "summary": by_group[["grouping"]].drop_duplicates().assign(p_rule=0.5, status="ok"),
        "overall": pd.concat([_in_job(_overall(first), job) for job in jobs], ignore_index=True),
        "unknown": unknown_frame.assign(share=unknown_frame["n_missing"] / max(n_rows, 1)),
        "n_rows": n_rows,
        "sensitive": tuple(singles),
        "control": ("job",) if segments else (),
        "favorable": "favourable: approved = 'yes'",
        "label_favorable": "favourable: repaid = 'yes'" if labels else None,
        "reference_group": "best",
        "confidence": 0.95,
        "min_group_size": 30,
        "n_resamples": 2000,
        "random_state": 0,
        "missing": "drop",
        "source": {"name": "loans.csv", "sha256": "ab" * 32, "n_rows": n_rows},
        "versions": {"arbitree": "0.1.0"},
    }
    return Audit(**(defaults | fields))  # type: ignore[arg-type]


def _overall(counts: Counts) -> pd.DataFrame:
    k, n = (sum(column) for column in zip(*counts.values()))
    low, high = wilson([k], [n], 0.95)
    rate = k / n if n else np.nan
    return pd.DataFrame(
        {"n": [n], "n_selected": [k], "selection_rate": [rate], "ci_low": low, "ci_high": high}
    ).assign(status="ok" if n else "not estimable: 0 rows")


def _in_job(frame: pd.DataFrame, job: str | None) -> pd.DataFrame:
    if job is not None:
        frame.insert(0, "job", job)
    return frame


def _by_group(grouping: str, counts: Counts) -> pd.DataFrame:
    k = np.array([selected for selected, _ in counts.values()], dtype=float)
    n = np.array([size for _, size in counts.values()], dtype=float)
    with np.errstate(invalid="ignore"):
        rate = k / n
    best = int(np.nanargmax(rate)) if (n > 0).any() else 0
    low, high = wilson(k, n, 0.95)
    difference_low, difference_high = newcombe(k, n, k[best], n[best], 0.95)
    ratio_low, ratio_high = ratio_interval(k, n, k[best], n[best], 0.95)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where(k[best] > 0, rate / rate[best], np.nan)
    hidden, itself = np.isnan(ratio), np.arange(len(n)) == best
    return pd.DataFrame(
        {
            "grouping": grouping,
            "group": list(counts),
            "n": n.astype(np.int64),
            "n_selected": k.astype(np.int64),
            "selection_rate": rate,
            "ci_low": low,
            "ci_high": high,
            "impact_ratio": ratio,
            "impact_ratio_low": np.where(hidden, np.nan, np.where(itself, 1.0, ratio_low)),
            "impact_ratio_high": np.where(hidden, np.nan, np.where(itself, 1.0, ratio_high)),
            "difference": rate - rate[best],
            "difference_low": np.where(itself, 0.0, difference_low),
            "difference_high": np.where(itself, 0.0, difference_high),
            "share": n / max(n.sum(), 1),
            "reference": itself,
            "status": [_status(size, value) for size, value in zip(n, ratio)],
        }
    )


def _status(n: float, ratio: float) -> str:
    if n == 0:
        return "not estimable: 0 rows"
    notes = [f"small group: n = {n:.0f} < 30"] if n < 30 else []
    if np.isnan(ratio):
        notes.append("impact ratio not estimable: the reference group's rate is 0")
    return "; ".join(notes) or "ok"


def _rates(by_group: pd.DataFrame, *, labels: bool) -> pd.DataFrame:
    """Selection, and the rates that need labels, each of half of the rows."""
    named = by_group.rename(
        columns={"n_selected": "k", "selection_rate": "value"}
        | {f"impact_ratio{end}": f"ratio{end}" for end in ("", "_low", "_high")}
    )
    reference = named["group"].where(named["reference"]).groupby(named["grouping"])
    selection = named.assign(
        metric="selection_rate", reference=reference.transform("first").fillna("")
    )
    others = [
        selection.assign(
            metric=rate,
            value=by_group[rate],
            n=selection["n"] // 2,
            k=selection["n"] // 8,
            status=[_status(n // 2, 1.0) for n in selection["n"]],
        )
        for rate in (LABEL_RATES if labels else ())
    ]
    return pd.concat([selection, *others], ignore_index=True)


def _gap(grouping: str, groups: pd.DataFrame) -> pd.DataFrame:
    known = groups.dropna(subset="selection_rate")
    if len(known) < 2:
        high = low = None
        value, status = np.nan, "not estimable: fewer than two groups have rows"
    else:
        top = known.loc[known["selection_rate"].idxmax()]
        bottom = known.loc[known["selection_rate"].idxmin()]
        high, low, status = top["group"], bottom["group"], "estimated"
        value = top["selection_rate"] - bottom["selection_rate"]
    return pd.DataFrame(
        {
            "metric": ["statistical_parity"],
            "grouping": grouping,
            "group_high": [high],
            "group_low": [low],
            "value": [value],
            "ci_low": [value - 0.01],
            "ci_high": [value + 0.01],
            "ratio": [np.nan],
            "ratio_low": [np.nan],
            "ratio_high": [np.nan],
            "condition": ["decision"],
            "status": [status],
        }
    )
