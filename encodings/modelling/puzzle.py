"""A puzzle out of what its author writes: a system for each level, or the plain rules alone, and a reader."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any

from puzzlemc.encodings.modelling.evaluation import Evaluation, Position, transition
from puzzlemc.encodings.modelling.shown import SystemScreen
from puzzlemc.encodings.modelling.system import System
from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.display import Display
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.later import later
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.mc.errors import ModelError
from puzzlemc.screens.modelling.screen import Level, Reader

encoded: Callable[[Evaluation, Sequence[str]], Encoded] = later("puzzlemc.encodings.modelling.compilation:encoded")


def puzzle(
    name: str,
    system: Callable[[Any], System],
    levels: Reader,
    metrics: str | Sequence[str] = "moves",
    suffix: str = "",
) -> Puzzle:
    """A puzzle.

    name     on the command line
    system   a function that makes the system of a level from what the reader finds in its text. Its docstring says
             how to play
    levels   the reader: `grid(…)`, `numbers()`, `fields(…)` or `free(…)`
    metrics  what a solution may cost: one name or several, the first is the default
    suffix   of files with levels; if nothing else is said, the name behind a dot
    """
    if not callable(system):
        raise ModelError(f"puzzle {name}: found {system!r}, expected a function from a level to a System")
    if not hasattr(levels, "read"):
        raise ModelError(
            f"puzzle {name}: levels: found {levels!r}, expected grid(…), numbers(), fields(…) or free(…)"
        )
    named = (metrics,) if isinstance(metrics, str) else tuple(metrics)

    @wraps(system)
    def make(data: Any) -> Evaluation:
        found = system(data)
        if not isinstance(found, System):
            raise ModelError(f"found {found!r}, expected that the function returns a System")
        found.check(named)
        return Evaluation(found)

    def compact(level: Level) -> Encoded:
        """The model of a level."""
        return encoded(built(level), named)

    screen = SystemScreen((suffix or f".{name}",), levels, make)
    return Puzzle(
        name=name,
        screen=screen,
        metrics=named,
        encodings={"compact": compact},
        rules=transition(built, named),
        vocabulary=Vocabulary(atoms={"solved": "the goal holds"}),
        starting_at=starting_at,
        display=Display(moved=screen.moved),
        how_to_play=" ".join((system.__doc__ or "").split("\n\n")[0].split()),
    )


def built(level: Level) -> Evaluation:
    """The system of a level, with its plain rules."""
    found: Evaluation = level.made
    return found


def starting_at(level: Level, position: Position) -> Level:
    """The level with another start."""
    return replace(level, start=position, made=built(level).starting_at(position))
