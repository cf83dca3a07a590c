"""Turns of a search: the clock determines their size, and not where the search pauses."""

import pytest

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.search import turns
from puzzlemc.mc.search.state_table import FOUND, PAUSED
from puzzlemc.mc.search.turns import Turns


class Counter:
    """A search whose steps are of 1, 2, ..., 9, 1, ... units of work, and that ends at its last step."""

    def __init__(self, steps: int) -> None:
        self.steps, self.last, self.work, self.calls = 0, steps, 0, 0

    def advance(self, work: int) -> int:
        self.calls += 1
        until = self.work + work
        while self.work < until:
            if self.steps == self.last:
                return FOUND
            self.work += 1 + self.steps % 9
            self.steps += 1
        return PAUSED


@pytest.mark.parametrize("seconds", [0.0, 1e-6, 1e9])
def test_a_search_whose_steps_overshoot_pauses_at_the_same_step(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "TURN_SECONDS", seconds)
    search, running = Counter(10_000), Turns(Budget())
    paused = []
    for _ in range(5):
        assert running.run_counted(search.advance, lambda: search.work, 98) == PAUSED
        paused.append((search.steps, search.work))
    assert paused == [(22, 100), (42, 201), (62, 306), (81, 405), (103, 505)]


def test_the_status_of_a_search_that_ends_is_returned() -> None:
    search = Counter(50)
    assert Turns(Budget()).run_counted(search.advance, lambda: search.work, 1000) == FOUND
    assert search.work == 5 * 45 + 15


def test_a_search_without_work_left_is_not_called() -> None:
    search = Counter(50)
    assert Turns(Budget()).run_counted(search.advance, lambda: search.work, 0) == PAUSED
    assert search.calls == 0
