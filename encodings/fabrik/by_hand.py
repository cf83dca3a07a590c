"""Fabrik by hand: a cursor; enter picks a worker up, puts it down, and puts a stone where lines of sight meet."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from puzzlemc.encodings.fabrik.rules import Turn, cells, meeting, mover, sight, winner
from puzzlemc.encodings.puzzle.by_hand import ARROWS, AWAY, ByHand, Marks, Scene, Span, Sprite, grid, scene
from puzzlemc.encodings.puzzle.text import GameRecord
from puzzlemc.screens import fabrik
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.fabrik import BLACK, LETTERS, WHITE, Cell, Level, Position, name

WORKER, EMPTY, LEGAL, HINT = "worker", "empty", "legal", "hint"
# By scale: what stands in a cell, its lines.
LOOK = {
    BLACK: ((" ● ",), (" ▗██▖ ", " ████ ", " ▝██▘ ")),
    WHITE: ((" ○ ",), (" ▗██▖ ", " ████ ", " ▝██▘ ")),
    WORKER: ((" ■ ",), (" ▄▄▄▄ ", " ████ ", " ▀▀▀▀ ")),
    EMPTY: ((" · ",), ("      ", "  ··  ", "      ")),
    LEGAL: ((" + ",), ("      ", "  ++  ", "      ")),
    HINT: ((" ◆ ",), ("      ", "  ◆◆  ", "      ")),
}
COLOUR = {BLACK: "black", WHITE: "white", WORKER: "worker", EMPTY: "grain", LEGAL: "ink", HINT: "cursor"}
GROUND = "wood"
FRAME = (("[", "]"),), (("┌", "┐"), ("│", "│"), ("└", "┘"))  # of the cursor, by scale and line
MARK = ("◆", "◆")


@dataclass(frozen=True)
class Hand:
    """The cell of the cursor, and the worker that was picked up or moved: its old cell and its new cell."""

    cell: Cell
    source: Cell | None = None
    target: Cell | None = None


def hand(level: Level, position: Position, before: Hand | None) -> Hand:
    """The cursor stays, and no worker is in the hand."""
    return Hand(before.cell if before is not None else (level.size // 2, level.size // 2))


def moved(position: Position, hand: Hand) -> Position:
    """The position with the worker on the cell where it was put down, or without the worker in the hand."""
    if hand.source is None:
        return position
    workers = position.workers - {hand.source}
    return replace(position, workers=workers if hand.target is None else workers | {hand.target})


def legal(level: Level, position: Position, hand: Hand) -> set[Cell]:
    """The cells on which `enter` puts the worker or the stone whose turn it is."""
    now = moved(position, hand)
    if winner(level, position):
        return set()
    if not position.turn:
        return {cell for cell in cells(level) if cell not in position.workers} if len(now.workers) < 2 else set()
    if len(now.workers) == 2:
        return meeting(level, now)
    places = {cell for cell in cells(level) if cell not in position.pieces}
    return {cell for cell in places if meeting(level, replace(now, workers=now.workers | {cell}))}


def press(level: Level, position: Position, hand: Hand, key: str) -> tuple[Hand, str] | None:
    """Move the cursor, pick up, put down, put a stone, or say who begins."""
    if not position.turn and len(position.workers) == 2:
        who = {"b": BLACK, "w": WHITE}.get(key.lower())
        return (hand, who) if who else None
    if key in ARROWS:
        down, right = AWAY[ARROWS[key]]
        row, column = hand.cell[0] + down, hand.cell[1] + right
        return replace(hand, cell=(min(max(0, row), level.size - 1), min(max(0, column), level.size - 1))), ""
    if key == "tab":
        places = legal(level, position, hand) or moved(position, hand).workers
        return replace(hand, cell=_after(set(places), hand.cell)), ""
    if key == "escape":
        return Hand(hand.cell), ""
    if key not in ("enter", "space"):
        return None
    return _entered(level, position, hand)


def _after(places: set[Cell], cell: Cell) -> Cell:
    """The next of some cells in reading order."""
    order = sorted(places)
    return next((place for place in order if place > cell), order[0])


def _entered(level: Level, position: Position, hand: Hand) -> tuple[Hand, str]:
    cell = hand.cell
    if cell in legal(level, position, hand):
        if not position.turn:
            return hand, name(cell)
        if hand.source is not None and hand.target is None:
            return replace(hand, target=cell), ""
        way = None if hand.source is None or hand.target is None else (hand.source, hand.target)
        return hand, Turn(cell, way).name
    if position.turn and cell in (hand.source, hand.target):  # not moved after all
        return Hand(cell), ""
    if position.turn and hand.source is None and cell in position.workers:
        return Hand(cell, cell), ""
    return hand, ""


def marks(level: Level, position: Position, hand: Hand) -> Marks:
    """The cells for enter, and the lines of sight of the workers as they stand now."""
    now = moved(position, hand)
    seen = set[Cell]().union(*(sight(level, now, worker) for worker in now.workers))
    (cursor,) = _in_picture([hand.cell])
    return Marks(cursor, _in_picture(legal(level, position, hand)), _in_picture(seen), now)


def _in_picture(those: Iterable[Cell]) -> list[Cell]:
    """Cells as places of the picture, which has letters and numbers around the board."""
    return sorted((row + 1, column + 1) for row, column in those)


def show(level: Level, position: Position, hand: Hand, hint: Sequence[str], scale: int) -> Scene:
    """The board with letters and numbers; the cells for enter are marked, and those of a hint."""
    now, places = moved(position, hand), legal(level, position, hand)
    hinted: set[Cell] = set()
    if hint and hint[0] not in (BLACK, WHITE):
        turn = Turn.read(hint[0])
        hinted = {turn.stone, *(turn.way or ())}
    wide, high = len(LOOK[EMPTY][scale][0]), len(LOOK[EMPTY][scale])

    def cell(at: Cell) -> Sprite:
        kind = BLACK if at in now.black else WHITE if at in now.white else WORKER if at in now.workers else ""
        kind = kind or (HINT if at in hinted else LEGAL if at in places else EMPTY)
        lines = LOOK[kind][scale]
        if at == hand.cell:
            return tuple(_framed(line, kind, frame) for line, frame in zip(lines, FRAME[scale], strict=True))
        if at in hinted and kind == WORKER:
            return tuple(_framed(line, kind, MARK) for line in lines)
        return tuple((Span(line, COLOUR[kind], GROUND, True),) for line in lines)

    def margin(text: str) -> Sprite:
        return tuple((Span(text if line == high // 2 else "   "),) for line in range(high))

    rows = [
        [margin(f"{row + 1:>2} "), *(cell((row, column)) for column in range(level.size))]
        for row in range(level.size)
    ]
    letters = "".join(LETTERS[column].center(wide) for column in range(level.size))
    row, column = hand.cell
    return scene(((Span(f"   {letters}"),), *grid(rows)), (3 + column * wide, 1 + row * high, wide, high))


def _framed(line: str, kind: str, frame: tuple[str, str]) -> tuple[Span, ...]:
    return (
        Span(frame[0], "cursor", GROUND, True),
        Span(line[1:-1], COLOUR[kind], GROUND, True),
        Span(frame[1], "cursor", GROUND, True),
    )


def prompt(level: Level, position: Position, hand: Hand) -> str:
    """What the player may do."""
    who = mover(position).capitalize()
    if len(position.workers) < 2:
        return f"{who}: enter puts {'the other' if position.workers else 'a'} worker"
    if not position.turn:
        return "Who begins? b: black, w: white"
    if hand.source is None:
        return f"{who}: a stone on a + cell; or enter on a worker picks it up"
    if hand.target is None:
        return f"{who}: put the worker down on a + cell; escape puts it back"
    return f"{who}: a stone on a + cell; escape puts the worker back"


def say(level: Level, move: str) -> str:
    """A move in words."""
    if move in (BLACK, WHITE):
        return f"{move} begins"
    turn = Turn.read(move)
    if turn.way is None:
        return move
    return f"worker {name(turn.way[0])} to {name(turn.way[1])}, stone on {name(turn.stone)}"


def bare(level: Level) -> tuple[Level, list[str]]:
    """The level without its recorded game, and the moves of that game."""
    return replace(level, moves=()), list(level.moves)


def write(level: Level, moves: Sequence[str]) -> str:
    """A game as a level with a record."""
    return fabrik.draw(replace(level, moves=tuple(moves))) + "\n"


def read(text: str, source: str) -> tuple[Level, list[str]]:
    """Level and moves of a game. Raises LevelError."""
    levels = fabrik.parse(text, source)
    if len(levels) != 1:
        raise LevelError(f"found {len(levels)} levels, expected one game", source=source)
    if isinstance(levels[0], LevelError):
        raise levels[0]
    return bare(levels[0])


BY_HAND = ByHand(
    (("arrows", "move"), ("enter", "put, pick up"), ("tab", "next +")),
    show,
    press,
    hand,
    say,
    prompt,
    scales=2,
    marks=marks,
)
GAME_RECORD = GameRecord(write, read, bare)
