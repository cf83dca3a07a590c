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

from puzzlemc.encodings.fabrik.fast import (
    EMPTY,
    NOWHERE,
    generate,
    geometry,
    move,
    player_of,
    put,
    room,
    state,
    take,
    turn_of,
    way_to,
)
from puzzlemc.encodings.fabrik.fast import turns as fast_turns
from puzzlemc.encodings.fabrik.rules import moves
from puzzlemc.encodings.fabrik.threats import Row, Scratch, win_in_one, win_in_two
from puzzlemc.encodings.fabrik.threats import defences as fast_defences
from puzzlemc.mc.games.match import Bot
from puzzlemc.mc.jit import cached, ready
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
    _ready()
    turns = fast_turns(level, position)
    now, table = state(level, position), geometry(level.size, level.row)
    scores = _scores(table, now, player_of(position), np.unique(turns[:, 0]))
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
        _ready()
        end = float("inf") if self.seconds is None else time.perf_counter() + self.seconds
        player, now, scratch = player_of(position), state(level, position), Scratch(level.size)
        if turn := win_in_one(level, now, player, scratch) or win_in_two(level, now, player, scratch):
            return _name(level, turn)
        table = geometry(level.size, level.row)
        turns = fast_defences(level, now, player, scratch)
        if not len(turns):  # lost, unless the opponent misses the win
            turns = fast_turns(level, position)
        values = _values(table, now, player, turns)
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


def warm_up() -> None:
    """Run the compiled code of this file once, so that it is compiled."""
    level = Level("", "", 3, 3, Position(frozenset(), frozenset(), frozenset({(0, 0), (2, 2)}), BLACK))
    table, now = geometry(level.size, level.row), state(level, level.start)
    turns = room(level.size)
    turns = turns[: generate(table, now, turns)]
    _scores(table, now, 0, np.unique(turns[:, 0]))
    _values(table, now, 0, turns)


def _ready() -> None:
    ready(warm_up, "puzzlemc.encodings.fabrik.fast", __name__)


def _name(level: Level, turn: Row | list[int]) -> str:
    stone, source, target = turn
    return turn_of(level.size, stone, NOWHERE if source == target else source, target).name


def score(level: Level, position: Position, player: str) -> int:
    """The score of the greedy bot, for a player and a position with two workers."""
    _ready()
    now = state(level, position)
    score: int = _score(geometry(level.size, level.row), now, 0 if player == BLACK else 1)
    return score


@cached()
def _score(table, now, player):  # type: ignore[no-untyped-def]
    """The score of a board.

    Along each line, a stone counts the cube of its place in its run, the opponent's the same below zero. And each
    stone counts, for each run of the opponent that it ends, the cubes of that run.
    """
    near, board = table.near, now.board
    total = 0
    for cell in range(board.shape[0]):
        piece = board[cell]
        if piece != 1 and piece != 2:
            continue
        for direction in range(8):
            run = 0
            if direction < 4:  # a line is looked at one way only: back along it
                at = cell
                while at >= 0 and board[at] == piece:
                    run += 1
                    at = near[at, direction]
                total += run**3 if piece == player + 1 else -(run**3)
            if piece == player + 1:
                run = 0
                at = near[cell, direction]
                while at >= 0 and board[at] == 2 - player:
                    run += 1
                    total += run**3
                    at = near[at, direction]
    return total


@cached()
def _scores(table, now, player, cells):  # type: ignore[no-untyped-def]
    """By cell, the score after a stone of a player there: a worker on it moves away, and none counts."""
    scores = np.zeros(now.board.shape[0], np.int64)
    for cell in cells:
        piece = now.board[cell]
        now.board[cell] = player + 1
        scores[cell] = _score(table, now, player)
        now.board[cell] = piece
    return scores


@cached()
def _gains(table, now, player, gains):  # type: ignore[no-untyped-def]
    """By cell, what a stone of a player there adds to open windows of their own, and takes from the opponent's."""
    row = table.windows.shape[1]
    gains[:] = 0
    for window in range(table.windows.shape[0]):
        own, theirs = now.counts[player, window], now.counts[1 - player, window]
        if own == 0 or theirs == 0:
            # A window is worth 8 to the number of its stones, to whom they belong alone; an empty one nothing.
            gain = 7 << 3 * own if own else 1 << 3 * theirs if theirs else 8
            for place in range(row):
                gains[table.windows[window, place]] += gain


@cached()
def _values(table, now, player, turns):  # type: ignore[no-untyped-def]
    """By turn, what it gains, less what the best reply gains then."""
    cells = now.board.shape[0]
    gains = np.zeros(cells, np.int64)
    then = np.zeros(cells, np.int64)
    values = np.zeros(turns.shape[0], np.int64)
    _gains(table, now, player, gains)
    for at in range(turns.shape[0]):
        stone, source, target = turns[at, 0], turns[at, 1], turns[at, 2]
        move(now, source, target)
        put(table, now, stone, player)
        _gains(table, now, 1 - player, then)
        best = 0
        for cell in range(cells):
            if then[cell] > best and (now.board[cell] == EMPTY or now.board[cell] == 3):
                reached, _ = way_to(table, now, cell)
                if reached >= 0:
                    best = then[cell]
        take(table, now, stone, player)
        move(now, target, source)
        values[at] = gains[stone] - best
    return values
