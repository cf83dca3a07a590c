"""Rectangles of signs in the scripts of the page, by node: as text, on a board; and what is outside of a level."""

import json
import random
import shutil
import subprocess
from typing import Any

import pytest
from places import ROOT

from puzzlemc.encodings.puzzles import puzzles
from puzzlemc.reports.documents.levels import entry
from puzzlemc.screens.base.errors import LevelError

DRAW = ROOT / "reports" / "serve" / "static" / "draw"
MOST = 40  # of each kind
ANSWER = """
let text = ""
for await (const part of process.stdin) text += part
const { folder, about, blocks, stamps, boards } = JSON.parse(text)
const block = await import(`${folder}/block.js`), cells = await import(`${folder}/cells.js`)
console.log(JSON.stringify({
  texts: blocks.map(([kind, rows]) => [block.written(rows, about[kind]), about[kind]])
    .map(([text, kind]) => [text, block.read(text, kind)]),
  stamped: stamps.map(([rows, part, at]) => block.stamped({ rows }, part, at, about.sokoban).rows),
  outside: boards.map(rows => cells.outside(rows, " ", "#", ["@", "+"]))
    .map(found => [...found].map(each => each.split(" ").map(Number))),
}))
"""
Rows = list[list[str]]


def drawn(choice: random.Random, signs: list[str], height: int = 0, width: int = 0) -> Rows:
    """Random rows."""
    columns = range(width or choice.randint(1, 6))
    return [[choice.choice(signs) for _ in columns] for _ in range(height or choice.randint(1, 5))]


def room(choice: random.Random) -> Rows:
    """A room of Sokoban, which may have holes in its walls, on a larger board."""
    rows = drawn(choice, [*"#####    .$"], 7, 8)
    for row in range(7):
        for column in range(8):
            if row in {0, 6} or column in {0, 7}:
                rows[row][column] = " "
            elif (row in {1, 5} or column in {1, 6}) and choice.random() < 0.97:
                rows[row][column] = "#"
    rows[3][3], rows[3][4], rows[4][3] = "@", "$", "."
    return rows


def one_player(choice: random.Random) -> tuple[Rows, Rows, tuple[int, int]]:
    """A board with one player, a block, and its place, which may be partly beside the board."""
    board, block = drawn(choice, [*"# .$*"], 4, 5), drawn(choice, [*"# .$@+"])
    board[choice.randrange(4)][choice.randrange(5)] = "@"
    return board, block, (choice.randint(-2, 4), choice.randint(-2, 5))


def around(board: Rows) -> list[tuple[int, int]]:
    """The cells that are connected to that of the player, without a wall between."""
    found = [(3, 3)]
    for row, column in found:
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if r in range(7) and c in range(8) and board[r][c] != "#" and (r, c) not in found:
                found.append((r, c))
    return found


def test_blocks_are_text_and_back_players_stay_alone_and_no_floor_is_outside() -> None:
    if shutil.which("node") is None:
        pytest.skip("there is no node on the PATH")
    choice = random.Random(1)
    drawings = {name: rules.drawing() for name, rules in puzzles().items() if rules.drawing is not None}
    signs = {name: [each.sign for each in drawing.brushes] for name, drawing in drawings.items()}
    blocks = [(name, drawn(choice, each)) for name, each in signs.items() for _ in range(MOST)]
    stamps = [one_player(choice) for _ in range(MOST)]
    boards = [room(choice) for _ in range(3 * MOST)]
    about = json.loads((DRAW.parent / "about.json").read_text(encoding="utf-8"))
    asked = {"folder": DRAW.as_uri(), "about": about, "blocks": blocks, "stamps": stamps, "boards": boards}
    command = ["node", "--input-type=module", "-e", ANSWER]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True)
    answers: dict[str, Any] = json.loads(done.stdout)
    for (name, block), (text, again) in zip(blocks, answers["texts"], strict=True):
        assert again == block
        sheet = drawings[name].sheet(text)  # as the server reads it
        assert sheet is not None
        assert (sheet.above, sheet.below) == ("", "")
        blank = drawings[name].outside or signs[name][0]
        assert [row + [blank] * (len(block[0]) - len(row)) for row in sheet.rows] == block
    for (board, block, (top, left)), made in zip(stamps, answers["stamped"], strict=True):
        assert sum(sign in "@+" for row in made for sign in row) <= 1
        for r, row in enumerate(made):
            for c, sign in enumerate(row):
                covered = 0 <= r - top < len(block) and 0 <= c - left < len(block[0])
                wanted = block[r - top][c - left] if covered else board[r][c]
                assert sign == wanted or {wanted, sign} in ({"@", " "}, {"+", "."})
    read = 0
    for board, outside in zip(boards, answers["outside"], strict=True):
        assert all(board[row][column] == " " for row, column in outside)
        assert not {(row, column) for row, column in outside} & {
            *around(board)
        }  # also if it has a hole in its wall
        try:
            found = entry("sokoban", "\n".join("".join(row) for row in board))
        except LevelError:
            continue
        read += 1
        assert found.part is not None
        floor = {(row + found.part.line - 1, column) for row, column in found.level.floor}
        assert all(board[row][column] != "#" for row, column in floor)
        assert not {(row, column) for row, column in outside} & floor
        edge = {(r, c) for r in range(7) for c in range(8) if r in {0, 6} or c in {0, 7}}
        assert outside or not any(board[r][c] == " " for r, c in edge - floor)
    assert read > MOST / 2
