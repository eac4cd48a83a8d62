"""Failures reported of other tools: models that were saved by an earlier version."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys

import pandas as pd

import arbitree as ar

# Version 1 of the format, as it was first written: every later version reads it.
VERSION_1 = {
    "format": "arbitree-tree",
    "version": 1,
    "classes": ["no", "yes"],
    "features": [
        {
            "name": "age",
            "coding": {
                "type": "numeric", "kind": "number", "unit": None, "exact": True,
                "edges": [29.0, 50.5], "values": [25.0, 33.0, 68.0], "admits_missing": True,
            },
        },
        {
            "name": "job",
            "coding": {
                "type": "category", "kind": "category", "levels": ["a", "b", "c"],
                "declared_unused": [], "bins": None, "admits_missing": False,
            },
        },
    ],
    "groups": ["x", "y"],
    "nodes": [
        {
            "node": 0, "label": "yes", "feature": "age", "threshold": 29.0, "missing": 2,
            "children": [1, 2], "n": 7, "weight": [3.0, 4.0], "reach": [[2.0, 1.0], [1.0, 3.0]],
        },
        {"node": 1, "label": "no", "n": 2, "weight": [2.0, 0.0], "reach": [[2.0, 0.0], [0.0, 0.0]]},
        {
            "node": 2, "label": "yes", "feature": "job", "children": [3, 4],
            "levels": [["a"], ["b", "c"]], "missing": 4,
            "n": 5, "weight": [1.0, 4.0], "reach": [[0.0, 1.0], [1.0, 3.0]],
        },
        {"node": 3, "label": "no", "n": 1, "weight": [1.0, 0.0], "reach": [[0.0, 0.0], [1.0, 0.0]]},
        {
            "node": 4, "label": "yes", "n": 4, "weight": [0.0, 4.0],
            "reach": [[0.0, 1.0], [0.0, 3.0]],
        },
    ],
}  # fmt: skip
ROWS = pd.DataFrame({"age": [20.0, 29.0, 29.5, None, 70.0], "job": ["b", "c", "a", "c", None]})


def test_a_tree_written_by_the_first_version_decides_as_it_did(tmp_path):  # scikit-learn#31093
    (tmp_path / "tree.json").write_text(json.dumps(VERSION_1), "utf-8")
    tree = ar.read_tree(tmp_path / "tree.json")
    assert tree.predict(ROWS.to_numpy(object)).tolist() == ["no", "no", "no", "yes", "yes"]


def test_a_fitted_tree_decides_alike_in_another_process(tmp_path):
    rows = pd.DataFrame({"age": [20.0, 30, None, 50, 60], "job": list("abcab")})
    tree = ar.TreeClassifier(parity=ar.GapBudget(0.5))
    tree.fit(rows, [0, 1, 1, 0, 1], sensitive_features=list("xyxyx"))
    (tmp_path / "both.pkl").write_bytes(pickle.dumps((tree, rows)))
    code = (
        "import pickle, sys; tree, rows = pickle.load(open(sys.argv[1], 'rb')); "
        "print(tree.predict(rows).tolist(), tree.parity_report_['contribution'].sum())"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, str(tmp_path / "both.pkl")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    gap = tree.parity_report_["contribution"].sum()
    assert done.stdout.strip() == f"{tree.predict(rows).tolist()} {gap}"


def test_decisions_are_audited_without_the_model_that_made_them():
    decided = pd.Series([1, 0, 1, 1], name="decision")
    assert ar.audit(decided, sensitive_features={"sex": list("ffmm")}).gaps["value"][0] == 0.5
