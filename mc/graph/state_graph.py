"""The state graph of a model: every reachable state and every action between them, as arrays.

Nothing is pruned. Breadth-first search numbers the states in the order of discovery, so the initial ones come
first. Actions with literal guards and constant updates run in compiled code, as do the steps of a step system; the
others by numpy, on columns of bits.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeAlias

import numpy as np

from puzzlemc.mc.errors import LIMITS, LimitReached, words_of
from puzzlemc.mc.graph.numbering import Actions, NumberedStates, Successors, expand, insert
from puzzlemc.mc.graph.paths import Adjacency, turn
from puzzlemc.mc.graph.positions import PositionModel
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Formula, State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.packed.actions import Steps, Table, packed_initial_states
from puzzlemc.mc.packed.layout import Layout, Numbers, PackedStates, Shorts, Truths
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.words import view

Indices = Shorts
Offsets = Numbers
# From packed states to their successors: packed states, places of predecessors, numbers of actions.
Expand: TypeAlias = Callable[[PackedStates], tuple[PackedStates, Numbers, Numbers]]

CHUNK_BYTES = 1 << 22  # size of a chunk of successors
LEAST_ROWS = 1 << 11  # states that actions by numpy take at once, so that calls of numpy do not count
# An estimate of the memory of an analysis: offsets, distances, marks; the edges in both directions.
BYTES_PER_STATE, BYTES_PER_EDGE = 48, 16
POSITIONS = 1 << 10  # positions of plain rules that are taken at once
MOST_LOCATIONS = 1 << 10  # location codes for which states are looked up by location


@dataclass(frozen=True)
class Edges:
    """Edges grouped by the state at one end: those of state s are from `first[s]` to before `first[s + 1]`.

    other    (edges,): the state at the other end
    action   (edges,): the number of the action in `model.actions`
    """

    first: Offsets
    other: Indices
    action: Indices

    def at(self, number: int) -> slice:
        """The slice of the edges of a state."""
        return slice(int(self.first[number]), int(self.first[number + 1]))

    @property
    def adjacency(self) -> Adjacency:
        """The edges as arrays for compiled code."""
        return Adjacency(self.first, self.other, self.action)

    def turned(self) -> "Edges":
        """The edges, grouped by the state at the other end."""
        back = Edges(np.zeros_like(self.first), np.empty_like(self.other), np.empty_like(self.action))
        turn(self.adjacency, back.adjacency)
        return back


@dataclass(frozen=True)
class StateGraph:
    """All reachable states and all edges.

    rows     the packed states, shape (states, words)
    forth    the edges grouped by source
    rounds   the states at distance n, in actions, are those from `rounds[n]` to before `rounds[n + 1]`; round 0
             are the initial states
    reason   None if the graph is complete; else the limit that ended the search, such as `timeout`. Then the
             states of the last round have no edges
    met      the number of states found, including those of a round that a limit cut short
    """

    model: Model
    rows: PackedStates
    forth: Edges
    rounds: tuple[int, ...]
    reason: str | None = None
    met: int = 0

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def initial(self) -> int:
        """The number of initial states, which come first."""
        return self.rounds[1] if len(self.rounds) > 1 else 0

    @cached_property
    def layout(self) -> Layout:
        """The layout of the packed states."""
        return Layout(self.model)

    @cached_property
    def back(self) -> Edges:
        """The edges grouped by target."""
        return self.forth.turned()

    def state(self, number: int) -> State:
        """The state of that number as a set of bits."""
        return self.layout.read(self.rows[number])

    def trace(self, states: Sequence[int], actions: Sequence[int]) -> Trace:
        """The trace through the states of these numbers by the actions of these numbers."""
        return Trace(tuple(map(self.state, states)), tuple(self.model.actions[number] for number in actions))

    def holds(self, formula: Formula) -> Truths:
        """Does the formula hold in each state? Shape (states,)."""
        return self.layout.holds(formula, self.rows)

    @cached_property
    def stuck(self) -> Truths:
        """Is no action enabled in each state? False for the last round of an incomplete graph. Shape (states,)."""
        none: Truths = np.diff(self.forth.first) == 0
        if self.reason is not None:
            none[self.rounds[-2] :] = False
        return none


def explore(model: Model, budget: Budget, terminal: Sequence[Formula] = (), most: int | None = None) -> StateGraph:
    """The state graph of a model, incomplete if a limit ends the search, such as more than `most` states.

    States in which one of the formulas `terminal` holds get no edges. Raises ModelError if there are too many
    initial states to list.
    """
    layout = Layout(model)
    key = layout.key if layout.key < MOST_LOCATIONS else 0
    found = NumberedStates(layout.words, key)
    _add(found, packed_initial_states(layout, model.init))
    successors, chunk = _successors_of(layout, model, budget)
    rounds = [0, found.used]
    degrees, targets, actions = [np.zeros(1, np.int64)], [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
    edges, whole = 0, 1
    reason = None
    try:
        while rounds[-1] > rounds[-2]:
            for start in range(rounds[-2], rounds[-1], chunk):
                part = np.asarray(found.rows)[start : min(start + chunk, rounds[-1])]
                if terminal:
                    going = np.flatnonzero(~np.logical_or.reduce([layout.holds(end, part) for end in terminal]))
                    after, source, action = successors(part[going])
                    source = going[source]
                else:
                    after, source, action = successors(part)
                degrees.append(np.bincount(source, minlength=len(part)))
                del part  # the states move while nobody looks at them
                targets.append(_add(found, after))
                actions.append(action.astype(np.int32))
                edges += len(action)
                budget.check()
                if most is not None and found.used > most:
                    raise LimitReached("bound", f"more than {most} states")
                if found.bytes + BYTES_PER_STATE * found.used + BYTES_PER_EDGE * edges > budget.limits.memory:
                    raise LimitReached("memory")
            rounds.append(found.used)
            whole = len(degrees)
        rounds.pop()
    except LIMITS as limit:
        reason = words_of(limit)
    rows, met = np.asarray(found.rows)[: rounds[-1]], found.used
    del found  # frees memory before the arrays of edges are concatenated
    degrees, targets, actions = degrees[:whole], targets[:whole], actions[:whole]
    first = np.zeros(rounds[-1] + 1, np.int64)
    degree = np.concatenate(degrees)
    first[1 : len(degree)] = degree[1:]
    np.cumsum(first, out=first)
    forth = Edges(first, np.concatenate(targets), np.concatenate(actions))
    return StateGraph(model, rows, forth, tuple(rounds), reason, met)


def _add(found: NumberedStates, fresh: PackedStates) -> Indices:
    """Insert the states that are new; return the number of each state."""
    numbers = np.empty(len(fresh), np.int32)
    piece = max(1, CHUNK_BYTES // (4 * found.number.shape[1]))  # each state might have a rest of its own
    for start in range(0, len(fresh), piece):
        part = slice(start, start + piece)
        found.make_room(len(fresh[part]))
        insert(found, view(fresh[part]), view(numbers[part]))
    return numbers


def _successors_of(layout: Layout, model: Model, budget: Budget) -> tuple[Expand, int]:
    """The function that computes successors of packed states, and the number of states that it takes at once.

    Limits are checked between its calls, so their number of successors is bounded.
    """
    if isinstance(model, PositionModel):
        return partial(model.expand, budget=budget), POSITIONS
    if isinstance(model, StepSystem):
        return model.expand, _rows(layout, len(model.actions))
    plain = [number for number, action in enumerate(model.actions) if action.is_plain]
    others = sorted(set(range(len(model.actions))) - set(plain))
    table, steps = Table(layout, model, plain), Steps(layout, model, others)
    chunk = _rows(layout, table.mask.shape[1])
    if others:
        chunk = min(chunk, max(LEAST_ROWS, _rows(layout, len(others))))
    return partial(_successors, table, steps), chunk


def _rows(layout: Layout, room: int) -> int:
    """The number of states in a chunk if each has room for this many successors."""
    return max(1, CHUNK_BYTES // (8 * layout.words * max(1, room)))


def _successors(table: Table, steps: Steps, rows: PackedStates) -> tuple[PackedStates, Numbers, Numbers]:
    """The successors of the rows, in their order: packed states, places of predecessors, numbers of actions."""

    room = len(rows) * table.mask.shape[1]
    after = np.empty((room, rows.shape[1]), np.uint64)
    source, action = np.empty(room, np.int64), np.empty(room, np.int64)
    actions = Actions(table.mask, table.value, table.clear, table.set, table.action)
    count = expand(actions, view(rows), view(table.location(rows)), Successors(after, source, action))
    parts = [(after[:count], source[:count], action[:count]), *steps.successors(rows)]
    if len(parts) == 1:
        return parts[0]
    after, source, action = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(source, kind="stable")
    return after[order], source[order], action[order]
