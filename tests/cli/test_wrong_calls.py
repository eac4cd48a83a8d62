"""Calls of a hurried user: files that are not there, folders, wrong files."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("check", "certificat.json"), "there is no such file. Did you mean 'certificate.json'?"),
        (("check", "folder"), "it is a folder"),
        (("check", "empty.json"), "is empty: it is no certificate"),
        (("check", "certificate.json", "--data", "absent.csv"), "There is no file 'absent.csv'"),
        (("check", "certificate.json", "--data", "folder"), "--data folder is a folder"),
        (("verify", "absent.json", "--rule", "a < 1 => no"), "there is no such file"),
        (("verify", "certificate.json", "--rules", "folder"), "it is a folder"),
        (("verify", "certificate.json", "--rules", "certificat.json"), "Did you mean"),
        (("export", "absent.json", "-o", "t.py"), "there is no such file"),
        (
            ("audit", "x.csv", "--sensitive", "a", "--decision", "b", "--label", "b"),
            "both name 'b'",
        ),
        (("explain", "x.csv", "--metric", "parity"), "--metric': 'parity' is not one of"),
    ],
)
def test_a_wrong_call_is_answered_in_words(run, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "certificate.json").write_text("{}")
    (tmp_path / "empty.json").write_text("")
    found = run(*arguments)
    assert found.status == 2
    assert words in found.err
    for wrong in ("Errno", "Traceback", "Value error", "?.\n"):
        assert wrong not in found.err
