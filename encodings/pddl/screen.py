"""Reads levels of both kinds, and shows positions as the facts that have changed."""

from collections.abc import Iterator, Sequence
from typing import Any

from puzzlemc.encodings.pddl import task_level
from puzzlemc.encodings.pddl.levels import AnyLevel, held, start
from puzzlemc.screens import pddl
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part, build_all
from puzzlemc.screens.base.picture import Label, Picture

MOST_LINES = 200  # of facts
ROWS, WIDTH = 16, 24.0  # of pictures
UNCHANGED = "as at the start"


class TaskScreen:
    """Reads, writes and draws levels."""

    SUFFIXES: tuple[str, ...] = pddl.SUFFIXES

    def looks_like(self, text: str) -> float:
        """Return MARKED for a problem or a translated task, else 0."""
        return pddl.looks_like(text)

    def cut(self, text: str, source: str) -> Iterator[Part | LevelError]:
        """Yield the text of each level, or an error in its place."""
        return pddl.cut(text, source)

    def build(self, part: Part) -> AnyLevel:
        """Build a level. Raises LevelError."""
        if part.text.lstrip().startswith(pddl.TRANSLATED):
            return task_level.build(part)
        return pddl.build(part)

    def parse(self, text: str, source: str) -> Sequence[AnyLevel | LevelError]:
        """Read a text: one item for each level."""
        return build_all(self.cut(text, source), self.build)

    def draw(self, level: AnyLevel, position: Any = None, /) -> str:
        """Write a level as text, or the facts of a position that differ from the start."""
        if position is None:
            return level.text
        return "\n".join(text for _, text in changes(level, position)) or UNCHANGED

    def picture(self, level: AnyLevel, position: Any, /) -> Picture:
        """Return the facts that differ from the start as lines of text."""
        found = changes(level, position) or [("line", UNCHANGED)]
        columns = -(-len(found) // ROWS)
        labels = tuple(
            Label(WIDTH * (number // ROWS) / columns, number % ROWS + 0.5, text, 0.6 / columns**0.5, colour, True)
            for number, (colour, text) in enumerate(found)
        )
        return Picture(WIDTH, ROWS, (), labels)


def changes(level: AnyLevel, position: Any) -> list[tuple[str, str]]:
    """The facts that hold and did not hold at the start, `+`, and the other way round, `-`, with a colour each."""
    before, after = held(level, start(level)), held(level, position)
    found = [("accent", f"+ {name}") for name in sorted(after - before)]
    found += [("goal", f"- {name}") for name in sorted(before - after)]
    if len(found) > MOST_LINES:
        return [*found[:MOST_LINES], ("line", f"and {len(found) - MOST_LINES} more")]
    return found


SCREEN = TaskScreen()
