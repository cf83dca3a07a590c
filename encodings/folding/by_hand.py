"""Folding Blocks by hand: an arrow key folds the block of the chosen colour. The hand is that colour."""

from collections.abc import Sequence

from puzzlemc.encodings.folding.rules import steps
from puzzlemc.encodings.puzzle.by_hand import ARROWS, ByHand, Scene, Span, Sprite, grid, scene
from puzzlemc.screens.base.picture import NUMBERED
from puzzlemc.screens.folding import EMPTY, NO_CELL, Level, Matrix

FOLDS = {"up": "U", "down": "D", "left": "L", "right": "R"}
POINTING = {"U": "↑", "D": "↓", "L": "←", "R": "→"}
WORDS = {"U": "up", "D": "down", "L": "left", "R": "right"}


def colours(position: Matrix) -> list[int]:
    """The colours on the board."""
    return sorted({value for row in position for value in row if value > EMPTY})


def folds(level: Level, position: Matrix, colour: int) -> str:
    """The directions in which the block of a colour can fold."""
    return "".join(step.name[-1] for step in steps(level, position) if step.name[:-1] == str(colour))


def hand(level: Level, position: Matrix, before: int | None) -> int:
    """The colour that was chosen before if it can fold, otherwise the first colour that can."""
    movable = [int(step.name[:-1]) for step in steps(level, position)]
    if before is not None and (before in movable or not movable):
        return before
    return (movable or colours(position) or [EMPTY])[0]


def chosen(level: Level, position: Matrix, hand: int) -> list[tuple[int, int]]:
    """The cells of the chosen colour."""
    return [(r, c) for r, row in enumerate(position) for c, value in enumerate(row) if value == hand]


def show(level: Level, position: Matrix, hand: int, hint: Sequence[str], scale: int) -> Scene:
    """The board; the chosen colour is in brackets, and a hint is arrows on the block that folds."""
    most = max((len(str(value)) for row in position for value in row), default=1)
    wide = most + 2 if scale == 0 else most + 2 + (most % 2 == 0) + 2 * scale
    colour, arrow = (int(hint[0][:-1]), POINTING[hint[0][-1]]) if hint else (EMPTY, "")

    def cell(value: int) -> Sprite:
        if value == NO_CELL:
            return ((Span(" " * wide),),) * (scale + 1)
        if value == EMPTY:
            return _lines("·", wide, scale, "line", "floor")
        text = f"{value}{arrow}" if value == colour else f"[{value}]" if value == hand else str(value)
        return _lines(text, wide, scale, "ink", str(value % NUMBERED), bold=value in (hand, colour))

    places = chosen(level, position, hand)
    row, column = places[0] if places else (0, 0)
    focus = (column * wide, row * (scale + 1), wide, scale + 1)
    return scene(grid([cell(value) for value in row] for row in position), focus)


def _lines(text: str, wide: int, scale: int, colour: str, ground: str, *, bold: bool = False) -> Sprite:
    blank = (Span(" " * wide, colour, ground),)
    line = (Span(text.center(wide), colour, ground, bold),)
    return tuple(line if number == scale // 2 else blank for number in range(scale + 1))


def press(level: Level, position: Matrix, hand: int, key: str) -> tuple[int, str] | None:
    """Choose a colour, or fold."""
    known = colours(position)
    if key in ARROWS:
        direction = FOLDS[ARROWS[key]]
        return hand, f"{hand}{direction}" if direction in folds(level, position, hand) else ""
    if key in ("tab", "space", "shift+tab") and known:
        at = known.index(hand) if hand in known else 0
        return known[(at + (-1 if key == "shift+tab" else 1)) % len(known)], ""
    if key.isascii() and key.isdigit():
        # The next colour whose last digit is this one.
        ending = [colour for colour in known if str(colour).endswith(key)]
        later = [colour for colour in ending if colour > hand]
        return ((later or ending)[0], "") if ending else None
    return None


def prompt(level: Level, position: Matrix, hand: int) -> str:
    """The line below the board: the directions in which the chosen colour can fold."""
    found = folds(level, position, hand)
    ways = " ".join(POINTING[direction] for direction in "LUDR" if direction in found)
    return f"Colour {hand} folds {ways}" if ways else f"Colour {hand} does not fold: choose another one"


def say(level: Level, move: str) -> str:
    """A move in words."""
    return f"fold {move[:-1]} {WORDS[move[-1]]}"


BY_HAND = ByHand(
    (("arrows", "fold"), ("tab, 1-9", "colour")), show, press, hand, say, prompt, scales=3, chosen=chosen
)
