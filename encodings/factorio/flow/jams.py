"""Random runs after which a place stays empty for ever: they refute claims about a layout without a full search.

A run puts items in at random, and moves each as far as it goes. The places that items can reach after the run are
over-approximated by a delete relaxation: an item that can come to a place is there when it is needed, and a slot
that can become free is free when it is needed. A place that no item reaches even so stays empty. This refutes
claims; it proves none.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from puzzlemc.encodings.factorio.flow.carrying import ON, Held, Place
from puzzlemc.screens.factorio import Cell

MOST_STEPS = 10_000  # of a run
LEAST_STEPS = 1_000  # added to the length of each run, for the work after it
ALL_STEPS = 100_000  # limit for all runs together


@dataclass(frozen=True)
class Step:
    """A move: the places that it empties, and the place that it fills."""

    name: str
    takes: tuple[Place, ...]
    gives: Place | None


def slot(place: Place) -> Cell | Place:
    """The slot of a place: all places on one piece share a slot, because a piece holds one item."""
    return place.cell if place.kind == ON else place


def after(held: Held, step: Step) -> Held:
    """The items after a step."""
    return held - frozenset(step.takes) | ({step.gives} if step.gives is not None else frozenset())


def future(steps: Iterable[Step], held: Held) -> set[Place]:
    """A superset of the places that items can reach from a state."""
    come, full = set(held), {slot(place) for place in held}
    waiting = list(steps)
    while True:
        later = []
        for step in waiting:
            if come.issuperset(step.takes) and (step.gives is None or slot(step.gives) not in full):
                full -= {slot(place) for place in step.takes}
                if step.gives is not None:
                    come.add(step.gives)
            else:
                later.append(step)
        if len(later) == len(waiting):
            return come
        waiting = later


def random_runs(steps: Sequence[Step]) -> Iterator[tuple[list[Step], Held, bool]]:
    """Random runs from the empty state, with a fixed seed; each with its last state, and whether that is stuck."""
    chance = Random(0)
    taking: dict[Place, list[Step]] = defaultdict(list)
    for step in steps:
        for place in step.takes:
            taking[place].append(step)
    spent = 0
    while spent < ALL_STEPS:
        held: set[Place] = set()
        full: set[Cell | Place] = set()
        run: list[Step] = []
        pushed: list[Step] = []  # the steps of the item that has just moved
        way: set[Place] = set()  # the places where it has been
        while len(run) < MOST_STEPS:
            enabled = [step for step in _enabled(pushed, held, full) if step.gives not in way]
            if not enabled:
                way.clear()
                enabled = _enabled(steps, held, full)
            if not enabled:
                break
            step = chance.choice(enabled)
            held.difference_update(step.takes)
            full -= {slot(place) for place in step.takes}
            pushed = []
            if step.gives is not None:
                held.add(step.gives)
                full.add(slot(step.gives))
                way.add(step.gives)
                pushed = taking[step.gives]
            run.append(step)
        spent += len(run) + LEAST_STEPS
        yield run, frozenset(held), len(run) < MOST_STEPS


def _enabled(steps: Iterable[Step], held: set[Place], full: Container[Cell | Place]) -> list[Step]:
    """The steps that are enabled."""
    return [
        step
        for step in steps
        if held.issuperset(step.takes) and (step.gives is None or slot(step.gives) not in full)
    ]


def shortened(steps: Sequence[Step], run: Sequence[Step], place: Place) -> Sequence[Step]:
    """The shortest prefix of a run after which no item can reach a place."""
    empty: Held = frozenset()
    states = list(accumulate(run, after, initial=empty))
    return run[: bisect_left(states, True, key=lambda held: place not in future(steps, held))]
