"""my_puzzle: pancakes are sorted. A position is any value with a hash."""

from puzzlemc.modelling import Rules, numbers, puzzle


def start(level):
    """Turn over the upper pancakes, as many as you like, until the pile is sorted with the largest below."""
    return level[0]


def moves(level, pile):
    for number in range(2, len(pile) + 1):
        yield f"turn {number}", (*reversed(pile[:number]), *pile[number:])


def solved(level, pile):
    return list(pile) == sorted(pile)


PUZZLE = puzzle("my_puzzle", rules=Rules(start, moves, solved), levels=numbers(), metrics="turns")

LEVELS = """
Title: Four
3 1 4 2

Title: Six
4 6 2 5 1 3
"""
