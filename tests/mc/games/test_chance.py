"""Levels with chance as games: random ones against fixed points, strategies as proofs, and their mutants."""

import random
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Never

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.games.chance import LUCKY, SURELY, Shown, shown
from puzzlemc.mc.games.chance_strategies import lucky_bound, lucky_strategy, sure_bound, sure_strategy
from puzzlemc.mc.games.lucky import lucky
from puzzlemc.mc.games.strategy import Node, Strategy
from puzzlemc.mc.games.surely import surely
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.rules.chance import Chance, Turn
from puzzlemc.mc.rules.plain import Step

INPUTS = ("a", "b")


@dataclass(frozen=True)
class Draws:
    """A level: first positions, solved ones, and of each input in a position its outcomes and whether it may fail.

    An input without outcomes that does not fail has too many.
    """

    first: tuple[int, ...]
    solved: frozenset[int]
    turns: dict[tuple[int, str], tuple[tuple[int, ...], bool]]
    hangs: bool = False


def turn(level: Draws, position: int, name: str) -> Turn:
    after, fails = level.turns[position, name]
    if not after and not fails:
        raise LimitReached("bound", "too many")
    one = len(after) == 1 and not fails
    names = [name if one else f"{name}:{n}" for n in range(1, len(after) + 1)]
    return Turn([Step(*each, {"turns": 1}) for each in zip(names, after, strict=True)], fails)


def begin(level: Draws, position: int) -> str | None:
    return None if len(level.first) == 1 else f"start:{level.first.index(position) + 1}"


RULES: Any = Chance(
    lambda level: level.first,
    lambda _: INPUTS,
    turn,
    lambda level, at: at in level.solved,
    begin,
    lambda level: level.hangs,
)


def levels(*, unknown: bool = False) -> st.SearchStrategy[Draws]:
    """Random levels; with `unknown`, some inputs have too many outcomes."""
    return st.integers(0, 1 << 32).map(lambda seed: random_level(random.Random(seed), unknown))


def random_level(chance: random.Random, unknown: bool) -> Draws:
    size = chance.randint(2, 7)

    def outcomes() -> tuple[tuple[int, ...], bool]:
        fails = chance.random() < 0.2
        least = 0 if fails or unknown else 1
        return tuple(chance.sample(range(size), chance.randint(least, min(size, 3)))), fails

    turns = {(at, name): outcomes() for at in range(size) for name in INPUTS}
    first = chance.sample(range(size), chance.choice([1, 1, 2]))
    solved = frozenset(chance.choices(range(1, size), k=chance.randint(0, 2)))
    return Draws(tuple(first), solved, turns, hangs=chance.random() < 0.1)


def value(level: Draws, asked: str) -> int | None:
    """The least number of inputs, by rounds over all positions. No input has too many outcomes."""
    if level.hangs and asked == SURELY:
        return None
    values: dict[int, float] = {at: 0 if at in level.solved else float("inf") for at, _ in level.turns}
    choose = min if asked == LUCKY else max
    for _ in values:
        for at in values:
            if at not in level.solved:
                ways = [level.turns[at, name] for name in INPUTS]
                left = [
                    choose([values[each] for each in after] + [float("inf")] * (fails or not after))
                    for after, fails in ways
                ]
                values[at] = min(values[at], 1 + min(left))
    found = choose(values[at] for at in level.first)
    return None if found == float("inf") else int(found)


def evidence(level: Draws, asked: str) -> tuple[int | None, list[Strategy]]:
    """The answer of the search, and the strategies that prove it."""
    budget = Budget()
    if asked == LUCKY:
        found = lucky(RULES, level, budget)
        if found.moves is None:
            return None, [lucky_bound(RULES, level, None, budget)]
        bound = [lucky_bound(RULES, level, found.turns, budget)] if found.turns else []
        return found.turns, [lucky_strategy(RULES, level, found.moves, budget), *bound]
    sure = surely(RULES, level, budget)
    if sure.moves is None:
        return None, [sure_bound(RULES, level, sure.strategy, budget)]
    bound = [sure_bound(RULES, level, sure.strategy, budget)] if sure.turns else []
    return sure.turns, [sure_strategy(RULES, level, sure.strategy, budget), *bound]


@settings(max_examples=examples(300, 3000), deadline=None)
@given(levels(), st.sampled_from([LUCKY, SURELY]))
def test_strategies_show_the_least_number_of_inputs(level: Draws, asked: str) -> None:
    wanted = value(level, asked)
    found, strategies = evidence(level, asked)
    assert found == wanted
    assert shown(asked, RULES, level, strategies, Budget()) == Shown(wanted, least=True)
    if wanted:
        assert shown(asked, RULES, level, strategies[:1], Budget()).turns == wanted
        with pytest.raises(Refuted):
            shown(asked, RULES, level, strategies[1:], Budget())


@settings(max_examples=examples(100, 1000), deadline=None)
@given(levels(unknown=True))
def test_an_input_with_too_many_outcomes_is_not_used(level: Draws) -> None:
    found = lucky(RULES, level, Budget())
    if found.moves is not None:
        strategy = lucky_strategy(RULES, level, found.moves, Budget())
        assert shown(LUCKY, RULES, level, [strategy], Budget()).turns == found.turns
    sure = surely(RULES, level, Budget())
    if sure.moves is not None:
        strategy = sure_strategy(RULES, level, sure.strategy, Budget())
        assert shown(SURELY, RULES, level, [strategy], Budget()).turns == sure.turns


def mutant(strategies: list[Strategy], names: list[str], chance: random.Random) -> list[Strategy]:
    """The strategies with another number, move, node or claim in one of them."""
    which = chance.randrange(len(strategies))
    strategy = strategies[which]
    nodes = list(strategy.nodes)
    at = chance.randrange(len(nodes))
    node: Node = nodes[at]
    kind = chance.randrange(8)
    if kind == 0:
        more = None if chance.random() < 0.2 else (node.turns or 0) + chance.choice([-2, -1, 1, 2])
        nodes[at] = replace(node, turns=more)
    elif kind == 1:
        nodes[at] = replace(node, move=chance.choice([*names, None]))
    elif kind == 2 and node.after:
        after = list(node.after)
        after[chance.randrange(len(after))] = chance.randrange(len(nodes) + 1)
        nodes[at] = replace(node, after=tuple(after))
    elif kind == 3:
        del nodes[at]
    elif kind == 4 and node.after:
        nodes[at] = replace(node, after=node.after[:-1])
    elif kind == 5:
        strategy = replace(strategy, side=1 - strategy.side)
    elif kind == 6:
        strategy = replace(strategy, wins=not strategy.wins)
    else:
        shift = chance.choice([-2, -1, 1, 2])
        nodes = [replace(each, turns=None if each.turns is None else each.turns + shift) for each in nodes]
    return [*strategies[:which], replace(strategy, nodes=tuple(nodes)), *strategies[which + 1 :]]


def test_a_changed_strategy_shows_nothing_false() -> None:
    chance, counts = random.Random(1), Counter[str]()

    for number in range(examples(200, 2000)):
        level, asked = random_level(chance, unknown=False), (LUCKY, SURELY)[number % 2]
        wanted, strategies = evidence(level, asked)
        names = sorted({node.move for each in strategies for node in each.nodes if node.move})
        for _ in range(15):
            other = mutant(strategies, names, chance)
            if other == strategies:
                continue
            try:
                found = shown(asked, RULES, level, other, Budget())
            except Refuted:
                counts["refuted"] += 1
                continue
            counts["valid"] += 1
            if found.turns is None:
                assert wanted is None
            else:
                assert wanted is not None
                assert found.turns == wanted if found.least else found.turns >= wanted
    assert counts["refuted"] > 8 * counts["valid"] > 0


def test_what_does_not_decide_a_question_is_refuted() -> None:
    level = Draws((0,), frozenset({1}), {(at, name): ((1, 0), False) for at in range(2) for name in INPUTS})
    _, lucky_ones = evidence(level, LUCKY)
    _, sure_ones = evidence(level, SURELY)
    for asked, strategies in [
        (LUCKY, []),
        (LUCKY, lucky_ones[::-1]),
        (LUCKY, [lucky_ones[0], *lucky_ones]),
        (LUCKY, sure_ones),
        (SURELY, lucky_ones),
    ]:
        with pytest.raises(Refuted):
            shown(asked, RULES, level, strategies, Budget())


def test_a_limit_of_time_ends_a_check() -> None:
    level = Draws((0,), frozenset({1}), {(at, name): ((1, 0), False) for at in range(2) for name in INPUTS})
    _, strategies = evidence(level, LUCKY)
    with pytest.raises(LimitReached):
        shown(LUCKY, RULES, level, strategies, Budget(Limits(0.0, 1 << 30)))


def test_a_start_with_too_many_positions_says_so() -> None:
    def first(level: Draws) -> Never:
        raise LimitReached("bound", "the start draws too much")

    rules, level = replace(RULES, first=first), Draws((0,), frozenset(), {})
    for found in lucky(rules, level, Budget()), surely(rules, level, Budget()):
        assert (found.moves, found.reason, found.words) == (None, "bound", "the start draws too much")
