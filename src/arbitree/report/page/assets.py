"""The page's own files, the library that draws, and a policy that lets nothing out."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from ..._errors import MissingDependencyError
from ..._tables import visible

SCRIPTS = ("tell.js", "charts.js", "tables.js", "frontier.js", "tree.js", "start.js")
_ADVICE = "A report as one HTML page needs {}. Install it with: pip install 'arbitree[report]'"
# In a script element these would end it, or open a comment that swallows its end.
_OUTSIDE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


@lru_cache(maxsize=1)
def environment() -> Any:
    """Jinja's environment: everything that is put in is escaped, unseen characters written out."""
    _need("jinja2")
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def written(value: Any) -> Any:
        return visible(value) if type(value) is str else value

    found = Environment(
        loader=PackageLoader("arbitree.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=written,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["data"] = lambda value: Markup(script_json(value))
    return found


def file_text(name: str) -> str:
    """One of the page's own files: style or script."""
    found = environment()
    text: str = found.loader.get_source(found, name)[0]
    return text


def own_script() -> str:
    """The page's script, whole."""
    return "\n".join(file_text(name) for name in SCRIPTS)


@lru_cache(maxsize=1)
def library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script; it takes seconds to put together.

    Raises
    ------
    MissingDependencyError
        vl-convert-python is not installed.
    """
    _need("vl_convert", "vl-convert-python")
    import vl_convert

    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    # In a script element, both would be markup; neither can be written otherwise everywhere.
    if "</script" in script.lower() or "<!--" in script:
        raise ValueError("The plotting library's script cannot be put into a page.")
    return script


def _need(module: str, package: str | None = None) -> None:
    if find_spec(module) is None:
        raise MissingDependencyError(_ADVICE.format(package or module))


def script_json(value: Any) -> str:
    """Strict JSON for a script element of type application/json.

    >>> print(script_json({"name": "</script>"}))
    {"name":"\\u003c/script\\u003e"}
    """
    text = json.dumps(_seen(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return "".join(_OUTSIDE.get(character, character) for character in text)


def _seen(value: Any) -> Any:
    """The same with unseen characters of its texts written out."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {key: _seen(item) for key, item in value.items()}
    return [_seen(item) for item in value] if isinstance(value, list | tuple) else value


def policy(scripts: Sequence[str]) -> str:
    """A content security policy: these scripts run, and no request leaves the page.

    Parameters
    ----------
    scripts : sequence of str
        Their texts, as they stand in the page.

    Examples
    --------
    >>> policy([""]).split("; ")[1]
    "script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts]
    allowed = " ".join(f"'sha256-{one}'" for one in hashes)
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {allowed}",
            "style-src 'unsafe-inline'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
