"""Games: both attractors against plain retrograde analysis, strategies and their mutants, games of known value."""

import importlib.util
import random
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import WRITTEN

from examples import examples
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted, Unsuitable
from puzzlemc.mc.games.explicit import NOBODY, Arena, arena_of_model, arena_of_rules, explicit
from puzzlemc.mc.games.model import DRAW, Drawn, GameModel, GameVerdict, Value, Winning
from puzzlemc.mc.games.own_turns import SolvedRules, fewest_own_turns
from puzzlemc.mc.games.strategies import defence, strategies_for
from puzzlemc.mc.games.strategy import Node, Strategy, check, drawn_line, main_line, prove
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.expressions import Or
from puzzlemc.mc.model.formula import FALSE, TRUE, Formula, State, bit, negation
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import binary, boolean
from puzzlemc.mc.rules.plain import FIRST, SECOND, SIDES, Game, Step, Stuck, play
from puzzlemc.mc.verdict import Unknown

EXAMPLES = WRITTEN


def example(name: str) -> ModuleType:
    """Return an example as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NIM = example("nim")


def retrograde(rules: Game, level: object) -> dict[Hashable, Value]:
    """Return the value of each reachable position: round n over all positions finds the wins in n turns."""
    positions = [rules.start(level)]
    for position in positions:
        positions += [s.position for s in rules.replies(level, position) if s.position not in positions]
    value: dict[Hashable, Value] = {}
    for turns in range(len(positions) + 1):
        new = {}
        for position in positions:
            if position in value:
                continue
            replies = [step.position for step in rules.replies(level, position)]
            if not replies:
                winner = rules.result(level, position)
                if winner is not None:
                    new[position] = Value(winner, 0)
                continue
            turn = rules.turn(level, position)
            worth = [value.get(after, DRAW).winner for after in replies]
            if turn in worth:
                new[position] = Value(turn, turns)
            elif all(winner == 1 - turn for winner in worth):
                new[position] = Value(1 - turn, turns)
        value |= new
    return {position: value.get(position, DRAW) for position in positions}


def plain(game: GameModel) -> Game:
    """Return the rules of a game given as a model: positions are its states, the level is its initial state."""

    def steps(_: Any, state: Any) -> Any:
        seen = set()
        for action in game.model.actions:
            if action.enabled(state):
                seen.add((action.name, action.fire(state)))
        for name, after in sorted(seen, key=lambda pair: pair[0]):
            yield Step(name, after, {"turns": 1})

    return Game(
        start=lambda level: level,
        turn=lambda _, state: game.turn(state),
        steps=steps,
        winner=lambda _, state: game.winner(state),
        stuck=game.stuck,
    )


@st.composite
def games(draw: st.DrawFn) -> tuple[GameModel, State]:
    """A random game and its initial state: up to 24 places and a bit, few final positions, in most games loops.

    An action leads from one place to another; it may require the bit, set it, or flip it by a formula.
    """
    places, most_ways = draw(st.sampled_from([3, 12, 24])), draw(st.integers(2, 3))
    chance = random.Random(draw(st.integers(0, 2**32)))
    at, flag = binary("at", range(places)), boolean("flag")
    (b,) = flag.bits
    actions = []
    for place in range(places):
        for _ in range(chance.randint(0 if chance.random() < 0.2 else 1, most_ways)):
            guard = at.literals(place) | chance.choice([{}, {}, {}, {b: True}, {b: False}])
            update = at.literals(chance.randrange(places))
            change = chance.choice([{}, {}, {b: True}, {b: False}, {b: ~b}])
            actions.append(Action(f"a{len(actions)}", guard, {**update, **change}, {}))
    owned = [place for place in range(places) if chance.random() < 0.5]
    ends = chance.sample(range(1, places), min(places - 1, chance.randint(1, 4)))
    won: list[Formula] = [Or(*[at.equals(place) for place in ends[side::2]]) for side in SIDES]
    first = Or(*[at.equals(place) for place in owned])
    if chance.random() < 0.3:
        first = first | b
    init = {**at.literals(0), b: False}
    hints = Hints(location=chance.choice([None, at]))
    model = Model((at, flag), init, tuple(actions), FALSE, hints=hints)
    return GameModel(model, first, (won[0], won[1]), chance.choice(list(Stuck))), frozenset()


def test_random_games_are_of_all_kinds() -> None:
    """Draws, wins of both sides and in many turns, and games in which only some positions are drawn."""
    seen = Counter[object]()

    @given(games())
    def look(made: tuple[GameModel, State]) -> None:
        values = retrograde(plain(made[0]), made[1])
        seen[values[made[1]].winner] += 1
        seen["mixed"] += len({value.winner for value in values.values()}) > 1 and DRAW in values.values()
        seen["deep"] += max(value.turns or 0 for value in values.values()) >= 3

    look()
    assert min(seen[kind] for kind in (None, FIRST, SECOND, "mixed", "deep")) >= examples(2, 10), seen


@given(games())
def test_values_agree_with_plain_retrograde_analysis(made: tuple[GameModel, State]) -> None:
    game, start = made
    game.validate()
    expected = retrograde(plain(game), start)
    _agrees(game, start, explicit(game, Budget()), expected)


def _agrees(game: GameModel, start: State, found: GameVerdict, expected: dict[Hashable, Value]) -> None:
    assert not isinstance(found, Unknown)
    assert {state: found.value(cast(State, state)) for state in expected} == expected
    assert found.statistics.states == len(expected)
    if isinstance(found, Winning):
        assert Value(found.winner, found.turns) == expected[start]
        for state, worth in cast(dict[State, Value], expected).items():
            if worth.winner == found.winner == game.turn(state) and worth.turns:
                after = expected[found.strategy(state).fire(state)]
                assert after == Value(found.winner, worth.turns - 1)
    else:
        assert expected[start] == DRAW


@given(games())
def test_strategies_prove_the_value_of_a_game(made: tuple[GameModel, State]) -> None:
    game, start = made
    rules = plain(game)
    arena = arena_of_rules(rules, start, Budget())
    expected = retrograde(rules, start)
    assert {position: arena.value(position) for position in arena.positions} == expected
    strategies = strategies_for(rules, start, arena.value)
    assert prove(rules, start, strategies)[:3] == (*expected[start], True)
    # A strategy claims no more of a node than is true.
    for strategy in strategies:
        worth = expected[start]
        assert strategy.turns == (
            worth.turns if strategy.wins else None if worth.turns is None else worth.turns - 1
        )


def own_turns_needed(rules: Game, level: object, winner: int) -> dict[Hashable, int]:
    """Return the least number of own turns of each position that the winner wins: round n over all positions."""
    positions = [rules.start(level)]
    for position in positions:
        positions += [s.position for s in rules.replies(level, position) if s.position not in positions]
    need: dict[Hashable, int] = {}
    for turns in range(len(positions) + 1):
        changed = True
        while changed:
            changed = False
            for position in positions:
                if position in need:
                    continue
                after = [step.position for step in rules.replies(level, position)]
                if not after:
                    won = rules.result(level, position) == winner
                elif rules.turn(level, position) == winner:
                    won = any(need.get(each, turns) < turns for each in after)
                else:
                    won = all(each in need for each in after)
                if won:
                    need[position] = turns
                    changed = True
    return need


def test_own_turns_are_proved_without_alternation() -> None:
    """The bound on own turns is never above the least number, and a defence by own turns shows that number."""
    seen = Counter[bool]()

    @given(games())
    def look(made: tuple[GameModel, State]) -> None:
        game, start = made
        rules = plain(game)
        arena = arena_of_rules(rules, start, Budget())
        winner = arena.value(start).winner
        if winner is None:
            return
        need = own_turns_needed(rules, start, winner)
        by_turns = strategies_for(rules, start, arena.value)
        proved = prove(rules, start, by_turns)
        assert proved.own_turns is not None
        assert proved.own_bound <= need[start] <= proved.own_turns
        seen[proved.fewest_own_turns] += 1
        if need[start]:
            assert prove(rules, start, [by_turns[0], _held(rules, start, winner, need)]).own_bound == need[start]
        line = main_line(rules, start, by_turns[0])
        position, own = start, 0
        for move in line:
            own += rules.turn(start, position) == winner
            step = rules.reply(start, position, move)
            assert step is not None
            position = cast(State, step.position)
        assert own == proved.own_turns
        assert rules.result(start, position) == winner

    look()
    assert min(seen[True], seen[False]) >= examples(1, 3), seen


def test_the_fewest_own_turns_of_all_positions_are_found_and_proved() -> None:
    """All values agree with rounds over all positions, and both strategies prove that of the start."""
    seen = Counter[object]()

    @given(games())
    def look(made: tuple[GameModel, State]) -> None:
        game, start = made
        rules = plain(game)
        arena = arena_of_rules(rules, start, Budget())
        solved = SolvedRules(arena.number, fewest_own_turns(arena.arena, Budget()))
        needed = [own_turns_needed(rules, start, side) for side in SIDES]
        for position in arena.positions:
            worth = solved.value(position)
            turns = [needed[side].get(position) for side in SIDES]
            assert (worth.winner is None) == (turns == [None, None])
            assert worth.winner is None or (turns[worth.winner], turns[1 - worth.winner]) == (worth.turns, None)
        strategies = solved.proof(rules, start).strategies
        proved, worth = prove(rules, start, strategies), solved.value(start)
        assert proved.winner == worth.winner
        seen[worth.winner] += 1
        if worth.winner is None:
            assert strategies[0].side == 1 - rules.turn(start, start)
            assert [strategy.turns for strategy in strategies] == [None, None]
            _both_keep_a_draw(rules, start, strategies)
            return
        assert proved.own_turns == worth.turns == strategies[0].own_turns
        assert proved.fewest_own_turns

    look()
    assert min(seen[kind] for kind in (None, FIRST, SECOND)) >= examples(2, 10), seen


def _both_keep_a_draw(rules: Game, start: State, strategies: Sequence[Strategy]) -> None:
    """The play of both strategies ends in a draw, or comes to a position again."""
    replay = play(rules, start, drawn_line(rules, start, *strategies), [])
    *before, end = replay.positions
    assert end in before or (rules.over(start, end) and rules.result(start, end) is None)
    assert len(set(before)) == len(before)


def _held(rules: Game, level: object, winner: int, need: dict[Hashable, int]) -> Strategy:
    """Return the defence until the last of the own turns that the winner needs."""

    def loses(position: Hashable, turns: int) -> bool:
        return position in need and need[position] <= turns

    return defence(rules, level, 1 - winner, need[rules.start(level)] - 1, loses, 1000)


SKIPS: dict[str, dict[str, str]] = {
    "start": {"three": "A1", "two": "S1"},
    "A1": {"on": "A2"},
    "A2": {"on": "won"},
    "S1": {"on": "S2"},
    "S2": {"on": "S3"},
    "S3": {"on": "A2"},
    "won": {},
}


def test_the_fewest_turns_need_not_be_the_fewest_own_turns() -> None:
    """FIRST wins in three turns, all its own; or in five, of which SECOND has three."""
    rules = Game(
        start=lambda _: "start",
        turn=lambda _, position: SECOND if position.startswith("S") else FIRST,
        steps=lambda _, position: (Step(name, after, {"turns": 1}) for name, after in SKIPS[position].items()),
        winner=lambda _, position: FIRST if position == "won" else None,
    )
    arena = arena_of_rules(rules, None, Budget())
    need = own_turns_needed(rules, None, FIRST)
    fast, survivor = strategies_for(rules, None, arena.value)
    proved = prove(rules, None, [fast, survivor])
    assert (proved.turns, proved.exact) == (3, True)
    assert (proved.own_turns, proved.own_bound, proved.fewest_own_turns) == (3, 1, False)
    chain = [Node(5 - place, "two" if place == 0 else None, (place + 1,)) for place in range(4)]
    slow = Strategy(FIRST, True, (*chain, Node(1, "on", (5,)), Node(0, None, ())))
    assert prove(rules, None, [slow])[1:] == (5, False, 2, 1)
    assert prove(rules, None, [slow, _held(rules, None, FIRST, need)]).fewest_own_turns
    solved = SolvedRules(arena.number, fewest_own_turns(arena.arena, Budget()))
    assert solved.best(rules, None, "start") == ["two"]
    assert prove(rules, None, solved.proof(rules, None).strategies) == (FIRST, 5, False, 2, 2)


def mutants(strategy: Strategy, chance: random.Random) -> Any:
    """Yield the strategy with one change each: moves, successors, turns, side, kind."""
    yield replace(strategy, wins=not strategy.wins)
    yield replace(strategy, side=1 - strategy.side)
    for number, node in enumerate(strategy.nodes):
        others = []
        if node.turns is not None:
            others += [replace(node, turns=node.turns - 1), replace(node, turns=node.turns + 1)]
        others.append(replace(node, turns=None if node.turns is not None else 3))
        if node.move is not None:
            others.append(replace(node, move=None))
        others.append(replace(node, move="no move"))
        if node.after:
            others.append(replace(node, after=node.after[:-1]))
            others.append(replace(node, after=(*node.after[:-1], chance.randrange(len(strategy.nodes)))))
            others.append(replace(node, after=(*node.after[:-1], len(strategy.nodes))))
        others.append(replace(node, after=(*node.after, 0)))
        for other in others:
            if other != node:
                yield replace(strategy, nodes=(*strategy.nodes[:number], other, *strategy.nodes[number + 1 :]))


def claim_is_true(strategy: Strategy, worth: Value) -> bool:
    """Return whether the claim of a strategy about the start is true, however it shows it."""
    if strategy.wins:
        return (
            worth.winner == strategy.side and strategy.turns is not None and (worth.turns or 0) <= strategy.turns
        )
    if worth.winner != 1 - strategy.side:
        return True
    return strategy.turns is not None and strategy.turns < (worth.turns or 0)


@given(games(), st.randoms(use_true_random=False))
@settings(max_examples=examples(20, 40))
def test_a_changed_strategy_with_a_false_claim_is_refuted(made: tuple[GameModel, State], chance: Any) -> None:
    game, start = made
    rules = plain(game)
    arena = arena_of_rules(rules, start, Budget())
    for strategy in strategies_for(rules, start, arena.value):
        for mutant in mutants(strategy, chance):
            if not claim_is_true(mutant, arena.value(start)):
                with pytest.raises(Refuted):
                    check(rules, start, mutant)


@pytest.mark.parametrize("level", [(1, 1), (1, 2), (3,), (1, 2, 2)])
def test_changed_strategies_for_nim_are_refuted(level: tuple[int, ...]) -> None:
    arena = arena_of_rules(NIM.RULES, level, Budget())
    worth = arena.value(NIM.start(level))
    tried = 0
    for strategy in strategies_for(NIM.RULES, level, arena.value):
        check(NIM.RULES, level, strategy)
        for mutant in mutants(strategy, random.Random(1)):
            for one in (mutant, _with_start(mutant, 1), _with_start(mutant, -1)):
                if not claim_is_true(one, worth):
                    tried += 1
                    with pytest.raises(Refuted):
                        check(NIM.RULES, level, one)
        # The turns of a node bound those of its successors, even if the claim about the start remains true.
        for number in range(1, len(strategy.nodes)):
            node = strategy.nodes[number]
            turns = (node.turns or 0) + (worth.turns or 0) if strategy.wins else (node.turns or 0) - 1
            if strategy.wins or turns >= 0:
                changed = replace(node, turns=turns)
                nodes = (*strategy.nodes[:number], changed, *strategy.nodes[number + 1 :])
                with pytest.raises(Refuted, match="turns, but"):
                    check(NIM.RULES, level, replace(strategy, nodes=nodes))
    assert tried > 10


def _with_start(strategy: Strategy, more: int) -> Strategy:
    first = strategy.nodes[0]
    return replace(strategy, nodes=(replace(first, turns=(first.turns or 0) + more), *strategy.nodes[1:]))


@pytest.mark.parametrize(
    ("level", "changes", "message"),
    [
        ((1, 1), {0: Node(2, "take 1 of 1", (1,))}, "node 0: take 1 of 1 where the other side has the turn"),
        ((1, 1), {1: Node(2, "take 1 of 2", (3,))}, "node 0: 2 turns, but 2 at node 1"),
        ((1, 1), {1: Node(0, "take 1 of 2", (3,))}, "node 1: 0 turns, but 0 at node 3"),
        ((1, 1), {1: Node(1, "take 1 of 2", (-1,))}, "node 1: there is no node -1"),
        ((1, 1), {1: Node(1, "take 1 of 2", (3, 3))}, "node 1: 2 nodes behind one move"),
        ((1, 1), {1: Node(1, "take 1 of 1", (3,))}, "node 1: take 1 of 1 is not a legal move"),
        ((1, 1), {1: Node(1, None, (3,))}, "node 1: None is not a legal move"),
        ((1, 1), {3: Node(0, "take", ())}, "node 3: nothing can be behind it"),
        ((1, 1), {0: Node(None, None, (1, 2))}, "node 0: a win without a number of turns"),
        ((1, 1), {4: Node(0, None, ())}, "node 4: no play leads there"),
        ((1, 2), {}, "node 0: 2 nodes behind 3 replies"),
        ((0, 0), {}, "node 0: nothing can be behind it"),
    ],
)
def test_a_changed_node_is_refuted(level: tuple[int, ...], changes: dict[int, Node], message: str) -> None:
    """With heaps of 1 and 1 the second side wins: it takes the other heap."""
    nodes = {
        0: Node(2, None, (1, 2)),
        1: Node(1, "take 1 of 2", (3,)),
        2: Node(1, "take 1 of 1", (3,)),
        3: Node(0, None, ()),
    }
    check(NIM.RULES, (1, 1), Strategy(SECOND, True, tuple(nodes.values())))
    with pytest.raises(Refuted, match=message):
        check(NIM.RULES, level, Strategy(SECOND, True, tuple((nodes | changes).values())))


def test_a_cyclic_strategy_does_not_win() -> None:
    """Two positions, each a successor of the other: nobody wins, whatever the numbers claim."""
    rules = Game(
        start=lambda _: 0,
        turn=lambda _, position: position % 2,
        steps=lambda _, position: iter([Step("on", (position + 1) % 2, {})]),
        winner=lambda _level, _position: None,
    )
    for turns in [(1, 0), (5, 4), (0, 0)]:
        nodes = (Node(turns[0], "on", (1,)), Node(turns[1], None, (0,)))
        with pytest.raises(Refuted, match="turns, but"):
            check(rules, None, Strategy(FIRST, True, nodes))
    never = [Strategy(side, False, _round(side)) for side in SIDES]
    assert prove(rules, None, never)[:3] == (None, None, True)
    with pytest.raises(Refuted, match="do not decide"):
        prove(rules, None, never[:1])


def _round(side: int) -> tuple[Node, ...]:
    moves = ["on" if turn == side else None for turn in SIDES]
    return Node(None, moves[0], (1,)), Node(None, moves[1], (0,))


def test_a_draw_is_no_win() -> None:
    """One cell, on which nobody gets two in a row: the first side fills it, and the game is over."""
    rules = example("tic_tac_toe").RULES
    nodes = (Node(1, "1,1", (1,)), Node(0, None, ()))
    check(rules, (1, 1, 2), Strategy(FIRST, False, nodes))
    with pytest.raises(Refuted, match="node 1: the game has ended, and first has not won"):
        check(rules, (1, 1, 2), Strategy(FIRST, True, nodes))


def test_one_node_is_one_position() -> None:
    """Both takes from (1, 2) lead to the same node, but not to the same position."""
    nodes = (Node(9, None, (1, 1, 1)), Node(8, "take 1 of 2", (2,)), Node(7, None, ()))
    with pytest.raises(Refuted, match="does not lead to the position of node 1"):
        check(NIM.RULES, (1, 2), Strategy(SECOND, True, nodes))


@pytest.mark.parametrize("level", [(), (0,), (1,), (3,), (1, 1), (1, 2), (2, 2), (1, 2, 3), (2, 2, 1), (3, 4, 5)])
def test_nim_has_its_known_winner(level: tuple[int, ...]) -> None:
    found = explicit(NIM.model(level), Budget())
    assert isinstance(found, Winning)
    arena = arena_of_rules(NIM.RULES, level, Budget())
    assert found.winner == NIM.known(level)
    assert Value(found.winner, found.turns) == arena.value(NIM.start(level))
    assert found.statistics.states == len(arena.arena)
    for (heaps, turn), number in zip(arena.positions, range(len(arena.arena)), strict=True):
        assert arena.solved.winner[number] == (turn if NIM.known(heaps) == FIRST else 1 - turn)


@pytest.mark.parametrize(
    ("level", "value", "positions"),
    [
        ((1, 3, 3), DRAW, None),
        ((2, 2, 2), Value(FIRST, 3), None),
        ((3, 3, 3), DRAW, 5478),
        ((2, 4, 3), DRAW, None),
        ((3, 3, 2), Value(FIRST, 3), None),
        ((1, 7, 3), DRAW, None),
    ],
)
def test_boards_of_marks_have_their_known_values(
    level: tuple[int, int, int], value: Value, positions: int | None
) -> None:
    """5,478 positions of tic-tac-toe can be reached, a known number."""
    module = example("tic_tac_toe")
    arena = arena_of_rules(module.RULES, level, Budget())
    assert arena.value(module.start(level)) == value
    found = explicit(module.model(level), Budget())
    assert isinstance(found, Drawn if value == DRAW else Winning)
    assert found.statistics.states == len(arena.arena) == (positions or len(arena.arena))
    strategies = strategies_for(module.RULES, level, arena.value)
    assert prove(module.RULES, level, strategies)[:3] == (*value, True)


@pytest.mark.parametrize(("size", "turns"), [(1, 1), (2, 3), (3, 5)])
def test_the_first_side_wins_hex(size: int, turns: int) -> None:
    module = example("hex")
    arena = arena_of_rules(module.RULES, size, Budget())
    assert NOBODY not in arena.solved.winner
    found = explicit(module.model(size), Budget())
    assert isinstance(found, Winning)
    assert (found.winner, found.turns) == (FIRST, turns)
    assert found.statistics.states == len(arena.arena)
    strategies = strategies_for(module.RULES, size, arena.value)
    assert prove(module.RULES, size, strategies)[:3] == (FIRST, turns, True)


@pytest.mark.parametrize("name", ["nim", "tic_tac_toe", "hex"])
def test_examples_run(name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [name])
    example(name).main()
    first = {
        "nim": "heaps (3, 4, 5): first wins in 11 turns",
        "tic_tac_toe": "a draw",
        "hex": "first wins in 5 turns",
    }
    assert capsys.readouterr().out.splitlines()[0] == first[name]


def _counter(**changes: Any) -> GameModel:
    """A game of one bit that either side may set."""
    (b,) = boolean("b").bits
    model = Model((boolean("b"),), {b: False}, (Action("set", {b: False}, {b: True}, {}),), FALSE)
    return replace(GameModel(model, ~b, (FALSE, b)), **changes)


def test_a_position_that_both_sides_have_won_is_refused() -> None:
    with pytest.raises(ModelError, match="both sides have won"):
        explicit(_counter(won=(bit("b"), bit("b"))), Budget())


def test_many_initial_states_are_refused() -> None:
    game = _counter()
    with pytest.raises(Unsuitable, match="no single initial state"):
        explicit(replace(game, model=replace(game.model, init=TRUE)), Budget())


def test_limits_give_unknown() -> None:
    budget = Budget()
    budget.cancel()
    found = explicit(NIM.model((3, 4, 5)), budget)
    assert isinstance(found, Unknown)
    assert found.reason == "cancelled"
    with pytest.raises(LimitReached, match="memory"):
        arena_of_rules(NIM.RULES, (3, 4, 5, 6), Budget(Limits(memory=1000)))
    with pytest.raises(LimitReached, match="memory"):
        arena_of_model(NIM.model((3, 4, 5)), Budget(Limits(memory=1000)))


def test_an_unreachable_position_has_no_value() -> None:
    game = _counter()
    found = explicit(game, Budget())
    assert isinstance(found, Winning)
    assert (found.winner, found.turns) == (SECOND, 1)
    other = explicit(replace(game, won=(FALSE, ~bit("b"))), Budget())
    assert isinstance(other, Winning)
    assert other.turns == 0
    with pytest.raises(LookupError, match="not reachable"):
        other.value(frozenset([bit("b")]))
    with pytest.raises(LookupError, match="no action to take"):
        found.strategy(frozenset())


def test_bits_of_another_model_are_refused() -> None:
    with pytest.raises(ModelError, match="turns and wins speak of bits of no variable"):
        _counter(first=negation(bit("c"))).validate()


def test_two_moves_of_one_name_are_refused() -> None:
    rules = Game(
        start=lambda _: 0,
        turn=lambda _, __: FIRST,
        steps=lambda _, position: iter([Step("on", position + 1, {}), Step("on", position + 2, {})]),
        winner=lambda _level, _position: None,
    )
    with pytest.raises(Refuted, match="two legal moves have the name on"):
        rules.replies(None, 0)


def test_the_attractor_of_an_arena_by_hand() -> None:
    """From 0 to 1 or 2; from 1 to 0 or to 3, where FIRST has won; from 2 only to 3."""
    arena = Arena(
        np.array([0, 2, 4, 5, 5]),
        np.array([1, 2, 0, 3, 3], np.int32),
        np.array([FIRST, SECOND, SECOND, FIRST], np.int8),
        np.array([NOBODY, NOBODY, NOBODY, FIRST], np.int8),
    )
    solved = arena.solve()
    assert solved.winner.tolist() == [FIRST, FIRST, FIRST, FIRST]
    assert solved.turns.tolist() == [2, 3, 1, 0]
    assert solved.depth == 3
