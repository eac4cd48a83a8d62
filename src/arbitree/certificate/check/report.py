"""What a check found: what was derived again, what could not be, and what is wrong."""

from __future__ import annotations

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

    def __str__(self) -> str:
        parts = ["certificate: " + ("valid" if self.valid else "not valid")]
        for title, lines in (
            ("wrong", self.failures),
            ("derived again", self.rederived),
            ("not derived", self.not_rederived),
        ):
            parts += [f"{title}:", *(f"  {line}" for line in lines)] if lines else []
        return "\n".join(parts)
