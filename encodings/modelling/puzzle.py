"""A puzzle out of what its author writes: a system for each level, or the plain rules alone, and a reader."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial, wraps
from typing import Any

from puzzlemc.encodings.modelling.alone import Rules, alone, plain_rules
from puzzlemc.encodings.modelling.boards.on_board import on_board
from puzzlemc.encodings.modelling.language.constraint import assigning, blank, constraint
from puzzlemc.encodings.modelling.language.evaluation import Evaluation, Position, transition
from puzzlemc.encodings.modelling.language.system import System
from puzzlemc.encodings.modelling.shown import SystemScreen
from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.display import Cells, Display
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.explanation import Explanation
from puzzlemc.encodings.puzzle.later import later
from puzzlemc.encodings.puzzle.questions import Counting
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.rules.plain import Stuck, Transition
from puzzlemc.screens.modelling.screen import Level, Reader, Shown, TextScreen

encoded: Callable[[Evaluation, Sequence[str]], Encoded] = later(
    "puzzlemc.encodings.modelling.model.compilation:encoded"
)
faithful: Callable[[Evaluation, Sequence[str]], Encoded] = later(
    "puzzlemc.encodings.modelling.model.compilation:faithful"
)
shared = later("puzzlemc.encodings.modelling.shared:shared")
two_sides = later("puzzlemc.encodings.modelling.sides:two_sides")
moves_of = later("puzzlemc.encodings.modelling.sides:moves_of")
count = later("puzzlemc.encodings.modelling.model.assignments:count")
each_solution = later("puzzlemc.encodings.modelling.model.assignments:each_solution")
assignment: Callable[[Evaluation], Encoded] = later("puzzlemc.encodings.modelling.model.assignments:assignment")
assigning_steps: Callable[[Evaluation, Sequence[str]], Encoded] = later(
    "puzzlemc.encodings.modelling.model.assignments:assigning_steps"
)
of_board: Callable[..., Cells | None] = later("puzzlemc.encodings.modelling.cells:of_board")
of_system: Callable[..., Cells] = later("puzzlemc.encodings.modelling.cells:of_system")

NAME = re.compile("[a-z][a-z0-9_]*")


def puzzle(
    name: str,
    system: Callable[[Any], System] | None = None,
    levels: Reader | None = None,
    metrics: str | Sequence[str] = "",
    suffix: str = "",
    *,
    rules: Rules | None = None,
    show: Callable[[Any, Any], Shown] | None = None,
    sides: tuple[str, str] | None = None,
    stuck: str = Stuck.LOSES.value,
) -> Puzzle:
    """A puzzle. A level may be a constraint.

    name     on the command line
    system   a function that makes the system of a level from what the reader finds in its text. Its docstring says
             how to play; without a system, that of `start` of the rules does
    levels   the reader: `grid(…)`, `numbers()`, `fields(…)` or `free(…)`
    metrics  what a solution may cost: one name or several, the first is the default. If nothing else is said,
             `moves`, and `turns` for a game
    suffix   of files with levels; if nothing else is said, the name behind a dot
    rules    the rules as functions, in the place of a system, or beside one: then both must allow moves of the
             same names and costs, and each solution is replayed by both
    show     how a position is shown, from what the reader finds and the position: as rows of signs, as words of
             the legend with their places, or as a picture. For a system, it gets the values of variables by name
    sides    of a game, whose levels are `System(sides=2)`: the names of the first and of the second side
    stuck    what happens in a game to a side that is to move and cannot: it `loses`, `wins` or `draws`
    """
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise ModelError(f"puzzle: found the name {name!r}, expected small letters, digits and _, a letter first")
    if rules is not None and not isinstance(rules, Rules):
        raise ModelError(f"puzzle {name}: rules: found {rules!r}, expected Rules(start, moves, solved)")
    if rules is not None and system is not None and rules.facts:
        raise ModelError(f"puzzle {name}: rules: found facts beside a system, expected system.fact(…) in it")
    if not callable(system) and (system is not None or rules is None):
        raise ModelError(f"puzzle {name}: found {system!r}, expected a function from a level to a System")
    if levels is None or not hasattr(levels, "read"):
        raise ModelError(
            f"puzzle {name}: levels: found {levels!r}, expected grid(…), numbers(), fields(…) or free(…)"
        )
    game = _game_of(name, sides, stuck)
    if game is not None and (rules is not None or system is None):
        raise ModelError(f"puzzle {name}: found rules of a game of two sides, expected a system alone")
    metrics = metrics or ("moves" if game is None else "turns")
    named = (metrics,) if isinstance(metrics, str) else tuple(metrics)
    suffixes = (suffix or f".{name}",)
    if system is None:
        assert rules is not None
        screen = TextScreen(suffixes, levels, show=show or _in_words)
        made = replace(
            alone(name, rules, screen, named),
            how_to_play=_opening(rules.start),
            display=Display(cells=partial(of_board, screen)),
        )
        return on_board(made, screen)

    @wraps(system)
    def make(data: Any) -> Evaluation:
        found = system(data)
        if not isinstance(found, System):
            raise ModelError(f"found {found!r}, expected that the function returns a System")
        if found.mover is None and game is not None:
            raise ModelError(f"found System(), expected System(sides=2), since {name} has two sides")
        if found.mover is not None and game is None:
            raise ModelError(f"found System(sides=2), expected puzzle({name!r}, …, sides=(…, …))")
        found.check(named)
        return blank(Evaluation(found)) if found.is_constraint else Evaluation(found)

    def compact(level: Level) -> Encoded:
        """The model of a level."""
        if built(level).system.is_constraint:
            return assignment(built(level))
        return encoded(built(level), named)

    def steps(level: Level) -> Encoded:
        """The model of the positions and steps of the plain rules."""
        return (assigning_steps if built(level).system.is_constraint else faithful)(built(level), named)

    screen = SystemScreen(suffixes, levels, make, show, None if game is None else game[0])
    written_once = Puzzle(
        name=name,
        screen=screen,
        metrics=named,
        encodings={"compact": compact, "steps": steps},
        rules=_either(transition(built, named), assigning(built, named)),
        vocabulary=Vocabulary(atoms={"solved": "the goal holds"}, encoding="steps"),
        referee=None if rules is None else plain_rules(rules, named),
        starting_at=starting_at,
        constraint=constraint(built),
        explanation=Explanation(obvious=_shut),
        counting=Counting(
            "values of all variables with which the goal holds",
            lambda level, budget: count(built(level), budget),
            lambda level, budget: each_solution(built(level), budget),
            lambda level: built(level).system.is_constraint,
        ),
        display=Display(
            number_meaning="value",
            solution_heading="The values",
            partial=("assignments", "of values to the variables in their order"),
            cells=partial(of_system, screen),
        ),
        how_to_play=_opening(system),
        shared=lambda: shared(screen, named),
    )
    if game is not None:
        played = two_sides(built, named, *game)
        moved = moves_of(played)
        written_once = replace(
            written_once, rules=moved, game=played, encodings={}, constraint=None, counting=None, shared=None
        )
    return on_board(written_once, screen)


def _opening(function: Callable[..., Any]) -> str:
    """The first paragraph of a docstring, in one line."""
    return " ".join((function.__doc__ or "").strip().split("\n\n")[0].split())


def _in_words(data: Any, position: Any) -> str:
    """A position as Python writes it."""
    return str(position)


def _game_of(name: str, sides: tuple[str, str] | None, stuck: str) -> tuple[tuple[str, str], Stuck] | None:
    """The names of the sides of a game, and what happens to one that cannot move; None if it is no game."""
    if sides is None:
        return None
    if not isinstance(sides, tuple | list) or len({each for each in sides if isinstance(each, str)}) != 2:
        raise ModelError(f"puzzle {name}: sides: found {sides!r}, expected two names, as ('white', 'black')")
    if stuck not in {each.value for each in Stuck}:
        expected = ", ".join(each.value for each in Stuck)
        raise ModelError(f"puzzle {name}: stuck: found {stuck!r}, expected one of {expected}")
    first, second = sides
    return (first, second), Stuck(stuck)


def _shut(level: Level) -> str:
    """That a level has no actions, which its author may have forgotten; empty otherwise, or if it is solved."""
    evaluation = built(level)
    system = evaluation.system
    if system.is_constraint or system.actions or evaluation.holds(system.goal, evaluation.start):
        return ""
    return "nothing can move in this level: its system has no actions (System(constraint=True) asks for values)"


def _either(moves: Transition, values: Transition) -> Transition:
    """The plain rules of levels of which some ask for moves, and others, the constraints, for values."""

    def of(level: Level) -> Transition:
        return values if built(level).system.is_constraint else moves

    return Transition(
        lambda level: of(level).start(level),
        lambda level, position: of(level).steps(level, position),
        lambda level, position: of(level).solved(level, position),
        lost=lambda level, position: (said := of(level).lost) is not None and said(level, position),
    )


def built(level: Level) -> Evaluation:
    """The system of a level, with its plain rules."""
    found: Evaluation = level.made
    return found


def starting_at(level: Level, position: Position) -> Level:
    """The level with another start."""
    return replace(level, start=position, made=built(level).starting_at(position))
