"""What the words of a page mean; shown where a reader asks."""

from __future__ import annotations

from ..definitions import MEANINGS

_WORDS = {
    "n": "rows",
    "k": "rows counted in the rate, out of n",
    "selected": "rows with a favourable decision",
    "p": "p-value of a test for the rate of the reference group",
    "SMD": MEANINGS["smd"],
    "status": "ok (no judgement), or why a number says little or cannot be estimated",
    "note": "the reference group, or a ratio below the threshold",
    "gap": "the highest rate of a group minus the lowest",
    "highest": "group with the highest rate",
    "lowest": "group with the lowest rate",
    "ratio": "rate of the group / rate of the reference group",
    "influence": "what the features carry of the gap: the parts and the unexplained add up to it",
    "interval": "where the number would likely be for other rows from the same source",
    "unexplained": "the part of the gap that no listed feature carries",
    "R2 in-sample": "share of the group's variance that the functions explain, same rows",
    "R2 out-of-fold": "share of the group's variance that the functions explain, other rows",
    "AUC": "how well the feature alone tells the two groups apart: 50% not at all, 100% always",
    "accuracy": MEANINGS["accuracy"],
    "balanced accuracy": "mean over the classes of the share that is decided right",
    "bound": "what the gap is allowed to be on training rows",
    "leaves": "ends of the tree: how many cases it tells apart",
    "certificate": "a proof that a tree obeys its rules, and a bound on the gap of the population, "
    "from rows the tree has not seen",
    "gap at most": "bound on the gap of the population, this pair of groups on its own",
    "at most, all pairs": "bounds on the gaps of the population that all hold at once",
    "verdict": "holds: proved for every row that can exist; violated: there is a row against it",
    "reach": "share of a group's rows that come to a node",
    "p-rule": "lowest rate of a group / highest rate",
}


def meaning_of(name: str) -> str | None:
    """The definition of a word, None where it needs none.

    >>> meaning_of("impact ratio")
    'selection rate of the group / selection rate of the reference group'
    """
    return _WORDS.get(name) or MEANINGS.get(name.replace(" ", "_"))


def glossary(names: set[str]) -> list[tuple[str, str]]:
    """The words of these that need a definition, in the order of the alphabet."""
    found = {name: meaning_of(name) for name in names}
    return sorted((name, said) for name, said in found.items() if said is not None)
