"""Games over explicit graphs: the winner of each position, and the number of turns to the win.

An `Arena` is the graph of a game: the side to move at each position, the winner of each terminal position, and the
moves. It is made from a model by `arena_of_model`, or from plain rules by `arena_of_rules`.
"""

from collections.abc import Callable, Hashable
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
    verdict,
)
from puzzlemc.mc.graph.fixpoints import attract
from puzzlemc.mc.graph.state_graph import Edges, Indices, Offsets, StateGraph, explore
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.packed.layout import keys
from puzzlemc.mc.rules.plain import FIRST, SECOND, Game, Stuck
from puzzlemc.mc.verdict import Statistics, within_limits

NOBODY = -1
BYTES_PER_POSITION = 500  # an estimate of the memory for a position of the plain rules
LOOK = 256  # positions between two checks of the limits

Sides: TypeAlias = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Arena:
    """The positions of a game by number; 0 is the start.

    first, other  the moves of position s lead to `other[first[s]:first[s + 1]]`; no move leaves a terminal
                  position
    turn          (positions,): the side to move, FIRST or SECOND
    won           (positions,): the winner of a terminal position; NOBODY at a draw and in other positions
    """

    first: Offsets
    other: Indices
    turn: Sides
    won: Sides

    def __len__(self) -> int:
        return len(self.turn)

    def solve(self) -> "Solved":
        """The winner of every position and the number of turns: the attractors of both sides."""
        edges = Edges(self.first, self.other, np.zeros_like(self.other))
        return Solved(*attract(edges.adjacency, edges.turned().adjacency, self.turn, self.won))


@dataclass(frozen=True)
class Solved:
    """For each position, the side that can force a win, else NOBODY; and the number of turns, -1 for NOBODY."""

    winner: Sides
    turns: Indices

    def value(self, number: int) -> Value:
        """The value of a position."""
        winner, turns = int(self.winner[number]), int(self.turns[number])
        return DRAW if winner == NOBODY else Value(winner, turns)

    @property
    def depth(self) -> int:
        """The largest number of turns of any position."""
        return int(self.turns.max(initial=0))


def arena_of_model(game: GameModel, budget: Budget) -> tuple[StateGraph, Arena]:
    """The state graph of a game, and its arena.

    Raises LimitReached, ModelError if both sides have won in a state, and Unsuitable without a single initial
    state.
    """
    initial_state(game.model)  # raises Unsuitable
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
    """The winner of each position if there is no move in it."""
    if stuck is Stuck.DRAWS:
        return np.full_like(turn, NOBODY)
    return turn if stuck is Stuck.WINS else (1 - turn).astype(np.int8)


def numbers_of(graph: StateGraph) -> Callable[[State], int]:
    """The number of each state of a graph. The function raises LookupError for other states."""
    order = np.argsort(keys(graph.rows))
    sorted_keys = keys(graph.rows)[order]

    def number(state: State) -> int:
        key = keys(graph.layout.pack(state)[None, :])
        at = int(np.searchsorted(sorted_keys, key[0]))
        if at == len(order) or sorted_keys[at] != key[0]:
            raise LookupError("the state is not reachable")
        return int(order[at])

    return number


def explicit(game: GameModel, budget: Budget) -> GameVerdict:
    """Decide which side wins a game, over its state graph. Raises Unsuitable without a single initial state."""

    def attempt() -> Winning | Drawn:
        graph, arena = arena_of_model(game, budget)
        solved = arena.solve()
        number = numbers_of(graph)

        def value(state: State) -> Value:
            return solved.value(number(state))

        return verdict(game, graph.state(0), value, Statistics(solved.depth + 1, len(arena)))

    return within_limits(budget, attempt)


@dataclass(frozen=True)
class RulesArena:
    """The arena of a level under the plain rules, and its positions by number."""

    arena: Arena
    positions: tuple[Hashable, ...]

    @cached_property
    def _number(self) -> dict[Hashable, int]:
        return {position: number for number, position in enumerate(self.positions)}

    @cached_property
    def solved(self) -> Solved:
        """The winners of all positions."""
        return self.arena.solve()

    def value(self, position: Hashable) -> Value:
        """The value of a reachable position. Raises LookupError for other positions."""
        return self.solved.value(self.number(position))

    def number(self, position: Hashable) -> int:
        """The number of a reachable position. Raises LookupError for other positions."""
        return self._number[position]


def arena_of_rules(rules: Game, level: object, budget: Budget) -> RulesArena:
    """The arena of all reachable positions of a level under the plain rules. Raises LimitReached."""

    number: dict[Hashable, int] = {rules.start(level): 0}
    queue = list(number)
    first, other, turn, won = [0], list[int](), list[int](), list[int]()
    for position in queue:  # the list grows in the loop
        steps = rules.replies(level, position)
        for step in steps:
            if step.position not in number:
                number[step.position] = len(queue)
                queue.append(step.position)
            other.append(number[step.position])
        first.append(len(other))
        turn.append(rules.turn(level, position))
        winner = None if steps else rules.result(level, position)
        won.append(NOBODY if winner is None else winner)
        if len(turn) % LOOK == 0:
            budget.check()
            if len(queue) * BYTES_PER_POSITION > budget.limits.memory:
                raise LimitReached("memory")
    arena = Arena(
        np.array(first, np.int64), np.array(other, np.int32), np.array(turn, np.int8), np.array(won, np.int8)
    )
    return RulesArena(arena, tuple(queue))
