"""Single edits of a PuzzleScript level.

A cell gets a character of the legend; one without a background keeps the background that is there. Two levels are
left out: those that are won before the first turn, and those with another number of players, if there is one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from puzzlemc.encodings.puzzle.design.changes import Allowed, Cell, Change, Changes
from puzzlemc.encodings.puzzle.design.sign_edits import KINDS, sign_edits
from puzzlemc.encodings.puzzlescript.planes.decision import decider
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.puzzlescript import Level
from puzzlemc.screens.puzzlescript.game import Game
from puzzlemc.screens.puzzlescript.level import backgrounds, built
from puzzlemc.screens.puzzlescript.winning import won
from puzzlemc.screens.puzzlescript.writer import rows_of

Content = frozenset[str]


def edits(level: Level, allowed: Allowed) -> Iterator[Change]:
    """All single edits of a level that are allowed."""
    game, width = level.game, level.width
    grounds = backgrounds(game)
    cells = {divmod(number, width): objects for number, objects in enumerate(level.cells)}
    usual = dict.fromkeys(objects for sign, objects in game.signs.items() if sign.strip())
    players = _players(game, level.cells)

    def words(objects: Content) -> str:
        top = objects - grounds if len(grounds) == 1 else objects
        return " and ".join(name for name in reversed(game.objects) if name in (top or objects))

    def others(cell: Cell) -> Iterator[Content]:
        ground = cells[cell] & grounds
        yield from dict.fromkeys(objects if objects & grounds else objects | ground for objects in usual)

    def painted(new: Mapping[Cell, Content]) -> Level | None:
        found = list(level.cells)
        for (row, column), objects in new.items():
            found[row * width + column] = objects
        changed = replace(level, cells=tuple(found), warnings=())
        if won(game, found) or (players == 1 != _players(game, found)):
            return None
        return changed if len(grounds) == 1 or _is_read_as(changed) else None

    yield from sign_edits(cells, words, others, painted, allowed)


def _players(game: Game, cells: Sequence[Content]) -> int:
    """The number of cells with a player."""
    if game.players_all:
        return sum(game.players <= objects for objects in cells)
    return sum(not game.players.isdisjoint(objects) for objects in cells)


def _is_read_as(level: Level) -> bool:
    """Is a level read as it is written? Cells without a background get the first one of the level."""
    rows = rows_of(level)
    if rows is None:
        return False
    lines = [(1, 1, row) for row in rows.split("\n")]
    try:
        return built(level.game, lines, level.number, level.title, "").cells == level.cells
    except LevelError:
        return False


CHANGES = Changes(KINDS, edits, decider=decider)
