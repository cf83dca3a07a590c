"""A puzzle out of what its author writes: a system for each level, or the plain rules alone, and a reader."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any

from puzzlemc.encodings.modelling.alone import Rules, alone, plain_rules
from puzzlemc.encodings.modelling.boards import on_board
from puzzlemc.encodings.modelling.evaluation import Evaluation, Position, transition
from puzzlemc.encodings.modelling.shown import SystemScreen
from puzzlemc.encodings.modelling.system import System
from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.later import later
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.mc.errors import ModelError
from puzzlemc.screens.modelling.screen import Level, Reader, Shown, TextScreen

encoded: Callable[[Evaluation, Sequence[str]], Encoded] = later("puzzlemc.encodings.modelling.compilation:encoded")


def puzzle(
    name: str,
    system: Callable[[Any], System] | None = None,
    levels: Reader | None = None,
    metrics: str | Sequence[str] = "moves",
    suffix: str = "",
    *,
    rules: Rules | None = None,
    show: Callable[[Any, Any], Shown] | None = None,
) -> Puzzle:
    """A puzzle.

    name     on the command line
    system   a function that makes the system of a level from what the reader finds in its text. Its docstring says
             how to play
    levels   the reader: `grid(…)`, `numbers()`, `fields(…)` or `free(…)`
    metrics  what a solution may cost: one name or several, the first is the default
    suffix   of files with levels; if nothing else is said, the name behind a dot
    rules    the rules as functions, in the place of a system, or beside one: then positions are tuples of the
             values of its variables, and moves have the names of its actions
    show     a position as text or picture, given what the reader finds; rows of signs are drawn like a board
    """
    if rules is not None and not isinstance(rules, Rules):
        raise ModelError(f"puzzle {name}: rules: found {rules!r}, expected Rules(start, moves, solved)")
    if not callable(system) and (system is not None or rules is None):
        raise ModelError(f"puzzle {name}: found {system!r}, expected a function from a level to a System")
    if levels is None or not hasattr(levels, "read"):
        raise ModelError(
            f"puzzle {name}: levels: found {levels!r}, expected grid(…), numbers(), fields(…) or free(…)"
        )
    named = (metrics,) if isinstance(metrics, str) else tuple(metrics)
    suffixes = (suffix or f".{name}",)
    if system is None:
        assert rules is not None
        screen = TextScreen(suffixes, levels, show=show or _in_words)
        return on_board(alone(name, rules, screen, named), screen)

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

    screen = TextScreen(suffixes, levels, make, show) if show else SystemScreen(suffixes, levels, make)
    made = Puzzle(
        name=name,
        screen=screen,
        metrics=named,
        encodings={"compact": compact},
        rules=transition(built, named) if rules is None else plain_rules(rules, named),
        vocabulary=Vocabulary(atoms={"solved": "the goal holds"}),
        starting_at=starting_at,
        how_to_play=" ".join((system.__doc__ or "").split("\n\n")[0].split()),
    )
    return on_board(made, screen)


def _in_words(data: Any, position: Any) -> str:
    """A position as Python writes it."""
    return str(position)


def built(level: Level) -> Evaluation:
    """The system of a level, with its plain rules."""
    found: Evaluation = level.made
    return found


def starting_at(level: Level, position: Position) -> Level:
    """The level with another start."""
    return replace(level, start=position, made=built(level).starting_at(position))
