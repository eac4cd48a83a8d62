"""Failures reported of other tools: outcomes with more than two classes."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import arbitree as ar

from .audits import audited, coded, selected

CLASSES = {
    "numbers": [0, 1, 2],
    "from one": [1, 2, 3],
    "around zero": [-1, 0, 1],
    "texts": ["deny", "grant", "refer"],
    "letters": ["A", "B", "C", "D"],
    "fractions": [0.0, 0.5, 1.0],
    "many": list(range(12)),
}
every_set = pytest.mark.parametrize("classes", CLASSES.values(), ids=CLASSES)


def said(classes: list) -> tuple[list, dict[str, list[str]]]:
    n = 6 * len(classes)
    return [classes[i * i % len(classes)] for i in range(n)], {"sex": ["f", "f", "m"] * (n // 3)}


@every_set
@pytest.mark.parametrize("put", [list, np.array, pd.Series, pd.Categorical], ids=repr)
def test_several_classes_are_never_taken_silently(classes, put):  # fairlearn 0.15 takes class 1
    values, sex = said(classes)
    values[: len(classes)] = classes
    with pytest.raises(ar.LabelError) as caught:
        coded(put(values), sex)
    assert "favorable_label" in str(caught.value) or "score_threshold" in str(caught.value)
    with pytest.raises(ar.LabelError):
        coded([0, 1] * (len(values) // 2), sex, y_true=put(values))


@every_set
def test_favourable_classes_fold_into_one(classes):  # fairlearn#1201
    values, sex = said(classes)
    values[: len(classes)] = classes
    for chosen in itertools.islice(itertools.combinations(classes, 2), 2):
        for form in (list, tuple, set, frozenset, np.array, pd.Series):
            table = coded(values, sex, favorable_label=form(chosen))
            assert table.decisions.codes.tolist() == [int(value in chosen) for value in values]
    found = audited(values, sex, favorable_label=list(classes[:2]))
    for name, counts in selected(found).items():
        inside = [value for value, group in zip(values, sex["sex"]) if group == name]
        assert counts == (sum(value in classes[:2] for value in inside), len(inside))
    assert " or " in found.favorable


def test_the_documentation_tells_how_to_fold_classes():  # fairlearn#1201
    text = " ".join((ar.audit.__doc__ or "").split())
    assert "favorable_label : value or list of values" in text
