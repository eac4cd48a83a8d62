"""A story holds what its input allows, and says in words why a part is not there."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest

import arbitree as ar
from arbitree._errors import InputError
from arbitree.report.story.build import tell
from arbitree.report.story.chosen import bound_of
from arbitree.report.story.parts import parts
from arbitree.report.story.result import SECTIONS, Story
from arbitree.report.story.screening import screened
from arbitree.report.story.settings import Settings
from arbitree.report.story.tables import tables
from arbitree.report.story.verdicts import exit_status

from .stories import QUICK, RULES, decisions_only, hostile, lent, loans, loans_table, table_of

PARTS = {
    "audit": "audit",
    "influence": "influences",
    "frontier": "frontier",
    "tree": "tree",
    "rules": "rules",
    "certificate": "certificate",
}


def test_a_file_with_everything_gives_every_part():
    story = loans()
    assert not story.absent
    assert not story.failed
    assert all(getattr(story, name) for name in PARTS.values())


@pytest.mark.parametrize("story", [loans, decisions_only, hostile])
def test_a_part_is_there_or_its_reason_is(story):
    story = story()
    for section, name in PARTS.items():
        there = bool(getattr(story, name))
        assert there == (section not in story.absent and section not in story.failed)
    assert not set(story.absent) & set(story.failed)


@pytest.mark.parametrize("story", [loans, decisions_only, hostile])
def test_every_section_has_one_sentence(story):
    sentences = story().sentences
    assert list(sentences) == list(SECTIONS)
    assert all(text.strip() and "nan" not in text.split() for text in sentences.values())


def test_the_sentence_of_the_audit_is_of_the_largest_gap_of_one_column():
    story = loans()
    gaps = story.audit.gaps
    single = gaps[(gaps["metric"] == "statistical_parity") & gaps["grouping"].isin(["sex", "race"])]
    row = single.loc[single["value"].idxmax()]
    said = story.sentences["audit"]
    points = f"{100 * row['value']:.1f} [{100 * row['ci_low']:.1f}, {100 * row['ci_high']:.1f}]"
    assert said.startswith(f"{row['group_low']} are selected {points} points")
    assert f"less often than {row['group_high']}" in said


def test_small_groups_are_audited_each_and_told_of_together():
    frame = lent()
    race = frame["race"].mask(np.arange(1500) < 4, "Martian").mask(np.arange(1500) == 5, "Elf")
    frame = frame.assign(race=race)
    frame.loc[frame.index < 4, "approved"] = "no"
    table = table_of(
        frame, sensitive="race", decision="approved", favorable_label="yes", label="repaid"
    )
    story = tell(table, settings=Settings(**QUICK))
    assert {"Martian", "Elf"} <= set(story.audit.by_group["group"])
    assert {"Martian", "Elf"} <= set(story.tree.pooled)
    assert "Martian" not in story.sentences["audit"]
    assert {story.influences[0].group_high, story.influences[0].group_low} == {"Asian", "Black"}
    compared = set(story.certificate.by_group["group"])
    assert "(smaller groups)" in compared
    assert not {"Martian", "Elf"} & compared
    assert any("Martian" in line for line in story.untested)


def test_the_three_parts_of_the_rows_share_none_and_leave_none_out():
    table = loans_table()
    usable = int((table.sensitive[1].codes != table.sensitive[1].coding.missing_code).sum())
    found = parts(table, Settings(**QUICK))
    sizes = [one.table.n_rows for one in (found.training, found.calibration, found.test)]
    assert sum(sizes) == usable
    assert sizes[1] == sizes[2] == round(0.2 * usable)


def test_of_very_many_features_the_tree_is_offered_the_useful_ones():
    rng = np.random.default_rng(0)
    noise = {f"noise {k}": rng.integers(0, 9, 1500) for k in range(40)}
    frame = lent().assign(**noise)
    table = table_of(frame, sensitive="sex", label="repaid", label_favorable="yes")
    settings = Settings(**QUICK, search_size=20)
    found = screened(parts(table, settings), settings)
    names = {column.name for column in found.test.table.features}
    assert len(names) == 10
    assert {"income", "tenure"} <= names
    assert found.n_left_aside == len(table.features) - 10
    assert screened(parts(table, Settings(**QUICK)), Settings(**QUICK)).n_left_aside == 0


def test_values_that_are_decoded_are_those_of_the_file():
    frame = lent()
    found = parts(table_of(frame, sensitive="sex", label="repaid", label_favorable="yes"),
                  Settings(**QUICK))  # fmt: skip
    back = pd.concat([one.X for one in (found.training, found.calibration, found.test)])
    for name in ("age", "income", "zip_income", "tenure"):
        assert sorted(back[name]) == sorted(frame[name])


def test_the_tree_is_audited_on_rows_that_it_has_not_seen():
    story = loans()
    held_out = story.tree.learned.held_out
    assert story.tree.audit.n_rows == held_out.n_rows
    assert held_out.n_rows + story.tree.learned.training.n_rows + story.certificate.n < 1500 + 1
    rates = held_out.by_group.set_index(["grouping", "group"])["rate"]
    audited = story.tree.audit.by_group.set_index(["grouping", "group"])["selection_rate"]
    for key, rate in rates.items():
        assert audited[key] == pytest.approx(rate, abs=1e-12)


def test_the_certificate_is_of_the_tree_and_of_rows_of_its_own():
    story = loans()
    found = parts(loans_table(), story.settings)
    decided = story.tree.learned.model.predict(found.calibration.X)
    groups = found.calibration.groups["sex"].astype(str)
    counts = story.certificate.by_group.set_index(["grouping", "group"])
    for name in ("Female", "Male"):
        assert counts.loc[("sex", name), "k"] == int(((decided == "yes") & (groups == name)).sum())


def test_the_tree_obeys_the_rules_and_the_same_rows_say_so():
    story = loans()
    assert story.rules.verified.status == "holds"
    model = story.tree.learned.model
    minors = parts(loans_table(), story.settings).test.X.query("age < 21")
    assert set(model.predict(minors)) == {"no"}


def test_rules_that_contradict_each_other_fail_and_the_tree_does_without_them():
    rules = ar.Rules.parse("age < 21 => no\nage < 30 and age >= 20 => yes\nincome >= 0 => yes")
    story = tell(loans_table(), settings=Settings(**QUICK), rules=rules)
    assert not story.rules.check.consistent
    assert story.rules.verified is None
    assert "contradict" in story.sentences["rules"]
    assert story.tree.learned.model.rules is None
    assert exit_status(story.verdicts) == 1


def test_a_rule_of_an_unknown_column_fails_alone():
    rules = ar.Rules.parse("incme < 3 => no")
    story = tell(loans_table(), settings=Settings(**QUICK), rules=rules)
    assert "Did you mean 'income'?" in story.failed["rules"]
    assert story.audit is not None
    assert story.tree is not None
    assert exit_status(story.verdicts) == 3


def test_labels_alone_are_audited_and_are_called_labels():
    table = table_of(lent(), sensitive="sex", label="repaid", label_favorable="yes")
    story = tell(table, settings=Settings(**QUICK))
    assert story.data.audits_labels
    assert story.data.decision is None
    assert "labels of repaid" in story.sentences["data"]
    assert "have the favourable label" in story.sentences["audit"]


def test_weights_leave_out_what_counts_independent_rows():
    frame = lent().assign(weight=np.where(np.arange(1500) % 2, 1.0, 2.0))
    table = table_of(
        frame, sensitive="sex", decision="approved", favorable_label="yes", label="repaid",
        weight="weight",
    )  # fmt: skip
    story = tell(table, settings=Settings(**QUICK))
    assert set(story.absent) == {"frontier", "rules", "certificate"}
    assert story.tree is not None
    assert story.data.weighted


def test_labels_that_are_all_alike_leave_the_audit_standing():
    table = table_of(
        lent().assign(repaid="yes"), sensitive="sex", decision="approved", favorable_label="yes",
        label="repaid",
    )  # fmt: skip
    story = tell(table, settings=Settings(**QUICK))
    assert story.audit is not None
    assert story.tree is None
    assert set(story.failed) == {"tree"}
    assert {"frontier", "certificate"} <= set(story.absent)
    assert exit_status(story.verdicts) == 3


def test_a_table_without_groups_or_outcomes_is_refused():
    with pytest.raises(InputError, match="no groups"):
        tell(table_of(lent(), decision="approved", favorable_label="yes"))
    with pytest.raises(InputError, match="neither decisions nor labels"):
        tell(table_of(lent(), sensitive="sex"))


def test_the_same_file_gives_the_same_bytes():
    again = tell(
        loans_table(),
        settings=Settings(**QUICK),
        rules=ar.Rules.parse(RULES),
        command="arbitree report loans.csv",
    )
    assert again.to_json() == loans().to_json()
    for name, frame in tables(again).items():
        pd.testing.assert_frame_equal(frame, tables(loans())[name])


@pytest.mark.parametrize("story", [loans, decisions_only, hostile])
def test_json_is_strict_and_has_its_schema(story):
    def refused(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    found = json.loads(story().to_json(), parse_constant=refused)
    assert (found["schema"], found["schema_version"]) == ("arbitree/report", 1)
    assert found["note"].startswith("Measurements are not legal advice")
    assert found["date"] is None


def test_no_row_of_the_data_is_in_the_story():
    frame = lent()
    text = loans().to_json()
    incomes = set(frame["income"].astype(str)) - set(map(str, range(100_000)))
    edges = json.dumps(json.loads(text)["tree"]["learned"]["tree"])
    outside = text.replace(edges, "")
    assert not {name for name in Story.__slots__ if name in ("rows", "frame", "X")}
    assert sum(f": {income}" in outside for income in incomes) == 0


def test_a_budget_that_was_asked_for_is_the_trees():
    story = loans()
    asked = dataclasses.replace(story.settings, max_gap=0.07)
    choice = bound_of(story.frontier, asked)
    assert choice.budget == 0.07
    assert "7 points" in choice.how


def test_the_strictest_budget_that_costs_little_is_chosen():
    story = loans()
    table = story.frontier.table
    cheap = dataclasses.replace(story.settings, accuracy_cost=1.0)
    assert bound_of(story.frontier, cheap).budget == table["bound"].min()
    free = table.loc[table["bound"].isna(), "accuracy"].iloc[0]
    never = table.loc[table["bound"].notna(), "accuracy"].max() < free
    dear = bound_of(story.frontier, dataclasses.replace(story.settings, accuracy_cost=0.0))
    assert (dear.budget is None) == never


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"four_fifths": 1.2}, "four_fifths is 1.2"),
        ({"max_gap": -0.1}, "max_gap is -0.1"),
        ({"calibration_share": 0.6, "test_share": 0.5}, "no rows are left for training"),
        ({"bounds": ()}, "bounds is empty"),
        ({"metric": "accuracy_equality"}, "metric names 'accuracy_equality'"),
        ({"explained": ("parity",)}, "explained names 'parity'"),
        ({"n_splits": 1}, "n_splits is 1"),
        ({"confidence": 1.5}, "confidence"),
        ({"n_resamples": 5}, "n_resamples is 5"),
        ({"max_order": 9}, "max_order is 9"),
        ({"missing": "maybe"}, "maybe"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, words):
    with pytest.raises(InputError, match=words):
        Settings(**settings)
