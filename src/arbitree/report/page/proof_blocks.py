"""The sections of a page on what was proved: rules, and the certificate of the gap."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from ..._tables import NOT_AVAILABLE, cell_text
from ...certificate.result import Certificate
from ...rules.check import RuleCheck
from ...rules.verification import Verification
from ...tree.measured import ratio_text
from ..phrases import points_text, share_text, spelled
from .blocks import MOST_ROWS, Folded, Lines, Table
from .columns import table_of


def rules_blocks(check: RuleCheck, found: Mapping[str, Verification | None]) -> list[Any]:
    """Rules against each other, and what was verified, such as the tree, against each rule."""
    blocks: list[Any] = []
    for who, verified in found.items():
        blocks += [] if verified is None else _verified(who, verified)
    return [*blocks, *_against_each_other(check)]


def _verified(who: str, verified: Verification) -> list[Any]:
    frame = verified.by_rule.rename(columns={"status": "verdict"})
    frame = frame[["rule", "text", "verdict", "decision", "method", "reason"]].fillna("")
    marks = ["low" if one.status != "holds" else "" for one in verified.verdicts]
    blocks: list[Any] = [table_of(frame, caption=f"The {who} against each rule", marks=marks)]
    for one in verified.verdicts:
        if one.counterexample is not None:
            blocks.append(_against(f"The {who} against rule {one.rule}", one.counterexample))
    return [*blocks, *([Lines(items=verified.notices)] if verified.notices else [])]


def _against_each_other(check: RuleCheck) -> list[Any]:
    said = "consistent" if check.consistent else "not consistent"
    table = table_of(check.by_rule.fillna(""), caption=f"Rules against each other: {said}")
    blocks: list[Any] = []
    found = check.contradiction
    if found is not None and found.row is not None:
        blocks.append(_against("Left without a class by the rules", pd.DataFrame([found.row])))
    return [*blocks, Folded(title=f"Rules against each other: {said}", blocks=(table,))]


def _against(title: str, row: pd.DataFrame) -> Table:
    """A row that a solver made, a line a feature."""
    pairs = pd.DataFrame(
        {
            "feature": [str(name) for name in row.columns],
            "value": [cell_text(value) for value in row.iloc[0].tolist()],
        }
    )
    return table_of(pairs, caption=f"{title}: a made-up row, nobody's", fixed=True)


def certificate_blocks(certificate: Certificate) -> list[Any]:
    """The pairs of groups that the claim is made of, and the counts."""
    blocks: list[Any] = [_pairs(certificate)]
    blocks += [Lines(items=certificate.notices)] if certificate.notices else []
    folded = [_counts(certificate)]
    if len(certificate.candidates):
        caption = f"Candidates ({certificate.selection})"
        folded.append(table_of(certificate.candidates, caption=caption))
    blocks.append(Folded(title="Counts that the bounds are made of", blocks=tuple(folded)))
    return blocks


def _pairs(certificate: Certificate) -> Table:
    pairs = certificate.pairs
    if len(pairs) > MOST_ROWS:
        pairs = pairs.sort_values("bound", ascending=False, kind="stable")
    nan = float("nan")
    frame = pairs.drop(columns=["ci_low", "ci_high"], errors="ignore").copy()
    if "gap" in pairs:
        limits = [pairs.get(name, pd.Series(nan, pairs.index)) for name in ("ci_low", "ci_high")]
        frame["gap"] = [points_text(*three) for three in zip(pairs["gap"], *limits)]
    renamed = {"bound": "gap at most", "bound_simultaneous": "at most, all pairs"}
    for name in renamed:
        if name in frame:
            frame[name] = [_at_most(value) for value in pairs[name]]
    for name in {"ratio", "ratio_bound"} & set(frame.columns):
        frame[name] = [ratio_text(value) for value in pairs[name]]
    order = {
        renamed.get(str(name), str(name)).replace("_", " "): pairs[name]
        for name in ("gap", *renamed, "ratio", "ratio_bound")
        if name in pairs
    }
    frame = frame.rename(columns=renamed)
    frame.columns = [str(name).replace("_", " ") for name in frame.columns]
    if "condition" in frame:
        frame["condition"] = [spelled(str(condition)) for condition in frame["condition"]]
    caption = f"Pairs of groups, {spelled(certificate.metric)}"
    return table_of(frame, caption=caption, order=order)


def _at_most(bound: float) -> str:
    """A bound in percentage points, rounded up, so that it still is one.

    >>> _at_most(0.0501)
    '5.1 pp'
    """
    if math.isnan(bound):
        return NOT_AVAILABLE
    return f"{math.ceil(1000 * bound - 1e-9) / 10:.1f} pp"


def _counts(certificate: Certificate) -> Table:
    frame = certificate.by_group.copy()
    order = {}
    if "rate" in frame and {"ci_low", "ci_high"} <= set(frame.columns):
        order = {"rate": certificate.by_group["rate"]}
        frame["rate"] = [
            share_text(*three) for three in zip(frame["rate"], frame["ci_low"], frame["ci_high"])
        ]
        frame = frame.drop(columns=["ci_low", "ci_high"])
    return table_of(frame, caption="Calibration rows by group", order=order)
