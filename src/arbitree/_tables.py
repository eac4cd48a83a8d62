"""Frames as text: Markdown, HTML, LaTeX, CSV and strict JSON.

Names come from the data, so they are hostile until proven otherwise: each format escapes what
would be markup in it, and characters that cannot be seen are written out.
"""

from __future__ import annotations

import csv
import html
import io
import json
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd

NOT_AVAILABLE, IN_A_NOTEBOOK = "n/a", 20  # rows of a table in a notebook

# Control characters, bidirectional overrides, zero-width characters, halves of surrogate pairs.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
# Brackets only where they would make a link or a box to tick, underscores only around words.
_MARKDOWN = re.compile(r"[\\`*<>|~$&]|^\[|\](?=[(\[:])|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_MARKDOWN_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    **{character: f"\\{character}" for character in "{}$&#_%"},
}
# A spreadsheet takes such a text for a formula and runs it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def visible(text: str) -> str:
    r"""The text on one line, with unseen characters written out.

    >>> print(visible("two\nlines"))
    two\nlines
    """
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def markdown_text(text: str) -> str:
    r"""Text for a cell of a Markdown table.

    >>> print(markdown_text("a|b <i> selection_rate _x_"))
    a\|b &lt;i&gt; selection_rate \_x\_
    """
    return _MARKDOWN.sub(
        lambda found: _MARKDOWN_ENTITIES.get(found[0], f"\\{found[0]}"), visible(text)
    )


def html_text(text: str) -> str:
    """Text for an element or an attribute of HTML.

    >>> html_text("<script> & 'x'")
    '&lt;script&gt; &amp; &#x27;x&#x27;'
    """
    return html.escape(visible(text), quote=True)


def latex_text(text: str) -> str:
    r"""Text for LaTeX.

    >>> print(latex_text("100% of a_b"))
    100\% of a\_b
    """
    return "".join(_LATEX.get(character, character) for character in visible(text))


def cell_text(value: object) -> str:
    """A value as a person reads it: three decimals, thousands apart, NaN as ``n/a``.

    >>> [cell_text(value) for value in (0.71234, 98304, float("nan"), True, "n = 3")]
    ['0.712', '98,304', 'n/a', 'yes', 'n = 3']
    """
    if _is_missing(value):
        return NOT_AVAILABLE
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, Integral):
        return f"{int(value):,}"
    if isinstance(value, Real):
        number = float(value)
        return f"{number:.1e}" if 0 < abs(number) < 0.0005 else f"{number:,.3f}"
    if isinstance(value, (tuple, list)):
        return ", ".join(cell_text(item) for item in value)
    return str(value)


def markdown_table(frame: pd.DataFrame, *, right: Collection[str] = ()) -> str:
    """A frame as a GitHub-flavoured Markdown table, index left out.

    Parameters
    ----------
    frame : DataFrame
    right : collection of str
        Columns of text that are aligned to the right, as numbers are.

    Returns
    -------
    str
        Ends in a newline.

    Examples
    --------
    >>> print(markdown_table(pd.DataFrame({"group": ["a|b"], "n": [1200]})))
    | group | n |
    | :--- | ---: |
    | a\\|b | 1,200 |
    <BLANKLINE>
    """
    header = [markdown_text(str(name)) for name in frame.columns]
    rule = ["---:" if numeric else ":---" for numeric in _numeric(frame, right)]
    rows = [[markdown_text(cell_text(value)) for value in row] for row in _rows(frame)]
    return "".join(f"| {' | '.join(row)} |\n" for row in [header, rule, *rows])


def html_table(
    frame: pd.DataFrame, *, caption: str | None = None, right: Collection[str] = ()
) -> str:
    """A frame as an HTML table, index left out; every name is escaped.

    Parameters
    ----------
    frame : DataFrame
    caption : str, optional
        Plain text.
    right : collection of str
        Columns of text that are aligned to the right, as numbers are.

    Examples
    --------
    >>> print(html_table(pd.DataFrame({"group": ["<b>"]})))
    <table class="arbitree">
    <thead><tr><th scope="col">group</th></tr></thead>
    <tbody>
    <tr><td>&lt;b&gt;</td></tr>
    </tbody>
    </table>
    <BLANKLINE>
    """
    styles = [' style="text-align: right"' if numeric else "" for numeric in _numeric(frame, right)]
    header = "".join(
        f'<th scope="col"{style}>{html_text(str(name))}</th>'
        for name, style in zip(frame.columns, styles)
    )
    rows = [
        "".join(
            f"<td{style}>{html_text(cell_text(value))}</td>" for value, style in zip(row, styles)
        )
        for row in _rows(frame)
    ]
    lines = [
        '<table class="arbitree">',
        *([f"<caption>{html_text(caption)}</caption>"] if caption is not None else []),
        f"<thead><tr>{header}</tr></thead>",
        "<tbody>",
        *(f"<tr>{row}</tr>" for row in rows),
        "</tbody>",
        "</table>",
    ]
    return "\n".join(lines) + "\n"


def latex_table(frame: pd.DataFrame, *, caption: str | None = None) -> str:
    """A frame as a LaTeX table, index left out; needs the package booktabs.

    Parameters
    ----------
    frame : DataFrame
    caption : str, optional
        Plain text.

    Examples
    --------
    >>> print(latex_table(pd.DataFrame({"group": ["a_b"], "n": [3]})))
    \\begin{table}
    \\begin{tabular}{lr}
    \\toprule
    group & n \\\\
    \\midrule
    a\\_b & 3 \\\\
    \\bottomrule
    \\end{tabular}
    \\end{table}
    <BLANKLINE>
    """
    columns = "".join("r" if numeric else "l" for numeric in _numeric(frame))
    header = [latex_text(str(name)) for name in frame.columns]
    rows = [[latex_text(cell_text(value)) for value in row] for row in _rows(frame)]
    lines = [
        r"\begin{table}",
        *([f"\\caption{{{latex_text(caption)}}}"] if caption is not None else []),
        f"\\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _latex_row(header),
        r"\midrule",
        *(_latex_row(row) for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _latex_row(cells: Sequence[str]) -> str:
    # A bracket that opens a row would be read as an argument of the \\ before it.
    row = " & ".join(cells)
    return ("{}" if row.startswith("[") else "") + row + r" \\"


def csv_table(frame: pd.DataFrame) -> str:
    """A frame as CSV (RFC 4180, lines end in CR LF), index left out.

    Numbers keep every digit; NaN is an empty cell. A text that a spreadsheet would run as a
    formula begins with an apostrophe.

    Examples
    --------
    >>> csv_table(pd.DataFrame({"group": ["=1+1", "a,b"], "value": [-0.5, float("nan")]}))
    'group,value\\r\\n\\'=1+1,-0.5\\r\\n"a,b",\\r\\n'
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([_csv_cell(str(name)) for name in frame.columns])
    writer.writerows([_csv_cell(value) for value in row] for row in _rows(frame))
    return text.getvalue()


def _csv_cell(value: object) -> object:
    if isinstance(value, float) and math.isinf(value):
        return value
    value = plain(value)
    if isinstance(value, list):
        value = cell_text(value)
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a frame as plain values, see `plain`.

    >>> records(pd.DataFrame({"group": ["a"], "value": [float("nan")]}))
    [{'group': 'a', 'value': None}]
    """
    names = [str(name) for name in frame.columns]
    columns = [_plain_column(frame.iloc[:, position]) for position in range(frame.shape[1])]
    return [dict(zip(names, row)) for row in zip(*columns)]


def _plain_column(column: pd.Series) -> list[Any]:
    """A column's values as JSON knows them; of floats and integers, not one by one."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iub":
        return list(column.tolist())
    if isinstance(column.dtype, np.dtype) and column.dtype.kind == "f":
        values = column.to_numpy()
        found: list[Any] = values.tolist()
        for at in np.flatnonzero(~np.isfinite(values)):
            found[at] = None
        return found
    return [plain(value) for value in column.tolist()]


def plain(value: Any) -> Any:
    """A value as JSON knows it: NaN and infinity become None, dates ISO text, frames records.

    >>> plain({"a": np.float64("inf"), 1: (np.int64(2), None)})
    {'a': None, '1': [2, None]}
    """
    if isinstance(value, pd.DataFrame):
        return records(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return [plain(item) for item in sorted(value, key=str)]
    return _plain_scalar(value)


def _plain_scalar(value: Any) -> Any:
    if _is_missing(value):
        return None
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    return str(value) if not isinstance(value, timedelta) else value.total_seconds()


def strict_json(value: Any) -> str:
    """JSON without NaN or Infinity; the same value gives the same text.

    Examples
    --------
    >>> print(strict_json({"value": float("nan"), "group": "é"}), end="")
    {
      "value": null,
      "group": "é"
    }
    """
    return json_text(plain(value))


def json_text(value: Any) -> str:
    """JSON of what is plain already; refuses NaN and Infinity."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _is_missing(value: object) -> bool:
    if value is None or value is pd.NA or value is pd.NaT:
        return True
    return isinstance(value, (float, np.floating)) and math.isnan(value)


def _rows(frame: pd.DataFrame) -> Iterable[tuple[Any, ...]]:
    """Rows as tuples of each column's own type: an integer stays one beside a float."""
    columns = [frame.iloc[:, position].tolist() for position in range(frame.shape[1])]
    return zip(*columns) if columns else iter(())


def _numeric(frame: pd.DataFrame, right: Collection[str] = ()) -> list[bool]:
    return [
        name in right
        or (pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype))
        for name, dtype in zip(frame.columns, frame.dtypes)
    ]


def html_sections(
    sections: Iterable[tuple[str, pd.DataFrame]], notes: Sequence[str], at_most: int | None = None
) -> str:
    """Tables below their lines, of each at most so many rows, and then sentences, as HTML."""
    parts = []
    for title, frame in sections:
        parts.append(html_table(frame.iloc[:at_most], caption=title))
        if at_most is not None and len(frame) > at_most:
            parts.append(f"<p>and {len(frame) - at_most:,} more rows</p>\n")
    items = "".join(f"<li>{html_text(note)}</li>" for note in notes)
    return "\n".join([*parts, f"<ul>{items}</ul>\n"] if items else parts)


class Sectioned(ABC):
    """A result that is read as tables, each below a line: it says the same in every format."""

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values: NaN and infinity become None."""

    @abstractmethod
    def _sections(self) -> list[tuple[str, pd.DataFrame]]:
        """Lines and tables, as a reader sees them."""

    def _notes(self) -> Sequence[str]:
        """Sentences below the tables."""
        return ()

    def to_json(self) -> str:
        """Strict JSON, the same bytes for the same result."""
        return json_text(self.to_dict())

    def to_markdown(self) -> str:
        """The tables, as Markdown."""
        parts = [f"**{title}**\n\n{markdown_table(f)}" for title, f in self._sections()]
        notes = "".join(f"- {markdown_text(note)}\n" for note in self._notes())
        return "\n".join([*parts, notes] if notes else parts)

    def to_html(self) -> str:
        """The same tables as HTML, every name escaped."""
        return html_sections(self._sections(), self._notes())

    def to_latex(self) -> str:
        """The same tables as LaTeX."""
        parts = [latex_table(f, caption=title) for title, f in self._sections()]
        return "\n".join([*parts, *(f"{latex_text(note)}\n" for note in self._notes())])

    def _repr_html_(self) -> str:
        return html_sections(self._sections(), self._notes(), IN_A_NOTEBOOK)
