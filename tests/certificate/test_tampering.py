"""Whoever changes a certificate is found out: by the seal, by what is derived, by the data."""

from __future__ import annotations

import json

import pytest

from arbitree.certificate.check.run import check_text

from . import problems
from .tampering import SEAL, changes, duplicated, pattern, rehashed, resealed, seal_of

KINDS = {
    "safety": problems.safety,
    "both": problems.both,
    "candidates": problems.candidates,
}
# What a certificate is of. Whoever changes this, and makes hashes and seal again, has a certificate
# of another tree, other rules or rows: still every number in it is derived.
OF_ANOTHER_TREE = {
    "tree.classes",
    "tree.classes.*",
    "tree.features.*",
    "tree.features.*.name",
    "tree.nodes.*.children.*",
    "tree.nodes.*.levels.*",
    "tree.nodes.*.levels.*.*",
    "tree.nodes.*.missing",
    "tree.nodes.*.threshold",
}
OF_OTHER_RULES = {"safety.statements.*"}
OF_OTHER_ROWS = {
    "safety.domain.*",
    "safety.domain.*.levels",
    "safety.domain.*.other",
    "safety.domain.*.ranges.*",
    "safety.domain.*.levels.*",
    "safety.domain.*.ordered",
    "safety.domain.*.ranges.*.*",
}
WORDS = {
    "fairness.favorable",
    "fairness.label_favorable",
    "notices.*",
    *(f"versions.{name}" for name in ("python", "arbitree", "numpy", "scipy")),
}
ASKED = {"fairness.max_gap"}
# Of candidates that were not chosen the certificate does not have the trees.
OF_OTHER_CANDIDATES = {
    "fairness.candidates.*",
    "fairness.candidates.*.accuracy",
    "fairness.candidates.*.candidate",
    "fairness.candidates.*.k.*",
    "fairness.candidates.*.n.*",
}
OF_DATA = {
    "fairness.data.favorable.decisions.*",
    "fairness.data.favorable.label.*",
    "fairness.data.features.*.sha256",
    "fairness.data.label.name",
    "fairness.data.label.sha256",
    "fairness.data.sensitive.*.sha256",
}
BOUND_TO_NOTHING_HERE = OF_ANOTHER_TREE | OF_OTHER_RULES | OF_OTHER_ROWS | WORDS | ASKED
BOUND_TO_NOTHING_HERE |= OF_OTHER_CANDIDATES | OF_DATA


def _certificate(kind):
    return json.loads(KINDS[kind]().to_json())


@pytest.mark.parametrize("kind", KINDS)
def test_a_certificate_as_it_was_made_is_valid(kind):
    found = check_text(KINDS[kind]().to_json())
    assert found.valid, found.failures


@pytest.mark.parametrize("kind", KINDS)
def test_every_change_of_a_field_breaks_the_seal(kind):
    document = _certificate(kind)
    some = list(changes(document))
    same = [pattern(path) for path, _, changed in some if changed.get(SEAL) == seal_of(changed)]
    assert not same
    for _, _, changed in some[::20]:
        assert not check_text(json.dumps(changed)).valid


@pytest.mark.parametrize("kind", KINDS)
def test_every_change_of_a_field_is_found_though_the_seal_is_made_again(kind):
    """And though hashes are made again too, but for what the certificate is of."""
    document = _certificate(kind)
    for path, what, changed in changes(document):
        if path[0] == SEAL:
            continue
        if path[0] != "hashes" and check_text(json.dumps(rehashed(changed))).valid:
            assert pattern(path) in BOUND_TO_NOTHING_HERE
            assert not check_text(json.dumps(resealed(changed))).valid, (path, what)
        elif path[0] == "hashes":
            assert not check_text(json.dumps(resealed(changed))).valid, (path, what)


@pytest.mark.parametrize("kind", KINDS)
def test_a_key_written_twice_is_rejected(kind):
    for path, text in duplicated(_certificate(kind)):
        found = check_text(text)
        assert not found.valid, path
        assert "is there twice" in found.failures[0]


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_what_strict_json_does_not_know_is_rejected(value):
    text = problems.both().to_json().replace('"confidence": 0.95', f'"confidence": {value}')
    assert value in text
    assert not check_text(text).valid


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "null", '{"schema": "arbitree/certificate"}', b"\xff"]
)
def test_what_is_no_certificate_is_not_valid_and_no_crash(text):
    assert not check_text(text).valid


def test_what_passes_is_listed_exactly():
    """Every field listed can be changed in one of the certificates: the list says no more."""
    seen = set()
    for kind in KINDS:
        document = _certificate(kind)
        listed = {
            pattern(path)
            for path, _, changed in changes(document)
            if pattern(path) in BOUND_TO_NOTHING_HERE - seen
            if check_text(json.dumps(rehashed(changed))).valid
        }
        seen |= listed
    assert seen == BOUND_TO_NOTHING_HERE


def _of_no_row():
    """A certificate of a domain without a row, of which every tree obeys every rule."""
    document = json.loads(problems.one_rule().to_json())
    safety = document["safety"]
    safety["domain"][0]["ranges"] = []
    safety["n_leaves"] = 0
    safety["statements"][0] |= {
        "boxes": [], "leaves_satisfied": 0, "leaves_refuted": 0, "refuted": []
    }  # fmt: skip
    return document


def _of_no_value():
    """The same by a column that the tree does not read."""
    document = json.loads(problems.one_rule().to_json())
    axis = {"feature": "x", "kind": "number", "unit": None, "ranges": [], "missing": False}
    document["safety"]["domain"].append(axis)
    never = "are never missing: nothing is said of rows where a value is."
    document["notices"] = [f"In this domain 'age' and 'x' {never}"]
    return document


def _of_no_rule():
    document = json.loads(problems.one_rule().to_json())
    said = "On every row of the domain, the tree decides as 0 rules demand."
    document["safety"] |= {"statements": [], "statement": said}
    return document | {"statement": said, "rules": said}


@pytest.mark.parametrize(
    ("make", "failure"),
    [(_of_no_row, "no row"), (_of_no_value, "no row"), (_of_no_rule, "has no rules")],
)
def test_a_certificate_that_is_true_because_it_says_nothing_is_not_valid(make, failure):
    found = check_text(json.dumps(rehashed(make())))
    assert len(found.failures) == 1
    assert failure in found.failures[0]


def test_facts_that_exclude_each_other_are_no_proof():
    document = json.loads(problems.one_rule().to_json())
    for name, ranges in (("low", [[None, 20.0]]), ("high", [[30.0, None]])):
        compared = {"<=": 20.0} if name == "low" else {">": 30.0}
        condition = {"feature": "age", **compared}
        statement = {"if": {"not": condition}, "fact": condition, "id": name}
        box = {"feature": "age", "ranges": ranges, "missing": False}
        words = f"age {'<= 20.0' if name == 'low' else '> 30.0'}"
        document["safety"]["statements"].append(
            {
                "name": name,
                "text": f"not {words} => {words}  [id: {name}]",
                "statement": statement,
                "boxes": [[box]],
            }
        )
    found = check_text(json.dumps(rehashed(document)))
    assert "facts leave no row of the domain" in found.failures


def test_a_smaller_bound_of_one_pair_is_not_that_of_the_chosen_candidate():
    document = json.loads(problems.candidates("exact").to_json())
    fairness = document["fairness"]
    (chosen,) = (c for c in fairness["candidates"] if c["candidate"] == fairness["chosen"])
    bounds = sorted({pair["bound"] for pair in fairness["pairs"]})
    assert chosen["bound"] == bounds[-1]
    chosen["bound"] = bounds[0]
    found = check_text(json.dumps(rehashed(document)))
    assert any("may differ by more than its bound" in failure for failure in found.failures)
    chosen["bound"] = bounds[-1]
    assert check_text(json.dumps(rehashed(document))).valid


def test_a_file_of_another_encoding_is_told_in_a_line():
    (failure,) = check_text(problems.both().to_json().encode("utf-16")).failures
    assert failure == "the certificate is not UTF-8: invalid start byte at byte 0"
