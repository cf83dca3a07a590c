"""Tiles with the same colours are interchangeable.

If this changes no cost, the models use the tile with the lower number first. So boards that look the same count
once.
"""

from puzzlemc.screens.tetravex import Level, Tile


def earlier_copies(level: Level) -> dict[int, int]:
    """For each tile that has one, the last tile before it with the same colours, both as indices from 0.

    Tiles on the start board do not count.
    """
    copies: dict[int, int] = {}
    last: dict[Tile, int] = {}
    for number, tile in enumerate(level.tiles):
        if number + 1 not in level.start:
            if tile in last:
                copies[number] = last[tile]
            last[tile] = number
    return copies
