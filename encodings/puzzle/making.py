"""How a puzzle makes levels in numbers: what is asked for, and what comes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from puzzlemc.mc.limits import Budget


@dataclass(frozen=True)
class Wish:
    """Which levels are to be made.

    width, height  with the walls
    least          of the cost of a solution; of an unsolvable level, of what can be played from its start
    unique         with one shortest solution, as the puzzle counts them
    measured       tell all that it can be measured by
    """

    width: int
    height: int
    boxes: int
    least: int = 1
    seed: int = 0
    unique: bool = False
    unsolvable: bool = False
    measured: bool = False


@dataclass(frozen=True)
class Candidate:
    """A level that was made.

    key   the same text for levels of which one is enough
    cost  the least cost of a solution under the puzzle's own metric, None where there is none
    told  what it is measured by, for programs
    """

    level: Any
    key: str
    cost: int | None
    told: Mapping[str, object]


@dataclass(frozen=True)
class Maker:
    """How levels are made in numbers, each with a cost that an engine can confirm.

    size    width and height, and boxes, where none are asked for
    check   raises ModelError where there are no such levels
    draw    the level of a number, None where what was drawn is no good: the same for the same wish and number.
            Raises LimitReached
    titled  a level as text, with a title
    """

    size: tuple[int, int]
    boxes: int
    check: Callable[[Wish], None]
    draw: Callable[[Wish, int, Budget], Candidate | None]
    titled: Callable[[Any, str], str]
