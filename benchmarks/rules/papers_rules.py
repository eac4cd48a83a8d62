"""The paper's data sets and assertions, as they were read."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

LINES = ("top", "middle", "bottom")
DATASETS = {
    "Breast Cancer": (
        "breast_cancer.csv",
        "age = 30-39 and tumor-size = 30-34 and irradiat = yes => recurrence-events\n",
    ),
    "Mushroom": (
        "mushroom.csv.gz",
        "cap-shape = b and gill-color = r => p\n"
        "stalk-color-above-ring = b and stalk-color-below-ring = g => p\n",
    ),
    "Nursery": ("nursery.csv.gz", "health = not_recom => not_recom\n"),
    "Tic-Tac-Toe": (
        "tic_tac_toe.csv",
        "".join(
            f"{line}-left-square = o and {line}-middle-square = o and {line}-right-square = o "
            "=> negative\n"
            for line in LINES
        ),
    ),
}
FAILING = {
    "Mushroom, bell and gray (96 of 108 rows contradict)": (
        "mushroom.csv.gz",
        "cap-shape = b and gill-color = g => p\n",
    ),
    "Nursery, not_recom => not very_recom (four classes are left)": (
        "nursery.csv.gz",
        "health = not_recom => not very_recom\n",
    ),
}
_DECLARED = {  # by UCI, in the data or not: first value, width, number
    "age": (10, 10, 9),
    "tumor-size": (0, 5, 12),
    "inv-nodes": (0, 3, 13),
}


def read(folder: Path, name: str) -> tuple[pd.DataFrame, pd.Series]:
    """Features as texts, and classes."""
    frame = pd.read_csv(folder / name, dtype=str, keep_default_na=False)
    label = "Class" if "Class" in frame else "class"
    return frame.drop(columns=label), frame[label]


def levels(name: str, X: pd.DataFrame) -> dict[str, list[str]]:
    """The levels of each feature."""
    found = {column: sorted(X[column].unique()) for column in X}
    if name.startswith("breast_cancer"):
        for column, (first, width, n) in _DECLARED.items():
            starts = range(first, first + width * n, width)
            found[column] = [f"{start}-{start + width - 1}" for start in starts]
    return found


def domain_text(name: str, X: pd.DataFrame) -> str:
    """The levels, declared."""
    return "".join(
        f"feature {column}: {{{', '.join(repr(level) for level in of)}}}\n"
        for column, of in levels(name, X).items()
    )
