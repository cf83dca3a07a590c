"""Sokoban for a page that plays a level by itself: what `rules.js` gets, and keys of positions."""

from puzzlemc.encodings.puzzle.shared import Shared, SharedLevel
from puzzlemc.screens.sokoban import Level, State, picture

PLAYER_SHAPES = 3  # at the end of a picture


def level(found: Level) -> SharedLevel:
    """Cells by their numbers, row by row: the reached floor, goals, boxes, and the player."""
    width = max(map(len, found.rows))

    def numbers(cells: frozenset[tuple[int, int]]) -> list[int]:
        return sorted(row * width + column for row, column in cells)

    data = {
        "width": width,
        "floor": numbers(found.cells),
        "goals": numbers(found.goals),
        "boxes": numbers(found.start.boxes),
        "player": numbers(frozenset([found.start.player]))[0],
    }
    here, away = frozenset([(0, 0)]), frozenset[tuple[int, int]]()
    looks = {}
    for name, goals, boxes in (("player", away, away), ("box", away, here), ("home", here, here)):
        shapes = picture(
            Level("", "", (" ",), ((0, 0),), goals, State((0, 0), boxes)), State((0, 0), boxes)
        ).pieces
        looks[name] = shapes if name == "player" else shapes[:-PLAYER_SHAPES]
    return SharedLevel(data, looks)


def key(found: Level, position: State) -> str:
    """The numbers of the player's cell and of the boxes' cells."""
    width = max(map(len, found.rows))
    row, column = position.player
    return " ".join(map(str, [row * width + column, *sorted(r * width + c for r, c in position.boxes)]))


SHARED = Shared(("puzzlemc.encodings.sokoban", "rules.js"), level, key)
