"""``arbitree report``: the whole story of one file, for whoever receives it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .._errors import InputError, MissingDependencyError, NoValuesError
from .._wording import listed
from ..table.whole_file import write_whole
from . import options as opt
from . import report_options as rep
from .command_line import command_line
from .decided import decided_table
from .grouped import grouped
from .output import Format, Output, check_place
from .reading import Reading, Source, check_jobs, without
from .report_files import check_folder, files_of, write_folder
from .report_layout import FORMATS, rendered
from .spelling import in_options
from .values import names, reference
from .words import Words, tell_all, told_warnings

if TYPE_CHECKING:
    from ..report.story.result import Story
    from ..report.story.settings import Settings
    from ..rules.ruleset import Rules
    from ..table.coded import CodedTable

FINEST = 65_535  # codes of a feature: most columns of numbers keep each of their values
_NO_NUMBER = ("config", "output_file", "files", "no_files", "as_json", "quiet", "n_jobs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """What is measured, and how."""

    four_fifths: rep.FourFifths = 0.8
    fail_under: rep.FailUnder = None
    cross: opt.Cross = True
    reference: opt.Reference = None
    confidence: opt.Confidence = 0.95
    min_group_size: opt.MinGroupSize = 30
    min_share: opt.MinShare = None
    pool_share: rep.PoolShare = 0.01
    resamples: opt.Resamples = 2000
    explain_metric: rep.ExplainedMetric = None
    max_order: opt.MaxOrder = 2
    bootstrap: rep.Bootstrap = 200
    metric: rep.Metric = rep.Bounded.statistical_parity
    max_gap: rep.MaxGap = None
    accuracy_cost: rep.AccuracyCost = 0.01
    budget: rep.Budgets = None
    joint: rep.Joint = False
    max_leaves: rep.MaxLeaves = 8
    max_depth: rep.MaxDepth = 4
    min_samples_leaf: rep.MinSamplesLeaf = 20
    calibration_share: rep.CalibrationShare = 0.2
    test_share: rep.TestShare = 0.2
    splits: rep.Splits = 5
    seed: opt.Seed = 0
    n_jobs: opt.Jobs = None

    def settings(self, sensitive: tuple[str, ...], missing: str) -> Settings:
        """Those of a story."""
        from ..report.story.settings import BOUNDS, Settings

        explained = self.explain_metric or [rep.Explained.statistical_parity]
        return Settings(
            confidence=self.confidence,
            four_fifths=self.four_fifths,
            fail_under=self.fail_under,
            min_group_size=self.min_group_size,
            min_share=0.02 if self.min_share is None else self.min_share,
            pool_share=self.pool_share,
            cross=self.cross,
            reference=reference(self.reference or ["best"], sensitive),
            missing=missing,
            n_resamples=self.resamples,
            explained=tuple(one.value for one in explained),
            max_order=self.max_order,
            n_bootstrap=self.bootstrap,
            metric=self.metric.value,
            max_gap=self.max_gap,
            accuracy_cost=self.accuracy_cost,
            bounds=tuple(self.budget or BOUNDS),
            joint=self.joint,
            max_leaves=self.max_leaves,
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            calibration_share=self.calibration_share,
            test_share=self.test_share,
            n_splits=self.splits,
            random_state=self.seed,
            n_threads=None if self.n_jobs in (None, -1) else self.n_jobs,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Laying:
    """For whom, and where it goes."""

    layout: rep.LayoutOf = rep.Layout.full
    title: rep.Title = None
    date: rep.Date = None
    output_file: rep.Page = None
    files: rep.Files = None
    no_files: rep.NoFiles = False
    as_json: opt.AsJson = False
    quiet: opt.Quiet = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where everything goes, checked before any work is done."""

    page: Output
    folder: Path | None


@grouped
def report(
    context: typer.Context,
    file: opt.File,
    reading: Reading,
    source: Source,
    telling: Telling,
    laying: Laying,
    config: rep.Config = None,
    rules: rep.RulesFile = None,
    control: opt.Control = None,
    features: opt.Features = None,
    exclude: opt.Exclude = None,
) -> int:
    """Tell the whole story of a file: audit, influences, fairer trees, rules, certificate.

    One page that needs nothing else, and beside it every number as JSON and CSV, the tree and its
    certificate. What the file does not allow is left out, and the report says why.

    Exit status: 0 fine, 1 a gate or a rule failed, 2 a usage or input error, 3 a part could not be
    estimated or decided; the others stand.
    """
    words = Words(quiet=laying.quiet)
    _check(reading)
    check_jobs(telling.n_jobs)
    places = places_of(laying, reads=file)
    if places.page.format is Format.HTML:
        needed(laying.layout)
    settings = telling.settings(reading.sensitive_names, source.missing.value)
    known = None if rules is None else _rules(rules)
    of_table = _arguments(reading, source, control, features)
    excluded = names("--exclude", exclude) if exclude else ()
    _refuse_sensitive(reading.sensitive_names, of_table["features"])
    with told_warnings(words):
        read = _read(file, reading, of_table, words)
        story = told(
            without(read, excluded),
            words,
            settings=settings,
            rules=known,
            model=None if reading.model_file is None else reading.model_file.read(),
            title=laying.title,
            where=source.where,
            command=command_line(context, but=_NO_NUMBER),
            date=laying.date,
        )
    write_story(story, places, laying.layout, words)
    return status_of(story)


def _read(file: str, reading: Reading, of_table: dict[str, Any], words: Words) -> CodedTable:
    """The table; without its labels where no row has one, as decisions can be told alone."""
    try:
        return decided_table(file, reading.model_file, dict(of_table), words)
    except NoValuesError:
        if of_table["label"] is None or not (reading.decision or reading.score or reading.model):
            raise
        without_labels = of_table | {"label": None, "label_favorable": None}
        found = decided_table(file, reading.model_file, without_labels, words)
    notice = (
        f"No row has a value of {reading.label!r} (--label): whatever needs labels is left out, "
        "which is equal opportunity and the other gaps of errors, the tree and its certificate."
    )
    return replace(found, notices=(notice, *found.notices))


def _check(reading: Reading) -> None:
    """Refuse what makes no sense; labels alone are enough."""
    if reading.label is None or reading.decision or reading.score or reading.model:
        reading.check()


def _refuse_sensitive(sensitive: tuple[str, ...], features: Any) -> None:
    """Refuse features that are sensitive, on which the fairer tree could split."""
    both = [name for name in sensitive if features != "all" and name in features]
    if both:
        raise InputError(
            f"--features names {listed(both)}, which --sensitive names too: the tree could split "
            "on it. Leave it out of --features. (arbitree learn has --allow-sensitive-splits.)"
        )


def _rules(path: Path) -> Rules:
    from ..rules.ruleset import Rules

    return Rules.read(path)


def _arguments(
    reading: Reading, source: Source, control: list[str] | None, features: list[str] | None
) -> dict[str, Any]:
    """Those of `arbitree.read`."""
    found = reading.arguments() | source.arguments()
    found["control"] = names("--control", control) if control else ()
    found["features"] = names("--features", features) if features else "all"
    found["max_bins"] = FINEST
    only_labels = reading.decision is None and reading.score is None and reading.model is None
    if only_labels and found["favorable_label"] and not found["label_favorable"]:
        found["label_favorable"], found["favorable_label"] = found["favorable_label"], None
    return found


def told(table: Any, words: Words, **options: Any) -> Story:
    """A story, with a bar on a terminal; its sentences speak of options."""
    from ..report.story.build import tell as tell_story

    with words.stages() as step:
        story = tell_story(table, step=step, **options)
    return replace(
        story,
        sentences=_spelt(story.sentences),
        absent=_spelt(story.absent),
        failed=_spelt(story.failed),
        cautions=tuple(map(in_options, story.cautions)),
        verdicts=tuple(replace(one, sentence=in_options(one.sentence)) for one in story.verdicts),
    )


def _spelt(texts: dict[str, str]) -> dict[str, str]:
    return {name: in_options(text) for name, text in texts.items()}


def needed(layout: rep.Layout) -> None:
    """Refuse before any work is done, where a package is not installed.

    Raises
    ------
    MissingDependencyError
    """
    packages = {"jinja2": "jinja2", "vl_convert": "vl-convert-python"}
    for module, package in packages.items():
        if layout is rep.Layout.full and find_spec(module) is None:
            raise MissingDependencyError(
                f"A page with charts needs {package}. Install it with: pip install "
                "'arbitree[report]', or choose --layout summary."
            )


def places_of(laying: Laying, *, reads: str) -> Places:
    """Where the page and the files go.

    Raises
    ------
    InputError
        A layout has no such format, or a place cannot be written to.
    """
    page = _page(laying, reads)
    allowed = FORMATS[laying.layout.value]
    if page.format not in allowed:
        raise InputError(
            f"The layout {laying.layout.value} is written as "
            f"{' or '.join(one.value for one in allowed)}, not as {page.format.value}."
        )
    folder = laying.files
    if laying.no_files and folder is not None:
        raise InputError("--files and --no-files contradict each other. Leave one of them out.")
    if folder is None and not laying.no_files and page.path and page.format is Format.HTML:
        folder = page.path.with_name(f"{page.path.stem}-files")
    if folder is not None:
        check_folder(folder)
    return Places(page=page, folder=folder)


def _page(laying: Laying, reads: str) -> Output:
    path = laying.output_file
    pages = laying.layout in (rep.Layout.full, rep.Layout.summary)
    if path is None and pages and not laying.as_json:
        path = Path("report.html")
    if path is None or str(path) == "-":
        plain = Format.HTML if pages else FORMATS[laying.layout.value][0]
        return Output(format=Format.JSON if laying.as_json else plain)
    known = {".html": Format.HTML, ".htm": Format.HTML, ".md": Format.MARKDOWN}
    known |= {".tex": Format.LATEX, ".json": Format.JSON, ".csv": Format.CSV, ".txt": Format.TEXT}
    format = known.get(path.suffix.lower())
    if format is None or (laying.as_json and format is not Format.JSON):
        raise InputError(
            f"The format of {path} is not clear from its name"
            f"{' and --json' if laying.as_json else ''}. End it in .html, .md, .tex or .json."
        )
    check_place(path, reads=reads)
    return Output(format=format, path=path)


def write_story(story: Story, places: Places, layout: rep.Layout, words: Words) -> None:
    """Write everything, or nothing; then say what was found, and last where it is."""
    text = rendered(story, layout.value, places.page)
    files = None if places.folder is None else files_of(story)
    if places.folder is not None and files is not None:
        write_folder(files, places.folder)
    if places.page.path is None:
        places.page.write(text)
    else:
        write_whole(text.encode("utf-8", "backslashreplace"), places.page.path)
    unsaid = {"untested", "provenance", *story.failed}
    said = [text for name, text in story.sentences.items() if name not in unsaid]
    for sentence in dict.fromkeys(said):  # frontier and tree may be absent for one reason
        words.say(sentence)
    words.notices(story.cautions)
    if places.folder is not None:
        words.say(f"wrote {places.folder}: every number as JSON and CSV, tree and certificate")
    if places.page.path is not None:
        words.say(f"wrote {places.page.path}")


def status_of(story: Story) -> int:
    """Tell what failed; 0, 1 where a gate or a rule failed, 3 where a part did."""
    from ..report.story.verdicts import PASSED, exit_status

    for one in story.verdicts:
        if one.gate and one.status != PASSED:
            tell_all(one.status, [f"{one.name}: {one.sentence}", *one.details])
    return exit_status(story.verdicts)
