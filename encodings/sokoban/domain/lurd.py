"""Solutions of Sokoban as text: `l u r d` walk, `L U R D` push, `3r` is `rrr`, and `2(rU)` is `rUrU`.

Blanks and newlines may stand anywhere between, also within a count. `*` marks the current position of a saved
game, and is skipped. `refusal` explains why a move is not legal.
"""

import re

from puzzlemc.encodings.puzzle.text import MAX_MOVES, Move
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.sokoban import Level, State

MAX_DEPTH = 20  # of nested brackets

_TOKEN = re.compile(r"\s*+(?=\S)([0-9]*+)\s*+(\S?)")
_LETTERS = "lurdLURD"
CURRENT = "*"
_EXPECTED = "expected l u r d for a walk, L U R D for a push, a count before it, or brackets"


def read(text: str, source: str, line: int = 1) -> list[Move]:
    """The moves of a text whose first line has this number in its source. Raises LevelError."""
    open_: list[tuple[int, list[Move]]] = []  # for each open bracket, its count and the moves before it
    moves: list[Move] = []
    row = 0
    rows = text.rstrip().split("\n")
    begun = ""  # the digits of a count at the end of a line: programs break lines within counts, too
    for row, line_text in enumerate(rows, line):
        for token in _TOKEN.finditer(line_text):
            digits, letter = begun + token[1], token[2]
            begun = ""
            place = row, token.end()
            if digits and (len(digits) > len(str(MAX_MOVES)) or not 1 <= int(digits) <= MAX_MOVES):
                raise _error(f"found the count {digits[:20]}, expected 1 to {MAX_MOVES}", source, *place)
            if not letter and row < line + len(rows) - 1:
                begun = digits
                continue
            if letter == CURRENT and not digits:
                continue
            count = int(digits or 1)
            if letter == "(":
                if len(open_) == MAX_DEPTH:
                    message = f"found more than {MAX_DEPTH} nested brackets, expected fewer"
                    raise _error(message, source, *place)
                open_.append((count, moves))
                moves = []
                continue
            new = [Move(letter, *place)]
            if letter == ")" and open_ and not digits:
                count, before = open_.pop()
                new, moves = moves, before
            elif not letter or letter not in _LETTERS:
                found = repr(letter) if letter else "a count at the end of a line"
                raise _error(f"found {found}, {_EXPECTED}", source, *place)
            if len(moves) + count * len(new) > MAX_MOVES:
                raise _error(f"found more than {MAX_MOVES} moves, expected at most that", source, *place)
            moves += new * count
    if open_:
        raise _error("found the end within brackets, expected )", source, row, len(rows[-1]) + 1)
    return moves


def _error(message: str, source: str, line: int, column: int) -> LevelError:
    return LevelError(message, source=source, line=line, column=column)


def refusal(level: Level, position: State, move: str) -> str:
    """Why a move is not legal in a position."""
    if move.lower() not in DIRECTIONS:
        return f"expected one of {' '.join(_LETTERS)}"
    direction = DIRECTIONS[move.lower()]
    target = ahead(position.player, direction)
    if target not in level.cells:
        return f"there is a wall at {_place(target)}"
    if target not in position.boxes:
        return f"there is no box at {_place(target)} to push: a walk is {move.lower()}"
    beyond = ahead(target, direction)
    if beyond in position.boxes:
        return f"behind the box at {_place(target)} is another box"
    if beyond not in level.cells:
        return f"behind the box at {_place(target)} is a wall"
    return f"there is a box at {_place(target)}: a push is {move.upper()}"


def other_case(move: str) -> tuple[str, ...]:
    """The push of a walk, and the walk of a push: some programs write all letters small."""
    return (move.swapcase(),)


def _place(cell: tuple[int, int]) -> str:
    return f"row {cell[0] + 1}, column {cell[1] + 1}"
