"""What engines share: limits that become verdicts, rooms that grow, evidence from sets."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from puzzlemc.mc.deadness import Dead
from puzzlemc.mc.diagrams import diagram_class
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.formula import State, holds
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Action, Model
from puzzlemc.mc.search import Search
from puzzlemc.mc.verdict import Statistics, Trace, Unknown, Verdict

T = TypeVar("T")


def within_limits(watch: Watch, attempt: Callable[[], Verdict]) -> Verdict:
    """The verdict of `attempt`, *unknown* where it reaches a limit."""
    try:
        return attempt()
    except LimitReached as limit:
        return Unknown(limit.reason, watch.bound)
    except MemoryError:
        return Unknown("memory", watch.bound)


def in_growing_rooms(diagrams: str, watch: Watch, attempt: Callable[[int], Verdict]) -> Verdict:
    """The verdict of `attempt`, given room for ever more nodes until it is enough or a limit is reached."""
    return within_limits(watch, lambda: in_rooms(diagrams, watch, attempt))


def in_rooms(diagrams: str, watch: Watch, attempt: Callable[[int], T]) -> T:
    """What `attempt` gives, with room for ever more nodes until it is enough. Raises LimitReached."""
    cls = diagram_class(diagrams)
    for capacity in cls.capacities(watch.limits):
        try:
            return attempt(capacity)
        except LimitReached as limit:
            if limit.reason == "timeout":
                raise
        except Exception as error:
            if not cls.ran_out(error):
                raise
    raise LimitReached("memory")


def run_to_goal(model: Model, states: Sequence[State], actions: Sequence[Action]) -> Trace:
    """The trace of a run, cut off at its first goal state: free actions behind it serve nothing."""
    last = next(number for number, state in enumerate(states) if holds(model.goal, state))
    return Trace(tuple(states[: last + 1]), tuple(actions[:last]))


def statistics(found: Search[Any]) -> Statistics:
    """Layers and nodes of a search, and the exact number of states that it visited.

    A set of states that it starts from is given as a formula, however large: these it has not visited.
    """
    system = found.system
    states = None
    if system.arcs:
        states, starts = system.count(found.reached), system.count(system.start.states)
        states -= starts if starts > 1 else 0
    return Statistics(len(found.layers), states, system.diagrams.tidy())


def is_possible(model: Model, state: State) -> bool:
    """Do the conserved counts hold, and is the location on none of the objects? Every action keeps it so."""
    hints = model.hints
    for formulas, total in hints.conserved:
        if sum(holds(formula, state) for formula in formulas) != total:
            return False
    if hints.location is None or not hints.objects:
        return True
    here = hints.location.read(state)
    return not any(b in state for b, value in hints.objects.items() if value == here)


def reached_or_dead(model: Model, found: Search[Any], dead: Dead[Any] | None) -> Callable[[State], bool]:
    """The invariant of a forward search that met no goal."""

    def invariant(state: State) -> bool:
        if not is_possible(model, state):
            return False
        return found.system.contains(found.reached, state) or (dead is not None and dead.covers(state))

    return invariant


def never_reaches(model: Model, found: Search[Any]) -> Callable[[State], bool]:
    """The invariant of a backward search that met no initial state."""
    return lambda state: is_possible(model, state) and not found.system.contains(found.reached, state)
