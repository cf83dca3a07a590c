"""The keys of a puzzle's positions."""

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.keys import Keys


def keys_of(puzzle: Puzzle) -> Keys:
    """The puzzle's own keys, those of its page, or else the drawing of a position."""
    if puzzle.keys is not None:
        return puzzle.keys()
    if puzzle.shared is not None:
        return Keys(puzzle.shared().key)
    return Keys(puzzle.screen.draw)
