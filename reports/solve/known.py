"""Solutions that are known before the search: the answer of a level is no worse than its known solution."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import Refuted
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.solve.given import NoSolution, follow, read, respelled
from puzzlemc.screens.base.errors import LevelError


@dataclass(frozen=True)
class Known:
    """A text with a solution of a level: moves, a trace or a result of `solve`, or levels with their solutions.

    source     names the text in errors
    is_needed  the text must have a solution of this level
    """

    text: str
    source: str
    is_needed: bool = True


def known_moves(entry: Entry, known: Known) -> list[str] | None:
    """The moves of the known solution, after the plain rules have replayed them; None if the text has none.

    Raises LevelError for a text that cannot be read, and for moves that do not solve the level.
    """
    try:
        moves = read(entry, known.text, known.source, by_id=not known.is_needed)
    except NoSolution:
        if known.is_needed:
            raise
        return None
    done = follow(entry.puzzle, entry.level, moves, known.source)
    if done.fault is not None:
        done = respelled(entry.puzzle, entry.level, moves, known.source) or done
    if done.fault is not None:
        raise done.fault
    if not done.solved:
        message = (
            f"found {counted(len(moves), 'moves')}, after which {entry.id} is not solved, expected a solution"
        )
        raise LevelError(message, source=known.source)
    names = [move.name for move in done.moves]
    if entry.puzzle.text.play is not None:
        names = _without_detours(names, done.positions)
        try:
            entry.puzzle.replay(entry.level, names)
        except Refuted:
            message = f"found inputs that solve {entry.id} by a restart, expected moves alone"
            raise LevelError(message, source=known.source) from None
    return names


def _without_detours(names: Sequence[str], positions: Sequence[Hashable]) -> list[str]:
    """The moves of a recorded play that first led to each position on the way to the last one.

    The others are undone or change nothing: they are inputs of a player, and no steps by the rules.
    """
    came: dict[Hashable, tuple[Hashable, str]] = {}
    for name, before, after in zip(names, positions, positions[1:], strict=False):
        if after != positions[0]:
            came.setdefault(after, (before, name))
    found, position = list[str](), positions[-1]
    while position in came:
        position, name = came[position]
        found.append(name)
    return found[::-1]
