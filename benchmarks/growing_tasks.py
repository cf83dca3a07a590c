"""Five families of planning tasks that grow: all solvable, with a cost of 1 for each step.

Each function takes a size and a source of random numbers. Tiles, pieces and lights are scrambled by steps that can
be undone, so each task has a plan. No task has conditional effects or axioms, so each optimal planner takes it.
"""

import random
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

from draft import Draft, Facts
from tasks import blocks, neighbours

from puzzlemc.mc.tasks.task import Task


def tiles(size: int, rng: random.Random) -> Task:
    """A sliding puzzle with `size` tiles on 2×2, 3×2, 3×3, 4×3 or 4×4 cells, five steps from the goal per cell."""
    width, height = {3: (2, 2), 5: (3, 2), 8: (3, 3), 11: (4, 3), 15: (4, 4)}[size]
    board = list(range(size + 1))  # cell -> tile, 0 is the gap
    before = 0
    for _ in range(5 * len(board)):
        gap = board.index(0)
        before, other = gap, rng.choice([cell for cell in neighbours(width, height, gap) if cell != before])
        board[gap], board[other] = board[other], 0
    draft = Draft()
    cells: list[Hashable] = [*range(len(board))]
    for tile in range(len(board)):
        draft.variable(tile, cells, board.index(tile))
    for gap in range(len(board)):
        for cell, tile in product(neighbours(width, height, gap), range(1, len(board))):
            draft.operator(f"slide {tile} to {gap}", {0: gap, tile: cell}, {0: cell, tile: gap})
    return draft.task({tile: tile for tile in range(1, len(board))})


def tower(size: int, rng: random.Random) -> Task:
    """Blocks to stack in another order on a table."""
    return blocks(size - 3, rng)  # its sizes begin with four blocks


def gripper(size: int, _: random.Random) -> Task:
    """A robot with two hands carries balls to the other room."""
    draft = Draft()
    draft.variable("robot", ["a", "b"], "a")
    for hand in ("left", "right"):
        draft.variable(hand, ["free", "full"], "free")
    balls = [f"ball {n}" for n in range(size)]
    for ball in balls:
        draft.variable(ball, ["a", "b", "left", "right"], "a")
    draft.operator("go to b", {"robot": "a"}, {"robot": "b"})
    draft.operator("go to a", {"robot": "b"}, {"robot": "a"})
    for ball, room, hand in product(balls, "ab", ("left", "right")):
        here: Facts = {"robot": room, ball: room, hand: "free"}
        held: Facts = {"robot": room, ball: hand, hand: "full"}
        draft.operator(f"pick {ball} {hand} {room}", here, {ball: hand, hand: "full"})
        draft.operator(f"drop {ball} {hand} {room}", held, {ball: room, hand: "free"})
    return draft.task(dict.fromkeys(balls, "b"))


class Piece(NamedTuple):
    """Width, height, and the column and row of its upper left corner."""

    width: int
    height: int
    column: int
    row: int

    def cells(self) -> set[tuple[int, int]]:
        """What it covers."""
        return {(self.column + x, self.row + y) for x in range(self.width) for y in range(self.height)}


STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))
COLUMNS = 4


def pieces(size: int) -> list[Piece]:
    """A square of 2×2 at the bottom of a frame, dominoes beside and above it, and two free cells at the top."""
    placed = [Piece(2, 2, 1, size - 2), Piece(1, 2, 0, size - 2), Piece(1, 2, 3, size - 2)]
    for row in range(size - 3, 0, -1):
        placed += [Piece(1, 1, 0, row), Piece(2, 1, 1, row), Piece(1, 1, 3, row)]
    return [*placed, Piece(1, 1, 0, 0), Piece(1, 1, 3, 0)]  # the two cells between are free


def covered(standing: Iterable[Piece]) -> set[tuple[int, int]]:
    """The cells under some pieces."""
    return {cell for piece in standing for cell in piece.cells()}


def can_stand(piece: Piece, rows: int) -> bool:
    """Is it inside of the frame?"""
    return 0 <= piece.column <= COLUMNS - piece.width and 0 <= piece.row <= rows - piece.height


def slides(piece: Piece, rows: int) -> list[Piece]:
    """Where a piece stands after a step, if nothing is in its way."""
    moved = (piece._replace(column=piece.column + x, row=piece.row + y) for x, y in STEPS)
    return [each for each in moved if can_stand(each, rows)]


def frame(size: int, rng: random.Random) -> Task:
    """Pieces of four shapes slide in a frame of four columns and `size` rows; larger ones have places to go to."""
    ends = pieces(size)
    standing = [*ends]
    for _ in range(400 * size):
        number, moved = rng.choice(
            [
                (number, moved)
                for number, piece in enumerate(standing)
                for moved in slides(piece, size)
                if not moved.cells() & covered(standing[:number] + standing[number + 1 :])
            ]
        )
        standing[number] = moved
    cells = [*product(range(COLUMNS), range(size))]
    taken = covered(standing)
    draft = Draft()
    places: list[list[Piece]] = []
    for number, piece in enumerate(standing):
        anywhere = (piece._replace(column=x, row=y) for x, y in cells)
        places.append([place for place in anywhere if can_stand(place, size)])
        draft.variable(number, [*places[-1]], piece)
    for cell in cells:
        draft.variable(("free", *cell), [False, True], cell not in taken)
    for number, own in enumerate(places):
        for place in own:
            for to in slides(place, size):
                entered, left = (one.cells() - two.cells() for one, two in ((to, place), (place, to)))
                before: dict[Hashable, Hashable] = {number: place}
                before |= {("free", *cell): True for cell in entered}
                after: dict[Hashable, Hashable] = {number: to}
                after |= {("free", *cell): cell in left for cell in entered | left}
                draft.operator(f"slide {number}", before, after)
    return draft.task({number: end for number, end in enumerate(ends) if end.width * end.height > 1})


def lights(size: int, rng: random.Random) -> Task:
    """Lights out on `size`×`size` lamps. A switch has one operator for each state of the lamps that it changes."""
    switches = [[cell, *neighbours(size, size, cell)] for cell in range(size * size)]
    lit = [False] * (size * size)
    for switch in rng.sample(switches, size * size // 2):
        for cell in switch:
            lit[cell] = not lit[cell]
    draft = Draft()
    for cell, on in enumerate(lit):
        draft.variable(cell, [False, True], on)
    for number, switch in enumerate(switches):
        for values in product([False, True], repeat=len(switch)):
            before = dict[Hashable, Hashable](zip(switch, values, strict=True))
            draft.operator(f"press {number}", before, {cell: not on for cell, on in before.items()})
    return draft.task(dict.fromkeys(range(size * size), False))


class Family(NamedTuple):
    """What its size counts, its sizes, the random instances of each size, and its tasks."""

    unit: str
    sizes: Sequence[int]
    instances: int
    make: Callable[[int, random.Random], Task]

    def task(self, size: int, instance: int) -> Task:
        """A task; always the same one."""
        return self.make(size, random.Random(f"{self.unit} {size} {instance}"))


FAMILIES = {
    "sliding tiles": Family("tiles", (3, 5, 8, 11, 15), 3, tiles),
    "blocks": Family("blocks", (4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20), 1, tower),
    "gripper": Family("balls", (2, 4, 6, 8, 10, 12, 14, 16, 18, 20), 1, gripper),
    "frame": Family("rows", (4, 5, 6, 7, 8), 1, frame),
    "lights out": Family("side", (2, 3, 4, 5, 6), 1, lights),
}
