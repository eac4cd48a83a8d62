"""What to say of a text that is no number where nearly all others are."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from arbitree._wording import counted
from arbitree.table.text import NumberStyle, possible_kinds

_LOOKS_NUMERIC = re.compile(r"\s*[-+]?[$€£]?\s*\d[\d.,'\u00a0\u202f ]*\s*%?\s*")
_NEARLY_ALL = 0.95
_ADVICE = (  # pattern of the text, what to pass
    (r" *-?\d{1,3}(\.\d{3})+,\d+ *", "Pass decimal=',' and thousands='.'."),
    (r" *-?\d{1,3}(,\d{3}){2,}(\.\d+)? *| *-?\d{1,3}(,\d{3})+\.\d+ *", "Pass thousands=','."),
    (r" *-?\d{1,3}(\.\d{3}){2,} *", "Pass decimal=',' and thousands='.'."),
    (r" *-?\d{1,3},\d{3} *", "Pass thousands=',' or decimal=',', whichever it means."),
    (r" *-?\d+,\d+ *", "Pass decimal=','."),
    (r" *-?\d{1,3}([' ]\d{3})+([.,]\d+)? *", 'Pass thousands, such as thousands="\'".'),
    (r" *[-+]?0\d+.*", "Leading zeros show that these are codes; nothing to do if so."),
    (r" *\+\d+ *|\d{16,}", "If these are codes, nothing is to be done."),
)


def number_advice(text: str) -> str:
    """What to pass so that a column with this text can be read as numbers.

    Examples
    --------
    >>> number_advice("1.234,56"), number_advice("?")
    ("Pass decimal=',' and thousands='.'.", "If it means missing, pass missing_values=['?'].")
    """
    for pattern, advice in _ADVICE:
        if re.fullmatch(pattern, text):
            return advice
    return f"If it means missing, pass missing_values=[{text!r}]."


def nearly_numeric(
    name: str, levels: Sequence[str], codes: np.ndarray, style: NumberStyle
) -> str | None:
    """A notice for a column of texts of which more than 95 %, but not all, are like numbers.

    Parameters
    ----------
    name : str
    levels : sequence of str
        Distinct texts.
    codes : ndarray of int, shape (n_rows,)
        The text of each row; a number beyond the levels where it is missing.
    style : NumberStyle

    Returns
    -------
    str or None
        Names the first row that is no plain number, and what to pass.

    Examples
    --------
    >>> codes = np.repeat([0, 1, 2], [50, 48, 2])
    >>> nearly_numeric("sex", ["1", "2", "?"], codes, NumberStyle())
    "98% of the values of 'sex' look like numbers, yet it is taken as text because of 2 \
values, the first at row 98: '?'. If it means missing, pass missing_values=['?']."
    """
    kinds = possible_kinds(levels, style)
    if "number" in kinds or "decimal comma" in kinds:
        return None
    counts = np.bincount(codes, minlength=len(levels) + 1)[: len(levels)]
    alike = [_LOOKS_NUMERIC.fullmatch(level) is not None for level in levels]
    share = counts[alike].sum() / max(1, counts.sum())
    if share <= _NEARLY_ALL:
        return None
    strange = np.array(["number" not in possible_kinds([text], style) for text in levels])
    n_strange = int(counts[strange].sum())
    row = int(np.argmax(np.append(strange, False)[codes]))
    text = levels[codes[row]]
    return (
        f"{100 * share:.3g}% of the values of {name!r} look like numbers, yet it is taken as text "
        f"because of {counted(n_strange, 'value')}, the first at row {row:,}: {text!r}. "
        f"{number_advice(text)}"
    )
