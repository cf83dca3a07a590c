"""Searches side by side: the answer depends on counted work alone, and limits end all of them."""

import gc
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from small_rooms import ROOMS, crowd, level_of, numbered_room

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.sokoban.board.numbered import numbered
from puzzlemc.encodings.sokoban.fess.portfolio import plan_finder, rounds
from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import Pair, Portfolio, Segment, find_plan, shared_on
from puzzlemc.encodings.sokoban.fess.portfolio.rounds import ROUND, first_answer
from puzzlemc.encodings.sokoban.fess.search import feature_space
from puzzlemc.encodings.sokoban.fess.search.entering import ENDED, PAUSED, Known
from puzzlemc.encodings.sokoban.fess.search.settings import Settings
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import GIB, Budget, Limits

DELAY = 3 * ROUND
NEVER = 1 << 60


class Counting:
    """A search that only counts: it has an answer, ends or fails at a given work."""

    def __init__(self, answer: int = NEVER, end: int = NEVER, failure: int = NEVER, seconds: float = 0.0) -> None:
        self.work, self.stopped, self.has_answer, self.has_ended = 0, Event(), False, False
        self.answer, self.end, self.failure, self.seconds = answer, end, failure, seconds

    def run(self, until: int) -> None:
        while self.work < until and not (self.has_answer or self.has_ended or self.stopped.is_set()):
            time.sleep(self.seconds)
            self.work += ROUND // 4
            if self.work >= self.failure:
                raise LimitReached("memory")
            self.has_answer, self.has_ended = self.work >= self.answer, self.work >= self.end


@pytest.mark.parametrize("slow", [0, 1, None])
def test_the_first_search_in_order_with_an_answer_in_the_same_round_gives_it(slow: int | None) -> None:
    for answers, expected in [
        ((DELAY + 2 * ROUND, 2 * ROUND), 0),  # the same round: the first one
        ((DELAY + 2 * ROUND + 1, 2 * ROUND), 1),  # a round later
        ((DELAY, ROUND // 4), 0),  # before the second one begins
        ((NEVER, 5 * ROUND - 1), 1),
    ]:
        both = [Counting(answer, seconds=0.01 * (at == slow)) for at, answer in enumerate(answers)]
        assert first_answer(both, DELAY) is both[expected]
        assert (both[1].work > 0) == (both[0].work > DELAY)


def test_searches_share_the_work_and_end() -> None:
    both = [Counting(), Counting()]
    assert first_answer(both, DELAY, DELAY + 4 * ROUND) is None
    assert [search.work for search in both] == [DELAY + 2 * ROUND, 2 * ROUND]
    alone = [Counting(), Counting()]
    assert first_answer(alone, DELAY, ROUND) is None
    assert [search.work for search in alone] == [ROUND, 0]
    ended = [Counting(end=ROUND), Counting(end=2 * ROUND)]
    assert first_answer(ended, DELAY) is None
    assert [search.work for search in ended] == [ROUND, 2 * ROUND]
    late = [Counting(end=ROUND), Counting(answer=9 * ROUND)]
    assert first_answer(late, DELAY) is late[1]


@pytest.mark.parametrize("failing", [0, 1])
def test_the_limit_of_one_search_ends_all(failing: int) -> None:
    both = [Counting(failure=DELAY + ROUND if at == failing else NEVER, seconds=0.001) for at in range(2)]
    with pytest.raises(LimitReached, match="memory"):
        first_answer(both, DELAY)
    assert all(search.stopped.is_set() for search in both)


def _plan(monkeypatch: pytest.MonkeyPatch, *orders: int) -> tuple[list[str] | None, list[int]]:
    """The plan of portfolios with short turns and rounds, and the work of their searches."""
    level = level_of(ROOMS)
    pairs: list[Pair] = []
    monkeypatch.setattr(plan_finder, "SHORT", 1 << 8)
    monkeypatch.setattr(plan_finder, "ALONE", 1 << 9)
    monkeypatch.setattr(rounds, "ROUND", 1 << 8)
    weak = tuple((Settings(ends=0, groups=0, order=order),) for order in orders)
    found = find_plan(level, Budget(), None, weak, pairs.append, False)
    assert found is not None
    puzzle("sokoban").replay(level, found)
    return found, [pair.work for pair in pairs]


def test_a_plan_depends_on_the_portfolios_and_not_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The portfolio that needs less work gives the plan, also if it begins second."""
    (first, (little,)), (second, (much,)) = _plan(monkeypatch, 0), _plan(monkeypatch, 2)
    assert first != second
    assert little + 900 < much
    both = [_plan(monkeypatch, *orders) for orders in [(0, 2), (2, 0)]]
    assert [plan for plan, _ in both] == [first, first]
    assert all(len(works) == 2 and min(works) > little // 2 for _, works in both)
    monkeypatch.setattr(rounds, "ThreadPoolExecutor", lambda _: ThreadPoolExecutor(1))
    assert [_plan(monkeypatch, *orders)[0] for orders in [(0, 2), (2, 0)]] == [first, first]


@pytest.mark.parametrize("is_leg", [False, True])
def test_a_search_ends_if_one_side_has_seen_all_its_positions(is_leg: bool) -> None:
    """The boxes below cannot leave the corridor; the other side could pull boxes through the whole hall.

    A leg goes on with the other side, which may meet other searches.
    """
    hall = [
        "###########",
        "#  .   .  #",
        "#         #",
        "#         #",
        "#  .   .  #",
        "#         #",
        "#####-#####",
    ]
    below = ["    #-#", "    #$#", "   ##$##", "   #@$ #", "   # $ #", "   #   #", "   #####"]
    board = numbered_room(*hall, *below)
    segment = Segment(is_leg=is_leg)
    pair = Pair(board, shared_on(board, GIB // 64), Settings(loose=1), GIB // 16, Budget(), segment)
    statuses = [pair.go_on() for _ in range(20)]
    assert (ENDED in statuses) == (not is_leg)


@pytest.mark.parametrize("orders", [(0,), (0, 2), (2, 0)])
def test_portfolios_free_their_memory_at_once(orders: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Noted(Portfolio):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            made.append(weakref.ref(self))

    monkeypatch.setattr(plan_finder, "Portfolio", Noted)
    gc.disable()
    try:
        _plan(monkeypatch, *orders)
        assert len(made) == len(orders)
        assert all(ref() is None for ref in made)
    finally:
        gc.enable()


def test_a_time_limit_ends_portfolios_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_finder, "ALONE", 1)
    level = crowd()
    pairs: list[Pair] = []
    began = time.perf_counter()
    with pytest.raises(LimitReached, match="timeout"):
        find_plan(level, Budget(Limits(seconds=2, memory=GIB)), report=pairs.append)
    assert time.perf_counter() - began < 10
    assert len({id(pair.shared) for pair in pairs}) == len(plan_finder.PORTFOLIOS)


@pytest.mark.skipif(not feature_space.__file__.endswith(".so"), reason="interpreted")
def test_other_threads_run_while_compiled_code_searches() -> None:
    board = numbered(crowd())
    shared = shared_on(board, GIB // 64)
    pair = Pair(board, shared, Settings(ends=0), GIB // 16, Budget())
    assert pair.go_on() == PAUSED
    side, tables = pair.sides[0], shared.meetings.whole
    known = Known(tables.seen[0], tables.seen[1], shared.meetings.legs.seen[1])
    begin, ran = Event(), Event()
    thread = threading.Thread(target=lambda: begin.wait() and ran.set())
    thread.start()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # another thread runs if this one lets it
    try:
        begin.set()
        for _ in range(40):  # nothing else in this loop lets others run
            if not ran.is_set():
                feature_space.search(
                    side, shared.room, shared.patterns[0], known, pair.most, side.counters.work + 1_000_000
                )
        assert ran.is_set()
    finally:
        sys.setswitchinterval(interval)
        thread.join()
