"""Bounds on numbers of objects: positions that break one are dead, and searches leave them out."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pushing_games import MOST_STATES, OTHERS, PUSHES, explored, pushing_levels, small_game
from random_games import levels
from small_games import game, level, rule, win

from examples import examples
from puzzlemc.encodings.puzzlescript import pruned
from puzzlemc.encodings.puzzlescript.cells import bounds as by_cells
from puzzlemc.encodings.puzzlescript.cells.proof import check_listed
from puzzlemc.encodings.puzzlescript.domain.position import Cells, Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.planes import bounds as by_planes
from puzzlemc.encodings.puzzlescript.planes.encoding import board, relevant_board, relevant_planes
from puzzlemc.encodings.puzzlescript.planes.tokens import closed
from puzzlemc.encodings.puzzlescript.pruned import pruned_planes
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.proofs.blocks import each, packed
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import Reachable, Unknown, Verdict, resolved
from puzzlemc.screens.puzzlescript.game import Game, Level, Rule, Win

Bound: TypeAlias = tuple[frozenset[str], int, int, int]


def found_by_planes(one: Level) -> Iterable[Bound]:
    return [tuple(bound) for bound in by_planes.bounds(relevant_board(one).compilation)]


def found_by_cells(one: Level) -> Iterable[Bound]:
    start = RULES.start(one)
    assert isinstance(start, Position)
    return [tuple(bound) for bound in by_cells.bounds(one, start.cells)]


def is_broken(bound: Bound, cells: Cells) -> bool:
    objects, places, least, most = bound
    count = sum(places >> number & 1 and not objects.isdisjoint(here) for number, here in enumerate(cells))
    return not least <= count <= most


def dead_positions(
    bounds: Iterable[Bound], cells: list[Cells], after: list[set[int]], winning: set[int]
) -> set[int]:
    """The positions that break a bound. None of them wins, and what comes after them breaks the same bound."""
    dead = set[int]()
    for bound in bounds:
        broken = {number for number, here in enumerate(cells) if is_broken(bound, here)}
        assert not broken & winning
        assert all(after[number] <= broken for number in broken)
        dead |= broken
    return dead


FINDERS = pytest.mark.parametrize("find", [found_by_planes, found_by_cells])


@FINDERS
@pytest.mark.parametrize(
    ("kind", "count"),
    [
        pytest.param(levels(most=3), 40, id="any rules", marks=pytest.mark.slow),
        pytest.param(pushing_levels(), examples(25, 60), id="pushing"),
    ],
)
def test_what_breaks_a_bound_is_dead(
    kind: st.SearchStrategy[Level], count: int, find: Callable[[Level], Iterable[Bound]]
) -> None:
    counts = {"bounds": 0, "broken": 0}

    @settings(
        max_examples=count, deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True
    )
    @given(kind)
    def check(one: Level) -> None:
        try:
            bounds = find(one)
            assume(bounds)
            space = explored(one)
        except (ModelError, LimitReached):
            return
        assume(space is not None)
        assert space is not None
        dead = dead_positions(bounds, *space)
        counts["bounds"] += len(list(bounds))
        counts["broken"] += len(dead)

    check()
    assert min(counts.values()) > 0, counts


def searched(model: Any) -> Verdict:
    assert isinstance(model, StepSystem)
    return breadth_first(model, "turns", Budget(Limits()), MOST_STATES)


@settings(max_examples=examples(40, 100), deadline=None, suppress_health_check=list(HealthCheck))
@given(pushing_levels())
def test_a_search_without_dead_positions_says_the_same(one: Level) -> None:
    whole, part = searched(relevant_planes(one).model), searched(pruned_planes(one).model)
    assume(not isinstance(whole, Unknown))
    assert type(part) is type(whole)
    assert part.statistics.states <= whole.statistics.states
    if isinstance(whole, Reachable):
        assert isinstance(part, Reachable)
        assert part.cost == whole.cost
    assert not isinstance(part, Unknown)
    proof = resolved(part.proof)
    assert isinstance(proof, ListedStates)
    check_listed(one, proof, Budget(Limits()))


def test_a_condition_on_what_stays_and_what_moves_is_read_whole() -> None:
    """The gem stays where it is, and the crate above it does not fall; the other crate does."""
    one = level(
        small_game([rule("down", "crate | no solid", "| crate", late=True)], [win("no", "crate")]), "CC GH"
    )
    _, cells, _ = board(one).turn(one.cells, "up")
    assert {cells} == {step.position.cells for step in RULES.steps(one, RULES.start(one))}
    assert "crate" in cells[0]
    assert "crate" in cells[3]


APPEARS = rule("right", "right player | hole", "right player | crate")
FORGETS = rule("right", "mark", "mark no gem")
SINKS, SPAWNS = OTHERS[-3:-1]
LOOSE = rule("right", "crate mark | gem", "right crate mark | right gem")


@FINDERS
@pytest.mark.parametrize(
    ("rules", "wins", "board"),
    [
        ([APPEARS], [win("some", "crate")], ".PH."),
        ([APPEARS], [win("all", "target", "crate")], ".PHo"),
        ([OTHERS[2]], [win("all", "target", "crate")], ".PC.o"),  # a crate goes as another one comes
        ([LOOSE, FORGETS], [win("all", "target", "crate")], "xyoP"),  # a movement alone
        ([rule("right", "right crate", "right crate"), *PUSHES], [win("no", "crate", "mark")], "..P.x."),
        ([rule("down", "right player", "right crate")], [win("all", "target", "crate")], "Po"),
        ([OTHERS[7]], [win("no", "crate"), win("some", "gem")], ".PCH"),
    ],
)
def test_what_can_be_won_breaks_no_bound(
    rules: list[Rule], wins: list[Win], board: str, find: Callable[[Level], Iterable[Bound]]
) -> None:
    one = level(small_game([*rules, PUSHES[6]], wins), board)
    space = explored(one)
    assert space is not None
    assert space[2]
    dead_positions(find(one), *space)


@pytest.mark.parametrize(
    ("rules", "wins", "board"),
    [
        ([SINKS], [win("no", "crate")], "...H .PC. ...."),
        ([SINKS], [win("all", "crate", "target")], ".PC.H o...."),
        ([SPAWNS], [win("all", "target", "crate")], "C.M.o .P... ....."),
        ([SPAWNS], [win("some", "crate", "target")], "..M.o .P... ....."),
    ],
)
def test_what_may_come_and_go_elsewhere_can_be_won(rules: list[Rule], wins: list[Win], board: str) -> None:
    one = level(small_game([*PUSHES[::2], *rules], wins), board)
    verdict = searched_all(pruned_planes(one).model)
    assert isinstance(verdict, Reachable)
    whole = searched_all(relevant_planes(one).model)
    assert isinstance(whole, Reachable)
    assert verdict.cost == whole.cost


SOKOBAN: Game = game(
    "target / player crate wall",
    *PUSHES[::2],
    signs={"o": "target", "*": "crate target"},
    wins=[win("all", "target", "crate")],
)
CORNERS = level(SOKOBAN, "...... .PC.o. ...... ..C... ....o. ......")


def test_corners_and_borders_are_left_out() -> None:
    whole, part = searched_all(relevant_planes(CORNERS).model), searched_all(pruned_planes(CORNERS).model)
    assert isinstance(whole, Reachable)
    assert isinstance(part, Reachable)
    assert part.cost == whole.cost
    assert 3 * part.statistics.states < 2 * whole.statistics.states


def searched_all(model: Any) -> Verdict:
    assert isinstance(model, StepSystem)
    return breadth_first(model, "turns", Budget(Limits()))


@pytest.mark.parametrize(
    ("rules", "wins", "board", "states"),
    [
        (PUSHES[::2], [win("all", "target", "crate")], "PC... ....o", 1),  # along the wall
        (PUSHES[::2], [win("no", "crate")], ".PC..", 1),  # a count that cannot fall
        (PUSHES[::2], [win("all", "target", "crate")], "o.PC.o", 1),  # a count that cannot grow
        ([OTHERS[4]], [win("all", "target", "crate")], ".o. PC.", 1),  # falling crates do not rise
        ([*PUSHES[::2], SINKS], [win("no", "crate")], "C..H .P.. ....", 1),  # no way to the hole
        (
            [*PUSHES[::2], SPAWNS],
            [win("all", "target", "crate")],
            "C..w ..Pw ..ow wwwM",
            1,
        ),  # new ones are shut in
    ],
)
def test_unsolvable_from_the_start(rules: list[Rule], wins: list[Win], board: str, states: int) -> None:
    one = level(small_game(rules, wins), board)
    verdict = searched_all(pruned_planes(one).model)
    assert not isinstance(verdict, Reachable | Unknown)
    assert verdict.statistics.states == states
    proof = resolved(verdict.proof)
    assert isinstance(proof, ListedStates)
    check_listed(one, proof, Budget(Limits()))
    rows_of_proof = np.concatenate(list(each(proof.forward, proof.width)))
    assert len(rows_of_proof) == states
    with pytest.raises(Refuted):
        check_listed(
            one, ListedStates(proof.metric, None, proof.bits, packed(rows_of_proof[:0])), Budget(Limits())
        )


def test_an_error_of_one_analysis_prunes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    everywhere = (1 << 36) - 1
    wrong = by_planes.Bound(frozenset({"crate"}), everywhere, 3, 36)
    monkeypatch.setattr("puzzlemc.encodings.puzzlescript.planes.encoding.bounds", lambda made: [wrong])
    verdict = searched_all(pruned.pruned_planes(CORNERS).model)
    assert isinstance(verdict, Reachable)


@given(st.lists(st.sets(st.integers(0, 7), max_size=2), min_size=8, max_size=8))
def test_what_can_be_reached(steps: list[set[int]]) -> None:
    ways = [1 << cell | sum(1 << each for each in steps[cell] - {cell}) for cell in range(8)]
    for start, reached in enumerate(closed(ways)):
        seen = [start]
        for cell in seen:
            seen += sorted(steps[cell] - set(seen))
        assert reached == sum(1 << cell for cell in seen)
