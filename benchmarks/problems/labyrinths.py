"""Labyrinths of cards with gates: who walks from card to card may slide rows and columns, which go round."""

from collections.abc import Mapping

from problems.text import OPPOSITE, SIDES, Cell, Problem, beside, name_of, neighbours, problem, rectangle, seeded

LABYRINTHS = """(define (domain labyrinths)
  (:requirements :adl :typing)
  (:types card place side line)
  (:predicates (next ?p - place ?s - side ?q - place) (faces ?s ?z - side) (gate ?k - card ?s - side)
    (follows ?l - line ?p ?q - place) (lies ?k - card ?p - place) (on ?k - card))
  (:action walk
    :parameters (?k ?m - card ?p ?q - place ?s ?z - side)
    :precondition (and (on ?k) (lies ?k ?p) (next ?p ?s ?q) (lies ?m ?q) (faces ?s ?z) (gate ?k ?s) (gate ?m ?z))
    :effect (and (on ?m) (not (on ?k))))
  (:action slide
    :parameters (?l - line)
    :effect (forall (?k - card ?p ?q - place)
      (when (and (follows ?l ?p ?q) (lies ?k ?p)) (and (lies ?k ?q) (not (lies ?k ?p)))))))
"""


def _lines(side: int) -> dict[str, dict[Cell, Cell]]:
    """Where each slide of a row or a column takes a place."""
    lines = {}
    for number in range(side):
        for sign, name in ((1, "forth"), (-1, "back")):
            lines[f"row{number}-{name}"] = {(number, k): (number, (k + sign) % side) for k in range(side)}
            lines[f"column{number}-{name}"] = {(k, number): ((k + sign) % side, number) for k in range(side)}
    return lines


def _labyrinth(
    side: int, gates: Mapping[Cell, list[str]], start: Cell, goal: Mapping[Cell, Cell], end: Cell
) -> Problem:
    """Cards are named by their first places; the goal has places of some cards, and the card to stand on."""
    cells = rectangle(side, side)
    init = [f"(next {name_of(c)} {s} {name_of(d)})" for c, s, d in neighbours(cells)]
    init += [f"(faces {s} {z})" for s, z in OPPOSITE.items()]
    init += [f"(gate k{name_of(card)} {s})" for card, sides in gates.items() for s in sides]
    for line, moves in _lines(side).items():
        init += [f"(follows {line} {name_of(p)} {name_of(q)})" for p, q in moves.items()]
    init += [f"(lies k{name_of(cell)} {name_of(cell)})" for cell in cells]
    init.append(f"(on k{name_of(start)})")
    wanted = [f"(lies k{name_of(card)} {name_of(cell)})" for card, cell in goal.items()]
    objects = {
        "card": [f"k{name_of(cell)}" for cell in cells],
        "place": map(name_of, cells),
        "side": SIDES,
        "line": _lines(side),
    }
    return problem(LABYRINTHS, objects, init, [*wanted, f"(on k{name_of(end)})"])


def labyrinth(side: int, moves: int, placed: int) -> Problem:
    """The goal is to stand on the card where a random walk ends, and some cards where they are then."""
    rng = seeded("labyrinth", side, moves, placed)
    cells = rectangle(side, side)
    gates = {cell: rng.sample([*SIDES], rng.choice((1, 2, 2, 3))) for cell in cells}
    at = {cell: cell for cell in cells}  # card -> place
    card = start = cells[0]
    for _ in range(moves):
        if rng.random() < 0.5:
            line = rng.choice([*_lines(side).values()])
            at = {each: line.get(place, place) for each, place in at.items()}
            continue
        lying = {place: each for each, place in at.items()}
        for way in rng.sample(gates[card], len(gates[card])):
            other = lying.get(beside(at[card], way))
            if other is not None and OPPOSITE[way] in gates[other]:
                card = other
                break
    wanted = [card, *rng.sample([cell for cell in cells if cell != card], placed)]
    return _labyrinth(side, gates, start, {each: at[each] for each in wanted}, card)


def exchanged() -> Problem:
    """Two of 3×3 cards are exchanged: each slide is an even permutation."""
    cells = rectangle(3, 3)
    goal = {**{cell: cell for cell in cells}, cells[0]: cells[1], cells[1]: cells[0]}
    return _labyrinth(3, {cell: [*SIDES] for cell in cells}, cells[0], goal, cells[0])


PROBLEMS = {
    "labyrinth-1": lambda: labyrinth(3, 20, 0),
    "labyrinth-2": lambda: labyrinth(4, 40, 1),
    "labyrinth-3": lambda: labyrinth(5, 60, 2),
    "labyrinth-4": lambda: labyrinth(6, 80, 2),
    "labyrinth-5": lambda: labyrinth(7, 100, 3),
    "labyrinth-exchanged": exchanged,
}
