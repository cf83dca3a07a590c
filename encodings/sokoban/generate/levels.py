"""Sokoban levels: a room, goals in it, and the start that is hardest, with its least number of pushes.

Pulled backward from where all boxes stand on goals, every position has its least number of pushes (see
`positions`). The start is one that is as far away as any, and of those one whose solution changes most often from
box to box. Then floor is walled up that a solution has no use for: that solution stays, and none can get shorter.

An unsolvable level starts behind a push that loses: no box stands where it would be lost alone, there is a goal
for each, each can be moved, and among such starts it is one with many positions to come.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from puzzlemc.encodings.puzzle.generation import Candidate, GenerationRequest, Generator
from puzzlemc.encodings.sokoban.domain.symmetry import KINDS, least_drawing
from puzzlemc.encodings.sokoban.generate import positions
from puzzlemc.encodings.sokoban.generate.positions import Cells, Positions, Room, Table
from puzzlemc.encodings.sokoban.generate.rooms import empty_room, fills, is_good, without_dead_ends
from puzzlemc.mc import jit
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.sokoban import Cell, Level, build

LEAST_SIDE, MOST_SIDE = 5, 30
CELLS_A_BOX = 4  # inside the walls, at least
GOAL_DRAWS = 6  # sets of goals for each room
MOST_POSITIONS = 150_000  # of one search
MOST_SEARCHED = 300_000  # positions of all searches in one room
MOST_MEASURED = 500_000  # positions of a level that is measured
CLUSTERED = 0.65  # share of the sets of goals that lie together
STARTS = 8  # of those that are equally far, that are looked at
LOST_STARTS = 24  # the same of unsolvable ones
MOST_LOST = 4096


@dataclass(frozen=True)
class _Start:
    """Where a level in a room starts.

    rank     what is better is greater
    cost     the least number of pushes of a solution; of an unsolvable level, to the farthest position
    goals    numbers of cells
    row      the position
    around   the search that found it: backward from the goals, or of an unsolvable level, forward from here
    line     a solution, see `positions.best_line`
    """

    rank: tuple[int, ...]
    cost: int
    goals: tuple[int, ...]
    row: Cells
    around: Positions
    line: Table | None = None


def check(request: GenerationRequest) -> None:
    """Raise ModelError where there are no such levels."""
    width, height = request.width, request.height
    if not LEAST_SIDE <= min(width, height) <= max(width, height) <= MOST_SIDE:
        raise ModelError(f"found a size of {width}×{height}, expected sides from {LEAST_SIDE} to {MOST_SIDE}")
    most = (width - 2) * (height - 2) // CELLS_A_BOX
    if not 1 <= request.objects <= most:
        raise ModelError(f"found {request.objects} boxes, expected 1 to {most} on a board of {width}×{height}")
    if request.least < 1:
        raise ModelError(f"found at least {request.least} pushes, expected 1 or more")
    if request.unique and request.unsolvable:
        raise ModelError("found both unique and unsolvable, expected one of them")


def draw(request: GenerationRequest, number: int, budget: Budget) -> Candidate | None:
    """The level of that number, or None where what was drawn is no good. The same arguments give the same level.

    Raises LimitReached.
    """
    jit.ready(warm_up, positions.__name__)
    asked = (
        request.width,
        request.height,
        request.objects,
        request.least,
        request.unique,
        request.unsolvable,
        request.seed,
        number,
    )
    chance = random.Random(repr(asked))
    floor = empty_room(request.width, request.height, chance)
    if floor is None or len(floor) < 3 * request.objects:
        return None
    cells = sorted(floor)
    of = positions.room(cells)
    best: _Start | None = None
    searched = 0
    for goals in _goals(of, request.objects, chance):
        budget.check()
        back = positions.backward(of, goals, MOST_POSITIONS)
        start = (_lost if request.unsolvable else _farthest)(of, goals, back, request, chance)
        if start is not None and (best is None or start.rank > best.rank):
            best = start
        searched += len(back.rows)
        if searched > MOST_SEARCHED:
            break
    if best is None or best.cost < request.least:
        return None
    return _candidate(cells, of, best, request, chance)


def _goals(of: Room, boxes: int, chance: random.Random) -> Iterator[tuple[int, ...]]:
    """Sets of goals, each of which a box can come to, were it alone."""
    able = [cell for cell in range(len(of.near)) if (of.pulls[cell, :, 0] >= 0).any()]
    seen = set[tuple[int, ...]]()
    for _ in range(chance.randint(1, GOAL_DRAWS) if len(able) >= boxes else 0):
        chosen = _cluster(of, able, boxes, chance) if chance.random() < CLUSTERED else chance.sample(able, boxes)
        goals = tuple(sorted(chosen))
        if len(goals) == boxes and goals not in seen:
            seen.add(goals)
            yield goals


def _cluster(of: Room, able: Sequence[int], boxes: int, chance: random.Random) -> list[int]:
    chosen = [chance.choice(able)]
    while len(chosen) < boxes:
        beside = sorted({int(cell) for one in chosen for cell in of.near[one]} & set(able) - set(chosen))
        if not beside:
            break
        chosen.append(chance.choice(beside))
    return chosen


def _farthest(
    of: Room, goals: tuple[int, ...], back: Positions, request: GenerationRequest, chance: random.Random
) -> _Start | None:
    """The hardest start: no box on a goal, as many pushes from the end as can be, and many changes of box."""
    fit = _off_goals(of, goals, back.rows)
    if request.unique:
        fit &= back.ways == 1
    numbers = np.flatnonzero(fit)
    if not len(numbers):
        return None
    depth = int(back.depth[numbers[-1]])
    numbers = numbers[back.depth[numbers] == depth]
    found: _Start | None = None
    for number in sorted(chance.sample(range(len(numbers)), min(STARTS, len(numbers)))):
        at = int(numbers[number])
        changes, line = positions.best_line(of.near, of.pushes, back.rows, back.depth, back.slots, at)
        if found is None or (depth, changes) > found.rank:
            found = _Start((depth, int(changes)), depth, goals, back.rows[at], back, line)
    return found


def _off_goals(of: Room, goals: tuple[int, ...], rows: Cells) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    is_goal = np.zeros(len(of.near), np.bool_)
    is_goal[list(goals)] = True
    return np.asarray(~is_goal[rows[:, :-1]].any(axis=1))


def _used(of: Room, start: _Start) -> tuple[set[int], int]:
    """The cells that are in use, and one of them where the player can be.

    Those are the cells that boxes and player enter in the solution, by shortest walks, from its first push on.
    Of an unsolvable level, those that boxes may ever enter, and what is beside them.
    """
    if start.line is None:
        boxed = np.unique(start.around.rows[:, :-1])
        beside = of.near[boxed].ravel()
        return {int(start.row[-1]), *boxed.tolist(), *beside[beside >= 0].tolist()}, int(start.row[-1])
    used = set[int]()
    player = first = int(of.pushes[start.line[0, 1], start.line[0, 2], 0])
    for number, cell, way in start.line.tolist():
        boxes = set(map(int, start.around.rows[number][:-1]))
        stand, to, _ = map(int, of.pushes[cell, way])
        used |= boxes | {cell, to} | _walk(of, boxes, player, stand)
        player = cell
    return used, first


def _walk(of: Room, boxes: set[int], start: int, end: int) -> set[int]:
    """The cells of a shortest walk."""
    came, waiting = {start: start}, [start]
    for cell in waiting:
        if cell == end:
            break
        for other in map(int, of.near[cell]):
            if other >= 0 and other not in boxes and other not in came:
                came[other] = cell
                waiting.append(other)
    way = {end, start}
    while end != start:
        end = came[end]
        way.add(end)
    return way


def _lost(
    of: Room, goals: tuple[int, ...], back: Positions, request: GenerationRequest, chance: random.Random
) -> _Start | None:
    """A start that looks solvable and is not: of some behind losing pushes, that with most positions to come."""
    if not back.whole:
        return None
    behind = np.empty((MOST_LOST, len(goals) + 1), np.int16)
    count = positions.losing(of.near, of.pushes, back.rows, back.slots, behind)
    lost = np.unique(behind[:count], axis=0)
    lost = lost[_off_goals(of, goals, lost)]
    homes = _homes(of, goals)
    found: _Start | None = None
    for number in chance.sample(range(len(lost)), min(LOST_STARTS, len(lost))):
        on = _tempting(of, lost[number], homes, request)
        if on is not None and (found is None or len(on.rows) > found.rank[0]):
            if positions.among(back.rows, back.slots, on.rows):
                raise Refuted("a position that was taken for lost has a solution")
            found = _Start((len(on.rows),), int(on.depth[-1]), goals, lost[number], on)
    return found


def _tempting(
    of: Room, row: Cells, homes: dict[tuple[int, int], set[int]], request: GenerationRequest
) -> Positions | None:
    """The positions to come, if there is a goal for each box, were it alone, and each can be moved; else None."""
    boxes, player = row[:-1], int(row[-1])
    alone = [(int(box), positions.reach(of, boxes[slot : slot + 1], player)[0]) for slot, box in enumerate(boxes)]
    if not _is_matched([homes.get(one, set()) for one in alone]):
        return None
    on = positions.forward(of, row, MOST_POSITIONS)
    moves = all((on.rows[:, :-1] != box).all(axis=1).any() for box in boxes)
    return on if on.whole and moves and on.depth[-1] >= request.least else None


def _homes(of: Room, goals: Sequence[int]) -> dict[tuple[int, int], set[int]]:
    """By positions of a single box, the goals that it can be brought to."""
    homes: dict[tuple[int, int], set[int]] = {}
    for goal in goals:
        for box, player in positions.backward(of, [goal], MOST_POSITIONS).rows.tolist():
            homes.setdefault((box, player), set()).add(goal)
    return homes


def _is_matched(choices: Sequence[set[int]]) -> bool:
    """Can each have one of its choices for itself? By augmenting paths."""
    owner: dict[int, int] = {}

    def placed(one: int, tried: set[int]) -> bool:
        for choice in sorted(choices[one] - tried):
            tried.add(choice)
            if choice not in owner or placed(owner[choice], tried):
                owner[choice] = one
                return True
        return False

    return all(placed(one, set()) for one in range(len(choices)))


def _candidate(
    cells: Sequence[Cell], of: Room, start: _Start, request: GenerationRequest, chance: random.Random
) -> Candidate | None:
    """The level without floor that is of no use, and what is known of it; None where too little is left."""
    goals, boxes = ({cells[number] for number in numbers} for numbers in (start.goals, start.row[:-1]))
    used, player_at = _used(of, start)
    floor = _trimmed(frozenset(cells), frozenset(cells[number] for number in used), cells[player_at])
    if not fills(floor, request.width, request.height) or not is_good(floor, request.width, request.height):
        return None
    left = sorted(floor)
    numbers = {cell: number for number, cell in enumerate(left)}
    of = positions.room(left)
    row = np.array([*sorted(numbers[cell] for cell in boxes), 0], np.int16)
    region = positions.reach(of, row[:-1], numbers[cells[player_at]])
    row[-1] = region[0]
    told = _told(of, [numbers[cell] for cell in sorted(goals)], row, start.cost, request)
    if told is None:
        return None
    player = left[chance.choice(region)]
    text = _drawing(floor, goals, boxes, player, request)
    kinds = {cell: KINDS[(cell in goals) + 2 * (cell in boxes)] for cell in left}
    kinds |= {left[number]: KINDS[4 + (left[number] in goals)] for number in region}
    level = build(Part("", 1, text, "", ""))
    return Candidate(level, least_drawing(kinds), None if request.unsolvable else start.cost, told)


def _trimmed(floor: frozenset[Cell], used: frozenset[Cell], player: Cell) -> frozenset[Cell]:
    """What is left of the floor near the cells in use, without dead ends."""
    near = {(row + r, column + c) for row, column in used for r in (-1, 0, 1) for c in (-1, 0, 1)}
    return _part(without_dead_ends(floor & near, used), player)


def _part(floor: frozenset[Cell], start: Cell) -> frozenset[Cell]:
    found, waiting = set[Cell](), [start]
    while waiting:
        row, column = cell = waiting.pop()
        if cell in floor and cell not in found:
            found.add(cell)
            waiting += [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return frozenset(found)


def _told(
    of: Room, goals: Sequence[int], row: Cells, cost: int, request: GenerationRequest
) -> dict[str, object] | None:
    """What the level is measured by; None where it looks solvable no more, without the floor that it has lost.

    Raises Refuted where its least number of pushes is not `cost` any more.
    """
    told: dict[str, object] = {}
    back = positions.backward(of, goals, MOST_POSITIONS)
    at = int(back.slots[positions.find(back.rows, back.slots, row)])
    if request.unsolvable:
        if at >= 0:
            raise Refuted("a position that was taken for lost has a solution")
        tempting = _tempting(of, row, _homes(of, goals), request)
        if tempting is None:
            return None
        told["farthest"] = int(tempting.depth[-1])
    else:
        if at < 0 or back.depth[at] != cost:
            raise Refuted(f"a level of {cost} pushes has another least number")
        changes, _ = positions.best_line(of.near, of.pushes, back.rows, back.depth, back.slots, at)
        told["solutions"] = int(back.ways[at]) if back.ways[at] < positions.MANY else None
        told["box_changes"] = int(changes)
    if request.measured:
        on = positions.forward(of, row, MOST_MEASURED)
        if on.whole and not back.whole:
            back = positions.backward(of, goals, MOST_MEASURED)
        states = len(on.rows)
        live = positions.among(back.rows, back.slots, on.rows)
        told["states"] = states if on.whole else None
        told["dead_share"] = round(1 - live / states, 4) if on.whole and back.whole else None
        told["branching"] = round(on.edges / states, 4) if on.whole else None
    return told


def _drawing(
    floor: frozenset[Cell], goals: set[Cell], boxes: set[Cell], player: Cell, request: GenerationRequest
) -> str:
    """The board, with walls that are seen from the floor, and those that these enclose."""
    rows = range(request.height)
    walls = {(r + down, c + right) for r, c in floor for down in (-1, 0, 1) for right in (-1, 0, 1)} - floor
    outside, waiting = set[Cell](), [(-1, -1)]
    while waiting:
        row, column = cell = waiting.pop()
        if (
            cell not in outside
            and cell not in walls
            and -1 <= row <= request.height
            and -1 <= column <= request.width
        ):
            outside.add(cell)
            waiting += [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]

    def letter(cell: Cell) -> str:
        if cell in floor:
            return KINDS[(cell in goals) + 2 * (cell in boxes) + 4 * (cell == player)]
        return " " if cell in outside else "#"

    return "\n".join("".join(letter((row, column)) for column in range(request.width)).rstrip() for row in rows)


def titled(level: Level, title: str) -> str:
    """The level as text."""
    return "\n".join([*level.rows, f"Title: {title}"])


def warm_up() -> None:
    """Lead through the compiled code."""
    of = positions.room([(1, column) for column in range(1, 6)])
    back = positions.backward(of, [3], 1 << 10)
    positions.best_line(of.near, of.pushes, back.rows, back.depth, back.slots, len(back.rows) - 1)
    positions.losing(of.near, of.pushes, back.rows, back.slots, np.empty((8, 2), np.int16))
    on = positions.forward(of, back.rows[-1], 1 << 10)
    positions.among(back.rows, back.slots, on.rows)
    positions.find(back.rows, back.slots, back.rows[0])
    positions.reach(of, back.rows[0][:-1], 0)


GENERATOR = Generator((9, 9), 3, check, draw, titled)
