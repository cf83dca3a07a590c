"""Snakes that grow when they eat: an apple that is eaten lets the next one appear."""

from itertools import pairwise

from problems.text import Cell, Problem, name_of, neighbours, problem, rectangle, seeded

SNAKES = """(define (domain snakes)
  (:requirements :strips :typing :negative-preconditions)
  (:types cell)
  (:predicates (beside ?c ?d - cell) (taken ?c - cell) (front ?c - cell) (rear ?c - cell) (joint ?c ?d - cell)
    (apple ?c - cell) (coming ?c - cell) (after ?c ?d - cell) (last ?c - cell))
  (:action crawl
    :parameters (?c ?d ?r ?s - cell)
    :precondition (and (front ?c) (beside ?c ?d) (not (taken ?d)) (not (apple ?d)) (rear ?r) (joint ?s ?r))
    :effect (and (front ?d) (not (front ?c)) (joint ?d ?c) (taken ?d)
      (rear ?s) (not (rear ?r)) (not (joint ?s ?r)) (not (taken ?r))))
  (:action eat
    :parameters (?c ?d ?n ?m - cell)
    :precondition (and (front ?c) (beside ?c ?d) (not (taken ?d)) (apple ?d) (coming ?n) (after ?n ?m))
    :effect (and (front ?d) (not (front ?c)) (joint ?d ?c) (taken ?d) (not (apple ?d))
      (apple ?n) (not (coming ?n)) (coming ?m)))
  (:action eat-late
    :parameters (?c ?d ?n - cell)
    :precondition (and (front ?c) (beside ?c ?d) (not (taken ?d)) (apple ?d) (coming ?n) (last ?n))
    :effect (and (front ?d) (not (front ?c)) (joint ?d ?c) (taken ?d) (not (apple ?d)))))
"""


def _snake(cells: list[Cell], body: list[Cell], apples: list[Cell], visible: int) -> Problem:
    """The body goes from front to rear. After the `visible` apples, the others appear one by one."""
    init = [f"(beside {name_of(c)} {name_of(d)})" for c, _, d in neighbours(cells)]
    init += [f"(taken {name_of(cell)})" for cell in body]
    init += [f"(front {name_of(body[0])})", f"(rear {name_of(body[-1])})"]
    init += [f"(joint {name_of(c)} {name_of(d)})" for c, d in pairwise(body)]
    init += [f"(apple {name_of(cell)})" for cell in apples[:visible]]
    hidden = [*map(name_of, apples[visible:]), "end"]
    init += [f"(after {c} {d})" for c, d in pairwise(hidden)]
    init += [f"(coming {hidden[0]})", "(last end)"]
    goal = [f"(not (apple {name_of(cell)}))" for cell in apples]
    goal += ["(coming end)"]
    return problem(SNAKES, {"cell": [*map(name_of, cells), "end"]}, init, goal)


def snake(height: int, width: int, count: int, visible: int) -> Problem:
    """A room of an even height, in which a snake of two cells eats apples.

    The snake lies on a round tour of all cells (down the first column, then up by rows). It can follow the tour,
    which ends with each apple eaten: no cell of the snake is in the way while it is shorter than the tour.
    """
    assert height % 2 == 0
    assert count + 2 < height * width
    cells = rectangle(height, width)
    body = [(1, 0), (0, 0)]  # it faces down
    rng = seeded("snake", height, width, count)
    apples = rng.sample([cell for cell in cells if cell not in body], count)
    return _snake(cells, body, apples, visible)


def two_dead_ends(length: int) -> Problem:
    """A corridor with an apple at each end. Who eats one cannot turn any more."""
    cells = [(0, column) for column in range(length)]
    middle = length // 2
    return _snake(cells, [cells[middle], cells[middle - 1]], [cells[0], cells[-1]], 2)


PROBLEMS = {
    "snake-1": lambda: snake(4, 4, 5, 3),
    "snake-2": lambda: snake(6, 6, 10, 3),
    "snake-3": lambda: snake(6, 8, 20, 5),
    "snake-4": lambda: snake(8, 8, 30, 5),
    "snake-5": lambda: snake(8, 10, 50, 5),
    "snake-dead-ends": lambda: two_dead_ends(9),
}
