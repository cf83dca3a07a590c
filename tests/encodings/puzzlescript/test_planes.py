"""Compiled turns on planes of bits make a step system of a level."""

import pytest
from hypothesis import HealthCheck, given, settings
from random_games import levels
from small_games import game, level, rule, shown, win

from examples import examples
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzlescript.domain.names import formula_names
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.domain.turn import Unsettled
from puzzlemc.encodings.puzzlescript.planes.encoding import (
    constants,
    planes,
    relevant_planes,
)
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.temporal.parser import parse
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable
from puzzlemc.screens.puzzlescript.game import Level, Rule, Win

PUSH = rule("right", "right player | crate", "right player | right crate")
SIGNS = {"o": "target", "*": "crate target", "p": "player target"}


def sokoban(board: str, **options: bool) -> Level:
    made = game("target / player crate wall", PUSH, signs=SIGNS, wins=[win("all", "target", "crate")], **options)
    return level(made, board)


def model_of(one: Level) -> StepSystem:
    model = planes(one).model
    assert isinstance(model, StepSystem)
    return model


class TestStepSystem:
    def test_a_level_that_is_won_at_its_start_takes_no_turn(self) -> None:
        ripen = rule("right", "hen", "fox", commands="again"), rule("right", "egg", "hen", commands="again")
        made = game("player egg hen fox", *ripen, run_rules_on_level_start=True, wins=[win("some", "fox")])
        one = level(made, "PE")
        for encode in (planes, relevant_planes):
            encoded = encode(one).model
            assert isinstance(encoded, StepSystem)
            verdict = breadth_first(encoded, "turns", Budget(Limits()))
            assert isinstance(verdict, Reachable)
            assert (verdict.cost, verdict.optimal, verdict.trace.actions) == (0, True, ())

    def test_its_states_are_positions(self) -> None:
        one = sokoban("WPC.o")
        made = planes(one)
        start = initial_state(made.model)
        assert made.decode(start) == RULES.start(one)
        steps = {action.name: made.decode(after) for action, after in model_of(one).successors(start)}
        assert steps == {name: after for name, after, _ in RULES.steps(one, RULES.start(one))}

    @settings(max_examples=examples(20, 100), deadline=None, suppress_health_check=list(HealthCheck))
    @given(levels(most=4))
    def test_its_steps_are_those_of_the_plain_rules(self, one: Level) -> None:
        try:
            made = planes(one)
        except Unsettled:
            with pytest.raises(Unsettled):
                RULES.start(one)
            return
        assert isinstance(made.model, StepSystem)
        state = initial_state(made.model)
        position = RULES.start(one)
        assert made.decode(state) == position
        try:
            wanted = [(name, after) for name, after, _ in RULES.steps(one, position)]
        except Unsettled:
            with pytest.raises(LimitReached):
                made.model.successors(state)
            return
        found = [(action.name, made.decode(after)) for action, after in made.model.successors(state)]
        assert found == wanted
        for _, after in made.model.successors(state):
            if holds(made.model.goal, after):
                assert made.model.successors(after) == []

    def test_breadth_first_search_solves_it(self) -> None:
        made = planes(sokoban("PC..o"))
        found = breadth_first(model_of(sokoban("PC..o")), "turns", Budget(Limits()))
        assert isinstance(found, Reachable)
        assert made.moves(found.trace) == ["right"] * 3
        assert isinstance(breadth_first(model_of(sokoban("CP..o")), "turns", Budget(Limits())), Unreachable)

    def test_a_start_that_does_not_settle(self) -> None:
        flip = game("player / cat dog / mark", *flips(), run_rules_on_level_start=True)
        with pytest.raises(Unsettled, match="do not settle within 500 rounds"):
            planes(level(flip, "PC"))

    def test_a_turn_that_never_ends_has_no_successor(self) -> None:
        one = level(game("player / cat dog / mark", *flips()), "PC")
        assert model_of(one).successors(initial_state(model_of(one))) == []

    def test_a_turn_of_more_than_500_rounds_has_no_known_successor(self) -> None:
        made = game("player walker", rule("right", "walker", "right walker", commands="again"))
        one = level(made, "PW" + 520 * ".")
        with pytest.raises(LimitReached):
            model_of(one).successors(initial_state(model_of(one)))

    def test_rules_run_at_the_start(self) -> None:
        grow = rule("right", "cat", "dog", commands="win")
        one = level(game("player / cat dog", grow, run_rules_on_level_start=True), "PC")
        made = planes(one)
        position = made.decode(initial_state(made.model))
        assert isinstance(position, Position)
        assert (shown(one, position.cells), position.won) == ("PD", False)


def flips() -> list[Rule]:
    """Rules that turn cats into dogs and back, with a mark that keeps a round from doing both."""
    return [
        rule("right", "cat no mark", "dog mark"),
        rule("right", "dog no mark", "cat mark"),
        rule("right", "mark", "", late=True, commands="again"),
    ]


MOST = 300  # states


def answer(made: Encoded) -> tuple[str, int | None] | None:
    """The verdict of breadth-first search and the cost; None past a limit."""
    assert isinstance(made.model, StepSystem)
    found = breadth_first(made.model, "turns", Budget(Limits()), MOST)
    if isinstance(found, Unknown):
        return None
    return type(found).__name__, found.cost if isinstance(found, Reachable) else None


class TestRelevantObjects:
    @settings(max_examples=examples(30, 200), deadline=None, suppress_health_check=list(HealthCheck))
    @given(levels(most=3))
    def test_the_others_make_no_difference(self, one: Level) -> None:
        try:
            made, whole = relevant_planes(one), planes(one)
        except Unsettled:
            return
        wanted, found = answer(whole), answer(made)
        if wanted is not None:
            assert found == wanted
        assert len(made.model.bits) <= len(whole.model.bits)

    def test_decoration_is_left_out(self) -> None:
        grow = rule("right", "player", "player mark", late=True)
        signs = {**SIGNS, "x": "player mark"}
        made = game("target / player crate / mark", PUSH, grow, signs=signs, wins=[win("all", "target", "crate")])
        one = level(made, "PC..o")
        assert "mark" in planes(one).places
        assert relevant_planes(one).places.keys() == {"player", "crate"}
        assert answer(relevant_planes(one)) == answer(planes(one)) == ("Reachable", 3)

    def test_again_makes_all_objects_matter(self) -> None:
        grow = rule("right", "player", "player mark", late=True, commands="again")
        one = level(game("target / player crate / mark", PUSH, grow, wins=[win("some", "crate")]), "PC")
        assert "mark" in relevant_planes(one).places

    @pytest.mark.parametrize(
        "conditions",
        [
            [],
            [win("some", "mark")],
            [win("all", "target", "wall")],
            [win("no", "target"), win("some", "crate")],
            [win("all", "target mark", "mark"), win("some", "target mark", whole=True)],
        ],
    )
    def test_nothing_is_left_where_nothing_can_win(self, conditions: list[Win]) -> None:
        one = level(game("target / player crate wall / mark", PUSH, signs=SIGNS, wins=conditions), "PC..o")
        assert [str(held) for held in relevant_planes(one).model.bits] == ["won"]
        assert answer(relevant_planes(one)) == answer(planes(one)) == ("Unreachable", None)


class TestIdleMoves:
    def test_action_without_rules_wins_where_the_start_is_solved(self) -> None:
        one = sokoban("P*")
        steps = {action.name for action, _ in model_of(one).successors(initial_state(model_of(one)))}
        assert "action" in steps
        one = sokoban("PCo")
        steps = {action.name for action, _ in model_of(one).successors(initial_state(model_of(one)))}
        assert steps == {"right"}


class TestNames:
    def test_atoms_and_counts_are_about_what_can_change(self) -> None:
        one = sokoban("WPC.o")
        made = planes(one)
        start = initial_state(made.model)
        true = {name for name, atom in made.model.atoms.items() if holds(atom, start)}
        assert true == {"player@(1,2)", "crate@(1,3)"}
        assert "crate@(1,1)" not in made.model.atoms
        assert made.places["crate"][0, 3] == "crate@(1,4)"
        counts = {name: sum(holds(each, start) for each in of) for name, of in made.model.counts.items()}
        assert counts == {"player": 1, "crate": 1, "crate_on_target": 0}
        assert len(made.model.bits) == 11

    def test_constants_are_all_other_atoms(self) -> None:
        one = sokoban("WPC.o")
        always = constants(one)
        wanted = {"wall@(1,1)": True, "target@(1,5)": True, "ground@(1,2)": True, "crate@(1,1)": False}
        assert wanted.items() <= always.items()
        assert always.keys().isdisjoint(planes(one).model.atoms)

    def test_names_that_formulas_cannot_hold_are_numbers(self) -> None:
        odd = "player 1-crate won and größe object_3"
        one = level(game(odd, rule("right", "right player | 1-crate", "right player | right 1-crate")), "P.")
        named = formula_names(one.game)
        assert named["player"] == "player"
        assert named["object_3"] == "object_3"
        for name, held in named.items():
            assert str(parse(f"EF {held}@(1,1)")) == f"EF {held}@(1,1)"
            assert parse(f"{held} >= 1").counted == held
            assert held in {atom.partition("@")[0] for atom in (*planes(one).model.atoms, *constants(one))}, name
        assert len(set(named.values())) == len(one.game.objects)
        assert not {"won", "and", "größe"} & set(named.values())
