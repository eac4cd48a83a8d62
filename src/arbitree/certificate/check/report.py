"""What a check found: what was derived again, what could not be, and what is wrong."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from arbitree.certificate.check.shape import Unable, Wrong


@dataclass(slots=True)
class Report:
    """Filled while a certificate is checked."""

    failures: list[str] = field(default_factory=list)
    rederived: list[str] = field(default_factory=list)
    underived: list[str] = field(default_factory=list)

    def attempt(self, what: str, derive: Callable[[], object]) -> bool:
        """Derive something again; where it is wrong, say so and go on."""
        before = len(self.failures)
        try:
            derive()
        except Unable as error:
            self.underived.append(f"{what}: {error}")
            return False
        except Wrong as error:
            self.failures.append(str(error))
        except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
            said = error if isinstance(error, ValueError) else repr(error)
            self.failures.append(f"{what} cannot be read: {said}")
        if len(self.failures) > before:
            return False
        self.rederived.append(what)
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCertificate:
    """Whether a certificate holds: ``valid`` is true where there are no failures.

    Attributes
    ----------
    failures : tuple of str
        What is wrong.
    rederived : tuple of str
        What was derived again, from the certificate alone, or from the data too.
    not_rederived : tuple of str
        What has to be believed, or held against the data.
    """

    failures: tuple[str, ...]
    rederived: tuple[str, ...]
    not_rederived: tuple[str, ...]

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong."""
        return not self.failures

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values."""
        return {
            "valid": self.valid,
            "failures": list(self.failures),
            "rederived": list(self.rederived),
            "not_rederived": list(self.not_rederived),
        }

    def to_json(self) -> str:
        """Strict JSON."""
        return json.dumps(self.to_dict(), indent=1) + "\n"

    @property
    def _headline(self) -> str:
        return "certificate: " + ("valid" if self.valid else "not valid")

    def _parts(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        named = (
            ("wrong", self.failures),
            ("derived again", self.rederived),
            ("not derived", self.not_rederived),
        )
        return tuple((title, lines) for title, lines in named if lines)

    def __str__(self) -> str:
        parts = [self._headline]
        for title, lines in self._parts():
            parts += [f"{title}:", *(f"  {line}" for line in lines)]
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        rows = [
            f"<tr><td>{title}</td><td>{_shown(line)}</td></tr>"
            for title, lines in self._parts()
            for line in lines
        ]
        head = '<thead><tr><th scope="col">part</th><th scope="col">what</th></tr></thead>'
        caption = f"<caption>{self._headline}</caption>"
        table = f"{caption}\n{head}\n<tbody>\n{chr(10).join(rows)}\n</tbody>"
        return f'<table class="arbitree">\n{table}\n</table>\n'


def _shown(line: str) -> str:
    """A line as text of HTML; what cannot be seen or turns the line round is written out."""
    seen = "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in line
    )
    return html.escape(seen, quote=True)
