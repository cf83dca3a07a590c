"""A puzzle out of what its author writes: a system for each level, or the plain rules alone, and a reader."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any

from puzzlemc.encodings.modelling.alone import Rules, alone, plain_rules
from puzzlemc.encodings.modelling.boards.on_board import on_board
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
             how to play; without a system, that of `start` of the rules does
    levels   the reader: `grid(…)`, `numbers()`, `fields(…)` or `free(…)`
    metrics  what a solution may cost: one name or several, the first is the default
    suffix   of files with levels; if nothing else is said, the name behind a dot
    rules    the rules as functions, in the place of a system, or beside one: then both must allow moves of the
             same names and costs, and each solution is replayed by both
    show     how a position is shown, from what the reader finds and the position: as rows of signs, as words of
             the legend with their places, or as a picture. For a system, it gets the values of variables by name
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
        made = replace(alone(name, rules, screen, named), how_to_play=_opening(rules.start))
        return on_board(made, screen)

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

    screen = SystemScreen(suffixes, levels, make, show)
    written_once = Puzzle(
        name=name,
        screen=screen,
        metrics=named,
        encodings={"compact": compact},
        rules=transition(built, named),
        vocabulary=Vocabulary(atoms={"solved": "the goal holds"}),
        referee=None if rules is None else plain_rules(rules, named),
        starting_at=starting_at,
        how_to_play=_opening(system),
    )
    return on_board(written_once, screen)


def _opening(function: Callable[..., Any]) -> str:
    """The first paragraph of a docstring, in one line."""
    return " ".join((function.__doc__ or "").strip().split("\n\n")[0].split())


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
