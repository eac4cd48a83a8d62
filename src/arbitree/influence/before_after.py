"""Two explanations of the gap between the same two groups, one beside the other."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from arbitree._errors import InputError
from arbitree._tables import Sectioned, plain, records
from arbitree._wording import ASSUMED, counted
from arbitree.influence.result import Influence

SCHEMA = "arbitree/comparison"
SCHEMA_VERSION = 1

Features = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Comparison(Sectioned):
    """What changed in a gap and in its parts.

    Each of before, after and change adds up: the column of `table` plus its unexplained part is its
    gap, to rounding. All gaps are `group_high` minus `group_low`; `gap_after` is negative where the
    groups changed places.

    Attributes
    ----------
    table : DataFrame
        features (tuple of names), order, before, after, change; largest change first.
    gap_before, gap_after, gap_change : float
    unexplained_before, unexplained_after, unexplained_change : float
    group_high, group_low : str
        As they were before.
    metric, condition : str
    favorable : str
        Which outcome counts as favourable.
    scores : bool
        Whether the gaps are of mean scores, not of rates.
    notices : tuple of str
        What a reader should know.
    """

    table: pd.DataFrame
    gap_before: float
    gap_after: float
    gap_change: float
    unexplained_before: float
    unexplained_after: float
    unexplained_change: float
    group_high: str
    group_low: str
    metric: str
    condition: str
    favorable: str
    scores: bool = False
    notices: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values: NaN and infinity become None."""
        names = [name for name in self.__dataclass_fields__ if name != "table"]
        return {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            **{name: plain(getattr(self, name)) for name in names},
            "table": records(self.table),
        }

    def _notes(self) -> tuple[str, ...]:
        return self.notices

    def _head(self) -> str:
        what = self.favorable if self.scores else self.metric
        return (
            f"{what} ({self.condition}): {self.group_high} minus {self.group_low}, "
            f"{self.gap_before:.3f} before, {self.gap_after:.3f} after"
        )

    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        return [(self._head(), self._shown())]

    def _shown(self) -> pd.DataFrame:
        shown = self.table[["features", "before", "after", "change"]].copy()
        shown["features"] = [" x ".join(map(str, names)) for names in shown["features"]]
        for name in ("unexplained", "gap"):
            values = [getattr(self, f"{name}_{when}") for when in ("before", "after", "change")]
            shown.loc[len(shown)] = [f"({name})", *values]
        return shown

    def __repr__(self) -> str:
        table = self._shown().to_string(index=False, float_format="{:.3f}".format, max_rows=24)
        return "\n\n".join([f"Comparison of {self._head()}", table, *self.notices])


def compare(before: Influence, after: Influence) -> Comparison:
    """Say what changed between two explanations of a gap.

    Parameters
    ----------
    before, after : Influence
        Of the same metric, condition and two groups. Where the groups changed places, what is
        after is counted the way it was before, as a negative gap.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        They explain different things; says which, and what to pass to `explain_gap`.

    Notes
    -----
    The changes add up to the change of the gap because influences and what is unexplained do so
    before and after (the decomposability of equation 5 of Ghosh, Basu and Meel, 2023). A set of
    features that one explanation has no component for counts as 0 there.

    Examples
    --------
    >>> import arbitree as ar
    >>> people = ar.datasets.make_health_insurance().frame
    >>> X, age = people[["fitness", "income"]], people["age"]
    >>> strict = ar.explain_gap(X, X["income"] >= 0.5, sensitive_features=age, n_bootstrap=0)
    >>> lenient = ar.explain_gap(X, X["income"] >= 0.45, sensitive_features=age, n_bootstrap=0)
    >>> found = ar.compare(strict, lenient)
    >>> total = found.table["change"].sum() + found.unexplained_change
    >>> bool(abs(total - found.gap_change) < 1e-9)
    True
    """
    sign = _orientation(before, after)
    old, new = _influences(before, 1.0), _influences(after, sign)
    rows = [
        (features, len(features), old.get(key, 0.0), new.get(key, 0.0))
        for key, features in _sets(before, after).items()
    ]
    table = pd.DataFrame(rows, columns=["features", "order", "before", "after"])
    table["change"] = table["after"] - table["before"]
    by_size = (-table["change"].abs()).argsort(kind="stable")
    gap_after, unexplained_after = sign * after.gap, sign * after.unexplained
    return Comparison(
        table=table.iloc[by_size].reset_index(drop=True),
        gap_before=before.gap,
        gap_after=gap_after,
        gap_change=gap_after - before.gap,
        unexplained_before=before.unexplained,
        unexplained_after=unexplained_after,
        unexplained_change=unexplained_after - before.unexplained,
        group_high=before.group_high,
        group_low=before.group_low,
        metric=before.metric,
        condition=before.condition,
        favorable=before.favorable,
        scores=before.scores,
        notices=_notices(before, after, old, new, sign),
    )


def _orientation(before: Influence, after: Influence) -> float:
    """1, or -1 where the groups changed places."""
    for name, value in (("before", before), ("after", after)):
        if not isinstance(value, Influence):
            raise InputError(
                f"{name} is a {type(value).__name__}. Pass what arbitree.explain_gap returns."
            )
    if (before.metric, before.condition) != (after.metric, after.condition):
        raise InputError(
            f"before explains {before.metric} ({before.condition}) and after {after.metric} "
            f"({after.condition}). Explain both with the same metric; of equalized_odds pass "
            "metric='equal_opportunity' or 'predictive_equality', which have one condition."
        )
    if before.scores != after.scores:
        raise InputError("One explains mean scores and the other rates. Explain both alike.")
    old, new = (before.group_high, before.group_low), (after.group_high, after.group_low)
    if set(old) != set(new):
        raise InputError(
            f"before compares {old[0]!r} with {old[1]!r} and after {new[0]!r} with {new[1]!r}. "
            f"Explain both with groups={old!r}."
        )
    return 1.0 if old == new else -1.0


def _key(features: Features) -> frozenset[Hashable]:
    return frozenset(features)


def _sets(before: Influence, after: Influence) -> dict[frozenset[Hashable], Features]:
    """Every set of features of either, as it is first written."""
    found: dict[frozenset[Hashable], Features] = {}
    for features in [*before.table["features"], *after.table["features"]]:
        found.setdefault(_key(features), features)
    return found


def _influences(infl: Influence, sign: float) -> dict[frozenset[Hashable], float]:
    pairs = zip(infl.table["features"], infl.table["influence"])
    return {_key(features): sign * float(value) for features, value in pairs}


def _notices(
    before: Influence,
    after: Influence,
    old: dict[frozenset[Hashable], float],
    new: dict[frozenset[Hashable], float],
    sign: float,
) -> tuple[str, ...]:
    found = []
    if sign < 0:
        found.append(
            f"The groups changed places: after, {after.group_high!r} is above {after.group_low!r}, "
            "so that gap and its parts count as negative."
        )
    for when, missing in (("before", len(new.keys() - old)), ("after", len(old.keys() - new))):
        if missing:
            found.append(
                f"{counted(missing, 'set')} of features had no component {when} and "
                f"{'counts' if missing == 1 else 'count'} as 0 there; what it carries is in "
                "unexplained."
            )
    old_name, new_name = (
        one.favorable.removeprefix("favourable: ").removesuffix(ASSUMED) for one in (before, after)
    )
    if old_name != new_name:
        found.append(
            f"Check that what is favourable is the same: before {old_name}, after {new_name}."
        )
    return tuple(found)
