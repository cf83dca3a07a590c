"""Sliding tiles as a puzzle of one's own. No hint says how to search: that is found in the model.

    puzzlemc solve examples/boards.sliding --puzzle examples/sliding.py

A level is rows of numbers, 0 for the gap, under an optional title; empty lines end it. A move slides a tile into
the gap, and is named by the tile. At the end the numbers are in order, and the gap is last.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part, build_all
from puzzlemc.screens.base.picture import Label, Picture, tile

Board = tuple[int, ...]  # the tile in each cell, row by row
SLIDE = {"slides": 1}


@dataclass(frozen=True)
class Level:
    """A board."""

    title: str
    width: int
    board: Board

    @property
    def near(self) -> Iterator[tuple[int, int]]:
        """Pairs of cells that are side by side."""
        for one in range(len(self.board)):
            for other in range(len(self.board)):
                if abs(one % self.width - other % self.width) + abs(one // self.width - other // self.width) == 1:
                    yield one, other


class Screen:
    """Reads, writes and draws levels."""

    SUFFIXES = (".sliding",)

    def looks_like(self, text: str) -> float:
        """Say that no file is recognised by its content alone."""
        return 0.0

    def cut(self, text: str, source: str) -> Iterator[Part | LevelError]:
        """Yield the text of each level: rows of numbers, and the line above them as its title."""
        title, rows = "", list[str]()
        for number, line in enumerate([*text.splitlines(), ""], 1):
            if line.strip() and not line.replace(" ", "").isdigit():
                title = line.strip()
            elif line.strip():
                rows.append(line)
            elif rows:
                yield Part(source, number - len(rows), "\n".join(rows), title, "")
                title, rows = "", []

    def build(self, part: Part) -> Level:
        """Build a level from its text. Raises LevelError for rows of different lengths, and for missing tiles."""
        rows = [[int(word) for word in line.split()] for line in part.text.splitlines()]
        board = tuple(tile for row in rows for tile in row)
        for number, row in enumerate(rows):
            if len(row) != len(rows[0]):
                expected = f"expected {len(rows[0])} numbers as in the first row"
                raise LevelError(
                    f"found {len(row)} numbers, {expected}", source=part.source, line=part.line + number
                )
        if sorted(board) != list(range(len(board))):
            message = f"found other numbers, expected each from 0 to {len(board) - 1} once"
            raise LevelError(message, source=part.source, line=part.line)
        return Level(part.title, len(rows[0]), board)

    def parse(self, text: str, source: str) -> list[Level | LevelError]:
        """Read a text: an item a level."""
        return build_all(self.cut(text, source), self.build)

    def draw(self, level: Level, position: Board | None = None) -> str:
        """Write a level, or another position of it."""
        board = level.board if position is None else position
        rows = range(0, len(board), level.width)
        return "\n".join(" ".join(map(str, board[row : row + level.width])) for row in rows)

    def picture(self, level: Level, position: Board) -> Picture:
        """The same to look at."""
        places = [(cell // level.width, cell % level.width, number) for cell, number in enumerate(position)]
        ground = tuple(tile(row, column, "floor") for row, column, _ in places)
        tiles = tuple(tile(row, column, "3", 0.05, 0.1) for row, column, number in places if number)
        names = tuple(Label(column + 0.5, row + 0.5, str(number), 0.5) for row, column, number in places if number)
        return Picture(level.width, len(position) // level.width, ground, (*tiles, *names))


def goal_of(level: Level) -> Board:
    """The board in order."""
    return (*range(1, len(level.board)), 0)


def steps(level: Level, position: Board) -> Iterator[Step]:
    """All moves by the plain rules."""
    gap = position.index(0)
    for cell, other in level.near:
        if other == gap:
            board = list(position)
            board[gap], board[cell] = board[cell], 0
            yield Step(str(position[cell]), tuple(board), SLIDE)


def compact(level: Level) -> Encoded:
    """The board as a model: a bit says that a tile is in a cell, an action slides a tile from a cell into
    another."""
    cells = range(len(level.board))
    variables = {(number, cell): boolean("at", number, cell) for number in cells for cell in cells}
    at = {place: variable.bits[0] for place, variable in variables.items()}
    actions = tuple(
        Action(
            str(number),
            {at[number, cell]: True, at[0, gap]: True},
            {at[number, cell]: False, at[0, gap]: False, at[number, gap]: True, at[0, cell]: True},
            SLIDE,
        )
        for cell, gap in level.near
        for number in cells[1:]
    )
    initial = {b: level.board[cell] == number for (number, cell), b in at.items()}
    goal = {b: goal_of(level)[cell] == number for (number, cell), b in at.items()}
    return Encoded(
        Model(tuple(variables.values()), initial, actions, goal, {"solved": goal}),
        decode=lambda state: tuple(next(n for n in cells if at[n, cell] in state) for cell in cells),
        moves=lambda trace: [action.name for action in trace.actions],
    )


PUZZLE = Puzzle(
    name="sliding",
    screen=Screen(),
    metrics=("slides",),
    encodings={"compact": compact},
    rules=Transition(lambda level: level.board, steps, lambda level, position: position == goal_of(level)),
    vocabulary=Vocabulary(atoms={"solved": "the numbers are in order"}),
)
