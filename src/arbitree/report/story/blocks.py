"""A document as blocks, and the blocks as Markdown, HTML or LaTeX: names are escaped in each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd

from ..._tables import (
    html_table,
    html_text,
    latex_table,
    latex_text,
    markdown_table,
    markdown_text,
)
from ..html import page


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A title of a level: 1 for the document's own."""

    level: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A paragraph, or several sentences as a list."""

    texts: tuple[str, ...]
    listed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbatim:
    """Text whose spaces mean something, such as a tree or a command."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """A table whose cells are texts; columns named in `right` are of numbers."""

    frame: pd.DataFrame
    caption: str | None = None
    right: tuple[str, ...] = field(default=())


Block = Heading | Lines | Verbatim | Table


def paragraph(text: str) -> Lines:
    """One sentence or several, running on."""
    return Lines(texts=(text,))


def bullets(texts: Sequence[str]) -> Lines:
    """A list."""
    return Lines(texts=tuple(texts), listed=True)


def to_markdown(blocks: Sequence[Block]) -> str:
    """GitHub-flavoured Markdown."""
    return "\n".join(map(_markdown, blocks))


def to_html(blocks: Sequence[Block], title: str) -> str:
    """One page that needs nothing else."""
    return page(html_text(title), list(map(_html, blocks)))


def to_latex(blocks: Sequence[Block]) -> str:
    """A part of a document, to be put in with ``\\input``; it needs the package booktabs."""
    return "\n".join(map(_latex, blocks))


def _markdown(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {markdown_text(block.text)}\n"
    if isinstance(block, Table):
        head = "" if block.caption is None else f"{markdown_text(block.caption)}\n\n"
        return head + markdown_table(block.frame, right=block.right)
    if isinstance(block, Verbatim):
        fence = "`" * max(3, 1 + _longest_run(block.text, "`"))
        return f"{fence}text\n{block.text.rstrip()}\n{fence}\n"
    if block.listed:
        return "".join(f"- {markdown_text(text)}\n" for text in block.texts)
    return "".join(f"{markdown_text(text)}\n" for text in block.texts)


def _longest_run(text: str, character: str) -> int:
    return max((len(run) for run in re.findall(f"{character}+", text)), default=0)


def _html(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level}>{html_text(block.text)}</h{block.level}>"
    if isinstance(block, Table):
        table = html_table(block.frame, caption=block.caption, right=block.right)
        return f'<div class="table">{table}</div>'
    if isinstance(block, Verbatim):
        lines = [html_text(line) for line in block.text.rstrip().splitlines()]
        return "<pre>" + "\n".join(lines) + "</pre>"
    if block.listed:
        return f"<ul>{''.join(f'<li>{html_text(text)}</li>' for text in block.texts)}</ul>"
    return "".join(f"<p>{html_text(text)}</p>" for text in block.texts)


_LATEX_HEADINGS = {1: "section", 2: "subsection", 3: "subsubsection"}


def _latex(block: Block) -> str:
    if isinstance(block, Heading):
        return f"\\{_LATEX_HEADINGS[block.level]}*{{{latex_text(block.text)}}}\n"
    if isinstance(block, Table):
        return latex_table(block.frame, caption=block.caption)
    if isinstance(block, Verbatim):
        # Not LaTeX's own verbatim, which a text may end.
        lines = [f"\\mbox{{{_spaced(line)}}}" for line in block.text.rstrip().splitlines()]
        body = "\\\\\n".join(lines)
        return f"\\begin{{flushleft}}\\ttfamily\\footnotesize\n{body}\n\\end{{flushleft}}\n"
    if block.listed:
        items = "".join(f"\\item {latex_text(text)}\n" for text in block.texts)
        return f"\\begin{{itemize}}\n{items}\\end{{itemize}}\n" if items else ""
    return "".join(f"{latex_text(text)}\n" for text in block.texts)


def _spaced(line: str) -> str:
    """A line whose spaces all stay."""
    return latex_text(line).replace(" ", "~")
