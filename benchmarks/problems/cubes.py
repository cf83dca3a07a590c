"""Cubes of 3×3×3 whose faces turn: corners and edges, each with its place and its twist."""

from collections.abc import Sequence

from problems.text import Problem, numbers, problem, seeded

CUBES = """(define (domain cubes)
  (:requirements :adl :typing)
  (:types piece place twist face)
  (:predicates (sits ?p - piece ?a - place ?t - twist)
    (turns ?f - face ?a - place ?t - twist ?b - place ?u - twist))
  (:action turn
    :parameters (?f - face)
    :effect (and
      (forall (?p - piece ?a ?b - place ?t ?u - twist)
        (when (and (turns ?f ?a ?t ?b ?u) (sits ?p ?a ?t))
          (and (sits ?p ?b ?u) (not (sits ?p ?a ?t))))))))
"""
Cubie = tuple[int, int, int]  # a corner or an edge: -1, 0 or 1 for each axis

PLACES = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if abs(x) + abs(y) + abs(z) >= 2]


def _looks(place: Cubie) -> list[Cubie]:
    """The directions in which the stickers of a place look."""
    x, y, z = place
    return [look for look in ((x, 0, 0), (0, y, 0), (0, 0, z)) if any(look)]


def _rotate(vector: Cubie, axis: int, sense: int) -> Cubie:
    one, other = (axis + 1) % 3, (axis + 2) % 3
    turned = list(vector)
    turned[one], turned[other] = -sense * vector[other], sense * vector[one]
    return turned[0], turned[1], turned[2]


def _turn(axis: int, layer: int, sense: int) -> dict[tuple[int, int], tuple[int, int]]:
    """Where a turn takes a piece: from a place and a twist, to a place and a twist."""
    moves = {}
    for number, place in enumerate(PLACES):
        if place[axis] != layer:
            continue
        to = _rotate(place, axis, sense)
        looks = _looks(to)
        # The twist of a piece is the number of the look of its first sticker.
        for twist, look in enumerate(_looks(place)):
            moves[number, twist] = PLACES.index(to), looks.index(_rotate(look, axis, sense))
    return moves


TURNS = {
    f"{'xyz'[axis]}{'+' if layer > 0 else '-'}{'r' if sense > 0 else 'l'}": _turn(axis, layer, sense)
    for axis in range(3)
    for layer in (1, -1)
    for sense in (1, -1)
}


def _cube(at: Sequence[tuple[int, int]]) -> Problem:
    """`at` is the place and the twist of each piece."""
    init = [f"(sits p{piece} a{place} t{twist})" for piece, (place, twist) in enumerate(at)]
    for face, moves in TURNS.items():
        init += [f"(turns {face} a{a} t{t} a{b} t{u})" for (a, t), (b, u) in moves.items()]
    goal = [f"(sits p{piece} a{piece} t0)" for piece in range(len(at))]
    count = len(PLACES)
    objects = {"piece": numbers("p", count), "place": numbers("a", count), "twist": numbers("t", 3), "face": TURNS}
    return problem(CUBES, objects, init, goal)


def scrambled(count: int) -> Problem:
    """The cube after random turns."""
    rng = seeded("cube", count)
    at = [(number, 0) for number in range(len(PLACES))]
    for _ in range(count):
        moves = TURNS[rng.choice([*TURNS])]
        at = [moves.get(each, each) for each in at]
    return _cube(at)


def flipped() -> Problem:
    """One edge is flipped."""
    edge = next(n for n, place in enumerate(PLACES) if 0 in place)
    return _cube([(number, int(number == edge)) for number in range(len(PLACES))])


PROBLEMS = {
    "cube-1": lambda: scrambled(3),
    "cube-2": lambda: scrambled(5),
    "cube-3": lambda: scrambled(7),
    "cube-4": lambda: scrambled(9),
    "cube-5": lambda: scrambled(12),
    "cube-flipped": flipped,
}
