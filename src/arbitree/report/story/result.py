"""The whole story of one file: what every layout of a report is made of."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from ..._tables import json_text, plain
from ...certificate.result import Certificate
from ...groups.result import Audit
from ...influence.result import Influence
from ...rules.check import RuleCheck
from ...rules.ruleset import Rules
from ...rules.verification import Verification
from ...tree.frontier_result import Frontier
from ...tree.learned import Learned
from .settings import Settings

SCHEMA = "arbitree/report"
SCHEMA_VERSION = 1

#: Sections in the order in which they are told; keys of `Story.sentences`.
SECTIONS = {
    "data": "Data",
    "audit": "How groups are treated",
    "influence": "What carries the gap",
    "frontier": "Accuracy against fairness",
    "tree": "A fairer tree",
    "rules": "Rules",
    "certificate": "Certificate",
    "untested": "What was not tested",
    "provenance": "How to make these numbers again",
}

NOT_LEGAL_ADVICE = "Measurements are not legal advice, and no threshold here is a law."


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """What the numbers are of. `n_rows` rows were used of the `n_read` that the file has."""

    name: str
    sha256: str | None
    n_read: int
    n_rows: int
    where: str | None
    sensitive: tuple[str, ...]
    control: tuple[str, ...]
    decision: str | None
    label: str | None
    weighted: bool
    features: tuple[str, ...]
    left_out: tuple[str, ...]
    favorable: str | None
    label_favorable: str | None
    audits_labels: bool  # labels are audited, for want of decisions
    notices: tuple[str, ...] = ()
    source: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChosenTree:
    """The tree, how it was chosen, and what it does on rows that chose nothing.

    `learned.training` and `learned.splits` are of training rows, `learned.held_out` and `audit` of
    the same test rows.
    """

    learned: Learned
    budget: float | None
    how: str  # a sentence on the choice
    audit: Audit
    n_calibration: int
    pooled: tuple[str, ...] = ()  # small groups that its gap takes as one; the audit does not
    n_left_aside: int = 0  # features of which the tree was offered none


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RulesFound:
    """Rules against each other, and models against them. Counterexamples are made, not drawn.

    `verified` is None where there is no tree, or the rules contradict each other.
    """

    rules: Rules
    check: RuleCheck
    verified: Verification | None
    learnt_under: bool  # whether the tree was grown under these rules
    of_model: Verification | None = None  # of a model that was given


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One verdict: `status` is "passed", "failed" or "undecided"."""

    section: str
    name: str
    status: str
    sentence: str
    details: tuple[str, ...] = ()
    gate: bool = False  # whether it was asked for, so that the exit status says it

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {name: getattr(self, name) for name in Finding.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Story:
    """Audit, influences, fairer trees, rules and certificate of one file.

    A part that is None or empty has its reason in `absent` (the input does not allow it) or in
    `failed` (it does, and an error says what went wrong); never in both. It holds no row of the
    data. The same file, settings and versions give the same story.

    Attributes
    ----------
    sentences : dict of str
        One plain sentence for each section of `SECTIONS`.
    verdicts : tuple of Finding
        What passed, failed or could not be decided.
    untested : tuple of str
        What a reader may believe was tested, and was not.
    cautions : tuple of str
        Features that a tree and an explanation should perhaps not have: those that give the
        outcome or a group away, and sensitive ones that were not named.
    command : str
        What to type to make the numbers again.
    date : str or None
        Only where it was asked for: without it two runs give the same bytes.
    """

    title: str
    data: Data
    settings: Settings
    audit: Audit | None
    influences: tuple[Influence, ...]
    frontier: Frontier | None
    tree: ChosenTree | None
    rules: RulesFound | None
    certificate: Certificate | None
    sentences: dict[str, str]
    absent: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    verdicts: tuple[Finding, ...] = ()
    untested: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    versions: dict[str, str] = field(default_factory=dict)
    command: str = ""
    date: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values: NaN and infinity become None."""
        found = {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            "title": self.title,
            "date": self.date,
            "note": NOT_LEGAL_ADVICE,
            "data": _fields(self.data),
            "settings": self.settings.to_dict(),
            "sentences": self.sentences,
            "absent": self.absent,
            "failed": self.failed,
            "verdicts": [one.to_dict() for one in self.verdicts],
            "untested": list(self.untested),
            "cautions": list(self.cautions),
            "versions": self.versions,
            "command": self.command,
        }
        return {
            **plain(found),
            "audit": None if self.audit is None else self.audit.to_dict(),
            "influences": [one.to_dict() for one in self.influences],
            "frontier": None if self.frontier is None else self.frontier.to_dict(),
            "tree": None if self.tree is None else _tree(self.tree),
            "rules": None if self.rules is None else _rules(self.rules),
            "certificate": None if self.certificate is None else self.certificate.to_dict(),
        }

    def to_json(self) -> str:
        """Strict JSON, the same bytes for the same story."""
        return json_text(self.to_dict())


def _fields(data: Data) -> dict[str, Any]:
    return {name: getattr(data, name) for name in Data.__slots__}


def _tree(tree: ChosenTree) -> dict[str, Any]:
    return {
        "how": tree.how,
        "budget": tree.budget,
        "n_calibration": tree.n_calibration,
        "pooled": list(tree.pooled),
        "n_left_aside": tree.n_left_aside,
        "learned": tree.learned.to_dict(),
        "audit": tree.audit.to_dict(),
    }


def _rules(found: RulesFound) -> dict[str, Any]:
    verified = found.verified
    return {
        "text": found.rules.to_text(),
        "rules": json.loads(found.rules.to_json()),
        "check": found.check.to_dict(),
        "verification": None if verified is None else verified.to_dict(),
        "model_verification": None if found.of_model is None else found.of_model.to_dict(),
        "learnt_under": found.learnt_under,
    }
