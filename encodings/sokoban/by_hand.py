"""Sokoban played by hand in the terminal: arrow keys walk and push."""

from collections.abc import Sequence

from puzzlemc.encodings.puzzle.by_hand import ARROWS, AWAY, ByHand, Line, Scene, Span, Sprite
from puzzlemc.encodings.puzzle.text import GameRecord
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead, steps
from puzzlemc.screens import sokoban
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.sokoban import Cell, Level, State

# For each kind of cell, by scale, its lines of characters.
WALL, FLOOR, GOAL, PLAYER, BOX, HOME, WAY = "wall", "floor", "goal", "player", "box", "home", "way"
LOOK = {
    WALL: (("██",), ("████", "████")),
    FLOOR: (("  ",), ("    ", "    ")),
    GOAL: (("··",), (" ▗▖ ", " ▝▘ ")),
    PLAYER: (("@)",), (" ▗▖ ", "▗██▖")),
    BOX: (("[]",), ("┌──┐", "└──┘")),
    HOME: (("[]",), ("┌──┐", "└──┘")),
    WAY: (("• ",), ("    ", " •  ")),
}
# For each kind of cell, the names of its text colour and background colour.
COLOUR = {
    WALL: ("wall", "wall"),
    FLOOR: ("", "floor"),
    GOAL: ("goal", "floor"),
    PLAYER: ("player", "floor"),
    BOX: ("box edge", "box"),
    HOME: ("box home edge", "box home"),
    WAY: ("player", "floor"),
}
POINTING = {"l": "←", "u": "↑", "r": "→", "d": "↓"}
WALKS = {"left": "l", "up": "u", "right": "r", "down": "d"}
WORDS = {"l": "left", "u": "up", "r": "right", "d": "down"}


def show(level: Level, position: State, hand: None, hint: Sequence[str], scale: int) -> Scene:
    """The board. A hint is shown as dots on the walk of the player, and an arrow on the box of the first push."""
    way: set[Cell] = set()
    arrows: dict[Cell, str] = {}
    at = position.player
    for move in hint:
        at = ahead(at, DIRECTIONS[move.lower()])
        if move.isupper():
            arrows[at] = POINTING[move.lower()]
            break
        way.add(at)
    width, floor = max(map(len, level.rows)), frozenset(level.floor)

    def cell(at: Cell, sign: str) -> Sprite:
        if at in floor:
            if at == position.player:
                return _sprite(PLAYER, scale)
            if at in position.boxes:
                return _sprite(HOME if at in level.goals else BOX, scale, arrows.get(at, ""))
            return _sprite(GOAL if at in level.goals else WAY if at in way else FLOOR, scale)
        if sign in "$*":  # a box out of reach, which never moves
            return _sprite(HOME if sign == "*" else BOX, scale)
        kind = WALL if sign == "#" else GOAL if sign == "." else ""
        return _sprite(kind, scale) if kind else _nothing(scale)

    high, wide = scale + 1, 2 * (scale + 1)

    def line(number: int) -> Line:
        row, part = divmod(number, high)
        signs = level.rows[row].ljust(width)
        return tuple(span for column, sign in enumerate(signs) for span in cell((row, column), sign)[part])

    row, column = position.player
    focus = (wide * (column - 2), high * (row - 2), 5 * wide, 5 * high)
    return Scene(wide * width, high * len(level.rows), line, focus)


def _sprite(kind: str, scale: int, arrow: str = "") -> Sprite:
    colour, ground = COLOUR[kind]
    texts = list(LOOK[kind][scale])
    if arrow:
        texts = [text.replace("[]", 2 * arrow).replace("└──", f"└{2 * arrow}") for text in texts]
    return tuple((Span(text, "ink" if arrow else colour, ground, kind == PLAYER),) for text in texts)


def _nothing(scale: int) -> Sprite:
    return ((Span(2 * (scale + 1) * " "),),) * (scale + 1)


def press(level: Level, position: State, hand: None, key: str) -> tuple[None, str] | None:
    """The step or push of an arrow key; an empty move if it is not legal; None for other keys."""
    if key not in ARROWS:
        return None
    name = WALKS[ARROWS[key]]
    return None, next((step.name for step in steps(level, position) if step.name.lower() == name), "")


def say(level: Level, move: str) -> str:
    """A move in words."""
    return f"{'push' if move.isupper() else 'go'} {WORDS[move.lower()]}"


def write(level: Level, moves: Sequence[str]) -> str:
    """A game as in `.sok` files: the board, and the moves below it."""
    letters = "".join(moves)
    lines = [letters[first : first + 70] for first in range(0, len(letters), 70)]
    return "\n".join([sokoban.draw(level), "", "Solution", *lines, ""])


def read(text: str, source: str) -> tuple[Level, list[str]]:
    """The level and the moves of a game. Raises LevelError."""
    lines = text.split("\n")
    heads = [number for number, line in enumerate(lines) if line.strip().lower() == "solution"]
    if len(heads) != 1:
        found = "no line" if not heads else f"{len(heads)} lines"
        raise LevelError(f"found {found} with the word Solution, expected one below a board", source=source)
    (level,) = sokoban.parse("\n".join(lines[: heads[0]]), source)[:1]
    if isinstance(level, LevelError):
        raise level
    moves: list[str] = []
    for number, line in enumerate(lines[heads[0] + 1 :], heads[0] + 2):
        for column, letter in enumerate(line.rstrip(), 1):
            if letter.lower() not in DIRECTIONS:
                message = f"found {letter!r}, expected one of l u r d L U R D"
                raise LevelError(message, source=source, line=number, column=column)
            moves.append(letter)
    return level, moves


BY_HAND = ByHand((("arrows, wasd", "go, push"),), show, press, say=say, scales=2, pad=lambda level: tuple(AWAY))
GAME_RECORD = GameRecord(write, read)
