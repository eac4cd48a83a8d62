"""What a comparison of accuracy against fairness found."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree._tables import Sectioned, records
from arbitree._wording import counted, listed
from arbitree.tree import trials
from arbitree.tree.parity import CONDITIONAL, Parity, metrics_of
from arbitree.tree.scores import corrected_interval

SCHEMA = "arbitree/frontier"
SCHEMA_VERSION = 1
TREE = "tree"  # the method of our own trees
MEASURES = ("accuracy", "balanced_accuracy", "gap")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Frontier(Sectioned):
    """Accuracies and gaps of several methods on held-out rows, all on the same splits.

    Every row of `table` is the mean of the rows of `runs` with its method and parity.

    Attributes
    ----------
    table : DataFrame
        One row a method and bound: method, parity (the bound in words, "" without one), bound
        (its number), then accuracy, balanced_accuracy and gap, each with limits (``_low``,
        ``_high``) of the corrected resampled t interval; gap_not_constant (the mean gap without
        runs in which everybody is decided alike); train_accuracy, train_gap; n_runs, n_constant,
        n_leaves (mean); needs_groups (whether predictions ask for the groups).
    runs : DataFrame
        One row a split, method and bound.
    metric : str
        What the gap is of.
    favorable : str
        Which label counts as favourable.
    notices : tuple of str
        What a reader should know.
    estimators : tuple of classifiers
        Of each row of `table`, not fitted, its seed set: what `refit` fits. No rows are kept.
    """

    table: pd.DataFrame
    runs: pd.DataFrame
    metric: str
    favorable: str
    n_rows: int
    n_splits: int
    test_size: float
    confidence: float
    random_state: int
    notices: tuple[str, ...] = ()
    versions: dict[str, str] = field(default_factory=dict)
    estimators: tuple[Any, ...] = ()

    def refit(
        self,
        point: int | Parity | None,
        X: Any,
        y: Any,
        *,
        sensitive_features: Any = None,
        control_features: Any = None,
    ) -> Any:
        """Fit the estimator of one point on all rows given: the one to use, once it is chosen.

        A point is the mean of several fits, each on a part of the rows, so it has no tree of its
        own. This one is grown on all of `X`, with the parameters of that point. The accuracy and
        the gap in `table` speak of trees grown like it on ``1 - test_size`` of the rows; they
        were not measured on this one, and where the point was chosen by them they flatter it:
        audit or certify it on rows that neither saw. Trees of several budgets came from one
        search; this one is searched for alone, a little longer, and may be better.

        Parameters
        ----------
        point : int, Covariance, SplitGap, GapBudget or None
            A row of `table`, or the bound of one of our trees; None is the tree without a bound.
        X : frame or array (n, d)
        y : array-like (n,)
        sensitive_features, control_features : as of `arbitree.frontier`, optional
            Passed to ``fit`` where it takes them.

        Returns
        -------
        TreeClassifier or another classifier
            Fitted. A fresh one each time; the same rows give the same one.

        Raises
        ------
        InputError
            There is no such point; names those there are.

        Examples
        --------
        >>> import arbitree as ar
        >>> rng = np.random.default_rng(0)
        >>> X, sex = rng.normal(size=(300, 2)), rng.choice(["f", "m"], 300)
        >>> y = (X[:, 0] + (sex == "m") > 0.5).astype(int)
        >>> bounds = [None, ar.GapBudget(0.05)]
        >>> found = ar.frontier(X, y, sensitive_features=sex, parity=bounds, n_splits=2)
        >>> tree = found.refit(ar.GapBudget(0.05), X, y, sensitive_features=sex)
        >>> bool(tree.parity_report_["contribution"].sum() <= 0.05 + 1e-9)
        True
        """
        row = self._row(point)
        fresh = trials.changed(self.estimators[row])
        if not takes_controls(self.table["method"].iloc[row], fresh):
            control_features = None
        if sensitive_features is None:
            return fresh.fit(X, y)
        return trials.fit(fresh, X, y, sensitive_features, control_features)

    def _row(self, point: int | Parity | None) -> int:
        """The row of the table that a point names."""
        if isinstance(point, Integral) and not isinstance(point, bool):
            if 0 <= int(point) < len(self.estimators):
                return int(point)
            raise InputError(
                f"There is no point {point}. Pass a row of table, 0 to {len(self.estimators) - 1}."
            )
        ours = (self.table["method"] == TREE).tolist()
        bounds = [getattr(one, "parity", None) for one in self.estimators]
        for row, (own, bound) in enumerate(zip(ours, bounds)):
            if own and bound == point:
                return row
        known = [repr(bound) for own, bound in zip(ours, bounds) if own]
        raise InputError(
            f"There is no tree of {point!r}. Pass a row of table, or a bound of these: "
            f"{'; '.join(known) or 'none'}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values: NaN and infinity become None."""
        names = ("metric", "favorable", "n_rows", "n_splits", "test_size", "confidence")
        return {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            **{name: getattr(self, name) for name in names},
            "random_state": self.random_state,
            "notices": list(self.notices),
            "versions": self.versions,
            "table": records(self.table),
            "runs": records(self.runs),
        }

    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        shown = ["method", "parity", *_with_limits(), "n_constant", "n_runs", "n_leaves"]
        title = (
            f"Accuracy against the {self.metric} gap: means over {self.n_splits} splits, "
            f"{100 * self.confidence:g} % intervals"
        )
        return [(title, self.table[shown])]

    def __repr__(self) -> str:
        title, table = self._sections()[0]
        return "\n\n".join(
            [title, table.to_string(index=False, float_format="{:.3f}".format), *self.notices]
        )


def takes_controls(method: str, estimator: Any) -> bool:
    """Whether `fit` has a use for controls: of our trees, those with a bound within them."""
    bound = getattr(estimator, "parity", None)
    return method != TREE or (bound is not None and CONDITIONAL in metrics_of(bound.metric))


def summary(runs: pd.DataFrame, share_of_test: float, confidence: float) -> pd.DataFrame:
    """One row a method and bound: means over its runs."""
    found = []
    for (method, words), some in runs.groupby(["method", "parity"], sort=False):
        row: dict[str, Any] = {"method": method, "parity": words, "bound": some["bound"].iloc[0]}
        for name in MEASURES:
            limits = corrected_interval(
                some[name].to_numpy(dtype=float), share_of_test=share_of_test, confidence=confidence
            )
            row |= dict(zip((name, f"{name}_low", f"{name}_high"), np.clip(limits, 0, 1)))
        row["gap_not_constant"] = some.loc[~some["constant"], "gap"].mean()
        row["train_accuracy"], row["train_gap"] = some[["train_accuracy", "train_gap"]].mean()
        row["n_runs"], row["n_constant"] = len(some), int(some["constant"].sum())
        row["n_leaves"] = some["n_leaves"].mean()
        row["needs_groups"] = bool(some["needs_groups"].any())
        found.append(row)
    return pd.DataFrame(found)


def _with_limits() -> list[str]:
    return [f"{name}{limit}" for name in MEASURES for limit in ("", "_low", "_high")]


def run_notices(runs: pd.DataFrame) -> tuple[str, ...]:
    """What a reader should know of the runs."""
    found = []
    constant = runs[runs["constant"]]
    if len(constant):
        found.append(
            f"{counted(len(constant), 'run')} of {len(runs):,} decided alike for everybody, which "
            "has no gap: see n_constant and gap_not_constant."
        )
    without = int(runs["gap"].isna().sum())
    if without:
        found.append(
            f"{counted(without, 'run')} had fewer than two groups to compare among the rows held "
            "out, and no gap; means leave them out."
        )
    asks = runs.loc[runs["needs_groups"], "method"].unique()
    if len(asks):
        found.append(
            f"{listed(asks)} {'needs' if len(asks) == 1 else 'need'} the groups to predict; the "
            "others do not."
        )
    return tuple(found)
