"""Where the numbers of an audit come from: enough to make them again."""

from __future__ import annotations

from .._tables import cell_text
from ..groups.result import Audit
from .phrases import reference_words


def provenance(audit: Audit) -> list[tuple[str, str]]:
    """What was audited, how, and with which versions; no clock, so that it can be repeated."""
    source = [(f"source {name}", cell_text(value)) for name, value in audit.source.items()]
    options = [
        ("sensitive features", cell_text(audit.sensitive)),
        *([("control features", cell_text(audit.control))] if audit.control else []),
        ("reference group", reference_words(audit.reference_group)),
        ("confidence", f"{audit.confidence:g}"),
        ("smallest group not flagged", f"{audit.min_group_size:,}"),
        ("missing groups", audit.missing),
        ("resamplings", f"{audit.n_resamples:,}"),
        ("seed", str(audit.random_state)),
    ]
    versions = [(f"version of {name}", number) for name, number in audit.versions.items()]
    return [*source, *options, *versions]
