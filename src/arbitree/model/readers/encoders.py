"""Levels that the encoders of a pipeline did not know: one that ignores them says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from arbitree._wording import counted, listed


def unknown_levels(native: Any, frame: pd.DataFrame) -> Iterator[str]:
    """A sentence for each column with levels that no row of the training had.

    Looked at are encoders with ``categories_`` in the column transformer that a pipeline begins
    with, behind imputers or not.

    Parameters
    ----------
    native : estimator
    frame : DataFrame
        With the names of the training.
    """
    for names, encoder in _encoders(native):
        for name, levels in zip(names, encoder.categories_):
            values = frame[name].dropna()
            known = set(levels.tolist())
            strange = ~values.map(lambda value, known=known: value in known).astype(bool)
            if strange.any():
                shown = listed(sorted(set(values[strange]), key=str), at_most=3)
                n = int(strange.sum())
                yield (
                    f"{counted(n, 'row')} {'has' if n == 1 else 'have'} a level of {name!r} that "
                    f"the model did not see in training: {shown}. Check that the file writes "
                    "levels as the training data did."
                )


def _encoders(native: Any) -> Iterator[tuple[list[str], Any]]:
    """Encoders and the columns of the frame that they read."""
    first = native.steps[0][1] if hasattr(native, "steps") else native
    for _, transformer, columns in getattr(first, "transformers_", ()):
        if not (isinstance(columns, list) and all(isinstance(name, str) for name in columns)):
            continue
        steps = [step for _, step in getattr(transformer, "steps", [("", transformer)])]
        while len(steps) > 1 and "Imputer" in type(steps[0]).__name__:
            steps.pop(0)
        categories = getattr(steps[0], "categories_", None) if steps else None
        if categories is not None and len(categories) == len(columns):
            yield columns, steps[0]
