"""The page of the benchmark of interventions, from what was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from coefficients import MEASURES, Zeroed, fisher_interval, pearson, spearman
from held_out import Decided
from intervention_findings import findings
from page import environment, table

import arbitree as ar
from arbitree import Influence

SHOWN = 6  # sets of features in a table
NAME = "influence-interventions"


def changes(found: Mapping[str, Decided]) -> str:
    """Gaps and accuracies."""
    rows = [
        [
            one.name,
            f"{one.gap:+.3f}",
            f"{one.gaps.min():+.3f} to {one.gaps.max():+.3f}",
            f"{one.gap - found['nothing'].gap:+.3f}",
            f"{one.accuracy:.3f}",
        ]
        for one in found.values()
    ]
    return table(["done to training", "gap", "of single folds", "change", "accuracy"], rows)


def coefficients(found: Mapping[str, Decided]) -> str:
    """Of the models."""
    columns = list(found["nothing"].coefficients)
    rows = [
        [one.name, *(f"{one.coefficients[name]:+.2f}" for name in columns)]
        for one in found.values()
    ]
    return table(["done to training", *columns], rows)


def moved(before: Influence, after: Influence) -> str:
    """The parts of the gap that changed most, with the intervals of either explanation."""
    compared = ar.compare(before, after)
    sign = 1.0 if before.group_high == after.group_high else -1.0
    old, new = _limits(before, 1.0), _limits(after, sign)
    rows = []
    for row in compared.table.head(SHOWN).itertuples():
        names = frozenset(row.features)
        ends = (_cell(row.before, old.get(names)), _cell(row.after, new.get(names)))
        rows.append([" x ".join(row.features), *ends, f"{row.change:+.3f}"])
    others = compared.table.iloc[SHOWN:]
    parts = ("before", "after", "change")
    for name, values in (
        (f"other ({len(others)})", [others[part].sum() for part in parts]),
        ("unexplained", [getattr(compared, f"unexplained_{part}") for part in parts]),
        ("**gap**", [getattr(compared, f"gap_{part}") for part in parts]),
    ):
        rows.append([name, *(f"{value:+.3f}" for value in values)])
    return table(["features", *parts], rows)


Limits = dict[frozenset[str], tuple[float, float]]


def _limits(infl: Influence, sign: float) -> Limits:
    rows = infl.table[["features", "ci_low", "ci_high"]].itertuples(index=False)
    return {
        frozenset(names): (low, high) if sign > 0 else (-high, -low) for names, low, high in rows
    }


def _cell(value: float, limits: tuple[float, float] | None) -> str:
    if limits is None or np.isnan(limits).any():
        return f"{value:+.3f}"
    return f"{value:+.3f} [{limits[0]:+.3f}, {limits[1]:+.3f}]"


def correlations(cases: Mapping[str, Sequence[Zeroed]]) -> str:
    """Of each measure with the fall of the gap, medians of the folds."""
    rows = []
    for name, found in cases.items():
        for measure in MEASURES:
            rows.append([name, measure, *_correlated(found, measure)])
    columns = ["r", "95 % interval", "folds", "of ranks", "zero in own units", "with sensitive"]
    return table(["table", "said of a column", *columns], rows)


def _correlated(found: Sequence[Zeroed], measure: str) -> list[str]:
    r, ranks, raw, all_columns = [], [], [], []
    for one in found:
        kept, said = one.kept(sensitive=False), one.measures[measure]
        r.append(pearson(said[kept], one.at_mean[kept]))
        ranks.append(spearman(said[kept], one.at_mean[kept]))
        raw.append(pearson(said[kept], one.at_zero[kept]))
        all_columns.append(pearson(said, one.at_mean))
    if np.isnan(r).all():
        return ["–"] * 6
    low, high = fisher_interval(float(np.nanmedian(r)), int(found[0].kept(sensitive=False).sum()))
    return [
        f"{np.nanmedian(r):.2f}",
        f"{low:.2f} to {high:.2f}",
        f"{np.nanmin(r):.2f} to {np.nanmax(r):.2f}" + _of(r),
        *(f"{np.nanmedian(values):.2f}" for values in (ranks, raw, all_columns)),
    ]


def _of(r: Sequence[float]) -> str:
    known = int(np.sum(~np.isnan(r)))
    return "" if known == len(r) else f" ({known} of {len(r)})"


def sums(cases: Mapping[str, Sequence[Zeroed]]) -> str:
    """The gap, and what each measure adds up to over all columns, medians of the folds."""
    rows = []
    for name, found in cases.items():
        added = [np.median([one.measures[measure].sum() for one in found]) for measure in MEASURES]
        rows.append(
            [
                name,
                str(len(found[0].columns)),
                f"{np.median([one.gap for one in found]):.3f}",
                *("–" if np.isnan(value) else f"{value:.3f}" for value in added),
            ]
        )
    return table(["table", "columns", "gap", *MEASURES], rows)


def versions() -> str:
    return environment("scikit-learn", "shap")


def filled(
    template: str,
    found: Sequence[Mapping[str, Decided]],
    influences: Sequence[Mapping[str, Influence]],
    cases: Mapping[str, Sequence[Zeroed]],
) -> str:
    """The page; `found` and `influences` with the group among the model's columns, and without."""
    parts: dict[str, str] = {"versions": versions()}
    for key, changed, explained in zip(("with", "without"), found, influences):
        before, reweighed, attacked = explained.values()
        parts[f"changes_{key}"] = changes(changed)
        parts[f"coefficients_{key}"] = coefficients(changed)
        parts[f"reweighed_{key}"] = moved(before, reweighed)
        parts[f"attacked_{key}"] = moved(before, attacked)
    parts["findings"] = findings(found, influences, cases)
    return template.format(**parts, correlations=correlations(cases), sums=sums(cases))
