"""The memory of a search: arrays that grow in place, up to a limit."""

import mmap

import numpy as np
import pytest

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.steps import memory
from puzzlemc.mc.steps.frontier import Frontier
from puzzlemc.mc.steps.memory import Memory

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
    monkeypatch.setattr(memory.mmap, "mmap", pages)
    space = full(STATES)
    grows = Memory(space, 1 << 30)
    for more in (4, 4000, 30_000):
        grows.enlarge(more)
        assert space.rows.shape[0] > STATES + more
        assert 8 * (STATES + more) < 5 * space.slots.shape[0]
        check(space, STATES)


def test_an_array_that_somebody_looks_at_stays_as_it_is() -> None:
    space = full(STATES)
    grows = Memory(space, 1 << 30)
    grows.enlarge(4)
    seen = np.asarray(space.rows)
    grows.enlarge(4000)
    check(space, STATES)
    assert (seen[:STATES] == np.asarray(space.rows)[:STATES]).all()


def test_the_limit_is_used_to_its_end() -> None:
    space = full(STATES)
    limit = 1300 * ROW + 4 * 2048
    Memory(space, limit).enlarge(4)
    assert space.rows.shape[0] == 1300
    with pytest.raises(LimitReached):
        Memory(space, limit).enlarge(300)
    check(space, STATES)
