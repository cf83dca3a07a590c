"""In a worker: a position of a level, drawn."""

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.rules.plain import play
from puzzlemc.reports.ask.pasted import judged
from puzzlemc.reports.formats.drawing import png

SOURCE = "moves"


def rendered(entry: Entry, text: str) -> tuple[bytes, str, int, bool]:
    """The picture as PNG, the position as text, the number of moves, and whether the level is solved.

    Raises LevelError for a move that is not legal.
    """
    rules, level = entry.puzzle, entry.level
    plain = rules.rules if rules.game is None else rules.game.rules
    names: list[str] = []
    if text.strip():
        done = judged(entry, text, SOURCE)
        if done.fault is not None:
            raise done.fault
        names = done.moves
    position = play(plain, level, names, rules.metrics).positions[-1]
    picture = rules.picture(level, position)
    if not picture.width or not picture.height:
        raise ModelError("found a level without a picture")
    return png(picture), rules.screen.draw(level, position), len(names), bool(rules.rules.solved(level, position))
