"""Where data goes: whole or not at all."""

from __future__ import annotations

import json
import os
import stat

import pytest

from arbitree.cli import output as outputs

from .conftest import BASE, write_csv


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.json", "{"),
        ("a.md", "# Audit of"),
        ("a.csv", "grouping,group"),
        ("a.html", "<!doctype html>"),
        ("a.txt", "200 rows"),
        ("a.tex", "\\begin{table}"),
        ("A.JSON", "{"),
    ],
)
def test_the_extension_says_the_format(run, loans, tmp_path, name, start):
    ran = run("audit", loans, *BASE, "-o", tmp_path / name)
    assert ran.status == 0
    assert ran.out == ""
    assert f"wrote {tmp_path / name}" in ran.err
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_a_format_may_be_said_where_the_name_does_not(run, loans, tmp_path):
    assert run("audit", loans, *BASE, "--json", "-o", tmp_path / "audit.data").status == 0
    json.loads((tmp_path / "audit.data").read_text())


def test_a_dash_is_standard_output(run, loans):
    assert run("audit", loans, *BASE, "--json", "-o", "-").json["n_rows"] == 200


def test_two_runs_write_the_same_bytes(run, loans, tmp_path):
    for extension in ("json", "md", "csv", "html", "txt", "tex"):
        once, again = (tmp_path / f"{n}.{extension}" for n in (1, 2))
        run("audit", loans, *BASE, "-o", once)
        run("audit", loans, *BASE, "-o", again)
        assert once.read_bytes() == again.read_bytes()


@pytest.mark.parametrize(
    ("name", "options", "advice"),
    [
        ("a.xyz", (), "--json"),
        ("a", (), "--json"),
        ("a.md", ("--json",), "not a name for JSON"),
        ("no/such/folder/a.json", (), "There is no folder"),
        (".", ("--json",), "is a folder"),
        ("a.tex", ("--layout", "ll144"), "not as LaTeX"),
    ],
)
def test_a_place_that_will_not_do_is_refused_before_any_work(
    run, loans, tmp_path, monkeypatch, name, options, advice
):
    monkeypatch.setattr("arbitree.table.reader.read", lambda *_, **__: pytest.fail("read"))
    ran = run("audit", loans, *BASE, *options, "-o", tmp_path / name)
    assert ran.status == 2
    assert advice in ran.err
    assert not list(tmp_path.iterdir())


def test_the_file_that_is_read_is_not_written_over(run, loans, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(loans.read_bytes())
    (tmp_path / "link.csv").symlink_to(path)
    for target in (path, tmp_path / "link.csv"):
        ran = run("audit", path, *BASE, "-o", target)
        assert ran.status == 2
        assert "the file that is read" in ran.err
    assert path.read_bytes() == loans.read_bytes()


@pytest.mark.parametrize(
    ("error", "status"), [(OSError(28, "No space left"), 2), (KeyboardInterrupt, 130)]
)
def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(
    run, loans, tmp_path, monkeypatch, error, status
):
    path = tmp_path / "a.json"
    path.write_text("old")

    def fail(*_):
        raise error

    monkeypatch.setattr(outputs.os, "replace", fail)
    ran = run("audit", loans, *BASE, "-o", path)
    assert ran.status == status
    assert path.read_text() == "old"
    assert [found.name for found in tmp_path.iterdir()] == ["a.json"]
    assert ran.err.startswith("arbitree: ")
    assert "wrote" not in ran.err


def test_an_error_writes_no_file(run, loans, tmp_path):
    assert run("audit", loans, *BASE, "--label", "x", "-o", tmp_path / "a.json").status == 2
    assert not list(tmp_path.iterdir())


def test_a_failed_gate_still_writes_the_file(run, loans, tmp_path):
    ran = run("audit", loans, *BASE, "--fail-under", 0.8, "-o", tmp_path / "a.json")
    assert ran.status == 1
    assert (tmp_path / "a.json").exists()


def test_permissions_are_the_usual_ones_or_those_of_the_old_file(run, loans, tmp_path):
    path = tmp_path / "a.json"
    before = os.umask(0o022)
    try:
        run("audit", loans, *BASE, "-o", path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o644
        path.chmod(0o600)
        run("audit", loans, *BASE, "-o", path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        os.umask(before)


def test_a_link_is_followed_and_stays(run, loans, tmp_path):
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    run("audit", loans, *BASE, "-o", tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    json.loads((tmp_path / "real.json").read_text())


def test_a_device_is_written_to(run, loans):
    assert run("audit", loans, *BASE, "--json", "-o", os.devnull).status == 0
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@pytest.mark.parametrize(
    ("environment", "color"),
    [
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"NO_COLOR": "1"}, False),
        ({}, False),
    ],
)
def test_color_is_as_the_environment_has_it(run, loans, monkeypatch, environment, color):
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in run("audit", loans, *BASE).out) is color
    assert "\x1b" not in run("audit", loans, *BASE, "--markdown").out


HOSTILE = ["[red]", "<script>alert(1)</script>", "A|B", "=cmd()", "`x`", "漢字", ":smile:", "$x$"]


@pytest.fixture
def hostile(tmp_path):
    rows = [{"race": name, "ok": i % 2} for name in HOSTILE for i in range(40)]
    return write_csv(tmp_path / "[red] a|b.csv", rows)


def test_hostile_names_stay_text_in_every_format(run, hostile):
    options = ("--decision", "ok", "--sensitive", "race")
    text = run("audit", hostile, *options).out
    assert all(name in text for name in ("[red]", "A|B", "=cmd()", "漢字", ":smile:", "$x$"))
    assert set(run("audit", hostile, *options, "--json").groups("race")) == set(HOSTILE)
    assert "<script>" not in run("audit", hostile, *options, "--markdown").out
    table = run("audit", hostile, *options, "--csv").out
    assert "race,'=cmd()," in table
    assert "race,=cmd()" not in table


def test_hostile_names_stay_text_in_errors(run, hostile):
    ran = run("audit", hostile, "--decision", "[/red]", "--sensitive", "race")
    assert ran.status == 2
    assert "[/red]" in ran.err


def test_json_carries_the_verdict_of_a_gate(run, loans):
    assert run("audit", loans, *BASE, "--json").json["gate"] is None
    gate = run("audit", loans, *BASE, "--json", "--fail-under", 0.8, "--max-gap", 0.9).json["gate"]
    assert gate["thresholds"] == {
        "fail_under": 0.8,
        "max_gap": 0.9,
        "metrics": ["statistical_parity"],
    }
    assert gate["passed"] is False
    assert gate["failures"] == ["sex: impact ratio of Female is 0.500, below 0.8"]
    assert gate["undecided"] == []


@pytest.mark.parametrize("options", [(), ("--markdown",), ("--layout", "ll144")])
def test_documents_carry_the_verdict_of_a_gate(run, loans, options):
    ran = run("audit", loans, *BASE, *options, "--fail-under", 0.8)
    assert "gate failed: 1 failed" in ran.out
    assert "gate" not in run("audit", loans, *BASE, *options).out.replace("--fail-under", "")


def test_ll144_as_json_carries_the_verdict_too(run, loans):
    options = ("--layout", "ll144", "--json")
    assert run("audit", loans, *BASE, *options).json["gate"] is None
    assert run("audit", loans, *BASE, *options, "--max-gap", 1).json["gate"]["passed"] is True
