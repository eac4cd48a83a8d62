"""Where a classifier's group bias comes from, and what decides fairly instead.

>>> import arbitree as ar
>>> found = ar.audit(
...     ["yes", "yes", "no", "no"],
...     sensitive_features={"sex": ["f", "m", "f", "f"]},
...     favorable_label="yes",
...     min_group_size=1,
... )
>>> found.gaps.loc[0, ["metric", "group_high", "group_low"]].tolist()
['statistical_parity', 'm', 'f']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ._errors import (
    AlignmentError,
    ArbitreeError,
    ArbitreeWarning,
    ColumnError,
    ContradictionError,
    InputError,
    LabelError,
    MissingContradictionError,
    MissingDependencyError,
    MissingValueError,
    NoGroupsError,
    NotEstimableError,
    RuleError,
    UnsafeTreeWarning,
)

if TYPE_CHECKING:
    from . import datasets
    from .certificate.check.report import CheckedCertificate
    from .certificate.check.run import check_certificate
    from .certificate.fairness import certify
    from .certificate.result import Certificate
    from .groups.audit import audit, audit_table
    from .groups.result import Audit, Gate
    from .influence.before_after import Comparison, compare
    from .influence.explain import explain_gap
    from .influence.result import Influence
    from .influence.shapley import ShapleyGap, shapley_gap
    from .model.read import ReadModel
    from .report.comparison_plot import plot_comparison
    from .report.displays import (
        ComparisonDisplay,
        FrontierDisplay,
        GroupsDisplay,
        InfluenceDisplay,
        InteractionDisplay,
        TreeDisplay,
    )
    from .report.frontier_plot import plot_frontier
    from .report.influence_plot import plot_influence
    from .report.interaction_plot import plot_interaction
    from .report.ll144 import LL144, ll144
    from .report.plots import plot_groups
    from .report.tree_plot import plot_tree
    from .rules.check import RuleCheck
    from .rules.coverage import RuleCoverage
    from .rules.ruleset import Rules
    from .rules.schema import Schema
    from .rules.shield import Shield
    from .rules.statements import Fact, Rule
    from .rules.verification import Verification
    from .rules.verify import verify
    from .table.coded import CodedTable
    from .table.reader import read
    from .tree.estimator import TreeClassifier
    from .tree.frontier import frontier
    from .tree.frontier_result import Frontier
    from .tree.on_rows import local_parity, parity_bounds, parity_report
    from .tree.parity import Covariance, GapBudget, SplitGap
    from .tree.read_model import read_model
    from .tree.repair import repair
    from .tree.repaired import Repair
    from .tree.saved_tree import read_tree

__version__ = "0.1.0"

# Loaded when first used: `import arbitree` costs milliseconds and draws in neither a plotting
# library nor a compiler (benchmarks/cold_start.py).
_WHERE = {
    "Audit": ".groups.result",
    "Certificate": ".certificate.result",
    "CheckedCertificate": ".certificate.check.report",
    "CodedTable": ".table.coded",
    "Comparison": ".influence.before_after",
    "ComparisonDisplay": ".report.displays",
    "Covariance": ".tree.parity",
    "Fact": ".rules.statements",
    "Frontier": ".tree.frontier_result",
    "FrontierDisplay": ".report.displays",
    "GapBudget": ".tree.parity",
    "Gate": ".groups.result",
    "GroupsDisplay": ".report.displays",
    "Influence": ".influence.result",
    "InfluenceDisplay": ".report.displays",
    "InteractionDisplay": ".report.displays",
    "LL144": ".report.ll144",
    "ReadModel": ".model.read",
    "Repair": ".tree.repaired",
    "Rule": ".rules.statements",
    "RuleCheck": ".rules.check",
    "RuleCoverage": ".rules.coverage",
    "Rules": ".rules.ruleset",
    "Schema": ".rules.schema",
    "ShapleyGap": ".influence.shapley",
    "Shield": ".rules.shield",
    "SplitGap": ".tree.parity",
    "TreeClassifier": ".tree.estimator",
    "TreeDisplay": ".report.displays",
    "Verification": ".rules.verification",
    "audit": ".groups.audit",
    "audit_table": ".groups.audit",
    "certify": ".certificate.fairness",
    "check_certificate": ".certificate.check.run",
    "compare": ".influence.before_after",
    "datasets": ".datasets",
    "explain_gap": ".influence.explain",
    "frontier": ".tree.frontier",
    "ll144": ".report.ll144",
    "local_parity": ".tree.on_rows",
    "parity_bounds": ".tree.on_rows",
    "parity_report": ".tree.on_rows",
    "plot_comparison": ".report.comparison_plot",
    "plot_frontier": ".report.frontier_plot",
    "plot_groups": ".report.plots",
    "plot_influence": ".report.influence_plot",
    "plot_interaction": ".report.interaction_plot",
    "plot_tree": ".report.tree_plot",
    "read": ".table.reader",
    "read_model": ".tree.read_model",
    "read_tree": ".tree.saved_tree",
    "repair": ".tree.repair",
    "shapley_gap": ".influence.shapley",
    "verify": ".rules.verify",
}

__all__ = [
    "LL144",
    "AlignmentError",
    "ArbitreeError",
    "ArbitreeWarning",
    "Audit",
    "Certificate",
    "CheckedCertificate",
    "CodedTable",
    "ColumnError",
    "Comparison",
    "ComparisonDisplay",
    "ContradictionError",
    "Covariance",
    "Fact",
    "Frontier",
    "FrontierDisplay",
    "GapBudget",
    "Gate",
    "GroupsDisplay",
    "Influence",
    "InfluenceDisplay",
    "InputError",
    "InteractionDisplay",
    "LabelError",
    "MissingContradictionError",
    "MissingDependencyError",
    "MissingValueError",
    "NoGroupsError",
    "NotEstimableError",
    "ReadModel",
    "Repair",
    "Rule",
    "RuleCheck",
    "RuleCoverage",
    "RuleError",
    "Rules",
    "Schema",
    "ShapleyGap",
    "Shield",
    "SplitGap",
    "TreeClassifier",
    "TreeDisplay",
    "UnsafeTreeWarning",
    "Verification",
    "audit",
    "audit_table",
    "certify",
    "check_certificate",
    "compare",
    "datasets",
    "explain_gap",
    "frontier",
    "ll144",
    "local_parity",
    "parity_bounds",
    "parity_report",
    "plot_comparison",
    "plot_frontier",
    "plot_groups",
    "plot_influence",
    "plot_interaction",
    "plot_tree",
    "read",
    "read_model",
    "read_tree",
    "repair",
    "shapley_gap",
    "verify",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(_WHERE[name], __name__)
    value = module if name == "datasets" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
