"""Closed lists of positions: they are packed as states at no cost, and made when they are needed."""

import pickle
from functools import partial

import numpy as np

from puzzlemc.mc.proofs.blocks import each
from puzzlemc.mc.proofs.closed import closed_positions


def test_positions_are_rows_at_no_cost_and_can_be_made_later():
    places = np.array([[4, 1, 2], [0, 3, 65535], [7, 1, 5]], np.uint16)
    later = pickle.loads(pickle.dumps(partial(closed_positions, places)))
    listed = later()
    assert listed.objects == 2
    assert listed.width == 4
    (rows,) = each(listed.blocks, listed.width)
    assert not rows[:, 0].any()
    assert {tuple(row) for row in rows[:, 1:].tolist()} == {(4, 1, 2), (0, 3, 65535), (7, 1, 5)}


def test_an_empty_list_has_no_blocks():
    assert closed_positions(np.zeros((0, 3), np.uint16)).blocks == ()
