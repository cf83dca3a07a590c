"""Sokoban drawn by hand on a page, and played with a pointer."""

from collections import deque
from collections.abc import Iterable

from puzzlemc.encodings.puzzle.drawing import Brush, Drawing
from puzzlemc.encodings.puzzle.pointing import Pointing
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead, spare
from puzzlemc.screens.base.picture import Shape, tile
from puzzlemc.screens.sokoban import Cell, Level, State, picture

FIRST = """\
########
#  #   #
#  $ . #
## #$# #
# .  @ #
#  #   #
########"""


def dead(level: Level) -> Iterable[Cell]:
    """The cells from which no box reaches a goal; none if there are more boxes than goals."""
    from puzzlemc.encodings.sokoban.board.numbered import neighbours
    from puzzlemc.encodings.sokoban.model.compact import goal_distances

    if spare(level) > 0:
        return ()
    return sorted(level.cells - goal_distances(level, neighbours(level.floor)).keys())


def moves(level: Level, position: State, pressed: Cell, released: Cell) -> list[str]:
    """The walk to a cell, or the pushes of a box to another cell, with the fewest of them."""
    if released not in level.cells or released in position.boxes:
        return []
    return (
        _pushes(level, position, pressed, released)
        if pressed in position.boxes
        else _walk(level, position, released)
    )


def refusal(level: Level, position: State, pressed: Cell, released: Cell) -> str:
    """Why a box cannot be brought to a cell, or the player cannot go there."""
    if pressed in position.boxes:
        return "" if pressed == released else "No pushes of this box alone bring it there"
    is_click = pressed == released and released in level.cells
    return "No steps without a push lead there" if is_click and released != position.player else ""


def _walk(level: Level, position: State, target: Cell) -> list[str]:
    """A shortest walk without a push; empty if there is none."""
    came: dict[Cell, str] = {position.player: ""}
    waiting = deque([position.player])
    while waiting and target not in came:
        at = waiting.popleft()
        for letter, direction in DIRECTIONS.items():
            to = ahead(at, direction)
            if to in level.cells and to not in position.boxes and to not in came:
                came[to] = letter
                waiting.append(to)
    way: list[str] = []
    while came.get(target):
        way.append(came[target])
        down, right = DIRECTIONS[came[target]]
        target = target[0] - down, target[1] - right
    return way[::-1]


def _pushes(level: Level, position: State, box: Cell, target: Cell) -> list[str]:
    """The fewest pushes of one box to a cell, with the walks between them; empty if there are none."""
    others = position.boxes - {box}
    waiting: deque[tuple[Cell, State, list[str]]] = deque([(box, position, [])])
    seen: set[tuple[Cell, Cell]] = set()
    while waiting:
        at, state, way = waiting.popleft()
        if at == target:
            return way
        for letter, (down, right) in DIRECTIONS.items():
            behind, to = (at[0] - down, at[1] - right), (at[0] + down, at[1] + right)
            if (at, behind) in seen or to not in level.cells or to in others:
                continue
            walk = _walk(level, state, behind)
            if behind != state.player and not walk:
                continue
            seen.add((at, behind))
            waiting.append((to, State(at, others | {to}), [*way, *walk, letter.upper()]))
    return []


def _brush(sign: str, name: str, key: str) -> Brush:
    """A brush with the picture of its cell, which is the middle one of a small level."""
    shapes: tuple[Shape, ...]
    if sign in " #":
        shapes = (tile(0, 0, "line"), tile(0, 0, "floor", 0.015)) if sign == " " else (tile(0, 0, "wall"),)
        return Brush(sign, name, key, shapes)
    at, home = (0, 0), frozenset([(0, 0)])
    goals = home if sign in ".+*" else frozenset[Cell]()
    boxes = home if sign in "$*" else frozenset[Cell]()
    level = Level("", "", (sign,), (at,), goals, State(at if sign in "@+" else (-9, -9), boxes))
    shown = picture(level, level.start)
    pieces = shown.pieces if sign in "@+" else shown.pieces[:-3]  # the player stands elsewhere
    return Brush(sign, name, key, (*shown.board, *pieces))


DRAWING = Drawing(
    brushes=(
        _brush(" ", "floor", "f"),
        _brush("#", "wall", "w"),
        _brush("$", "box", "b"),
        _brush(".", "goal", "g"),
        _brush("@", "player", "p"),
        _brush("*", "box on a goal", ""),
        _brush("+", "player on a goal", ""),
    ),
    first=FIRST,
    hollow="-",
    enclosed="#",
    other={"-": " ", "_": " ", "p": "@", "b": "$", "o": ".", "P": "+", "B": "*", "g": "."},
    onto={
        "$ .": "*",
        "$ +": "*",
        "$ *": "*",
        "@ .": "+",
        "@ *": "+",
        "@ +": "+",
        ". $": "*",
        ". *": "*",
        ". @": "+",
        ". +": "+",
    },
    single={"@": " ", "+": "."},
    lost=dead,
    count=lambda level: len(level.start.boxes),
)
POINTING = Pointing(moves, "click where to go, or drag a box to its new place", refusal)
