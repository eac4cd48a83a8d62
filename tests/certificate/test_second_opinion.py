"""z3 is asked whether any leaf breaks a rule, and finds lies that are planted."""

from __future__ import annotations

import json
from contextlib import nullcontext

import pytest
from hypothesis import given, settings

from arbitree.certificate.check.decisions import read_tree
from arbitree.certificate.check.run import check_text
from arbitree.certificate.check.safety import Safety
from arbitree.certificate.check.second_opinion import z3_opinion
from arbitree.certificate.check.shape import Wrong

from . import problems
from .random_certificates import certificates

pytest.importorskip("z3")


@pytest.mark.parametrize("certificate", [problems.safety, problems.both])
def test_z3_agrees_on_certificates_that_hold(certificate):
    found = check_text(certificate().to_json(), second_opinion="z3")
    assert found.valid
    assert "z3: no leaf breaks a rule" in found.rederived


@settings(max_examples=60)
@given(certificates())
def test_z3_and_the_checker_say_the_same_of_any_tree(document):
    """Of a tree that may break its rules: both say so, or neither does."""
    safety = Safety(document["safety"], read_tree(document["tree"]))
    broken = [f for f in check_text(json.dumps(document)).failures if " breaks rule " in f]
    with pytest.raises(Wrong, match="z3 says sat") if broken else nullcontext():
        z3_opinion(safety)


def test_z3_catches_a_leaf_that_lies():
    document = json.loads(problems.safety().to_json())
    caught = 0
    for node in document["tree"]["nodes"]:
        if node.get("label") == "deny":
            node["label"] = "approve"
            failures = check_text(json.dumps(document), second_opinion="z3").failures
            caught += any(failure.startswith("z3 says sat") for failure in failures)
            node["label"] = "deny"
    assert caught


def test_there_is_no_other_second_opinion():
    with pytest.raises(ValueError, match="Pass 'z3'"):
        check_text(problems.safety().to_json(), second_opinion="cvc5")
