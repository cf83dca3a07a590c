"""Levels as models with formulas: their steps are those of the plain rules, and engines decide them."""

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, assume, given, settings
from oracle import SMALL, dijkstra
from random_games import levels
from small_games import game, level, rule, win
from walked_levels import drawn_levels

from examples import examples
from puzzlemc.encodings.puzzlescript.circuit.tiles import tiles
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES, at
from puzzlemc.encodings.puzzlescript.domain.turn import Unsettled
from puzzlemc.mc.engines.registry import engine
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.proofs.checker import check_proof
from puzzlemc.mc.proofs.layered import LayeredProof
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, resolved
from puzzlemc.screens.puzzlescript.game import Level


def least_turns(one: Level) -> int | None:
    """The least number of turns of a solution, None if there is none."""
    costs = dijkstra([RULES.start(one)], lambda here: ((step.position, 1) for step in RULES.steps(one, here)))
    found = [cost for here, cost in costs.items() if RULES.solved(one, here)]
    return min(found, default=None)


@settings(max_examples=examples(15, 30), deadline=None, suppress_health_check=list(HealthCheck))
@given(levels(most=3))
def test_steps_are_those_of_the_plain_rules(one: Level) -> None:
    try:
        encoded = tiles(one)
    except Unsuitable:
        assume(False)
    encoded.model.validate()
    start = initial_state(encoded.model)
    seen, queue = {start}, [start]
    assert encoded.decode(start) == RULES.start(one)
    for state in queue[:20]:
        try:
            expected = {step.name: step.position for step in RULES.steps(one, encoded.decode(state))}
        except Unsettled:
            pytest.fail("a level with a circuit has no turn without end")
        found: dict[str, State] = {action.name: after for action, after in encoded.model.successors(state)}
        assert {name: encoded.decode(after) for name, after in found.items()} == expected
        queue += [after for after in found.values() if after not in seen]
        seen.update(found.values())


LIMITS = Limits(seconds=1, memory=SMALL.memory)
MOST = {"solvable": 3, "unsolvable": 3}  # levels


def chosen_levels() -> Iterator[tuple[Level, int | None]]:
    """Yield levels with their costs, which are from 3 to 6, or None."""
    count: Counter[str] = Counter()
    for one, _ in drawn_levels(seed=1, count=200):
        cost = least_turns(one)
        kind = "unsolvable" if cost is None else "solvable"
        if count[kind] < MOST[kind] and (cost is None or 3 <= cost <= 6):
            count[kind] += 1
            yield one, cost
        if count == MOST:
            return


def test_engines_agree_with_a_search_by_the_plain_rules() -> None:
    counts: Counter[str] = Counter()
    for one, cost in chosen_levels():
        model = tiles(one).model
        for name in ("ic3", "k-induction") if cost is None else ("bmc", "ic3", "k-induction"):
            verdict = engine(name)(model, "turns", Budget(LIMITS))
            counts[f"{name} {type(verdict).__name__}"] += 1
            where = f"{name}: {one}"
            if isinstance(verdict, Reachable):
                assert cost is not None, where
                assert verdict.cost == cost if verdict.optimal else verdict.cost >= cost, where
                verdict.trace.check(model)
                check_replay(one, [action.name for action in verdict.trace.actions])
            elif isinstance(verdict, Unreachable):
                assert cost is None, where
                if (proof := resolved(verdict.proof)) is not None:
                    assert isinstance(proof, LayeredProof)
                    check_proof(model, proof, Budget(SMALL))
                    counts["proofs"] += 1
            else:
                assert isinstance(verdict, Unknown)
                assert cost is None or verdict.bound <= cost, where
    assert counts["bmc Reachable"] >= 2, counts
    assert counts["ic3 Reachable"] >= 1, counts
    assert counts["proofs"] >= 2, counts


def check_replay(one: Level, names: list[str]) -> None:
    """The moves are a solution by the plain rules."""
    here = RULES.start(one)
    for name in names:
        (here,) = (step.position for step in RULES.steps(one, here) if step.name == name)
    assert RULES.solved(one, here)


@pytest.mark.parametrize("name", ["forward", "backward", "bidirectional"])
@pytest.mark.parametrize("package", ["zdd", "cudd"])
def test_diagrams_take_circuits(name: str, package: str) -> None:
    push = rule("right", "right player | crate", "right player | right crate")
    made = game("target / player crate wall", push, signs={"o": "target"}, wins=[win("all", "target", "crate")])
    for board, cost in (("P.C.o", 3), ("PC.W.o", None), ("PC.o .....", 2), ("C.oP", None)):
        verdict = engine(name)(tiles(level(made, board)).model, "turns", Budget(SMALL), diagrams=package)
        assert (verdict.cost if isinstance(verdict, Reachable) else None) == cost, board
        assert isinstance(verdict, Reachable if cost else Unreachable)


@pytest.mark.parametrize(
    ("commands", "expected"),
    [("", "goes on"), ("cancel", "no step"), ("restart", "no step"), ("win", "won"), ("restart win", "no step")],
)
def test_commands_of_a_turn(commands: str, expected: str) -> None:
    one = level(game("player", rule("right", "right player", commands=commands)), "P.")
    encoded = tiles(one)
    found = {action.name: after for action, after in encoded.model.successors(initial_state(encoded.model))}
    assert list(found) == ([] if expected == "no step" else ["right"])
    for after in found.values():
        assert encoded.decode(after) == Position((frozenset({"ground"}), one.cells[0]), won=expected == "won")
        assert not encoded.model.successors(after) or expected == "goes on"


def test_a_level_in_play_starts_where_it_is() -> None:
    made = game("player / spot", rule("right", "player", "player spot"), run_rules_on_level_start=True)
    one = level(made, "P.")
    assert initial_position(one) == RULES.start(one) != Position(one.cells, won=False)
    for won in (False, True):
        again = at(one, Position(one.cells, won))
        assert initial_position(again) == Position(one.cells, won)


def initial_position(one: Level) -> object:
    encoded = tiles(one)
    return encoded.decode(initial_state(encoded.model))


def test_a_level_without_a_circuit_has_a_reason() -> None:
    one = level(game("player wall", rule("right", "player | wall", commands="again")), "PW")
    with pytest.raises(Unsuitable, match="line 100 has the command again"):
        tiles(one)


def test_names_of_formulas() -> None:
    push = rule("right", "right player | crate", "right player | right crate")
    encoded = tiles(level(game("player crate wall", push), "PCW"))
    assert encoded.places["crate"][0, 1] == "crate@(1,2)"
    assert (0, 2) not in encoded.places["crate"]  # a wall is there
    assert len(encoded.model.counts["player"]) == 2
    start = encoded.decode(initial_state(encoded.model))
    assert isinstance(start, Position)
    assert start.cells[1] == {"ground", "crate"}
