"""Options of the layout ll144: what is to be published beside its numbers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated

import typer

from .._errors import InputError

_PUBLISHED = "Published with the layout ll144"
_Text = str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What 6 RCNY 5-303 asks for beside the numbers."""

    audit_date: Annotated[
        _Text,
        typer.Option(metavar="DATE", help="When the audit was made.", rich_help_panel=_PUBLISHED),
    ] = None
    data_source: Annotated[
        _Text,
        typer.Option(
            metavar="TEXT",
            help="Where the data is from, and of which time.",
            rich_help_panel=_PUBLISHED,
        ),
    ] = None
    distribution_date: Annotated[
        _Text,
        typer.Option(
            metavar="DATE", help="Since when the tool is in use.", rich_help_panel=_PUBLISHED
        ),
    ] = None

    def arguments(self) -> dict[str, str]:
        """Those of `arbitree.ll144` that were given."""
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: text for name, text in given.items() if text is not None}

    def check(self, layout: str) -> None:
        """Refuse what another layout would ignore."""
        if layout != "ll144":
            for name in self.arguments():
                raise InputError(f"--{name.replace('_', '-')} needs --layout ll144.")
