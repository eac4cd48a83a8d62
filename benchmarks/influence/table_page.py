"""The page docs/benchmarks/influence-tables.md, from results that exist so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import reference_runs
import table_ours
import table_shap
from datasets_of_paper import DATASETS
from instances import CLASSIFIERS, dimensions
from page import environment, table
from table_claims import claims
from table_lines import results
from table_published import TABLE_1, TABLE_2, Row
from table_results import Explained, errors, our_shares, shares, times

CELLS = [(dataset.name, classifier) for dataset in DATASETS for classifier in CLASSIFIERS]

TEMPLATE = Path(__file__).with_name("tables.template.md")


def page(cases: Sequence[Explained]) -> str:
    """Markdown of everything that has been run."""
    by_metric = {
        metric: [case for case in cases if case.metric == metric] for metric in ("sp", "eo", "pp")
    }
    clear = {
        metric: [case for case in found if not case.problem.why_degenerate]
        for metric, found in by_metric.items()
    }
    sizes = [f"{name} {found}" for name, found, _ in dimensions()]
    versions = reference_runs.versions()
    return TEMPLATE.read_text(encoding="utf-8").format(
        combinations=sum(len(dataset.combinations()) for dataset in DATASETS),
        n=len(by_metric["sp"]),
        dimensions=", ".join(sizes),
        sample=reference_runs.SAMPLE_SIZE,
        seed=reference_runs.SAMPLE_SEED,
        cap=reference_runs.CAP,
        background=table_shap.BACKGROUND,
        rows=table_shap.ROWS,
        environment=environment("shap", "scikit-learn"),
        reference=f"{versions['fairxplainer']} with numpy {versions['numpy']}",
        degenerate=_degenerate(by_metric),
        sums=_sums(cases),
        **{f"{metric}_1": _order_1(clear[metric], PRINTED[metric]) for metric in PRINTED},
        **{f"{metric}_2": _order_2(clear[metric], PRINTED[metric]) for metric in PRINTED},
        numbers=_numbers(by_metric["sp"]),
        held_out=_held_out(clear["sp"]),
        sizes=_sizes(clear["sp"]),
        done=_done(),
        times=_times(clear["sp"]),
        claims=claims(by_metric, clear),
    )


def _degenerate(by_metric: dict[str, list[Explained]]) -> str:
    rows = []
    names = {"sp": "statistical parity", "eo": "equalized odds", "pp": "predictive parity"}
    for metric, found in by_metric.items():
        for dataset in DATASETS:
            of_dataset = [case for case in found if case.instance.dataset == dataset.name]
            why = Counter(case.problem.why_degenerate for case in of_dataset)
            nan = sum(_is_nan(case) for case in of_dataset) if metric == "sp" else None
            counted = [why[reason] for reason in ("p_max = 1", "p_min = 0", "no gap", "")]
            numbers = [len(of_dataset), *counted]
            cells = [*map(str, numbers), "–" if nan is None else str(nan)]
            rows.append([names[metric], dataset.name, *cells])
    columns = ("metric", "dataset", "gaps", "p_max = 1", "p_min = 0", "no gap", "in the medians")
    return table([*columns, "fairxplainer gives NaN or nothing"], rows)


def _is_nan(case: Explained) -> bool:
    line = case.reference.get(1)
    return line is not None and not np.isfinite(line.get("sum", np.nan))


def _sums(cases: Sequence[Explained]) -> str:
    """That all explain the same gap, and that nothing of it is lost, degenerate or not."""
    lines = [line for case in cases for line in case.ours.values() if "error" not in line]
    lost = max((abs(line["gap"] - line["sum"] - line["unexplained"]) for line in lines), default=0)
    refused = sum("error" in line for case in cases for line in case.ours.values())
    apart = [
        abs(line["gap"] - case.problem.gap)
        for case in cases
        for line in (*case.ours.values(), *case.reference.values())
        if "gap" in line
    ]
    return (
        f"arbitree: {len(lines):,} explanations, degenerate ones among them; the largest distance "
        f"of influences plus `unexplained` from the gap is {lost:.0e}; {refused} were refused. "
        f"arbitree and fairxplainer take the same gap, to {max(apart, default=0):.0e}."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """Where in a row of the paper's tables the medians of one metric are."""

    values: dict[tuple[str, str], Row]
    first: int  # of order 1; that of order 2 follows
    shap: int | None  # None: SHAP cannot explain the metric


PRINTED = {
    "sp": Printed(values=TABLE_1, first=1, shap=0),
    "eo": Printed(values=TABLE_2, first=1, shap=0),
    "pp": Printed(values=TABLE_2, first=3, shap=None),
}


def _order_1(clear: list[Explained], printed: Printed) -> str:
    rows = []
    for cell in CELLS:
        cases = [case for case in clear if case.cell == cell]
        values = printed.values[cell]
        by_shap = [] if printed.shap is None else [_text(values[printed.shap])]
        found = [] if printed.shap is None else [_median(errors(cases, "shap"))]
        ours = [_median(errors(cases, name, 1)) for name in ("default", "in-sample")]
        mine = [*found, _median(errors(cases, "reference", 1)), *ours]
        rows.append([*cell, str(len(cases)), *by_shap, _text(values[printed.first]), *mine])
    shap = [] if printed.shap is None else ["SHAP"]
    paper = [f"paper: {name}" for name in (*shap, "FairXplainer")]
    here = [*shap, "fairxplainer", "arbitree default", "arbitree in-sample"]
    return table(["dataset", "classifier", "n", *paper, *here], rows)


def _order_2(clear: list[Explained], printed: Printed) -> str:
    rows = []
    for cell in CELLS:
        cases = [case for case in clear if case.cell == cell]
        ended = [case for case in cases if np.isfinite(errors([case], "reference", 2)[0])]
        sampled = [_median(errors(ended, "reference", 2)), _median(errors(ended, "in-sample", 2))]
        ours = [_median(errors(cases, name, 2)) for name in ("default", "in-sample")]
        paper = _text(printed.values[cell][printed.first + 1])
        rows.append([*cell, paper, str(len(ended)), *sampled, str(len(cases)), *ours])
    sampled = ["n that ended", "fairxplainer", "arbitree in-sample, the same"]
    ours = ["n", "arbitree default", "arbitree in-sample"]
    return table(["dataset", "classifier", "paper: FairXplainer", *sampled, *ours], rows)


def _numbers(found: list[Explained]) -> str:
    texts = []
    for cell in CELLS:
        cases = [case for case in found if case.cell == cell and case.problem.gap > 0]
        texts.append(f"{' '.join(cell)} {_median(errors(cases, 'reference', 1))}")
    return ", ".join(texts)


def _held_out(clear: list[Explained]) -> str:
    rows = []
    for order in (1, 2):
        for dataset in DATASETS:
            cases = [case for case in clear if case.instance.dataset == dataset.name]
            both = [(shares(case.held_out.get(order)), our_shares(case, order)) for case in cases]
            both = [pair for pair in both if np.isfinite(pair).all()]
            cells = [_column(both, method, k) for method in (0, 1) for k in range(3)]
            rows.append([str(order), dataset.name, str(len(both)), *cells])
    columns = [
        f"{method}: {what}"
        for method in ("fairxplainer", "arbitree")
        for what in ("share, same rows", "share, other rows", "R2, other rows")
    ]
    note = "Instances for which both have an answer."
    return f"{note}\n\n{table(['order', 'dataset', 'n', *columns], rows)}"


def _column(pairs: list[tuple[tuple[float, ...], ...]], method: int, k: int) -> str:
    return _median(np.array([pair[method][k] for pair in pairs]))


def _sizes(clear: list[Explained]) -> str:
    """Errors by the rows of the smaller of the two groups."""
    rows = []
    limits = (0, 30, 100, 300, 10**9)
    for least, most in pairwise(limits):
        cases = [case for case in clear if least <= case.smaller < most]
        name = f"{least} to {most - 1}" if most < limits[-1] else f"{least} and more"
        methods = [_median(errors(cases, m)) for m in ("reference", "default", "in-sample")]
        r2 = [_median(np.array([shares(case.held_out.get(1))[2] for case in cases]))]
        r2 += [_median(np.array([our_shares(case, 1)[2] for case in cases]))]
        rows.append([name, str(len(cases)), *methods, *r2])
    errors_of = [f"error: {name}" for name in _ORDER_1]
    return table(
        ["rows of the smaller group", "n", *errors_of, "R2: fairxplainer", "R2: arbitree"], rows
    )


def _done() -> str:
    """Of every kind of run, how many are planned and done."""
    planned: dict[str, set[str]] = {"arbitree": {run.key for run in table_ours.runs()}}
    planned["SHAP"] = {f"{one.key}/{metric}" for one, metric in table_shap.todo()}
    for name, jobs, _ in reference_runs.stages():
        planned.setdefault(name, set()).update(job["key"] for job in jobs)
    found = {"arbitree": results("ours"), "SHAP": results("shap")}
    rows = []
    for name, keys in planned.items():
        done = found.get(name, results(name)).keys() & keys
        rows.append([_RUNS.get(name, name), str(len(keys)), str(len(done))])
    return table(["runs", "planned", "done"], rows)


_ORDER_1 = ("fairxplainer", "arbitree default", "arbitree in-sample")
_RUNS = {
    "reference-1": "fairxplainer, order 1",
    "reference-2": "fairxplainer, order 2, of the sample",
    "held-out-1": "fairxplainer, order 1, halves",
    "held-out-2": "fairxplainer, order 2, halves, of the sample",
}


def _times(clear: list[Explained]) -> str:
    runs: list[tuple[str, Callable[[list[Explained]], np.ndarray]]] = [
        ("SHAP on the decision", lambda cases: times(cases, "shap")),
        ("fairxplainer, order 1", lambda cases: times(cases, "reference", 1)),
        ("arbitree default, order 1", lambda cases: times(cases, "default", 1)),
        ("arbitree in-sample, order 1", lambda cases: times(cases, "in-sample", 1)),
        ("fairxplainer, order 2, of those that ended", lambda cases: times(cases, "reference", 2)),
        ("arbitree default, order 2", lambda cases: times(cases, "default", 2)),
        ("arbitree in-sample, order 2", lambda cases: times(cases, "in-sample", 2)),
    ]
    rows = []
    for name, of in runs:
        cells = []
        for dataset in DATASETS:
            used = of([case for case in clear if case.instance.dataset == dataset.name])
            text = f"{np.median(used):.2f} / {used.max():.2f} ({len(used)})" if len(used) else "–"
            cells.append(text)
        rows.append([name, *cells])
    columns = [f"{dataset.name}: median / largest (n)" for dataset in DATASETS]
    return table(["", *columns], rows)


def _median(values: np.ndarray) -> str:
    """Of those that are numbers, with how many they are where that is not all."""
    known = values[np.isfinite(values)]
    if not len(known):
        return "–"
    middle = float(np.median(known))
    text = f"{middle:.3f}" if abs(middle) < 100 else f"{middle:.1e}"
    return text if len(known) == len(values) else f"{text} ({len(known)})"


def _text(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
