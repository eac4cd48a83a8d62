"""A tree as rules, a leaf a line: ``age <= 40.5 and job in {a, c} => yes``."""

from __future__ import annotations

from collections.abc import Sequence

from arbitree.model.tree import Tree
from arbitree.table.codings import CategoryCoding, NumericCoding
from arbitree.tree.export.regions import Allowed, Interval, Levels, regions
from arbitree.tree.export.shares import share_words
from arbitree.tree.export.words import class_words, level_set, name_words, number_word

_HEADER = """\
# A row obeys exactly one rule. A comparison does not hold of a missing value.
# Numbers are compared as float32; a level that training did not know counts as missing.
"""


def rules_text(tree: Tree) -> str:
    """Rules of which each row obeys exactly one.

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    str
        ``antecedent => class`` a line, with ``and``, ``or``, ``missing(age)``; comments begin
        with ``#``.

    Examples
    --------
    >>> from arbitree.tree.estimator import TreeClassifier
    >>> tree = TreeClassifier().fit([[1.0], [2.0]], ["no", "yes"]).tree_
    >>> print(rules_text(tree))
    # A row obeys exactly one rule. A comparison does not hold of a missing value.
    # Numbers are compared as float32; a level that training did not know counts as missing.
    <BLANKLINE>
    # leaf 1: n = 1, no 1.00, yes 0.00
    (x_0 <= 1.5 or missing(x_0)) => no
    # leaf 2: n = 1, no 0.00, yes 1.00
    x_0 > 1.5 => yes
    <BLANKLINE>
    """
    names, classes = name_words(tree), class_words(tree)
    lines = [_HEADER]
    for leaf, region in regions(tree):
        atoms = [_atom(tree, j, names, allowed) for j, allowed in sorted(region.items())]
        antecedent = " and ".join(atom for atom in atoms if atom) or _always(names[0])
        lines.append(f"# leaf {leaf}: {share_words(tree, leaf, classes, decimals=2)}")
        lines.append(f"{antecedent} => {classes[tree.label[leaf]]}")
    return "\n".join(lines) + "\n"


def _atom(tree: Tree, j: int, names: Sequence[str], allowed: Allowed) -> str:
    """What a rule asks of one feature; "" for nothing."""
    coding = tree.features[j].coding
    if isinstance(allowed, Levels) and isinstance(coding, CategoryCoding):
        everything = len(allowed.codes) == coding.n_values
        known = _levels_atom(coding, names[j], allowed)
    else:
        assert isinstance(allowed, Interval)
        assert isinstance(coding, NumericCoding)
        everything = not allowed.above and allowed.high == float("inf")
        known = _interval_atom(coding, names[j], allowed)
    if everything:
        return "" if allowed.missing else f"not missing({names[j]})"
    if not known:
        return f"missing({names[j]})"
    return f"({known} or missing({names[j]}))" if allowed.missing else known


def _always(name: str) -> str:
    return f"(missing({name}) or not missing({name}))"


def _levels_atom(coding: CategoryCoding, name: str, allowed: Levels) -> str:
    texts = [coding.texts[code] for code in sorted(allowed.codes)]
    return f"{name} {level_set(texts)}" if texts else ""


def _interval_atom(coding: NumericCoding, name: str, allowed: Interval) -> str:
    if not allowed.has_numbers:
        return ""
    low, high = number_word(coding, allowed.low), number_word(coding, allowed.high)
    if not allowed.above:
        return f"{name} <= {high}"
    return f"{name} > {low}" if high == "inf" else f"{low} < {name} <= {high}"
