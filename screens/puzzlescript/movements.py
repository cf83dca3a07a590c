"""Two steps of expansion, by directions and by movements.

The first step makes a rule for each of its directions, with absolute movements. The second one makes a rule for
each choice of the ambiguous movements of its left side, such as `moving`.

The order of the result matters, since it is the order of application. In each round, a rule is replaced by the
rules in which one of its cells has a concrete movement: every cell with an ambiguous movement is tried, in the
order of the cells. So the same rule arises in several ways; of equal rules, the last one stays. The earlier ones
are dropped after each round: all that would arise from them arises from the last one, too, and later.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from puzzlemc.screens.puzzlescript.game import Cell, Row, Rule, Term
from puzzlemc.screens.puzzlescript.written_rules import ORTHOGONAL, RELATIVE

KINDS = {
    "moving": (*ORTHOGONAL, "action"),
    "orthogonal": ORTHOGONAL,
    "horizontal": ("left", "right"),
    "parallel horizontal": ("left", "right"),
    "perpendicular horizontal": ("left", "right"),
    "vertical": ("up", "down"),
    "parallel vertical": ("up", "down"),
    "perpendicular vertical": ("up", "down"),
}

# Direction of a rule -> what each word of RELATIVE means in it. The last two are kinds of movements, which are not
# the same as those that are written `horizontal` and `vertical`: the right side names its kind.
_ABSOLUTE = {
    "right": ("up", "down", "left", "right", "parallel horizontal", "perpendicular vertical"),
    "left": ("down", "up", "right", "left", "parallel horizontal", "perpendicular vertical"),
    "up": ("left", "right", "down", "up", "parallel vertical", "perpendicular horizontal"),
    "down": ("right", "left", "up", "down", "parallel vertical", "perpendicular horizontal"),
}
_MIRRORED = {"up": "down", "left": "right"}

Sides = tuple[tuple[Row, ...], tuple[Row, ...]]
Choice = tuple[tuple[str, str], str]  # (object, or "" for all of them; kind), movement or "" if several


class Overflow(Exception):
    """A rule expands to more rules than a limit."""


class _Draft(NamedTuple):
    left: tuple[Row, ...]
    right: tuple[Row, ...]
    choices: frozenset[Choice]


def with_terms(rows: tuple[Row, ...], change: Callable[[Term], Sequence[Term]]) -> tuple[Row, ...]:
    """Return rows with other terms in the place of each one."""
    return tuple(
        tuple(None if cell is None else tuple(new for term in cell for new in change(term)) for cell in row)
        for row in rows
    )


def with_terms_at(
    rows: tuple[Row, ...], number: int, place: int, change: Callable[[Term], Sequence[Term]]
) -> tuple[Row, ...]:
    """Return rows with other terms in one cell."""
    if not rows:
        return rows
    row = rows[number]
    changed = with_terms(((row[place],),), change)
    return (*rows[:number], (*row[:place], *changed[0], *row[place + 1 :]), *rows[number + 1 :])


def directed(rule: Rule, direction: str) -> Rule:
    """Return a rule with a direction and absolute movements.

    A rule up or left becomes the mirrored rule down or right. A rule with an ellipsis keeps its direction, since
    the order of its matches depends on it.
    """
    absolute = dict(zip(RELATIVE, _ABSOLUTE[direction], strict=True))
    mirrored = direction in _MIRRORED and all(cell is not None for row in rule.left for cell in row)

    def side(rows: tuple[Row, ...]) -> tuple[Row, ...]:
        changed = with_terms(rows, lambda term: [Term(absolute.get(term.movement, term.movement), term.name)])
        return tuple(row[::-1] for row in changed) if mirrored else changed

    return Rule(
        rule.line,
        rule.group,
        _MIRRORED[direction] if mirrored else direction,
        side(rule.left),
        side(rule.right),
        rule.late,
        rule.rigid,
        rule.commands,
        rule.random,
    )


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
                change = _setting(term, movement)
                left, right = (with_terms_at(rows, number, place, change) for rows in (draft.left, draft.right))
                found.append(_Draft(left, right, frozenset(choices.items())))
    return found


def _setting(old: Term, movement: str) -> Callable[[Term], list[Term]]:
    new = Term(movement, old.name)
    return lambda term: [new if term == old else term]


def _inferred(draft: _Draft) -> tuple[Row, ...]:
    """Return the right side with the movements that are certain from the left side."""
    choices = dict(draft.choices)
    if not is_ambiguous(draft.right):
        return draft.right

    def certain(term: Term) -> list[Term]:
        kind, name = term
        movement = choices.get((name, kind)) or choices.get(("", kind)) if kind in KINDS else ""
        return [Term(movement, name) if movement else term]

    return with_terms(draft.right, certain)
