"""my_puzzle: a walker collects all coins. Change it piece by piece until it is your puzzle.

    puzzlemc solve levels.my_puzzle --puzzle my_puzzle.py

A level is rows of signs: `#` a wall, `.` the floor, `@` the walker, `o` a coin. A line `Title: ...` above the rows
is the title, a line that begins with `%` a comment. A blank line ends a level. A move takes the walker one cell
left, up, right or down.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded, placed
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part, build_all
from puzzlemc.screens.base.picture import Picture, disc, tile

Place = tuple[int, int]  # row and column, from 0; people and atoms count from 1

WALL, FLOOR, WALKER, COIN = SIGNS = "#.@o"
WAYS = {"left": (0, -1), "up": (-1, 0), "right": (0, 1), "down": (1, 0)}  # name of a move -> rows and columns
STEP = {"steps": 1}  # what a move costs, by metric


class Position(NamedTuple):
    """What changes in a level."""

    walker: Place
    coins: frozenset[Place]


@dataclass(frozen=True)
class Level:
    """What stays the same in a level, and its first position."""

    title: str
    width: int
    height: int
    floor: frozenset[Place]
    start: Position


class Screen:
    """Reads, writes and draws levels."""

    SUFFIXES = (".my_puzzle",)

    def looks_like(self, text: str) -> float:
        """Return how much of a text is a level of this puzzle, from 0 to 1: 0 leaves that to the suffix."""
        return 0.0

    def cut(self, text: str, source: str) -> Iterator[Part | LevelError]:
        """Yield the text of each level."""
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
        cells = dict[Place, str]()
        for row, line in enumerate(part.text.splitlines()):
            for column, sign in enumerate(line):
                if sign not in SIGNS:
                    message = f"found {sign!r}, expected one of {' '.join(SIGNS)}"
                    raise LevelError(message, source=part.source, line=part.line + row, column=column + 1)
                cells[row, column] = sign
        walkers = [place for place, sign in cells.items() if sign == WALKER]
        if len(walkers) != 1:
            raise LevelError(f"found {len(walkers)} {WALKER}, expected one", source=part.source, line=part.line)
        return Level(
            title=part.title,
            width=1 + max(column for _, column in cells),
            height=1 + max(row for row, _ in cells),
            floor=frozenset(place for place, sign in cells.items() if sign != WALL),
            start=Position(walkers[0], frozenset(place for place, sign in cells.items() if sign == COIN)),
        )

    def parse(self, text: str, source: str) -> list[Level | LevelError]:
        """Read a text: an item for each level."""
        return build_all(self.cut(text, source), self.build)

    def draw(self, level: Level, position: Position | None = None) -> str:
        """Write a level as text that `parse` reads, or another position of it."""
        walker, coins = level.start if position is None else position
        rows = [
            [FLOOR if (r, c) in level.floor else WALL for c in range(level.width)] for r in range(level.height)
        ]
        for row, column in coins:
            rows[row][column] = COIN
        rows[walker[0]][walker[1]] = WALKER
        title = [f"Title: {level.title}"] if level.title and position is None else []
        return "\n".join([*title, *map("".join, rows)])

    def picture(self, level: Level, position: Position) -> Picture:
        """Draw a position: `board` never changes, `pieces` are painted over it. The unit is a cell."""
        cells = [(row, column) for row in range(level.height) for column in range(level.width)]
        board = tuple(tile(*cell, "floor" if cell in level.floor else "wall") for cell in cells)
        coins = tuple(disc(*cell, "3", 0.25) for cell in sorted(position.coins))
        return Picture(level.width, level.height, board, (*coins, disc(*position.walker, "accent", 0.35)))


# The plain rules. They check each solution, so they must not use the model below.
def start(level: Level) -> Position:
    """The first position."""
    return level.start


def steps(level: Level, position: Position) -> Iterator[Step]:
    """Yield each legal move: its name, the next position, and what it costs."""
    row, column = position.walker
    for name, (down, right) in WAYS.items():
        place = row + down, column + right
        if place in level.floor:
            yield Step(name, Position(place, position.coins - {place}), STEP)


def solved(level: Level, position: Position) -> bool:
    """Is the level solved?"""
    return not position.coins


# The model, which the engines search. It must not use the plain rules above.
def compact(level: Level) -> Encoded:
    """The level as a model: a bit for each cell where the walker can be, and a bit for each coin.

    An action has a guard, which says when it can be done, and an update, which says what it changes. All other
    bits keep their values. Its name is the name of the move.
    """
    cells = sorted(level.floor)
    variables = {
        **{("walker", cell): boolean("walker", *cell) for cell in cells},
        **{("coin", cell): boolean("coin", *cell) for cell in sorted(level.start.coins)},
    }
    walker = {cell: variables["walker", cell].bits[0] for cell in cells}
    coin = {cell: variables["coin", cell].bits[0] for cell in sorted(level.start.coins)}

    actions = []
    for here in cells:
        for name, (down, right) in WAYS.items():
            there = here[0] + down, here[1] + right
            if there in walker:
                update = {walker[here]: False, walker[there]: True}
                if there in coin:
                    update[coin[there]] = False
                actions.append(Action(name, {walker[here]: True}, update, STEP))

    initial = {bit: cell == level.start.walker for cell, bit in walker.items()} | dict.fromkeys(
        coin.values(), True
    )
    goal = dict.fromkeys(coin.values(), False)
    places = {"walker": placed("walker", walker), "coin": placed("coin", coin)}
    atoms = {places["walker"][cell]: {bit: True} for cell, bit in walker.items()}
    atoms |= {places["coin"][cell]: {bit: True} for cell, bit in coin.items()}

    def decode(state: State) -> Position:
        """The position that a state of the model stands for: a state is the set of its true bits."""
        here = next(cell for cell, bit in walker.items() if bit in state)
        return Position(here, frozenset(cell for cell, bit in coin.items() if bit in state))

    return Encoded(
        Model(
            variables=tuple(variables.values()),
            init=initial,
            actions=tuple(actions),
            goal=goal,
            atoms={"solved": goal, **atoms},
            counts={"coins": [{bit: True} for bit in coin.values()]},
        ),
        decode=decode,
        moves=lambda trace: [action.name for action in trace.actions],
        places=places,
    )


PUZZLE = Puzzle(
    name="my_puzzle",
    screen=Screen(),
    metrics=("steps",),
    encodings={"compact": compact},
    rules=Transition(start, steps, solved),
    vocabulary=Vocabulary(
        atoms={
            "solved": "no coin is left",
            "walker@(r,c)": "the walker is in that cell",
            "coin@(r,c)": "a coin lies in that cell",
        },
        counts={"coins": "the number of coins that are left"},
        constants=lambda level: {
            f"{family}@({row + 1},{column + 1})": False
            for family, known in (("walker", level.floor), ("coin", level.start.coins))
            for row in range(level.height)
            for column in range(level.width)
            if (row, column) not in known
        },
    ),
)
