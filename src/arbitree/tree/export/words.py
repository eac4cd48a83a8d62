"""Names and values in the language of rules: bare where that is safe, else in double quotes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from arbitree.model.tree import Tree
from arbitree.rules.text import name_text, quoted, word_text
from arbitree.table import units
from arbitree.table.codings import NumericCoding
from arbitree.table.levels import level_texts

_NOT_FINITE = {"inf", "nan", "infinity"}


def name_words(tree: Tree) -> tuple[str, ...]:
    """The names of a tree's features, all different; one that begins like a number is quoted.

    Examples
    --------
    >>> _name("age"), _name("30-day")
    ('age', '"30-day"')
    """
    return tuple(_name(text) for text in level_texts([feature.name for feature in tree.features]))


def class_words(tree: Tree) -> tuple[str, ...]:
    """The classes, all different."""
    return tuple(word_text(text) for text in level_texts(tree.classes))


def level_set(texts: Iterable[str]) -> str:
    """``= a`` for one level, ``in {a, b}`` for more.

    Examples
    --------
    >>> level_set(["a"]), level_set(["a", "b c"])
    ('= a', 'in {a, "b c"}')
    """
    words = [word_text(text) for text in texts]
    return f"= {words[0]}" if len(words) == 1 else f"in {{{', '.join(words)}}}"


def number_word(coding: NumericCoding, number: np.floating | float) -> str:
    """A threshold in the fewest digits that are this float32; a date or a duration as such."""
    if coding.unit is not None and np.isfinite(number):
        return word_text(units.time_text(float(number), coding.unit))
    return str(np.float32(number)).removesuffix(".0")


def _name(text: str) -> str:
    return quoted(text) if text.lower() in _NOT_FINITE else name_text(text)
