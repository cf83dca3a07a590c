"""The capability to be asked about positions by a game outside: texts that the game makes from its own cells."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Placed:
    """Keys that consist of numbers of places: the location of the compact model, then its objects, rising.

    number  of a level and a value of the location
    board   the number of places of a level: each number is below it
    blocks  sets of places of a level: if each holds an object, none of these ever moves, and the level is lost
    """

    number: Callable[[Any, Any], int]
    board: Callable[[Any], int]
    blocks: Callable[[Any], Iterable[Collection[Any]]]


@dataclass(frozen=True)
class Keys:
    """How positions of a level are written for a game.

    of      of a level and a position: a text, another one for each position
    placed  None: keys are no numbers of places
    """

    of: Callable[[Any, Any], str]
    placed: Placed | None = None
