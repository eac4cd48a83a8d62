"""The command that was typed, spelt out: what a reader types to make the numbers again."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator
from enum import Enum
from typing import Any

import typer

_SAID = ("COMMANDLINE", "DEFAULT_MAP")


def command_line(context: typer.Context, *, but: Collection[str] = ()) -> str:
    """The command with every option that was given, by hand or by a config.

    Parameters
    ----------
    context : typer.Context
    but : collection of str
        Parameters that change no number.
    """
    words = ["arbitree", str(context.info_name)]
    params = context.command.params
    arguments = [param for param in params if not _long(param)]
    options = [param for param in params if _long(param)]
    for param in [*arguments, *options]:
        source = context.get_parameter_source(str(param.name))
        if param.name not in but and source is not None and source.name in _SAID:
            words += _words(param, context.params.get(str(param.name)))
    return " ".join(map(shlex.quote, words))


def _long(param: Any) -> str | None:
    return next((option for option in param.opts if option.startswith("--")), None)


def _words(param: Any, value: Any) -> Iterator[str]:
    option = _long(param)
    if option is None:
        yield _text(value)
    elif isinstance(value, bool):
        off = next(iter(param.secondary_opts), None)
        if value or off:
            yield option if value else str(off)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from (option, _text(one))
    elif value is not None:
        yield from (option, _text(value))


def _text(value: Any) -> str:
    return str(value.value) if isinstance(value, Enum) else str(value)
