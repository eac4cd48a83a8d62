"""Settings from a TOML file, as defaults of a command's options: options win."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from .._errors import InputError
from .._wording import nearest

#: Whose values are lists of column names, in which a comma is a part of a name.
_NAMES = {"sensitive", "control", "features", "exclude"}
#: Files that are read, which a config names relative to itself.
_READ = {"file", "rules", "model"}
_NO_SETTING = {"config", "help"}


def configured(context: typer.Context, path: Path | None) -> Path | None:
    """Make what a file says the defaults of the command's options.

    Parameters
    ----------
    context : typer.Context
        Of the command, before its other options are read.
    path : path or None

    Raises
    ------
    InputError
        The file is no TOML, names no setting of the command, or gives it a value of another kind.
    """
    if path is None:
        return None
    params = {_key(param): param for param in context.command.params}
    given: dict[str, Any] = {}
    for key, value in _read(path).items():
        name = key.replace("_", "-")
        if name not in params or name in _NO_SETTING:
            known = sorted(params.keys() - _NO_SETTING)
            raise InputError(f"{path} has the setting {key!r}. {nearest(name, known)}")
        given[str(params[name].name)] = _value(name, value, params[name], path)
    context.default_map = {**(context.default_map or {}), **given}
    return path


def _key(param: Any) -> str:
    """The name of a setting: that of its option, without dashes before it."""
    long = [option for option in param.opts if option.startswith("--")]
    return long[0].removeprefix("--") if long else str(param.name)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no TOML: {error}.") from error


def _value(name: str, value: Any, param: Any, path: Path) -> Any:
    """A value as the option takes it."""
    several = getattr(param, "multiple", False)
    if isinstance(value, Mapping):
        if name not in ("bins", "reference"):
            raise InputError(f"{path}: {name} is a table. Give {name} a value of its own.")
        return [f"{column}={_joined(points)}" for column, points in value.items()]
    if isinstance(value, list) and not several:
        raise InputError(f"{path}: {name} is a list, and takes one value.")
    if getattr(param, "is_flag", False) != isinstance(value, bool):
        wanted = "true or false" if not isinstance(value, bool) else "a value, not true or false"
        raise InputError(f"{path}: {name} is {value!r}, and takes {wanted}.")
    if name in _READ:
        return _beside(str(value), path)
    if not several:
        return value if isinstance(value, bool | int | float) else str(value)
    values = value if isinstance(value, list) else [value]
    return [_quoted(str(one)) if name in _NAMES else str(one) for one in values]


def _joined(points: Any) -> str:
    return ",".join(map(str, points)) if isinstance(points, list) else str(points)


def _beside(name: str, path: Path) -> str:
    return name if name == "-" or Path(name).is_absolute() else str(path.parent / name)


def _quoted(name: str) -> str:
    """A column's name as `values.names` reads it as one."""
    plain = name == name.strip(" ") and not set(name) & set(',"\n\r')
    return name if plain else '"' + name.replace('"', '""') + '"'
