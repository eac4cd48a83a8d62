"""Features that give the outcome or the group away, and sensitive ones that nobody named."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence

import numpy as np

from arbitree._wording import listed
from arbitree.counts.alone import balanced_accuracy_alone
from arbitree.table.coded import CodedTable
from arbitree.table.coded_column import CodedColumn
from arbitree.tree.sensitive_copies import is_copy

ALMOST = 0.95  # balanced accuracy of one feature alone
_TOLD = 8  # features of a sentence
_SENSITIVE = {"sex", "gender", "race", "racial", "ethnicity", "ethnic", "religion", "religious"}
_SENSITIVE |= {"disability", "disabled", "nationality", "pregnant", "pregnancy", "birthdate", "dob"}
_TOGETHER = [{"native", "country"}, {"country", "birth"}, {"national", "origin"}]
_TOGETHER += [{"marital", "status"}]
# "age" is a word of many names: that of an account or a house is no attribute of a person.
_AGE_OF_A_PERSON = {"age", "cat", "category", "class", "group", "band", "bin", "bucket", "bracket"}
_AGE_OF_A_PERSON |= {"range", "years", "yrs", "in", "of", "at", "person", "applicant", "customer"}
_AGE_OF_A_PERSON |= {"client", "patient", "borrower", "employee", "candidate"}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def giveaway_notices(table: CodedTable) -> tuple[str, ...]:
    """Sentences on features that a tree, or an explanation, should perhaps not have.

    Parameters
    ----------
    table : CodedTable
        Features, labels or decisions or both, and sensitive columns.
    """
    outcomes = {one.name: one.codes for one in (table.labels, table.decisions) if one is not None}
    return (
        *leak_notices(table.features, outcomes),
        *proxy_notices(table.features, table.sensitive),
        *unnamed_notices(
            [
                one.name
                for one in table.features
                if not any(is_copy(one.codes, column.codes) for column in table.sensitive)
            ],
            [column.name for column in table.sensitive],
        ),
    )


def leak_notices(
    features: Sequence[CodedColumn], outcomes: Mapping[str, np.ndarray]
) -> tuple[str, ...]:
    """A sentence for each outcome that single features predict almost perfectly.

    Parameters
    ----------
    features : sequence of CodedColumn
    outcomes : mapping of str to (n,) uint8
        By name: 1 where favourable, 0 where not, anything else where unknown.
    """
    found = []
    for name, codes in outcomes.items():
        told = _that_tell(features, codes, 2)
        if told:
            found.append(
                f"{_named(told)} alone predict{'s' if len(told) == 1 else ''} {name!r} almost "
                f"perfectly (balanced accuracy {_percents(told)}). What is known only afterwards, "
                "or is made of the outcome, makes a tree and an explanation look better than they "
                "are: leave it out of the features."
            )
    return tuple(found)


def proxy_notices(
    features: Sequence[CodedColumn], sensitive: Sequence[CodedColumn]
) -> tuple[str, ...]:
    """A sentence for each sensitive column that other features nearly tell; copies are told apart.

    Parameters
    ----------
    features, sensitive : sequence of CodedColumn
    """
    found = []
    for column in sensitive:
        others = [
            one
            for one in features
            if one.name != column.name and not is_copy(one.codes, column.codes)
        ]
        told = _that_tell(others, column.codes, column.coding.missing_code)
        if told:
            found.append(
                f"{_named(told)} alone tell{'s' if len(told) == 1 else ''} {column.name!r} almost "
                f"perfectly (balanced accuracy {_percents(told)}), so splits on it are nearly "
                "splits on the groups. Drop it from X unless that is wanted."
            )
    return tuple(found)


def unnamed_notices(features: Iterable[Hashable], sensitive: Iterable[Hashable]) -> tuple[str, ...]:
    """A sentence on features whose names are those of attributes that laws protect.

    Examples
    --------
    >>> unnamed_notices(["age_cat", "income", "account_age"], ["sex"])[0][:47]
    "'age_cat' is by its name a sensitive attribute,"
    """
    named = set(sensitive)
    told = [name for name in features if name not in named and _sounds_sensitive(str(name))]
    if not told:
        return ()
    are = (
        "is by its name a sensitive attribute"
        if len(told) == 1
        else ("are by their names sensitive attributes")
    )
    return (
        f"{listed(told, at_most=_TOLD)} {are}, and no group is compared by "
        f"{'it' if len(told) == 1 else 'them'}. Name such columns as sensitive, or leave "
        "them out of the features.",
    )


def _sounds_sensitive(name: str) -> bool:
    words = {word.lower() for word in _WORD.findall(name)}
    return (
        bool(words & _SENSITIVE)
        or any(some <= words for some in _TOGETHER)
        or ("age" in words and words <= _AGE_OF_A_PERSON)
    )


def _that_tell(
    features: Sequence[CodedColumn], classes: np.ndarray, n_classes: int
) -> dict[Hashable, float]:
    """Balanced accuracy of features that tell classes almost perfectly, best first."""
    found = {one.name: balanced_accuracy_alone(one, classes, n_classes) for one in features}
    told = {name: value for name, value in found.items() if value >= ALMOST}
    return dict(sorted(told.items(), key=lambda pair: -pair[1]))


def _named(told: Mapping[Hashable, float]) -> str:
    return listed(told, at_most=_TOLD)


def _percents(told: Mapping[Hashable, float]) -> str:
    """The best one, and the least where there are several.

    >>> _percents({"x": 0.972}), _percents({"x": 1.0, "y": 0.95})
    ('97.2%', '95.0% to 100.0%')
    """
    best, least = max(told.values()), min(told.values())
    ends = (least, best) if len(told) > 1 else (best,)
    return " to ".join(f"{100 * value:.1f}%" for value in ends)
