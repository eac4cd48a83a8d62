"""Labels keep their type, and weights of classes are checked."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.class_weight import compute_class_weight

from arbitree import InputError, MissingValueError, TreeClassifier, read_tree
from arbitree.tree.class_weight import class_weights

X = pd.DataFrame({"a": np.arange(20.0)})
DAYS = pd.Series(np.where(X["a"] > 9, pd.Timestamp("2021-06-01"), pd.Timestamp("2020-01-01")))


@pytest.mark.parametrize("unit", ["ns", "us", "s"])
@pytest.mark.parametrize("put", [pd.Series, np.asarray, list], ids=lambda put: put.__name__)
def test_labels_that_are_times_stay_times(unit, put, tmp_path):
    y = put(DAYS.astype(f"datetime64[{unit}]"))
    tree = TreeClassifier(favorable_label=pd.Timestamp("2020-01-01")).fit(X, y)
    assert tree.favorable_ == 0
    assert (tree.predict(X) == DAYS.to_numpy()).all()
    tree.save(tmp_path / "tree.json")
    again = read_tree(tmp_path / "tree.json")
    assert (again.predict(X) == tree.predict(X)).all()
    space: dict[str, object] = {}
    exec(tree.to_python(), space)
    assert space["predict"]({"a": 12.0}) == pd.Timestamp("2021-06-01")
    assert "'2021-06-01'" in tree.to_sql()


def test_labels_that_are_durations_stay_durations(tmp_path):
    y = DAYS - DAYS.min()
    tree = TreeClassifier().fit(X, y)
    tree.save(tmp_path / "tree.json")
    assert (read_tree(tmp_path / "tree.json").predict(X) == y.to_numpy()).all()


@pytest.mark.parametrize("put", [pd.Series, np.asarray, list], ids=lambda put: put.__name__)
def test_a_missing_time_is_no_class(put):
    with pytest.raises(MissingValueError, match="first at row 3"):
        TreeClassifier().fit(X, put(DAYS.where(X["a"] != 3).astype("datetime64[ns]")))


def test_labels_with_a_time_zone_are_refused():
    with pytest.raises(InputError, match="time zone"):
        TreeClassifier().fit(X, DAYS.dt.tz_localize("UTC"))


@pytest.mark.parametrize(
    ("class_weight", "said"),
    [
        ({0: -1, 1: 1}, "class 0 is -1. Pass a positive number"),
        ({0: float("nan"), 1: 1}, "class 0 is nan"),
        ({0: 1, 1: float("inf")}, "class 1 is inf"),
        ({0: 0, 1: 0}, "class 0 is 0"),
        ({0: "a", 1: 1}, "class 0 is 'a'"),
        ({0: 1e308}, "Divide all weights"),
        ({"a": 1}, "names 'a', which y never is"),
        ("x", "class_weight is 'x'. Pass None, 'balanced' or a dict"),
        (3, "class_weight is 3"),
        ([{}], "Pass None, 'balanced' or a dict"),
    ],
    ids=str,
)
def test_weights_of_classes_that_make_no_sense_are_refused(class_weight, said):
    with pytest.raises(InputError, match=said):
        TreeClassifier(class_weight=class_weight).fit(X, [0, 1] * 10)


@pytest.mark.parametrize("weights", [None, np.array([1.0, 2.5, 0.5, 1, 1, 3])])
def test_balanced_classes_weigh_as_in_scikit_learn(weights):
    y = np.array([0, 0, 2, 2, 2, 2])
    found = class_weights("balanced", ["a", "b", "c"], y, weights)
    assert found[1] == 1
    expected = compute_class_weight(
        "balanced", classes=np.array([0, 2]), y=y, sample_weight=weights
    )
    np.testing.assert_allclose(found[[0, 2]], expected)
    assert class_weights({"a": 2, "z": 9, "b": 1, "c": 1}, ["a", "b", "c"], y, weights)[0] == 2
