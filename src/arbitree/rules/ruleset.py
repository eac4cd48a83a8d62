"""What a team knows, as one object: rules, facts, and what is declared of features and classes."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arbitree._errors import InputError, RuleError
from arbitree._tables import IN_A_NOTEBOOK, html_sections, json_text
from arbitree._wording import listed, nearest
from arbitree.rules.bind import bind, classes_of, features_of
from arbitree.rules.bound import BoundRules
from arbitree.rules.check import RuleCheck, check
from arbitree.rules.contradiction import refuse_contradiction
from arbitree.rules.coverage import RuleCoverage, coverage
from arbitree.rules.nesting import refuse_brackets
from arbitree.rules.parse import parse
from arbitree.rules.plain import statement_from_dict, statement_to_dict
from arbitree.rules.rule_table import rule_counts_text, rule_table
from arbitree.rules.schema import Schema
from arbitree.rules.statements import MISSING_POLICIES, Fact, MissingPolicy, Rule, Statement
from arbitree.rules.text import schema_text, statement_text
from arbitree.rules.yaml_text import read_yaml, write_yaml
from arbitree.table.text_file import read_text

FORMAT = "arbitree-rules"
VERSION = 1


@dataclass(frozen=True, slots=True, repr=False)
class Rules:
    """Known cases: rules about decisions, facts about rows. No two have the same id.

    Parameters
    ----------
    statements : sequence of Rule and Fact
    schema : Schema
        What is declared of features and classes.
    missing : {"possible", "certain"}
        When a rule that does not say so itself holds of a row with missing values: if they could
        be such that its antecedent is true, or only if it is true whatever they are.

    Examples
    --------
    >>> rules = Rules.parse('''
    ...     gill-color = green and cap-shape = bell => poisonous   # field guide
    ...     gill-color = green => cap-color = pink
    ... ''')
    >>> len(rules.rules), len(rules.facts)
    (1, 1)
    >>> Rules.parse(rules.to_text()) == rules
    True
    """

    statements: tuple[Statement, ...]
    schema: Schema = field(default_factory=Schema)
    missing: MissingPolicy = "possible"

    def __post_init__(self) -> None:
        given = self.statements
        if isinstance(given, Rule | Fact):
            given = (given,)
        if not all(isinstance(statement, Rule | Fact) for statement in given):
            raise InputError("Rules holds Rule and Fact objects. For text call Rules.parse(text).")
        object.__setattr__(self, "statements", tuple(given))
        if self.missing not in MISSING_POLICIES:
            raise InputError(f"missing={self.missing!r} is none of {listed(MISSING_POLICIES)}.")
        _refuse_same_ids(self.statements)

    @staticmethod
    def parse(text: str, *, missing: MissingPolicy = "possible") -> Rules:
        """Rules from a text, one statement a line.

        Parameters
        ----------
        text : str
            The language is described in docs/rules.md.
        missing : {"possible", "certain"}
            As of `Rules`.

        Raises
        ------
        RuleError
            Says at which line and column the text cannot be read, and what could be meant.
        MissingDependencyError
            If lark is not installed.

        Examples
        --------
        >>> Rules.parse("odor = foul => edibel or poisonous -> x")
        Traceback (most recent call last):
        arbitree._errors.RuleError: Line 1, column 36: '->' is not expected here. ...
        """
        if not isinstance(text, str):
            raise InputError(f"The rules are {text!r}. Pass a text, or Rule and Fact objects.")
        statements, schema = parse(text)
        return Rules(statements, schema, missing)

    @staticmethod
    def read(path: str | os.PathLike[str], *, missing: MissingPolicy = "possible") -> Rules:
        """Rules from a file: YAML or JSON by its name (.yaml, .yml, .json), else text.

        Raises
        ------
        InputError, RuleError
            If the file cannot be read; names it.
        """
        text, name = read_text(path), os.fspath(path)
        try:
            if name.endswith((".yaml", ".yml")):
                return Rules.from_dict(read_yaml(text), missing=missing)
            if name.endswith(".json"):
                return Rules.from_json(text, missing=missing)
            return Rules.parse(text, missing=missing)
        except RuleError as error:
            raise RuleError(f"{name}: {error}") from error

    @staticmethod
    def from_json(text: str, *, missing: MissingPolicy = "possible") -> Rules:
        """Rules from JSON, as `to_json` writes them."""
        refuse_brackets(text)
        try:
            data = json.loads(text, object_pairs_hook=_without_repeats)
        except ValueError as error:
            raise RuleError(f"This is no JSON: {error}.") from error
        return Rules.from_dict(data, missing=missing)

    @staticmethod
    def from_yaml(text: str, *, missing: MissingPolicy = "possible") -> Rules:
        """Rules from YAML, as `to_yaml` writes them."""
        return Rules.from_dict(read_yaml(text), missing=missing)

    @staticmethod
    def from_dict(data: Any, *, missing: MissingPolicy = "possible") -> Rules:
        """Rules from plain values: a list of statements, or what `to_dict` gives.

        Raises
        ------
        RuleError
            Says which statement is wrong.

        Examples
        --------
        >>> rules = Rules.from_dict([{"if": "age < 18", "allow": "deny", "reason": "the law"}])
        >>> rules.rules[0].reason
        'the law'
        """
        if isinstance(data, Sequence) and not isinstance(data, str):
            data = {"rules": data}
        _check_top(data)
        found = [_at(place, entry) for place, entry in enumerate(data["rules"])]
        try:
            schema = Schema.of(data.get("features") or {}, data.get("classes") or ())
        except InputError as error:
            raise RuleError(str(error)) from error
        return Rules(tuple(found), schema, data.get("missing", missing))

    @property
    def rules(self) -> tuple[Rule, ...]:
        """What is known of decisions."""
        return tuple(s for s in self.statements if isinstance(s, Rule))

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What is known of rows."""
        return tuple(s for s in self.statements if isinstance(s, Fact))

    def bind(self, domain: Any = None, *, classes: Any = None) -> BoundRules:
        """The rules in normal form over features and classes.

        Parameters
        ----------
        domain : frame, array, dictionary of columns, sequence of Feature, Schema or None
            Where features come from, apart from what the rules declare. Features of data may
            have any number, and levels that the data does not have, unless that is declared.
        classes : array or list, optional
            Labels, such as those of the training data. By default those that are declared, else
            those that rules name.

        Raises
        ------
        RuleError
            If a rule names a feature, level or class that is not there; says where, and the
            nearest one that is.
        """
        features, declared = features_of(domain)
        schema = self.schema.joined(declared)
        return bind(
            self.statements,
            schema=schema,
            missing=self.missing,
            features=features,
            classes=classes_of(classes),
        )

    def check(self, domain: Any = None, *, classes: Any = None) -> RuleCheck:
        """Hold the rules against each other, over a domain as in `bind`: see `RuleCheck`.

        Raises
        ------
        RuleError
            If the rules do not fit the domain.

        Examples
        --------
        >>> rules = Rules.parse("feature age: number\\nage < 18 => a\\nage >= 17 => b")
        >>> found = rules.check()
        >>> found.consistent, found.contradiction.row
        (False, {'age': 17})
        """
        bound = self.bind(domain, classes=classes)
        if len(bound.classes) == 1:  # a model has others, else every rule would be kept by it
            bound = self.bind(domain, classes=[*bound.classes, "(another)"])
        return check(bound)

    def coverage(self, X: Any, y: Any) -> RuleCoverage:
        """What labelled rows say of the rules: see `RuleCoverage`.

        Parameters
        ----------
        X : frame, array or dictionary of columns
        y : array or list, shape (n_rows,)

        Raises
        ------
        RuleError
            If the rules do not fit the data.
        ContradictionError
            If the rules contradict each other.

        Examples
        --------
        >>> rules = Rules.parse("age < 18 => deny  [id: minors]")
        >>> found = rules.coverage({"age": [17, 40, 12]}, ["deny", "approve", "approve"])
        >>> found.by_rule[["rule", "n_matching", "n_overruled", "status"]].values.tolist()
        [['minors', 2, 1, 'exercised']]
        >>> found.contradicting.values.tolist()
        [[2, 'approve', 'minors']]
        """
        bound = self.bind(X, classes=y)
        refuse_contradiction(bound)
        return coverage(bound, X, y)

    def __len__(self) -> int:
        return len(self.statements)

    def __iter__(self) -> Iterator[Statement]:
        return iter(self.statements)

    def __repr__(self) -> str:
        said = "" if self.missing == "possible" else f", missing={self.missing!r}"
        return f"Rules.parse({self.to_text()!r}{said})"

    def _repr_html_(self) -> str:
        notes = schema_text(self.schema)
        if self.missing != "possible":
            notes = [*notes, f"where values are missing, rules hold as {self.missing!r} says"]
        section = (rule_counts_text(self.statements), rule_table(self.statements))
        return html_sections([section], notes, IN_A_NOTEBOOK)

    def to_text(self) -> str:
        """The rules in their language; `parse` reads them back, with the same `missing`."""
        lines = [*schema_text(self.schema), *map(statement_text, self.statements)]
        return "".join(f"{line}\n" for line in lines)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values."""
        found: dict[str, Any] = {"format": FORMAT, "version": VERSION, "missing": self.missing}
        if self.schema.features:
            found["features"] = self.schema.to_dict()
        if self.schema.classes:
            found["classes"] = list(self.schema.classes)
        return {**found, "rules": [statement_to_dict(s) for s in self.statements]}

    def to_json(self) -> str:
        """Strict JSON, the same bytes for the same rules."""
        return json_text(self.to_dict())

    def to_yaml(self) -> str:
        """YAML."""
        return write_yaml(self.to_dict())


def _refuse_same_ids(statements: Sequence[Statement]) -> None:
    times = Counter(s.id for s in statements if s.id is not None)
    for name, n in times.items():
        if n > 1:
            raise RuleError(f"The id {name!r} names {n} statements. Give each its own.")


def _check_top(data: Any) -> None:
    if not isinstance(data, Mapping) or not isinstance(data.get("rules"), Sequence):
        raise RuleError("These are no rules: give a list of statements, or a mapping with 'rules'.")
    known = ("format", "version", "missing", "features", "classes", "rules")
    for key in data:
        if key not in known:
            raise RuleError(f"{key!r} is no part of rules. {nearest(key, known)}")
    if data.get("format", FORMAT) != FORMAT or data.get("version", VERSION) != VERSION:
        raise RuleError(
            f"These are {data.get('format')!r} of version {data.get('version')!r}, and "
            f"{FORMAT!r} of version {VERSION} can be read."
        )
    if not isinstance(data.get("features") or {}, Mapping):
        raise RuleError("features is no mapping of names to types.")


def _at(place: int, entry: Any) -> Statement:
    try:
        return statement_from_dict(entry)
    except RuleError as error:
        raise RuleError(f"Statement {place + 1}: {error}") from error


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; the first of two `rules` would be lost without a word."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} is there twice")
    return found
