"""The end boards, by enumeration and against the published file."""

from __future__ import annotations

import pandas as pd

from arbitree.datasets import make_tic_tac_toe


def test_there_are_958_boards_of_which_x_wins_626():
    frame = make_tic_tac_toe().frame
    assert len(frame.drop_duplicates()) == 958
    assert frame.Class.value_counts().to_dict() == {"positive": 626, "negative": 332}


def test_x_has_moved_as_often_as_o_or_once_more():
    squares = make_tic_tac_toe().frame.drop(columns="Class")
    ahead = (squares == "x").sum(axis=1) - (squares == "o").sum(axis=1)
    assert set(ahead) == {0, 1}


def test_the_boards_are_those_of_the_published_file(shared_data):
    published = pd.read_csv(shared_data / "tic_tac_toe.csv", dtype=str)
    ours = make_tic_tac_toe().frame.astype(published.dtypes)
    columns = list(published.columns)
    pd.testing.assert_frame_equal(
        ours.sort_values(columns, ignore_index=True),
        published.sort_values(columns, ignore_index=True),
    )
