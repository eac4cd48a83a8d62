"""Trees that source text cannot hold."""

from __future__ import annotations

from arbitree._errors import InputError
from arbitree.model.tree import LEAF, Tree
from arbitree.table.codings import CategoryCoding


def refuse_ranges(tree: Tree) -> None:
    """Refuse a tree that splits a number by ranges with names.

    Raises
    ------
    InputError
    """
    for j in sorted(set(tree.feature.tolist()) - {LEAF}):
        coding = tree.features[j].coding
        if isinstance(coding, CategoryCoding) and coding.bins is not None:
            raise InputError(
                f"The levels of {tree.features[j].name!r} are ranges of a number, which only "
                "to_json can write."
            )
