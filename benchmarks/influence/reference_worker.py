"""Runs fairxplainer 0.4.0 on jobs; started by reference_runs.py in an environment of its own.

reference_worker.py JOBS RESULTS      both are files of one JSON object a line; results are appended

Everything is called by its public name. `hdmr.analyze` gives only a table away; `hdmr.to_df` is
replaced where the fitted functions themselves are needed, for held-out rows.
"""

from __future__ import annotations

import itertools
import json
import resource
import sys
import time
import traceback
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from fairxplainer import hdmr
from fairxplainer.fair_explainer import FairXplainer

INTERVALS = 6
LAMBDA = 0.01  # default of FairXplainer.compute
SEED = 22  # the same
SECONDS = 10_000  # its own limit is not wanted: the cap is outside
GIVEN = {"sp": (None, 0), "eo0": ("labels", 0), "eo1": ("labels", 1)}
GIVEN |= {"pp0": ("decisions", 0), "pp1": ("decisions", 1)}


Job = dict[str, Any]


class Lookup:
    """Stands for the classifier: gives the decisions that were made."""

    def __init__(self, decided: np.ndarray) -> None:
        self.decided = decided

    def predict(self, frame: pd.DataFrame) -> np.ndarray:
        return self.decided[frame.index.to_numpy()]


class Caught(list[Any]):
    """A queue for `hdmr.analyze` that keeps what it is given."""

    put = list.append


def rows_of(job: Job) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Matrix, decisions and labels under the job's condition."""
    with np.load(job["file"]) as stored:
        matrix = pd.DataFrame(stored["matrix"], columns=stored["columns"].tolist())
        decisions, labels = stored["decisions"], stored["labels"]
    column, value = GIVEN[job["condition"]]
    if column is not None:
        given = labels if column == "labels" else decisions
        kept = given == value
        matrix, decisions, labels = matrix[kept], decisions[kept], labels[kept]
        matrix = matrix.reset_index(drop=True)
    return matrix, decisions, labels


def explained(job: Job) -> Job:
    """Sum of the influences and the gap, as the package gives them."""
    matrix, decisions, labels = rows_of(job)
    of_labels = job["condition"].startswith("pp")
    label = pd.Series(labels) if of_labels else None
    explainer = FairXplainer(Lookup(decisions), matrix, list(job["sensitive"]), label=label)
    explainer.compute(
        maxorder=job["order"],
        spline_intervals=INTERVALS,
        lambax=LAMBDA,
        seed=SEED,
        explain_sufficiency_fairness=of_labels,
        cpu_time=SECONDS,
    )
    weights = explainer.get_top_k_weights()["weight"].to_numpy(float)
    rates = explainer.group_specific_positive_prediction_probabilities
    return {
        "sum": float(weights.sum()),
        "sum_of_numbers": float(np.nansum(weights)),
        "terms": len(weights),
        "gap": float(explainer.statistical_parity_sample()),
        "groups": len(rates),
    }


def coefficients(matrix: np.ndarray, outcome: np.ndarray, order: int) -> dict[str, Any]:
    """The fitted expansion of one group: a constant and coefficients of B-splines."""
    problem = {"num_vars": matrix.shape[1], "names": [str(j) for j in range(matrix.shape[1])]}
    caught = Caught()
    arguments = (order, 10_000, INTERVALS, 1, None, 0.95, LAMBDA, False, SEED)
    with patch.object(hdmr, "to_df", lambda found: found):
        hdmr.analyze(caught, problem, matrix, outcome, *arguments)
    return caught[0][0]["Em"]


def predicted(
    matrix: np.ndarray, low: np.ndarray, high: np.ndarray, found: dict[str, Any], order: int
) -> np.ndarray:
    """The expansion at other rows, scaled as the fitted ones and moved into their range."""
    spread = np.where(high > low, high - low, 1)
    scaled = np.clip((matrix - low) / spread, 0, 1)
    basis = hdmr.B_spline(scaled, INTERVALS, matrix.shape[1])
    total = found["f0"][0] + np.einsum("ijk,jk->i", basis, found["C1"][:, :, 0])
    if order == 2:
        pairs = itertools.combinations(range(matrix.shape[1]), 2)
        for k, (a, b) in enumerate(pairs):
            square = found["C2"][:, k, 0].reshape(INTERVALS + 3, INTERVALS + 3)
            total += np.einsum("ij,jl,il->i", basis[:, :, a], square, basis[:, :, b])
    return total


def held_out(job: Job) -> Job:
    """R2 and explained share on one half of each group, of a fit to its other half."""
    matrix, decisions, labels = rows_of(job)
    outcome = (labels if job["condition"].startswith("pp") else decisions).astype(float)
    matrix = matrix.to_numpy()
    found = {}
    for name, rows in job["rows"].items():
        rows = np.array(rows)
        order = np.random.default_rng(SEED).permutation(len(rows))
        fit, score = rows[order[::2]], rows[order[1::2]]
        em = coefficients(matrix[fit], outcome[fit], job["order"])
        low, high = matrix[fit].min(0), matrix[fit].max(0)
        shares = [
            _r2(predicted(matrix[part], low, high, em, job["order"]), outcome[part])
            for part in (fit, score)
        ]
        found[name] = {"n": len(rows), "fitted": shares[0], "held_out": shares[1]}
    return {"r2": found}


def _r2(prediction: np.ndarray, outcome: np.ndarray) -> dict[str, float] | None:
    varies = outcome - outcome.mean()
    total = float(varies @ varies)
    if total == 0:
        return None
    wrong = outcome - prediction
    share = float((prediction - prediction.mean()) @ varies) / total
    return {"r2": 1 - float(wrong @ wrong) / total, "share": share}


def run(job: Job) -> Job:
    wall, cpu = time.monotonic(), _cpu()
    try:
        found = held_out(job) if job.get("held_out") else explained(job)
    except Exception as error:  # whatever the package raises is its result
        found = {
            "error": f"{type(error).__name__}: {error}",
            "trace": traceback.format_exc()[-600:],
        }
    times = {"cpu": _cpu() - cpu, "wall": time.monotonic() - wall}
    return {"key": job["key"], **found, **times}


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main(jobs: str, results: str) -> None:
    for line in Path(jobs).read_text().splitlines():
        with open(results, "a") as file:
            file.write(json.dumps(run(json.loads(line))) + "\n")


if __name__ == "__main__":
    np.seterr(all="ignore")
    main(*sys.argv[1:])
