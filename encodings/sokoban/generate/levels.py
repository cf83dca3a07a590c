"""Generates Sokoban levels: a room, goals in it, and the hardest start position, with its least number of pushes.

A backward search from the solved positions finds the least number of pushes of every position (see `positions`).
The start has the greatest number of pushes, and among these positions many changes of box in its solution. Then
floor that the solution does not use becomes wall: this keeps the solution, and cannot make a shorter one possible.

The start of an unsolvable level is a position just after a losing push. It looks solvable: alone, each box can
reach a goal of its own, and each box can be moved. Among such positions, the start has many reachable positions.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.puzzle.design.generation import Candidate, GenerationRequest, Generator
from puzzlemc.encodings.sokoban.board.floods import reachable_cells
from puzzlemc.encodings.sokoban.board.floor import shortest_walk
from puzzlemc.encodings.sokoban.domain.symmetry import KINDS, least_drawing
from puzzlemc.encodings.sokoban.generate import positions
from puzzlemc.encodings.sokoban.generate.positions import Cells, Positions, Table
from puzzlemc.encodings.sokoban.generate.rooms import component, empty_room, fills, is_good, without_dead_ends
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.sokoban import Cell, Level, build

LEAST_SIDE, MOST_SIDE = 5, 30  # of a board, walls included
CELLS_PER_BOX = 4  # the least number of cells inside the walls for each box
GOAL_SETS = 6  # the most sets of goals tried in one room
MOST_POSITIONS = 150_000  # of one search
MOST_SEARCHED = 300_000  # positions of all searches in one room
MOST_MEASURED = 500_000  # positions of a level whose statistics are computed
CLUSTERED = 0.65  # the share of goal sets whose goals are neighbours
STARTS = 8  # candidates for the start of a solvable level, all with the same number of pushes
WISHED_STARTS = 64  # the same if more is asked of the solution: those with the most pushes, or a quarter of all
UNSOLVABLE_STARTS = 24  # candidates for the start of an unsolvable level
MOST_VARIANTS = 5_000  # of the pushes before a position, where solutions are counted
MOST_COUNTED_VARIANTS = 200_000  # of a level whose statistics are computed
MOST_LOSING = 4096  # positions after losing pushes


@dataclass(frozen=True)
class _Start:
    """A start position in a room.

    rank      a greater rank is better
    cost      the least number of pushes of a solution; for an unsolvable level, the number of pushes to the
    farthest
              position
    goals     numbers of cells
    position  the packed position
    around    the search that found it: backward from the goals; for an unsolvable level, forward from the position
    solution  see `positions.best_solution`; None for an unsolvable level
    """

    rank: tuple[int, ...]
    cost: int
    goals: tuple[int, ...]
    position: Cells
    around: Positions
    solution: Table | None = None


def check(request: GenerationRequest) -> None:
    """Raise ModelError if the request is invalid."""
    width, height = request.width, request.height
    if not LEAST_SIDE <= min(width, height) <= max(width, height) <= MOST_SIDE:
        raise ModelError(f"found a size of {height}×{width}, expected sides from {LEAST_SIDE} to {MOST_SIDE}")
    most = (width - 2) * (height - 2) // CELLS_PER_BOX
    if not 1 <= request.objects <= most:
        raise ModelError(f"found {request.objects} boxes, expected 1 to {most} on a board of {height}×{width}")
    if request.least < 1:
        raise ModelError(f"found at least {request.least} pushes, expected 1 or more")
    if request.unique and request.unsolvable:
        raise ModelError("found both unique and unsolvable, expected one of them")
    if request.unsolvable and not request.is_plain:
        raise ModelError("found unsolvable and wishes about the solution, expected one of them")
    least, most_pushes, changes = request.least, request.most, request.changes
    if most_pushes is not None and most_pushes < least:
        raise ModelError(
            f"found at least {least} and at most {most_pushes} pushes, expected a most of {least} or more"
        )
    asked = f"found at least {changes} change{'s' * (changes != 1)} of box"
    if changes < 0:
        raise ModelError(f"{asked}, expected 0 or more")
    if changes and request.objects == 1:
        raise ModelError(f"{asked}, expected 2 boxes or more")
    if most_pushes is not None and changes >= most_pushes:
        raise ModelError(f"{asked} in at most {most_pushes} pushes, expected fewer")


def draw(request: GenerationRequest, number: int, budget: Budget) -> Candidate | None:
    """The level with this number, determined by the arguments; None if the attempt fails. Raises LimitReached."""
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
    rng = random.Random(repr(asked))
    floor = empty_room(request.width, request.height, rng)
    if floor is None or len(floor) < 3 * request.objects:
        return None
    cells = sorted(floor)
    room = positions.room_of(cells)
    best: _Start | None = None
    searched = 0
    choose = _unsolvable_start if request.unsolvable else _solvable_start
    for goals in _goal_sets(room, request.objects, rng):
        budget.check()
        solvable = positions.backward(room, goals, MOST_POSITIONS)
        start = choose(room, goals, solvable, request, rng)
        if start is not None and (best is None or start.rank > best.rank):
            best = start
        searched += len(solvable.packed)
        if searched > MOST_SEARCHED:
            break
    if best is None or best.cost < request.least:
        return None
    return _candidate(cells, room, best, request, rng)


def _goal_sets(room: Cells, boxes: int, rng: random.Random) -> Iterator[tuple[int, ...]]:
    """Yield sets of goals. A lone box can be pushed to each of these goals."""
    possible = _pullable(room)
    seen = set[tuple[int, ...]]()
    for _ in range(rng.randint(1, GOAL_SETS) if len(possible) >= boxes else 0):
        chosen = _cluster(room, possible, boxes, rng) if rng.random() < CLUSTERED else rng.sample(possible, boxes)
        goals = tuple(sorted(chosen))
        if len(goals) == boxes and goals not in seen:
            seen.add(goals)
            yield goals


def _pullable(room: Cells) -> list[int]:
    """The cells from which a lone box can be pulled."""
    beyond = room[room[:-1], range(4)]
    return np.flatnonzero((beyond < len(room) - 1).any(axis=1)).tolist()


def _cluster(room: Cells, possible: Sequence[int], boxes: int, rng: random.Random) -> list[int]:
    """Random connected cells, as many as there are boxes, or fewer if no more possible cells are connected."""
    chosen = [rng.choice(possible)]
    while len(chosen) < boxes:
        beside = sorted({int(cell) for one in chosen for cell in room[one]} & set(possible) - set(chosen))
        if not beside:
            break
        chosen.append(rng.choice(beside))
    return chosen


def _solvable_start(
    room: Cells, goals: tuple[int, ...], solvable: Positions, request: GenerationRequest, rng: random.Random
) -> _Start | None:
    """The hardest start: no box on a goal, the greatest number of pushes, and many changes of box."""
    suitable = _off_goals(room, goals, solvable.packed)
    if request.unique:
        suitable &= solvable.paths == 1
    numbers = np.flatnonzero(suitable)
    if not len(numbers):
        return None
    if not request.is_plain:
        return _wished_start(room, goals, solvable, request, rng, numbers)
    depth = int(solvable.depth[numbers[-1]])
    numbers = numbers[solvable.depth[numbers] == depth]
    best: _Start | None = None
    for number in sorted(rng.sample(range(len(numbers)), min(STARTS, len(numbers)))):
        at = int(numbers[number])
        changes, solution = positions.best_solution(room, solvable, at)
        if best is None or (depth, changes) > best.rank:
            best = _Start((depth, changes), depth, goals, solvable.packed[at], solvable, solution)
    return best


def _wished_start(
    room: Cells,
    goals: tuple[int, ...],
    solvable: Positions,
    request: GenerationRequest,
    rng: random.Random,
    numbers: npt.NDArray[np.int64],
) -> _Start | None:
    """The hardest start that has what is asked of its solution; None if none is found soon.

    numbers  those of the suitable positions, by increasing depth
    """
    depths = solvable.depth[numbers]
    numbers = numbers[(depths >= request.least) & (depths <= (request.most or MOST_POSITIONS))]
    pool = numbers[-max(WISHED_STARTS, len(numbers) // 4) :]
    best: _Start | None = None
    for number in sorted(rng.sample(range(len(pool)), min(WISHED_STARTS, len(pool)))):
        at = int(pool[number])
        depth = int(solvable.depth[at])
        changes, solution = positions.best_solution(room, solvable, at)
        rank = (changes, depth) if request.harder else (depth, changes)
        if changes < request.changes or (best is not None and rank <= best.rank):
            continue
        if request.one_set and positions.solution_sets(room, solvable, at, MOST_VARIANTS) != 1:
            continue
        best = _Start(rank, depth, goals, solvable.packed[at], solvable, solution)
    return best


def _off_goals(room: Cells, goals: tuple[int, ...], packed: Cells) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """For each position: does no box stand on a goal?"""
    is_goal = np.zeros(len(room), np.bool_)
    is_goal[list(goals)] = True
    return np.asarray(~is_goal[packed[:, :-1]].any(axis=1))


def _used_cells(room: Cells, start: _Start) -> tuple[set[int], int]:
    """The cells that are used, and one of them on which the player can stand at the start.

    For a solvable level these are the cells that the boxes and the player enter in the solution, from the first
    push on, with shortest walks between the pushes. For an unsolvable level they are the cells that boxes can
    enter, and their neighbours.
    """
    if start.solution is None:
        boxed = np.unique(start.around.packed[:, :-1])
        player = int(start.position[-1])
        return {player, *boxed.tolist(), *room[boxed].ravel().tolist()} - {len(room) - 1}, player
    used = set[int]()
    player = first = int(room[start.solution[0, 1], start.solution[0, 2] ^ 2])
    for number, cell, d in start.solution.tolist():
        boxes = start.around.packed[number][:-1].tolist()
        used |= {*boxes, cell, int(room[cell, d]), *shortest_walk(room, boxes, player, int(room[cell, d ^ 2]))}
        player = cell
    return used, first


def _unsolvable_start(
    room: Cells, goals: tuple[int, ...], solvable: Positions, request: GenerationRequest, rng: random.Random
) -> _Start | None:
    """A start that looks solvable but is not: a position after a losing push, with many reachable positions."""
    if not solvable.complete:
        return None
    losing = np.unique(positions.losing_successors(room, solvable, MOST_LOSING), axis=0)
    losing = losing[_off_goals(room, goals, losing)]
    goals_of = _goals_by_position(room, goals)
    best: _Start | None = None
    for number in rng.sample(range(len(losing)), min(UNSOLVABLE_STARTS, len(losing))):
        reachable = _reachable_if_plausible(room, losing[number], goals_of, request)
        if reachable is not None and (best is None or len(reachable.packed) > best.rank[0]):
            if positions.count_common(solvable, reachable):
                raise Refuted("a position after a losing push has a solution")
            best = _Start((len(reachable.packed),), int(reachable.depth[-1]), goals, losing[number], reachable)
    return best


def _reachable_if_plausible(
    room: Cells, position: Cells, goals_of: dict[tuple[int, int], set[int]], request: GenerationRequest
) -> Positions | None:
    """The reachable positions of a position that looks solvable; None if it does not, or if there are too many.

    It looks solvable if each box, alone, can reach a goal of its own, and each box can be moved.
    """
    *boxes, player = position.tolist()
    alone = [(box, reachable_cells(room, [box], player)[0]) for box in boxes]
    if not _is_matched([goals_of.get(one, set()) for one in alone]):
        return None
    reachable = positions.forward(room, position, MOST_POSITIONS)
    is_movable = all((reachable.packed[:, :-1] != box).all(axis=1).any() for box in boxes)
    return reachable if reachable.complete and is_movable and reachable.depth[-1] >= request.least else None


def _goals_by_position(room: Cells, goals: Sequence[int]) -> dict[tuple[int, int], set[int]]:
    """For each position of a lone box (box, least cell of the player), the goals to which it can be pushed."""
    found: dict[tuple[int, int], set[int]] = {}
    for goal in goals:
        for box, player in positions.backward(room, [goal], MOST_POSITIONS).packed.tolist():
            found.setdefault((box, player), set()).add(goal)
    return found


def _is_matched(choices: Sequence[set[int]]) -> bool:
    """Is there an assignment of different choices, one for each? By augmenting paths (Kuhn 1955)."""
    owner: dict[int, int] = {}

    def assign(one: int, tried: set[int]) -> bool:
        for choice in sorted(choices[one] - tried):
            tried.add(choice)
            if choice not in owner or assign(owner[choice], tried):
                owner[choice] = one
                return True
        return False

    return all(assign(one, set()) for one in range(len(choices)))


def _candidate(
    cells: Sequence[Cell], room: Cells, start: _Start, request: GenerationRequest, rng: random.Random
) -> Candidate | None:
    """The level without unused floor, and its statistics; None if the remaining floor is not accepted."""
    goals, boxes = ({cells[number] for number in numbers} for numbers in (start.goals, start.position[:-1]))
    used, player_at = _used_cells(room, start)
    floor = _trimmed(frozenset(cells), frozenset(cells[number] for number in used), cells[player_at])
    if not fills(floor, request.width, request.height) or not is_good(floor, request.width, request.height):
        return None
    left = sorted(floor)
    numbers = {cell: number for number, cell in enumerate(left)}
    room = positions.room_of(left)
    position = np.array([*sorted(numbers[cell] for cell in boxes), 0], np.int16)
    region = reachable_cells(room, position[:-1].tolist(), numbers[cells[player_at]])
    position[-1] = region[0]
    statistics = _statistics(room, [numbers[cell] for cell in sorted(goals)], position, start.cost, request)
    if statistics is None:
        return None
    player = left[rng.choice(region)]
    text = _drawing(floor, goals, boxes, player, request)
    kinds = {cell: KINDS[(cell in goals) + 2 * (cell in boxes)] for cell in left}
    kinds |= {left[number]: KINDS[4 + (left[number] in goals)] for number in region}
    level = build(Part("", 1, text, "", ""))
    return Candidate(level, least_drawing(kinds), None if request.unsolvable else start.cost, statistics)


def _trimmed(floor: frozenset[Cell], used: frozenset[Cell], player: Cell) -> frozenset[Cell]:
    """The floor within one cell of the used cells, without dead ends, and connected to the player."""
    near = {(row + r, column + c) for row, column in used for r in (-1, 0, 1) for c in (-1, 0, 1)}
    return component(without_dead_ends(floor & near, used), player)


def _statistics(
    room: Cells, goals: Sequence[int], position: Cells, cost: int, request: GenerationRequest
) -> dict[str, object] | None:
    """The statistics of a level without unused floor; None if an unsolvable level no longer looks solvable.

    Raises Refuted if the least number of pushes is no longer `cost`.
    """
    found: dict[str, object] = {}
    solvable = positions.backward(room, goals, MOST_POSITIONS)
    at = positions.number_of(solvable, position)
    if request.unsolvable:
        if at >= 0:
            raise Refuted("a position after a losing push has a solution")
        reachable = _reachable_if_plausible(room, position, _goals_by_position(room, goals), request)
        if reachable is None:
            return None
        found["farthest"] = int(reachable.depth[-1])
    else:
        if at < 0 or solvable.depth[at] != cost:
            raise Refuted(f"a level of {cost} pushes has another least number of pushes without its unused floor")
        changes, _ = positions.best_solution(room, solvable, at)
        paths = int(solvable.paths[at])
        found["solutions"] = paths if paths < positions.MOST_COUNTED else None
        found["box_changes"] = changes
        if request.measured or request.one_set:
            found["solution_sets"] = positions.solution_sets(room, solvable, at, MOST_COUNTED_VARIANTS)
    if request.measured:
        reachable = positions.forward(room, position, MOST_MEASURED)
        if reachable.complete and not solvable.complete:
            solvable = positions.backward(room, goals, MOST_MEASURED)
        states = len(reachable.packed)
        live = positions.count_common(solvable, reachable)
        found["states"] = states if reachable.complete else None
        found["dead_share"] = round(1 - live / states, 4) if reachable.complete and solvable.complete else None
        found["branching"] = round(reachable.edges / states, 4) if reachable.complete else None
    return found


def _drawing(
    floor: frozenset[Cell], goals: set[Cell], boxes: set[Cell], player: Cell, request: GenerationRequest
) -> str:
    """The board as text. The walls are the neighbours of the floor (8 directions), and all cells they enclose."""
    rows = range(request.height)
    walls = {(r + down, c + right) for r, c in floor for down in (-1, 0, 1) for right in (-1, 0, 1)} - floor
    board = {(row, column) for row in range(-1, request.height + 1) for column in range(-1, request.width + 1)}
    outside = component(frozenset(board - walls), (-1, -1))

    def letter(cell: Cell) -> str:
        if cell in floor:
            return KINDS[(cell in goals) + 2 * (cell in boxes) + 4 * (cell == player)]
        return " " if cell in outside else "#"

    return "\n".join("".join(letter((row, column)) for column in range(request.width)).rstrip() for row in rows)


def titled(level: Level, title: str) -> str:
    """The text of the level with a title."""
    return "\n".join([*level.rows, f"Title: {title}"])


GENERATOR = Generator((9, 9), check, draw, titled)
