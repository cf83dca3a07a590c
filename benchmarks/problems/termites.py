"""A termite builds towers out of bricks: it climbs one brick at a time, and needs ramps that must go again."""

from collections.abc import Mapping
from itertools import pairwise

from problems.text import Cell, Problem, name_of, neighbours, numbers, problem, rectangle

TERMITES = """(define (domain termites)
  (:requirements :strips :typing :negative-preconditions)
  (:types cell level)
  (:predicates (beside ?c ?d - cell) (nest ?c - cell) (climbs ?m ?n - level) (above ?n ?m - level)
    (on ?c - cell) (high ?c - cell ?n - level) (loaded))
  (:action step
    :parameters (?c ?d - cell ?m ?n - level)
    :precondition (and (on ?c) (beside ?c ?d) (high ?c ?m) (high ?d ?n) (climbs ?m ?n))
    :effect (and (on ?d) (not (on ?c))))
  (:action lay
    :parameters (?c ?d - cell ?n ?m - level)
    :precondition (and (on ?c) (beside ?c ?d) (not (nest ?d)) (loaded) (high ?c ?n) (high ?d ?n) (above ?n ?m))
    :effect (and (high ?d ?m) (not (high ?d ?n)) (not (loaded))))
  (:action lift
    :parameters (?c ?d - cell ?n ?m - level)
    :precondition (and (on ?c) (beside ?c ?d) (not (loaded)) (high ?c ?n) (high ?d ?m) (above ?n ?m))
    :effect (and (high ?d ?n) (not (high ?d ?m)) (loaded)))
  (:action fetch
    :parameters (?c - cell)
    :precondition (and (on ?c) (nest ?c) (not (loaded)))
    :effect (loaded))
  (:action store
    :parameters (?c - cell)
    :precondition (and (on ?c) (nest ?c) (loaded))
    :effect (not (loaded))))
"""


def _termites(height: int, width: int, towers: Mapping[Cell, int]) -> Problem:
    """The nest is in the first corner; all other cells must be low at the end."""
    cells = rectangle(height, width)
    levels = numbers("h", max(towers.values()) + 1)
    init = ["(on c0-0)", "(nest c0-0)", *(f"(high {name_of(cell)} h0)" for cell in cells)]
    init += [f"(beside {name_of(c)} {name_of(d)})" for c, _, d in neighbours(cells)]
    init += [f"(above {n} {m})" for n, m in pairwise(levels)]
    init += [f"(climbs {m} {n})" for a, m in enumerate(levels) for b, n in enumerate(levels) if abs(a - b) <= 1]
    goal = [f"(high {name_of(cell)} h{towers.get(cell, 0)})" for cell in cells]
    return problem(TERMITES, {"cell": map(name_of, cells), "level": levels}, init, [*goal, "(not (loaded))"])


def termites(height: int, width: int, towers: Mapping[int, int]) -> Problem:
    """Towers in the last row, by column, not in the first one, none higher than there are rows.

    The column of a tower has room for its ramp, which falls by one brick with each cell.
    """
    assert 0 not in towers
    assert max(towers.values()) <= height
    return _termites(height, width, {(height - 1, column): high for column, high in towers.items()})


def corridor() -> Problem:
    """No room for a ramp."""
    return _termites(1, 3, {(0, 2): 3})


PROBLEMS = {
    "termites-1": lambda: termites(3, 3, {2: 2}),
    "termites-2": lambda: termites(3, 4, {3: 3}),
    "termites-3": lambda: termites(4, 4, {1: 2, 3: 3}),
    "termites-4": lambda: termites(4, 5, {2: 3, 4: 4}),
    "termites-5": lambda: termites(5, 6, {1: 3, 3: 5, 5: 4}),
    "termites-corridor": corridor,
}
