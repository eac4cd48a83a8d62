"""Failures reported of other tools: results that cannot be had again."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree.cli import main

from .audits import DECISIONS, LABELS, RACE, SEX, audited

COLUMNS = {"sex": SEX, "race": RACE}


@pytest.fixture
def people(tmp_path):
    frame = pd.DataFrame(COLUMNS | {"ok": DECISIONS})
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "a.parquet")
    return tmp_path


def written(capfd, path, *options: object) -> str:
    asked = ["audit", path, "--decision", "ok", "--sensitive", "sex,race", "--json", *options]
    assert main([str(part) for part in asked]) == 0
    return capfd.readouterr().out


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_a_result_says_what_it_was_computed_from_and_with(people, name, capfd):  # onnxruntime#28557
    content = json.loads(written(capfd, people / name, "--seed", 3, "--resamples", 150))
    digest = hashlib.sha256((people / name).read_bytes()).hexdigest()
    assert content["source"]["sha256"] == digest
    assert content["source"]["n_rows"] == 12
    assert content["versions"]["arbitree"] == ar.__version__
    assert {"numpy", "scipy", "pandas", "python"} <= set(content["versions"])
    assert content["versions"]["numpy"] == np.__version__
    parameters = ("random_state", "n_resamples", "confidence", "min_group_size", "missing")
    assert [content[name] for name in parameters] == [3, 150, 0.95, 30, "drop"]


def test_any_number_of_threads_gives_the_same_bytes(people, capfd):  # Surprise#212
    one, *others = (written(capfd, people / "a.csv", "--n-jobs", n) for n in (1, 2, 4, -1))
    assert others == [one] * 3


def test_the_same_seed_gives_the_same_bytes_in_any_order_of_audits():  # joblib#36
    options = {"sensitive_features": COLUMNS, "y_true": LABELS}
    first = audited(**options, random_state=5).to_json()
    np.random.default_rng(1).random(10)
    audited(random_state=1)
    assert audited(**options, random_state=5).to_json() == first
    assert (
        audited(**options, random_state=np.random.default_rng(5)).to_json()
        == audited(**options, random_state=np.random.default_rng(5)).to_json()
    )


def test_the_global_generator_is_neither_used_nor_moved():  # scikit-learn#10237
    state = np.random.get_state()[1].tobytes()  # noqa: NPY002
    found = audited(sensitive_features=COLUMNS, random_state=0).to_json()
    assert np.random.get_state()[1].tobytes() == state  # noqa: NPY002
    np.random.seed(123)  # noqa: NPY002
    assert audited(sensitive_features=COLUMNS, random_state=0).to_json() == found


def test_the_seed_is_a_parameter_and_moves_only_the_limits_of_gaps():  # neural-trees#96
    counts = [40, 55, 61, 30]
    groups = {"g": [name for name in "abcd" for _ in range(100)]}
    decisions = [int(i < k) for k in counts for i in range(100)]
    found = [audited(decisions, groups, random_state=seed) for seed in range(3)]
    limits = {tuple(one.gaps["ci_low"]) for one in found}
    assert len(limits) > 1
    for frame in ("by_group", "rates", "summary", "overall"):
        for one in found[1:]:
            pd.testing.assert_frame_equal(getattr(one, frame), getattr(found[0], frame))
    assert len({tuple(one.gaps["value"]) for one in found}) == 1


@pytest.mark.parametrize("seed", range(2))
def test_the_order_of_rows_changes_no_byte(seed):
    order = np.random.default_rng(seed).permutation(12)

    def taken(values: list) -> list:
        return [values[i] for i in order]

    shuffled = audited(
        taken(DECISIONS), {name: taken(v) for name, v in COLUMNS.items()}, y_true=taken(LABELS)
    )
    assert shuffled.to_json() == audited(sensitive_features=COLUMNS, y_true=LABELS).to_json()


def test_an_audit_without_a_seed_names_the_one_it_drew():
    found = audited(random_state=None)
    assert audited(random_state=found.random_state).to_json() == found.to_json()
