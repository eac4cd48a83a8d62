"""One table, coded: what every engine reads."""

from __future__ import annotations
