"""Programs that play Fabrik.

random  any legal move
greedy  the turn after which the score is best; the score is that of the first program for Fabrik
strong  wins if it can force a win within two turns, otherwise prevents such a win of the opponent if possible, and
        otherwise takes the turn with the best score after the best reply

A bot is a function of level, position and a source of random numbers; it returns the name of a move. The same
numbers give the same moves, unless the strong bot has a time limit.
"""

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from puzzlemc.encodings.fabrik.fast import NOWHERE, geometry, move, player_of, put, state, take, turn_of
from puzzlemc.encodings.fabrik.fast import turns as fast_turns
from puzzlemc.encodings.fabrik.rules import moves
from puzzlemc.encodings.fabrik.scores import score_of, scores_of, values_of
from puzzlemc.encodings.fabrik.threats import Row, Scratch, win_in_one, win_in_two
from puzzlemc.encodings.fabrik.threats import defences as fast_defences
from puzzlemc.mc.games.match import Bot
from puzzlemc.screens.fabrik import BLACK, Level, Position

CANDIDATES = 64  # turns of the strong bot that are tried for a win of the opponent within two


def play_random(level: Level, position: Position, chance: random.Random) -> str:
    """A random legal move; all have the same probability."""
    if not position.turn:
        return chance.choice([name for name, _ in moves(level, position)])
    return _name(level, chance.choice(fast_turns(level, position).tolist()))


def play_greedy(level: Level, position: Position, chance: random.Random) -> str:
    """A random one of the turns after which the score is best; before the first turn, a random move."""
    if not position.turn:
        return play_random(level, position, chance)
    turns = fast_turns(level, position)
    now, table = state(level, position), geometry(level.size, level.row)
    scores = scores_of(table, now, player_of(position), np.unique(turns[:, 0]))
    values = scores[turns[:, 0]]
    return _name(level, chance.choice(turns[values == values.max()].tolist()))


def play_strong(level: Level, position: Position, chance: random.Random) -> str:
    """The strong bot without a limit of time."""
    return Strong()(level, position, chance)


@dataclass(frozen=True)
class Strong:
    """The strong bot. `candidates` and, if given, `seconds` limit its search."""

    candidates: int = CANDIDATES
    seconds: float | None = None

    def __call__(self, level: Level, position: Position, chance: random.Random) -> str:
        """The bot's move. As Black, it decides to begin."""
        if not position.turn:
            return BLACK if len(position.workers) == 2 else play_random(level, position, chance)
        end = float("inf") if self.seconds is None else time.perf_counter() + self.seconds
        player, now, scratch = player_of(position), state(level, position), Scratch(level.size)
        if turn := win_in_one(level, now, player, scratch) or win_in_two(level, now, player, scratch):
            return _name(level, turn)
        table = geometry(level.size, level.row)
        turns = fast_defences(level, now, player, scratch)
        if not len(turns):  # lost, unless the opponent misses the win
            turns = fast_turns(level, position)
        values = values_of(table, now, player, turns)
        # The order of equal values is random.
        order = np.lexsort((np.array([chance.random() for _ in turns]), -values))
        for at in order[: self.candidates].tolist():
            stone, source, target = turns[at].tolist()
            move(now, source, target)
            put(table, now, stone, player)
            lost = win_in_two(level, now, 1 - player, scratch) is not None
            take(table, now, stone, player)
            move(now, target, source)
            if not lost:
                return _name(level, (stone, source, target))
            if time.perf_counter() > end:
                break
        return _name(level, turns[order[0]].tolist())


BOTS: Mapping[str, Bot] = MappingProxyType({"random": play_random, "greedy": play_greedy, "strong": play_strong})


def _name(level: Level, turn: Row | list[int]) -> str:
    stone, source, target = turn
    return turn_of(level.size, stone, NOWHERE if source == target else source, target).name


def score(level: Level, position: Position, player: str) -> int:
    """The score of the greedy bot, for a player and a position with two workers."""
    return score_of(geometry(level.size, level.row), state(level, position), 0 if player == BLACK else 1)
