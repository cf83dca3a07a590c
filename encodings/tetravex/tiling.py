"""Tetravex levels drawn by hand: tiles whose numbers are painted, and the initial board of a game."""

from puzzlemc.encodings.puzzle.drawing import Tiles, Tiling
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.tetravex import PUT, SWAP, Level, build

GAMES = {PUT: "put the tiles one by one", SWAP: "swap tiles on the board"}


def read(part: Part) -> Tiles | None:
    """The tiles of a level, also if their number does not fit the board."""
    lines = [line.split() for line in part.text.replace(",", " ").replace(";", " ").split("\n")]
    lines = [words for words in lines if words and words[0][0] not in "%#"]
    if not lines or lines[0][0].lower() != "tetravex":
        return _data_file(part)
    games = [number for number, words in enumerate(lines) if words[0].lower() in GAMES]
    end = games[0] if games else len(lines)
    try:
        (rows,) = map(int, lines[0][1:])
        tiles = [[int(word) for word in words] for words in lines[1:end]]
        board = [int(word) for words in lines[end + 1 :] for word in words]
    except ValueError:
        return None
    if any(len(tile) != 4 for tile in tiles) or (games and len(board) != rows * rows):
        return None
    return Tiles(rows, tiles, lines[end][0].lower() if games else "", board)


def _data_file(part: Part) -> Tiles | None:
    try:
        level = build(part)
    except LevelError:
        return None
    return Tiles(level.side, [list(tile) for tile in level.tiles], "", [])


def colours(level: Level) -> int:
    """The number of colours of a level."""
    return len({colour for tile in level.tiles for colour in tile})


TILING = Tiling("Tetravex", ("north", "south", "east", "west"), GAMES, read, lambda level: level.side, colours)
