"""Features that only tell rows apart."""

from __future__ import annotations

from collections.abc import Sequence

from arbitree.table.coded_column import CodedColumn
from arbitree.table.codings import CategoryCoding

FEW = 50  # levels, up to which a column cannot be one of identifiers


def identifier_notices(features: Sequence[CodedColumn]) -> tuple[str, ...]:
    """A sentence for each category with more levels than half of the rows, and than a few."""
    return tuple(
        f"The column {column.name!r} of X has {column.coding.n_values:,} levels in "
        f"{len(column.codes):,} rows, which look like identifiers. Drop it from X unless the tree "
        "may split on them."
        for column in features
        if isinstance(column.coding, CategoryCoding)
        and column.coding.n_values > max(FEW, len(column.codes) // 2)
    )
