"""Walks: actions that only change the location. Searches leave them out, and plans are completed by them.

A search that knows the regions of walks needs no walk as a step of its own. It finds a plan without walks;
afterwards the fewest walks that enable each action are inserted before it.
"""

from collections import deque
from collections.abc import Iterable

from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Bit, Cube, State, support
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace


def walks(model: Model) -> frozenset[int]:
    """The numbers of the actions that only change the location.

    Empty if they cannot be left out: if some action does not determine the location before and after it, or if the
    goal mentions the location.
    """
    location = model.hints.location
    if location is None:
        return frozenset()
    places = frozenset(location.bits)
    codes = frozenset(location.codes)
    if not places.isdisjoint(support([model.goal])):
        return frozenset()
    found = set()
    for number, action in enumerate(model.actions):
        cube = action.cube
        if cube is None or not places <= cube.keys() or _code(cube, location.bits) not in codes:
            return frozenset()
        after = {b: action.constants.get(b, cube[b]) for b in location.bits}
        if not places.isdisjoint(action.formulas) or _code(after, location.bits) not in codes:
            return frozenset()
        if action.update.keys() <= places:
            found.add(number)
    return frozenset(found)


def _code(cube: Cube, bits: tuple[Bit, ...]) -> tuple[bool, ...]:
    return tuple(cube[b] for b in bits)


def with_walks(model: Model, numbers: Iterable[int], actions: Iterable[Action], start: State) -> Trace:
    """The trace of a plan from a state, with the fewest of these walks before each action that make it enabled."""
    graph = _WalkGraph(model, numbers)
    states, taken = [start], list[Action]()
    for action in actions:
        for step in [*graph.path_to(action, states[-1]), action]:
            taken.append(step)
            states.append(step.fire(states[-1]))
    return Trace(tuple(states), tuple(taken))


class _WalkGraph:
    """Walks grouped by the location that they lead from; a location is the set of its true bits."""

    def __init__(self, model: Model, numbers: Iterable[int]) -> None:
        location = model.hints.location
        self._bits = frozenset(location.bits if location is not None else ())
        # Location -> (target, bits that must be true, bits that must be false, walk) of each walk from there.
        self._from: dict[State, list[tuple[State, State, State, Action]]] = {}
        for number in sorted(numbers):
            action = model.actions[number]
            cube = action.cube or {}
            held = frozenset(b for b, value in cube.items() if value)
            here = held & self._bits
            there = action.fire(here)
            self._from.setdefault(here, []).append(
                (there, held - here, frozenset(cube) - held - self._bits, action)
            )

    def path_to(self, action: Action, state: State) -> list[Action]:
        """The fewest walks from the state to the location that the guard of the action requires."""
        if not self._from:
            return []
        cube = action.cube or {}
        wanted = frozenset(b for b in self._bits if cube[b])
        here = state & self._bits
        came: dict[State, tuple[State, Action] | None] = {here: None}
        frontier = deque([here])
        while wanted not in came:
            at = frontier.popleft()
            for there, held, not_held, step in self._from.get(at, ()):
                if there not in came and held <= state and not_held.isdisjoint(state):
                    came[there] = at, step
                    frontier.append(there)
        path, last = list[Action](), came[wanted]
        while last is not None:
            path.append(last[1])
            last = came[last[0]]
        return path[::-1]
