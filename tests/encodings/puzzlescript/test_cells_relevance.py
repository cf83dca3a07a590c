"""Objects that proofs may leave out: what is proved without them holds with them."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_games import LAYERS, levels
from small_games import game, level, rule, win

from examples import examples
from puzzlemc.encodings.puzzlescript.cells.proof import Reading, check_listed
from puzzlemc.encodings.puzzlescript.cells.relevance import ignored_objects
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.planes.encoding import relevant_planes
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.proofs.blocks import packed
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import Unknown, Unreachable, resolved
from puzzlemc.screens.puzzlescript.game import Game, Level, Rule, Win

PUSH = rule("right", "right player | crate", "right player | right crate")
SIGNS = {"x": "player mark", "o": "target"}
MOST = 200


def marking(*rules: Rule, conditions: str = "crate", **options: bool) -> Game:
    """A game in which crates are pushed onto targets, and marks are in a layer of their own."""
    return game(
        "target / player crate wall / mark dot",
        PUSH,
        *rules,
        signs=SIGNS,
        wins=[win("all", "target", conditions)],
        **options,
    )


def ignored(one: Level) -> set[str]:
    return set(ignored_objects(one, one.cells, frozenset(("player", "crate")))) & {"mark", "dot"}


class TestIgnoredObjects:
    BOARD = "PC..o"

    def test_a_trail_makes_no_difference(self) -> None:
        trail = rule("right", "player", "player mark", late=True)
        fading = rule("right", "mark", "dot")
        ends = rule("right", "dot | dot", "|")
        saves = rule("right", "mark", None, commands="checkpoint")
        made = marking(trail, fading, ends, saves)
        assert ignored(level(made, self.BOARD)) == {"mark", "dot"}

    @pytest.mark.parametrize(
        "other",
        [
            rule("right", "mark | crate", "mark |"),  # it removes crates
            rule("right", "right player | mark", "player | mark"),  # it stops players
            rule("right", "player no mark", "right player no mark"),
            rule("right", "mark", None, commands="win"),
            rule("right", "mark | mark", "mark |", commands="cancel"),
            rule("right", "player", "player mark", commands="again"),
            rule("right", "right player", "right player right mark", rigid=True),
        ],
    )
    def test_what_rules_read_may_make_a_difference(self, other: Rule) -> None:
        made = marking(rule("right", "player", "player mark"), other)
        assert ignored(level(made, self.BOARD)) == set()

    def test_rules_that_never_apply_do_not_count(self) -> None:
        made = marking(rule("right", "mark | crate", "mark |"))
        assert ignored(level(made, self.BOARD)) == {"mark", "dot"}
        assert ignored(level(made, "xC..o")) == set()

    @pytest.mark.parametrize(
        "never",
        [
            rule("down", "mark | crate", "mark |"),  # the board has one row
            rule("right", "crate | | | | | mark", "mark | | | | |"),  # it has five columns
            rule("right", "left mark | crate", "mark |"),  # nothing sets marks in motion
            rule("right", "wall | mark", None, commands="win"),  # the wall stays at the border
            rule("right", "wall | mark", None, commands="again"),
            rule(
                "right", "left player ; right mark", None, commands="cancel"
            ),  # the mark moves as the player does
            rule("down", "right player | crate", "right player | right crate", rigid=True),
        ],
    )
    def test_rules_that_never_fit_the_level_do_not_count(self, never: Rule) -> None:
        made = marking(rule("right", "right player", "right player right mark"), never)
        assert ignored(level(made, "PC.oW")) == {"mark", "dot"}

    def test_players_count_where_something_depends_on_them(self) -> None:
        turning = rule("right", "crate", "dot", late=True)
        push = rule("right", "right player | crate", "player | dot")

        def kept(*rules: Rule, named: str = "crate", **options: bool) -> set[str]:
            made = game(
                "player / mark / crate dot", *rules, players="player mark", wins=[win("all", "dot")], **options
            )
            one = level(made, "PM.C")
            return {"player", "mark"} - ignored_objects(one, one.cells, frozenset((named,)))

        assert kept(turning) == set()
        assert kept(turning, push) == {"player"}
        assert kept(turning, named="mark") == {"mark"}
        assert kept(turning, named="mark", players_all=True) == {"player", "mark"}
        assert kept(turning, require_player_movement=True) == {"player", "mark"}

    def test_conditions_count(self) -> None:
        made = marking(rule("right", "player", "player mark"), conditions="mark")
        assert ignored(level(made, "xC..o")) == set()

    @pytest.mark.parametrize(
        "conditions",
        [
            [],
            [win("some", "mark")],
            [win("all", "target", "dot")],
            [win("no", "target"), win("some", "crate")],
            [win("all", "target mark", "mark"), win("some", "target mark", whole=True)],
        ],
    )
    def test_nothing_makes_a_difference_if_nothing_can_win(self, conditions: list[Win]) -> None:
        made = game("target / player crate wall / mark dot", PUSH, signs=SIGNS, wins=conditions)
        one = level(made, self.BOARD)
        assert ignored_objects(one, one.cells, frozenset()) == set(made.objects)

    def test_nothing_makes_a_difference_if_the_rules_that_win_do_not_fit(self) -> None:
        made = game("player crate", rule("down", "crate | crate", None, commands="win"))
        one = level(made, "PCC")
        assert ignored_objects(one, one.cells, frozenset()) == set(made.objects)

    def test_layers_of_named_objects_are_kept(self) -> None:
        made = marking()
        one = level(made, self.BOARD)
        assert "mark" in ignored_objects(one, one.cells, frozenset())
        assert "mark" not in ignored_objects(one, one.cells, frozenset(("dot",)))


def reached(one: Level) -> tuple[dict[Position, int], int | None] | None:
    """The positions that are not won with their depths, and the least cost of a win. None past a limit."""
    start = RULES.start(one)
    assert isinstance(start, Position)
    depths, queue, cost = {start: 0}, [start], None
    for position in queue:
        for _, after, _ in RULES.steps(one, position):
            assert isinstance(after, Position)
            if after.won:
                cost = min(cost or MOST, depths[position] + 1)
            elif after not in depths:
                depths[after] = depths[position] + 1
                queue.append(after)
                if len(queue) > MOST:
                    return None
    return depths, cost


def listing(one: Level, depths: dict[Position, int], left_out: set[str], below: int | None) -> ListedStates:
    """The listed positions without some objects."""
    names = [name for name in one.game.objects if name not in left_out]
    bits = (*(f"{name}@{cell}" for name in names for cell in range(len(one.cells))), "won")
    start = RULES.start(one)
    assert isinstance(start, Position)
    number = {bit: number for number, bit in enumerate(bits)}
    listed: dict[int, int] = {}
    for position, depth in depths.items():
        if below is None or depth < below:
            held = (f"{name}@{cell}" for cell, here in enumerate(position.cells) for name in here - left_out)
            row = sum(1 << number[bit] for bit in held)
            listed[row] = min(listed.get(row, depth), 0 if below is None else depth)
    width = 1 + -(-len(bits) // 16)
    rows = [[cost, *(row >> 16 * k & 0xFFFF for k in range(width - 1))] for row, cost in listed.items()]
    return ListedStates("turns", below, bits, packed(np.array(rows, np.uint16).reshape(len(rows), width)))


class TestProofs:
    @settings(max_examples=examples(40, 300), deadline=None, suppress_health_check=list(HealthCheck))
    @given(levels(most=3), st.sampled_from(LAYERS))
    def test_nothing_wrong_is_proved_without_a_layer(self, one: Level, layer: str) -> None:
        try:
            found = reached(one)
            if found is None:
                return
            depths, cost = found
            for below in (None, 1, 2, 3):
                proof = listing(one, depths, set(layer.split()), below)
                try:
                    check_listed(one, proof, Budget(Limits()))
                except Refuted:
                    continue
                assert cost is None or (below is not None and below <= cost)
        except LimitReached:
            return

    @settings(max_examples=examples(60, 600), deadline=None, suppress_health_check=list(HealthCheck))
    @given(levels(most=3))
    def test_proofs_of_the_relevant_part_hold(self, one: Level) -> None:
        try:
            model = relevant_planes(one).model
            assert isinstance(model, StepSystem)
            verdict = breadth_first(model, "turns", Budget(Limits()), MOST)
            found = reached(one)
        except (ModelError, LimitReached):
            return
        proof = None if isinstance(verdict, Unknown) else resolved(verdict.proof)
        if found is None or not isinstance(proof, ListedStates):
            return
        check_listed(one, proof, Budget(Limits()))
        assert proof.below == found[1]

    def test_a_level_without_its_decoration(self) -> None:
        made = marking(rule("right", "player", "player mark", late=True))
        for board in ("xC..o", "CxC.o"):
            one = level(made, board)
            model = relevant_planes(one).model
            assert isinstance(model, StepSystem)
            assert not any(str(bit).startswith("mark") for bit in model.bits)
            verdict = breadth_first(model, "turns", Budget(Limits()))
            assert not isinstance(verdict, Unknown)
            proof = resolved(verdict.proof)
            assert isinstance(proof, ListedStates)
            assert check_listed(one, proof, Budget(Limits())) == "plain rules"

    def test_a_level_without_its_players(self) -> None:
        rules = [rule("right", *sides) for sides in (("crate", "dot"), ("mark", "crate"), ("dot", "mark"))]
        one = level(game("player / crate mark dot", *rules, wins=[win("no", "mark")]), "P.CM")
        verdict = breadth_first(relevant_planes(one).model, "turns", Budget(Limits()))
        assert isinstance(verdict, Unreachable)
        proof = resolved(verdict.proof)
        assert isinstance(proof, ListedStates)
        assert not any(bit.startswith("player") for bit in proof.bits)
        assert check_listed(one, proof, Budget(Limits())) == "plain rules"

    def test_reading_leaves_it_out(self) -> None:
        made = marking(rule("right", "player", "player mark", late=True))
        one = level(made, "PC..o")
        start = RULES.start(one)
        assert isinstance(start, Position)
        reading = Reading(one, start, ("player@0", "crate@1"))
        marked = Position((start.cells[0] | {"mark"}, *start.cells[1:]), won=False)
        row, other = reading.packed(start), reading.packed(marked)
        assert row is not None
        assert other is not None
        assert row.tolist() == other.tolist() == [3]
