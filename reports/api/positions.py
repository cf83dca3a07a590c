"""Positions of levels by the plain rules: as text, as things on cells, as pictures, and those beside them."""

from collections.abc import Hashable, Sequence

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.rules.plain import Game
from puzzlemc.screens.base.picture import Picture


class Position:
    """A position of a level. Positions of one level are equal if the rules do not tell them apart.

    value  the position as the rules of the puzzle have it
    """

    def __init__(self, entry: Entry, value: Hashable) -> None:
        """`Level.start`, `neighbours` and `Result.positions` make positions."""
        self.value = value
        self._entry = entry

    @property
    def text(self) -> str:
        """The position, drawn as text."""
        return self._entry.puzzle.screen.draw(self._entry.level, self.value)

    @property
    def svg(self) -> str:
        """The position as a picture: the text of an SVG file."""
        from puzzlemc.reports.formats.drawing import svg

        return svg([self._picture], self._entry.title or self._entry.id)

    @property
    def cells(self) -> dict[str, list[tuple[int, int]]]:
        """The things on the board: for each kind, the rows and columns of its cells, from 1.

        Raises ModelError if the positions of the puzzle are no things on cells.
        """
        puzzle = self._entry.puzzle
        found = puzzle.display.cells(self._entry.level)
        if found is None:
            raise ModelError(f"positions of {puzzle.name} are shown as text, not as things on cells")
        things: dict[str, list[tuple[int, int]]] = {kind: [] for kind in found.kinds}
        for kind, row, column in sorted([*found.fixed, *found.things(self.value)]):
            things[found.kinds[kind]].append((row + 1, column + 1))
        return things

    @property
    def solved(self) -> bool:
        """Is the level solved here? Of a game: has the side that moves first in the level won?"""
        return self._entry.puzzle.rules.solved(self._entry.level, self.value)

    @property
    def neighbours(self) -> dict[str, "Position"]:
        """The positions after each move that can be made, by its name; of chance, after each outcome.

        If a level asks for one position, moves construct a solution step by step.
        """
        level, puzzle = self._entry.level, self._entry.puzzle
        question = puzzle.question(level)
        steps = (
            question.replies(level, self.value)
            if isinstance(question, Game)
            else puzzle.rules.steps(level, self.value)
        )
        return {step.name: Position(self._entry, step.position) for step in steps}

    @property
    def _picture(self) -> Picture:
        return self._entry.puzzle.picture(self._entry.level, self.value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        mine, theirs = self._entry, other._entry
        return mine.puzzle is theirs.puzzle and mine.text == theirs.text and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<position of {self._entry.id}{', solved' if self.solved else ''}>"

    def _repr_html_(self) -> str:
        return image([self._picture], self._entry.title or self._entry.id)


def along(entry: Entry, trace: Sequence[str]) -> list[Position]:
    """The positions along a solution, replayed by the plain rules: the first, and that after each move.

    A level that asks for one position has that one only. Raises Refuted for what is no solution.
    """
    replayed = entry.puzzle.replay(entry.level, tuple(trace))
    return [Position(entry, value) for value in replayed.positions]


def image(pictures: Sequence[Picture], title: str) -> str:
    """Pictures as one HTML element, which is animated if there are several."""
    from base64 import b64encode

    from puzzlemc.reports.formats.drawing import svg
    from puzzlemc.reports.output.plain import xml

    source = b64encode(svg(pictures, title).encode()).decode("ascii")
    return f'<img alt="{xml(title)}" src="data:image/svg+xml;base64,{source}">'
