"""my_puzzle: two registers, and what can be done with them."""

from puzzlemc.modelling import System, fields, optional, puzzle


def my_puzzle(level):
    """Double a, add a to b, or exchange both, until b is the goal. No number may exceed the most."""
    s = System(outside="disable")  # an action that leads above the most cannot be done
    a = s.number("a", 0, level.most, level.a)
    b = s.number("b", 0, level.most, level.b)
    s.action("double", a > 0, {a: 2 * a})
    s.action("add", a > 0, {b: a + b})
    s.action("exchange", a != b, {a: b, b: a}, cost=2)
    s.goal = b == level.goal
    return s


LEVEL = fields(a=int, b=int, goal=int, most=optional(int, 99))
PUZZLE = puzzle("my_puzzle", my_puzzle, LEVEL, metrics="effort")

LEVELS = """
Title: Up to 23
a: 1
b: 0
goal: 23

Title: Only even numbers
a: 2
b: 4
goal: 7
"""
