"""Games over explicit graphs: who wins from each position, and in how many turns.

An `Arena` is the graph of a game: whose turn it is at each position, who has won at its ends, and the moves. It
comes out of a model, by `explore`, or out of plain rules, by `arena_of_rules`; the attractor does not know which.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.games.model import (
    DRAW,
    Drawn,
    GameModel,
    GameVerdict,
    Value,
    Winning,
    both_have_won,
    decide_within_limits,
    verdict,
)
from puzzlemc.mc.graph import kernel
from puzzlemc.mc.graph.state_graph import Indices, Offsets, StateGraph, explore
from puzzlemc.mc.graph.warm_up import need_graphs
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.packed.layout import keys
from puzzlemc.mc.rules.plain import FIRST, SECOND, Game, Stuck
from puzzlemc.mc.verdict import Statistics

NOBODY = -1
BYTES_PER_POSITION = 500  # of plain rules: what Python keeps of one, roughly
LOOK = 256  # positions between two looks at the limits

Sides: TypeAlias = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Arena:
    """The positions of a game by number, from 0, which is the start.

    first, other  the moves: those of position s lead to `other[first[s]:first[s + 1]]`. None leaves an end
    turn          (positions,): FIRST or SECOND
    won           (positions,): at an end the side that has won; elsewhere, and at a draw, NOBODY
    """

    first: Offsets
    other: Indices
    turn: Sides
    won: Sides

    def __len__(self) -> int:
        return len(self.turn)

    def solve(self) -> "Solved":
        """The winner and the turns of every position: the attractors of both sides."""
        need_graphs()
        back_first = np.zeros(len(self) + 1, np.int64)
        source, moves = np.empty_like(self.other), np.empty_like(self.other)
        kernel.turn(self.first, self.other, np.zeros_like(self.other), back_first, source, moves)
        winner, turns = self.won.copy(), np.where(self.won == NOBODY, -1, 0).astype(np.int32)
        kernel.attract(self.first, back_first, source, self.turn, winner, turns)
        return Solved(winner, turns)


@dataclass(frozen=True)
class Solved:
    """Of each position, who wins (NOBODY: neither side can force it) and in how many turns (-1 for NOBODY)."""

    winner: Sides
    turns: Indices

    def value(self, number: int) -> Value:
        """What a position is worth."""
        winner, turns = int(self.winner[number]), int(self.turns[number])
        return DRAW if winner == NOBODY else Value(winner, turns)

    @property
    def depth(self) -> int:
        """The most turns that any position takes."""
        return int(self.turns.max(initial=0))


def arena_of_model(game: GameModel, budget: Budget) -> tuple[StateGraph, Arena]:
    """All reachable states of a game, and its arena.

    Raises LimitReached, and ModelError where both sides have won.
    """
    initial_state(game.model)  # one, or Unsuitable
    graph = explore(game.model, budget, terminal=game.won)
    if graph.reason is not None:
        raise LimitReached(graph.reason)
    turn = np.where(graph.holds(game.first), FIRST, SECOND).astype(np.int8)
    first, second = (graph.holds(formula) for formula in game.won)
    if (first & second).any():
        raise both_have_won()
    stuck = graph.stuck & ~first & ~second
    won = np.select([first, second, stuck], [FIRST, SECOND, _of_stuck(game.stuck, turn)], NOBODY)
    return graph, Arena(graph.forth.first, graph.forth.other, turn, won.astype(np.int8))


def _of_stuck(stuck: Stuck, turn: Sides) -> Sides:
    """Who wins at each position, if it is one without a move."""
    if stuck is Stuck.DRAWS:
        return np.full_like(turn, NOBODY)
    return turn if stuck is Stuck.WINS else (1 - turn).astype(np.int8)


def explicit(game: GameModel, budget: Budget) -> GameVerdict:
    """Decide who wins a game, over the graph of all its states. Raises Unsuitable without one initial state."""

    def attempt() -> Winning | Drawn:
        graph, arena = arena_of_model(game, budget)
        solved = arena.solve()
        order = np.argsort(keys(graph.rows))
        sorted_keys = keys(graph.rows)[order]

        def value(state: State) -> Value:
            key = keys(graph.layout.pack(state)[None, :])
            at = int(np.searchsorted(sorted_keys, key[0]))
            if at == len(order) or sorted_keys[at] != key[0]:
                raise LookupError("the state is not reachable")
            return solved.value(int(order[at]))

        return verdict(game, graph.state(0), value, Statistics(solved.depth + 1, len(arena)))

    return decide_within_limits(budget, attempt)


@dataclass(frozen=True)
class RulesArena:
    """The arena of a level by the plain rules, and its positions in the order of their numbers."""

    arena: Arena
    positions: tuple[Hashable, ...]

    @cached_property
    def _number(self) -> dict[Hashable, int]:
        return {position: number for number, position in enumerate(self.positions)}

    @cached_property
    def solved(self) -> Solved:
        """Who wins from each position."""
        return self.arena.solve()

    def value(self, position: Hashable) -> Value:
        """What a reachable position is worth. Raises LookupError for others."""
        return self.solved.value(self._number[position])


def arena_of_rules(rules: Game, level: object, budget: Budget) -> RulesArena:
    """All positions of a level that can be reached by the plain rules. Raises LimitReached."""
    number: dict[Hashable, int] = {rules.start(level): 0}
    waiting = list(number)
    first, other, turn, won = [0], list[int](), list[int](), list[int]()
    for position in waiting:  # which grows meanwhile
        steps = rules.replies(level, position)
        for step in steps:
            if step.position not in number:
                number[step.position] = len(waiting)
                waiting.append(step.position)
            other.append(number[step.position])
        first.append(len(other))
        turn.append(rules.turn(level, position))
        winner = None if steps else rules.result(level, position)
        won.append(NOBODY if winner is None else winner)
        if len(turn) % LOOK == 0:
            budget.check()
            if len(waiting) * BYTES_PER_POSITION > budget.limits.memory:
                raise LimitReached("memory")
    arena = Arena(
        np.array(first, np.int64), np.array(other, np.int32), np.array(turn, np.int8), np.array(won, np.int8)
    )
    return RulesArena(arena, tuple(waiting))
