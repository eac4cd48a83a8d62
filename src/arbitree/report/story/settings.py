"""What a story is asked to tell: every setting with its default, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..._errors import InputError
from ..._wording import listed
from ...groups.intervals import normal_quantile
from ...groups.options import audit_options
from ...influence.compared import METRICS as EXPLAINED
from ...influence.options import whole
from ...table.missing import check_policy
from ...tree.parity import CONDITIONAL
from ...tree.parity import METRICS as BOUNDED

BOUNDS = (0.01, 0.02, 0.05, 0.1, 0.2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of a story. Shares of training, calibration and test rows sum to at most 1.

    Attributes
    ----------
    four_fifths : float
        Impact ratios below it are called out. A parameter, not a law.
    fail_under : float, optional
        A gate: an impact ratio of the decisions below it is a failure.
    metric : str
        The gap that the tree and the certificate are about.
    pool_share : float
        Groups with a smaller share of the rows are audited and flagged like all others. Sentences
        and influences are of larger ones, and tree and certificate take the smallest as one.
    explained : tuple of str
        Gaps of the decisions to split over features, for each sensitive column.
    max_gap : float, optional
        Budget of the tree's gap on training rows. By default the strictest of `bounds` that costs
        at most `accuracy_cost`.
    accuracy_cost : float
        Of accuracy on held-out rows, against a tree without a budget.
    bounds : tuple of float
        Budgets of the frontier's trees.
    joint : bool
        Whether tree and certificate compare combinations of the sensitive columns.
    calibration_share, test_share : float
        Of the rows, drawn at random: for the certificate, and for the tree's own audit.
    search_size : int
        Features times groups that trees are searched over at most; see `screening`.
    frontier_rows : int
        Training rows that the frontier is made of at most, drawn at random.
    """

    confidence: float = 0.95
    four_fifths: float = 0.8
    fail_under: float | None = None
    min_group_size: int = 30
    min_share: float = 0.02
    pool_share: float = 0.01
    cross: bool = True
    reference: Any = "best"
    missing: str = "drop"
    n_resamples: int = 2000
    explained: tuple[str, ...] = ("statistical_parity",)
    max_order: int = 2
    n_bootstrap: int = 200
    influence_rows: int = 1_000_000
    metric: str = "statistical_parity"
    max_gap: float | None = None
    accuracy_cost: float = 0.01
    bounds: tuple[float, ...] = BOUNDS
    joint: bool = False
    max_leaves: int = 8
    max_depth: int = 4
    min_samples_leaf: int = 20
    calibration_share: float = 0.2
    test_share: float = 0.2
    n_splits: int = 5
    frontier_rows: int = 20_000
    tree_rows: int = 200_000
    search_size: int = 400
    timeout: float = 60.0
    random_state: int = 0
    n_threads: int | None = None

    def __post_init__(self) -> None:
        self._check_options()
        for name in ("four_fifths", "accuracy_cost", "min_share", "pool_share"):
            _check_share(name, getattr(self, name))
        for name in ("max_gap", "fail_under"):
            if getattr(self, name) is not None:
                _check_share(name, getattr(self, name))
        for value in self.bounds:
            _check_share("bounds", value)
        if not self.bounds:
            raise InputError("bounds is empty. Name at least one budget, such as 0.05.")
        for value in (self.calibration_share, self.test_share):
            _check_share("calibration_share and test_share", value)
        if self.calibration_share + self.test_share >= 1:
            raise InputError(
                f"calibration_share is {self.calibration_share:g} and test_share "
                f"{self.test_share:g}: no rows are left for training. Make them smaller."
            )
        _check_metrics("metric", (self.metric,), [one for one in BOUNDED if one != CONDITIONAL])
        if self.n_splits < 2:
            raise InputError(f"n_splits is {self.n_splits}. Pass a whole number of at least 2.")

    def _check_options(self) -> None:
        """What audits and influences refuse is refused before any work is done."""
        _check_metrics("explained", self.explained, EXPLAINED)
        audit_options(
            cross=self.cross,
            reference_group=self.reference,
            n_resamples=self.n_resamples,
            random_state=self.random_state,
            p_values=False,
            missing=check_policy(self.missing),
            confidence=self.confidence,
            min_group_size=self.min_group_size,
        )
        whole("max_order", self.max_order, 1, 3)
        whole("n_bootstrap", self.n_bootstrap, 0, 10**6)
        normal_quantile(self.confidence)

    def to_dict(self) -> dict[str, Any]:
        """Every setting but the number of threads, on which no number depends."""
        return {name: value for name, value in asdict(self).items() if name != "n_threads"}


def _check_share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise InputError(f"{name} is {value:g}. Pass numbers from 0 to 1.")


def _check_metrics(name: str, given: Sequence[str], known: Sequence[str]) -> None:
    for one in given:
        if one not in known:
            raise InputError(f"{name} names {one!r}, and knows {listed(known)}.")
