"""Water jugs: measure an amount by filling jugs, emptying them and pouring one into another."""

from puzzlemc.modelling import Any, Min, System, fields, puzzle


def jugs(level):
    """Fill a jug, empty it, or pour it into another one. Some jug must hold the goal."""
    s = System()
    size = dict(enumerate(level.sizes, 1))
    jug = s.numbers("jug", dict.fromkeys(size, 0), low=0, high=size)
    for n in jug:
        s.action(f"fill {n}", jug[n] < size[n], {jug[n]: size[n]})
        s.action(f"empty {n}", jug[n] > 0, {jug[n]: 0})
        for to in jug:
            poured = Min(jug[n], size[to] - jug[to])
            if to != n:
                s.action(f"pour {n} into {to}", poured > 0, {jug[n]: jug[n] - poured, jug[to]: jug[to] + poured})
    s.goal = Any(jug[n] == level.goal for n in jug)
    return s


PUZZLE = puzzle("jugs", jugs, fields(sizes=[int], goal=int))

LEVELS = """
Title: Four litres
sizes: 3 5
goal: 4

Title: An even number
sizes: 4 6
goal: 3

Title: Three jugs
sizes: 3 5 8
goal: 4
"""
