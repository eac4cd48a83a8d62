"""A certificate checked: from its text alone, or with the data that it is of."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from arbitree.certificate.check.canonical import (
    data_inputs,
    digest,
    rules_inputs,
    seal_of,
    strict,
)
from arbitree.certificate.check.decisions import Decisions, read_tree
from arbitree.certificate.check.fairness import Fairness
from arbitree.certificate.check.report import CheckedCertificate, Report
from arbitree.certificate.check.safety import Safety
from arbitree.certificate.check.shape import Wrong, equal, fields

SCHEMA, SCHEMA_VERSION = "arbitree/certificate", 2
NO_RULES = "No rules were given: nothing is claimed about which decisions can occur."
INDEPENDENT = (
    "Holds for the population of which the calibration rows are a random sample, if they were "
    "used neither to fit nor to choose the rule."
)
CHOSEN = (
    "The rule was chosen among candidates on these rows. The limits of gap and p-rule allow for "
    "that; bounds of pairs do not, unless the procedure is bonferroni."
)
_PART = (dict, type(None))
_FIELDS: dict[str, Any] = {
    **dict.fromkeys(("schema", "statement", "rules", "seal"), str),
    "schema_version": int,
    **dict.fromkeys(("hashes", "versions"), dict),
    "notices": list,
    **dict.fromkeys(("fairness", "safety", "tree"), _PART),
}
_HASH = (str, type(None))


def check_certificate(
    path: str | os.PathLike[str], data: Any = None, *, second_opinion: str | None = None
) -> CheckedCertificate:
    """Whether a certificate is what it says, derived again without the engines that made it.

    Parameters
    ----------
    path : str or path
        Of the JSON that `Certificate.write` wrote.
    data : str, path, frame or dict of columns, optional
        The calibration rows, with their groups and labels: a CSV file, or columns. Digests and
        counts are held against them.
    second_opinion : {"z3"}, optional
        Ask z3 too whether any leaf breaks a rule (extra `rules`).

    Returns
    -------
    CheckedCertificate
        ``.valid``, ``.failures``, and what was derived again and what not.

    Raises
    ------
    OSError
        A file cannot be read.
    MissingDependencyError
        z3 is asked for and not installed.

    Examples
    --------
    >>> import tempfile
    >>> import arbitree as ar
    >>> tree = ar.TreeClassifier().fit({"age": [10, 40]}, ["deny", "approve"])
    >>> certificate = ar.certify(tree, rules="age < 18 => deny")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     certificate.write(f"{folder}/certificate.json")
    ...     check_certificate(f"{folder}/certificate.json").valid
    True
    """
    return check_text(Path(path).read_bytes(), data, second_opinion=second_opinion)


def check_text(
    text: bytes | str, data: Any = None, *, second_opinion: str | None = None
) -> CheckedCertificate:
    """As `check_certificate`, of the text of a certificate."""
    report = Report()
    found: dict[str, Any] = {}

    def read() -> None:
        plain = _decoded(text) if isinstance(text, bytes) else text
        found.update(fields(strict(plain), "the certificate", _FIELDS))

    if report.attempt("strict JSON with the fields of a certificate", read):
        _Check(found, report).run(data, second_opinion)
    return CheckedCertificate(
        failures=tuple(report.failures),
        rederived=tuple(report.rederived),
        not_rederived=tuple(report.underived),
    )


def _decoded(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:  # whose own message holds the whole file
        where = f"{error.reason} at byte {error.start:,}"
        raise Wrong(f"the certificate is not UTF-8: {where}") from error


class _Check:
    """One certificate, part by part."""

    def __init__(self, document: dict[str, Any], report: Report) -> None:
        self.document, self.report = document, report
        self.tree: Decisions | None = None
        self.safety: Safety | None = None
        self.fairness: Fairness | None = None

    def run(self, data: Any, second_opinion: str | None) -> None:
        """Everything; a part that cannot be read is not looked into further."""
        attempt, document = self.report.attempt, self.document
        attempt("schema", self._schema)
        attempt("seal", lambda: equal(document["seal"], seal_of(document), "the seal"))
        if document["tree"] is not None:
            attempt("shape of the tree", self._read_tree)
        if document["safety"] is not None:
            attempt("shape of the safety part", self._read_safety)
            if self.safety is not None:
                self.safety.check(self.report)
        if document["fairness"] is not None:
            attempt("shape of the fairness part", self._read_fairness)
            if self.fairness is not None:
                self.fairness.check(self.report)
                self._underived_of_data(data)
        if self.fairness is not None and self.tree is not None:
            attempt("columns that the tree reads", self._features)
        attempt("hashes", self._hashes)
        attempt("statement and notices", self._words)
        self.report.underived += ["versions, and notices other than the fixed ones"]
        if second_opinion is not None:
            self._second_opinion(second_opinion)
        if data is not None:
            self._with_data(data)

    def _schema(self) -> None:
        equal(self.document["schema"], SCHEMA, "schema")
        equal(self.document["schema_version"], SCHEMA_VERSION, "schema_version")
        if self.document["safety"] is None and self.document["fairness"] is None:
            raise Wrong("the certificate says nothing: it has neither safety nor fairness")
        for name, version in self.document["versions"].items():
            if not isinstance(version, str):
                raise Wrong(f"the version of {name} is no text")

    def _read_tree(self) -> None:
        self.tree = read_tree(self.document["tree"])

    def _read_safety(self) -> None:
        if self.tree is None:
            raise Wrong("there is no tree of which safety could be said")
        self.safety = Safety(self.document["safety"], self.tree)

    def _read_fairness(self) -> None:
        self.fairness = Fairness(self.document["fairness"])

    def _features(self) -> None:
        said = self.document["fairness"]["data"]
        assert self.tree is not None
        if said is not None:
            read = [str(name) for name in self.tree.read()]
            equal([one["name"] for one in said["features"]], read, "columns of features in data")

    def _hashes(self) -> None:
        document = self.document
        tree, safety, fairness = (document[part] for part in ("tree", "safety", "fairness"))
        names = ("model", "rules", "data", "notes")
        fields(document["hashes"], "hashes", dict.fromkeys(names, _HASH))
        derived = {
            "model": None if tree is None else digest(tree),
            "rules": None if safety is None else digest(rules_inputs(safety)),
            "data": None if fairness is None else digest(data_inputs(fairness)),
            "notes": digest([document["notices"], document["versions"]]),
        }
        for name in names:
            equal(document["hashes"][name], derived[name], f"hashes.{name}")

    def _words(self) -> None:
        document = self.document
        parts = [document[name] for name in ("safety", "fairness") if document[name] is not None]
        said = " ".join(part["statement"] for part in parts)
        equal(document["statement"], said, "statement")
        rules = NO_RULES if document["safety"] is None else document["safety"]["statement"]
        equal(document["rules"], rules, "rules")
        if not all(isinstance(notice, str) for notice in document["notices"]):
            raise Wrong("a notice is no text")
        fairness = document["fairness"]
        fixed = {
            INDEPENDENT: fairness is not None,
            CHOSEN: fairness is not None and bool(fairness["candidates"]),
        }
        if self.safety is not None:
            fixed.update(self.safety.notices())
        for notice, is_due in fixed.items():
            if document["notices"].count(notice) != is_due:
                raise Wrong(f"the notice {notice!r} is not there once, or not due")

    def _underived_of_data(self, data: Any) -> None:
        if data is None:
            self.report.underived += [
                "counts of groups and of candidates, accuracies, n, and digests of the data: "
                "bound to the calibration rows; pass the data",
                "that metric, method, confidence and limits are those that were wanted",
            ]

    def _second_opinion(self, name: str) -> None:
        if name != "z3":
            raise ValueError(f"There is no second opinion {name!r}. Pass 'z3'.")
        from arbitree.certificate.check.second_opinion import z3_opinion

        safety = self.safety
        if safety is not None:
            self.report.attempt("z3: no leaf breaks a rule", lambda: z3_opinion(safety))

    def _with_data(self, data: Any) -> None:
        from arbitree.certificate.check.table_file import column_texts
        from arbitree.certificate.check.with_data import check_data

        if self.fairness is None:
            self.report.attempt("columns of the data", lambda: column_texts(data))
            self.report.underived.append("nothing in this certificate is bound to data")
        else:
            check_data(self.fairness, self.tree, data, self.report)
