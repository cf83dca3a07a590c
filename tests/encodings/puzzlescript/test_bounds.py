"""Bounds on numbers of objects: positions that break one are dead, and searches leave them out."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_games import levels
from small_games import game, level, rule, win

from examples import examples
from puzzlemc.encodings.puzzlescript import pruned
from puzzlemc.encodings.puzzlescript.cells import bounds as by_cells
from puzzlemc.encodings.puzzlescript.cells.proof import check_listed
from puzzlemc.encodings.puzzlescript.domain.position import Cells, Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.planes import bounds as by_planes
from puzzlemc.encodings.puzzlescript.planes.encoding import board, planes, relevant_board, relevant_planes
from puzzlemc.encodings.puzzlescript.pruned import pruned_planes
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.packed.layout import Layout
from puzzlemc.mc.proofs.blocks import each, packed
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import Reachable, Unknown, Verdict, resolved
from puzzlemc.screens.puzzlescript.game import Game, Level, Rule, Win

Bound: TypeAlias = tuple[frozenset[str], int, int, int]
MOST_STATES = 400

LAYERS = "hole target / player crate gem wall / mark"
PUSHES = [
    rule(
        line,
        *(
            " | ".join(side if ahead else side[::-1])
            for side in ((f"{way} player", thing), (f"{way} player", f"{way} {thing}"))
        ),
    )
    for way, line, ahead in (
        ("up", "down", False),
        ("down", "down", True),
        ("left", "right", False),
        ("right", "right", True),
    )
    for thing in ("crate", "gem")
]
OTHERS = [
    rule("right", "right crate | crate", "right crate | right crate"),
    rule("right", "crate | right player", "right crate | right player"),
    rule("right", "right player | crate | no solid", "| player | crate"),
    rule("right", "right player | crate", "crate | player"),
    rule("down", "crate | no solid", "| crate", late=True, commands="again"),
    rule("down", "crate | no solid", "down crate | no solid", commands="again"),
    rule("down", "crate hole", "", late=True),
    rule("down", "crate hole", "gem", late=True),
    rule("down", "crate target", "gem target", late=True),
    rule("right", "gem | crate", "crate | gem", late=True),
    rule("right", "right player | wall", "right player |"),
    rule("right", "player ; crate", "player ; right crate"),
    rule("right", "player ; crate ; crate mark", "player ; crate mark ; gem mark"),
    rule("right", "right player | ... | crate", "right player | ... | left crate"),
    rule("right", "crate", "no crate"),
    rule("right", "right player", "right player mark"),
    rule("down", "mark", "right crate"),
    rule("down", "up player", "right player"),
    rule("down", "down player", "crate"),
    rule("down", "left player", "left gem"),
    rule("right", "right solid | solid", "right solid | right solid"),
    rule("right", "crate | crate", "crate |", commands="cancel"),
    rule("right", "right player | hole", "right player | hole", commands="win"),
]
SIDES = ("crate", "gem", "crate gem", "target", "hole", "player", "mark")


def small_game(rules: Iterable[Rule], wins: Iterable[Win]) -> Game:
    signs = {"o": "target", "*": "crate target", "w": "wall", "x": "crate mark", "y": "gem mark"}
    properties = {"solid": "player crate gem wall"}
    return game(LAYERS, *rules, signs=signs, properties=properties, wins=list(wins))


@st.composite
def pushing_levels(draw: st.DrawFn) -> Level:
    """A level of a game of pushing, with some rules of other kinds."""
    rules = draw(st.lists(st.sampled_from(PUSHES), min_size=1, max_size=6))
    rules += draw(st.lists(st.sampled_from(OTHERS), max_size=2))
    rules.sort(key=lambda each: each.late)
    wins = [
        win(
            draw(st.sampled_from(("all", "some", "no"))),
            draw(st.sampled_from(SIDES)),
            draw(st.sampled_from((*SIDES, None))),
        )
        for _ in range(draw(st.integers(1, 2)))
    ]
    made = small_game(rules, wins)
    width = draw(st.integers(2, 5))
    rows = draw(st.lists(st.text("....PCCGwo*HM", min_size=width, max_size=width), min_size=1, max_size=4))
    return level(made, " ".join(rows))


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


def explored(one: Level) -> tuple[list[Cells], list[set[int]], set[int]] | None:
    """All positions, the successors of each, and those with a step that wins; None if there are many."""
    encoded = planes(one)
    model = encoded.model
    assert isinstance(model, StepSystem)
    start = Layout(model).pack(initial_state(model))
    numbers, rows, after, winning = {start.tobytes(): 0}, [start], list[set[int]](), set[int]()
    cells = []
    while len(after) < len(rows):
        if len(rows) > MOST_STATES:
            return None
        position = encoded.decode(Layout(model).read(rows[len(after)]))
        assert isinstance(position, Position)
        cells.append(position.cells)
        here = set[int]()
        for row, _, _ in zip(*model.expand(rows[len(after)][None, :].copy()), strict=True):
            reached = encoded.decode(Layout(model).read(row))
            assert isinstance(reached, Position)
            if reached.won:
                winning.add(len(after))
                continue
            if row.tobytes() not in numbers:
                numbers[row.tobytes()] = len(rows)
                rows.append(row.copy())
            here.add(numbers[row.tobytes()])
        after.append(here)
    return cells, after, winning


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
        pytest.param(pushing_levels(), 60, id="pushing"),
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
