"""Each section of a story as blocks: its plain sentence first, then its numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd

from ..._tables import cell_text, visible
from ..._wording import listed
from ...groups.status import OK
from ...influence.result import Influence
from ...tree.frontier_result import Frontier
from ..display import NUMBERS, groups_display
from ..display import tables as audit_tables
from ..grid import Grid, rendered
from ..influence_phrases import caveats, compared, gap_of, other_notices
from ..influence_tables import groups_display as influence_groups
from ..influence_tables import influences_display, proxies_display
from ..learned_text import legend, measures_grid, tree_grid
from ..phrases import percent, points_text, sections, share_text, value_of
from ..tree_numbers import tree_numbers
from .blocks import Block, Heading, Table, Verbatim, bullets, paragraph
from .result import SECTIONS, Story

_WIDTH = 100
SHOWN = 15  # influences of a table


def section(story: Story, name: str, *, level: int = 2, brief: bool = False) -> Iterator[Block]:
    """A section: heading, sentence and, unless it is absent or failed, its numbers.

    Parameters
    ----------
    story : Story
    name : str
        A key of `SECTIONS`.
    level : int
        Of the heading.
    brief : bool
        Only the numbers that a page of summary needs.
    """
    yield Heading(level=level, text=SECTIONS[name])
    yield paragraph(story.sentences[name])
    tell = (_BRIEF if brief else _WHOLE).get(name)
    if tell is not None:
        yield from tell(story)


def _data(story: Story) -> Iterator[Block]:
    data = story.data
    given = {
        "file": data.name,
        "SHA-256": data.sha256,
        "rows read": data.n_read,
        "rows used": data.n_rows,
        "rows kept": data.where or "all",
        "sensitive columns": listed(data.sensitive),
        "control columns": listed(data.control) or None,
        "favourable decision": value_of(data.favorable),
        "favourable label": value_of(data.label_favorable),
        "features": listed(data.features, at_most=40) or "none",
        "columns left out": listed(data.left_out) or None,
        "weights": "yes" if data.weighted else None,
    }
    yield _pairs({name: value for name, value in given.items() if value is not None})
    if notices := (*story.cautions, *data.notices):
        yield bullets(notices)


def _pairs(given: dict[str, object]) -> Table:
    rows = [(name, visible(cell_text(value))) for name, value in given.items()]
    return Table(frame=pd.DataFrame(rows, columns=["what", "value"]))


def _audit(story: Story) -> Iterator[Block]:
    if story.audit is None:
        return
    yield bullets([thresholds(story)])
    for part in sections(story.audit):
        yield Heading(level=3, text=part.title)
        reference = part.reference
        if reference is not None:
            yield paragraph(f"Compared with {visible(reference)}.")
        for frame in audit_tables(part, story.settings.four_fifths):
            yield Table(frame=frame, right=NUMBERS)


def _audit_brief(story: Story) -> Iterator[Block]:
    if story.audit is None:
        return
    for part in sections(story.audit):
        if part.grouping in story.data.sensitive:
            frame = groups_display(part, story.settings.four_fifths)
            yield Table(frame=frame, caption=part.title, right=NUMBERS)
    yield bullets([thresholds(story)])


def thresholds(story: Story) -> str:
    """What is called out, and that it is a setting."""
    limit = f"{story.settings.four_fifths:g}"
    return f"Impact ratios below {limit} are called out: a setting of this report, not a law."


def _influence(story: Story) -> Iterator[Block]:
    for one in story.influences:
        yield from _one_influence(one)


def _one_influence(one: Influence) -> Iterator[Block]:
    yield Heading(level=3, text=f"{gap_of(one)}: {compared(one)}")
    yield Table(frame=influences_display(one, max_display=SHOWN), right=("influence", "interval"))
    yield Table(frame=influence_groups(one), right=("n", "rate", "R2 in-sample", "R2 out-of-fold"))
    if len(one.proxies):
        proxies = proxies_display(one).rename(columns={"": "note"})
        yield Table(frame=proxies, caption="Features that tell the two groups apart best")
    if notes := [*caveats(one), *other_notices(one)]:
        yield bullets(notes)


def _influence_brief(story: Story) -> Iterator[Block]:
    if story.influences:
        largest = max(story.influences, key=lambda one: one.gap)
        yield Table(
            frame=influences_display(largest, max_display=6), right=("influence", "interval")
        )


def _frontier(story: Story) -> Iterator[Block]:
    if story.frontier is not None:
        yield Table(frame=frontier_display(story.frontier), right=("accuracy", "gap"))
        if story.frontier.notices:
            yield bullets(story.frontier.notices)


def frontier_display(curve: Frontier) -> pd.DataFrame:
    """A row a bound: accuracy and gap with intervals, runs, leaves and what is wrong with it."""
    rows = curve.table.to_dict("records")
    return pd.DataFrame(
        {
            "bound": [str(row["parity"]) or "none" for row in rows],
            "accuracy": [_limits(row, "accuracy", share_text) for row in rows],
            "gap": [_limits(row, "gap", points_text) for row in rows],
            "runs": [int(row["n_runs"]) for row in rows],
            "leaves": [f"{row['n_leaves']:.1f}" for row in rows],
            "status": [_status(int(row["n_constant"])) for row in rows],
        }
    )


def _limits(row: dict[object, object], name: str, words: Callable[..., str]) -> str:
    return words(row[name], row[f"{name}_low"], row[f"{name}_high"])


def _status(n_constant: int) -> str:
    return f"{n_constant} decide alike for everybody" if n_constant else OK


def _tree(story: Story) -> Iterator[Block]:
    yield from _tree_itself(story)
    if story.tree is None:
        return
    yield Heading(level=3, text="Audit of the tree on test rows")
    for part in sections(story.tree.audit):
        frame = groups_display(part, story.settings.four_fifths)
        yield Table(frame=frame, caption=part.title, right=NUMBERS)


def _tree_itself(story: Story) -> Iterator[Block]:
    if story.tree is None:
        return
    learned = story.tree.learned
    yield paragraph(story.tree.how)
    numbers = tree_numbers(learned.model)
    yield Verbatim(text=rendered([tree_grid(numbers, _WIDTH)], width=_WIDTH, color=False))
    yield bullets([" ".join(lines) for lines in legend(numbers, _WIDTH)])
    yield _of_grid(measures_grid(learned))
    if learned.notices:
        yield bullets(learned.notices)


def _of_grid(grid: Grid) -> Table:
    names = [header or " " for header, _ in grid.columns]
    frame = pd.DataFrame([[str(cell).strip() for cell in row] for row in grid.rows], columns=names)
    return Table(frame=frame, right=tuple(names[1:]))


def _rules(story: Story) -> Iterator[Block]:
    found = story.rules
    if found is None:
        return
    shown = ["rule", "text", "status", "severity", "reason"]
    yield Table(frame=_told(found.check.by_rule[shown]), caption="Rules against each other")
    clash = found.check.contradiction
    if clash is not None and clash.row is not None:
        yield Table(frame=pd.DataFrame([clash.row]), caption="A row that they leave no class")
    for who, verified in (("given model", found.of_model), ("tree", found.verified)):
        if verified is None:
            continue
        names = ["rule", "status", "decision", "method"]
        yield Table(frame=_told(verified.by_rule[names]), caption=f"The {who} against the rules")
        for verdict in verified.verdicts:
            if verdict.counterexample is not None:
                made = f"A row, made and not drawn from the data, on which the {who} breaks "
                yield Table(frame=verdict.counterexample, caption=made + verdict.rule)
        if verified.notices:
            yield bullets(verified.notices)


def _told(frame: pd.DataFrame) -> pd.DataFrame:
    """Without columns that say nothing."""
    return frame.loc[:, [name for name in frame if frame[name].notna().any()]]


def _certificate(story: Story) -> Iterator[Block]:
    found = story.certificate
    if found is None:
        return
    rows = found.by_group.to_dict("records")
    frame = pd.DataFrame(
        {
            "grouping": [row["grouping"] for row in rows],
            "condition": [row["condition"] for row in rows],
            "group": [row["group"] for row in rows],
            "n": [int(row["n"]) for row in rows],
            "favourable": [int(row["k"]) for row in rows],
            "rate": [share_text(row["rate"], row["ci_low"], row["ci_high"]) for row in rows],
            "status": [row["status"] for row in rows],
        }
    )
    yield Table(frame=frame, caption="Calibration rows", right=("rate",))
    yield bullets([*found.notices, found.rules])


def _untested(story: Story) -> Iterator[Block]:
    yield bullets(story.untested)


def _provenance(story: Story) -> Iterator[Block]:
    yield Verbatim(text=story.command or "tell(table, settings=...)")
    versions = {f"version of {name}": number for name, number in story.versions.items()}
    settings = {name.replace("_", " "): value for name, value in story.settings.to_dict().items()}
    date = {} if story.date is None else {"date": story.date}
    yield _pairs({**date, **settings, **versions})


def headline_rows(story: Story) -> pd.DataFrame:
    """The few numbers that a reader takes away: each with n and interval."""
    rows: list[tuple[str, str, str]] = []
    if story.audit is not None:
        for part in sections(story.audit):
            for row in part.gaps[part.gaps["metric"] == "statistical_parity"].to_dict("records"):
                text = points_text(row["value"], row["ci_low"], row["ci_high"])
                rows.append((f"gap by {part.title}", text, f"{story.audit.n_rows:,}"))
    if story.tree is not None and story.tree.learned.held_out is not None:
        one = story.tree.learned.held_out
        right, gap = one.accuracy, one.gap
        n = f"{one.n_rows:,}"
        rows.append(("tree: accuracy", share_text(right.value, right.low, right.high), n))
        rows.append(("tree: gap", points_text(gap.value, gap.low, gap.high), n))
    if story.certificate is not None:
        bound = f"at most {percent(story.certificate.bound)}"
        rows.append(("tree: gap, certified", bound, f"{story.certificate.n:,}"))
    return pd.DataFrame(rows, columns=["number", "value", "n"])


_Tell = Callable[[Story], Iterator[Block]]
_WHOLE: dict[str, _Tell] = {
    "data": _data,
    "audit": _audit,
    "influence": _influence,
    "frontier": _frontier,
    "tree": _tree,
    "rules": _rules,
    "certificate": _certificate,
    "untested": _untested,
    "provenance": _provenance,
}
_BRIEF: dict[str, _Tell] = {
    "audit": _audit_brief,
    "influence": _influence_brief,
    "tree": _tree_itself,
    "untested": _untested,
}
