"""Tiles that look the same are interchangeable.

Where that changes no cost, the models use the one with the lower number first, so that boards that look the same
count once.
"""

from puzzlemc.screens.tetravex import Level, Tile


def earlier_copies(level: Level) -> dict[int, int]:
    """By tile, as an index: the last one before it that looks the same and does not start on the board."""
    copies: dict[int, int] = {}
    last: dict[Tile, int] = {}
    for number, tile in enumerate(level.tiles):
        if number + 1 not in level.start:
            if tile in last:
                copies[number] = last[tile]
            last[tile] = number
    return copies
