"""glide: a sledge on ice picks up flags.

    puzzlemc solve examples/levels.glide --puzzle examples/glide.py

`docs/how/capabilities.md` makes this file in steps; it is all Python of that page, in its order.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part, build_all

Place = tuple[int, int]  # row and column, from 0
WALL, ICE, SLEDGE, FLAG = SIGNS = "#.@!"


class Position(NamedTuple):
    """What changes: the place of the sledge, and the flags that are left."""

    sledge: Place
    flags: frozenset[Place]


@dataclass(frozen=True)
class Level:
    """What never changes, and the first position."""

    title: str
    height: int
    width: int
    ice: frozenset[Place]
    start: Position


class Screen:
    """Reads and writes levels."""

    SUFFIXES = (".glide",)

    def looks_like(self, text: str) -> float:
        """Say that no file is recognized by its content alone."""
        return 0.0

    def cut(self, text: str, source: str) -> Iterator[Part | LevelError]:
        """Yield the text of each level: rows up to a blank line, and a title above them. `%` begins a comment."""
        title, rows = "", list[str]()
        for number, line in enumerate([*text.splitlines(), ""], 1):
            if line.startswith("%"):
                continue
            if line.startswith("Title:"):
                title = line.removeprefix("Title:").strip()
            elif line.strip():
                rows.append(line.rstrip())
            elif rows:
                yield Part(source, number - len(rows), "\n".join(rows), title, "")
                title, rows = "", []

    def build(self, part: Part) -> Level:
        """Build a level from its text. Raises LevelError."""
        cells = {
            (row, column): sign
            for row, line in enumerate(part.text.splitlines())
            for column, sign in enumerate(line)
        }
        for (row, column), sign in cells.items():
            if sign not in SIGNS:
                message = f"found {sign!r}, expected one of {' '.join(SIGNS)}"
                raise LevelError(message, source=part.source, line=part.line + row, column=column + 1)
        sledges = [place for place, sign in cells.items() if sign == SLEDGE]
        if len(sledges) != 1:
            raise LevelError(f"found {len(sledges)} {SLEDGE}, expected one", source=part.source, line=part.line)
        return Level(
            title=part.title,
            height=1 + max(row for row, _ in cells),
            width=1 + max(column for _, column in cells),
            ice=frozenset(place for place, sign in cells.items() if sign != WALL),
            start=Position(sledges[0], frozenset(place for place, sign in cells.items() if sign == FLAG)),
        )

    def parse(self, text: str, source: str) -> list[Level | LevelError]:
        """Read a text: an item for each level."""
        return build_all(self.cut(text, source), self.build)

    def draw(self, level: Level, position: Position | None = None) -> str:
        """Write a level as text that `parse` reads, or another position of it."""
        sledge, flags = level.start if position is None else position

        def sign(place: Place) -> str:
            if place == sledge:
                return SLEDGE
            return FLAG if place in flags else ICE if place in level.ice else WALL

        rows = ["".join(sign((row, column)) for column in range(level.width)) for row in range(level.height)]
        return "\n".join([f"Title: {level.title}", *rows] if level.title and position is None else rows)


from puzzlemc.mc.rules.plain import Step, Transition

WAYS = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}


def path(level: Level, sledge: Place, way: str) -> list[Place]:
    """The cells over which the sledge glides."""
    cells = []
    row, column = sledge
    down, right = WAYS[way]
    while (row + down, column + right) in level.ice:
        row, column = row + down, column + right
        cells.append((row, column))
    return cells


def steps(level: Level, position: Position) -> Iterator[Step]:
    """Yield each legal move."""
    for way in WAYS:
        cells = path(level, position.sledge, way)
        if cells:
            after = Position(cells[-1], position.flags.difference(cells))
            yield Step(way, after, {"slides": 1, "cells": len(cells)})


RULES = Transition(lambda level: level.start, steps, lambda level, position: not position.flags)


from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean


def compact(level: Level) -> Encoded:
    """The level as a model: a bit for each cell where the sledge can be, and a bit for each flag."""
    cells, flags = sorted(level.ice), sorted(level.start.flags)
    on = {cell: boolean("sledge", *cell) for cell in cells}
    left = {cell: boolean("flag", *cell) for cell in flags}
    sledge = {cell: variable.bits[0] for cell, variable in on.items()}
    flag = {cell: variable.bits[0] for cell, variable in left.items()}

    actions = []
    for way, (down, right) in WAYS.items():
        # Against the direction of the slide, so that the next cell is known: where the sledge stops, flags, cells.
        slides: dict[Place, tuple[Place, tuple[Place, ...], int]] = {}
        for cell in cells[::-1] if way in "rd" else cells:
            there = cell[0] + down, cell[1] + right
            if there not in sledge:
                continue
            end, passed, length = slides.get(there, (there, (), 0))
            slides[cell] = end, ((there, *passed) if there in flag else passed), length + 1
        for cell, (end, passed, length) in slides.items():
            update = {sledge[cell]: False, sledge[end]: True, **{flag[each]: False for each in passed}}
            actions.append(Action(way, {sledge[cell]: True}, update, {"slides": 1, "cells": length}))

    start = {bit: cell == level.start.sledge for cell, bit in sledge.items()} | dict.fromkeys(flag.values(), True)
    goal = dict.fromkeys(flag.values(), False)

    def decode(state: State) -> Position:
        """The position that a state stands for."""
        place = next(cell for cell, bit in sledge.items() if bit in state)
        return Position(place, frozenset(cell for cell, bit in flag.items() if bit in state))

    return Encoded(
        Model((*on.values(), *left.values()), start, tuple(actions), goal, {"solved": goal}),
        decode=decode,
        moves=lambda trace: [action.name for action in trace.actions],
    )


from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary

PUZZLE = Puzzle(
    name="glide",
    screen=Screen(),
    metrics=("slides", "cells"),
    encodings={"compact": compact},
    rules=RULES,
    vocabulary=Vocabulary(atoms={"solved": "no flag is left"}),
)


from dataclasses import replace

from puzzlemc.screens.base.picture import Picture, Polygon, disc, tile


class Drawn(Screen):
    """Draws positions, too."""

    def picture(self, level: Level, position: Position) -> Picture:
        """A position as coloured shapes."""
        cells = [(row, column) for row in range(level.height) for column in range(level.width)]
        board = tuple(tile(*cell, "floor" if cell in level.ice else "wall") for cell in cells)
        flags = tuple(
            Polygon(((c + 0.3, r + 0.2), (c + 0.8, r + 0.4), (c + 0.3, r + 0.6)), "goal")
            for r, c in sorted(position.flags)
        )
        return Picture(level.width, level.height, board, (*flags, disc(*position.sledge, "2", 0.35)))


PUZZLE = replace(PUZZLE, screen=Drawn())


from puzzlemc.encodings.puzzle.encoded import placed


def named(level: Level) -> Encoded:
    """The model with names for formulas."""
    encoded = compact(level)
    bits = {(bit.name, bit.indices): bit for bit in encoded.model.bits}
    places = {"sledge": placed("sledge", level.ice), "flag": placed("flag", level.start.flags)}
    atoms = {
        atom: {bits[family, place]: True} for family, named in places.items() for place, atom in named.items()
    }
    flags = [{bit: True} for (family, _), bit in bits.items() if family == "flag"]
    model = replace(encoded.model, atoms={**encoded.model.atoms, **atoms}, counts={"flags": flags})
    return replace(encoded, model=model, places=places)


def constants(level: Level) -> dict[str, bool]:
    """Atoms that are false in every state: the sledge in a wall, a flag where there never was one."""
    cells = {(row, column) for row in range(level.height) for column in range(level.width)}
    never = {"sledge": cells - level.ice, "flag": cells - level.start.flags}
    return {atom: False for family, places in never.items() for atom in placed(family, places).values()}


PUZZLE = replace(
    PUZZLE,
    encodings={"compact": named},
    vocabulary=Vocabulary(
        atoms={
            "solved": "no flag is left",
            "sledge@(r,c)": "the sledge stands in that cell",
            "flag@(r,c)": "a flag is in that cell",
        },
        counts={"flags": "the number of flags that are left"},
        constants=constants,
    ),
)


from puzzlemc.encodings.puzzle.display import Display
from puzzlemc.screens.base.picture import Moved


def moved(level: Level, before: Position, after: Position) -> Moved:
    """The cell of the sledge before and after a step."""
    return Moved((before.sledge,), (after.sledge,))


PUZZLE = replace(PUZZLE, display=Display(moved=moved))


def starting_at(level: Level, position: Position) -> Level:
    """The same level with another start."""
    return replace(level, start=position)


PUZZLE = replace(PUZZLE, starting_at=starting_at)


from collections.abc import Sequence

from puzzlemc.encodings.puzzle.by_hand import ARROWS, ByHand, Scene, Span, scene

LETTERS = {"left": "l", "up": "u", "right": "r", "down": "d"}
WORDS = {letter: f"slide {word}" for word, letter in LETTERS.items()}
COLOUR = {WALL: "wall", ICE: "line", SLEDGE: "2", FLAG: "goal"}


def show(level: Level, position: Position, hand: None, hint: Sequence[str], scale: int) -> Scene:
    """The position as text, each sign in its colour, and the words of a hint below it."""
    rows = PUZZLE.screen.draw(level, position).splitlines()
    lines = [tuple(Span(f"{sign} ", COLOUR[sign]) for sign in row) for row in rows]
    return scene([*lines, (Span(WORDS[hint[0]] if hint else "", "accent"),)])


def press(level: Level, position: Position, hand: None, key: str) -> tuple[None, str] | None:
    """An arrow key slides."""
    if key not in ARROWS:
        return None
    way = LETTERS[ARROWS[key]]
    return None, way if path(level, position.sledge, way) else ""


PUZZLE = replace(
    PUZZLE,
    by_hand=ByHand(keys=(("arrows", "slide"),), show=show, press=press, say=lambda level, move: WORDS[move]),
)


from puzzlemc.encodings.puzzle.drawing import Brush, Drawing
from puzzlemc.encodings.puzzle.pointing import Pointing

DRAWING = Drawing(
    brushes=(
        Brush(ICE, "ice", "i", (tile(0, 0, "floor"),)),
        Brush(WALL, "wall", "w", (tile(0, 0, "wall"),)),
        Brush(FLAG, "flag", "f", (tile(0, 0, "floor"), Polygon(((0.3, 0.2), (0.8, 0.4), (0.3, 0.6)), "goal"))),
        Brush(SLEDGE, "sledge", "s", (tile(0, 0, "floor"), disc(0, 0, "2", 0.35))),
    ),
    first="@..!\n....\n...#\n",
    single={SLEDGE: ICE},
)


def pointed(level: Level, position: Position, pressed: Place, released: Place) -> list[str]:
    """The slide towards the cell where the pointer is released."""
    (row, column), (to_row, to_column) = position.sledge, released
    if (row == to_row) == (column == to_column):
        return []
    way = ("l" if to_column < column else "r") if row == to_row else ("u" if to_row < row else "d")
    return [way] if path(level, position.sledge, way) else []


PUZZLE = replace(PUZZLE, drawing=lambda: DRAWING, pointing=lambda: Pointing(pointed))


from puzzlemc.encodings.puzzle.explanation import Explanation


def obvious(level: Level) -> str:
    """A flag that the sledge can never pass; empty if it can pass each."""
    stops, open_list, passed = {level.start.sledge}, [level.start.sledge], {level.start.sledge}
    while open_list:
        here = open_list.pop()
        for way in WAYS:
            cells = path(level, here, way)
            passed.update(cells)
            if cells and cells[-1] not in stops:
                stops.add(cells[-1])
                open_list.append(cells[-1])
    missed = sorted(level.start.flags - passed)
    return f"no slide leads over the flag in row {missed[0][0] + 1}, column {missed[0][1] + 1}" if missed else ""


PUZZLE = replace(PUZZLE, explanation=Explanation(obvious=obvious))


from puzzlemc.encodings.puzzle.symmetry import Symmetry


def cells_of(level: Level) -> tuple[tuple[str, ...], ...]:
    """The signs of a level, row by row."""
    return tuple(tuple(row) for row in PUZZLE.screen.draw(level, level.start).splitlines())


PUZZLE = replace(PUZZLE, symmetry=Symmetry(cells_of, lambda move, turned: turned(move)))


from collections.abc import Callable
from random import Random

from puzzlemc.encodings.puzzle.design.generation import NumberOption, SingleGeneration
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Budget


def least(level: Level) -> int | None:
    """The fewest slides, by a search through the plain rules; None if there is no solution."""
    seen, newest, cost = {level.start}, {level.start}, 0
    while newest:
        if any(not position.flags for position in newest):
            return cost
        newest = {step.position for position in newest for step in steps(level, position)} - seen
        seen |= newest
        cost += 1
    return None


def generate(
    rows: int, columns: int, flags: int, seed: int, budget: Budget, *, unique: bool, drawn: Callable[[Level], None]
) -> tuple[Level, str]:
    """A random level that has a solution, with its fewest slides."""
    if unique:
        raise ModelError("levels of glide with one solution are not made")
    if rows * columns < 2 * (flags + 1):
        raise ModelError(f"found {flags} flags, expected at most {rows * columns // 2 - 1} on that board")
    random = Random(f"{rows} {columns} {flags} {seed}")
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    while True:
        budget.check()
        sledge, *chosen = random.sample(cells, 1 + flags + len(cells) // 5)
        walls = frozenset(chosen[flags:])
        start = Position(sledge, frozenset(chosen[:flags]))
        level = Level("", rows, columns, frozenset(cells) - walls, start)
        cost = least(level)
        if cost is not None:
            drawn(level)
            return level, f"{cost} slides"


PUZZLE = replace(PUZZLE, generation=SingleGeneration(generate, NumberOption("flags", "Number of flags.", 3)))
