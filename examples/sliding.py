"""Sliding tiles: a tile slides into the hole, 0, until all are in order."""

from puzzlemc.modelling import All, System, numbers, puzzle

WAYS = {"left": (0, 1), "up": (1, 0), "right": (0, -1), "down": (-1, 0)}


def sliding(board):
    """Slide tiles into the hole until they are in order, with the hole at the end."""
    s = System()
    places = [(row, column) for row in range(board.rows) for column in range(board.columns)]
    start = dict(zip(places, board.flat, strict=True))
    tile = s.choices("tile", start, sorted(board.flat))
    for row, column in places:
        for way, (down, right) in WAYS.items():
            there = row + down, column + right
            if there in tile:
                s.action(way, tile[row, column] == 0, {tile[row, column]: tile[there], tile[there]: 0})
    s.goal = All(tile[place] == (n + 1) % len(places) for n, place in enumerate(places))
    return s


PUZZLE = puzzle("sliding", sliding, numbers(), metrics="slides")

LEVELS = """
Title: Three by two
4 1 2
5 0 3

Title: Eight tiles
8 6 7
2 5 4
3 0 1

Title: Fourteen and fifteen
1 2 3 4
5 6 7 8
9 10 11 12
13 15 14 0
"""
