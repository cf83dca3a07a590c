"""Tetravex by hand: a cursor on the board, and the unplaced tiles beside it.

In the game `put`, enter puts the chosen tile on the cell of the cursor. In `swap`, it marks a cell and then swaps
it with another. Without a game, the cursor is on the next cell in reading order.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from puzzlemc.encodings.puzzle.by_hand import ARROWS, AWAY, ByHand, Line, Marks, Scene, Span, Sprite, grid, scene
from puzzlemc.encodings.tetravex.rules import fits, place
from puzzlemc.screens.base.picture import NUMBERED
from puzzlemc.screens.tetravex import EMPTY, PUT, SWAP, Board, Level, pictures

NOWHERE = -1
HIGH = 3  # lines of a tile


@dataclass(frozen=True)
class Hand:
    """The cell of the cursor, the chosen tile or EMPTY, and the marked cell or NOWHERE."""

    cell: int
    tile: int = EMPTY
    marked: int = NOWHERE


def waiting(level: Level, position: Board) -> list[int]:
    """The tiles that are not on the board."""
    return sorted(set(range(1, len(level.tiles) + 1)) - set(position))


def can_put(level: Level, position: Board, cell: int, tile: int) -> bool:
    """Does the tile fit on that cell, and is that empty?"""
    if tile == EMPTY or position[cell] != EMPTY:
        return False
    board = list(position)
    board[cell] = tile
    return fits(level, board, cell)


def hand(level: Level, position: Board, before: Hand | None) -> Hand:
    """The hand after a move: in a game the cursor stays, otherwise it goes to the next empty cell.

    If the chosen tile was placed, the next one is chosen.
    """
    left = waiting(level, position)
    now = before or Hand(0)
    tile = now.tile if now.tile in left else _next(level, position, replace(now, tile=EMPTY), 1)
    cell = now.cell if level.rules else next((n for n, tile in enumerate(position) if tile == EMPTY), 0)
    return Hand(cell, tile)


def _next(level: Level, position: Board, hand: Hand, step: int) -> int:
    """The next unplaced tile that fits at the cursor; if none fits, the next unplaced tile."""
    left = waiting(level, position)
    left = [tile for tile in left if can_put(level, position, hand.cell, tile)] or left
    if not left:
        return EMPTY
    if hand.tile not in left:
        return next((tile for tile in left if tile > hand.tile), left[0]) if step > 0 else left[-1]
    return left[(left.index(hand.tile) + step) % len(left)]


def press(level: Level, position: Board, hand: Hand, key: str) -> tuple[Hand, str] | None:
    """Move the cursor, choose a tile, put or swap."""
    if key in ARROWS and level.rules:
        down, right = AWAY[ARROWS[key]]
        row, column = divmod(hand.cell, level.side)
        row, column = min(max(0, row + down), level.side - 1), min(max(0, column + right), level.side - 1)
        return replace(hand, cell=row * level.side + column), ""
    if level.rules == SWAP:
        return _swap(level, hand, key)
    if key in ARROWS:
        return replace(hand, tile=_next(level, position, hand, 1 if ARROWS[key] in ("right", "down") else -1)), ""
    if key in ("tab", "shift+tab"):
        return replace(hand, tile=_next(level, position, hand, 1 if key == "tab" else -1)), ""
    if key in ("enter", "space"):
        if not can_put(level, position, hand.cell, hand.tile):
            return hand, ""
        return hand, f"{hand.tile}@{place(level, hand.cell)}" if level.rules == PUT else str(hand.tile)
    return None


def _swap(level: Level, hand: Hand, key: str) -> tuple[Hand, str] | None:
    if key in ("enter", "space"):
        if hand.marked in (NOWHERE, hand.cell):
            return replace(hand, marked=hand.cell if hand.marked == NOWHERE else NOWHERE), ""
        one, other = sorted((hand.marked, hand.cell))
        return replace(hand, marked=NOWHERE), f"{place(level, one)}-{place(level, other)}"
    return (replace(hand, marked=NOWHERE), "") if key == "escape" else None


def show(level: Level, position: Board, hand: Hand, hint: Sequence[str], scale: int) -> Scene:
    """The board with the cursor, and the unplaced tiles. A hint is shown as diamonds on the tile and the cell."""
    wide = max(7, 2 * max(len(str(colour)) for tile in level.tiles for colour in tile) + 3)
    cells, tile = _hinted(level, position, hint)
    gap: Sprite = ((Span(" " * scale),),) * (HIGH + scale)

    def sprite(number: int, mark: str, *, cursor: bool, dull: bool = False) -> Sprite:
        lines = _tile(level, number, wide, mark, cursor=cursor, dull=dull)
        return (*lines, *((Span(" " * wide),),) * scale)

    def cell(at: int) -> Sprite:
        mark = "◆" if at in cells else "●" if at == hand.marked else ""
        return sprite(position[at], mark, cursor=at == hand.cell)

    def tray(at: int) -> Sprite:
        dull = not can_put(level, position, hand.cell, at)
        return sprite(at, "◆" if at == tile else "", cursor=at == hand.tile, dull=dull)

    side = level.side
    left = waiting(level, level.start or (EMPTY,) * len(level.tiles))  # each has a fixed place beside the board
    here = set(waiting(level, position))
    rows = []
    for row in range(side):
        line = [part for column in range(side) for part in (cell(row * side + column), gap)]
        beside = left[row::side]
        if beside:
            line.append(((Span("   "),),) * (HIGH + scale))
        line += [
            part
            for number in beside
            for part in (tray(number) if number in here else sprite(NOWHERE, "", cursor=False), gap)
        ]
        rows.append(line)
    row, column = divmod(hand.cell, side)
    focus = (column * (wide + scale), row * (HIGH + scale), wide, HIGH)
    return scene(grid(rows), focus)


def _hinted(level: Level, position: Board, hint: Sequence[str]) -> tuple[set[int], int]:
    """The cells and the tile that a hint is about."""
    if not hint:
        return set(), EMPTY
    names = {place(level, cell): cell for cell in range(len(position))}
    if level.rules == SWAP:
        return {names[part] for part in hint[0].split("-")}, EMPTY
    tile, _, where = hint[0].partition("@")
    return {names[where] if where else position.index(EMPTY)}, int(tile)


def _tile(level: Level, number: int, wide: int, mark: str, *, cursor: bool, dull: bool) -> Sprite:
    """A tile with a colour at each side, an empty cell, or blanks for NOWHERE."""
    if number == NOWHERE:
        return ((Span(" " * wide),),) * HIGH
    half = wide // 2
    middle: Line
    if number == EMPTY:
        north = south = (Span(" " * wide, "line", "floor"),)
        left, right = " " * half, " " * half
        grounds = ("floor", "floor")
        colour = "line"
    else:
        tile = level.tiles[number - 1]
        colour = "" if dull else "ink"

        def ground(value: int) -> str:
            return "" if dull else str(value % NUMBERED)

        north = (Span(str(tile.north).center(wide), colour, ground(tile.north)),)
        south = (Span(str(tile.south).center(wide), colour, ground(tile.south)),)
        left, right = str(tile.west).center(half), str(tile.east).center(half)
        grounds = ground(tile.west), ground(tile.east)
    parts = [Span(left, colour, grounds[0]), Span(mark or "│", "accent" if mark else colour, "", bool(mark))]
    middle = (*parts, Span(right, colour, grounds[1]))
    if cursor:
        middle = (
            Span("▐", "accent", grounds[0]),
            Span(left[1:], colour, grounds[0], True),
            parts[1],
            Span(right[:-1], colour, grounds[1], True),
            Span("▌", "accent", grounds[1]),
        )
    if number == EMPTY and not mark:
        middle = tuple(_bare(span) for span in middle)
    return north, middle, south


def _bare(span: Span) -> Span:
    """The span in an empty cell, without the line in the middle of a tile."""
    return Span(span.text.replace("│", "·"), span.colour, "floor", span.bold)


def prompt(level: Level, position: Board, hand: Hand) -> str:
    """The line below the board: what the next key does."""
    if level.rules == SWAP:
        if hand.marked == NOWHERE:
            return "Enter marks the first of two tiles to swap"
        return f"Enter swaps with the one at {place(level, hand.marked)}; escape lets go"
    if hand.tile == EMPTY:
        return ""
    number = sum(can_put(level, position, hand.cell, tile) for tile in waiting(level, position))
    where = f"{place(level, hand.cell)}: {number} tile{'s' * (number != 1)} fit{'s' * (number == 1)}"
    if position[hand.cell] != EMPTY:
        return "The cursor is on a tile"
    fit = "fits" if can_put(level, position, hand.cell, hand.tile) else "does not fit"
    return f"{where}; the chosen one {fit}"


def say(level: Level, move: str) -> str:
    """A move in words."""
    if level.rules == SWAP:
        one, other = map(_in_words, move.split("-"))
        return f"swap {one} with {other}"
    tile, _, where = move.partition("@")
    sides = level.tiles[int(tile) - 1]
    words = f"tile N {sides.north} E {sides.east} S {sides.south} W {sides.west}"
    return f"{words} to {_in_words(where)}" if where else words


def _in_words(where: str) -> str:
    row, column = where.split(",")
    return f"row {row}, column {column}"


def marks(level: Level, position: Board, hand: Hand) -> Marks:
    """The cell of the cursor, the cells on which the chosen tile fits, and that tile or the marked one."""
    fit = [n for n in range(len(position)) if level.rules != SWAP and can_put(level, position, n, hand.tile)]
    beside = pictures.waiting(level)
    chosen = [divmod(hand.marked, level.side)] if hand.marked != NOWHERE else []
    chosen += [beside[hand.tile]] if hand.tile in beside else []
    return Marks(divmod(hand.cell, level.side), [divmod(n, level.side) for n in fit], chosen, position)


BY_HAND = ByHand(
    (("arrows", "move"), ("tab", "tile"), ("enter", "put, mark, swap")),
    show,
    press,
    hand,
    say,
    prompt,
    scales=2,
    marks=marks,
)
