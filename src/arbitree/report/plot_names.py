"""Names from data as labels of a plot: short, distinct, and in glyphs that some font has."""

from __future__ import annotations

import textwrap
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from .._errors import ArbitreeWarning
from .._tables import visible

LINE = 30
LINES = 2
_BOX = "\N{WHITE SQUARE}"
_JOINERS = "\N{ZERO WIDTH JOINER}\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}"


def plot_labels(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Labels for these names, and the font families that can draw them.

    Long names lose their middle, so that names with a common beginning stay apart; labels that
    would still be equal are numbered. A character that no installed font has is drawn as a box,
    with a warning.
    """
    drawn, families = drawable(names, stacklevel=4)
    return [wrapped(name) for name in distinct_names(drawn)], families


def drawable(names: Sequence[str], *, stacklevel: int = 3) -> tuple[list[str], list[str]]:
    """Names with boxes for what no installed font has, and the font families that draw them."""
    families, unknown = fonts_for("".join(names))
    if unknown:
        warnings.warn(
            f"No installed font has the characters {' '.join(sorted(unknown)[:20])!r}; boxes stand "
            "for them in the plot. Install a font that has them, such as Noto Sans.",
            ArbitreeWarning,
            stacklevel=stacklevel,
        )
    drawn = ["".join(_BOX if character in unknown else character for character in n) for n in names]
    return drawn, families


def distinct_names(names: Sequence[str], *, width: int = LINE * LINES) -> list[str]:
    """Names of at most that many columns, each told from the others.

    >>> distinct_names(["a" * 30 + "1", "a" * 30 + "2"], width=9)
    ['aaaa…aaa1', 'aaaa…aaa2']
    >>> distinct_names(["ab1yz", "ab2yz"], width=3)
    ['a…z (1)', 'a…z (2)']
    """
    short = [shortened(visible(name), width) for name in names]
    times = Counter(short)
    seen: Counter[str] = Counter()
    for position, name in enumerate(short):
        if times[name] > 1:
            seen[name] += 1
            short[position] = f"{name} ({seen[name]})"
    return short


def telling_names(names: Sequence[str], *, width: int) -> list[str]:
    """As `distinct_names`, but names that would be equal keep a part in which they differ.

    >>> telling_names(["balance_of_account_01_in_may", "balance_of_account_02_in_may"], width=16)
    ['bala…unt_01…_may', 'bala…unt_02…_may']
    """
    plain = [visible(name) for name in names]
    alike: dict[str, list[str]] = {}
    for name in plain:
        alike.setdefault(shortened(name, width), []).append(name)
    told: dict[str, str] = {}
    for short, group in alike.items():
        told |= dict(zip(group, _with_difference(group, width) if len(group) > 1 else [short]))
    return distinct_names([told[name] for name in plain], width=width)


def _with_difference(alike: Sequence[str], width: int) -> list[str]:
    """Names with the end of what sets them apart, or else its beginning, between their ends."""
    first = _same_start(alike)
    last = _same_start([name[::-1] for name in alike])
    ends = width // 4
    room = width - 2 * ends - 2
    windows = (
        [slice(max(len(name) - last - room, 0), len(name) - last) for name in alike],
        [slice(first, first + room) for _ in alike],
    )
    for places in windows:
        told = [
            f"{_start(name, ends)}…{_start(name[place], room)}…{_end(name, ends)}"
            for name, place in zip(alike, places)
        ]
        if len(set(told)) == len(set(alike)):
            return told
    return [shortened(name, width) for name in alike]


def _same_start(names: Sequence[str]) -> int:
    """Characters that all names begin with."""
    first, last = min(names), max(names)
    same = (a == b for a, b in zip(first, last))
    return next((k for k, one in enumerate(same) if not one), min(len(first), len(last)))


def shortened(name: str, width: int) -> str:
    """A name of at most `width` columns; a longer one loses its middle.

    >>> shortened("abcdefgh", 5)
    'ab…gh'
    """
    if columns(name) <= width:
        return name
    room = width - 1
    return f"{_start(name, room - room // 2)}…{_end(name, room // 2)}"


def some_of(texts: Sequence[str], room: float, width: Callable[[str], float]) -> str:
    """As many of some texts as there is room for, and how many more; "" where not one fits.

    >>> some_of(["one", "two", "three"], 12, columns)
    'one, two +1'
    """
    for n in range(len(texts), 0, -1):
        text = ", ".join(texts[:n]) + more(len(texts) - n)
        if width(text) <= room:
            return text
    return ""


def more(n: int) -> str:
    """How many texts are not told: `` +3``."""
    return f" +{n}" if n else ""


def columns(text: str) -> int:
    """Columns that a text takes, two for each wide character."""
    return sum(_columns_of(character) for character in text)


def _columns_of(character: str) -> int:
    if _joins(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _joins(character: str) -> bool:
    """Whether a character belongs to the one before it."""
    return unicodedata.combining(character) > 0 or character in _JOINERS


def _start(name: str, room: int) -> str:
    taken = 0
    for position, character in enumerate(name):
        taken += _columns_of(character)
        if taken > room:
            return name[:position]
    return name


def _end(name: str, room: int) -> str:
    taken = 0
    for position in range(len(name) - 1, -1, -1):
        taken += _columns_of(name[position])
        if taken > room:
            rest = name[position + 1 :]
            return rest.lstrip("".join(character for character in rest if _joins(character)))
    return name


def wrapped(name: str) -> str:
    """A name on two lines where one is not enough.

    >>> print(wrapped("Native Hawaiian or other Pacific Islander"))
    Native Hawaiian or other
    Pacific Islander
    """
    wide = columns(name) / max(len(name), 1)
    lines = textwrap.wrap(name, max(int(LINE / max(wide, 1.0)), 1)) or [name]
    return "\n".join(lines)


def fonts_for(text: str) -> tuple[list[str], set[str]]:
    """Font families that together draw a text, and the characters that none has."""
    from matplotlib import rcParams
    from matplotlib.font_manager import FontProperties, findfont

    families = list(rcParams["font.family"])
    default = findfont(FontProperties(family=families))
    lacking = {character for character in visible(text) if not character.isspace()}
    lacking -= _characters(default)
    for family, path in _installed() if lacking else ():
        found = lacking & _characters(path)
        if found:
            families.append(family)
            lacking -= found
        if not lacking:
            break
    return families, lacking


def _installed() -> Iterable[tuple[str, str]]:
    """Installed upright fonts of normal weight, family and path."""
    from matplotlib.font_manager import fontManager

    return sorted(
        {
            (font.name, font.fname)
            for font in fontManager.ttflist
            if font.style == "normal" and font.weight in (400, "normal", "regular")
            # Draws boxes, for every character there is.
            if not font.name.startswith("Last Resort")
        }
    )


@lru_cache(maxsize=512)
def _characters(path: str) -> frozenset[str]:
    from matplotlib.font_manager import get_font

    return frozenset(map(chr, get_font(path).get_charmap()))
