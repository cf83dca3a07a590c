"""Sets of states of a graph: neighbours, the operators of temporal logic, attractors. Compiled: see `mc/words.py`.

A set is an array with a truth value for each state.
"""

from typing import TypeAlias

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.graph.paths import Adjacency
    from puzzlemc.mc.words import Bytes, Index, Ints, Numbers, Numbers2

    NO_SIDE = 255  # nobody wins: -1 of 8 bits

Indices: TypeAlias = npt.NDArray[np.int32]
Truths: TypeAlias = npt.NDArray[np.bool_]
Sides: TypeAlias = npt.NDArray[np.int8]


# Called from Python


def leaving(edges: Adjacency, chosen: Truths) -> npt.NDArray[np.int64]:
    """The edges from chosen states to others, shape (edges, 2): state and edge."""
    states = view(chosen.view(np.uint8))
    found = np.zeros((_leaving(edges, states, view(np.zeros((0, 2), np.int64))), 2), np.int64)
    _leaving(edges, states, view(found))
    return found


def neighbours(edges: Adjacency, chosen: Truths) -> Truths:
    """The states at the other end of an edge of a chosen state."""
    found = np.zeros(len(chosen), np.bool_)
    _mark_neighbours(edges, view(np.flatnonzero(chosen)), view(found.view(np.uint8)))
    return found


def until(back: Adjacency, within: Truths, to: Truths) -> Truths:
    """The states from which a path through `within` leads to `to`. `back` are the edges by target."""
    found, stack = to.copy(), np.zeros(len(to), np.int32)
    first = np.flatnonzero(to)
    stack[: len(first)] = first
    _until(back, view(within.view(np.uint8)), view(found.view(np.uint8)), view(stack), len(first))
    return found


def always(forth: Adjacency, back: Adjacency, within: Truths) -> Truths:
    """The states from which an infinite path stays in `within`. A state without edges is a loop."""
    states = len(within)
    found, left, stack = within.copy(), np.zeros(states, np.int32), np.zeros(states, np.int32)
    _always(forth, back, view(found.view(np.uint8)), view(left), view(stack))
    return found


def attract(forth: Adjacency, back: Adjacency, turn: Sides, won: Sides) -> tuple[Sides, Indices]:
    """Compute who wins from each state of a game, and in how many turns: the attractors of both sides at once.

    `won` is the winning side of the terminal states that are won, -1 elsewhere. `turn` is the side to move in each
    state. No edge may leave a terminal state. Returns the winner and the number of turns of each state, both -1
    for draws. Backward breadth-first search, which counts for each state the edges that do not lose yet, in time
    linear in the edges (Thompson 1986; Grädel, Thomas, Wilke 2002, chapter 2).
    """
    states = len(won)
    winner, turns = won.copy(), np.where(won < 0, -1, 0).astype(np.int32)
    left, queue = view(np.zeros(states, np.int64)), view(np.zeros(states, np.int32))
    _attract(forth, back, view(turn.view(np.uint8)), view(winner.view(np.uint8)), view(turns), left, queue)
    return winner, turns


# Compiled


def _leaving(edges: Adjacency, chosen: Bytes, found: Numbers2) -> Index:
    """Write the edges from chosen states to others to `found` while there is room; return how many there are."""
    count: Index = 0
    s: Index
    e: Index
    for s in range(chosen.shape[0]):
        if chosen[s]:
            for e in range(edges.first[s], edges.first[s + 1]):
                if not chosen[edges.other[e]]:
                    if count < found.shape[0]:
                        found[count, 0] = s
                        found[count, 1] = e
                    count += 1
    return count


def _mark_neighbours(edges: Adjacency, chosen: Numbers, found: Bytes) -> None:
    """Set `found` for each state at the other end of an edge of a state in the list `chosen`."""
    first = edges.first
    other = edges.other
    i: Index
    e: Index
    for i in range(chosen.shape[0]):
        for e in range(first[chosen[i]], first[chosen[i] + 1]):
            found[other[e]] = 1


def _until(back: Adjacency, within: Bytes, found: Bytes, stack: Ints, count: Index) -> None:
    """Add to `found` the states from which a path through `within` leads into `found`.

    `stack` (states,) has the states of `found` at first; `count` is their number.
    """
    first = back.first
    other = back.other
    s: Index
    e: Index
    while count:
        count -= 1
        t: Index = stack[count]
        for e in range(first[t], first[t + 1]):
            s = other[e]
            if within[s] and not found[s]:
                found[s] = 1
                stack[count] = s
                count += 1


def _always(forth: Adjacency, back: Adjacency, found: Bytes, left: Ints, stack: Ints) -> None:
    """Remove from `found` the states from which no infinite path stays in it.

    `left`, which must be 0, counts the edges of each state of `found` that lead into it. `stack` is scratch.
    """
    first = forth.first
    count: Index = 0
    s: Index
    e: Index
    for s in range(found.shape[0]):
        if found[s]:
            for e in range(first[s], first[s + 1]):
                left[s] += found[forth.other[e]]
    for s in range(found.shape[0]):
        if found[s] and left[s] == 0 and first[s] < first[s + 1]:
            found[s] = 0
            stack[count] = s
            count += 1
    while count:
        count -= 1
        t: Index = stack[count]
        for e in range(back.first[t], back.first[t + 1]):
            s = back.other[e]
            if found[s]:
                left[s] -= 1
                if left[s] == 0:
                    found[s] = 0
                    stack[count] = s
                    count += 1


def _attract(
    forth: Adjacency, back: Adjacency, turn: Bytes, winner: Bytes, turns: Ints, left: Numbers, queue: Ints
) -> None:
    """Extend `winner`, NO_SIDE where unknown, and `turns` from the terminal states. The last two are scratch."""
    states: Index = winner.shape[0]
    count: Index = 0
    place: Index = 0
    s: Index
    e: Index
    for s in range(states):
        left[s] = forth.first[s + 1] - forth.first[s]
        if winner[s] != NO_SIDE:
            queue[count] = s
            count += 1
    while place < count:
        t: Index = queue[place]
        place += 1
        for e in range(back.first[t], back.first[t + 1]):
            s = back.other[e]
            if winner[s] != NO_SIDE:
                continue
            left[s] -= 1
            if turn[s] == winner[t] or left[s] == 0:
                winner[s] = winner[t]
                turns[s] = turns[t] + 1
                queue[count] = s
                count += 1
