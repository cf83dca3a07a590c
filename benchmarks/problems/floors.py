"""Robots paint the cells of a floor to the north or south of them; nobody walks on paint."""

from problems.text import Problem, name_of, neighbours, numbers, problem, rectangle

FLOORS = """(define (domain floors)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types cell painter colour)
  (:predicates (next ?c ?d - cell) (along ?c ?d - cell) (stands ?r - painter ?c - cell) (clear ?c - cell)
    (painted ?c - cell ?k - colour) (holds ?r - painter ?k - colour))
  (:functions (total-cost) - number)
  (:action walk
    :parameters (?r - painter ?c ?d - cell)
    :precondition (and (stands ?r ?c) (next ?c ?d) (clear ?d))
    :effect (and (stands ?r ?d) (not (stands ?r ?c)) (clear ?c) (not (clear ?d)) (increase (total-cost) 1)))
  (:action paint
    :parameters (?r - painter ?c ?d - cell ?k - colour)
    :precondition (and (stands ?r ?c) (along ?c ?d) (clear ?d) (holds ?r ?k))
    :effect (and (painted ?d ?k) (not (clear ?d)) (increase (total-cost) 2)))
  (:action exchange
    :parameters (?r - painter ?k ?l - colour)
    :precondition (and (holds ?r ?k))
    :effect (and (holds ?r ?l) (not (holds ?r ?k)) (increase (total-cost) 5))))
"""


def floor(height: int, width: int, painters: int, free: int = 1) -> Problem:
    """A chequered floor, but for its `free` last rows.

    With a free row, each row can be painted from the row south of it.
    Painters cannot pass each other in a free row, but each of them can take any colour.
    """
    cells = rectangle(height, width)
    robots = numbers("r", painters)
    init = ["(= (total-cost) 0)"]
    for cell, side, other in neighbours(cells):
        init.append(f"(next {name_of(cell)} {name_of(other)})")
        init += [f"(along {name_of(cell)} {name_of(other)})"] * (side in ("north", "south"))
    starts = [(height - 1, number) for number in range(painters)]
    init += [f"(stands {robot} {name_of(cell)})" for robot, cell in zip(robots, starts, strict=True)]
    init += [f"(holds {robot} {'black' if n % 2 else 'white'})" for n, robot in enumerate(robots)]
    init += [f"(clear {name_of(cell)})" for cell in cells if cell not in starts]
    goal = [
        f"(painted {name_of((r, c))} {'black' if (r + c) % 2 else 'white'})" for r, c in cells if r < height - free
    ]
    objects = {"cell": map(name_of, cells), "painter": robots, "colour": ("white", "black")}
    return problem(FLOORS, objects, init, goal, costs=True)


PROBLEMS = {
    "floor-1": lambda: floor(3, 3, 1),
    "floor-2": lambda: floor(4, 3, 2),
    "floor-3": lambda: floor(5, 4, 2),
    "floor-4": lambda: floor(6, 5, 2),
    "floor-5": lambda: floor(8, 6, 3),
    "floor-all-painted": lambda: floor(3, 3, 1, 0),
}
