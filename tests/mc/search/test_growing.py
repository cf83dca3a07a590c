"""The store of a search: arrays that grow in place, up to a limit."""

import mmap

import numpy as np
import pytest

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.search import growing
from puzzlemc.mc.steps.frontier import Frontier

WORDS = 3
STATES = 1 << 10
ROW = 8 * WORDS + 5  # bytes of a state beside the hash table


def full(states: int) -> Frontier:
    """A search with that many states, and no room for more."""
    space = Frontier(np.zeros(WORDS, np.uint64), states)
    np.asarray(space.rows)[:] = np.arange(states * WORDS, dtype=np.uint64).reshape(-1, WORDS)
    np.asarray(space.parent)[:] = np.arange(states) - 1
    np.asarray(space.action)[:] = np.arange(states) % 5
    space.used = states
    space.resize(2 * states)
    return space


def check(space: Frontier, states: int) -> None:
    """The first states are as they were, and found."""
    rows = np.asarray(space.rows)[:states]
    assert (rows == np.arange(states * WORDS).reshape(-1, WORDS)).all()
    assert (np.asarray(space.parent)[:states] == np.arange(states) - 1).all()
    assert (np.asarray(space.action)[:states] == np.arange(states) % 5).all()
    assert [space.number_of(row) for row in rows] == list(range(states))


class Unmovable(mmap.mmap):
    """Pages that the system cannot move."""

    def resize(self, newsize: int) -> None:
        raise OSError


@pytest.mark.parametrize("pages", [mmap.mmap, Unmovable])
def test_states_stay_as_the_arrays_grow(pages: type[mmap.mmap], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing.mmap, "mmap", pages)
    space = full(STATES)
    for more in (4, 4000, 30_000):
        space.make_room(more, 1 << 30)
        assert space.rows.shape[0] > STATES + more
        assert 8 * (STATES + more) < 5 * space.slots.shape[0]
        check(space, STATES)


def test_an_array_that_somebody_looks_at_stays_as_it_is() -> None:
    space = full(STATES)
    space.make_room(4, 1 << 30)
    seen = np.asarray(space.rows)
    space.make_room(4000, 1 << 30)
    check(space, STATES)
    assert (seen[:STATES] == np.asarray(space.rows)[:STATES]).all()


@pytest.mark.parametrize("pages", [mmap.mmap, Unmovable])
def test_an_array_that_finds_no_memory_stays_as_it_is(
    pages: type[mmap.mmap], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growing.mmap, "mmap", pages)
    space = full(STATES)
    for _ in range(2):
        with pytest.raises(MemoryError):
            space.lengthen(1 << 50, "rows")
        check(space, STATES)
        space.lengthen(2 * STATES, "rows")
        check(space, STATES)


def fill(space: Frontier, limit: int) -> None:
    """Fill the arrays until the limit is reached. Raises LimitReached."""
    while True:
        space.make_room(4, limit - space.bytes)
        assert space.bytes <= limit
        space.used = space.rows.shape[0] - 4


def test_the_limit_is_used_to_its_end() -> None:
    space = full(STATES)
    limit = 4000 * ROW + 4 * 8000
    with pytest.raises(LimitReached):
        fill(space, limit)
    assert space.bytes > 0.9 * limit
    rows = np.asarray(space.rows)[:STATES]
    assert (rows == np.arange(STATES * WORDS).reshape(-1, WORDS)).all()
