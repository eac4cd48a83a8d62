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
    InputError,
    LabelError,
    MissingDependencyError,
    MissingValueError,
    NotEstimableError,
)

if TYPE_CHECKING:
    from . import datasets
    from .groups.audit import audit
    from .groups.result import Audit, Gate
    from .influence.explain import explain_gap
    from .influence.result import Influence
    from .report.plots import plot_groups
    from .table.coded import CodedTable
    from .table.reader import read

__version__ = "0.1.0"

# Loaded when first used: `import arbitree` costs milliseconds and draws in neither a plotting
# library nor a compiler (benchmarks/cold_start.py).
_WHERE = {
    "Audit": ".groups.result",
    "CodedTable": ".table.coded",
    "Gate": ".groups.result",
    "Influence": ".influence.result",
    "audit": ".groups.audit",
    "datasets": ".datasets",
    "explain_gap": ".influence.explain",
    "plot_groups": ".report.plots",
    "read": ".table.reader",
}

__all__ = [
    "AlignmentError",
    "ArbitreeError",
    "ArbitreeWarning",
    "Audit",
    "CodedTable",
    "ColumnError",
    "Gate",
    "Influence",
    "InputError",
    "LabelError",
    "MissingDependencyError",
    "MissingValueError",
    "NotEstimableError",
    "audit",
    "datasets",
    "explain_gap",
    "plot_groups",
    "read",
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
