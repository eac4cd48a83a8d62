"""What explains a gap."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from arbitree._tables import Sectioned, plain, records
from arbitree.groups.intervals import normal_quantile
from arbitree.influence.component import Component
from arbitree.influence.limits import limits

SCHEMA = "arbitree/influence"
SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Influence(Sectioned):
    """How much of a gap each feature, and each combination of features, carries.

    ``table.influence.sum() + unexplained == gap``, to rounding.

    Attributes
    ----------
    gap : float
        Rate of the high group minus rate of the low group, never negative.
    group_high, group_low : str
        The two groups.
    rates : DataFrame
        Every group: n, rate, role ("high", "low" or ""); highest rate first.
    table : DataFrame
        features (tuple of names), order, influence with its interval (ci_low, ci_high), and the
        shares of either group's variance (share_high, share_low); strongest first.
    unexplained : float
        What no listed set of features carries, with unexplained_low and unexplained_high. It
        includes `constant`.
    constant : float
        The part of `unexplained` that comes from groups whose outcome does not vary.
    r2 : DataFrame
        For each group: n, in_sample, out_of_fold (NaN without cross-fitting), explained: the sum of
        its shares, so that `unexplained` is rate times (1 - explained) of the one group less that
        of the other.
    proxies : DataFrame
        How well each feature alone tells the two groups apart: feature, auc, constant.
    metric, condition : str
        What gap it is, and over which rows.
    favorable : str
        Which outcome counts as favourable.
    scores : bool
        Whether the gap is one of mean scores, not of rates.
    components : dict from names to Component
        The functions themselves, of one or two features, fitted to all rows.
    notices : tuple of str
        What a reader should know.
    min_group_size : int
        A smaller group has a notice.
    resampled : (n_sets, n_bootstrap) float64
        How far each row of `table` moves in every replicate, about 0.
    least_error : float
        Standard error of an influence whose replicates do not vary.
    """

    gap: float
    group_high: str
    group_low: str
    rates: pd.DataFrame
    table: pd.DataFrame
    unexplained: float
    unexplained_low: float
    unexplained_high: float
    constant: float
    r2: pd.DataFrame
    proxies: pd.DataFrame
    metric: str
    condition: str
    favorable: str
    max_order: int
    n_intervals: int
    cross_fit: int
    n_bootstrap: int
    confidence: float
    random_state: int
    n_rows: int
    notices: tuple[str, ...] = ()
    versions: dict[str, str] = field(default_factory=dict)
    scores: bool = False
    min_group_size: int = 30
    source: dict[str, Any] = field(default_factory=dict)
    components: dict[tuple[Hashable, ...], Component] = field(default_factory=dict)
    resampled: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))
    least_error: float = 0.0

    def summed(self, rows: Sequence[int] | np.ndarray) -> tuple[float, float, float]:
        """What some rows of the table carry together, with the interval of the sum.

        Parameters
        ----------
        rows : (k,) int, or (n_sets,) bool
            Positions in `table`, or which of its rows.

        Returns
        -------
        influence, ci_low, ci_high : float
            The interval is NaN without resampling.

        Examples
        --------
        >>> import arbitree as ar
        >>> people = ar.datasets.make_health_insurance().frame
        >>> found = ar.explain_gap(people[["fitness", "income"]], people["eligible"] == "yes",
        ...                        sensitive_features=people["age"], n_bootstrap=20)
        >>> of_income = ["income" in names for names in found.table["features"]]
        >>> influence, low, high = found.summed(of_income)
        >>> low < influence < high
        True
        """
        at = np.arange(len(self.table))[np.asarray(rows) if len(rows) else slice(0)]
        value = float(self.table["influence"].iloc[at].sum())
        drawn = self.resampled[at].sum(axis=0) if self.resampled.size else np.empty(0)
        by_chance = self.least_error * float(np.sqrt(len(at)))
        return value, *limits(value, drawn, normal_quantile(self.confidence), by_chance)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values: NaN and infinity become None."""
        frames = ("rates", "table", "r2", "proxies")
        left = {*frames, "components", "resampled", "least_error"}
        names = [name for name in self.__dataclass_fields__ if name not in left]
        values = {name: plain(getattr(self, name)) for name in names}
        values["notices"] = list(self.notices)
        return {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            **values,
            **{name: records(getattr(self, name)) for name in frames},
        }

    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        rest = {
            "features": "(unexplained)",
            "order": "",
            "influence": self.unexplained,
            "ci_low": self.unexplained_low,
            "ci_high": self.unexplained_high,
        }
        shown = self.table[["features", "order", "influence", "ci_low", "ci_high"]].copy()
        shown["features"] = [" & ".join(map(str, names)) for names in shown["features"]]
        shown["order"] = shown["order"].astype(object)
        shown = pd.concat([shown, pd.DataFrame([rest])], ignore_index=True)
        return [
            (self._head(), shown),
            ("Variance explained within each group", self.r2),
            ("How well each feature alone tells the groups apart", self.proxies),
        ]

    def _notes(self) -> tuple[str, ...]:
        return self.notices

    def _head(self) -> str:
        what = self.favorable if self.scores else self.metric
        return (
            f"{what} ({self.condition}): {self.group_high} minus {self.group_low} = {self.gap:.3f}"
        )

    def __repr__(self) -> str:
        tables = [
            frame.to_string(index=False, float_format="{:.3f}".format, max_rows=24)
            for _, frame in self._sections()
        ]
        return "\n\n".join([f"Influence on {self._head()}", *tables, *self.notices])
