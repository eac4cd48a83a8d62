"""Who changes a certificate is found out: by the seal, by what is derived again, by the data."""

from __future__ import annotations

import json

import pytest

from arbitree.certificate.check.run import check_text

from . import problems
from .tampering import changes, duplicated, pattern, rehashed, resealed

KINDS = {
    "safety": problems.safety,
    "both": problems.both,
    "candidates": problems.candidates,
}
# What a certificate is of. Whoever changes it, with hashes and seal, has a certificate of another
# tree, of other rows, or a worse one; what it says is still derived.
OF_ANOTHER_TREE = {
    "tree.classes.*",
    "tree.features",
    "tree.features.*",
    "tree.features.*.name",
    "tree.nodes.*.threshold",
    "tree.nodes.*.missing",
    "tree.nodes.*.levels.*",
    "tree.nodes.*.levels.*.*",
}
OF_OTHER_ROWS = {
    "safety.domain",
    "safety.domain.*",
    "safety.domain.*.kind",
    "safety.domain.*.levels",
    "safety.domain.*.levels.*",
    "safety.domain.*.ordered",
    "safety.domain.*.other",
    "safety.domain.*.missing",
    "safety.domain.*.ranges.*",
    "safety.domain.*.ranges.*.*",
}
ASKED = {"fairness.max_gap", "fairness.min_p_rule"}
NOTES = {"notices", "notices.*", "versions", "versions.python", "versions.arbitree"}
NOTES |= {"versions.numpy", "versions.scipy"}
OF_DATA = {
    "fairness.data",
    "fairness.n",
    "fairness.favorable",
    "fairness.label_favorable",
    "fairness.constant",
    "fairness.sensitive_features",
    "fairness.sensitive_features.*",
    "fairness.candidates.*.accuracy",
    "fairness.candidates.*.candidate",
}


def _certificate(kind):
    return json.loads(KINDS[kind]().to_json())


@pytest.mark.parametrize("kind", KINDS)
def test_a_certificate_as_it_was_made_is_valid(kind):
    found = check_text(KINDS[kind]().to_json())
    assert found.valid, found.failures


@pytest.mark.parametrize("kind", KINDS)
def test_every_change_of_a_field_is_rejected(kind):
    document = _certificate(kind)
    passed = [
        (pattern(path), what)
        for path, what, changed in changes(document)
        if check_text(json.dumps(changed)).valid
    ]
    assert not passed


@pytest.mark.parametrize("kind", KINDS)
def test_every_change_of_a_field_is_rejected_though_the_seal_is_made_again(kind):
    document = _certificate(kind)
    passed = [
        (pattern(path), what)
        for path, what, changed in changes(document)
        if path != ("seal",) and check_text(json.dumps(resealed(changed))).valid
    ]
    assert not passed


@pytest.mark.parametrize("kind", KINDS)
def test_with_hashes_made_again_only_what_a_certificate_is_of_can_be_changed(kind):
    document = _certificate(kind)
    passed = set()
    for path, _, changed in changes(document):
        if path[0] in ("seal", "hashes"):
            continue
        if check_text(json.dumps(rehashed(changed))).valid:
            passed.add(pattern(path))
    of_data = {name for name in passed if name.startswith("fairness.data.")}
    assert passed - of_data <= OF_ANOTHER_TREE | OF_OTHER_ROWS | ASKED | NOTES | OF_DATA


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
