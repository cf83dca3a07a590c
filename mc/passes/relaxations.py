"""Dead patterns: the part that symbolic search and search over packed states share.

A *pattern* is a few objects together with the location. It is *dead* if these objects alone cannot reach enough
targets (see `Relaxation`). A state that contains a dead pattern is dead.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import combinations

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.model.formula import Bit, Cube, State
from puzzlemc.mc.model.hints import Relaxation
from puzzlemc.mc.model.model import Model


def relaxed_objects(model: Model, *, kept: bool) -> Mapping[Bit, Hashable]:
    """The objects of the relaxations, as in `Hints.objects`; empty if no relaxation applies.

    `kept` is the value of `Model.keeps_objects`. Raises Unsuitable if the objects are not all the bits outside the
    location.
    """
    location, objects = model.hints.location, model.hints.objects
    if location is None or not kept or not model.hints.relaxations:
        return {}
    if set(objects) != set(model.bits).difference(location.bits):
        raise Unsuitable("the objects of a relaxation must be all the bits outside the location")
    return objects


def satisfying(relaxation: Relaxation, objects: Iterable[Bit]) -> list[State]:
    """The goal patterns of a relaxation: all sets of `keep` objects with at least `held` targets."""
    others = [b for b in objects if b not in relaxation.targets]
    return [
        frozenset(on + off)
        for held in range(relaxation.held, relaxation.keep + 1)
        for on in combinations(relaxation.targets, held)
        for off in combinations(others, relaxation.keep - held)
    ]


def placed(constants: Cube, objects: Mapping[Bit, Hashable]) -> list[Bit]:
    """The objects that an action with these constant updates places."""
    return [b for b, new in constants.items() if new and b in objects]


def patterns(state: State, objects: Iterable[Bit], sizes: Iterable[int]) -> Iterator[State]:
    """Yield each set of true objects of the state that has one of the given sizes."""

    held = [b for b in objects if b in state]
    for size in sizes:
        yield from map(frozenset, combinations(held, size))
