"""Why a level cannot be won any more, without a search: by numbers of objects, and by objects that stay for ever.

A level with one of its win conditions is won whenever the level is won, if not earlier. So a condition that can
never hold is reason enough. What is said of it follows from the rules by the analysis that also checks proofs.
"""

from dataclasses import replace

from puzzlemc.encodings.puzzle.explanation import listed
from puzzlemc.encodings.puzzlescript.cells.bounds import Bound, bounds
from puzzlemc.encodings.puzzlescript.cells.compilation import masks_of
from puzzlemc.encodings.puzzlescript.cells.escapes import Need, escapes, frozen_objects
from puzzlemc.encodings.puzzlescript.domain.position import Cells, Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.planes.reasons import hopeless, in_words
from puzzlemc.encodings.puzzlescript.planes.reasons import reason as by_fewer_conditions
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.puzzlescript.game import Level

MOST_PLACES = 4  # that are listed


def why_lost(level: Level) -> str:
    """Why nothing can win any more, in words; empty if that takes a search, or if something may win."""
    if words := hopeless(level):
        return words
    try:
        start = RULES.start(level)
    except LimitReached:
        return ""
    if not isinstance(start, Position) or not start.begun or start.won:
        return ""
    for win in level.game.wins:
        part = replace(level, game=replace(level.game, wins=(win,)))
        if words := _by_bounds(part, start.cells) or _by_frozen_objects(part, start.cells):
            return f"`{in_words(win, level.game)}` (line {win.line}) can never hold: {words}"
    return ""


def reason(level: Level, budget: Budget) -> str:
    """Why a level cannot be won, from what is seen at once, else by a search; empty if neither finds it.

    Raises LimitReached.
    """
    return why_lost(level) or by_fewer_conditions(level, budget)


def _by_bounds(level: Level, cells: Cells) -> str:
    """How a bound is broken."""
    return next((_words_of(bound, level, cells) for bound in bounds(level, cells) if bound.is_broken(cells)), "")


def _words_of(bound: Bound, level: Level, cells: Cells) -> str:
    here = [cell for cell in bound.places if not bound.objects.isdisjoint(cells[cell])]
    if len(here) < bound.least:
        some = f"only {len(here)}" if here else "none"
        return f"{some} of {_names(bound.objects)} can come to where {bound.least} must be"
    if bound.most == 0:
        return f"{_places(level, cells, bound.objects, here)} can come to no cell where it may stay"
    return f"{len(here)} of {_names(bound.objects)} cannot leave cells with room for {bound.most}"


def _by_frozen_objects(level: Level, cells: Cells) -> str:
    """Which objects stay for ever where they are of no use."""
    known, size = frozen_objects(level, cells), len(cells)
    masks = masks_of(level.game, cells)
    if not known.are_lost(masks):
        return ""
    frozen = {(level.game.objects[place // size], place % size) for place in known.frozen_in(masks)}
    for need in escapes(level, cells).needs:
        staying = sorted(cell for name, cell in frozen if name in need.objects and need.useless >> cell & 1)
        if staying and _count(need, cells) - len(staying) < need.least:
            stay, left = "stays" if len(staying) == 1 else "stay", _count(need, cells) - len(staying)
            words = f"{_places(level, cells, need.objects, staying)} {stay} for ever where "
            if need.least:
                return f"{words}none is needed, which leaves {left} for {need.least} cells"
            return f"{words}none may stay"
    return ""


def _count(need: Need, cells: Cells) -> int:
    return sum(need.counted >> cell & 1 and not need.objects.isdisjoint(here) for cell, here in enumerate(cells))


def _places(level: Level, cells: Cells, objects: frozenset[str], here: list[int]) -> str:
    """The objects in these cells, with rows and columns from 1."""
    words = [
        f"{_names(objects & cells[cell])} in row {cell // level.width + 1}, column {cell % level.width + 1}"
        for cell in here[:MOST_PLACES]
    ]
    return listed([*words, f"{len(here) - MOST_PLACES} more"] if len(here) > MOST_PLACES else words)


def _names(objects: frozenset[str]) -> str:
    return " or ".join(sorted(objects))
