"""``arbitree explain``: which features carry a gap, from a file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .._errors import InputError
from . import options as opt
from .decided import decided_table
from .grouped import grouped
from .output import Format, Output
from .picture import Picture, picture
from .reading import Reading, Source, check_jobs, without
from .spelling import with_option
from .values import check_share, names
from .words import Words, tell_all, told_warnings
from .writing import Writing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..influence.result import Influence


@dataclass(frozen=True, slots=True, kw_only=True)
class Explaining:
    """Which gap is explained, and how."""

    metric: opt.GapMetric = opt.Explained.statistical_parity
    groups: opt.Groups = None
    max_order: opt.MaxOrder = 2
    pairs: opt.Pairs = "auto"
    n_intervals: opt.NIntervals = 20
    cross_fit: opt.CrossFit = 5
    bootstrap: opt.Bootstrap = 200
    confidence: opt.Confidence = 0.95
    min_group_size: opt.MinGroupSize = 30
    seed: opt.Seed = 0
    n_jobs: opt.Jobs = None

    def arguments(self) -> dict[str, Any]:
        """Those of `explain_table`."""
        return {
            "metric": self.metric.value,
            "max_order": self.max_order,
            "pairs": _pairs(self.pairs),
            "n_intervals": self.n_intervals,
            "groups": None if self.groups is None else _groups(self.groups),
            "cross_fit": self.cross_fit,
            "n_bootstrap": self.bootstrap,
            "confidence": self.confidence,
            "min_group_size": self.min_group_size,
            "random_state": self.seed,
            "n_threads": None if self.n_jobs in (None, -1) else self.n_jobs,
        }


@grouped
def explain(
    file: opt.File,
    reading: Reading,
    source: Source,
    explaining: Explaining,
    writing: Writing,
    features: opt.Features = None,
    exclude: opt.Exclude = None,
    max_display: opt.MaxDisplay = 20,
    plot: opt.Plot = None,
    max_gap: opt.MaxGap = None,
) -> int:
    """Split the gap between two groups over features and pairs of features.

    Exit status: 0 fine, 1 the gap is above --max-gap, 2 a usage or input error, 3 there are no
    two groups to compare.
    """
    from ..influence.from_table import explain_table
    from ..influence.inputs import FINEST

    words = writing.words
    target = writing.target(reads=file)
    reading.check()
    check_jobs(explaining.n_jobs)
    _check(explaining.metric.value, reading.label, max_gap, max_display)
    drawing = None if plot is None else picture(plot, reads=file, target=target)
    of_table = reading.arguments() | source.arguments() | {"max_bins": FINEST}
    of_table["features"] = names("--features", features) if features else "all"
    of_gap = explaining.arguments() | {"missing": source.missing.value}
    excluded = names("--exclude", exclude) if exclude else ()
    with told_warnings(replace(words, quiet=words.quiet or _told_in(target))):
        table = decided_table(file, reading.model_file, of_table, words)
        found = explain_table(without(table, excluded), **of_gap)
    found = replace(found, favorable=with_option(found.favorable))
    target.write(_rendered(found, target, max_display))
    _say(found, target, words)
    if drawing is not None:
        _draw(found, drawing, max_display)
        words.say(f"wrote {drawing.path}")
    return _gate(found, max_gap, words)


def _check(metric: str, label: str | None, max_gap: float | None, max_display: int) -> None:
    if metric != "statistical_parity" and label is None:
        raise InputError(f"--metric {metric} needs --label COL.")
    check_share("--max-gap", max_gap)
    if max_display < 2:
        raise InputError(f"--max-display is {max_display}. Give a number of at least 2.")


def _groups(text: str) -> tuple[str, str]:
    """The two groups of ``HIGH,LOW``."""
    found = names("--groups", [text])
    if len(found) != 2:
        raise InputError(
            f"--groups {text!r} names {len(found)}. Give two, separated by a comma; a name with a "
            "comma in it is put in double quotes."
        )
    return found[0], found[1]


def _pairs(text: str) -> str | int:
    if text in ("auto", "all"):
        return text
    if not text.isdecimal():
        raise InputError(f"--pairs is {text!r}. Give auto, all or a number.")
    return int(text)


def _rendered(found: Influence, target: Output, max_display: int) -> str:
    from .._tables import csv_table
    from ..report.influence_document import influence_markdown, influence_page
    from ..report.influence_phrases import joined
    from ..report.influence_text import influence_text

    if target.format is Format.JSON:
        return found.to_json()
    if target.format is Format.CSV:
        named = [joined(features) for features in found.table["features"]]
        return csv_table(found.table.assign(features=named))
    if target.format is Format.MARKDOWN:
        return influence_markdown(found, max_display=max_display)
    if target.format is Format.HTML:
        return influence_page(found, max_display=max_display)
    if target.format is Format.LATEX:
        return found.to_latex()
    return influence_text(found, width=target.width, color=target.color, max_display=max_display)


def _draw(found: Influence, place: Picture, max_display: int) -> None:
    from ..report.influence_plot import plot_influence, size_of

    def draw(figure: Figure) -> None:
        figure.set_layout_engine("constrained")
        plot_influence(found, ax=figure.subplots(), max_display=max_display)

    place.draw(draw, size=size_of(found, max_display))


def _told_in(target: Output) -> bool:
    """Whether standard output has the notices, so that they need not be said."""
    return target.path is None and target.format in (Format.TEXT, Format.MARKDOWN)


def _say(found: Influence, target: Output, words: Words) -> None:
    from ..influence.words import r2_warning
    from ..report.influence_phrases import sentence

    warned = r2_warning(found.r2)  # told when it was found
    if target.path is not None:
        words.say(f"wrote {target.path}")
    if not _told_in(target):
        words.say(sentence(found))
        words.notices([notice for notice in found.notices if notice not in warned])


def _gate(found: Influence, max_gap: float | None, words: Words) -> int:
    """0 where the gap is no more than allowed, 1 where it is above."""
    from ..groups.gate import above
    from ..report.influence_phrases import compared

    if max_gap is None:
        return 0
    if above(found.gap, max_gap):
        failure = f"{found.metric} gap is {found.gap:.3f} ({compared(found)}), above {max_gap:g}"
        tell_all("gate failed", [failure])
        return 1
    words.say(f"gate passed: the gap is at most {max_gap:g}")
    return 0
