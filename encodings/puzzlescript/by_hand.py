"""PuzzleScript games by hand: arrow keys move, x or space acts. There is no hand.

A cell is drawn in the colours of its sprites. The character of the level's text stands in its middle, so a
position can be read without colours, too.
"""

from collections.abc import Sequence

from puzzlemc.encodings.puzzle.by_hand import ARROWS, ByHand, Scene, Span, Sprite, grid, scene
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.screens.puzzlescript import Level, draw, pixels

SMALL = 3  # characters of a cell at scale 0
WIDE = 2  # characters of a pixel at scale 1
ACTION = "action"
POINTING = {"up": "↑", "left": "←", "down": "↓", "right": "→", ACTION: "x"}


def show(level: Level, position: Position, hand: None, hint: Sequence[str], scale: int) -> Scene:
    """The position; the cells of the player show the first move of a hint."""
    signs = draw(level, position).split("\n")
    players = level.game.players
    rows, focus = [], (0, 0, 1, 1)
    for r in range(level.height):
        row = []
        for c in range(level.width):
            objects = position.cells[r * level.width + c]
            is_player = not players.isdisjoint(objects)
            sign = POINTING[hint[0]] if hint and is_player else signs[r][c : c + 1]
            sprite = _small(level, objects, sign) if scale == 0 else _large(level, objects, sign)
            if is_player:
                wide, high = sum(len(span.text) for span in sprite[0]), len(sprite)
                focus = c * wide, r * high, wide, high
            row.append(sprite)
        rows.append(row)
    return scene(grid(rows), focus)


def _small(level: Level, objects: frozenset[str], sign: str) -> Sprite:
    """One line, in the colour that is most frequent in the topmost sprite of the cell."""
    top = max(objects, key=level.game.objects.index, default=level.game.background)
    shown = [colour for row in pixels(level.game, [top]) for colour in row if colour]
    ground = max(shown, key=shown.count, default="floor")
    return ((Span(sign.center(SMALL), _on(ground), ground, bold=True),),)


def _large(level: Level, objects: frozenset[str], sign: str) -> Sprite:
    """Five lines of five pixels."""
    ordered = sorted(objects, key=level.game.objects.index)
    lines = []
    for y, row in enumerate(pixels(level.game, ordered)):
        spans = []
        for x, colour in enumerate(row):
            ground = colour or level.game.background_colour
            text = sign if (x, y) == (2, 2) else ""
            spans.append(Span(text.ljust(WIDE), _on(ground), ground, bold=True))
        lines.append(tuple(spans))
    return tuple(lines)


def _on(ground: str) -> str:
    """Black or white, whichever can be read on a colour (Rec. 601 luma)."""
    if not ground.startswith("#"):
        return "ink"
    red, green, blue = (int(ground[at : at + 2], 16) for at in (1, 3, 5))
    return "#000000" if 299 * red + 587 * green + 114 * blue > 127_500 else "#ffffff"


def press(level: Level, position: Position, hand: None, key: str) -> tuple[None, str] | None:
    """A key is a turn."""
    if key in ARROWS:
        return None, ARROWS[key]
    if key in ("x", "space") and level.game.has_action:
        return None, ACTION
    return None


BY_HAND = ByHand(
    keys=(("arrows, w a s d", "move"), ("x, space", "act")),
    show=show,
    press=press,
    scales=2,
)
