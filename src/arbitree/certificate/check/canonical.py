"""Strict JSON, one text for each value, and the digests that seal a certificate."""

from __future__ import annotations

import hashlib
import json
import math
import re
from typing import Any

SEAL = "seal"
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_WHOLE_BELOW = 2.0**53
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)


def strict(text: str) -> Any:
    """What a JSON text says.

    Raises
    ------
    ValueError
        If it is no JSON; if it has NaN, an infinity or a number beyond float64; or if an object
        names a key twice, which readers understand differently.

    Examples
    --------
    >>> strict('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ValueError: the key 'a' is there twice
    """
    return json.loads(
        text, parse_constant=_refused, parse_float=_finite, object_pairs_hook=_without_repeats
    )


def canonical(value: Any) -> str:
    """The one text of a JSON value: keys sorted, no spaces, ASCII.

    >>> canonical({"b": [1, 1.0], "a": "é"})
    '{"a":"\\\\u00e9","b":[1,1.0]}'
    """
    return _ENCODER.encode(value)


def digest(value: Any) -> str:
    """SHA-256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(canonical(value).encode("ascii")).hexdigest()


def seal_of(document: dict[str, Any]) -> str:
    """The seal of a certificate: the digest of everything in it but the seal."""
    return digest({key: value for key, value in document.items() if key != SEAL})


_FROM_DATA = (
    *("metric", "max_gap", "min_p_rule", "confidence", "method", "n", "constant", "selection"),
    *("favorable", "label_favorable", "sensitive_features", "data"),
)
_OF_GROUPS = ("grouping", "condition", "group", "n", "k")
_OF_CANDIDATES = ("candidate", "accuracy", "n", "k")


def rules_inputs(safety: dict[str, Any]) -> list[Any]:
    """Of the safety part, what is not derived: domain, statements and what missing means."""
    statements = [one["statement"] for one in safety["statements"]]
    return [safety["missing"], safety["domain"], statements]


def data_inputs(fairness: dict[str, Any]) -> list[Any]:
    """Of the fairness part, what is not derived: what was asked, and what the data said."""
    return [
        {key: fairness[key] for key in _FROM_DATA},
        [[row[key] for key in _OF_GROUPS] for row in fairness["by_group"]],
        [[row[key] for key in _OF_CANDIDATES] for row in fairness["candidates"]],
    ]


def cell_text(value: Any) -> str:
    """A value of a table as one text, whether it was read from a file or is an object.

    >>> [cell_text(value) for value in (30, 30.0, "30", "030.0", True, "TRUE", None, "f")]
    ['30', '30', '30', '30', 'true', 'true', '', 'f']
    """
    if value is None:
        return ""
    if isinstance(value, str):
        text = value.strip()
        if _NUMBER.fullmatch(text):
            return _number_text(float(text))
        return text.lower() if text.lower() in ("true", "false") else text
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number_text(float(value))
    if str(value) in ("<NA>", "NaT"):
        return ""
    if hasattr(value, "isoformat"):
        return str(value.isoformat()).removesuffix("T00:00:00")
    return str(value)


def column_digest(texts: list[str]) -> str:
    """SHA-256 of a column's texts, in the order of the rows."""
    return hashlib.sha256(json.dumps(texts).encode("ascii")).hexdigest()


def _number_text(number: float) -> str:
    if math.isnan(number):
        return ""
    if number.is_integer() and abs(number) < _WHOLE_BELOW:
        return str(int(number))
    return repr(number)


def _refused(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"the number {text} is beyond float64")
    return number


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} is there twice")
        found[key] = value
    return found
