"""Every number of a story as tables, each of which can be a CSV file."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from ...groups.result import Audit
from ...influence.result import Influence
from .result import Story

_OF_AUDIT = ("by_group", "rates", "gaps", "summary", "overall", "unknown")


def tables(story: Story) -> dict[str, pd.DataFrame]:
    """Tables by name; names are the same whatever the data, so that a program finds them."""
    return dict(_tables(story))


def _tables(story: Story) -> Iterator[tuple[str, pd.DataFrame]]:
    yield "sentences", _sentences(story)
    if story.audit is not None:
        yield from _audit("audit", story.audit)
    for at, one in enumerate(story.influences, 1):
        yield from _influence(f"influence-{at}", one)
    if story.frontier is not None:
        yield "frontier", story.frontier.table
        yield "frontier-runs", story.frontier.runs
    if story.tree is not None:
        learned = story.tree.learned
        yield "tree-splits", learned.splits
        yield "tree-training-groups", learned.training.by_group
        if learned.held_out is not None:
            yield "tree-groups", learned.held_out.by_group
        yield from _audit("tree-audit", story.tree.audit)
    if story.rules is not None:
        yield "rules-check", story.rules.check.by_rule
        if story.rules.verified is not None:
            yield "rules-verification", story.rules.verified.by_rule
    if story.certificate is not None:
        yield "certificate-groups", story.certificate.by_group
        yield "certificate-pairs", story.certificate.pairs


def _sentences(story: Story) -> pd.DataFrame:
    status = {**dict.fromkeys(story.absent, "absent"), **dict.fromkeys(story.failed, "failed")}
    rows = [(name, status.get(name, "told"), text) for name, text in story.sentences.items()]
    return pd.DataFrame(rows, columns=["section", "status", "sentence"])


def _audit(prefix: str, audit: Audit) -> Iterator[tuple[str, pd.DataFrame]]:
    for name in _OF_AUDIT:
        yield f"{prefix}-{name.replace('_', '-')}", getattr(audit, name)


def _influence(prefix: str, one: Influence) -> Iterator[tuple[str, pd.DataFrame]]:
    yield prefix, _named(one.table)
    yield f"{prefix}-rates", one.rates
    yield f"{prefix}-r2", one.r2
    yield f"{prefix}-proxies", one.proxies


def _named(table: pd.DataFrame) -> pd.DataFrame:
    """Sets of features as texts, since a cell of CSV holds no tuple."""
    names = [" x ".join(str(name) for name in features) for features in table["features"]]
    return table.assign(features=names)
