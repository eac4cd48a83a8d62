"""What only the calibration rows can show: digests, and counts of the tree run on them again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arbitree.certificate.check.canonical import cell_text, strict
from arbitree.certificate.check.decisions import Decisions
from arbitree.certificate.check.fairness import CLOSE, Fairness
from arbitree.certificate.check.report import Report
from arbitree.certificate.check.shape import Unable, Wrong, equal
from arbitree.certificate.check.table_file import column_texts, digests
from arbitree.certificate.check.values import float32

CROSSED = " x "
_RATES = {  # label, decision -> whether a row counts, whether it is a hit
    "selection_rate": (lambda y, d: True, lambda y, d: d),
    "true_positive_rate": (lambda y, d: y is True, lambda y, d: d),
    "false_positive_rate": (lambda y, d: y is False, lambda y, d: d),
    "positive_predictive_value": (lambda y, d: d and y is not None, lambda y, d: bool(y)),
    "accuracy": (lambda y, d: y is not None, lambda y, d: y == d),
}


def check_data(fairness: Fairness, tree: Decisions | None, data: Any, report: Report) -> None:
    """Hold the fairness part against its rows; what differs goes into the report."""
    rows: list[_Rows] = []
    if report.attempt(
        "columns of the data", lambda: rows.append(_Rows(fairness, tree, column_texts(data)))
    ):
        report.attempt("digests of the data", rows[0].check_digests)
        report.attempt("counts of groups, from the tree run on the data", rows[0].check_counts)
    if len(fairness.candidates) > 1:
        report.underived.append("counts and accuracies of candidates that were not chosen")
    report.underived += ["the words in which fairness says what is favourable"]


class _Rows:
    """Calibration rows as texts, and what is decided of them."""

    def __init__(
        self, fairness: Fairness, tree: Decisions | None, columns: Mapping[str, list[str]]
    ) -> None:
        self.fairness, self.columns = fairness, columns
        said = fairness.data["data"]
        if not isinstance(said, dict) or not isinstance(said.get("favorable"), dict):
            raise Unable("the certificate does not say which columns it is of")
        self.said = said
        named = [*said.get("sensitive", []), *said.get("features", []), *said.get("control", [])]
        named += [said[role] for role in ("label", "decisions") if role in said]
        self.names = [str(one["name"]) for one in named]
        digests(columns, self.names)
        self.n = len(columns[self.names[0]])
        self.tree, self.labels = tree, self._labels()
        self.decided: list[bool] = []

    def check_digests(self) -> None:
        """Every column holds what was counted."""
        for role in ("features", "sensitive", "control"):
            if role in self.said:
                names = [str(one["name"]) for one in self.said[role]]
                again = digests(self.columns, names)
                for said, derived in zip(self.said[role], again):
                    equal(said, derived, f"digest of column {derived['name']!r}")
        for role in ("label", "decisions"):
            if role in self.said:
                again = digests(self.columns, [str(self.said[role]["name"])])
                equal(self.said[role], again[0], f"digest of the column of {role}")

    def check_counts(self) -> None:
        """Counts of each group, rows in all, constant decisions, accuracy of the chosen one."""
        data, self.decided = self.fairness.data, self._decided(self.tree)
        equal(data["n"], self.n, "fairness.n")
        names = [str(one["name"]) for one in self.said["sensitive"]]
        equal(data["sensitive_features"], names, "fairness.sensitive_features")
        for family in self.fairness.families:
            counted = self._counted(family.grouping, family.condition)
            said = {group.lower(): count for group, count in zip(family.groups, family.counts)}
            if counted != said:
                wrong = next(g for g in [*said, *counted] if said.get(g) != counted.get(g))
                raise Wrong(
                    f"{family.condition} of {wrong!r}: the certificate counts {said.get(wrong)}, "
                    f"and the data {counted.get(wrong)}"
                )
        decisions = set(self.decided)
        constant = {frozenset([True]): "favourable", frozenset([False]): "unfavourable"}
        equal(data["constant"], constant.get(frozenset(decisions)), "fairness.constant")
        for one in self.fairness.candidates:
            if one["candidate"] == data["chosen"]:
                self._check_accuracy(one["accuracy"])

    def _check_accuracy(self, said: float | None) -> None:
        known = [(y, d) for y, d in zip(self.labels, self.decided) if y is not None]
        right = sum(y == d for y, d in known) / len(known) if known else None
        if (said is None) != (right is None) or (
            said is not None and right is not None and abs(said - right) > CLOSE
        ):
            raise Wrong(f"the chosen candidate has the accuracy {right}, not {said}")

    def _counted(self, grouping: str, condition: str) -> dict[str, tuple[int, int]]:
        rate, _, where = condition.partition(", ")
        names = [str(one["name"]) for one in self.said["sensitive"]]
        names = names if grouping == CROSSED.join(names) else [grouping]
        digests(self.columns, names)
        counts, hit = _RATES[rate]
        found: dict[str, list[int]] = {}
        within = self._where()
        for row, (y, d) in enumerate(zip(self.labels, self.decided)):
            parts = [self.columns[name][row] for name in names]
            if "" in parts:
                if self.said.get("missing") == "error":
                    raise Wrong(f"row {row} has a missing group, of which nothing was said")
                if self.said.get("missing") == "drop":
                    continue
                parts = [part or "(missing)" for part in parts]
            if within[row].lower() != where.lower():
                continue
            count = found.setdefault(CROSSED.join(parts).lower(), [0, 0])
            if counts(y, d):
                count[0] += bool(hit(y, d))
                count[1] += 1
        return {group: (k, n) for group, (k, n) in found.items()}

    def _where(self) -> list[str]:
        control = [str(one["name"]) for one in self.said.get("control", [])]
        return [
            ", ".join(f"{name}={self.columns[name][row] or '(missing)'}" for name in control)
            for row in range(self.n)
        ]

    def _decided(self, tree: Decisions | None) -> list[bool]:
        favorable = self.said["favorable"]["decisions"]
        if "decisions" in self.said:
            texts = self.columns[str(self.said["decisions"]["name"])]
        elif tree is not None:
            texts = list(_run(tree, self.columns, self.n))
        else:
            raise Unable("the model is not in the certificate")
        return [text in favorable for text in texts]

    def _labels(self) -> list[bool | None]:
        favorable = self.said["favorable"].get("label")
        if "label" not in self.said or favorable is None:
            return [None] * self.n
        texts = self.columns[str(self.said["label"]["name"])]
        return [None if text == "" else text in favorable for text in texts]


def _run(tree: Decisions, columns: Mapping[str, list[str]], n: int) -> Iterator[str]:
    """What the tree decides of each row, as text."""
    read = sorted({node.feature for node in tree.nodes if node.feature})
    names = {key: _column(key, columns) for key in read}
    for key in read:
        if tree.kinds[key] in ("date", "duration"):
            raise Unable(f"the tree reads {key} as {tree.kinds[key]}, which is not run here")
    texts = [cell_text(label) for label in tree.classes]
    children = [
        {cell_text(strict(level)): child for child, some in zip(node.children, node.levels)
         for level in some}
        for node in tree.nodes
    ]  # fmt: skip
    known: dict[tuple[str, ...], str] = {}
    for row in range(n):
        cells = tuple(columns[names[key]][row] for key in read)
        if cells not in known:
            known[cells] = texts[_leaf(tree, children, dict(zip(read, cells)))]
        yield known[cells]


def _leaf(tree: Decisions, children: list[dict[str, int]], cells: dict[str, str]) -> int:
    at = 0
    while (label := tree.nodes[at].label) is None:
        node = tree.nodes[at]
        cell = cells[node.feature]
        if cell == "":
            at = node.missing
        elif node.threshold is None:
            at = children[at].get(cell, node.missing)
        else:
            at = node.children[_number(cell, node.feature) > node.threshold]
    return label


def _number(cell: str, feature: str) -> float:
    try:
        return float32(
            {"true": 1.0, "false": 0.0}[cell] if cell in ("true", "false") else float(cell)
        )
    except ValueError as error:
        raise Wrong(f"the tree reads {feature} as a number, and the data has {cell!r}") from error


def _column(key: str, columns: Mapping[str, list[str]]) -> str:
    name = strict(key)
    text = name if isinstance(name, str) else str(name)
    if text not in columns:
        raise Wrong(f"the data has no column {text!r}, which the tree reads")
    return text
