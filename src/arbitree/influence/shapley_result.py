"""What Shapley values of the decisions say of a gap."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import InputError
from arbitree._tables import Sectioned, plain, records
from arbitree.influence.compared import ALL_ROWS
from arbitree.influence.result import Influence

SCHEMA = "arbitree/shapley-gap"
SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class ShapleyGap(Sectioned):
    """How much of a gap in decisions each feature of a model carries, by Shapley values.

    ``table.value.sum() == gap``, to rounding.

    Attributes
    ----------
    gap : float
        Rate of the high group minus rate of the low group, never negative.
    group_high, group_low : str
        The two groups.
    rates : DataFrame
        Every group: n, rate, role ("high", "low" or "").
    table : DataFrame
        features (a tuple of one name), value with its interval (ci_low, ci_high), and the means
        by group whose difference it is (mean_high, mean_low); largest first.
    favorable : str
        Which decision counts as favourable.
    n_explained : tuple of int
        Rows explained of the high and of the low group.
    notices : tuple of str
        What a reader should know.
    """

    gap: float
    group_high: str
    group_low: str
    rates: pd.DataFrame
    table: pd.DataFrame
    favorable: str
    confidence: float
    n_rows: int
    n_explained: tuple[int, int]
    n_background: int
    n_permutations: int
    notices: tuple[str, ...] = ()
    versions: dict[str, str] = field(default_factory=dict)

    def beside(self, influence: Influence) -> pd.DataFrame:
        """Both lenses on one gap, each in its own column; they are not to be added.

        Parameters
        ----------
        influence : Influence
            Of statistical parity, for the same two groups and decisions.

        Returns
        -------
        DataFrame
            features, influence, shapley; each of the two adds up to the gap. Sets of several
            features have influence only (NaN elsewhere), and a feature that an explanation leaves
            out has NaN there. The last row, with the text "unexplained" for features, is what no
            influence carries.

        Raises
        ------
        InputError
            It explains another gap.
        """
        here = (ALL_ROWS, self.group_high, self.group_low)
        there = (influence.condition, influence.group_high, influence.group_low)
        if here != there or abs(self.gap - influence.gap) > 1e-9:
            raise InputError(
                f"The influence is of {there[1]} over {there[2]} ({there[0]}, gap "
                f"{influence.gap:.4f}) and the Shapley values of {here[1]} over {here[2]} "
                f"({here[0]}, gap {self.gap:.4f}). Explain the same decisions and groups."
            )
        left = influence.table[["features", "influence"]]
        right = self.table[["features", "value"]].rename(columns={"value": "shapley"})
        both = left.merge(right, on="features", how="outer", sort=False)
        rest = {"features": ["unexplained"], "influence": influence.unexplained, "shapley": np.nan}
        return pd.concat([both, pd.DataFrame(rest)], ignore_index=True)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values: NaN and infinity become None."""
        frames = ("rates", "table")
        names = [name for name in self.__dataclass_fields__ if name not in frames]
        return {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            **{name: plain(getattr(self, name)) for name in names},
            **{name: records(getattr(self, name)) for name in frames},
        }

    def _head(self) -> str:
        return (
            f"Shapley values of decisions: {self.group_high} minus {self.group_low} "
            f"= {self.gap:.3f}"
        )

    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        return [(self._head(), self._shown())]

    def _shown(self) -> pd.DataFrame:
        return self.table.assign(features=[str(name) for (name,) in self.table["features"]])

    def __repr__(self) -> str:
        table = self._shown().to_string(index=False, float_format="{:.3f}".format, max_rows=24)
        return "\n\n".join([self._head(), table, *self.notices])
