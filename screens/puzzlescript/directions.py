"""The first step of expansion: a rule for each of its directions, with absolute movements."""

from puzzlemc.screens.puzzlescript.game import Cell, Row, Rule, Term
from puzzlemc.screens.puzzlescript.written_rules import RELATIVE

# Direction of a rule -> what each word of RELATIVE means in it. The last two are kinds of movements, which are not
# the same as those that are written `horizontal` and `vertical`: the right side names its kind.
_ABSOLUTE = {
    "right": ("up", "down", "left", "right", "parallel horizontal", "perpendicular vertical"),
    "left": ("down", "up", "right", "left", "parallel horizontal", "perpendicular vertical"),
    "up": ("left", "right", "down", "up", "parallel vertical", "perpendicular horizontal"),
    "down": ("right", "left", "up", "down", "parallel vertical", "perpendicular horizontal"),
}
_MIRRORED = {"up": "down", "left": "right"}


def directed(rule: Rule, direction: str) -> Rule:
    """Return a rule with a direction and absolute movements.

    A rule up or left becomes the mirrored rule down or right. A rule with an ellipsis keeps its direction, since
    the order of its matches depends on it.
    """
    absolute = dict(zip(RELATIVE, _ABSOLUTE[direction], strict=True))
    mirrored = direction in _MIRRORED and all(cell is not None for row in rule.left for cell in row)

    def side(rows: tuple[Row, ...]) -> tuple[Row, ...]:
        cells = (tuple(_absolute(cell, absolute) for cell in row) for row in rows)
        return tuple(row[::-1] if mirrored else row for row in cells)

    return Rule(
        rule.line,
        rule.group,
        _MIRRORED[direction] if mirrored else direction,
        side(rule.left),
        side(rule.right),
        rule.late,
        rule.rigid,
        rule.commands,
    )


def _absolute(cell: Cell, absolute: dict[str, str]) -> Cell:
    if cell is None:
        return None
    return tuple(Term(absolute.get(movement, movement), name) for movement, name in cell)
