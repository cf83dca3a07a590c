"""Games between programs: each makes its moves, and the plain rules follow."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.games.strategy import SIDE_NAMES
from puzzlemc.mc.rules.plain import FIRST, SIDES, Game

# Of a level, a position and a source of random numbers, the name of a move.
Bot: TypeAlias = Callable[[Any, Any, random.Random], str]


@dataclass(frozen=True)
class Match:
    """A game between two bots: their names by side, the side that has won (None for a draw), and the moves.

    turns    that each side has taken
    seconds  of wall clock that each side has thought
    """

    bots: tuple[str, str]
    winner: int | None
    moves: tuple[str, ...]
    turns: tuple[int, int]
    seconds: tuple[float, float]


def match(rules: Game, level: object, names: tuple[str, str], bots: Mapping[str, Bot], seed: int) -> Match:
    """Play a game to its end from the start of a level. Raises Refuted if a bot's move is illegal."""
    chance = [random.Random(f"{seed} {SIDE_NAMES[side]}") for side in SIDES]
    position, moves, turns, seconds = rules.start(level), list[str](), [0, 0], [0.0, 0.0]
    while not rules.over(level, position):
        side = rules.turn(level, position)
        began = time.perf_counter()
        move = bots[names[side]](level, position, chance[side])
        seconds[side] += time.perf_counter() - began
        step = rules.reply(level, position, move)
        if step is None:
            raise Refuted(f"{names[side]}: {move} is not a legal move")
        moves.append(move)
        turns[side] += 1
        position = step.position
    return Match(
        names, rules.result(level, position), tuple(moves), (turns[0], turns[1]), (seconds[0], seconds[1])
    )


def pairing(pair: tuple[str, str], number: int) -> tuple[str, str]:
    """Which of two bots has which side in the game of that number, from 0: they swap sides."""
    return pair if number % 2 == FIRST else pair[::-1]


def seed_of(seed: int, number: int) -> int:
    """The seed of that game: games 2k and 2k + 1 have the same, so that each bot has both sides of it."""
    return seed + number // 2
