"""Runs after which some place stays empty for ever: layouts that jam are refuted by example, without all states.

Items are put in at random, each pushed on as far as it goes. What can still happen after a run is overestimated:
any item that can ever be at a place may be there when it is needed, and any slot that can ever be free is free
when it is needed. A place to which no item comes even so stays empty. This refutes claims, and proves none.
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
LEAST_STEPS = 1_000  # that a run is counted as, beside its own: what is looked at after it
ALL_STEPS = 100_000  # of all runs together


@dataclass(frozen=True)
class Step:
    """A move as items see it: the places that it empties, and the one that it fills."""

    name: str
    takes: tuple[Place, ...]
    gives: Place | None


def slot(place: Place) -> Cell | Place:
    """What a place shares with other places: a piece has room for one item."""
    return place.cell if place.kind == ON else place


def after(held: Held, step: Step) -> Held:
    """The items after a step."""
    return held - frozenset(step.takes) | ({step.gives} if step.gives is not None else frozenset())


def future(steps: Iterable[Step], held: Held) -> set[Place]:
    """At least the places at which items are or can come to be, from some items on."""
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
    """Random runs from no items at all, always the same ones; the items at the end, and whether none can move."""
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
        pushed: list[Step] = []  # what can be done next with the item that has just moved
        way: set[Place] = set()  # where it has been
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
    """The steps whose items are there, and for which there is room."""
    return [
        step
        for step in steps
        if held.issuperset(step.takes) and (step.gives is None or slot(step.gives) not in full)
    ]


def shortened(steps: Sequence[Step], run: Sequence[Step], place: Place) -> Sequence[Step]:
    """The first part of a run, as short as can be, after which no item can come to a place."""
    empty: Held = frozenset()
    states = list(accumulate(run, after, initial=empty))
    return run[: bisect_left(states, True, key=lambda held: place not in future(steps, held))]
