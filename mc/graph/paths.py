"""Cheapest and shortest paths in state graphs. Compiled: see `mc/words.py`.

In these functions an edge has a number, and so has a state. A cost of 32 bits is FAR for states that no path
reaches.
"""

from typing import TypeAlias

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Index, Ints, Ints2, Numbers, Numbers2

    FAR = (1 << 31) - 1  # the distance of a state that is not reached

Indices: TypeAlias = npt.NDArray[np.int32]
Truths: TypeAlias = npt.NDArray[np.bool_]


class Adjacency:
    """Edges grouped by the state at one end: those of state s are from `first[s]` to before `first[s + 1]`.

    first   (states + 1,)
    other   (edges,): the state at the other end
    action  (edges,): the number of the action
    """

    first: Numbers
    other: Ints
    action: Ints

    def __init__(self, first: npt.NDArray[np.int64], other: Indices, action: Indices) -> None:
        self.first, self.other, self.action = view(first), view(other), view(action)


class Plans:
    """All plans of least cost, and their paid steps. See `paid_steps`.

    step_cost    (actions,): the cost of each action
    gone, left   (states,): the least cost from the initial states, and to the goal
    best         the cost of the plans
    initial      the number of initial states, which come first
    number       (states,): the place of each state in `entries`, -1 if it is not there
    entries      (states,): the initial states, and the states right after paid steps; `entry_count` of them
    steps        (capacity, 3): place in `entries`, action, place in `entries` of each step. `step_count` counts
                 also the steps beyond the capacity
    seen, queue  (states,): scratch
    """

    step_cost: Ints
    gone: Ints
    left: Ints
    best: Index
    initial: Index
    number: Ints
    entries: Ints
    entry_count: Index
    steps: Numbers2
    step_count: Index  # readonly
    seen: Ints
    queue: Ints

    def __init__(
        self, step_cost: Indices, gone: Indices, left: Indices, best: int, initial: int, capacity: int
    ) -> None:
        """Plans without steps, and room for `capacity` steps."""
        states = len(gone)
        self.step_cost, self.gone, self.left = view(step_cost), view(gone), view(left)
        self.best, self.initial = best, initial
        self.number, self.entries = view(np.full(states, -1, np.int32)), view(np.zeros(states, np.int32))
        self.steps = view(np.zeros((capacity, 3), np.int64))
        self.entry_count = self.step_count = 0
        self.seen, self.queue = view(np.full(states, -1, np.int32)), view(np.zeros(states, np.int32))

    @property
    def found(self) -> tuple[Indices, npt.NDArray[np.int64]]:
        """The entries, and the steps within the capacity."""
        return np.asarray(self.entries)[: self.entry_count], np.asarray(self.steps)[: self.step_count]


# Called from Python


def distances(edges: Adjacency, step_cost: Indices, starts: Indices) -> Indices:
    """The least cost of each state from the starts, FAR for unreachable states.

    `step_cost` is the cost of each action. Dijkstra's algorithm (1959) with buckets (Dial 1969).
    """
    states = edges.first.shape[0] - 1
    distance = np.full(states, FAR, np.int32)
    costs = view(step_cost)
    bucket = np.full(_largest(costs) + 1, -1, np.int32)
    _distances(edges, costs, view(starts), view(distance), view(np.zeros((2, states), np.int32)), view(bucket))
    return distance


def cheapest_path(
    back: Adjacency, step_cost: Indices, distance: Indices, initial: int, lasts: Indices
) -> tuple[int, npt.NDArray[np.int64]]:
    """Find a path with the fewest edges among the cheapest, from one of the first `initial` states to one of
    `lasts`.

    `back` are the edges by target, `distance` the least costs from the initial states. Returns the first state of
    the path, and for each state on it the number of the edge to its successor, negative for `lasts`.
    """
    by = np.full(len(distance), -1, np.int64)
    queue = view(np.zeros(len(distance), np.int32))
    start = _cheapest_path(back, view(step_cost), view(distance), initial, view(lasts), view(by), queue)
    return start, by


def paid_steps(edges: Adjacency, plans: Plans) -> None:  # interpreted
    """Find the paid steps (edges with a cost) of all plans. Free edges between them are contracted.

    A step may be found more than once. Steps beyond the capacity are counted but not written.
    """
    _paid_steps(edges, plans)


def shortest_path(edges: Adjacency, start: int, within: Truths, to: Truths) -> list[int]:
    """The states of a shortest path from a state through `within` to a state of `to`; empty without a path."""
    came = np.full(len(within), -1, np.int32)
    queue = np.zeros(len(within), np.int32)
    last = _shortest_path(
        edges, start, view(within.view(np.uint8)), view(to.view(np.uint8)), view(came), view(queue)
    )
    if last < 0:
        return []
    states = [last]
    while last != start:
        last = int(came[last])
        states.append(last)
    return states[::-1]


def turn(edges: Adjacency, back: Adjacency) -> None:  # public
    """Write the same edges, grouped by the other end, to `back` (counting sort). `back.first` must be zero."""
    states: Index = edges.first.shape[0] - 1
    e: Index
    s: Index
    for e in range(edges.other.shape[0]):
        back.first[edges.other[e] + 1] += 1
    for s in range(states):
        back.first[s + 1] += back.first[s]
    for s in range(states):
        for e in range(edges.first[s], edges.first[s + 1]):
            t: Index = edges.other[e]
            at: Index = back.first[t]
            back.other[at] = s
            back.action[at] = edges.action[e]
            back.first[t] = at + 1
    for s in range(states, 0, -1):
        back.first[s] = back.first[s - 1]
    back.first[0] = 0


# Least costs


def _largest(numbers: Ints) -> Index:
    """The largest of the numbers, 0 if all are negative."""
    largest: Index = 0
    i: Index
    for i in range(numbers.shape[0]):
        if numbers[i] > largest:
            largest = numbers[i]
    return largest


def _insert(links: Ints2, bucket: Ints, place: Index, s: Index) -> None:
    """Insert a state at the front of a bucket."""
    front: Index = bucket[place]
    links[0, s] = front
    links[1, s] = -1
    if front >= 0:
        links[1, front] = s
    bucket[place] = s


def _remove(links: Ints2, bucket: Ints, place: Index, s: Index) -> None:
    """Remove a state from its bucket."""
    following: Index = links[0, s]
    before: Index = links[1, s]
    if before >= 0:
        links[0, before] = following
    else:
        bucket[place] = following
    if following >= 0:
        links[1, following] = before


def _distances(
    edges: Adjacency, step_cost: Ints, starts: Ints, distance: Ints, links: Ints2, bucket: Ints
) -> None:
    """Write the least costs from `starts` to `distance`, which must be FAR.

    `bucket` is the first state by cost, modulo its length, -1 if there is none. `links` (2, states) has the next
    and the previous state of the bucket of each state.
    """
    size: Index = bucket.shape[0]
    queued: Index = 0
    cost: Index = 0
    i: Index
    e: Index
    s: Index
    for i in range(starts.shape[0]):
        s = starts[i]
        if distance[s] != 0:
            distance[s] = 0
            _insert(links, bucket, 0, s)
            queued += 1
    while queued:
        here: Index = cost % size
        while bucket[here] >= 0:
            s = bucket[here]
            _remove(links, bucket, here, s)
            queued -= 1
            for e in range(edges.first[s], edges.first[s + 1]):
                t: Index = edges.other[e]
                new: Index = cost + step_cost[edges.action[e]]
                if new >= distance[t]:
                    continue
                if distance[t] != FAR:
                    _remove(links, bucket, distance[t] % size, t)
                else:
                    queued += 1
                distance[t] = new
                _insert(links, bucket, new % size, t)
        cost += 1


# Single paths


def _cheapest_path(
    back: Adjacency, step_cost: Ints, distance: Ints, initial: Index, lasts: Ints, by: Numbers, queue: Ints
) -> Index:
    """The first state of the path of `cheapest_path`, -1 if there is none.

    Backward breadth-first search over the edges on cheapest paths. `by` must be -1. It receives for each visited
    state the edge to its successor on the path, -2 for `lasts`. `queue` (states,) is scratch.
    """
    count: Index = 0
    place: Index = 0
    i: Index
    e: Index
    for i in range(lasts.shape[0]):
        by[lasts[i]] = -2
        queue[count] = lasts[i]
        count += 1
    while place < count:
        t: Index = queue[place]
        place += 1
        paid: Index = distance[t]
        if t < initial and paid == 0:
            return t
        for e in range(back.first[t], back.first[t + 1]):
            s: Index = back.other[e]
            before: Index = distance[s]
            if by[s] == -1 and before != FAR and before + step_cost[back.action[e]] == paid:
                by[s] = e
                queue[count] = s
                count += 1
    return -1


def _shortest_path(edges: Adjacency, start: Index, within: Bytes, to: Bytes, came: Ints, queue: Ints) -> Index:
    """Breadth-first search from a state through `within`. Returns the first state of `to` that it finds, else -1.

    `came` must be -1. It receives the predecessor of each visited state, for the start the start itself. `queue`
    (states,) is scratch.
    """
    queue[0] = start
    came[start] = start
    place: Index = 0
    count: Index = 1
    e: Index
    while place < count:
        s: Index = queue[place]
        place += 1
        if to[s]:
            return s
        if within[s]:
            for e in range(edges.first[s], edges.first[s + 1]):
                t: Index = edges.other[e]
                if came[t] < 0:
                    came[t] = s
                    queue[count] = t
                    count += 1
    return -1


# All plans


def _enter(plans: Plans, s: Index) -> Index:
    """The place of a state in the entries; a new one if it is not there."""
    if plans.number[s] < 0:
        plans.number[s] = plans.entry_count
        plans.entries[plans.entry_count] = s
        plans.entry_count += 1
    return plans.number[s]


def _paid_steps(edges: Adjacency, plans: Plans) -> None:
    """Write the entries and the paid steps of all plans: breadth-first search by free edges from each entry."""
    s: Index
    e: Index
    for s in range(plans.initial):
        if plans.left[s] == plans.best:
            _enter(plans, s)
    entry: Index = 0
    while entry < plans.entry_count:
        s = plans.entries[entry]
        plans.queue[0] = s
        plans.seen[s] = entry
        size: Index = 1
        place: Index = 0
        while place < size:
            s = plans.queue[place]
            place += 1
            paid: Index = plans.gone[s]
            for e in range(edges.first[s], edges.first[s + 1]):
                t: Index = edges.other[e]
                cost: Index = plans.step_cost[edges.action[e]]
                rest: Index = plans.left[t]
                if rest == FAR or paid + cost + rest != plans.best:
                    continue
                if cost == 0:
                    if plans.seen[t] != entry:
                        plans.seen[t] = entry
                        plans.queue[size] = t
                        size += 1
                    continue
                to: Index = _enter(plans, t)
                if plans.step_count < plans.steps.shape[0]:
                    plans.steps[plans.step_count, 0] = entry
                    plans.steps[plans.step_count, 1] = edges.action[e]
                    plans.steps[plans.step_count, 2] = to
                plans.step_count += 1
        entry += 1
