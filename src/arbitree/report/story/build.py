"""Tell the story of one table: audit, influences, frontier, tree, rules, certificate."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

from ..._errors import ArbitreeError, ArbitreeWarning, InputError
from ..._versions import versions
from ...groups.audit import audit_table
from ...groups.result import Audit
from ...influence.from_table import explain_table
from ...influence.result import Influence
from ...rules.ruleset import Rules
from ...table.coded import CodedTable
from ...tree.giveaways import giveaway_notices
from ...tree.sensitive_copies import copy_notices
from .large_groups import large_pair
from .making import Making, Step
from .parts import drawn_table
from .result import Data, Story
from .settings import Settings
from .trees import tree_steps
from .untested import untested
from .verdicts import verdicts
from .words import sentences

PACKAGES = ("arbitree", "numpy", "scipy", "pandas", "scikit-learn")


def tell(
    table: CodedTable,
    *,
    settings: Settings | None = None,
    rules: Rules | None = None,
    model: Any = None,
    title: str | None = None,
    where: str | None = None,
    command: str = "",
    date: str | None = None,
    step: Step | None = None,
) -> Story:
    """Tell what a table of decisions says: who is treated how, why, and what decides fairer.

    Parameters
    ----------
    table : CodedTable
        With groups and decisions or labels, such as `arbitree.read` makes of a file; a tree and
        what follows need labels and features.
    settings : Settings, optional
    rules : Rules, optional
        What the tree must obey, and is held against.
    model : object, optional
        Whose decisions these are, held against the rules too: see `arbitree.verify`.
    title : str, optional
    where, command, date : str, optional
        What to say of the rows that were read, of how to repeat it, and of when it was.
    step : callable, optional
        Called with the name of each part before it is made.

    Returns
    -------
    Story
        A part that fails leaves the others standing; `Story.failed` has the words of its error.

    Raises
    ------
    InputError
        The table has neither decisions nor labels, or no groups.

    Examples
    --------
    >>> import numpy as np
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import arbitree as ar
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "hired.csv"
    ...     _ = path.write_text("sex,hired\\n" + "f,0\\nf,1\\nm,1\\n" * 30)
    ...     table = ar.read(path, sensitive="sex", decision="hired")
    >>> story = tell(table)
    >>> print(story.sentences["audit"])
    f are selected 50.0 [33.3, 62.3] points less often than m (50.0% against 100.0%).
    >>> print(story.absent["tree"])
    No column of labels was given (--label), and a tree needs one to learn from.
    """
    chosen = Settings() if settings is None else settings
    table, audits_labels = _decided(table)
    making = Making(step=step or _nothing)
    with warnings.catch_warnings():  # results say the same in their notices
        warnings.simplefilter("ignore", ArbitreeWarning)
        audited = making.made("audit", lambda: _audit(table, chosen))
        influences = _influences(table, chosen, audited, making)
        later = tree_steps(table, chosen, rules, model, making)
    story = Story(
        title=title or f"Report on {_name(table)}",
        data=_data(table, where, audits_labels=audits_labels),
        settings=chosen,
        audit=audited,
        influences=influences,
        frontier=later.frontier,
        tree=later.tree,
        rules=later.rules,
        certificate=later.certificate,
        sentences={},
        absent=making.absent,
        failed=making.failed,
        cautions=_cautions(table, audits_labels=audits_labels),
        versions=versions(*PACKAGES),
        command=command,
        date=date,
    )
    return replace(
        story, sentences=sentences(story), verdicts=verdicts(story), untested=untested(story)
    )


def _decided(table: CodedTable) -> tuple[CodedTable, bool]:
    """The table with decisions; labels stand in for them where there are none."""
    if not table.sensitive:
        raise InputError("The table has no groups. Read it with sensitive=.")
    if table.decisions is not None:
        return table, False
    if table.labels is None:
        raise InputError("The table has neither decisions nor labels. Read it with decision=.")
    return replace(table, decisions=table.labels), True


def _cautions(table: CodedTable, *, audits_labels: bool) -> tuple[str, ...]:
    """What to know of the features before any number that comes of them."""
    alone = replace(table, decisions=None) if audits_labels else table
    return (*copy_notices(table.features, table.sensitive), *giveaway_notices(alone))


def _audit(table: CodedTable, settings: Settings) -> Audit:
    return audit_table(
        table,
        cross=settings.cross,
        reference_group=settings.reference,
        confidence=settings.confidence,
        min_group_size=settings.min_group_size,
        n_resamples=settings.n_resamples,
        random_state=settings.random_state,
        missing=settings.missing,
    )


def _influences(
    table: CodedTable, settings: Settings, audited: Audit | None, making: Making
) -> tuple[Influence, ...]:
    """For each sensitive column and metric, the gap split over features."""
    if not table.features:
        making.absent["influence"] = (
            "No column is left to explain the gap with: every column has another role."
        )
        return ()
    wanted = [(column, metric) for column in table.sensitive for metric in settings.explained]
    drawn = drawn_table(table, settings.influence_rows, settings.random_state)
    found, errors = [], []
    making.step("influence")
    for column, metric in wanted:
        alone = replace(drawn, sensitive=(column_of(drawn, column.name),))
        pair = large_pair(audited, str(column.name), metric, settings)
        try:
            found.append(_influence(alone, metric, settings, pair))
        except ArbitreeError as error:
            errors.append(f"{column.name}, {metric}: {error}")
    if errors:
        making.failed["influence"] = " ".join(errors)
    return tuple(found)


def column_of(table: CodedTable, name: Any) -> Any:
    """A sensitive column by its name."""
    return next(column for column in table.sensitive if column.name == name)


def _influence(
    table: CodedTable, metric: str, settings: Settings, pair: tuple[str, str] | None
) -> Influence:
    return explain_table(
        table,
        metric=metric,
        groups=pair,
        max_order=settings.max_order,
        n_bootstrap=settings.n_bootstrap,
        confidence=settings.confidence,
        min_group_size=settings.min_group_size,
        random_state=settings.random_state,
        missing=settings.missing,
        n_threads=settings.n_threads,
    )


def _data(table: CodedTable, where: str | None, *, audits_labels: bool) -> Data:
    source = table.source or {}
    decisions, labels = table.decisions, table.labels
    return Data(
        name=_name(table),
        sha256=source.get("sha256"),
        n_read=int(source.get("n_rows", table.n_rows)),
        n_rows=table.n_rows,
        where=where,
        sensitive=tuple(str(column.name) for column in table.sensitive),
        control=tuple(str(column.name) for column in table.control),
        decision=None if decisions is None or audits_labels else decisions.name,
        label=None if labels is None else labels.name,
        features=tuple(str(column.name) for column in table.features),
        left_out=tuple(map(str, table.left_out)),
        weighted=table.weights is not None,
        favorable=None if decisions is None else decisions.how,
        label_favorable=None if labels is None else labels.how,
        audits_labels=audits_labels,
        notices=table.notices,
        source=dict(source),
    )


def _name(table: CodedTable) -> str:
    return str((table.source or {}).get("name", "a table"))


def _nothing(_: str) -> None:
    """Where nobody wants to know how far it is."""
