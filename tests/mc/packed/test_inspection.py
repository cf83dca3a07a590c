"""Facts about packed actions in compiled code agree with the same facts in numpy."""

from typing import NamedTuple

import numpy as np
import pytest

from puzzlemc.mc.packed.inspection import Masks, grouped, keeps_objects, moves_one, unions

KEY = 7


class Arrays(NamedTuple):
    """Random actions on states of some words, the lowest bits of which are a location."""

    mask: np.ndarray
    value: np.ndarray
    clear: np.ndarray
    set: np.ndarray

    @property
    def masks(self) -> Masks:
        """The arrays for compiled code."""
        count = len(self.mask)
        return Masks(KEY, tuple(self), np.arange(count) % 3, np.arange(count))


def random_actions(seed: int, words: int) -> Arrays:
    """Actions that require a location; most of them move one object that they require."""
    random = np.random.default_rng(seed)
    count = 40
    mask, value, clear, place = (np.zeros((count, words), np.uint64) for _ in range(4))
    mask[:, 0] = KEY
    value[:, 0] = random.integers(0, KEY + 1, count)
    for i in range(count):
        taken, placed, beside = random.choice(np.arange(3, 64 * words), 3, replace=False)
        for array, at in ((mask, taken), (mask, placed), (value, taken), (clear, taken), (place, placed)):
            array[i, at // 64] |= np.uint64(1 << int(at) % 64)
        if seed % 3 == 1 and i == 7:  # it forgets what it sets
            mask[i, placed // 64] &= ~np.uint64(1 << int(placed) % 64)
        if seed % 3 == 2 and i == 9:  # it requires an object that it leaves
            mask[i, beside // 64] |= np.uint64(1 << int(beside) % 64)
            value[i, beside // 64] |= np.uint64(1 << int(beside) % 64)
    return Arrays(mask, value, clear, place)


def objects_of(words: int) -> np.ndarray:
    """All bits but those of the location."""
    objects = np.full(words, ~np.uint64(0))
    objects[0] ^= np.uint64(KEY)
    return objects


@pytest.mark.parametrize("words", [1, 2])
@pytest.mark.parametrize("seed", range(9))
def test_objects(seed: int, words: int) -> None:
    actions = random_actions(seed, words)
    assert keeps_objects(actions.masks, objects_of(words)) == (seed % 3 != 1)
    assert moves_one(actions.masks, objects_of(words)) == (seed % 3 != 2)
    actions.clear[5] |= objects_of(words)
    assert not keeps_objects(actions.masks, objects_of(words))
    assert not moves_one(actions.masks, objects_of(words))


@pytest.mark.parametrize("words", [1, 2])
def test_groups(words: int) -> None:
    actions = random_actions(3, words)
    first, rows = np.zeros(KEY + 2, np.int64), np.empty((40, 5, words), np.uint64)
    info = np.empty((40, 2), np.int32)
    order = grouped(actions.masks, first, rows, info)
    assert order is not None
    source = actions.value[:, 0] & np.uint64(KEY)
    assert order.tolist() == np.argsort(source, kind="stable").tolist()
    assert np.diff(first).tolist() == np.bincount(source.astype(np.int64), minlength=KEY + 1).tolist()
    expected = [actions.mask, actions.value, ~actions.clear, actions.set, np.zeros_like(actions.mask)]
    assert rows.tolist() == np.stack([array[order] for array in expected], axis=1).tolist()
    assert info.tolist() == np.stack([order % 3, order], axis=1).tolist()
    actions.mask[4, 0] &= ~np.uint64(1)
    assert grouped(actions.masks, first, rows, info) is None


def test_unions_of_neighbours() -> None:
    near = np.random.default_rng(0).integers(0, 1 << 63, (20, 1)).astype(np.uint64)
    found = unions(near)
    for k in range(8):
        for octet in (0, 1, 5, 130, 255):
            codes = [code for code in range(8 * k, min(8 * k + 8, 20)) if octet >> code - 8 * k & 1]
            assert found[k, octet] == np.bitwise_or.reduce(near[codes, 0], initial=np.uint64(0))
