"""The objects of a level, which edits touch and relaxations free, as the bits of a number."""

from typing import NamedTuple

from puzzlemc.encodings.sokoban.changes.grid import Grid
from puzzlemc.screens.sokoban import Cell


class Objects:
    """The objects of a level. A set of objects is a number, with a bit for each object.

    names     the objects by name, in the order of their bits
    box       the bit of each box
    vanished  for each box, a bit that stands for its vanishing: edits touch it, and no object has it
    """

    def __init__(self, grid: Grid, added: int) -> None:
        """The objects with this number of added boxes."""
        boxes, goals, walls = sorted(grid.start.boxes), sorted(grid.start.goals), grid.inner_walls
        self.names = (
            *(object_name("box", cell) for cell in boxes),
            *(object_name("goal", cell) for cell in goals),
            *(object_name("wall", cell) for cell in walls),
            "player",
            *(f"added {number}" for number in range(1, added + 1)),
        )
        bits = [1 << number for number in range(len(self.names) + len(boxes))]
        self.box = dict(zip(boxes, bits, strict=False))
        self.goal = dict(zip(goals, bits[len(boxes) :], strict=False))
        self.wall = dict(zip(walls, bits[len(boxes) + len(goals) :], strict=False))
        self.player = bits[len(boxes) + len(goals) + len(walls)]
        self.added = tuple(bits[len(self.names) - added : len(self.names)])
        self.vanished = dict(zip(boxes, bits[len(self.names) :], strict=True))

    def named(self, objects: int) -> tuple[str, ...]:
        """The names of objects."""
        return tuple(name for number, name in enumerate(self.names) if objects >> number & 1)


class Relaxation(NamedTuple):
    """The relaxation Q(freed); `placed` and `dropped` are boxes of `freed`."""

    freed: int
    placed: int = 0
    dropped: int = 0


def object_name(thing: str, cell: Cell) -> str:
    """The name of a box, goal or wall."""
    return f"{thing} {cell[0] + 1},{cell[1] + 1}"
