"""PuzzleScript by hand: arrow keys move the players, `x` and space are the action, `.` waits for a tick.

The smallest scale has the characters of the legend. Larger ones have the pixels of the sprites: as half blocks,
two pixels in a character, or two characters a pixel.
"""

from collections.abc import Sequence
from itertools import groupby

from puzzlemc.encodings.puzzle.by_hand import ARROWS, AWAY, ByHand, Line, Scene, Span
from puzzlemc.encodings.puzzlescript.domain.moves import pick, say
from puzzlemc.encodings.puzzlescript.domain.position import MOVES, TICK, Position
from puzzlemc.encodings.puzzlescript.domain.rules import OF
from puzzlemc.mc.errors import LimitReached
from puzzlemc.screens.puzzlescript import Level, draw, pixels
from puzzlemc.screens.puzzlescript.sections import SIDE

KEYS = ARROWS | dict.fromkeys(("x", "X", "space", "enter"), "action") | {".": TICK}
ACTION_KEYS, TICK_KEYS = "x, space", "."  # as players read them
POINTING = {"up": "↑", "left": "←", "down": "↓", "right": "→", "action": "×", TICK: "‖"}
MIDDLE = SIDE // 2


def show(level: Level, position: Position, hand: None, hint: Sequence[str], scale: int) -> Scene:
    """The board. A hint is an arrow on each player."""
    arrow = POINTING.get(hint[0].partition(OF)[0], "•") if hint else ""
    if scale == 0:
        return _characters(level, position, arrow)
    return _pixels(level, position, arrow, scale)


def _characters(level: Level, position: Position, arrow: str) -> Scene:
    rows = draw(level, position).split("\n")[: level.height]

    def line(number: int) -> Line:
        spans = []
        for column, sign in enumerate(rows[number]):
            here = position.cells[number * level.width + column]
            is_player = bool(here & level.game.players)
            colour = "mark" if is_player and arrow else _main_colour(level, here)
            spans.append(Span((arrow if is_player and arrow else sign) + " ", colour, "", is_player))
        return tuple(spans)

    row, column = _player(level, position)
    return Scene(2 * level.width, level.height, line, (2 * (column - 2), row - 2, 10, 5))


def _main_colour(level: Level, here: frozenset[str]) -> str:
    """The most frequent colour of what is uppermost in a cell."""
    names = [name for name in level.game.objects if name in here]
    colours = [colour for row in pixels(level.game, frozenset(names[-1:])) for colour in row]
    ground = level.game.background_colour
    return max(dict.fromkeys(colours), key=lambda colour: (colour != ground) * colours.count(colour))


def _pixels(level: Level, position: Position, arrow: str, scale: int) -> Scene:
    wide, high = scale, 3 - scale  # characters a pixel across, pixels a character down
    width, height = wide * SIDE * level.width, -(-SIDE * level.height // high)
    boards = [pixels(level.game, here) for here in position.cells]
    players = {divmod(cell, level.width) for cell, here in enumerate(position.cells) if here & level.game.players}

    def row_of(y: int) -> list[str]:
        """The colours of a row of pixels."""
        if y >= SIDE * level.height:
            return [""] * (SIDE * level.width)
        first = y // SIDE * level.width
        return [colour for board in boards[first : first + level.width] for colour in board[y % SIDE]]

    def line(number: int) -> Line:
        upper = row_of(high * number)
        lower = row_of(high * number + 1) if high == 2 else upper
        middle = {x * SIDE + MIDDLE for y, x in players if (y * SIDE + MIDDLE) // high == number}
        spans = []
        pixels_here = [
            (*both, bool(arrow) and x in middle) for x, both in enumerate(zip(upper, lower, strict=True))
        ]
        for (above, below, pointed), run in groupby(pixels_here):
            count = wide * len(list(run))
            if pointed:
                spans.append(Span(arrow.ljust(count), "mark", above, bold=True))
            elif above == below:
                spans.append(Span(" " * count, "", above))
            else:
                spans.append(Span("▀" * count, above, below))
        return tuple(spans)

    row, column = _player(level, position)
    cell = wide * SIDE, -(-SIDE // high)
    focus = (cell[0] * (column - 1), SIDE * (row - 1) // high, 3 * cell[0], 3 * cell[1])
    return Scene(width, height, line, focus)


def _player(level: Level, position: Position) -> tuple[int, int]:
    """The row and the column of the first player; those of the first cell if there is none."""
    places = (cell for cell, here in enumerate(position.cells) if here & level.game.players)
    return divmod(next(places, 0), level.width)


def press(level: Level, position: Position, hand: None, key: str) -> tuple[None, str] | None:
    """The move of a key; an empty move if it changes nothing; None for other keys."""
    if key not in KEYS:
        return None
    try:
        return None, pick(level, position, KEYS[key])
    except LimitReached:
        return None, ""


def idle(level: Level) -> frozenset[str]:
    """The keys of the action and of ticks, if these never change anything in a level."""
    from puzzlemc.encodings.puzzlescript.planes.encoding import board  # only games that are played need it

    made = board(level).compilation
    found = set[str]()
    if not level.game.has_action or made.is_idle(MOVES.index("action")):
        found.add(ACTION_KEYS)
    if not level.game.has_clock or made.is_idle(len(MOVES)):
        found.add(TICK_KEYS)
    return frozenset(found)


def pad(level: Level) -> tuple[str, ...]:
    """The arrow keys, and the keys of the action and of ticks if these may change something."""
    nothing = idle(level)
    return (*AWAY, *(key for keys, key in ((ACTION_KEYS, "x"), (TICK_KEYS, ".")) if keys not in nothing))


BY_HAND = ByHand(
    (("arrows, wasd", "go"), (ACTION_KEYS, "action"), (TICK_KEYS, "wait for a tick")),
    show,
    press,
    say=say,
    scales=3,
    idle=idle,
    pad=pad,
)
