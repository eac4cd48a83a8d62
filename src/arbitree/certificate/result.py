"""What a certificate says: that a tree obeys rules, how unfair it can be, or both."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from arbitree._tables import Sectioned
from arbitree.certificate.check.canonical import (
    SEAL,
    data_inputs,
    digest,
    rules_inputs,
    seal_of,
)
from arbitree.certificate.document import document_text
from arbitree.certificate.fairness_part import FairnessPart
from arbitree.certificate.safety import SafetyPart
from arbitree.table.whole_file import write_whole

SCHEMA = "arbitree/certificate"
SCHEMA_VERSION = 2
NO_RULES = "No rules were given: nothing is claimed about which decisions can occur."


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Certificate(Sectioned):
    """What was proved of a tree, and what is sure of its gap; at least one of the two.

    All attributes of `FairnessPart` can be read from a certificate that has one: `bound`, `holds`,
    `by_group`, ...

    Attributes
    ----------
    safety : SafetyPart or None
        Rules that the tree obeys on every row of a domain.
    fairness : FairnessPart or None
        A confidence bound on the gap between groups of a population.
    tree : dict or None
        What the tree decides, as plain values; None where decisions were given, or the model is
        none of ours.
    notices : tuple of str
        What a reader must know.
    """

    safety: SafetyPart | None
    fairness: FairnessPart | None
    tree: dict[str, Any] | None
    notices: tuple[str, ...] = ()
    versions: dict[str, str] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in FairnessPart.__dataclass_fields__:
            raise AttributeError(f"a certificate has no {name!r}")
        if self.fairness is None:
            raise AttributeError(
                f"This certificate says nothing of fairness, so it has no {name!r}. Pass "
                "sensitive_features to certify."
            )
        return getattr(self.fairness, name)

    @property
    def statement(self) -> str:
        """The claims, a sentence each."""
        return " ".join(part.statement for part in (self.safety, self.fairness) if part)

    @property
    def rules(self) -> str:
        """What is claimed about rules."""
        return NO_RULES if self.safety is None else self.safety.statement

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values, sealed: NaN and infinity become None."""
        safety = None if self.safety is None else self.safety.to_dict()
        fairness = None if self.fairness is None else self.fairness.to_dict()
        found: dict[str, Any] = {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            "statement": self.statement,
            "rules": self.rules,
            "hashes": {
                "model": None if self.tree is None else digest(self.tree),
                "rules": None if safety is None else digest(rules_inputs(safety)),
                "data": None if fairness is None else digest(data_inputs(fairness)),
                "notes": digest([list(self.notices), self.versions]),
            },
            "notices": list(self.notices),
            "versions": self.versions,
            "fairness": fairness,
            "safety": safety,
            "tree": self.tree,
        }
        return {**found, SEAL: seal_of(found)}

    def to_json(self) -> str:
        """Strict JSON, the same bytes for the same certificate; a line a node and a rule's part."""
        return document_text(self.to_dict())

    def write(self, path: str | PathLike[str]) -> None:
        """Write the certificate as JSON: beside its place, then moved there, so never in part.

        Raises
        ------
        OSError
            The file cannot be written; nothing is left of it.
        """
        write_whole(self.to_json().encode("ascii"), Path(path))

    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        found = []
        if self.safety is not None:
            found.append((self.safety.statement, self.safety.by_rule))
        return found + ([] if self.fairness is None else self.fairness._sections())

    def _notes(self) -> tuple[str, ...]:
        return self.notices

    def __repr__(self) -> str:
        parts = []
        if self.safety is not None:
            rules = self.safety.by_rule[["rule", "text", "satisfied", "refuted", "refuted_by"]]
            parts.append(f"{self.safety.statement}\n\n{rules.to_string(index=False, max_rows=20)}")
        if self.fairness is not None:
            parts.append(repr(self.fairness))
        return "\n\n".join([*parts, *self.notices])
