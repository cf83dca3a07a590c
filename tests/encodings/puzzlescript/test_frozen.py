"""Objects that stay for ever: what is lost by them, in the search and in the check of proofs."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pushing_games import MOST_STATES, OTHERS, PUSHES, explored, pushing_levels, small_game
from random_games import levels
from small_games import level, rule, win

from examples import examples
from puzzlemc.encodings.puzzlescript import pruned
from puzzlemc.encodings.puzzlescript.cells.compilation import masks_of
from puzzlemc.encodings.puzzlescript.cells.escapes import frozen_objects
from puzzlemc.encodings.puzzlescript.cells.proof import check_listed
from puzzlemc.encodings.puzzlescript.domain.position import Cells, Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.planes import escapes as by_planes
from puzzlemc.encodings.puzzlescript.planes.encoding import relevant_board, relevant_planes
from puzzlemc.encodings.puzzlescript.planes.escapes import Way
from puzzlemc.encodings.puzzlescript.pruned import pruned_planes
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, Verdict, resolved
from puzzlemc.mc.words import view
from puzzlemc.screens.puzzlescript.game import Level, Rule, Win


def by_search(one: Level, boards: Iterable[Cells]) -> list[bool]:
    """Are these boards lost, for the search?"""
    model = pruned_planes(one).model
    assert isinstance(model, StepSystem)
    here = relevant_board(one)
    return [
        model.bounds.are_broken(table, 0) or (model.frozen is not None and model.frozen.is_lost(table, 0))
        for table in (table_of(here.packed(cells), model.steps.words) for cells in boards)
    ]


def table_of(state: int, words: int) -> StateTable:
    table = StateTable(1, words, 1)
    table.rows = view(np.array([[state >> 64 * w & (1 << 64) - 1 for w in range(words)]], np.uint64))
    return table


def by_check(one: Level, boards: Iterable[Cells]) -> list[bool]:
    """Are these boards lost because of frozen objects, for the check of proofs?"""
    start = RULES.start(one)
    assert isinstance(start, Position)
    known = frozen_objects(one, start.cells)
    return [known.are_lost(masks_of(one.game, cells)) for cells in boards]


def can_win(after: list[set[int]], winning: set[int]) -> set[int]:
    """The positions from which a win can be reached."""
    found, before = set(winning), -1
    while len(found) != before:
        before = len(found)
        found |= {number for number, here in enumerate(after) if here & found}
    return found


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        pytest.param(levels(most=3), 200, id="any rules", marks=pytest.mark.slow),
        pytest.param(pushing_levels("....PCCCGwo*"), examples(60, 150), id="pushing"),
    ],
)
def test_what_is_lost_cannot_be_won(kind: st.SearchStrategy[Level], count: int) -> None:
    counts = {"lost": 0, "by frozen objects": 0, "of the search": 0}

    @settings(
        max_examples=count, deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True
    )
    @given(kind)
    def check(one: Level) -> None:
        try:
            space = explored(one)
            assume(space is not None)
            assert space is not None
            boards, after, winning = space
            searched, checked = by_search(one, boards), by_check(one, boards)
            known = pruned_planes(one).model
        except (ModelError, LimitReached):
            return
        wins = can_win(after, winning)
        for number in range(len(boards)):
            assert not (number in wins and (searched[number] or checked[number]))
        assert isinstance(known, StepSystem)
        counts["lost"] += len(boards) - len(wins)
        counts["by frozen objects"] += sum(checked)
        counts["of the search"] += sum(searched)

    check()
    assert min(counts.values()) > 0, counts


def searched(one: Level, encode: Any) -> Verdict:
    model = encode(one).model
    assert isinstance(model, StepSystem)
    return breadth_first(model, "turns", Budget(Limits()), MOST_STATES)


BLOCKS = pushing_levels(".....PCCCo*")


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(BLOCKS)
def test_a_search_without_lost_positions_says_the_same_with_a_proof(one: Level) -> None:
    whole, part = searched(one, relevant_planes), searched(one, pruned_planes)
    assume(not isinstance(whole, Unknown))
    assert type(part) is type(whole)
    if isinstance(whole, Reachable):
        assert isinstance(part, Reachable)
        assert part.cost == whole.cost
    assert not isinstance(part, Unknown)
    proof = resolved(part.proof)
    assert isinstance(proof, ListedStates)
    check_listed(one, proof, Budget(Limits()))


PUSH = PUSHES[::2]  # crates alone
ALL_TARGETS, ALL_CRATES = win("all", "target", "crate"), win("all", "crate", "target")
VANISH = rule("right", "crate | crate | crate", "| |", late=True)
PULL = rule("down", "down player | | crate", "down player | | down crate")
SWAP = rule("right", "right player | crate", "crate | player")
HOLE = rule("down", "crate hole", "", late=True)


@pytest.mark.parametrize(
    ("rules", "wins", "board", "lost"),
    [
        # A block of four crates.
        (PUSH, [ALL_TARGETS], "...... .PCC.. ..CC.. ...... .oooo. ......", True),
        (PUSH, [ALL_TARGETS], "...... .PCC.. ..C... ...... .ooo.. ......", False),
        (PUSH, [ALL_TARGETS], "...... .P**.. ..**.. ...... ...... ......", False),
        (PUSH, [ALL_TARGETS], "....... .PCC... ..CC... ....... .ooooC. .......", True),
        (PUSH, [ALL_TARGETS], "....... .PCC... ..CC... ....... .o...C. .......", False),  # one to spare
        (PUSH, [ALL_CRATES], "....... .PCC... ..CC... ....... .o...C. .......", True),
        # Two crates side by side along the border, or a wall.
        (PUSH, [ALL_TARGETS], "..CC.o ...P.o ......", True),
        (PUSH, [win("no", "crate", "hole")], "..CC.. ...P.. ......", False),
        (PUSH, [win("no", "crate")], "..CC.. ...P.. ......", True),
        (PUSH, [ALL_TARGETS], "...... ...C.. ..CwP. ...C.. ..ooo. ......", False),
        # A crate that is lost already opens the way for the other one, or does not.
        (PUSH, [ALL_TARGETS], ".PC.. .wCw. ..... ..o.. .....", False),
        (PUSH, [ALL_TARGETS], ".wCw. .wCw. ..P.. ..o.. .....", True),
        # Other rules open the block.
        ([*PUSH, VANISH], [ALL_CRATES], "...... .PCC.. ..CC.. ...... .oooo. ......", False),
        ([*PUSH, HOLE], [ALL_CRATES], "...... .PCC.. ..CC.. ...... .oooo. .....H", False),
        ([*PUSH, PULL], [ALL_TARGETS], "...... .PCC.. ..CC.. ...... .oooo. ......", False),
        ([*PUSH, SWAP], [ALL_TARGETS], "...... .PCC.. ..CC.. ...... .oooo. ......", False),
        ([*PUSH, OTHERS[0]], [ALL_TARGETS], "...... .PCC.. ..CC.. ...... .oooo. ......", False),  # rows are pushed
        # A gem can be pushed by its own rules only.
        ([*PUSH], [ALL_TARGETS], "...... .PGC.. ..CG.. ...... .oo... ......", True),
        ([*PUSHES], [ALL_TARGETS], "...... .PGC.. ..C... ...... .oo... ......", False),
        ([*PUSHES, OTHERS[-1]], [ALL_TARGETS], "...... .PCC.. ..CC.. ...... .oooo. ....HP", False),  # a rule wins
    ],
)
def test_blocks_of_crates(rules: list[Rule], wins: list[Win], board: str, lost: bool) -> None:
    one = level(small_game(sorted(rules, key=lambda each: each.late), wins), board)
    assert by_check(one, [one.cells]) == [lost]
    assert by_search(one, [one.cells]) == [lost]


ROOM = level(small_game(PUSH, [ALL_TARGETS]), "..... .PCC. ..... .o..o")


def searched_all(one: Level) -> Verdict:
    model = pruned_planes(one).model
    assert isinstance(model, StepSystem)
    return breadth_first(model, "turns", Budget(Limits()))


def test_a_proof_without_lost_positions_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = searched_all(ROOM)
    assert isinstance(verdict, Reachable)
    proof = resolved(verdict.proof)
    assert isinstance(proof, ListedStates)
    check_listed(ROOM, proof, Budget(Limits()))
    model = pruned_planes(ROOM).model
    assert isinstance(model, StepSystem)
    assert model.frozen is not None
    whole = breadth_first(replace(model, frozen=None), "turns", Budget(Limits()))
    assert isinstance(whole, Reachable)
    assert whole.cost == verdict.cost
    assert verdict.statistics.states < whole.statistics.states
    nothing = frozen_objects(replace(ROOM, game=replace(ROOM.game, wins=())), ROOM.cells)
    monkeypatch.setattr("puzzlemc.encodings.puzzlescript.cells.proof.frozen_objects", lambda level, start: nothing)
    with pytest.raises(Refuted):
        check_listed(ROOM, proof, Budget(Limits()))


@pytest.mark.parametrize("wrong", [frozenset[Way](), frozenset({Way((1 << 20) - 1 << 20 * 4, by_planes.GONE)})])
def test_an_error_of_one_analysis_prunes_nothing(monkeypatch: pytest.MonkeyPatch, wrong: frozenset[Way]) -> None:
    before = searched_all(ROOM)
    monkeypatch.setattr(pruned, "ways_of", lambda made: {"crate": (wrong,) * 20})
    verdict = searched_all(ROOM)
    assert isinstance(verdict, Reachable)
    assert isinstance(before, Reachable)
    assert verdict.cost == before.cost
    model = pruned_planes(ROOM).model
    assert isinstance(model, StepSystem)
    assert model.frozen is not None
    assert not any(model.frozen.frozen_in(table_of(relevant_board(ROOM).packed(ROOM.cells), model.steps.words), 0))
    assert verdict.statistics.states > before.statistics.states


def test_unsolvable_by_frozen_crates_is_seen_at_once() -> None:
    verdict = searched_all(level(small_game(PUSH, [ALL_TARGETS]), "...... ...CC. ..PCC. ...... .oooo. ......"))
    assert isinstance(verdict, Unreachable)
    assert verdict.statistics.states == 1
