"""A column as small integers, and what they mean."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from arbitree.table.codings import Coding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodedColumn:
    """One column, coded: ``codes < coding.n_codes``, contiguous and read-only."""

    name: Hashable
    coding: Coding
    codes: np.ndarray  # (n_rows,) uint8 or uint16

    def __post_init__(self) -> None:
        codes = np.ascontiguousarray(self.codes)
        if codes.flags.writeable:
            codes = codes.view()
            codes.flags.writeable = False
        object.__setattr__(self, "codes", codes)
