"""``arbitree verify``: does a model obey rules on every row there can be?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._errors import InputError
from .._wording import counted, listed
from . import options as opt
from . import rule_options as ask
from .grouped import grouped
from .model_options import Opened
from .output import Format, Output, check_place
from .reading import Source, table_of
from .words import Words, told_warnings

if TYPE_CHECKING:
    from ..model.tree import Feature
    from ..rules.ruleset import Rules
    from ..rules.verification import Verdict, Verification

_STATUS = {"holds": 0, "violated": 1, "undecided": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which rules, and for how long."""

    rules: ask.RulesFile = None
    rule: ask.OneRule = None
    timeout: ask.Timeout = 60.0
    seed: opt.Seed = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How the answer is written."""

    counterexample: ask.CounterexampleFile = Path("counterexample.csv")
    as_json: opt.AsJson = False
    quiet: opt.Quiet = False


@grouped
def verify(
    model: ask.Model,
    asked: Asked,
    opened: Opened,
    answer: Answer,
    source: Source,
    data: ask.DomainFile = None,
) -> int:
    """Prove that a model obeys rules on every row there can be, or show a row that breaks one.

    Numbers are compared as the model compares them. Without --data every value may be missing,
    but of features that the rules declare never to be.

    Exit status: 0 it holds, 1 it is violated, 2 a usage or input error, 3 it is not decided.
    """
    from ..rules.verify import verify as held_against

    words = Words(quiet=answer.quiet)
    rules = ask.rules_of(asked.rules, asked.rule)
    for reads in (str(model), *([data] if data else [])):
        check_place(answer.counterexample, reads=reads)
    if not asked.timeout > 0:
        raise InputError(f"--timeout is {asked.timeout:g}. Give a number of seconds.")
    read = opened.file(model).provable()
    subject = _subject(read, whole=data is None)
    with told_warnings(words):
        domain = None if data is None else _domain(data, subject, source, words)
        found = held_against(
            subject, rules, domain=domain, timeout=asked.timeout, random_state=asked.seed
        )
    row = found.counterexample
    if row is not None:
        from .._tables import csv_table

        Output(format=Format.CSV, path=answer.counterexample).write(csv_table(row))
    target = Output(format=Format.JSON if answer.as_json else Format.TEXT)
    target.write(found.to_json() if answer.as_json else _text(found, rules, subject, answer))
    return _STATUS[found.status]


def _subject(model: Any, *, whole: bool) -> Any:
    """What is verified; of a tree that decides missing values wherever they are, all of that."""
    from ..rules.sklearn_as_tree import decides_all
    from ..tree.estimator import TreeClassifier

    if isinstance(model, TreeClassifier) and whole and model.domain_ is None:
        return decides_all(model.tree_)
    return model


def _domain(file: str, model: Any, source: Source, words: Words) -> list[Feature]:
    """The features of a model as the rows of a file have them."""
    from ..model.tree import Feature

    tree = getattr(model, "tree_", model)
    features = getattr(tree, "features", None)
    names = _columns(model) if features is None else [f.name for f in features]
    table = table_of(file, {"features": names, **source.arguments()}, words)
    return [Feature(name=column.name, coding=column.coding) for column in table.features]


def _columns(model: Any) -> list[Any]:
    """The columns that a model of another library reads."""
    from ..rules.estimators import read_estimator
    from ..rules.sklearn_trees import feature_names

    if type(model).__module__.partition(".")[0] in ("xgboost", "lightgbm"):
        return list(read_estimator(model).names)
    return feature_names(model)


def _text(found: Verification, rules: Rules, model: Any, answer: Answer) -> str:
    lines = [_headline(found, rules, model, answer)]
    if len(found.verdicts) > 1:
        lines += [f"  {v.status.upper():<9}  {v.rule}: {v.text}" for v in found.verdicts]
    row = found.counterexample
    if row is not None:
        verdict = _worst(found)
        lines += ["", f"rule      {verdict.text}", f"decided   {verdict.decision}"]
        lines += ["", row.astype(object).where(row.notna(), "(missing)").to_string(index=False)]
    lines += [f"note: {notice}" for notice in found.notices]
    return "\n".join(lines) + "\n"


def _headline(found: Verification, rules: Rules, model: Any, answer: Answer) -> str:
    if found.status == "holds":
        return f"HOLDS  ({', '.join(_facts(found, model))})"
    if found.status == "violated":
        where = _case(_worst(found), rules)
        return f"VIOLATED for {where}: row written to {answer.counterexample}"
    margin = max((v.margin or 0.0) for v in found.verdicts)
    return (
        f"UNDECIDED after the time limit: a forbidden class may still be ahead by {margin:.3g}. "
        "A larger --timeout may tell."
    )


def _worst(found: Verification) -> Verdict:
    return next(verdict for verdict in found.verdicts if verdict.status == "violated")


def _facts(found: Verification, model: Any) -> list[str]:
    """What a proof is about."""
    tree = getattr(model, "tree_", model)
    n_leaves = getattr(tree, "n_leaves", None)
    trees = getattr(model, "estimators_", None)
    said = [counted(int(n_leaves), "leaf").replace("leafs", "leaves")] if n_leaves else []
    if trees is not None:
        said.append(counted(len(trees), "tree"))
    if n_leaves or type(model).__module__.startswith("sklearn"):
        said.append("float32 comparisons")
    return [*said, "missing values covered" if not found.notices else "see the note on missing"]


def _case(verdict: Verdict, rules: Rules) -> str:
    """The counterexample, by the features that the rule asks for.

    >>> import pandas as pd
    >>> from types import SimpleNamespace
    >>> from arbitree.rules.ruleset import Rules
    >>> row = pd.DataFrame({"age": [None], "job": ["clerk"]})
    >>> verdict = SimpleNamespace(rule="line 1", counterexample=row)
    >>> _case(verdict, Rules.parse("age < 18 and job = clerk => no"))
    'a missing age and job = clerk'
    """
    import pandas as pd

    from ..rules.conditions import atoms
    from ..rules.statements import label

    row = {str(name): value for name, value in verdict.counterexample.iloc[0].items()}  # type: ignore[union-attr]
    asked: dict[str, None] = {}
    for place, statement in enumerate(rules):
        if label(statement, place) == verdict.rule:
            asked |= dict.fromkeys(atom.feature for atom in atoms(statement.when))
    said = [
        f"a missing {name}" if pd.isna(row[name]) else f"{name} = {_plain(row[name])}"
        for name in asked
        if name in row
    ]
    return " and ".join(said) if said else f"the row {listed(row.values())}"


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) and value.is_integer() else str(value)
