"""The options by which a command writes: in which format, where, and how much it says."""

from __future__ import annotations

from dataclasses import dataclass

from . import options as opt
from .output import Format, Output, output
from .words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """What every command with results is told about them."""

    as_json: opt.AsJson = False
    as_markdown: opt.AsMarkdown = False
    as_csv: opt.AsCsv = False
    output_file: opt.OutputFile = None
    quiet: opt.Quiet = False

    @property
    def words(self) -> Words:
        """What may be said on standard error."""
        return Words(quiet=self.quiet)

    def target(self, *, reads: str) -> Output:
        """Where results go, checked; `reads` is the file that is read."""
        asked = {
            Format.JSON: self.as_json,
            Format.MARKDOWN: self.as_markdown,
            Format.CSV: self.as_csv,
        }
        formats = [format for format, is_asked in asked.items() if is_asked]
        return output(self.output_file, formats, reads=reads)
