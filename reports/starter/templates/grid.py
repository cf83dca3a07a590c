"""my_puzzle: a walker collects coins."""

from puzzlemc.modelling import Any, System, grid, puzzle


def my_puzzle(level):
    """Walk left, up, right and down, and pick up all coins."""
    s = System()
    floor = level.find("floor")
    walker = s.choice("walker", floor, level.one("walker"))
    coin = s.flags("coin", dict.fromkeys(level.find("coin"), True))
    for place in floor:
        for way, there in level.beside(place).items():
            if there in floor:
                taken = {coin[there]: False} if there in coin else {}
                s.action(way, walker == place, {walker: there, **taken})
    s.goal = ~Any(coin)
    return s


LEGEND = {"#": "wall", ".": "floor", "@": "walker on floor", "o": "coin on floor"}
LOOK = {"wall": "wall", "floor": "floor", "walker": "disc blue", "coin": "dot yellow"}
PUZZLE = puzzle("my_puzzle", my_puzzle, grid(LEGEND, LOOK))

LEVELS = """
Title: Round the pillar
.@...
.#.#o
...o.

Title: Behind the wall
@..#o
"""
