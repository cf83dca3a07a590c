"""At which cells of a picture the facts of a level are seen.

An encoding says so for its atoms about places. A puzzle of one's own has a picture: if in many states a shape is
seen exactly where a fact holds, or exactly where it does not, then the fact is in the cell of that shape.
"""

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from math import floor

from puzzlemc.encodings.puzzle.encoded import Encoded, Place
from puzzlemc.mc.invariants.sums import Key, key_of
from puzzlemc.mc.model.formula import State, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.passes.translation import Translation
from puzzlemc.reports.formats.drawing import extent
from puzzlemc.screens.base.picture import Picture, Shape

STATES = 400  # that are compared
TRIED = 200  # actions, at random, before a walk begins again


def places_of(
    made: Translation, kinds: Sequence[int], encoded: Encoded, picture: Callable[[Hashable], Picture]
) -> dict[Key, Place]:
    """The cell of each fact that is seen in one cell, by the kind of its variable and its value."""
    return {**_by_picture(made, kinds, encoded, picture), **_by_atoms(made, kinds, encoded)}


def _by_atoms(made: Translation, kinds: Sequence[int], encoded: Encoded) -> dict[Key, Place]:
    """The places of bits that an atom about a place names."""
    place_of = {}
    for places in encoded.places.values():
        for place, name in places.items():
            cube = literals(encoded.model.atoms[name])
            if cube is not None and list(cube.values()) == [True]:
                place_of[next(iter(cube))] = place
    found = {}
    for variable, group in enumerate(made.groups):
        for value, code in enumerate(() if group is None else group.codes):
            bits = [made.bits[b] for k, b in enumerate(group.bits if group else ()) if code >> k & 1]
            if len(bits) == 1 and bits[0] in place_of:
                found[key_of(kinds, (variable, value))] = place_of[bits[0]]
    return found


def _by_picture(
    made: Translation, kinds: Sequence[int], encoded: Encoded, picture: Callable[[Hashable], Picture]
) -> dict[Key, Place]:
    """The places of facts that a walk at random sees come and go together with shapes."""
    seen_when: dict[Shape, int] = {}  # the states in which a shape is seen, as bits of a number
    holds_when: dict[tuple[int, int], int] = {}
    every = 0
    for number, state in enumerate(_walked(encoded.model)):
        every |= 1 << number
        for shape in set(picture(encoded.decode(state)).pieces):
            seen_when[shape] = seen_when.get(shape, 0) | 1 << number
        for fact in enumerate(made.values(state)):
            holds_when[fact] = holds_when.get(fact, 0) | 1 << number
    shapes: dict[int, list[Shape]] = {}
    for shape, when in seen_when.items():
        shapes.setdefault(when, []).append(shape)
    found: dict[Key, set[Place]] = {}
    for fact, when in holds_when.items():
        for shape in shapes.get(when, shapes.get(every ^ when, [])):
            left, top, right, bottom = extent(shape)
            place = floor((top + bottom) / 2), floor((left + right) / 2)
            found.setdefault(key_of(kinds, fact), set()).add(place)
    return {key: next(iter(places)) for key, places in found.items() if len(places) == 1}


def _walked(model: Model) -> Iterator[State]:
    """States of walks at random, which begin again in a state without actions."""
    rng = random.Random(1)
    state = start = initial_state(model)
    for _ in range(STATES):
        yield state
        action = next((a for a in rng.choices(model.actions, k=TRIED) if a.enabled(state)), None)
        if action is None:
            action = next((a for a in model.actions if a.enabled(state)), None)
        state = start if action is None else action.fire(state)
