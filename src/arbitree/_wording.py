"""Words that many error messages share."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from difflib import get_close_matches

ASSUMED = " (assumed)"  # after what is favourable, where nobody said so


def listed(values: Iterable[object], *, at_most: int = 8) -> str:
    """Values as a person would list them.

    >>> listed(["no", "yes"])
    "'no' and 'yes'"
    >>> listed(range(12), at_most=3)
    '0, 1, 2 and 9 more'
    """
    shown = [repr(_plain(value)) for value in values]
    if len(shown) > at_most:
        return f"{', '.join(shown[:at_most])} and {len(shown) - at_most:,} more"
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def _plain(value: object) -> object:
    """A NumPy scalar as the Python value that a user would type."""
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 1) == 0 else value


def counted(n: int, noun: str) -> str:
    """A number and its noun.

    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def nearest(name: Hashable, names: Sequence[Hashable]) -> str:
    """A hint that ends an error about an unknown name.

    >>> nearest("incme", ["income", "age"])
    "Did you mean 'income'?"
    >>> nearest("zzz", ["income", "age"])
    "There are 'income' and 'age'."
    """
    by_text = {str(known): known for known in names}
    lower = {text.lower().strip("\ufeff \t\"'"): text for text in by_text}
    close = get_close_matches(str(name).lower().strip(), list(lower), n=1)
    if close:
        return f"Did you mean {by_text[lower[close[0]]]!r}?"
    return f"There are {listed(names)}." if by_text else "There are no columns."
