"""Facts about packed actions in compiled code agree with the same facts in numpy."""

from typing import NamedTuple

import numpy as np
import pytest

from puzzlemc.mc.packed.cubes import complete, write_cubes
from puzzlemc.mc.packed.inspection import (
    Masks,
    cost_unit,
    grouped,
    keeps_objects,
    moves_one,
    places_dead,
    reversed_rows,
)

KEY = 7


class Arrays(NamedTuple):
    """Random actions on states of some words, the lowest bits of which are a location.

    rows  (actions, 4, words): mask, value, clear and set of each action
    """

    rows: np.ndarray

    @property
    def masks(self) -> Masks:
        """The arrays for compiled code."""
        count = np.arange(len(self.rows))
        return Masks(key_of(self.rows.shape[2]), self.rows, np.stack([count % 3, count], axis=1))


def key_of(words: int) -> np.ndarray:
    """The bits of the location."""
    return np.array([KEY] + [0] * (words - 1), np.uint64)


def random_actions(seed: int, words: int) -> Arrays:
    """Actions that require a location; most of them move one object that they require."""
    random = np.random.default_rng(seed)
    count = 40
    rows = np.zeros((count, 4, words), np.uint64)
    mask, value, clear, place = rows.transpose(1, 0, 2)
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
    return Arrays(rows)


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
    actions.rows[5, 2] |= objects_of(words)
    assert not keeps_objects(actions.masks, objects_of(words))
    assert not moves_one(actions.masks, objects_of(words))


@pytest.mark.parametrize("words", [1, 2])
def test_groups(words: int) -> None:
    actions = random_actions(3, words)
    first, rows = np.zeros(KEY + 2, np.int64), np.empty((40, 5, words), np.uint64)
    info = np.empty((40, 2), np.int32)
    order = grouped(actions.masks, first, rows, info)
    assert order is not None
    source = actions.rows[:, 1, 0] & np.uint64(KEY)
    assert order.tolist() == np.argsort(source, kind="stable").tolist()
    assert np.diff(first).tolist() == np.bincount(source.astype(np.int64), minlength=KEY + 1).tolist()
    mask, value, clear, place = actions.rows.transpose(1, 0, 2)
    expected = [mask, value, ~clear, place, np.zeros_like(mask)]
    assert rows.tolist() == np.stack([array[order] for array in expected], axis=1).tolist()
    assert info.tolist() == np.stack([order % 3, order], axis=1).tolist()
    actions.rows[4, 0, 0] &= ~np.uint64(1)
    assert grouped(actions.masks, first, rows, info) is None


@pytest.mark.parametrize("words", [1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_reversed_actions_lead_back(seed: int, words: int) -> None:
    actions = random_actions(seed, words)
    back = reversed_rows(actions.masks)
    if seed % 3 == 1:
        assert back is None
        return
    assert back is not None
    for (mask, value, clear, place), (other, before, cleared, placed) in zip(actions.rows, back, strict=True):
        after = value & ~clear | place
        assert (other == mask).all()
        assert (before == after & mask).all()
        assert (before & ~cleared | placed).tolist() == value.tolist()


@pytest.mark.parametrize("words", [1, 2])
def test_the_unit_of_costs_is_that_of_actions_that_change_more_than_the_location(words: int) -> None:
    rows = random_actions(0, words).rows
    info = np.stack([6 + 4 * (np.arange(len(rows)) % 3), np.arange(len(rows))], axis=1)
    assert cost_unit(Masks(key_of(words), rows, info)) == 2
    info[3, 0] = 3
    assert cost_unit(Masks(key_of(words), rows, info)) == 1
    rows[3, 2:] = 0
    rows[3, 2, 0] = 1
    assert cost_unit(Masks(key_of(words), rows, info)) == 2
    info[:, 0] = 0
    assert cost_unit(Masks(key_of(words), rows, info)) == 1


@pytest.mark.parametrize("words", [1, 2])
def test_actions_that_place_a_dead_object(words: int) -> None:
    rows = random_actions(0, words).rows
    rows[0, 0, 0] &= ~np.uint64(1)  # its guard requires no location
    column = np.array([-1] * 3 + list(range(64 * words - 3)))
    alive = np.random.default_rng(1).integers(0, 2, (KEY + 1, len(column) - 3)).astype(np.bool_)
    placed = np.unpackbits(rows[:, 3].copy().view(np.uint8), axis=1, bitorder="little").argmax(axis=1)
    expected = ~alive[rows[:, 1, 0] & np.uint64(KEY), placed - 3]
    expected[0] = False
    found = places_dead(Masks(key_of(words), rows, np.zeros((len(rows), 2), np.int64)), column, alive)
    assert found.any()
    assert found.tolist() == expected.tolist()


def test_cubes_are_masks_and_guards_at_a_location_require_what_is_closed() -> None:
    rows = np.zeros((2, 4, 2), np.uint64)
    guards = np.array([0, 1, 2, 70, 0, -1]), np.array([True, False, True, True, True, True])
    updates = np.array([70, 1, 3]), np.array([False, True, True])
    write_cubes(np.array([0, 4, 6]), *guards, rows, 0)
    write_cubes(np.array([0, 2, 3]), *updates, rows, 2)
    closed = np.zeros((KEY + 1, 2), np.uint64)
    closed[5] = 1 << 10, 1 << 20
    complete(rows, key_of(2), closed)
    assert rows[0].tolist() == [[7 | 1 << 10, 1 << 6 | 1 << 20], [5, 1 << 6], [0, 1 << 6], [2, 0]]
    assert rows[1].tolist() == [[1, 0], [1, 0], [0, 0], [8, 0]]
