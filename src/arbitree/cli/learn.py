"""``arbitree learn``: a small tree from a file, as fair as asked, and how fair that is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .._errors import InputError, LabelError, RuleError
from . import learn_options as tree
from . import options as opt
from . import rule_options as ask
from .grouped import grouped
from .output import Format, Output, output
from .picture import Picture, picture
from .reading import Source, table_of, without
from .solver_lines import solver_lines_on_stderr
from .spelling import in_options, with_option
from .tree_file import TreeFile, tree_file
from .values import bins, check_share, directions, names
from .words import Words, tell_all, told_warnings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..table.coded import CodedTable
    from ..tree.estimator import TreeClassifier
    from ..tree.learned import Learned
    from ..tree.parity import Parity

_FINEST = 65_535  # codes of a feature under rules, whose limits are no edges of bins


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """What the columns of a file to learn from are."""

    label: tree.Target
    sensitive: opt.Sensitive
    favorable: tree.Favored = None
    features: tree.Predictors = None
    exclude: tree.NoPredictors = None
    control: tree.Within = None
    weight: opt.Weight = None
    bins: opt.Bins = None
    allow_sensitive_splits: tree.AllowSensitive = False

    def check(self) -> None:
        """Refuse to learn the label from itself."""
        if self.features and self.label in names("--features", self.features):
            raise InputError(
                f"--features names {self.label!r}, which is the label. Leave it out of them."
            )

    @property
    def excluded(self) -> tuple[str, ...]:
        """Columns that are not to be asked for; weights never are."""
        asked = names("--exclude", self.exclude) if self.exclude else ()
        return tuple(name for name in asked if name != self.weight)

    def arguments(self) -> dict[str, Any]:
        """Those of `arbitree.read`."""
        return {
            "features": names("--features", self.features) if self.features else "all",
            "sensitive": names("--sensitive", self.sensitive),
            "control": names("--control", self.control) if self.control else (),
            "label": self.label,
            "label_favorable": self.favorable or None,
            "weight": self.weight,
            "bins": bins(self.bins or ()),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Growing:
    """How fair the tree must be, and how it grows."""

    max_gap: tree.TreeGap = None
    split_gap: tree.SplitBound = None
    covariance: tree.CovarianceBound = None
    metric: tree.GapOf = None
    joint: tree.Joint = False
    split: tree.SplitKind = tree.Split.threshold
    max_leaves: tree.MaxLeaves = 16
    max_depth: tree.MaxDepth = None
    min_samples_leaf: tree.MinSamplesLeaf = 20
    monotonic: tree.Monotonic = None
    rules: ask.RulesFile = None
    contradictions: ask.Policy = ask.Contradictions.error

    def metric_name(self, *, control: bool) -> str:
        """The gap that is meant."""
        conditional = tree.Bounded.conditional_statistical_parity
        if self.metric is None:
            return conditional.value if control else tree.Bounded.statistical_parity.value
        if control != (self.metric is conditional):
            raise InputError(
                f"--control and --metric {conditional.value} go together. "
                f"{'Leave --control out' if control else 'Name columns with --control'}, or "
                "choose another --metric."
            )
        return self.metric.value

    def parity(self, metric: str) -> Parity | None:
        """The bound that was asked for; --max-gap only checks where there is another."""
        from ..tree.parity import Covariance, GapBudget, SplitGap

        if self.covariance is not None and self.split_gap is not None:
            raise InputError("--covariance and --split-gap both bound each split. Give one.")
        check_share("--max-gap", self.max_gap)
        check_share("--split-gap", self.split_gap)
        if self.covariance is not None:
            return Covariance(self.covariance, metric=metric, joint=self.joint)
        if self.split_gap is not None:
            return SplitGap(self.split_gap, metric=metric, joint=self.joint)
        if self.max_gap is not None:
            return GapBudget(self.max_gap, metric=metric, joint=self.joint)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Testing:
    """How the tree is measured."""

    test_share: tree.TestShare = 0.3
    confidence: tree.Confidence = 0.95
    seed: opt.Seed = 0

    def check(self) -> None:
        """Refuse what makes no sense."""
        if not 0 <= self.test_share < 1:
            raise InputError(
                f"--test-share is {self.test_share:g}. Give a number from 0 to less than 1."
            )
        if not 0 < self.confidence < 1:
            raise InputError(f"--confidence is {self.confidence:g}. Give a number from 0 to 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporting:
    """Where the tree and the report go."""

    output_file: tree.TreeFile = None
    plot: tree.TreePlot = None
    as_json: opt.AsJson = False
    as_markdown: opt.AsMarkdown = False
    quiet: opt.Quiet = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Places:
    """Where everything goes, checked."""

    tree: TreeFile | None
    report: Output | None  # None where standard output has the tree
    picture: Picture | None


@grouped
def learn(
    file: opt.File,
    learning: Learning,
    growing: Growing,
    source: Source,
    testing: Testing,
    reporting: Reporting,
) -> int:
    """Grow a small decision tree, as fair as asked, and measure it on rows it has not seen.

    The report shows the tree, how much each split adds to the gap between groups, and accuracy
    and gap on held-out rows.

    Exit status: 0 fine, 1 the gap is above --max-gap, 2 a usage or input error, 3 there are no
    two groups to compare.
    """
    words = Words(quiet=reporting.quiet)
    learning.check()
    metric = growing.metric_name(control=bool(learning.control))
    places = _places(reporting, reads=file)
    testing.check()
    model = _model(growing, learning, metric, testing.seed)
    directed = directions("--monotonic", growing.monotonic or ())
    excluded = learning.excluded
    with told_warnings(words):
        reading = learning.arguments() | source.arguments()
        if growing.rules is not None:
            reading["max_bins"] = _FINEST
        table = _table(file, reading, words)
        model.monotonic_cst = _of_second_class(directed, table)
        found = _learned(
            without(table, excluded),
            model,
            words,
            metric=metric,
            joint=growing.joint,
            missing=source.missing.value,
            test_share=testing.test_share,
            confidence=testing.confidence,
            random_state=testing.seed,
        )
    _write(found, places, words)
    return _gate(found, growing.max_gap, words)


def _places(reporting: Reporting, *, reads: str) -> _Places:
    asked = {Format.JSON: reporting.as_json, Format.MARKDOWN: reporting.as_markdown}
    formats = [format for format, is_asked in asked.items() if is_asked]
    report: Output | None = output(None, formats, reads=reads)
    of_tree = tree_file(reporting.output_file, reads=reads)
    if of_tree is not None and of_tree.path is None:
        if formats:
            raise InputError(
                f"-o - writes the tree to standard output, and --{formats[0].value.lower()} the "
                "report. Name a file for the tree."
            )
        report = None
    drawing = None
    if reporting.plot is not None:
        taken = Output(format=Format.JSON, path=None if of_tree is None else of_tree.path)
        drawing = picture(reporting.plot, reads=reads, target=taken)
    return _Places(tree=of_tree, report=report, picture=drawing)


def _model(growing: Growing, learning: Learning, metric: str, seed: int) -> TreeClassifier:
    from ..tree.estimator import TreeClassifier

    return TreeClassifier(
        split=growing.split.value,
        parity=growing.parity(metric),
        max_leaf_nodes=growing.max_leaves,
        max_depth=growing.max_depth,
        min_samples_leaf=growing.min_samples_leaf,
        allow_sensitive_splits=learning.allow_sensitive_splits,
        random_state=seed,
        rules=None if growing.rules is None else ask.rules_of(growing.rules, None),
        contradictions=growing.contradictions.value,
    )


def _table(file: str, reading: dict[str, Any], words: Words) -> CodedTable:
    """The file; labels are spoken of as what is learnt, of which --favorable is favourable."""
    try:
        return table_of(file, reading, words)
    except LabelError as error:
        raise LabelError(str(error).replace("label_favorable", "favorable_label")) from error


def _of_second_class(directed: dict[str, int], table: CodedTable) -> dict[str, int] | None:
    """Directions of the favourable decision as those of the second class."""
    labels = table.labels
    first = labels is not None and bool(labels.levels) and labels.levels[0] in labels.favorable
    return {name: -sign if first else sign for name, sign in directed.items()} or None


def _learned(table: CodedTable, model: TreeClassifier, words: Words, **options: Any) -> Learned:
    from ..tree.from_table import learn_table

    with words.progress("growing the tree"), solver_lines_on_stderr():
        try:
            found = learn_table(table, model, **options)
        except RuleError as error:
            raise _of_sensitive(error, table) from error
    notices = tuple(map(in_options, found.notices))
    return replace(found, favorable=with_option(found.favorable), notices=notices)


def _of_sensitive(error: RuleError, table: CodedTable) -> RuleError:
    """A rule that names a column of the file is no slip of the pen: say which role it has."""
    for column in table.sensitive:
        before, unknown, _ = str(error).partition(f"there is no feature {column.name!r}.")
        if unknown:
            return RuleError(
                f"{before}{column.name!r} is sensitive, and no feature that a rule can be about. "
                f"Name the features with --features, {column.name!r} among them, and pass "
                "--allow-sensitive-splits; or leave the rule out."
            )
    return error


def _write(found: Learned, places: _Places, words: Words) -> None:
    from ..report.learned_text import headline

    if places.tree is not None:
        places.tree.write(found.model)
        if places.tree.path is not None:
            words.say(f"wrote {places.tree.path}")
    if places.picture is not None:
        _draw(found, places.picture)
        words.say(f"wrote {places.picture.path}")
    if places.report is not None:
        places.report.write(_rendered(found, places.report))
    if places.report is None or places.report.format is Format.JSON:
        words.say(headline(found))
        words.notices(found.notices)


def _rendered(found: Learned, target: Output) -> str:
    from ..report.learned_markdown import learned_markdown
    from ..report.learned_text import learned_text

    if target.format is Format.JSON:
        return found.to_json()
    if target.format is Format.MARKDOWN:
        return learned_markdown(found)
    return learned_text(found, width=target.width, color=target.color)


def _draw(found: Learned, place: Picture) -> None:
    from ..report.tree_plot import plot_tree, tree_picture_size

    def draw(figure: Figure) -> None:
        plot_tree(found.model, ax=figure.add_axes((0, 0, 1, 1)))

    place.draw(draw, size=tree_picture_size(found.model))


def _gate(found: Learned, max_gap: float | None, words: Words) -> int:
    """1 where the gap is too large: on training rows, or beyond chance on held-out rows."""
    from ..groups.gate import above
    from ..report.learned_text import gap_words

    if max_gap is None:
        return 0
    failures = []
    if above(found.training.gap.value, max_gap):
        failures.append(f"on training rows the gap is {gap_words(found, found.training)}")
    held_out = found.held_out
    if held_out is not None and above(held_out.gap.low, max_gap):
        failures.append(f"on held-out rows the gap is {gap_words(found, held_out)}")
    if failures:
        limit = f"above {100 * max_gap:g} pp"
        tell_all("gate failed", [f"{failure}, {limit}" for failure in failures])
        return 1
    words.say(f"gate passed: the gap on training rows is at most {100 * max_gap:g} pp")
    if held_out is not None and above(held_out.gap.value, max_gap):
        words.say(
            f"note: on held-out rows it is {gap_words(found, held_out)}: above {100 * max_gap:g} "
            "pp, though not by more than chance. A smaller --max-gap or a larger "
            "--min-samples-leaf leaves room."
        )
    return 0
