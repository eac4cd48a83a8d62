"""``arbitree certify``: a certificate of a learnt tree, from a file of other rows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .._errors import InputError
from .._wording import nearest
from . import options as opt
from .decided import decided_table
from .grouped import grouped
from .model_file import ModelFile, read_tree_file
from .output import Format, Output, check_place
from .reading import Source
from .values import check_share, names
from .words import Words, tell, told_warnings

if TYPE_CHECKING:
    from ..certificate.bounding import Limits
    from ..certificate.fairness_part import FairnessPart
    from ..certificate.result import Certificate
    from ..tree.estimator import TreeClassifier

_WHAT, _HOW, _COLUMNS = "What is certified", "How it is measured", "Columns"


CertificateFile = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Where the certificate goes: .json. Default: standard output.",
        rich_help_panel="Output",
    ),
]


class Method(StrEnum):
    """Of the bound."""

    clopper_pearson = "clopper-pearson"
    exact = "exact"
    newcombe = "newcombe"
    hoeffding = "hoeffding"


@dataclass(frozen=True, slots=True, kw_only=True)
class Certified:
    """What is certified, and from which columns."""

    data: Annotated[
        str | None,
        typer.Option(
            "--data",
            metavar="FILE",
            help="CSV or Parquet of people whom the tree has not seen.",
            rich_help_panel=_COLUMNS,
        ),
    ] = None
    sensitive: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COL,..", help="Columns with people's groups.", rich_help_panel=_COLUMNS
        ),
    ] = None
    label: opt.Label = None
    favorable: opt.Favorable = None
    label_favorable: opt.LabelFavorable = None
    rules: Annotated[
        Path | None,
        typer.Option(
            "--rules",
            metavar="FILE",
            help="Rules that the tree must obey on every row of its domain; by default those that "
            "it was learnt with. Text, YAML or JSON.",
            rich_help_panel=_WHAT,
        ),
    ] = None
    max_gap: Annotated[
        float | None,
        typer.Option(
            metavar="GAP",
            help="Certify that the gap of the population is at most this; exit 1 where it is not "
            "certified.",
            rich_help_panel=_WHAT,
        ),
    ] = None
    min_p_rule: Annotated[
        float | None,
        typer.Option(
            metavar="RATIO",
            help="Certify that the smallest ratio of two groups' rates is at least this; exit 1 "
            "where it is not certified.",
            rich_help_panel=_WHAT,
        ),
    ] = None
    metric: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="By default that of the tree's bound.", rich_help_panel=_WHAT
        ),
    ] = None
    joint: Annotated[
        bool | None,
        typer.Option(
            "--joint/--single",
            help="Groups are combinations of the sensitive columns, or of each alone. By default "
            "as in the tree's bound; of a tree without one, combinations.",
            rich_help_panel=_HOW,
        ),
    ] = None
    confidence: opt.Confidence = 0.95
    method: Annotated[Method, typer.Option(help="Of the bound.", rich_help_panel=_HOW)] = (
        Method.clopper_pearson
    )

    @property
    def limits(self) -> Limits:
        """What is to be certified, and how sure."""
        from ..certificate.bounding import Limits

        return Limits(
            max_gap=self.max_gap,
            min_p_rule=self.min_p_rule,
            confidence=self.confidence,
            method=self.method.value,
        )

    def check(self) -> None:
        """Refuse what makes no sense before any work is done."""
        from ..groups.metrics import GAPS

        check_share("--max-gap", self.max_gap)
        check_share("--min-p-rule", self.min_p_rule)
        if self.metric is not None and self.metric not in GAPS:
            raise InputError(f"--metric {self.metric!r} is no gap. {nearest(self.metric, [*GAPS])}")
        if bool(self.sensitive) != (self.data is not None):
            raise InputError("A bound on the gap needs both --data FILE and --sensitive COL.")


@grouped
def certify(
    tree: Annotated[Path, typer.Argument(metavar="TREE", help="A tree.json.", show_default=False)],
    certified: Certified,
    source: Source,
    output_file: CertificateFile = None,
    quiet: opt.Quiet = False,
) -> int:
    """Prove that a tree obeys rules on every row, and bound its gap in the population.

    The certificate is JSON, which `arbitree check` derives again without the programs that made it.

    Exit status: 0 fine, 1 a limit is not certified or the tree breaks a rule, 2 a usage or input
    error, 3 there are no two groups to compare.
    """
    words = Words(quiet=quiet)
    certified.check()
    target = _target(output_file, reads=certified.data or str(tree))
    with told_warnings(words):
        model = read_tree_file(tree, option="TREE")
        try:
            found = _found(model, tree, certified, source, words)
        except _Broken as error:
            tell(f"gate failed: {error}")
            return 1
    target.write(found.to_json())
    if target.path is not None:
        words.say(f"wrote {target.path}")
    words.say(found.statement)
    failed = found.fairness is not None and found.fairness.holds is False
    if found.fairness is not None and failed and certified.max_gap is not None:
        words.notices([_widest(found.fairness)])
    words.notices(found.notices)
    return 1 if failed else 0


def _widest(found: FairnessPart) -> str:
    """Which two groups leave the bound so large, and of how many rows each is."""
    pair = found.pairs.iloc[int(found.pairs["bound"].argmax())]
    same = found.by_group[
        (found.by_group["grouping"] == pair["grouping"])
        & (found.by_group["condition"] == pair["condition"])
    ]
    n = dict(zip(same["group"], same["n"], strict=True))
    high, low = pair["group_high"], pair["group_low"]
    return (
        f"The widest bound is that of {high} ({n[high]:,} rows) over {low} ({n[low]:,} rows) by "
        f"{pair['grouping']}, whose gap on these rows is {pair['gap']:.4g}. With few rows of a "
        "group no bound can be small: pass more, or certify fewer groups."
    )


class _Broken(Exception):
    """The tree breaks a rule."""


def _found(
    model: Any, tree: Path, certified: Certified, source: Source, words: Words
) -> Certificate:
    from ..certificate.from_table import certify_table
    from ..certificate.safety import RuleBroken
    from ..rules.ruleset import Rules

    table = data = None
    if certified.data is not None:
        table = decided_table(
            certified.data, ModelFile(path=tree), _reading(certified, source), words
        )
        data = _digests(model, certified)
    try:
        return certify_table(
            model,
            table,
            limits=certified.limits,
            rules=None if certified.rules is None else Rules.read(certified.rules),
            metric=certified.metric,
            joint=_joint(certified.joint, model),
            missing=source.missing.value,
            data=data,
        )
    except RuleBroken as error:
        raise _Broken(str(error)) from error


def _joint(asked: bool | None, model: TreeClassifier) -> bool:
    """Whether combinations are compared: as asked, else as where the tree was bound."""
    if asked is not None:
        return asked
    return model.parity is None or bool(model.parity.joint)


def _reading(certified: Certified, source: Source) -> dict[str, Any]:
    return source.arguments() | {
        "features": "all",
        "sensitive": names("--sensitive", certified.sensitive or []),
        "label": certified.label,
        "favorable_label": certified.favorable or None,
        "label_favorable": certified.label_favorable or None,
    }


def _digests(model: Any, certified: Certified) -> dict[str, Any] | None:
    """Of the file's columns as the check reads them; None of what it cannot read."""
    from ..certificate.check.shape import Wrong
    from ..certificate.check.table_file import column_texts, digests
    from ..model.deciding import codings_read

    assert certified.data is not None
    try:
        columns = column_texts(certified.data)
        sensitive = list(names("--sensitive", certified.sensitive or []))
        found: dict[str, Any] = {
            "features": digests(columns, list(codings_read(model.tree_))),
            "sensitive": digests(columns, sensitive),
        }
        if certified.label is not None:
            found["label"] = digests(columns, [certified.label])[0]
        return found
    except (Wrong, OSError, UnicodeDecodeError):
        return None


def _target(path: Path | None, *, reads: str) -> Output:
    if path is None or str(path) == "-":
        return Output(format=Format.JSON)
    if path.suffix.lower() != ".json":
        raise InputError(f"--output {path} should end in .json.")
    check_place(path, reads=reads)
    return Output(format=Format.JSON, path=path)
