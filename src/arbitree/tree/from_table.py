"""A tree from a table that is already coded, such as one read from a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from arbitree._errors import InputError, NotEstimableError
from arbitree._versions import versions
from arbitree._wording import counted, listed
from arbitree.groups.missing import check_missing, missing_notices
from arbitree.model.route import leaves, leaves_of_codes
from arbitree.model.tree import Feature
from arbitree.table.coded import CodedTable
from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import NumericCoding
from arbitree.table.decoded import frame_of, inexact
from arbitree.table.edges import code_dtype
from arbitree.table.frames import Column, columns
from arbitree.table.labels import MISSING, Outcome
from arbitree.tree.code_values import code_values
from arbitree.tree.estimator import TreeClassifier
from arbitree.tree.favorable import Favorable, labels_of
from arbitree.tree.fitted_report import fitted_report
from arbitree.tree.giveaways import giveaway_notices
from arbitree.tree.labels import class_array
from arbitree.tree.learned import Learned
from arbitree.tree.measured import DecidedRows, Measured, measured
from arbitree.tree.populations import Grouping, grouping, uncompared
from arbitree.tree.sensitive_copies import copy_notices
from arbitree.tree.stand_ins import stand_in_notices
from arbitree.tree.table import TrainingTable

PACKAGES = ("arbitree", "numpy", "scipy", "pandas")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rows:
    """Rows that can be used: label and groups are known and the weight is positive."""

    features: tuple[CodedColumn, ...]
    sensitive: tuple[CodedColumn, ...]
    control: tuple[CodedColumn, ...]
    y: np.ndarray  # (n,) index into classes
    weights: np.ndarray | None

    def columns(self) -> list[Column]:
        """The features as values, as far as their codes tell."""
        return columns(frame_of(self.features), what="features", default_name="x")

    def at(self, rows: np.ndarray) -> _Rows:
        """Some of the rows."""

        def taken(columns: Sequence[CodedColumn]) -> tuple[CodedColumn, ...]:
            return tuple(replace(column, codes=column.codes[rows]) for column in columns)

        return _Rows(
            features=taken(self.features),
            sensitive=taken(self.sensitive),
            control=taken(self.control),
            y=self.y[rows],
            weights=None if self.weights is None else self.weights[rows],
        )


def learn_table(
    table: CodedTable,
    model: TreeClassifier,
    *,
    metric: str = "statistical_parity",
    joint: bool = True,
    test_share: float = 0.3,
    confidence: float = 0.95,
    missing: str = "error",
    random_state: int = 0,
) -> Learned:
    """Grow a tree on a part of a table's rows, and measure it on the others.

    Parameters
    ----------
    table : CodedTable
        With features, groups and labels, such as `arbitree.read` makes of a file.
    model : TreeClassifier
        How to grow; becomes the fitted tree. Labels of the table say which are favourable.
    metric : str
        The gap to report; that of the model's `parity`, where it has one.
    joint : bool
        Compare combinations of the sensitive columns; with False, those of each column.
    test_share : float
        Share of the rows, drawn at random, that the tree never sees; 0 for none.
    confidence : float
        Of intervals on these rows.
    missing : "error", "drop" or "group"
        What rows of unknown group mean, as for `arbitree.audit`.
    random_state : int
        Of the draw, of the search and of resamplings.

    Returns
    -------
    Learned

    Raises
    ------
    InputError
        The table lacks something, or a parameter makes no sense.
    NotEstimableError
        There are no two groups to compare.
    """
    labels = _labels(table)
    check_missing(table, missing)
    _check_features(table, model)
    classes = typed_levels(labels.levels)
    favorable = _favorable(labels)
    kept = _kept(table, labels, missing)
    rng = np.random.default_rng(random_state)
    training, held_out = _parted(kept, test_share, rng)
    if len(np.unique(training.y)) < 2:
        only = listed([classes[training.y[0]]])
        raise InputError(f"{labels.name} is {only} in every training row: nothing can be learnt.")
    compare = _Compare(metric=metric, joint=joint, classes=classes, favorable=favorable)
    groups = compare.groups(training)
    if not groups.populations:
        names = listed(column.name for column in table.sensitive)
        raise NotEstimableError(f"{names}: the training rows have no two groups to compare.")
    alone = uncompared(groups, training.y, len(classes))
    if len(alone) == len(groups.populations):
        raise NotEstimableError(f"{' '.join(alone)} {metric} needs two groups with rows.")
    told = missing_notices(table, missing)
    of_rules = _fit(model, _training_table(training, groups, compare, model), groups, training)
    on_training = compare.measure(model, training, None, rng)
    splits = fitted_report(model.tree_, groups.populations, favorable=favorable)
    return Learned(
        model=model,
        label=labels.name,
        favorable=labels.how,
        metric=metric,
        training=on_training,
        held_out=compare.measure(model, held_out, confidence, rng) if len(held_out.y) else None,
        splits=splits,
        confidence=confidence,
        random_state=random_state,
        notices=(
            *table.notices,
            *told,
            *of_rules,
            *_left_out(kept, table, told),
            *alone,
            *giveaway_notices(replace(table, decisions=None)),
            *copy_notices(training.features, training.sensitive),
            *stand_in_notices(model.tree_, splits, on_training.by_group),
        ),
        source=dict(table.source or {}),
        versions=versions(*PACKAGES),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Compare:
    """What is compared, the same on training and on held-out rows."""

    metric: str
    joint: bool
    classes: tuple[object, ...]
    favorable: Favorable

    def groups(self, rows: _Rows) -> Grouping:
        return grouping(
            rows.sensitive,
            rows.control,
            metric=self.metric,
            joint=self.joint,
            classes=self.classes,
            favorable=self.favorable,
        )

    def measure(
        self,
        model: TreeClassifier,
        rows: _Rows,
        confidence: float | None,
        rng: np.random.Generator,
    ) -> Measured:
        if model.rules is None:
            leaf = leaves_of_codes(model.tree_, [column.codes for column in rows.features])
        else:  # whose limits need not be edges of bins
            leaf = leaves(model.tree_, rows.columns())
        groups = self.groups(rows)
        decided = DecidedRows(
            y=rows.y,
            decided=model.tree_.label[leaf],
            group=groups.group,
            n_classes=len(self.classes),
            n_groups=len(groups.groups),
            favorable=self.favorable,
            weights=rows.weights,
        )
        return measured(decided, groups.populations, confidence=confidence, rng=rng)


def _labels(table: CodedTable) -> Outcome:
    if table.labels is None:
        raise InputError("The table has no labels. Read it with label=.")
    if not table.sensitive:
        raise InputError("The table has no groups. Read it with sensitive=.")
    if not table.features:
        raise InputError("The table has no features. Read it with features='all', or their names.")
    return table.labels


def _check_features(table: CodedTable, model: TreeClassifier) -> None:
    sensitive = {column.name for column in table.sensitive}
    both = [column.name for column in table.features if column.name in sensitive]
    if both and not model.allow_sensitive_splits:
        raise InputError(
            f"{listed(both)}: sensitive and among the features, so that the tree could split on "
            "it. Leave it out of the features, or pass allow_sensitive_splits=True."
        )


def _kept(table: CodedTable, labels: Outcome, missing: str) -> _Rows:
    """The rows that can be used, in their order."""
    assert labels.level is not None
    keep = labels.codes != MISSING
    if table.weights is not None:
        keep &= table.weights > 0
    if missing != "group":
        for column in (*table.sensitive, *table.control):
            keep &= column.codes != column.coding.missing_code
    if not keep.any():
        raise InputError("No row has a known label, a known group and a positive weight.")
    whole = _Rows(
        features=table.features,
        sensitive=table.sensitive,
        control=table.control,
        y=labels.level,
        weights=table.weights,
    )
    return whole if keep.all() else whole.at(np.flatnonzero(keep))


def _left_out(kept: _Rows, table: CodedTable, told: Sequence[str]) -> tuple[str, ...]:
    """How many rows could not be used, where no single notice says so."""
    n = table.n_rows - len(kept.y)
    known = len(told) == 1 and table.weights is None
    return () if known or not n else (f"{counted(n, 'row')} of {table.n_rows:,} cannot be used.",)


def _parted(rows: _Rows, test_share: float, rng: np.random.Generator) -> tuple[_Rows, _Rows]:
    """Training and held-out rows, each in their order."""
    if not 0 <= test_share < 1:
        raise InputError(f"test_share is {test_share}. Give a number from 0 to less than 1.")
    n = len(rows.y)
    n_test = round(test_share * n)
    if n - n_test < 2:
        raise InputError(
            f"{counted(n, 'row')} can be used, of which {n - n_test} would be left for training. "
            "Pass a smaller test_share."
        )
    order = rng.permutation(n)
    return rows.at(np.sort(order[n_test:])), rows.at(np.sort(order[:n_test]))


def _training_table(
    rows: _Rows, groups: Grouping, compare: _Compare, model: TreeClassifier
) -> TrainingTable:
    values = None
    if model.split == "logistic":
        codings = [column.coding for column in rows.features]
        values = tuple(code_values(c) if isinstance(c, NumericCoding) else None for c in codings)
    return TrainingTable(
        features=tuple(Feature(name=c.name, coding=c.coding) for c in rows.features),
        codes=tuple(column.codes for column in rows.features),
        y=rows.y.astype(code_dtype(len(compare.classes))),
        classes=compare.classes,
        favorable=compare.favorable,
        weights=rows.weights,
        values=values,
        group=groups.group,
        groups=groups.groups,
        populations=groups.populations,
    )


def _fit(
    model: TreeClassifier, table: TrainingTable, groups: Grouping, rows: _Rows
) -> tuple[str, ...]:
    """Grow the tree and set what `TreeClassifier.fit` sets; what the user should read."""
    model.classes_ = class_array(table.classes)
    model.n_features_in_ = len(table.features)
    names = [feature.name for feature in table.features]
    model.feature_names_in_ = np.array(names, dtype=object)
    model.favorable_ = table.favorable
    model.favorable_label_ = labels_of(table.favorable, table.classes)
    model.favorable_assumed_ = False  # a table says it, or is refused
    model.populations_ = groups.populations
    if model.rules is None:
        model.tree_ = model._grown(table)
        return ()
    notices = model._fit_under_rules(table, rows.columns())
    binned = [column.name for column in inexact(rows.features)]
    if binned:
        notices += (
            f"{listed(binned)}: more distinct numbers than bins. Rows near the limit of a rule "
            "count by the middle of their bin; the rules are obeyed exactly.",
        )
    return notices


def _favorable(labels: Outcome) -> Favorable:
    places = tuple(i for i, level in enumerate(labels.levels) if level in labels.favorable)
    if not places or len(places) == len(labels.levels):
        seen = listed(labels.levels)
        raise InputError(
            f"{labels.name} has {seen}, and {labels.how}: there are no two outcomes to tell "
            "apart. Pass other data, or another favorable_label."
        )
    return places if len(places) > 1 else places[0]


def typed_levels(levels: Sequence[object]) -> tuple[Any, ...]:
    """Labels of a text file as the numbers that they are, if all are, else as texts.

    >>> typed_levels(["0", "1"]), typed_levels(["01", "1"]), typed_levels(["0.5", "1.0"])
    ((0, 1), ('01', '1'), (0.5, 1.0))
    """
    for kind in (int, float):
        try:
            numbers = tuple(kind(str(level)) for level in levels)
        except ValueError:
            continue
        if all(isinstance(level, str) and repr(n) == level for level, n in zip(levels, numbers)):
            return numbers
    return tuple(levels)
