"""Lanes and threads."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree._errors import InputError
from arbitree.counts.histograms import histogram
from arbitree.counts.spread import MAX_LANES, added, blocks, lanes, n_workers, spread


@given(st.integers(0, 10_000), st.integers(0, 500))
def test_lanes_cover_the_rows_once_in_order(n_rows, rows_at_least):
    cut = lanes(n_rows, rows_at_least=rows_at_least)
    assert np.concatenate([np.arange(n_rows)[lane] for lane in cut]).tolist() == [*range(n_rows)]
    assert 1 <= len(cut) <= MAX_LANES
    if len(cut) > 1:
        assert min(lane.stop - lane.start for lane in cut) >= rows_at_least


@given(st.integers(0, 300), st.integers(0, 300), st.integers(1, 50))
def test_blocks_cover_a_lane_once_in_order(start, length, size):
    cut = blocks(slice(start, start + length), size)
    covered = [row for block in cut for row in range(block.start, block.stop)]
    assert covered == [*range(start, start + length)]
    assert all(block.stop - block.start <= size for block in cut)


def test_results_come_in_the_order_of_the_parts():
    assert spread(lambda part: part**2, [3, 1, 2], 3) == [9, 1, 4]
    assert spread(lambda part: part, [], 3) == []


def test_an_error_in_a_thread_is_raised():
    def fails(part):
        raise InputError(f"part {part}")

    with pytest.raises(InputError, match="part 1"):
        spread(fails, [1, 2], 2)


def test_tables_are_added_from_the_first_to_the_last():
    one, tiny = np.array([1.0]), np.array([2.0**-53])
    assert added([one.copy(), tiny, tiny])[0] == 1.0
    assert added([tiny.copy(), tiny, one])[0] > 1.0


@pytest.mark.parametrize("wrong", [0, -1, 1.5, "2", True])
def test_a_number_of_threads_that_makes_no_sense_is_refused(wrong):
    with pytest.raises(InputError, match="n_threads is"):
        n_workers(wrong)


def test_all_cores_are_used_when_no_number_is_given():
    assert n_workers(None) >= 1
    assert n_workers(np.int64(3)) == 3


def test_small_tables_start_no_thread(monkeypatch):
    def refuse(*_):
        raise AssertionError("a thread was started")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    codes = np.zeros(1000, np.uint8)
    counts = histogram([codes] * 3, codes, codes, n_bins=1, n_classes=1, n_groups=1, n_threads=8)
    assert counts.sum() == 3000
