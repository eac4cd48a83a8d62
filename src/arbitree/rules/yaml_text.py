"""YAML as of version 1.2: ``no`` is a text, and so is a date.

PyYAML reads YAML 1.1, to which an unquoted ``no`` is false and ``12:30`` is 750: a class or a
level would silently become another value.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from arbitree._errors import MissingDependencyError, RuleError
from arbitree.rules.nesting import MOST_BRACKETS, TOO_DEEP

_SCALARS = {
    "tag:yaml.org,2002:null": (r"~|null|Null|NULL|", "~nN\0"),
    "tag:yaml.org,2002:bool": (r"true|True|TRUE|false|False|FALSE", "tTfF"),
    "tag:yaml.org,2002:int": (r"[-+]?(0|[1-9][0-9]*)", "-+0123456789"),
    "tag:yaml.org,2002:float": (
        r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+",
        "-+.0123456789",
    ),
}
_LINE_ENDS = set("\x85\u2028\u2029")


def read_yaml(text: str) -> Any:
    """Plain values of a YAML text.

    Raises
    ------
    RuleError
        Says at which line and column the text is no YAML.
    MissingDependencyError
        If PyYAML is not installed.

    Examples
    --------
    >>> read_yaml("allow: no")
    {'allow': 'no'}
    """
    yaml, loader, _ = _classes()
    try:
        return yaml.load(text, loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = "" if mark is None else f"Line {mark.line + 1}, column {mark.column + 1}: "
        raise RuleError(f"{where}this is no YAML. {getattr(error, 'problem', error)}.") from error


def write_yaml(data: Any) -> str:
    """Plain values as YAML, which `read_yaml` reads back."""
    yaml, _, dumper = _classes()
    return str(yaml.dump(data, Dumper=dumper, sort_keys=False, allow_unicode=True, width=100))


@cache
def _classes() -> tuple[Any, Any, Any]:
    try:
        import yaml
    except ImportError as error:
        raise MissingDependencyError(
            "YAML needs PyYAML. Install it with: pip install 'arbitree[rules]'"
        ) from error
    parts = {
        "yaml_implicit_resolvers": {},
        "construct_mapping": _mapping,
        "compose_node": _node,
        "depth": 0,
    }
    loader = type("Loader", (yaml.SafeLoader,), parts)
    dumper = type("Dumper", (yaml.SafeDumper,), {"yaml_implicit_resolvers": {}})
    dumper.add_representer(str, _text)  # type: ignore[attr-defined]
    dumper.ignore_aliases = lambda self, data: True  # type: ignore[attr-defined]
    for made in (loader, dumper):
        for tag, (pattern, first) in _SCALARS.items():
            signs = [*first.replace("\0", ""), *([""] if "\0" in first else [])]
            made.add_implicit_resolver(tag, re.compile(f"^(?:{pattern})$"), signs)  # type: ignore[attr-defined]
    # To YAML 1.1 an unquoted "=" is no text, and others may read what we write.
    dumper.add_implicit_resolver("tag:yaml.org,2002:value", re.compile("^=$"), ["="])  # type: ignore[attr-defined]
    return yaml, loader, dumper


def _node(loader: Any, parent: Any, index: Any) -> Any:
    """A node and those in it, which PyYAML reads by calling itself."""
    yaml, _, _ = _classes()
    if loader.depth > MOST_BRACKETS:
        mark = loader.peek_event().start_mark
        raise RuleError(f"Line {mark.line + 1}, column {mark.column + 1}: {TOO_DEEP}")
    loader.depth += 1
    node = yaml.SafeLoader.compose_node(loader, parent, index)
    loader.depth -= 1
    return node


def _mapping(loader: Any, node: Any, deep: bool = False) -> Any:
    """A mapping; of two equal keys the first would be lost without a word."""
    yaml, _, _ = _classes()
    seen = set()
    for key, _value in node.value:
        if isinstance(key.value, str) and key.value in seen:
            problem = f"The key {key.value!r} is there twice"
            raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
        seen.add(str(key.value))
    return yaml.SafeLoader.construct_mapping(loader, node, deep)


def _text(dumper: Any, text: str) -> Any:
    """A text; in double quotes, with escapes, where YAML 1.1 would fold one of its line ends."""
    style = '"' if _LINE_ENDS & set(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)
