"""Names and values in the language of rules: bare where that is safe, else in double quotes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

import numpy as np

from arbitree.model.tree import Tree
from arbitree.rules.text import NUMBER
from arbitree.table import units
from arbitree.table.codings import NumericCoding
from arbitree.table.levels import level_texts

_BARE = re.compile(r"\w[\w.-]*")
_NOT_FINITE = {"inf", "nan", "infinity"}
_KEYWORDS = {"and", "or", "not", "in", "missing", "true", "false"}


def word(text: str) -> str:
    r"""A text as one word on one line.

    Bare if it holds letters, digits, ``_``, ``-`` and ``.`` only and is no keyword; else quoted as
    in JSON, with characters that cannot be seen written out.

    Examples
    --------
    >>> print(word("gill-color"), word("in"), word('a "b"\n'))
    gill-color "in" "a \"b\"\n"
    """
    if _BARE.fullmatch(text) and text.isprintable() and text.lower() not in _KEYWORDS:
        return text
    return _quoted(text)


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
    return tuple(word(text) for text in level_texts(tree.classes))


def level_set(texts: Iterable[str]) -> str:
    """``= a`` for one level, ``in {a, b}`` for more.

    Examples
    --------
    >>> level_set(["a"]), level_set(["a", "b c"])
    ('= a', 'in {a, "b c"}')
    """
    words = [word(text) for text in texts]
    return f"= {words[0]}" if len(words) == 1 else f"in {{{', '.join(words)}}}"


def number_word(coding: NumericCoding, number: np.floating | float) -> str:
    """A threshold in the fewest digits that are this float32; a date or a duration as such."""
    if coding.unit is not None and np.isfinite(number):
        return word(units.time_text(float(number), coding.unit))
    return str(np.float32(number)).removesuffix(".0")


def _name(text: str) -> str:
    number = NUMBER.match(text) is not None or text.lower() in _NOT_FINITE
    return _quoted(text) if number else word(text)


def _quoted(text: str) -> str:
    return f'"{"".join(_written(character) for character in text)}"'


def _written(character: str) -> str:
    plain = character.isprintable() and character not in '"\\'
    return character if plain else json.dumps(character)[1:-1]
