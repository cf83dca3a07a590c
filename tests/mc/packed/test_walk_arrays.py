"""The arrays of walks, made in compiled code, agree with the same arrays in numpy."""

import numpy as np
import pytest

from puzzlemc.mc.packed.inspection import Masks
from puzzlemc.mc.packed.walk_arrays import arrange, find_near, unions

KEY = 7


def walks_on_a_ring(words: int) -> tuple[np.ndarray, np.ndarray]:
    """Walks from each location code to the next one and back, and the object at each location code.

    A walk requires that there is no object at both ends.
    """
    objects = np.zeros((KEY + 1, words), np.uint64)
    rows = np.zeros((2 * (KEY + 1), 4, words), np.uint64)
    for code in range(KEY + 1):
        at = 60 + code if words == 2 else 3 + code
        objects[code, at // 64] = 1 << at % 64
    for number, (here, there) in enumerate((code, (code + step) % 8) for step in (1, 7) for code in range(8)):
        rows[number, 0] = objects[here] | objects[there]
        rows[number, 0, 0] |= np.uint64(KEY)
        rows[number, 1, 0], rows[number, 2, 0], rows[number, 3, 0] = here, here & ~there, there & ~here
    return rows, objects


def masks_of(rows: np.ndarray) -> Masks:
    """The walks for compiled code; their numbers in the model begin at 100."""
    info = np.stack([np.ones(len(rows), np.int64), 100 + np.arange(len(rows))], axis=1)
    return Masks(np.array([KEY] + [0] * (rows.shape[2] - 1), np.uint64), rows, info)


@pytest.mark.parametrize("words", [1, 2])
def test_walks_are_sorted_by_location(words: int) -> None:
    rows, objects = walks_on_a_ring(words)
    first, steps, masks = (
        np.zeros(KEY + 2, np.int64),
        np.empty((16, 2), np.int64),
        np.empty((16, 2, words), np.uint64),
    )
    arrange(masks_of(rows), first, steps, masks)
    assert first.tolist() == list(range(0, 18, 2))
    expected = [
        (there % 8, 100 + at) for code in range(8) for there, at in ((code + 1, code), (code + 7, code + 8))
    ]
    assert steps.tolist() == [list(pair) for pair in expected]
    assert masks[:, 0].tolist() == [
        (objects[at // 2] | objects[to]).tolist() for at, (to, _) in enumerate(expected)
    ]
    assert not masks[:, 1].any()


@pytest.mark.parametrize("words", [1, 2])
def test_neighbours_need_no_other_condition(words: int) -> None:
    rows, objects = walks_on_a_ring(words)
    near, blocked = np.zeros((KEY + 1, 1), np.uint64), np.full(64 * words, -1, np.int32)
    assert find_near(masks_of(rows), objects, near, blocked)
    assert near[:, 0].tolist() == [1 << (code + 1) % 8 | 1 << (code + 7) % 8 for code in range(8)]
    first = 60 if words == 2 else 3
    assert blocked.tolist() == [at - first if first <= at < first + 8 else -1 for at in range(64 * words)]
    rows[9, 0, words - 1] |= np.uint64(1 << 40)
    assert not find_near(masks_of(rows), objects, np.zeros_like(near), blocked)
    rows, objects = walks_on_a_ring(words)
    rows[9, 1, words - 1] |= np.uint64(1 << 40)
    assert not find_near(masks_of(rows), objects, np.zeros_like(near), blocked)


def test_unions_of_neighbours() -> None:
    near = np.random.default_rng(0).integers(0, 1 << 63, (20, 1)).astype(np.uint64)
    found = unions(near)
    for k in range(8):
        for octet in (0, 1, 5, 130, 255):
            codes = [code for code in range(8 * k, min(8 * k + 8, 20)) if octet >> code - 8 * k & 1]
            assert found[k, octet] == np.bitwise_or.reduce(near[codes, 0], initial=np.uint64(0))
