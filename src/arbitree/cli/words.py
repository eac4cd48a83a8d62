"""What is said on standard error; data never goes there."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TextIO

from .._errors import ArbitreeWarning
from .._tables import visible

Progress = Callable[[int, int | None], None]
_AT_MOST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Speaks unless it was asked to be quiet; errors and failures are always told."""

    quiet: bool = False

    def say(self, text: str) -> None:
        """One line, unless quiet."""
        if not self.quiet:
            tell(text)

    def notices(self, notices: Sequence[str]) -> None:
        """What a reader of the numbers should know."""
        for notice in notices:
            self.say(f"note: {notice}")

    @contextmanager
    def progress(self, title: str) -> Iterator[Progress | None]:
        """A bar while something is read, on a terminal only; None elsewhere."""
        if self.quiet or sys.stderr is None or not sys.stderr.isatty():
            yield None
            return
        from rich.console import Console
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn
        from rich.progress import Progress as Bar

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
        )
        with Bar(*columns, console=Console(file=sys.stderr), transient=True) as bar:
            task = bar.add_task(visible(title), total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)

    @contextmanager
    def stages(self) -> Iterator[Callable[[str], None] | None]:
        """A line that says which part is being made, on a terminal only; None elsewhere."""
        if self.quiet or sys.stderr is None or not sys.stderr.isatty():
            yield None
            return
        from rich.console import Console

        with Console(file=sys.stderr).status("") as shown:
            yield lambda name: shown.update(f"{visible(name)} ...")


def tell(text: str) -> None:
    """One line on standard error, whatever its encoding and whatever the text contains."""
    stream: TextIO | None = sys.stderr
    if stream is None:
        return
    line = visible(" ".join(f"arbitree: {text}".splitlines()))
    encoding = stream.encoding or "utf-8"
    with suppress(OSError):
        stream.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        stream.flush()


def tell_all(title: str, lines: Sequence[str]) -> None:
    """Some lines under one title; of very many the first ones and how many more."""
    for line in lines[:_AT_MOST]:
        tell(f"{title}: {line}")
    if len(lines) > _AT_MOST:
        tell(f"{title}: and {len(lines) - _AT_MOST:,} more")


@contextmanager
def told_warnings(words: Words) -> Iterator[None]:
    """Our own warnings as notes; those of others as Python shows them."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", ArbitreeWarning)
        show = warnings.showwarning

        def tell_warning(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, ArbitreeWarning):
                words.say(f"note: {message}")
            else:
                show(message, category, filename, lineno, file, line)

        warnings.showwarning = tell_warning
        yield
