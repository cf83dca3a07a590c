"""A puzzle of rules alone: three functions of an author, and no model. An explicit search decides its levels."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.alone import Alone
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.later import later
from puzzlemc.encodings.puzzle.proofs import Proofs
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.mc.rules.alone import Rules, checked_start, checked_steps, checked_truth
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.screens.modelling import GridReader, Level, TextScreen

__all__ = ["Rules", "alone", "plain_rules"]

NO_ENCODING = ""


def alone(name: str, rules: Rules, screen: TextScreen, metrics: tuple[str, ...]) -> Puzzle:
    """The puzzle of these rules, whose functions get what the reader of the screen finds in a level."""
    steps = plain_rules(rules, metrics)

    def listed(level: Level) -> Encoded:
        from puzzlemc.encodings.modelling.boards.words import held, places_of
        from puzzlemc.mc.graph.positions import position_model  # needs numpy, which few commands do

        places = places_of(screen, level, steps.start(level))
        names = [*rules.atoms, *(name for there in places.values() for name in there.values())]

        def atoms(position: Hashable) -> Iterator[str]:
            yield from (name for name, holds in rules.atoms.items() if _holds(holds, level, position))
            yield from held(screen, level, places, position)

        model = position_model(steps, level, names, atoms)
        return Encoded(model, model.position, lambda trace: [action.name for action in trace.actions], places)

    meanings = {name: _meaning(holds) for name, holds in rules.atoms.items()}
    if isinstance(screen.reader, GridReader):
        meanings["WORD@(r,c)"] = "WORD of the legend is shown in row r, column c"
    return Puzzle(
        name,
        screen,
        metrics,
        {},
        steps,
        Vocabulary({"solved": "the position is solved", **meanings}, encoding=NO_ENCODING),
        starting_at=_starting_at,
        alone=Alone(rules, _data, listed, partial(later("puzzlemc.encodings.modelling.ways:listing"), steps)),
        proofs=Proofs(check_listed=partial(later("puzzlemc.mc.proofs.ways:check_ways"), steps)),
        how_to_play=" ".join((rules.moves.__doc__ or "").split("\n\n")[0].split()),
    )


def plain_rules(rules: Rules, metrics: tuple[str, ...]) -> Transition:
    """The rules as steps between positions of a level, each of which is checked."""

    def steps(level: Level, position: Any) -> Iterator[Step]:
        yield from checked_steps(rules, metrics, level.data, position)

    def start(level: Level) -> Hashable:
        return checked_start(rules, level.data) if level.start is None else level.start

    lost = None if rules.lost is None else partial(_holds, rules.lost)
    return Transition(start, steps, partial(_holds, rules.solved), lost=lost)


def _data(level: Level) -> Any:
    return level.data


def _starting_at(level: Level, position: Hashable) -> Level:
    return replace(level, start=position)


def _holds(function: Callable[[Any, Any], bool], level: Level, position: Any) -> bool:
    """Does what a function of the author says hold in a position?"""
    return checked_truth(function, level.data, position)


def _meaning(function: Callable[..., Any]) -> str:
    """What a fact means: the first line of the documentation of its function."""
    return (function.__doc__ or "").strip().partition("\n")[0]
