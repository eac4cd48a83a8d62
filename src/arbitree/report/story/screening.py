"""Fewer features for the tree of a story where there are very many.

A tree under a budget is searched for over features times groups. Beyond some number of these it is
offered the features that a larger tree without a budget finds most useful on the training rows.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...tree.estimator import TreeClassifier
from .parts import Parts, Rows
from .settings import Settings

LEAVES = 64
FEWEST = 5


def screened(drawn: Parts, settings: Settings, *, named: str = "") -> Parts:
    """The same rows with as many features as can be searched in time.

    Parameters
    ----------
    drawn : Parts
    settings : Settings
    named : str
        A text, such as that of rules: features whose names are in it stay.
    """
    n_groups = sum(column.coding.n_values for column in drawn.training.compared)
    names = [column.name for column in drawn.training.table.features]
    most = max(settings.search_size // max(n_groups, 1), FEWEST)
    if len(names) <= most:
        return drawn
    rng = np.random.default_rng(settings.random_state)
    rows = drawn.training.drawn(settings.frontier_rows, rng)
    tree = TreeClassifier(max_leaf_nodes=LEAVES, min_samples_leaf=settings.min_samples_leaf)
    tree.fit(rows.X, rows.y)
    order = np.argsort(-tree.feature_importances_, kind="stable")[:most]
    kept = {names[at] for at in order.tolist()} | {one for one in names if str(one) in named}
    return replace(
        drawn,
        training=_with(drawn.training, kept),
        calibration=_with(drawn.calibration, kept),
        test=_with(drawn.test, kept),
        n_left_aside=len(names) - len(kept),
    )


def _with(rows: Rows, names: set[object]) -> Rows:
    features = tuple(column for column in rows.table.features if column.name in names)
    return replace(rows, table=replace(rows.table, features=features))
