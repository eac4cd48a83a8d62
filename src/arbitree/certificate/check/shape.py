"""What a certificate's parts must look like: exactly the fields that they have, of their types."""

from __future__ import annotations

from typing import Any


class Wrong(Exception):
    """Something in a certificate is not as it says, or not as it must be."""


class Unable(Wrong):
    """Something is not wrong as far as one can see, and cannot be derived here."""


def fields(value: Any, where: str, required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """An object with these fields and no others.

    Parameters
    ----------
    value : object
    where : str
        For messages.
    required, optional : mapping of name to type or tuple of types
        A truth is no whole number here.

    Raises
    ------
    Wrong
        Says which field is missing, of another type, or one too many.
    """
    if not isinstance(value, dict):
        raise Wrong(f"{where} is no object")
    for name, types in required.items():
        if name not in value:
            raise Wrong(f"{where} lacks {name!r}")
        typed(value[name], f"{where}.{name}", types)
    for name in value.keys() - required.keys():
        if name not in optional:
            raise Wrong(f"{where} has a field {name!r}, which says nothing")
        typed(value[name], f"{where}.{name}", optional[name])
    return value


def typed(value: Any, where: str, types: Any) -> Any:
    """A value of one of some types."""
    wanted = types if isinstance(types, tuple) else (types,)
    if type(value) not in wanted and not (type(value) is int and wanted == (float,)):
        raise Wrong(f"{where} is {_short(value)}, of another type than it must be")
    return value


def equal(found: Any, derived: Any, where: str) -> None:
    """Refuse a value that is not the one derived; 1, 1.0 and true are told apart."""
    if type(found) is not type(derived) or found != derived:
        raise Wrong(f"{where} is {_short(found)}, and is derived as {_short(derived)}")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
