"""The command as a process: standard streams, pipes, interrupts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from .conftest import BASE
from .processes import ARBITREE, finished, signalled


def test_the_module_and_standard_input_work_as_the_command_does(loans):
    done = finished("audit", "-", *BASE, "--json", input=loans.read_bytes())
    assert done.returncode == 0
    assert json.loads(done.stdout)["n_rows"] == 200
    by_name = finished("audit", loans, *BASE, "--json")
    assert json.loads(by_name.stdout)["by_group"] == json.loads(done.stdout)["by_group"]


def test_the_status_of_the_process_is_that_of_the_gate(loans):
    assert finished("audit", loans, *BASE, "--fail-under", 0.8).returncode == 1
    wrong = finished("audit", loans, *BASE, "--label", "x")
    assert wrong.returncode == 2
    assert wrong.stdout == b""
    assert wrong.stderr.startswith(b"arbitree: ")


def test_a_reader_that_stops_reading_is_no_error(loans):
    cuts = ",".join(map(str, range(22, 80, 2)))
    options = ("--sensitive", "race", "--control", "age", "--bins", f"age={cuts}", "--json")
    with subprocess.Popen(
        [*ARBITREE, "audit", str(loans), *BASE, *options, "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert first == b"{\n"
    assert process.returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_an_error_in_words(loans):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*ARBITREE, "audit", str(loans), *BASE],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=120,
            check=False,
        )
    assert done.returncode == 2
    assert b"No space left" in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_an_interrupt_ends_it_with_130_and_no_half_file(tmp_path):
    rows = b"sex,approved\n" + b"f,yes\n" * 100_000
    out = tmp_path / "a.json"
    done = signalled(signal.SIGINT, rows, "audit", "-", *BASE, "-o", out)
    assert done.returncode == 130
    assert done.stdout == b""
    assert done.stderr == b"arbitree: interrupted; nothing was written\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_being_ended_leaves_no_copy_of_what_was_read(tmp_path):
    rows = b"sex,approved\n" + b"f,yes\n" * 100_000
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    done = signalled(signal.SIGTERM, rows, "audit", "-", *BASE, env=environment)
    assert done.returncode == 143
    assert not list(tmp_path.glob("arbitree-*"))


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_a_narrow_encoding_of_the_terminal_is_no_error(tmp_path, encoding):
    path = tmp_path / "a.csv"
    path.write_text("gruppe,ok\n" + "漢字é,1\nb,0\n" * 40, encoding="utf-8")
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    options = ("--decision", "ok", "--sensitive", "gruppe")
    done = finished("audit", path, *options, env=environment)
    assert done.returncode == 0
    assert ("漢字é" if encoding == "utf-8" else "\\u6f22") in done.stdout.decode(encoding)
    as_json = finished("audit", path, *options, "--json", env=environment)
    assert "漢字é" in as_json.stdout.decode("utf-8")
    wrong = finished("audit", path, *options, "--favorable", "漢", env=environment)
    assert wrong.returncode == 2


def test_it_starts_without_plots_or_databases(loans):
    code = (
        "import sys; from arbitree.cli import main; "
        f"main(['audit', {str(loans)!r}, *{BASE!r}, '--json', '-o', '/dev/null']); "
        "print([m for m in ('matplotlib', 'duckdb', 'numba', 'sklearn', 'jinja2') "
        "if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
