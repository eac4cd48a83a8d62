"""``arbitree report``: its files, its exit status and its settings, from flags or from a config."""

from __future__ import annotations

import html
import json
import os
import shlex
import signal

import pandas as pd
import pytest

import arbitree as ar
from arbitree.cli.command_line import command_line
from arbitree.cli.report_files import check_folder, write_folder

from .processes import signalled

QUICK = ("--bootstrap", 5, "--max-order", 1, "--resamples", 100, "--splits", 2, "--budget", 0.2)
QUICK += ("--max-depth", 2, "--max-leaves", 3)
ASKED = ("--decision", "approved", "--favorable", "yes", "--sensitive", "sex", "--label", "repaid")


@pytest.fixture(scope="session")
def lent(tmp_path_factory):
    """600 generated loans as a CSV file."""
    path = tmp_path_factory.mktemp("lent") / "lent.csv"
    ar.datasets.make_lending(600, decided="points").frame.to_csv(path, index=False)
    return path


@pytest.fixture
def told(run, lent, tmp_path):
    """A report of these loans, into a folder of the test."""

    def tell(*arguments, page="report.html"):
        return run("report", lent, *ASKED, *QUICK, "-o", tmp_path / page, *arguments)

    return tell


def test_a_page_comes_with_every_number_the_tree_and_the_certificate(told, tmp_path):
    found = told()
    assert found.status == 0
    assert found.out == ""
    assert found.err.splitlines()[-1].endswith("report.html")
    files = tmp_path / "report-files"
    story = json.loads((files / "report.json").read_text(encoding="utf-8"))
    tree = ar.read_tree(files / "tree.json")
    certificate = json.loads((files / "certificate.json").read_text(encoding="utf-8"))
    assert story["schema"] == "arbitree/report"
    assert tree.tree_.n_leaves == story["tree"]["learned"]["n_leaves"]
    assert certificate == story["certificate"]
    by_group = pd.read_csv(files / "tables" / "audit-by-group.csv")
    assert by_group["n"].tolist() == [row["n"] for row in story["audit"]["by_group"]]


def test_two_runs_give_the_same_bytes(told, tmp_path):
    told()
    once = {path.name: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}
    told()
    again = {path.name: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}
    assert once == again


def test_the_command_in_the_report_makes_the_same_report(run, told, tmp_path, monkeypatch):
    told("--title", "Two words")
    text = (tmp_path / "report-files" / "report.json").read_text(encoding="utf-8")
    command = shlex.split(json.loads(text)["command"])
    assert command[:2] == ["arbitree", "report"]
    monkeypatch.chdir(tmp_path)
    assert run(*command[1:], "-o", "-", "--json").json == json.loads(text)


@pytest.mark.parametrize(
    ("layout", "page", "words"),
    [
        ("summary", "s.html", "<h1>"),
        ("summary", "s.md", "# Report"),
        ("memo", "m.md", "# Validation memo"),
        ("memo", "m.tex", "\\section*{Validation memo"),
        ("model-card", "c.md", "## Fairness"),
        ("ll144", "l.md", "# Summary of selection rates"),
        ("ll144", "l.html", "<h1>Summary of selection rates"),
    ],
)
def test_each_layout_is_written_in_its_formats(told, tmp_path, layout, page, words):
    assert told("--layout", layout, page=page).status == 0
    text = (tmp_path / page).read_text(encoding="utf-8")
    assert words in text
    assert "ot legal advice" in text
    assert (tmp_path / f"{page.split('.')[0]}-files").exists() == page.endswith(".html")


@pytest.mark.parametrize(
    ("arguments", "page", "advice"),
    [
        (("--layout", "ll144"), "x.tex", "The layout ll144 is written as text or Markdown or HTML"),
        ((), "x.docx", "The format of"),
        (("--json",), "x.html", "and --json"),
        (("--files", "f", "--no-files"), "x.html", "contradict each other"),
        (("--max-gap", 2), "x.html", "--max-gap is 2"),
        (("--resamples", 5), "x.html", "--resamples is 5"),
        (("--explain-metric", "equal_opportunity", "--max-order", 9), "x.html", "--max-order is 9"),
        (("--calibration-share", 0.7, "--test-share", 0.5), "x.html", "no rows are left"),
    ],
)
def test_what_makes_no_sense_is_refused_before_any_work(told, tmp_path, arguments, page, advice):
    found = told(*arguments, page=page)
    assert found.status == 2
    assert advice in found.err
    assert not list(tmp_path.iterdir())


def test_decisions_alone_are_audited_and_explained(run, lent, tmp_path):
    page = tmp_path / "d.html"
    found = run("report", lent, *ASKED[:-2], *QUICK, "--exclude", "repaid", "-o", page)
    assert found.status == 0
    story = json.loads((tmp_path / "d-files" / "report.json").read_text(encoding="utf-8"))
    assert set(story["absent"]) == {"frontier", "tree", "rules", "certificate"}
    assert not (tmp_path / "d-files" / "tree.json").exists()


def test_labels_alone_need_no_decision(run, lent, tmp_path):
    found = run(
        *("report", lent, "--label", "repaid", "--favorable", "yes", "--sensitive", "sex"),
        *(*QUICK, "--json"),
    )
    assert found.status == 0
    assert found.json["data"]["audits_labels"]
    assert not list(tmp_path.iterdir())


def test_a_rule_that_a_given_model_breaks_is_exit_status_one(run, told, tmp_path, lent):
    told()
    rules = tmp_path / "rules.txt"
    rules.write_text("income < 25000 => no\n", encoding="utf-8")
    model = tmp_path / "report-files" / "tree.json"
    found = run(
        *("report", lent, "--model", model, "--sensitive", "sex", "--label", "repaid"),
        *("--favorable", "yes", "--features", "age,income,tenure,zip_income,education"),
        *(*QUICK, "--rules", rules, "--json"),
    )
    of_model = found.json["rules"]["model_verification"]
    assert of_model["status"] == "violated"
    assert found.json["rules"]["verification"]["status"] == "holds"
    assert found.status == 1
    assert "the model breaks a rule" in found.err


def test_a_sensitive_column_is_no_feature(run, lent, tmp_path):
    found = run(
        *("report", lent, *ASKED, *QUICK, "-o", tmp_path / "r.html"), "--features", "sex,income"
    )
    assert found.status == 2
    assert "--features names 'sex', which --sensitive names too" in found.err
    assert not list(tmp_path.iterdir())


def test_a_column_that_gives_the_label_away_is_told_in_every_place(run, lent, tmp_path):
    file = tmp_path / "late.csv"
    frame = pd.read_csv(lent)
    frame.assign(reminded=(frame["repaid"] == "no").astype(int)).to_csv(file, index=False)
    found = run("report", file, *ASKED, *QUICK, "-o", tmp_path / "r.html")
    words = "'reminded' alone predicts 'repaid' almost perfectly"
    assert words in found.err
    assert "leave it out with --exclude" in found.err
    assert "Features to check" in (tmp_path / "r.html").read_text(encoding="utf-8")
    story = json.loads((tmp_path / "r-files" / "report.json").read_text(encoding="utf-8"))
    assert [text for text in story["cautions"] if text.startswith(words)]
    for layout in ("summary", "memo", "model-card"):
        made = tmp_path / f"{layout}.md"
        run("report", file, *ASKED, *QUICK, "--layout", layout, "-o", made)
        assert "alone predicts" in made.read_text(encoding="utf-8")


def test_gates_that_fail_are_exit_status_one(told):
    found = told("--fail-under", 0.99)
    assert found.status == 1
    assert "below 0.99" in found.err


def test_a_part_that_fails_leaves_the_others_and_is_exit_status_three(run, lent, tmp_path):
    frame = pd.read_csv(lent).assign(repaid="yes")
    file = tmp_path / "alike.csv"
    frame.to_csv(file, index=False)
    found = run("report", file, *ASKED, *QUICK, "-o", tmp_path / "r.html")
    assert found.status == 3
    assert "nothing can be learnt" in found.err
    assert "are selected" in found.err
    assert (tmp_path / "r.html").exists()


def test_a_folder_of_somebody_elses_is_not_written_over(told, tmp_path):
    precious = tmp_path / "report-files"
    precious.mkdir()
    (precious / "thesis.txt").write_text("ten years", encoding="utf-8")
    found = told()
    assert found.status == 2
    assert "holds something else" in found.err
    assert (precious / "thesis.txt").read_text(encoding="utf-8") == "ten years"
    assert told("--no-files").status == 0


def test_a_folder_that_cannot_be_moved_leaves_the_old_one(tmp_path, monkeypatch):
    folder = tmp_path / "files"
    write_folder({"report.json": b"old"}, folder)
    check_folder(folder)

    def refuse(source, target):
        if str(source).endswith("new"):
            raise OSError("no")
        return moved(source, target)

    moved = os.replace
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="no"):
        write_folder({"report.json": b"new"}, folder)
    monkeypatch.undo()
    assert (folder / "report.json").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["files"]


def test_an_interrupt_leaves_no_file(lent, tmp_path):
    header, rows = lent.read_bytes().split(b"\n", 1)
    given = header + b"\n" + 20 * rows
    found = signalled(signal.SIGINT, given, "report", "-", *ASKED, "-o", "r.html", cwd=tmp_path)
    assert found.returncode == 130
    assert b"nothing was written" in found.stderr
    assert not list(tmp_path.iterdir())


def test_the_demo_writes_a_page_whose_path_it_says_last(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = run("demo", "--rows", 1000)
    assert found.status == 0
    assert found.err.splitlines()[-1] == "arbitree: wrote report.html"
    story = json.loads((tmp_path / "report-files" / "report.json").read_text(encoding="utf-8"))
    assert not story["failed"]
    assert not story["absent"]
    assert story["rules"]["verification"]["status"] == "holds"
    assert found.out == ""


CONFIG = """
file = "lent.csv"
decision = "approved"
favorable = "yes"
sensitive = ["sex"]
label = "repaid"
max_gap = 0.3
bootstrap = 5
max-order = 1
resamples = 100
splits = 2
budget = [0.2]
max-depth = 2
max-leaves = 3
cross = false
"""


@pytest.fixture
def config(lent, tmp_path):
    path = tmp_path / "conf" / "arbitree.toml"
    path.parent.mkdir()
    (path.parent / "lent.csv").write_bytes(lent.read_bytes())
    path.write_text(CONFIG, encoding="utf-8")
    return path


def test_a_config_sets_what_options_would(run, config):
    found = run("report", "--config", config, "--json")
    assert found.status == 0
    settings = found.json["settings"]
    assert (settings["max_gap"], settings["cross"], settings["bounds"]) == (0.3, False, [0.2])
    assert found.json["data"]["name"] == "lent.csv"
    assert "--no-cross" in found.json["command"]
    assert "--max-gap 0.3" in found.json["command"]


def test_options_win_over_the_config(run, config):
    found = run("report", "--config", config, "--max-gap", 0.4, "--sensitive", "race", "--json")
    assert found.json["settings"]["max_gap"] == 0.4
    assert found.json["data"]["sensitive"] == ["race"]


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("max-gpa = 0.1", "has the setting 'max-gpa'. Did you mean 'max-gap'?"),
        ("config = 'x.toml'", "has the setting 'config'"),
        ("max-gap = [0.1]", "max-gap is a list, and takes one value"),
        ("max-gap = true", "max-gap is True, and takes a value, not true or false"),
        ("joint = 'yes'", "joint is 'yes', and takes true or false"),
        ("max-gap = 'much'", "--max-gap"),
        ("[label]\nx = 1", "label is a table"),
        ("= 3", "is no TOML"),
    ],
)
def test_a_config_that_makes_no_sense_says_where(run, config, line, advice):
    kept = [one for one in CONFIG.splitlines() if one.split(" ")[0] != line.split(" ")[0]]
    kept = [one for one in kept if not one.startswith(("max_gap", "label"))]
    config.write_text("\n".join([*kept, line]), encoding="utf-8")
    found = run("report", "--config", config, "--json")
    assert found.status == 2
    assert advice in found.err


def test_a_name_with_a_comma_in_a_config_is_one_name(run, config):
    frame = pd.read_csv(config.parent / "lent.csv").rename(columns={"sex": 'sex, "at birth"'})
    frame.to_csv(config.parent / "lent.csv", index=False)
    text = CONFIG.replace('["sex"]', "['sex, \"at birth\"']")
    config.write_text(text, encoding="utf-8")
    found = run("report", "--config", config, "--json")
    assert found.status == 0
    assert found.json["data"]["sensitive"] == ['sex, "at birth"']


def test_a_config_that_is_not_there_is_an_input_error(run, tmp_path):
    found = run("report", "--config", tmp_path / "none.toml")
    assert found.status == 2
    assert "none.toml" in found.err


def test_the_command_line_is_spelt_from_what_was_given():
    class Param:
        def __init__(self, name, opts, secondary=()):
            self.name, self.opts, self.secondary_opts = name, list(opts), list(secondary)

    class Source:
        def __init__(self, name):
            self.name = name

    class Context:
        info_name = "report"
        params = {"file": "a b.csv", "cross": False, "sensitive": ["x", "y"], "seed": 3}  # noqa: RUF012

        class command:
            params = [  # noqa: RUF012
                Param("sensitive", ["--sensitive"]),
                Param("file", ["file"]),
                Param("cross", ["--cross"], ["--no-cross"]),
                Param("seed", ["--seed"]),
            ]

        @staticmethod
        def get_parameter_source(name):
            return Source("DEFAULT" if name == "seed" else "COMMANDLINE")

    assert command_line(Context()) == (
        "arbitree report 'a b.csv' --sensitive x --sensitive y --no-cross"
    )


@pytest.mark.parametrize("missing", [(), ("--missing", "drop")])
def test_a_file_without_any_label_is_told_without_the_parts_that_need_one(
    run, lent, tmp_path, missing
):
    path = tmp_path / "nolabels.csv"
    pd.read_csv(lent).assign(repaid=None).to_csv(path, index=False)
    page = tmp_path / "report.html"
    found = run("report", path, *ASKED, *QUICK, "-o", page, *missing)
    assert found.status == 0
    story = json.loads((tmp_path / "report-files" / "report.json").read_text(encoding="utf-8"))
    assert story["audit"]["by_group"]
    page_text = html.unescape(page.read_text(encoding="utf-8"))
    assert "No row has a value of 'repaid' (--label)" in page_text


def test_a_file_with_one_label_alone_is_told_without_a_tree(run, lent, tmp_path):
    path = tmp_path / "onelabel.csv"
    pd.read_csv(lent).assign(repaid="yes").to_csv(path, index=False)
    found = run("report", path, *ASKED, *QUICK, "-o", tmp_path / "report.html")
    assert found.status == 3
    assert "nothing can be learnt" in found.err
    story = json.loads((tmp_path / "report-files" / "report.json").read_text(encoding="utf-8"))
    assert story["audit"]["by_group"]
