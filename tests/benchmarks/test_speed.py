"""What the benchmark of speed says of times, and that it stops what takes too long."""

from __future__ import annotations

import pytest

pytest.importorskip("psutil")

TO_SALIB = "30 times faster than SALib on COMPAS, 6 intervals"
TO_REFERENCE = "100 times faster than fairxplainer on COMPAS"


@pytest.fixture
def verdicts(module):
    """Of an aim: what was found and whether it holds, given what was measured."""

    def of(found):
        return {aim: (text, verdict) for aim, text, verdict in module("speed_page").aims(found)}

    return of


def ours(cpu):
    return {"COMPAS/arbitree/6": {"cpu": cpu}}


@pytest.mark.parametrize(("cpu", "verdict"), [(0.1, "holds"), (1.0, "**does not hold**")])
def test_an_aim_holds_from_its_factor_on(verdicts, cpu, verdict):
    found = ours(cpu) | {"COMPAS/salib/6": {"cpu": 3.0}}
    assert verdicts(found)[TO_SALIB][1] == verdict


@pytest.mark.parametrize(("cpu", "verdict"), [(1.0, "holds"), (20.0, "not shown")])
def test_of_a_run_that_was_stopped_only_a_bound_is_claimed(verdicts, cpu, verdict):
    found = ours(cpu) | {"COMPAS/reference/same columns": {"more_than": 900.0, "wall": 950.0}}
    text, said = verdicts(found)[TO_REFERENCE]
    assert said == verdict
    assert text.startswith("more than")


def test_a_peer_that_fails_is_not_compared(verdicts):
    found = ours(0.1) | {"COMPAS/salib/6": {"error": "Singular matrix", "cpu": 9.0}}
    assert verdicts(found)[TO_SALIB] == ("SALib fails: Singular matrix", "not comparable")


def test_the_slope_of_a_cost_in_proportion_to_rows_is_one(module):
    found = {f"rows/{n}": {"cpu": 3e-6 * n} for n in (10**4, 10**5, 10**6)}
    assert module("speed_page").slope(found, "cpu", 0) == pytest.approx(1)


def test_a_process_is_stopped_at_its_cap(module, monkeypatch, tmp_path):
    endless = tmp_path / "endless.py"
    endless.write_text("while True: pass")
    measure = module("speed_measure")
    monkeypatch.setattr(measure, "TIMED", endless)
    found = measure.measured(measure.Measurement(key="endless", job={}, cap=0.1))
    assert found["more_than"] == 0.1


def test_a_process_that_fails_says_why(module, monkeypatch, tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text("raise ValueError('of this')")
    measure = module("speed_measure")
    monkeypatch.setattr(measure, "TIMED", broken)
    with pytest.raises(RuntimeError, match="of this"):
        measure.measured(measure.Measurement(key="broken", job={}))
