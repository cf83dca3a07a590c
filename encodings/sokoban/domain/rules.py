"""The plain rules of Sokoban. They share no code with the encodings, whose traces they replay."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.screens.sokoban import Cell, Level, State

DIRECTIONS: dict[str, Cell] = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}
METRICS = ("pushes", "moves")
MOVE = {"pushes": 0, "moves": 1}
PUSH = {"pushes": 1, "moves": 1}


def ahead(cell: Cell, direction: Cell) -> Cell:
    """The neighbour of a cell in a direction."""
    return cell[0] + direction[0], cell[1] + direction[1]


def start(level: Level) -> State:
    """The start position of the level."""
    return level.start


def steps(level: Level, position: State) -> Iterator[Step]:
    """All legal steps; names in lower case walk, names in upper case push."""
    for letter in DIRECTIONS:
        if (found := _towards(level, position, letter)) is not None:
            yield found


def step(level: Level, position: State, name: str) -> Step | None:
    """The legal step of that name, None if there is none."""
    letter = name.lower()
    found = _towards(level, position, letter) if letter in DIRECTIONS else None
    return found if found is not None and found.name == name else None


def _towards(level: Level, position: State, letter: str) -> Step | None:
    """The legal step in the direction of a letter, None if there is none."""
    (row, column), boxes = position.player, position.boxes
    down, right = DIRECTIONS[letter]
    target = row + down, column + right
    if target not in level.cells:
        return None
    if target not in boxes:
        return Step(letter, State(target, boxes), MOVE)
    beyond = row + 2 * down, column + 2 * right
    if beyond not in level.cells or beyond in boxes:
        return None
    return Step(letter.upper(), State(target, boxes - {target} | {beyond}), PUSH)


def at(level: Level, position: State) -> Level:
    """The level with this start position."""
    return replace(level, start=position)


def solved(level: Level, position: State) -> bool:
    """Does every goal hold a box?"""
    return level.goals <= position.boxes


def spare(level: Level) -> int:
    """The number of boxes minus the number of goals."""
    return len(level.start.boxes) - len(level.goals)


def hopeless(level: Level) -> str:
    """The reason, if counting boxes and goals shows that the level has no solution; else an empty text."""
    if len(level.goals) > len(level.start.boxes):
        goals, boxes = len(level.goals), len(level.start.boxes)
        lost_boxes = sum(row.count("$") for row in level.rows) > len(level.start.boxes - level.goals)
        words = f"{goals} goal{'s' * (goals != 1)} but {boxes or 'no'} box{'es' * (boxes != 1)}"
        return words + " within reach" * lost_boxes
    lost = level.goals - level.cells
    if lost:
        row, column = min(lost)
        return f"the goal in row {row + 1}, column {column + 1} of the board is out of reach"
    return ""


def warnings(level: Level) -> list[tuple[int, int, str]]:
    """That the level has more boxes than goals, which collections judge by different rules."""
    boxes, goals = len(level.start.boxes), len(level.goals)
    if boxes <= goals:
        return []
    words = f"{boxes} boxes and {goals} goal{'s' * (goals != 1)}: solved when every goal holds a box"
    return [(0, 0, words)]


def lurd(moves: Sequence[str]) -> str:
    """The moves of a trace in LURD notation, one letter for each step."""
    return "".join(moves)


RULES = Transition(start, steps, solved, step)
