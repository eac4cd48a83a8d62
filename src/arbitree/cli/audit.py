"""``arbitree audit``: who is treated how, from a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from .._errors import InputError
from . import options as opt
from .decided import decided_table
from .gate import Thresholds, decided
from .grouped import grouped
from .ll144_options import Published
from .output import Format, Output
from .reading import Reading, Source, check_jobs
from .render import Rendering, judged, rendered
from .spelling import in_options, with_option
from .values import names, reference
from .words import Words, told_warnings
from .writing import Writing

if TYPE_CHECKING:
    from ..groups.result import Audit


@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """How an audit measures."""

    cross: opt.Cross = True
    reference: opt.Reference = None
    confidence: opt.Confidence = 0.95
    min_group_size: opt.MinGroupSize = 30
    resamples: opt.Resamples = 2000
    seed: opt.Seed = 0
    p_values: opt.PValues = False

    def arguments(self, sensitive: Sequence[str]) -> dict[str, Any]:
        """Those of `audit_table`."""
        return {
            "cross": self.cross,
            "reference_group": reference(self.reference or ["best"], sensitive),
            "confidence": self.confidence,
            "min_group_size": self.min_group_size,
            "n_resamples": self.resamples,
            "random_state": self.seed,
            "p_values": self.p_values,
        }


@grouped
def audit(
    file: opt.File,
    reading: Reading,
    source: Source,
    measuring: Measuring,
    writing: Writing,
    published: Published,
    control: opt.Control = None,
    n_jobs: opt.Jobs = None,
    table: opt.CsvTable = None,
    layout: opt.LayoutOf = opt.Layout.full,
    min_share: opt.MinShare = None,
    exclude_below_min_share: opt.ExcludeBelowMinShare = False,
    fail_under: opt.FailUnder = None,
    max_gap: opt.MaxGap = None,
    metric: opt.Metric = None,
) -> int:
    """Measure how groups are treated: rates, impact ratios and gaps, with intervals.

    Exit status: 0 fine, 1 a gate failed, 2 a usage or input error, 3 a gate, or a metric that
    was asked for, cannot be decided.
    """
    from ..groups.audit import audit_table

    words = writing.words
    sensitive = reading.sensitive_names
    target = writing.target(reads=file)
    rendering = Rendering(
        layout=layout.value,
        table=None if table is None else table.value,
        min_share=min_share,
        exclude_below_min_share=exclude_below_min_share,
        threshold=fail_under,
        published=published.arguments(),
    )
    published.check(layout.value)
    rendering.check(target.format)
    if layout is opt.Layout.ll144 and measuring.reference:
        raise InputError(
            "--layout ll144 compares with the most selected category. Leave --reference out."
        )
    thresholds = Thresholds(fail_under=fail_under, max_gap=max_gap, metrics=tuple(metric or ()))
    thresholds.check()
    reading.check()
    check_jobs(n_jobs)
    controlled = {"control": names("--control", control) if control else ()}
    of_table = reading.arguments() | source.arguments() | controlled
    of_audit = measuring.arguments(sensitive) | {"missing": source.missing.value}
    started = monotonic()
    with told_warnings(words):
        read = decided_table(file, reading.model_file, of_table, words)
        found = audit_table(read, **of_audit)
        of_labels = found.label_favorable
        found = replace(
            found,
            favorable=with_option(found.favorable),
            label_favorable=of_labels and with_option(of_labels, "--label-favorable"),
            notices=tuple(map(in_options, found.notices)),
        )
    return written(found, target, rendering, thresholds, words, elapsed=monotonic() - started)


def written(
    found: Audit,
    target: Output,
    rendering: Rendering,
    thresholds: Thresholds,
    words: Words,
    *,
    elapsed: float,
) -> int:
    """Write an audit, say what there is to say, and give the exit status."""
    verdict = thresholds.verdict(judged(found, rendering))
    target.write(rendered(found, target, rendering, verdict, elapsed=elapsed))
    if target.path is not None:
        words.say(f"wrote {target.path}")
    if target.path is not None or target.format not in (Format.TEXT, Format.MARKDOWN):
        words.notices(found.notices)
    return decided(verdict, words)
