"""Well-known puzzles without a solution in PDDL: nothing but rules and a position."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from corners import TURNS
from knights import JUMPS

Problem: TypeAlias = tuple[str, str]  # domain, problem
Cell: TypeAlias = tuple[int, int]

TILES = """(define (domain tiles)
  (:requirements :strips :typing)
  (:types tile cell)
  (:predicates (in ?t - tile ?c - cell) (gap ?c - cell) (beside ?c ?d - cell))
  (:action slide
    :parameters (?t - tile ?c ?d - cell)
    :precondition (and (in ?t ?c) (gap ?d) (beside ?c ?d))
    :effect (and (in ?t ?d) (gap ?c) (not (in ?t ?c)) (not (gap ?d)))))
"""
LAMPS = """(define (domain lamps)
  (:requirements :adl)
  (:types lamp)
  (:predicates (shines ?l - lamp) (wired ?b ?l - lamp))
  (:action press
    :parameters (?b - lamp)
    :effect (forall (?l - lamp)
      (and (when (and (wired ?b ?l) (shines ?l)) (not (shines ?l)))
           (when (and (wired ?b ?l) (not (shines ?l))) (shines ?l))))))
"""
SOLITAIRE = """(define (domain solitaire)
  (:requirements :strips :typing :negative-preconditions)
  (:types hole)
  (:predicates (peg ?h - hole) (in-line ?a ?b ?c - hole))
  (:action jump
    :parameters (?a ?b ?c - hole)
    :precondition (and (in-line ?a ?b ?c) (peg ?a) (peg ?b) (not (peg ?c)))
    :effect (and (peg ?c) (not (peg ?a)) (not (peg ?b)))))
"""
BOARD = """(define (domain board)
  (:requirements :strips :typing :negative-preconditions)
  (:types cell)
  (:predicates (covered ?c - cell) (beside ?c ?d - cell))
  (:action lay
    :parameters (?c ?d - cell)
    :precondition (and (beside ?c ?d) (not (covered ?c)) (not (covered ?d)))
    :effect (and (covered ?c) (covered ?d))))
"""
CUBE = """(define (domain cube)
  (:requirements :adl)
  (:types face place twist)
  (:predicates (twisted ?p - place ?t - twist) (moves ?f - face ?p ?q - place)
    (adds ?f - face ?p - place ?t ?u - twist))
  (:action turn
    :parameters (?f - face)
    :effect (and
      (forall (?p ?q - place ?u - twist)
        (when (and (moves ?f ?p ?q) (twisted ?q ?u)) (not (twisted ?q ?u))))
      (forall (?p ?q - place ?t ?u - twist)
        (when (and (moves ?f ?p ?q) (twisted ?p ?t) (adds ?f ?p ?t ?u)) (twisted ?q ?u))))))
"""
RIVER = """(define (domain river)
  (:requirements :strips :typing)
  (:types bank amount)
  (:predicates (boat ?b - bank) (across ?b ?c - bank)
    (men ?b - bank ?n - amount) (eaters ?b - bank ?n - amount) (plus ?n ?k ?m - amount) (safe ?n ?k - amount)
    (load ?n ?k - amount))
  (:action row
    :parameters (?b ?c - bank ?m ?e ?mb ?eb ?mc ?ec ?nmb ?neb ?nmc ?nec - amount)
    :precondition (and (boat ?b) (across ?b ?c) (load ?m ?e)
      (men ?b ?mb) (eaters ?b ?eb) (men ?c ?mc) (eaters ?c ?ec)
      (plus ?nmb ?m ?mb) (plus ?neb ?e ?eb) (plus ?mc ?m ?nmc) (plus ?ec ?e ?nec)
      (safe ?nmb ?neb) (safe ?nmc ?nec))
    :effect (and (boat ?c) (not (boat ?b)) (not (men ?b ?mb)) (not (eaters ?b ?eb)) (not (men ?c ?mc))
      (not (eaters ?c ?ec)) (men ?b ?nmb) (eaters ?b ?neb) (men ?c ?nmc) (eaters ?c ?nec))))
"""


def _problem(
    domain: str, objects: Mapping[str, Iterable[str]], init: Iterable[str], goal: Iterable[str]
) -> Problem:
    named = " ".join(f"{' '.join(names)} - {kind}" for kind, names in objects.items())
    name = domain.split("(domain ")[1].split(")")[0]
    parts = [f"(:objects {named})", f"(:init {' '.join(init)})", f"(:goal (and {' '.join(goal)}))"]
    return domain, f"(define (problem one) (:domain {name})\n  " + "\n  ".join(parts) + ")\n"


def _name(cell: Cell) -> str:
    return f"c{cell[0]}-{cell[1]}"


def _square(height: int, width: int) -> list[Cell]:
    return [(r, c) for r in range(height) for c in range(width)]


def _near(cell: Cell, there: Sequence[Cell], steps: Sequence[Cell]) -> list[Cell]:
    return [to for down, right in steps if (to := (cell[0] + down, cell[1] + right)) in there]


SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))


def exchanged(height: int, width: int, steps: Sequence[Cell] = SIDES, *, last: bool = True) -> Problem:
    """Tiles in order, but for the last two, or the first two; a gap in the corner, and steps that a tile takes."""
    cells = _square(height, width)
    tiles = [f"t{number}" for number in range(1, len(cells))]
    first = [*tiles[:-2], *tiles[:-3:-1]] if last else [tiles[1], tiles[0], *tiles[2:]]
    beside = [f"(beside {_name(c)} {_name(d)})" for c in cells for d in _near(c, cells, steps)]
    init = [f"(in {tile} {_name(c)})" for tile, c in zip(first, cells[:-1], strict=True)]
    goal = [f"(in {tile} {_name(c)})" for tile, c in zip(tiles, cells[:-1], strict=True)]
    objects = {"tile": tiles, "cell": map(_name, cells)}
    return _problem(TILES, objects, [*beside, *init, f"(gap {_name(cells[-1])})"], goal)


def corner(size: int) -> Problem:
    """Lights out with one corner lit."""
    cells = _square(size, size)
    wired = [f"(wired {_name(c)} {_name(d)})" for c in cells for d in _near(c, cells, ((0, 0), *SIDES))]
    dark = [f"(not (shines {_name(c)}))" for c in cells]
    return _problem(LAMPS, {"lamp": map(_name, cells)}, [*wired, f"(shines {_name(cells[0])})"], dark)


def pegs(first: Cell, last: Cell) -> Problem:
    """The English board, with one hole at first, and one peg at last."""
    holes = [(r, c) for r, c in _square(7, 7) if 2 <= r <= 4 or 2 <= c <= 4]
    lines = [
        f"(in-line {_name((r, c))} {_name((r + down, c + right))} {_name((r + 2 * down, c + 2 * right))})"
        for r, c in holes
        for down, right in SIDES
        if (r + 2 * down, c + 2 * right) in holes
    ]
    init = [f"(peg {_name(h)})" for h in holes if h != first]
    goal = [f"(peg {_name(h)})" if h == last else f"(not (peg {_name(h)}))" for h in holes]
    return _problem(SOLITAIRE, {"hole": map(_name, holes)}, [*lines, *init], goal)


def mutilated(size: int) -> Problem:
    """Dominoes on a square board without two opposite corners."""
    cells = _square(size, size)[1:-1]
    beside = [f"(beside {_name(c)} {_name(d)})" for c in cells for d in _near(c, cells, SIDES[:2])]
    return _problem(BOARD, {"cell": map(_name, cells)}, beside, [f"(covered {_name(c)})" for c in cells])


def twisted() -> Problem:
    """The corners of a cube of 2×2×2, one of them twisted by a third."""
    init = [f"(twisted p{place} w{int(place == 0)})" for place in range(8)]
    for face, (places, more) in TURNS.items():
        for here, there, third in zip(places, places[1:] + places[:1], more, strict=True):
            init.append(f"(moves {face} p{here} p{there})")
            init += [f"(adds {face} p{here} w{old} w{(old + third) % 3})" for old in range(3)]
    objects = {
        "face": TURNS,
        "place": [f"p{place}" for place in range(8)],
        "twist": [f"w{twist}" for twist in range(3)],
    }
    return _problem(CUBE, objects, init, [f"(twisted p{place} w0)" for place in range(8)])


def crossing(people: int, seats: int) -> Problem:
    """Missionaries and as many cannibals, who must nowhere be more than the missionaries with them."""
    numbers = range(people + 1)
    init = [f"(men left n{people})", f"(eaters left n{people})", "(men right n0)", "(eaters right n0)"]
    init += ["(boat left)", "(across left right)", "(across right left)"]
    init += [f"(plus n{n} n{k} n{n + k})" for n in numbers for k in numbers if n + k <= people]
    init += [f"(safe n{n} n{k})" for n in numbers for k in numbers if n == 0 or n >= k]
    init += [f"(load n{n} n{k})" for n in numbers for k in numbers if 0 < n + k <= seats and (n == 0 or n >= k)]
    objects = {"bank": ["left", "right"], "amount": [f"n{n}" for n in numbers]}
    return _problem(RIVER, objects, init, [f"(men right n{people})", f"(eaters right n{people})"])


PROBLEMS: Mapping[str, Callable[[], Problem]] = {
    "fifteen puzzle, two tiles exchanged, 3×3": lambda: exchanged(3, 3),
    "the same, 3×4": lambda: exchanged(3, 4),
    "the same, 4×4": lambda: exchanged(4, 4),
    "the same, 5×5": lambda: exchanged(5, 5),
    "lights out, one corner lit, 5×5": lambda: corner(5),
    "the same, 9×9": lambda: corner(9),
    "the same, 14×14": lambda: corner(14),
    "pegs, English board, to the hole beside the centre": lambda: pegs((3, 3), (3, 4)),
    "pegs, English board, to a corner of the cross": lambda: pegs((3, 3), (0, 2)),
    "dominoes on a board of 8×8 without two corners": lambda: mutilated(8),
    "eleven knights on 3×4, two exchanged": lambda: exchanged(3, 4, JUMPS, last=False),
    "corners of a cube, one twisted": twisted,
    "four missionaries, four cannibals, two seats": lambda: crossing(4, 2),
}
