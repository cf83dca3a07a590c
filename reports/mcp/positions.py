"""In a worker: a position of a level, drawn."""

from collections.abc import Hashable
from typing import NamedTuple

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.rules.plain import Constraint, play
from puzzlemc.reports.ask.pasted import judged
from puzzlemc.reports.formats.drawing import png
from puzzlemc.reports.solve.given import follow, read

SOURCE = "moves"


class Position(NamedTuple):
    """A position, the number of moves that led to it, and whether the level is solved."""

    position: Hashable
    moves: int
    solved: bool


def rendered(entry: Entry, text: str) -> tuple[bytes, str, int, bool]:
    """The picture as PNG, the position as text, the number of moves, and whether the level is solved.

    Raises LevelError for a move that is not legal.
    """
    rules, level = entry.puzzle, entry.level
    found = _reached(entry, text)
    picture = rules.picture(level, found.position)
    if not picture.width or not picture.height:
        raise ModelError("found a level without a picture")
    return png(picture), rules.screen.draw(level, found.position), found.moves, found.solved


def _reached(entry: Entry, text: str) -> Position:
    """The position after the moves of a text. Of a constraint, they are the whole solution, or there are none."""
    rules, level = entry.puzzle, entry.level
    plain = rules.rules if rules.game is None else rules.game.rules
    names: list[str] = []
    if text.strip() and isinstance(rules.question(level), Constraint):
        whole = follow(rules, level, read(entry, text, SOURCE), SOURCE)
        if whole.fault is not None:
            raise whole.fault
        return Position(whole.positions[-1], len(whole.moves), whole.solved)
    if text.strip():
        done = judged(entry, text, SOURCE)
        if done.fault is not None:
            raise done.fault
        names = done.moves
    position = play(plain, level, names, rules.metrics).positions[-1]
    return Position(position, len(names), bool(rules.rules.solved(level, position)))
