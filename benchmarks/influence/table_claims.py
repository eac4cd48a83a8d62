"""What the paper says of its tables, what came out here, and whether that agrees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from instances import dimensions
from page import table
from reference_runs import CAP, sample
from table_published import TABLE_1
from table_results import Explained, errors, our_shares, shares, times

EXACT = 1e-9  # sums of floating point numbers that agree
SAME_SIZE = 2.0  # factor within which two medians are called of the same size
WITHIN = 10.0  # seconds, of the paper's Figure 2

Cases = dict[str, list[Explained]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One row."""

    paper: str
    here: str
    holds: bool | None  # None where nothing was run
    partly: bool = False

    def cells(self) -> list[str]:
        verdict = {True: "holds", False: "does not hold", None: "not measured"}
        return [self.paper, self.here, "holds in part" if self.partly else verdict[self.holds]]


def claims(everything: Cases, clear: Cases) -> str:
    """A table, every verdict computed from the results.

    Parameters
    ----------
    everything, clear : dict of lists
        By metric, all gaps and those that are not degenerate.
    """
    found = [
        _dimensions(everything),
        _order_1(everything["sp"]),
        _order_2_is_closer(clear),
        _order_2_held_out(clear["sp"]),
        _closer_than_shap(clear),
        _networks(clear["sp"]),
        _sum_is_the_gap(everything["sp"]),
        _titanic_odds(everything["eo"]),
        _within_seconds(clear["sp"]),
        _within_cap(clear["sp"]),
    ]
    said = table(["the paper says", "here", ""], [claim.cells() for claim in found])
    return f"{said}\n\n{_ours(clear)}"


def _dimensions(everything: Cases) -> Claim:
    agree = all(found == printed for _, found, printed in dimensions())
    n = len(everything["sp"])
    here = f"{n} instances; dimensions {'equal' if agree else 'differ'}"
    return Claim(
        paper="480 instances of the dimensions in Table 1", here=here, holds=agree and n == 480
    )


def _order_1(found: list[Explained]) -> Claim:
    """Over all gaps with a number, as the paper counts."""
    near, cells = 0, 0
    for cell, (_, printed, _) in TABLE_1.items():
        cases = [case for case in found if case.cell == cell and case.problem.gap > 0]
        known = _finite(errors(cases, "reference", 1))
        if len(known) and printed is not None:
            cells += 1
            ratio = np.median(known) / printed
            near += 1 / SAME_SIZE <= ratio <= SAME_SIZE
    return Claim(
        paper="Table 1, order 1: the medians printed",
        here=f"fairxplainer's own within a factor of {SAME_SIZE:.0f} in {near} of {cells} cells",
        holds=near == cells if cells else None,
        partly=cells / 2 < near < cells,
    )


def _order_2_is_closer(clear: Cases) -> Claim:
    pairs = [
        pair
        for metric in clear
        for pair in zip(*(errors(clear[metric], "reference", order) for order in (1, 2)))
        if np.isfinite(pair).all()
    ]
    closer = sum(second < first for first, second in pairs)
    return Claim(
        paper="The sum of order 2 is closer to the gap than that of order 1",
        here=f"fairxplainer's, in {closer} of the {len(pairs)} gaps for which both ended",
        holds=closer > len(pairs) / 2 if pairs else None,
    )


def _order_2_held_out(clear: list[Explained]) -> Claim:
    found = np.array([shares(case.held_out.get(2)) for case in clear]).reshape(-1, 3)
    found = found[np.isfinite(found).all(axis=1)]
    if not len(found):
        return Claim(paper="Order 2 captures bias more accurately", here="no run ended", holds=None)
    same, other, r2 = np.median(found, axis=0)
    worse = int((found[:, 2] < 0).sum())
    here = (
        f"median share of the variance explained {same:.2f} on the rows of the fit, {other:.2f} on "
        f"others, with R2 {r2:.2g} there; on others worse than the mean in {worse} of {len(found)}"
    )
    return Claim(
        paper="Order 2 captures bias more accurately", here=here, holds=worse < len(found) / 2
    )


def _closer_than_shap(clear: Cases) -> Claim:
    found = _finite(np.concatenate([errors(clear[metric], "shap") for metric in ("sp", "eo")]))
    largest = found.max() if len(found) else np.nan
    return Claim(
        paper="The sum is closer to the gap than SHAP's",
        here=f"SHAP's error is at most {largest:.0e} in {len(found)} gaps, by construction",
        holds=largest > EXACT if len(found) else None,
    )


def _networks(clear: list[Explained]) -> Claim:
    cases = [case for case in clear if case.instance.classifier == "NN"]
    cases = [case for case in cases if case.shap]
    used = times(cases, "shap")
    typical = f"{np.median(used):.1f} CPU seconds each" if len(used) else "not run"
    return Claim(
        paper="SHAP does not end in 300 s on neural networks",
        here=f"it ended on {len(used)} of {len(cases)}, {typical}",
        holds=len(used) < len(cases) / 2 if len(used) else None,
    )


def _sum_is_the_gap(found: list[Explained]) -> Claim:
    certain = [case for case in found if case.problem.why_degenerate == "p_max = 1"]
    known = [case.reference[1] for case in certain if 1 in case.reference]
    lost = sum(not np.isfinite(line.get("sum", np.nan)) for line in known)
    return Claim(
        paper="The influences add up to the gap, whatever the decisions (Theorem 2)",
        here=f"fairxplainer gives NaN in {lost} of the {len(known)} gaps with p_max = 1",
        holds=lost == 0 if known else None,
    )


def _titanic_odds(found: list[Explained]) -> Claim:
    cases = [case for case in found if case.cell == ("Titanic", "LR")]
    known = _finite(errors(cases, "reference", 1))
    median = np.median(known) if len(known) else np.nan
    return Claim(
        paper="Table 2, equalized odds, order 1: 0.000 for Titanic LR",
        here=f"fairxplainer's median {median:.3f} over {len(known)} gaps",
        holds=bool(median < 0.0005) if len(known) else None,
    )


def _within_seconds(clear: list[Explained]) -> Claim:
    used = times(clear, "reference", 1)
    quick = int((used <= WITHIN).sum())
    return Claim(
        paper=f"Order 1 ends within {WITHIN:.0f} s on 443 of 480",
        here=f"on {quick} of {len(used)}, in CPU seconds",
        holds=quick >= len(used) * 443 / 480 if len(used) else None,
    )


def _within_cap(clear: list[Explained]) -> Claim:
    lines = [case.reference[2] for case in clear if 2 in case.reference]
    ended = sum(line.get("sum") is not None for line in lines)
    killed = sum("timeout" in line for line in lines)
    failed = len(lines) - ended - killed
    drawn = set(sample()) & {case.instance for case in clear}
    return Claim(
        paper="Order 2 ends within 160 s on 350 of 480",
        here=(
            f"of {len(lines)} run of {len(drawn)} in the sample, {ended} ended, {killed} were "
            f"killed at {CAP:.0f} CPU seconds, {failed} failed"
        ),
        holds=ended >= len(lines) * 350 / 480 if len(lines) == len(drawn) else None,
    )


def _ours(clear: Cases) -> str:
    """Where arbitree's sum is closer and where it is not, and why."""
    return "\n".join(
        [
            "Of arbitree:",
            "",
            *(_against(clear["sp"], order, setting) for order, setting in _COMPARED),
            *(_overfit(clear["sp"], order) for order in (1, 2)),
        ]
    )


_COMPARED = ((1, "default"), (1, "in-sample"), (2, "default"), (2, "in-sample"))


def _against(clear: list[Explained], order: int, setting: str) -> str:
    pairs = np.array(
        [errors(clear, "reference", order), errors(clear, setting, order)], dtype=float
    )
    pairs = pairs[:, np.isfinite(pairs).all(axis=0)]
    if not pairs.size:
        return f"- {setting.capitalize()}, order {order}: nothing to compare yet."
    closer = int((pairs[1] < pairs[0]).sum())
    return (
        f"- {setting.capitalize()}, order {order}: the sum is closer to the gap than "
        f"fairxplainer's in {closer} of {pairs.shape[1]} statistical parity gaps (median error "
        f"{np.median(pairs[1]):.3f}, fairxplainer {np.median(pairs[0]):.3f})."
    )


def _overfit(clear: list[Explained], order: int) -> str:
    found = np.array([our_shares(case, order) for case in clear]).reshape(-1, 3)
    found = found[np.isfinite(found).all(axis=1)]
    if not len(found):
        return f"- Order {order}: held-out shares not run yet."
    same, other, r2 = np.median(found, axis=0)
    worse = int((found[:, 2] < 0).sum())
    return (
        f"- Order {order}: median share explained {same:.2f} in-sample, {other:.2f} on other rows, "
        f"with R2 {r2:.2f} there; R2 is below 0 in {worse} of {len(found)} gaps."
    )


def _finite(values: np.ndarray) -> np.ndarray:
    return values[np.isfinite(values)]
