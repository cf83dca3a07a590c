"""Robots slide until they hit a wall or another robot; they stop where they should rest."""

from collections.abc import Mapping

from problems.text import (
    OPPOSITE,
    SIDES,
    Cell,
    Problem,
    beside,
    name_of,
    neighbours,
    numbers,
    problem,
    rectangle,
    seeded,
)

ROBOTS = """(define (domain robots)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types cell robot side)
  (:predicates (open ?c - cell ?s - side ?d - cell) (wall ?c - cell ?s - side)
    (in ?r - robot ?c - cell) (empty ?c - cell) (quiet) (slides ?r - robot ?s - side))
  (:functions (total-cost) - number)
  (:action push
    :parameters (?r - robot ?s - side)
    :precondition (quiet)
    :effect (and (not (quiet)) (slides ?r ?s) (increase (total-cost) 1)))
  (:action slide
    :parameters (?r - robot ?s - side ?c ?d - cell)
    :precondition (and (slides ?r ?s) (in ?r ?c) (open ?c ?s ?d) (empty ?d))
    :effect (and (in ?r ?d) (not (in ?r ?c)) (empty ?c) (not (empty ?d)) (increase (total-cost) 0)))
  (:action hit-wall
    :parameters (?r - robot ?s - side ?c - cell)
    :precondition (and (slides ?r ?s) (in ?r ?c) (wall ?c ?s))
    :effect (and (quiet) (not (slides ?r ?s)) (increase (total-cost) 0)))
  (:action hit-robot
    :parameters (?r - robot ?s - side ?c ?d - cell)
    :precondition (and (slides ?r ?s) (in ?r ?c) (open ?c ?s ?d) (not (empty ?d)))
    :effect (and (quiet) (not (slides ?r ?s)) (increase (total-cost) 0))))
"""


def _robots(
    side: int, walls: set[tuple[Cell, str]], starts: Mapping[str, Cell], goal: Mapping[str, Cell]
) -> Problem:
    """A square room. A wall is a cell and a side; the outer ones are added."""
    cells = rectangle(side, side)
    init = ["(quiet)", "(= (total-cost) 0)"]
    ways = {(c, s): d for c, s, d in neighbours(cells) if (c, s) not in walls}
    init += [f"(open {name_of(c)} {s} {name_of(d)})" for (c, s), d in ways.items()]
    init += [f"(wall {name_of(c)} {s})" for c in cells for s in SIDES if (c, s) not in ways]
    init += [f"(in {robot} {name_of(cell)})" for robot, cell in starts.items()]
    init += [f"(empty {name_of(cell)})" for cell in cells if cell not in starts.values()]
    wanted = [f"(in {robot} {name_of(cell)})" for robot, cell in goal.items()]
    objects = {"cell": map(name_of, cells), "robot": starts, "side": SIDES}
    return problem(ROBOTS, objects, init, ["(quiet)", *wanted], costs=True)


def robots(side: int, count: int, targets: int, pushes: int) -> Problem:
    """Random walls; the first robots must be where they are after random pushes."""
    rng = seeded("robots", side, count, targets, pushes)
    cells = rectangle(side, side)
    walls = set()
    for cell, face, other in rng.sample(neighbours(cells), side):
        walls |= {(cell, face), (other, OPPOSITE[face])}
    starts = dict(zip(numbers("r", count), rng.sample(cells, count), strict=True))
    at = dict(starts)
    for _ in range(pushes):
        robot, face = rng.choice([*at]), rng.choice([*SIDES])
        while (at[robot], face) not in walls:
            to = beside(at[robot], face)
            if to not in cells or to in at.values():
                break
            at[robot] = to
    return _robots(side, walls, starts, dict(list(at.items())[:targets]))


def lonely(side: int) -> Problem:
    """One robot in an empty room: it never stops in the middle."""
    return _robots(side, set(), {"r0": (0, 0)}, {"r0": (side // 2, side // 2)})


PROBLEMS = {
    "robots-1": lambda: robots(6, 2, 1, 20),
    "robots-2": lambda: robots(8, 3, 2, 40),
    "robots-3": lambda: robots(12, 4, 2, 60),
    "robots-4": lambda: robots(16, 4, 3, 80),
    "robots-5": lambda: robots(20, 5, 4, 100),
    "robots-lonely": lambda: lonely(8),
}
