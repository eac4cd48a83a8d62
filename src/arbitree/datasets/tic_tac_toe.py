"""Every board on which a game of tic-tac-toe can end."""

from __future__ import annotations

import pandas as pd

from arbitree.datasets.dataset import Dataset

SQUARES = tuple(
    f"{row}-{column}-square"
    for row in ("top", "middle", "bottom")
    for column in ("left", "middle", "right")
)
LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)


def make_tic_tac_toe() -> Dataset:
    """Enumerate the 958 boards on which a game of tic-tac-toe can end, x moving first.

    The same rows and names as the UCI data set "Tic-Tac-Toe Endgame": a square holds "x", "o" or
    "b" for blank, and the class is "positive" where x has three in a row. Rows are sorted by their
    squares, from the top left.

    Returns
    -------
    Dataset
        ``frame`` has nine columns of squares and ``Class``, the label.

    Examples
    --------
    >>> from arbitree.datasets import make_tic_tac_toe
    >>> boards = make_tic_tac_toe()
    >>> boards.frame.Class.value_counts().to_dict()
    {'positive': 626, 'negative': 332}
    """
    boards = sorted(_ends())
    frame = pd.DataFrame([list(board) for board in boards], columns=list(SQUARES))
    frame["Class"] = ["positive" if _wins(board, "x") else "negative" for board in boards]
    return Dataset(
        name="tic-tac-toe",
        about="All boards on which a game of tic-tac-toe can end, by enumeration.",
        frame=frame,
        features=SQUARES,
        label="Class",
        favorable={"Class": "positive"},
    )


def _ends() -> set[str]:
    """Boards on which a game ends: the first won ones, then the full ones that nobody won."""
    ends: set[str] = set()
    open_boards = {"b" * 9}
    for mover in "xoxoxoxox":
        moved = {after for board in open_boards for after in _moves(board, mover)}
        won = {board for board in moved if _wins(board, mover)}
        ends |= won
        open_boards = moved - won
    return ends | open_boards


def _moves(board: str, mover: str) -> list[str]:
    blanks = [i for i, square in enumerate(board) if square == "b"]
    return [board[:i] + mover + board[i + 1 :] for i in blanks]


def _wins(board: str, player: str) -> bool:
    return any(all(board[i] == player for i in line) for line in LINES)
