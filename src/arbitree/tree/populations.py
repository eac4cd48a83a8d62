"""Whom a fairness metric compares: groups of rows, given by their group and their class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree._errors import InputError
from arbitree._wording import listed
from arbitree.table.coded_column import CodedColumn
from arbitree.table.crossing import Crossing, cross
from arbitree.tree.favorable import Favorable, favorable_mask
from arbitree.tree.parity import CONDITIONAL, metrics_of

_CONDITIONS = {
    "statistical_parity": ("all",),
    "conditional_statistical_parity": ("all",),
    "equal_opportunity": ("favorable",),
    "predictive_equality": ("unfavorable",),
    "equalized_odds": ("favorable", "unfavorable"),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Population:
    """Groups that are compared under one condition.

    Row i of `members` says which (group, class) cells of a training table make up group i. The
    cells of different groups are disjoint; a group may be empty in some node of a tree.
    """

    grouping: str  # the columns that make the groups: "sex", "sex x race"
    condition: str  # "Y = yes, race: ..."; "" for all rows
    groups: tuple[str, ...]
    members: np.ndarray  # (n_compared, n_groups of the table, n_classes) bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Grouping:
    """The group of each training row, and what a metric compares.

    `group` numbers the combinations of sensitive and control columns that occur. There are no
    populations where no two groups can be compared.
    """

    group: np.ndarray  # (n,) uint8, uint16 or uint32
    groups: tuple[str, ...]
    populations: tuple[Population, ...]


def grouping(
    sensitive: Sequence[CodedColumn],
    control: Sequence[CodedColumn],
    *,
    metric: str | tuple[str, ...],
    joint: bool,
    classes: Sequence[object],
    favorable: Favorable,
) -> Grouping:
    """What `metric` compares.

    Parameters
    ----------
    sensitive, control : sequence of CodedColumn
        At least one sensitive column; a control column for
        ``"conditional_statistical_parity"``, and for no other metric.
    metric : str or tuple of str
        Of several metrics all comparisons, each once.
    joint : bool
        Compare combinations of sensitive columns, else the levels of each.
    classes : sequence
    favorable : int or tuple of int
        Positions of the favourable classes; all others are unfavourable.

    Raises
    ------
    InputError
        If control columns do not fit the metric.

    Examples
    --------
    >>> from arbitree.table.codings import CategoryCoding
    >>> sex = CodedColumn(
    ...     name="sex", coding=CategoryCoding(levels=("f", "m")), codes=np.uint8([0, 1, 1])
    ... )
    >>> found = grouping(
    ...     [sex], [], metric="equal_opportunity", joint=True, classes=("no", "yes"), favorable=1
    ... )
    >>> found.populations[0].condition, found.populations[0].members[0].tolist()
    ("Y = 'yes'", [[False, True], [False, False]])
    """
    metrics = metrics_of(metric)
    _check_control(metrics, control)
    crossing = cross([*sensitive, *control])
    compared = {
        ", ".join(filter(None, (given, text))): (strata, mask)
        for one in metrics
        for strata, given in _strata(crossing, len(sensitive), within=one == CONDITIONAL)
        for mask, text in _class_conditions(one, classes, favorable)
    }
    columns = [range(len(sensitive))] if joint else [[i] for i in range(len(sensitive))]
    found = [
        _population(crossing, places, strata, mask, words)
        for places in columns
        for words, (strata, mask) in compared.items()
    ]
    return Grouping(
        group=crossing.codes,
        groups=tuple(crossing.label(i) for i in range(crossing.n_groups)),
        populations=tuple(population for population in found if len(population.groups) > 1),
    )


def uncompared(found: Grouping, y: np.ndarray, n_classes: int) -> list[str]:
    """Populations of which fewer than two groups have rows, in words.

    Parameters
    ----------
    found : Grouping
    y : ndarray of int, shape (n,)
        Index into the classes.
    n_classes : int
    """
    cell = found.group.astype(np.int64) * n_classes + y
    n_rows = np.bincount(cell, minlength=len(found.groups) * n_classes)
    told = []
    for population in found.populations:
        seen = population.members.reshape(len(population.groups), -1) @ n_rows > 0
        if seen.sum() < 2:
            there = [group for group, one in zip(population.groups, seen) if one]
            only = f"only {there[0]!r} of {population.grouping}" if there else "no group"
            among = f"Of rows with {population.condition}, " if population.condition else ""
            told.append(f"{among}{only} has any, so that nothing is compared there.")
    return told


def _check_control(metrics: Sequence[str], control: Sequence[CodedColumn]) -> None:
    if CONDITIONAL in metrics and not control:
        raise InputError(
            "metric 'conditional_statistical_parity' compares groups within the levels of "
            "control features. Pass control_features to fit."
        )
    if control and CONDITIONAL not in metrics:
        raise InputError(
            f"control_features were passed, and {listed(metrics)} has no use for them. Pass "
            "metric='conditional_statistical_parity', or no control_features."
        )


def _class_conditions(
    metric: str, classes: Sequence[object], favorable: Favorable
) -> list[tuple[np.ndarray, str]]:
    """Which classes count, (n_classes,) bool, and the condition in words."""
    is_favorable = favorable_mask(favorable, len(classes))
    masks = {
        "all": (np.ones(len(classes), bool), ""),
        "favorable": (is_favorable, _in_words(classes, is_favorable)),
        "unfavorable": (~is_favorable, _in_words(classes, ~is_favorable)),
    }
    return [masks[name] for name in _CONDITIONS[metric]]


def _in_words(classes: Sequence[object], mask: np.ndarray) -> str:
    """Which labels count: "Y = 'yes'"; of many, by the one that does not, or by all of them."""
    inside, outside = (
        [classes[i] for i in np.flatnonzero(part).tolist()] for part in (mask, ~mask)
    )
    if len(inside) == 1:
        return f"Y = {inside[0]!r}"
    if len(outside) == 1:
        return f"Y != {outside[0]!r}"
    return f"Y in ({', '.join(map(repr, inside))})"


def _strata(crossing: Crossing, n_sensitive: int, *, within: bool) -> list[tuple[np.ndarray, str]]:
    """Which groups have each combination of control levels, and that combination in words.

    All groups, if not `within` these levels.
    """
    controls = crossing.cells[:, n_sensitive:]
    _, first, where = np.unique(controls, axis=0, return_index=True, return_inverse=True)
    if not within:
        return [(np.ones(crossing.n_groups, bool), "")]
    names = [str(name) for name, _ in crossing.columns[n_sensitive:]]
    found = []
    for i, group in enumerate(first.tolist()):
        texts = crossing.level_texts(group)[n_sensitive:]
        words = ", ".join(f"{name} = {text}" for name, text in zip(names, texts))
        found.append((where.reshape(-1) == i, words))
    return found


def _population(
    crossing: Crossing, places: Sequence[int], strata: np.ndarray, mask: np.ndarray, words: str
) -> Population:
    """The groups by the columns at `places`, of the rows in some strata and classes."""
    cells = crossing.cells[:, list(places)]
    kept = np.flatnonzero(strata)
    _, first, where = np.unique(cells[kept], axis=0, return_index=True, return_inverse=True)
    members = np.zeros((len(first), crossing.n_groups, len(mask)), bool)
    members[where.reshape(-1), kept] = mask
    labels = []
    for group in kept[first].tolist():
        texts = crossing.level_texts(group)
        labels.append(" x ".join(texts[i] for i in places))
    grouping = " x ".join(str(crossing.columns[i][0]) for i in places)
    return Population(grouping=grouping, condition=words, groups=tuple(labels), members=members)
