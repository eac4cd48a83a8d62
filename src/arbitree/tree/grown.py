"""Growth of whatever kind the options ask for."""

from __future__ import annotations

from arbitree.model.tree import Tree
from arbitree.tree.grow import grow
from arbitree.tree.options import GrowthOptions
from arbitree.tree.parity import GapBudget
from arbitree.tree.split import ExtraCounts
from arbitree.tree.table import TrainingTable


def grown(table: TrainingTable, options: GrowthOptions, extra: ExtraCounts | None = None) -> Tree:
    """The tree that the options ask for, of whatever kind."""
    if isinstance(options.parity, GapBudget):
        from arbitree.tree.budget.search import fit_budget

        return fit_budget(table, options)
    return grow(table, options, extra=extra)
