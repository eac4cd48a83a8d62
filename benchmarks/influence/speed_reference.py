"""Runs fairxplainer 0.4.0 for speed.py, in the environment that reference_runs.py makes.

speed_reference.py JOB      JOB is a JSON object; prints one when all is done

"own" is the package's own call, FairXplainer.compute, which takes the whole matrix and keeps the
sensitive column among the features. "same columns" calls its decomposition, hdmr.analyze, with the
arguments that FairXplainer.compute gives it, on each group's features alone.
"""

from __future__ import annotations

import json
import resource
import sys
import time

import numpy as np
import pandas as pd
from fairxplainer import hdmr
from fairxplainer.fair_explainer import FairXplainer

LAMBDA, SEED = 0.01, 22  # defaults of FairXplainer.compute
MOST_ITERATIONS = 10_000  # what it hands to hdmr.analyze
SECONDS = 100_000  # its own limit is not wanted: the cap is outside


class Lookup:
    """Stands for the classifier: gives the decisions that were made."""

    def __init__(self, decided):
        self.decided = decided

    def predict(self, frame):
        return self.decided[frame.index.to_numpy()]


class Caught(list):
    """A queue for `hdmr.analyze` that keeps what it is given."""

    put = list.append


def own(job, matrix, decisions):
    explainer = FairXplainer(Lookup(decisions), matrix, [job["sensitive"]])
    explainer.compute(
        maxorder=2,
        spline_intervals=job["n_intervals"],
        lambax=LAMBDA,
        seed=SEED,
        cpu_time=SECONDS,
    )
    explainer.get_top_k_weights()


def same_columns(job, matrix, decisions):
    features = matrix.drop(columns=job["sensitive"])
    for group in np.unique(matrix[job["sensitive"]]):
        rows = (matrix[job["sensitive"]] == group).to_numpy()
        problem = {"num_vars": features.shape[1], "names": list(features.columns)}
        arguments = (2, MOST_ITERATIONS, job["n_intervals"], 1, None, 0.95, LAMBDA, False, SEED)
        hdmr.analyze(
            Caught(), problem, features[rows].to_numpy(), decisions[rows].astype(float), *arguments
        )


def used():
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(one.ru_utime + one.ru_stime for one in both)
    return cpu, max(one.ru_maxrss for one in both) * 1024


def main(text):
    job = json.loads(text)
    with np.load(job["file"]) as stored:
        matrix = pd.DataFrame(stored["matrix"], columns=stored["columns"].tolist())
        decisions = stored["decisions"]
    before, wall = used()[0], time.perf_counter()
    run = {"own": own, "same columns": same_columns}[job["call"]]
    try:
        run(job, matrix, decisions)
        found = {}
    except Exception as error:  # whatever the package raises is its result
        found = {"error": f"{type(error).__name__}: {error}"}
    cpu, peak = used()
    times = {"cpu": cpu - before, "wall": time.perf_counter() - wall, "peak": peak}
    print(json.dumps({**found, **times}))


if __name__ == "__main__":
    np.seterr(all="ignore")
    main(sys.argv[1])
