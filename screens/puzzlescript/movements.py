"""A step of expansion: a rule for each choice of the ambiguous movements of its left side, such as `moving`.

The order of the result matters, since it is the order of application. In each round, a rule is replaced by the
rules in which one of its cells has a concrete movement: every cell with an ambiguous movement is tried, in the
order of the cells. So the same rule arises in several ways; of equal rules, the last one stays. The earlier ones
are dropped after each round: all that would arise from them arises from the last one, too, and later.
"""

from typing import NamedTuple

from puzzlemc.screens.puzzlescript.game import Cell, Row, Term

_ORTHOGONAL = ("up", "down", "left", "right")
KINDS = {
    "moving": (*_ORTHOGONAL, "action"),
    "orthogonal": _ORTHOGONAL,
    "horizontal": ("left", "right"),
    "parallel horizontal": ("left", "right"),
    "perpendicular horizontal": ("left", "right"),
    "vertical": ("up", "down"),
    "parallel vertical": ("up", "down"),
    "perpendicular vertical": ("up", "down"),
}

Sides = tuple[tuple[Row, ...], tuple[Row, ...]]
Choice = tuple[tuple[str, str], str]  # (object, or "" for all of them; kind), movement or "" if several


class Overflow(Exception):
    """A rule expands to more rules than a limit."""


class _Draft(NamedTuple):
    left: tuple[Row, ...]
    right: tuple[Row, ...]
    choices: frozenset[Choice]


def expand_movements(sides: Sides, most: int) -> list[Sides]:
    """Return the sides with concrete movements on the left, in order, without repetitions.

    The right side has the movement of the same object in the same cell; or, if only one cell on the left has the
    kind of movement for that object, its movement; or, if only one cell has the kind at all, its movement. Others
    stay ambiguous. Raises Overflow beyond `most` rules.
    """
    drafts = [_Draft(*sides, frozenset())]
    while any(_ambiguous(cell) for row in drafts[0].left for cell in row):
        last: dict[_Draft, None] = {}
        for draft in drafts:
            for each in _expanded(draft):
                last.pop(each, None)
                last[each] = None
            if len(last) > most:
                raise Overflow
        drafts = list(last)
    results = dict.fromkeys((draft.left, _inferred(draft)) for draft in reversed(drafts))
    return list(results)[::-1]


def is_ambiguous(rows: tuple[Row, ...]) -> str:
    """Return an ambiguous movement of some rows as it is written, "" if there is none."""
    found = next(filter(None, (_ambiguous(cell) for row in rows for cell in row)), None)
    return found.movement.split()[0] if found else ""


def _ambiguous(cell: Cell) -> Term | None:
    return next((term for term in cell or () if term.movement in KINDS), None)


def _expanded(draft: _Draft) -> list[_Draft]:
    found = []
    for number, row in enumerate(draft.left):
        for place, cell in enumerate(row):
            term = _ambiguous(cell)
            if term is None:
                continue
            for movement in KINDS[term.movement]:
                choices = dict(draft.choices)
                for who in (term.name, ""):
                    key = who, term.movement
                    choices[key] = "" if key in choices else movement
                found.append(
                    _Draft(
                        _at(draft.left, number, place, term, movement),
                        _at(draft.right, number, place, term, movement),
                        frozenset(choices.items()),
                    )
                )
    return found


def _at(rows: tuple[Row, ...], number: int, place: int, term: Term, movement: str) -> tuple[Row, ...]:
    """Return rows in which a term of one cell has a movement."""
    if not rows:
        return rows
    row = rows[number]
    cell = tuple(
        Term(movement, name) if (kind, name) == term else Term(kind, name) for kind, name in row[place] or ()
    )
    return (*rows[:number], (*row[:place], cell, *row[place + 1 :]), *rows[number + 1 :])


def _inferred(draft: _Draft) -> tuple[Row, ...]:
    """Return the right side with the movements that are certain from the left side."""
    choices = dict(draft.choices)
    if not is_ambiguous(draft.right):
        return draft.right

    def certain(term: Term) -> Term:
        kind, name = term
        movement = choices.get((name, kind)) or choices.get(("", kind)) if kind in KINDS else ""
        return Term(movement, name) if movement else term

    return tuple(tuple(None if cell is None else tuple(map(certain, cell)) for cell in row) for row in draft.right)
