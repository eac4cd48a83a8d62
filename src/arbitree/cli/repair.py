"""``arbitree repair``: a tree that obeys rules, and decides as before where they are silent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .._errors import InputError
from . import options as opt
from . import rule_options as ask
from .grouped import grouped
from .learn_options import Target
from .model_options import Opened
from .output import Format, Output, check_place
from .reading import Source, table_of
from .tree_file import tree_file
from .words import Words, told_warnings


@dataclass(frozen=True, slots=True, kw_only=True)
class Repairing:
    """Which rules, and by which rows."""

    data: ask.DataFile
    label: Target
    output_file: ask.RepairedTree
    rules: ask.RulesFile = None
    rule: ask.OneRule = None
    contradictions: ask.Policy = ask.Contradictions.error
    weight: opt.Weight = None
    as_json: opt.AsJson = False
    as_markdown: opt.AsMarkdown = False
    quiet: opt.Quiet = False


@grouped
def repair(model: ask.TreeToRepair, repairing: Repairing, opened: Opened, source: Source) -> int:
    """Make a tree obey rules on every row there can be; decisions that they allow do not change.

    Exit status: 0 fine, 2 a usage or input error.
    """
    from ..tree.repair_table import codings_to_repair, repair_table

    words = Words(quiet=repairing.quiet)
    rules = ask.rules_of(repairing.rules, repairing.rule)
    place = tree_file(repairing.output_file, reads=repairing.data)
    assert place is not None
    if place.path is not None:
        check_place(place.path, reads=str(model))
    elif repairing.as_json or repairing.as_markdown:
        raise InputError("-o - writes the tree to standard output. Name a file for the tree.")
    read = opened.file(model).provable()
    with told_warnings(words):
        codings = codings_to_repair(read, rules, repairing.label)
        arguments = {
            "features": [repairing.label],  # which is all that is read besides
            "codings": codings,
            "weight": repairing.weight,
            **source.arguments(),
        }
        table = table_of(repairing.data, arguments, words)
        words.notices(table.notices)
        safe = repair_table(
            read,
            rules,
            table,
            label=repairing.label,
            contradictions=repairing.contradictions.value,
        )
    place.write(safe)
    if place.path is not None:
        _report(safe.repair_, repairing)
        words.say(f"wrote {place.path}")
    return 0


def _report(found: Any, repairing: Repairing) -> None:
    if repairing.as_json:
        Output(format=Format.JSON).write(found.to_json())
    elif repairing.as_markdown:
        Output(format=Format.MARKDOWN).write(found.to_markdown())
    else:
        Output(format=Format.TEXT).write(f"{found!r}\n")
