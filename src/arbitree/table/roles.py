"""Which columns of a file are read, and what for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arbitree._errors import ColumnError, InputError
from arbitree.table.sources import check_columns


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """Names of columns by what they are for. All of them exist in the file."""

    features: tuple[str, ...]
    all_features: bool  # features are those that no other role has
    sensitive: tuple[str, ...]
    control: tuple[str, ...]
    decision: str | None
    label: str | None
    score: str | None
    weight: str | None
    probabilities: tuple[str, ...] = ()

    @property
    def outcomes(self) -> tuple[str, ...]:
        """Columns that are no groups and no features."""
        names = (self.decision, self.label, self.score, self.weight)
        return tuple(name for name in names if name is not None)

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns to read, each once."""
        groups = (*self.sensitive, *self.control)
        return tuple(dict.fromkeys((*groups, *self.outcomes, *self.probabilities, *self.features)))


def roles(
    known: Sequence[str],
    *,
    name: str,
    features: str | Sequence[str] | None,
    sensitive: str | Sequence[str] | None,
    control: str | Sequence[str] | None,
    decision: str | None,
    label: str | None,
    score: str | None,
    weight: str | None,
    probabilities: str | Sequence[str] | None = (),
) -> Roles:
    """Check what is asked for against the columns of a file called `name`.

    Raises
    ------
    ColumnError
        If a column is not there, or is named twice in one role.
    InputError
        If no column is asked for, or an outcome is asked for as a group too.
    """
    groups = {"sensitive": _listed("sensitive", sensitive), "control": _listed("control", control)}
    outcomes = {"decision": decision, "label": label, "score": score, "weight": weight}
    single = [column for column in outcomes.values() if column is not None]
    for role, columns in groups.items():
        _check_once(columns, role)
        for other, column in outcomes.items():
            if column in columns and other != "score":
                raise InputError(f"The {other} column {column!r} is a {role} column too.")
    probable = _listed("probabilities", probabilities)
    _check_once(probable, "probabilities")
    taken = {*groups["sensitive"], *groups["control"], *single, *probable}
    # An array of names compares name by name.
    everything = isinstance(features, str) and features == "all"
    if everything:
        chosen = tuple(column for column in known if column not in taken)
    else:
        chosen = _listed("features", features)
        _check_once(chosen, "features")
    found = Roles(
        features=chosen,
        all_features=everything,
        sensitive=groups["sensitive"],
        control=groups["control"],
        decision=decision,
        label=label,
        score=score,
        weight=weight,
        probabilities=probable,
    )
    check_columns(found.columns, known, where=name)
    if not found.columns:
        raise InputError(f"No column of {name} was asked for. Name a decision or a group.")
    return found


def _listed(role: str, columns: str | Sequence[str] | None) -> tuple[str, ...]:
    if columns is None or isinstance(columns, str):
        return () if columns is None else (columns,)
    if not isinstance(columns, Iterable):
        raise InputError(f"{role} is {columns!r}. Pass the name of a column, or a list of names.")
    # Texts of an array are of a type of its own, which would show in messages.
    return tuple(str(column) if isinstance(column, str) else column for column in columns)


def _check_once(columns: Sequence[str], role: str) -> None:
    for column, count in Counter(columns).items():
        if count > 1:
            raise ColumnError(f"The column {column!r} is named {count} times as {role}.")
