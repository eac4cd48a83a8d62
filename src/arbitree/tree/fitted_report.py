"""The report of a fitted tree: each population that its metric compares, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from arbitree._errors import NoGroupsError
from arbitree.model.tree import Tree
from arbitree.tree.favorable import Favorable
from arbitree.tree.parity_report import parity_report
from arbitree.tree.populations import Population
from arbitree.tree.reached import Reached


def fitted_report(
    tree: Tree, populations: Sequence[Population], *, favorable: Favorable
) -> pd.DataFrame:
    """Which split adds how much to the training gap of each population.

    Parameters
    ----------
    tree : Tree
        Grown with groups.
    populations : sequence of Population
        What was compared in training.
    favorable : int or tuple of int

    Raises
    ------
    NoGroupsError
        If the tree knows no groups.
    """
    if tree.reach is not None and not populations:
        raise NoGroupsError("The training rows had no two groups to compare.")
    if tree.reach is None:
        raise NoGroupsError("The tree knows no groups. Pass sensitive_features to fit.")
    return by_population(
        populations,
        lambda population: parity_report(
            tree, favorable=favorable, rows=reached_by(tree, population)
        ),
    )


def by_population(
    populations: Sequence[Population], frame: Callable[[Population], pd.DataFrame]
) -> pd.DataFrame:
    """The frames of all populations, one below the other, with the grouping before the condition.

    Without it, groups of one name in two columns could not be told apart.
    """
    parts = []
    for population in populations:
        part = frame(population)
        part.insert(list(part.columns).index("condition"), "grouping", population.grouping)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def reached_by(tree: Tree, population: Population) -> Reached:
    """The training weight of each compared group at each node."""
    assert tree.reach is not None
    weight = np.einsum("igc,kgc->ik", tree.reach, population.members.astype(np.float64))
    return Reached(
        conditions=(population.condition or "all",), groups=population.groups, weight=weight[None]
    )
