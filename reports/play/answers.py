"""Questions about positions, which worker processes answer during a game: by an engine, or by the map of the
level.

The *map* is the whole state graph with the distance of each state to the goal; it answers for any position at
once. Before it is complete, and if it is too large, an engine solves the level that starts at the position. Both
are exact: a position is lost only if it is proved that no moves lead to the goal.

A level with chance has no map. An engine searches for a strategy that wins whatever is drawn; it answers for all
positions that it may come to. Without one, the hint is the way of a lucky player.
"""

from collections import deque
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from random import choice
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LIMITS, Refuted, Unsuitable
from puzzlemc.mc.games.chance import SURELY
from puzzlemc.mc.graph.paths import FAR, distances, shortest_path
from puzzlemc.mc.graph.quotient import Quotient, quotient
from puzzlemc.mc.graph.state_graph import Indices, StateGraph, explore
from puzzlemc.mc.invariants.dead import DeadStates
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.mc.model.action import cost_of
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.rules.plain import Constraint
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.plan import START
from puzzlemc.reports.solve.reasons import why_unsolvable
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.reports.workers.current import Wanted


@dataclass(frozen=True)
class Advice:
    """Results about a position.

    solvable  None if unknown
    cost      of the known solution, by the first metric of the puzzle
    optimal   no solution costs less, which is proved
    moves     the next moves of that solution, at least up to one with a positive cost
    reason    why solvability is unknown
    sure      of a level with chance: True: `moves` has the input of a strategy that wins whatever is drawn, within
              `cost`; False: there is no such strategy; None: it is not known
    """

    solvable: bool | None
    cost: int = 0
    optimal: bool = False
    moves: tuple[str, ...] = ()
    reason: str = ""
    sure: bool | None = None


LOST = Advice(False)
MOST_FREE = 20_000  # states that free moves reach, of which a step may start


class Choice(NamedTuple):
    """What a step with a cost was chosen from: the steps from all states that free moves reach before it.

    begin, end  the number of moves up to the step before, and up to this one
    kind        `only`: all others lose; `best`: no other one begins a shortest solution; `branch`: several do;
                `detour`: this one does not; `loses`; `lost`: the level was lost before
    steps, kept, shortest  the number of steps, of those that do not lose, and that begin a shortest solution
    """

    begin: int
    end: int
    kind: str
    steps: int
    kept: int
    shortest: int


def built(entry: Entry) -> None:
    """Build the level of an entry, as a test against the limits. Raises LevelError."""
    if entry.error is not None:
        raise entry.error


def solution(
    entry: Entry, position: Hashable, played: int, metric: str, limits: Limits, path: str, number: int
) -> list[tuple[Hashable, Advice]]:
    """What `solved_from` returns.

    Ends early when the file at `path` no longer holds `number` (see `background`).
    """
    return solved_from(entry, position, played, metric, limits, Wanted(path, number))


def solved_from(
    entry: Entry, position: Hashable, played: int, metric: str, limits: Limits, wanted: Event
) -> list[tuple[Hashable, Advice]]:
    """Solve a level from a position; returns results for all positions on the way, that position first.

    `played` is the number of moves that led to the position. The metric `ANY` asks for any solution, another
    metric for a cheapest one. The search ends when `wanted` is set. Raises Refuted.
    """
    puzzle = entry.puzzle
    level = _from(puzzle, entry.level, position)
    encoding = next(iter(puzzle.encodings), Options.encoding)
    options = Options(metric, encoding=encoding, timeout=limits.seconds or 0.0, memory=limits.memory / GIB)
    asked = Entry(entry.id, entry.title, puzzle, level)
    if (chance := puzzle.chance(level)) is not None and chance.decides:
        return _against_chance(asked, position, replace(options, timeout=options.timeout / 2), wanted)
    result = _solved(asked, options, wanted)
    if result.verdict == "unsolvable":
        return [(position, LOST)]
    if result.trace is None:
        return [(position, Advice(None, reason=result.reason or ""))]
    moves = list(result.trace)
    if isinstance(puzzle.question(level), Constraint):  # its solution begins with the moves so far
        moves = moves[played:]
    return _on_the_way(puzzle, level, position, moves, optimal=bool(result.optimal))


def _solved(asked: Entry, options: Options, wanted: Event) -> Result:
    """The result of a level. Raises Refuted."""
    result = solve_entry(asked, options, cancelled=wanted)
    if result.verdict == "error":
        raise Refuted(result.reason or "")
    return result


def _against_chance(
    asked: Entry, position: Hashable, options: Options, wanted: Event
) -> list[tuple[Hashable, Advice]]:
    """The results for a position of a level with chance, and for all others of a strategy. Raises Refuted."""
    sure = _solved(asked, replace(options, chance=SURELY), wanted)
    if (plan := sure.plan) is not None:
        best = bool(sure.optimal)
        results = [
            (each.position, Advice(True, each.turns, best, (each.name,), sure=True)) for each in plan.choices
        ]
        if not results or results[0][0] != position:  # the first position is drawn, or it is solved
            turns = max((each.turns for each in plan.choices), default=0)
            moves = (START,) if len(plan.first) > 1 else ()
            results.insert(0, (position, Advice(True, turns, best, moves, sure=True)))
        return results
    result = _solved(asked, options, wanted)
    if result.verdict == "unsolvable":
        return [(position, LOST)]
    if result.trace is None:
        return [(position, Advice(None, reason=result.reason or ""))]
    # Later positions of the way may have a strategy.
    way = _on_the_way(asked.puzzle, asked.level, position, list(result.trace), optimal=bool(result.optimal))
    return [(position, replace(way[0][1], sure=False if sure.verdict == "unsolvable" else None))]


def drawn(puzzle: Puzzle, level: Any, position: Hashable, advice: Advice) -> tuple[str, ...]:
    """The moves of a hint to play. Of an input that wins whatever is drawn, an outcome is drawn."""
    chance = puzzle.chance(level) if advice.sure and advice.moves else None
    if chance is None:
        return advice.moves
    rules, name = chance.rules, advice.moves[0]
    if name in rules.inputs(level):
        return (choice(rules.turn(level, position, name).steps).name,)
    return (rules.begin(level, choice(rules.first(level))) or "",)


def reason_of_loss(entry: Entry, position: Hashable, limits: Limits, path: str, number: int) -> str:
    """The reason why a lost position has no solution, in words; empty if none is found.

    Ends early when the file at `path` no longer holds `number`. Raises Refuted.
    """
    puzzle = entry.puzzle
    level = _from(puzzle, entry.level, position)
    words = puzzle.explanation.obvious(level)
    if not words and puzzle.explanation.needs_search:
        with suppress(*LIMITS):
            words, _ = why_unsolvable(puzzle, level, Budget(limits, None, 0, Wanted(path, number)))
    return words


def reason_by_sums(entry: Entry, positions: Sequence[Hashable], limits: Limits, path: str, number: int) -> str:
    """Why the last of these positions, which begin with the start of the level, is lost, in words; empty if no sum
    of facts shows that. As in `auto`, models with hints for searches are not asked.

    Ends early when the file at `path` no longer holds `number`.
    """
    puzzle = entry.puzzle
    global _dead
    try:
        if _dead is None or _dead[0] != entry.id:
            encoded = puzzle.encode_faithfully(entry.level)
            _dead = entry.id, encoded, DeadStates(encoded.model)
        _, encoded, dead = _dead
        state = None if encoded.model.hints.guide_search else _state_at(encoded, positions)
        return "" if state is None else dead.reason(state, Budget(limits, None, 0, Wanted(path, number)))
    except (Unsuitable, *LIMITS):
        return ""


def _state_at(encoded: Encoded, positions: Sequence[Hashable]) -> State | None:
    """The state of the model after the steps between these positions; None if the model has none such."""
    state = initial_state(encoded.model)
    for position in positions[1:]:
        after = (after for _, after in encoded.model.successors(state) if encoded.decode(after) == position)
        found = next(after, None)
        if found is None:
            return None
        state = found
    return state


def _on_the_way(
    puzzle: Puzzle, level: Any, position: Hashable, moves: Sequence[str], *, optimal: bool
) -> list[tuple[Hashable, Advice]]:
    """The results for all positions on the way of a solution."""
    metric = puzzle.metrics[0]
    positions, prices = [position], []
    for move in moves:
        step = puzzle.rules.reply(level, positions[-1], move)
        assert step is not None
        positions.append(step.position)
        prices.append(step.costs[metric])
    left, way = 0, deque[str]()
    results = [(positions[-1], Advice(True, 0, optimal))]
    for at in range(len(moves) - 1, -1, -1):
        left += prices[at]
        if prices[at]:
            way.clear()
        way.appendleft(moves[at])
        results.append((positions[at], Advice(True, left, optimal, tuple(way))))
    return results[::-1]


def _from(puzzle: Puzzle, level: Any, position: Hashable) -> Any:
    if position == puzzle.rules.start(level):
        return level
    assert puzzle.starting_at is not None
    return puzzle.starting_at(level, position)


class Map:
    """The state graph of a level, with the least cost from each state to the goal."""

    def __init__(self, encoded: Encoded, metric: str, graph: StateGraph) -> None:
        self._encoded = encoded
        self._graph = graph
        model = encoded.model
        self._price: Indices = np.array([cost_of(action, metric) for action in model.actions], np.int32)
        goals = np.flatnonzero(graph.holds(model.goal)).astype(np.int32)
        self.left: Indices = distances(graph.back.adjacency, self._price, goals)  # the least cost to the goal
        self._next: dict[tuple[int, str], int] = {}
        self._targets: dict[int, dict[int, int]] = {}

    def number(self, moves: Sequence[str]) -> int:
        """The state to which moves lead from the start. Raises Refuted if the graph does not have them."""
        return self.numbers(moves)[-1]

    def numbers(self, moves: Sequence[str]) -> list[int]:
        """The start, and the state after each of the moves. Raises Refuted if the graph does not have them."""
        found = [at := 0]
        for move in moves:
            if (at, move) not in self._next:
                self._next.update(((at, name), target) for name, target, _ in self._steps(at))
            if (at, move) not in self._next:
                raise Refuted(f"the state graph has no move {move}")
            found.append(at := self._next[at, move])
        return found

    def advice(self, moves: Sequence[str], position: Hashable) -> Advice:
        """The results about the position to which the moves lead. Raises Refuted if the graph leads elsewhere."""
        at = self.number(moves)
        if self._encoded.decode(self._graph.state(at)) != position:
            raise Refuted("the moves lead to another position in the state graph")
        if self.left[at] == FAR:
            return LOST
        return Advice(True, int(self.left[at]), True, tuple(self._way(at)))

    @cached_property
    def quotient(self) -> Quotient:
        """The graph with those states merged that reach each other at no cost."""
        return quotient(self._graph, self._price)

    def kinds(self) -> list[str]:
        """For each node of the quotient: is it `lost` or `solved`, or `live`, which is neither?"""
        home, solved = self.quotient.home, self._graph.holds(self._encoded.model.goal)
        kinds = ["live"] * len(self.quotient.sizes)
        for node in home[self.left == FAR].tolist():
            kinds[node] = "lost"
        for node in home[solved].tolist():
            kinds[node] = "solved"
        return kinds

    def way_to(self, node: int) -> list[str]:
        """The fewest moves from the start to a node of the quotient."""
        everywhere = np.ones(len(self), np.bool_)
        states = shortest_path(self._graph.forth.adjacency, 0, everywhere, self.quotient.home == node)
        way = []
        for here, there in pairwise(states):
            way.append(next(name for name, target, _ in self._steps(here) if target == there))
        return way

    def choices(self, moves: Sequence[str]) -> list[Choice]:
        """The choice at each step with a cost of the moves from the start; none if free moves reach too many
        states. Raises Refuted.
        """
        states, forth = self.numbers(moves), self._graph.forth
        found = []
        begin = 0
        for end, (here, there) in enumerate(pairwise(states), 1):
            edges = range(int(forth.first[here]), int(forth.first[here + 1]))
            if cost := min(self._cost(edge) for edge in edges if forth.other[edge] == there):
                if not (options := self._options(here)):
                    return []
                found.append(self._choice((begin, end), here, there, cost, options))
                begin = end
        return found

    def _choice(self, moves: tuple[int, int], here: int, there: int, cost: int, options: dict[int, int]) -> Choice:
        left = {target: int(self.left[target]) for target in options}
        kept = sum(each != FAR for each in left.values())
        before = int(self.left[here])
        best = sum(each != FAR and options[target] + each == before for target, each in left.items())
        if before == FAR:
            kind = "lost"
        elif left[there] == FAR:
            kind = "loses"
        elif cost + left[there] > before:
            kind = "detour"
        else:
            kind = "only" if kept == 1 else "best" if best == 1 else "branch"
        return Choice(*moves, kind, len(options), kept, best)

    def _options(self, at: int) -> dict[int, int]:
        """The states after a step with a cost from any state that free moves reach, each with the least cost.

        Empty if they reach more than `MOST_FREE` states.
        """
        if at not in self._targets:
            options: dict[int, int] = {}
            seen, waiting = {at}, [at]
            while waiting and len(seen) <= MOST_FREE:
                here = waiting.pop()
                for edge in range(int(self._graph.forth.first[here]), int(self._graph.forth.first[here + 1])):
                    there, cost = int(self._graph.forth.other[edge]), self._cost(edge)
                    if cost and there != here:
                        options[there] = min(cost, options.get(there, cost))
                    elif not cost and there not in seen:
                        seen.add(there)
                        waiting.append(there)
            self._targets[at] = options if len(seen) <= MOST_FREE else {}
        return self._targets[at]

    def _cost(self, edge: int) -> int:
        return int(self._price[self._graph.forth.action[edge]])

    def around(self, moves: Sequence[str]) -> list[tuple[str, int | None, int]]:
        """The moves from the position to which moves lead, each with the least cost to the goal after it, and the
        state that it leads to.

        None: that position is lost. Raises Refuted.
        """
        known = {}
        for name, target, _ in self._steps(self.number(moves)):
            left = int(self.left[target])
            known[name] = (name, None if left == FAR else left, target)
        return sorted(known.values(), key=lambda each: (each[1] is None, each[1] or 0))

    def __len__(self) -> int:
        return len(self._graph)

    def _steps(self, at: int) -> list[tuple[str, int, int]]:
        """The moves from a state: name, next state, cost."""
        forth = self._graph.forth
        found = []
        for edge in range(int(forth.first[at]), int(forth.first[at + 1])):
            target, action = int(forth.other[edge]), int(forth.action[edge])
            (name,) = self._encoded.moves(self._graph.trace([at, target], [action]))
            found.append((name, target, int(self._price[action])))
        return found

    def _way(self, at: int) -> list[str]:
        """The fewest moves on a cheapest way to the goal, up to one with a positive cost, or to the goal."""
        came: dict[int, tuple[int, str]] = {}
        waiting = deque([at])
        goal = self._encoded.model.goal
        last = None
        while waiting and last is None:
            state = waiting.popleft()
            if self.left[state] == 0 and self._graph.layout.holds(goal, self._graph.rows[state : state + 1])[0]:
                last = state
                break
            for name, target, price in self._steps(state):
                if target != at and target not in came and int(self.left[target]) + price == self.left[state]:
                    came[target] = state, name
                    waiting.append(target)
                    if price:
                        last = target
                        break
        way: list[str] = []
        while last is not None and last != at:
            last, name = came[last]
            way.append(name)
        return way[::-1]


_map: Map | None = None  # of this process
_dead: tuple[str, Encoded, DeadStates] | None = None  # of this process, with the level's id


def survey(entry: Entry, limits: Limits) -> int:
    """Make the map of a level; returns its number of states, or 0 at a limit."""
    global _map
    puzzle = entry.puzzle
    try:
        encoded = puzzle.encode_faithfully(entry.level)
    except Unsuitable:  # chance draws in the level
        return 0
    graph = explore(encoded.model, Budget(limits))
    if graph.reason is not None or graph.initial != 1:
        return 0
    _map = Map(encoded, puzzle.metrics[0], graph)
    return len(graph)


def look_up(moves: Sequence[str], position: Hashable) -> Advice:
    """The results of the map about the position to which the moves lead. Raises Refuted."""
    assert _map is not None
    return _map.advice(moves, position)
