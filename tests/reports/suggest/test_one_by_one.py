"""Repairs that are found edit by edit, against all sets of edits and plain searches."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.encodings.folding.puzzle import PUZZLE
from puzzlemc.encodings.puzzle.design.changes import Allowed, Change, Repairs
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.rules.textbook import breadth_first
from puzzlemc.reports.suggest.one_by_one import repairs
from puzzlemc.screens.folding import Level

assert PUZZLE.changes is not None

CHANGES = PUZZLE.changes()
LOOSE = Level("", "", ((1, 0, -1, 0), (0, 0, -1, -1)))  # one cell too many
ALL, CELLS = Allowed(frozenset(CHANGES.kinds), most=2), Allowed(frozenset(["cells"]), most=2)


def boards() -> st.SearchStrategy[Level]:
    """Small boards with at least one cell."""
    sizes = st.sampled_from([(1, 4), (2, 2), (2, 3)])
    values = st.sampled_from([-1, 0, 0, 1, 1, 2])

    def filled(size: tuple[int, int]) -> st.SearchStrategy[Level]:
        row = st.tuples(*[values] * size[1])
        rows = st.tuples(*[row] * size[0])
        return rows.filter(lambda found: any(max(each) >= 0 for each in found)).map(lambda r: Level("", "", r))

    return sizes.flatmap(filled)


def solvable(level: Level) -> bool:
    """Is a board solvable, by the plain rules?"""
    return breadth_first(PUZZLE.rules, level, Budget()).moves is not None


def brute(level: Level, size: int) -> set[Level]:
    """All solvable boards that this number of edits makes."""
    found = {level}
    for _ in range(size):
        found = {change.level for each in found for change in CHANGES.edits(each, ALL)}
    return {each for each in found if solvable(each)}


def found_by(
    level: Level, allowed: Allowed, limits: Limits | None = None, decide: Callable[[Any], bool] | None = None
) -> Repairs:
    """The repairs that are found; `decide` takes the place of the engine."""
    puzzle = PUZZLE
    if decide is not None:
        changes = replace(CHANGES, decider=lambda _: lambda each, budget: decide(each))
        puzzle = replace(PUZZLE, changes=lambda: changes)
    return repairs(Entry("#1", "", puzzle, level), allowed, Budget(limits or Limits()))


def levels_of(found: Repairs) -> list[Level]:
    """The boards that repairs lead to, each once."""
    levels = [change.level for change in found.changes]
    assert len({*levels}) == len(levels)
    return levels


def replayed(level: Level, change: Change) -> bool:
    """Do the edits of a change, one after the other, lead to its level?"""
    reached = {level}
    for edit in change.edits:
        reached = {each.level for one in reached for each in CHANGES.edits(one, ALL) if each.edits == (edit,)}
    return change.level in reached


@settings(max_examples=examples(30, 300))
@given(boards().filter(lambda level: not solvable(level)))
def test_the_smallest_repairs_are_all_that_a_plain_search_of_all_edits_finds(level: Level) -> None:
    found = found_by(level, ALL)
    one = brute(level, 1)
    smallest = one or brute(level, 2)
    assert {*levels_of(found)} == smallest
    assert found.least == (1 if one else 2 if smallest else 3)
    assert found.complete == bool(smallest)
    assert found.reason is None
    assert all(len(change.edits) == found.least and replayed(level, change) for change in found.changes)


def test_rotated_and_mirrored_boards_are_decided_once_and_found_apart() -> None:
    asked: list[Level] = []

    def decide(level: Level) -> bool:
        asked.append(level)
        return solvable(level)

    found = found_by(Level("", "", ((0, 0, 1, 0, 0),)), CELLS, decide=decide)
    assert [level.rows for level in levels_of(found)] == [((-1, 0, 1, 0, 0),), ((0, 0, 1, 0, -1),)]
    assert found.tried == len(asked) == len({min(level.rows[0], level.rows[0][::-1]) for level in asked})


@pytest.mark.parametrize("reason", ["memory", "bound", "timeout"])
def test_an_undecided_board_is_no_proof_and_the_search_goes_on(reason: str) -> None:
    hidden = brute(LOOSE, 1)
    times = Counter[Level]()

    def decide(level: Level) -> bool:
        if level in hidden:
            times[level] += 1
            raise LimitReached(reason)
        return solvable(level)

    assert {*levels_of(found_by(LOOSE, ALL, decide=solvable))} == hidden
    found = found_by(LOOSE, ALL, Limits(0.3), decide=decide)
    assert (found.least, found.reason) == (1, reason)
    assert {*times} == hidden
    if reason == "timeout":  # they are tried again, for half of the time
        assert min(times.values()) > 1
        assert {*levels_of(found)} <= brute(LOOSE, 2) - hidden
    else:
        assert max(times.values()) == 1
        assert {*levels_of(found)} == brute(LOOSE, 2) - hidden
        assert found.complete


@pytest.mark.parametrize("tries", [2, 9])
def test_a_board_that_takes_long_is_tried_once_more_beside_a_repair(tries: int) -> None:
    slow, quick = sorted(brute(LOOSE, 1), key=lambda level: level.rows)
    times = 0

    def decide(level: Level) -> bool:
        nonlocal times
        times += level == slow
        if level == slow and times < tries:
            raise LimitReached("timeout")
        return solvable(level)

    found = found_by(LOOSE, ALL, Limits(60.0), decide=decide)
    assert (times, found.reason) == (2, "timeout")
    assert {*levels_of(found)} == ({slow, quick} if tries == 2 else {quick})
    assert found.complete == (tries == 2)


def test_a_proof_about_pairs_says_nothing_of_an_undecided_single_edit() -> None:
    (hidden, *_) = sorted(brute(LOOSE, 1), key=lambda level: level.rows)

    def decide(level: Level) -> bool:
        if level == hidden:
            raise LimitReached("memory")
        return False

    found = found_by(LOOSE, ALL, decide=decide)
    assert (found.changes, found.least, found.complete, found.reason) == ((), 1, False, "memory")


def test_limits_end_the_search() -> None:
    late = found_by(LOOSE, ALL, Limits(0.0))
    assert (late.changes, late.least, late.complete, late.reason) == ((), 1, False, "timeout")
    large = found_by(LOOSE, ALL, Limits(memory=1000))
    assert (large.least, large.complete, large.reason) == (1, False, "memory")
    assert {*levels_of(large)} < brute(LOOSE, 1)


def test_without_edits_nothing_is_found() -> None:
    none = found_by(LOOSE, Allowed(frozenset(), most=3))
    assert (none.changes, none.least, none.complete, none.tried) == ((), 4, False, 0)
