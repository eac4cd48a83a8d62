"""Parts of a story are made one by one; one that fails leaves the others standing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from ..._errors import ArbitreeError

Step = Callable[[str], None]
_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """Why parts are absent, and the words of errors of those that failed."""

    step: Step
    absent: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def made(self, name: str, make: Callable[[], _Found]) -> _Found | None:
        """The part, or None where it fails."""
        self.step(name)
        try:
            return make()
        except ArbitreeError as error:
            self.failed[name] = str(error)
            return None
