"""Influences of single terms by fairxplainer 0.4.0; runs in that package's own environment.

Reads jobs from standard input, one JSON object a line, and answers each with one line: the
influence of every term and the explained share of each group, or an error. `X` in the job's file
has the group (0 or 1) as last column.
"""

from __future__ import annotations

import json
import sys
import warnings

import numpy as np
import pandas as pd
from fairxplainer.fair_explainer import FairXplainer

SECONDS = 10_000  # its own limit is not wanted


class Lookup:
    """Stands for the classifier: gives the decisions that were made."""

    def __init__(self, decided):
        self.decided = decided

    def predict(self, frame):
        return self.decided[frame.index.to_numpy()]


def explained(job):
    with np.load(job["file"]) as stored:
        frame = pd.DataFrame(stored["X"], columns=job["columns"])
        decided = stored["decided"]
    explainer = FairXplainer(Lookup(decided), frame, [job["columns"][-1]])
    explainer.compute(maxorder=job["order"], spline_intervals=job["intervals"], cpu_time=SECONDS)
    weights = explainer.get_top_k_weights()["weight"]
    rates = list(explainer.group_specific_positive_prediction_probabilities.values())
    carried = explainer.result.groupby("sensitive group")["S"].sum()
    return {
        "influences": {name: float(value) for name, value in weights.items()},
        "high": explainer.sensitive_groups[int(np.argmax(rates))],
        "gap": float(np.ptp(rates)),
        "shares": {
            group: float(carried[group] / explainer.group_specific_variance[group])
            for group in carried.index
        },
    }


def main():
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        try:
            found = explained(json.loads(line))
        except Exception as error:  # whatever the package raises is its result
            found = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
