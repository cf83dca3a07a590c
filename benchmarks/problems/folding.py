"""A string of beads on a grid is folded: a turn at a bead lifts what follows, and lays it again bead by bead."""

from collections.abc import Sequence
from itertools import pairwise

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

FOLDING = """(define (domain folding)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types cell bead side sense)
  (:predicates (link ?a ?b - bead) (end ?b - bead) (quarter ?s - sense ?f ?g - side)
    (step ?c - cell ?f - side ?d - cell)
    (on ?b - bead ?c - cell) (taken ?c - cell) (heads ?b - bead ?f - side)
    (still) (pivot ?b - bead) (turned ?s - sense) (lift ?b - bead) (lay ?b - bead))
  (:functions (total-cost) - number)
  (:action turn
    :parameters (?p ?e - bead ?s - sense)
    :precondition (and (still) (end ?e) (not (end ?p)))
    :effect (and (not (still)) (pivot ?p) (turned ?s) (lift ?e) (increase (total-cost) 1)))
  (:action lift-bead
    :parameters (?a ?b - bead ?c - cell)
    :precondition (and (lift ?b) (not (pivot ?b)) (link ?a ?b) (on ?b ?c))
    :effect (and (not (on ?b ?c)) (not (taken ?c)) (not (lift ?b)) (lift ?a) (increase (total-cost) 0)))
  (:action reach-pivot
    :parameters (?p - bead)
    :precondition (and (lift ?p) (pivot ?p))
    :effect (and (not (lift ?p)) (lay ?p) (increase (total-cost) 0)))
  (:action lay-bead
    :parameters (?a ?b - bead ?s - sense ?f ?g - side ?c ?d - cell)
    :precondition (and (lay ?a) (link ?a ?b) (turned ?s) (heads ?a ?f) (quarter ?s ?f ?g) (on ?a ?c)
      (step ?c ?g ?d) (not (taken ?d)))
    :effect (and (not (lay ?a)) (lay ?b) (not (heads ?a ?f)) (heads ?a ?g) (on ?b ?d) (taken ?d)
      (increase (total-cost) 0)))
  (:action rest
    :parameters (?e ?p - bead ?s - sense)
    :precondition (and (lay ?e) (end ?e) (pivot ?p) (turned ?s))
    :effect (and (not (lay ?e)) (not (pivot ?p)) (not (turned ?s)) (still) (increase (total-cost) 0))))
"""
ORDER = list(SIDES)  # clockwise


def _quarter(side: str, sense: str) -> str:
    return ORDER[(ORDER.index(side) + (1 if sense == "cw" else -1)) % 4]


def _places(first: Cell, headings: Sequence[str]) -> list[Cell]:
    places = [first]
    for side in headings:
        places.append(beside(places[-1], side))
    return places


def _string(headings: Sequence[str], goal: Sequence[str]) -> Problem:
    """The first bead lies in the middle of a board on which the whole string has room in each direction."""
    length = len(headings) + 1
    cells = rectangle(2 * length - 1, 2 * length - 1)
    first = (length - 1, length - 1)
    beads = numbers("b", length)
    init = [f"(link {a} {b})" for a, b in pairwise(beads)]
    init += [f"(end {beads[-1]})", "(still)", "(= (total-cost) 0)"]
    init += [f"(quarter {sense} {side} {_quarter(side, sense)})" for sense in ("cw", "ccw") for side in SIDES]
    init += [f"(step {name_of(c)} {side} {name_of(d)})" for c, side, d in neighbours(cells)]
    for bead, cell in zip(beads, _places(first, headings), strict=True):
        init += [f"(on {bead} {name_of(cell)})", f"(taken {name_of(cell)})"]
    init += [f"(heads {bead} {side})" for bead, side in zip(beads, headings, strict=False)]
    wanted = [f"(on {b} {name_of(cell)})" for b, cell in zip(beads, _places(first, goal), strict=True)]
    objects = {"cell": map(name_of, cells), "bead": beads, "side": SIDES, "sense": ("cw", "ccw")}
    return problem(FOLDING, objects, init, ["(still)", *wanted], costs=True)


def folded(length: int, folds: int) -> Problem:
    """A straight string of beads; the goal is where some random turns lead that are possible."""
    rng = seeded("folded", length, folds)
    headings = ["east"] * (length - 1)
    done = 0
    while done < folds:
        pivot, sense = rng.randrange(length - 1), rng.choice(("cw", "ccw"))
        new = [*headings[:pivot], *(_quarter(side, sense) for side in headings[pivot:])]
        if len(set(_places((0, 0), new))) == length:
            headings, done = new, done + 1
    return _string(["east"] * (length - 1), headings)


def crossed() -> Problem:
    """Five beads whose ends must lie on the same cell."""
    return _string(["east"] * 4, ["east", "south", OPPOSITE["east"], "north"])


PROBLEMS = {
    "folding-1": lambda: folded(5, 3),
    "folding-2": lambda: folded(8, 6),
    "folding-3": lambda: folded(12, 9),
    "folding-4": lambda: folded(16, 14),
    "folding-5": lambda: folded(24, 20),
    "folding-crossed": crossed,
}
