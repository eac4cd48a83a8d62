"""Failures reported of other tools: columns and groups whatever they are called."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from matplotlib.figure import Figure

import arbitree as ar
from arbitree.report.html import html_page
from arbitree.report.markdown import markdown_document
from arbitree.report.terminal import terminal_text

from .audits import DECISIONS, RACE, SEX, audited, coded, numbers

HARD = [
    *("age (years)", "sepal length (cm)", "1st_income", "a = b", "x-y", "class", "lambda", "@x"),
    *("[team].[x]", "distance, km", "{a}: b", 'say "hi"', "Пол", "性别", "`sex`", "a.b", "a b "),
    *("$x$", "%s", "{0}", "\\n", "__class__", "index", "nan", "None", "weight", "count", "x" * 200),
]
every_hard_name = pytest.mark.parametrize("name", HARD, ids=[n[:20] for n in HARD])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("age (years)", "age-years"),
        ("a b", "a_b"),
        ("Sex", "sex"),
        ("é", "e"),
        ("x.1", "x"),
        ("é", "e\u0301"),
        ("sex", "sex "),
        ("sex", "\ufeffsex"),
        ("a" * 64 + "1", "a" * 64 + "2"),
    ],
)
def test_names_that_are_nearly_the_same_stay_apart(one, other, tmp_path):  # imodels PR#274
    frame = pd.DataFrame({one: SEX, other: RACE, "ok": DECISIONS})
    expected = [[int(sex == "m") for sex in SEX], ["abc".index(race) for race in RACE]]
    table = coded(DECISIONS, frame[[one, other]])
    assert [column.codes.tolist() for column in table.sensitive] == expected
    if "\ufeff" not in other:
        frame.to_csv(tmp_path / "a.csv", index=False)
        table = ar.read(tmp_path / "a.csv", decision="ok", sensitive=[one, other])
        assert [column.codes.tolist() for column in table.sensitive] == expected


@every_hard_name
def test_names_are_never_evaluated_or_altered(name, tmp_path):  # skope-rules#2, LightGBM#6202
    frame = pd.DataFrame({name: SEX, "ok": DECISIONS})
    table = coded(DECISIONS, frame[[name]])
    assert table.sensitive[0].name == name
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "a.parquet")
    for file in ("a.csv", "a.parquet"):
        read = ar.read(tmp_path / file, decision="ok", sensitive=name)
        assert read.sensitive[0].name == name
        assert read.sensitive[0].codes.tolist() == table.sensitive[0].codes.tolist()


@pytest.mark.parametrize("file", ["a.csv", "a.parquet"])
def test_a_condition_quotes_hard_names(file, tmp_path):  # skope-rules PR#4
    names = [name for name in HARD if name.lower() not in ("sex", "ok")]
    frame = pd.DataFrame(dict.fromkeys(names, SEX) | {"ok": DECISIONS, "sex": SEX})
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "a.parquet")
    where = " AND ".join('"' + name.replace('"', '""') + "\" = 'f'" for name in names)
    table = ar.read(tmp_path / file, decision="ok", sensitive="sex", where=where)
    assert table.n_rows == SEX.count("f")


def test_every_output_has_the_callers_names():  # imodels PR#281
    found = audited(pd.Series(DECISIONS, name="ok"), dict.fromkeys(HARD, SEX), cross=False)
    assert found.by_group["grouping"].unique().tolist() == HARD
    assert json.loads(found.to_json())["sensitive_features"] == HARD
    for text in (terminal_text(found, width=400), html_page(found), markdown_document(found)):
        assert "feature_0" not in text
        assert all(name in text for name in HARD if name.isalnum())
    for name in HARD[::9]:
        assert name[:9] in ar.plot_groups(found, grouping=name, ax=Figure().subplots()).get_title(
            "left"
        )


RESULT_NAMES = ["grouping", "group", "n", "n_selected", "metric", "status", "value", "reference"]
OUTCOMES = [
    "y_pred",
    "y_true",
    "decision",
    "label",
    "decision_0",
    "sensitive_feature_0",
    "(missing)",
]


@pytest.mark.parametrize("name", [0, -1, 3.5, True, ("a", 1), None, *RESULT_NAMES, *OUTCOMES[:3]])
def test_a_column_may_be_called_anything(name):  # fairlearn 0.15 refuses 0
    groups = pd.DataFrame({"sex": SEX}).set_axis(pd.Index([name], dtype=object), axis=1)
    shown = "sensitive_feature_0" if name is None else name
    assert coded(sensitive_features=groups).sensitive[0].name == shown
    split = audited(sensitive_features={"race": RACE}, control_features=groups)
    assert split.by_group["group"].unique().tolist() == ["a", "b", "c"]
    (column,) = split.control
    for frame in (split.by_group, split.rates, split.gaps, split.summary, split.overall):
        assert frame.columns.is_unique
        assert frame[column].unique().tolist() == ["f", "m"]


@pytest.mark.parametrize(
    "names",
    [[0, 1], [1, 0], ["sex", 0], [pd.Timestamp("2024-01-01"), 7], [("a", 1), ("a", 2)]],
    ids=repr,
)
def test_names_that_are_no_texts_are_shown_as_texts(names):  # tabfm PR#45
    index = pd.Index(names, dtype=object, tupleize_cols=False)
    groups = pd.DataFrame({"a": SEX, "b": RACE}).set_axis(index, axis=1)
    found = audited(sensitive_features=groups)
    assert found.sensitive == tuple(map(str, names))
    crossed = f"{names[0]} x {names[1]}"
    assert found.by_group["grouping"].unique().tolist() == [*map(str, names), crossed]
    assert json.loads(found.to_json())["sensitive_features"] == [*map(str, names)]
    named = audited(sensitive_features=groups, reference_group={names[0]: "m", names[1]: "b"})
    assert named.by_group.loc[named.by_group["reference"], "group"].tolist() == ["m", "b", "m x b"]


def test_levels_of_columns_are_one_name_each():
    groups = pd.DataFrame({("who", "sex"): SEX, ("who", "race"): RACE})
    assert [column.name for column in coded(sensitive_features=groups).sensitive] == [
        ("who", "sex"),
        ("who", "race"),
    ]


@pytest.mark.parametrize("names", [["sex", "sex"], [0, "0"], [0, 0]], ids=repr)
def test_two_columns_of_one_name_are_refused(names):
    groups = pd.DataFrame({"a": SEX, "b": RACE}).set_axis(pd.Index(names, dtype=object), axis=1)
    with pytest.raises(ar.ColumnError, match=r"columns? named|two columns"):
        coded(sensitive_features=groups)


@pytest.mark.parametrize(
    "levels",
    [
        [("a x b", "c"), ("a", "b x c")],
        [("a", "b"), ("a x b", ""), ("", "a x b")],
        [("1", "x"), ("1 x x", "x"), ("1", "x x x")],
    ],
)
def test_crossed_groups_never_share_a_text(levels):
    rows = levels * 6
    groups = {"one": [one for one, _ in rows], "other": [other for _, other in rows]}
    found = audited([i % 2 for i in range(len(rows))], groups)
    crossed = found.by_group[found.by_group["grouping"] == "one x other"]
    assert crossed["group"].nunique() == len(levels)
    assert crossed["n"].tolist() == [6] * len(levels)


def test_crossed_columns_never_share_a_name():
    groups = pd.DataFrame({"a": SEX, "b": RACE, "a x b": RACE[::-1]})
    found = audited(sensitive_features=groups)
    assert found.by_group.groupby("grouping")["group"].nunique().to_dict() == {
        "a": 2,
        "b": 3,
        "'a x b'": 3,
        "a x b": 6,
        "a x a x b": 6,
        "b x a x b": 3,
        "a x b x a x b": 6,
    }


@pytest.mark.parametrize("name", ["group", "metric", "sex"])
def test_numbers_do_not_depend_on_a_control_columns_name(name):
    split = audited(control_features=pd.Series(RACE, name=name))
    plain = audited(control_features=pd.Series(RACE, name="plain"))
    ours, theirs = numbers(split), numbers(plain)
    for frame in ("by_group", "gaps", "overall"):
        assert [[*row.values()] for row in ours[frame]] == [
            [*row.values()] for row in theirs[frame]
        ]
