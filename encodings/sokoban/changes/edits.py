"""The single edits of a level, and the edits that lead to an arrangement.

If a level has fewer boxes than goals, a box that is added is an edit of the kind `boxes`, and a goal that
vanishes one of the kind `goals`, up to the number of missing boxes.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations, product

from puzzlemc.encodings.puzzle.design.changes import Allowed, Change, Edit
from puzzlemc.encodings.sokoban.board.floods import reachable_cells
from puzzlemc.encodings.sokoban.changes.grid import NO_CELLS, Arrangement, Grid
from puzzlemc.encodings.sokoban.changes.objects import object_name
from puzzlemc.encodings.sokoban.changes.relaxation import starts_anywhere
from puzzlemc.screens.sokoban import Cell, Level

USUAL = ("walls", "boxes", "goals", "player", "drop")
KINDS = (*USUAL, "add")
MOST_MATCHED = 6  # boxes or goals that are matched with their new cells by trying all ways


def place(cell: Cell) -> str:
    """A cell in words, from 1."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def single_edits(level: Level, allowed: Allowed) -> Iterator[Change]:
    """All single edits that are allowed. The player goes to one cell of each region in which it is not."""
    grid = Grid(level)
    for arrangement in _arrangements(grid, allowed):
        edits = edits_of(grid.start, arrangement, allowed.kinds, allowed.keep)
        if all(allowed.keep.isdisjoint(edit.cells) for edit in edits):
            changed = grid.level_of(arrangement)
            if changed is not None:
                yield Change(changed, edits)


def _arrangements(grid: Grid, allowed: Allowed) -> Iterator[Arrangement]:
    """The arrangements after an edit of an allowed kind; some are no levels."""
    level, start, kinds = grid.level, grid.start, allowed.kinds
    missing = len(start.goals) - len(start.boxes)
    free = [cell for cell in level.floor if cell not in start.boxes and cell != start.player]
    no_goal = [cell for cell in level.floor if cell not in start.goals]
    if "walls" in kinds:
        yield from (start._replace(opened=frozenset([cell])) for cell in openings(grid))
        yield from (start._replace(closed=frozenset([cell])) for cell in free if cell not in start.goals)
    if "boxes" in kinds:
        for box, cell in product(sorted(start.boxes), free):
            yield start._replace(boxes=start.boxes - {box} | {cell})
        if missing > 0:
            yield from (start._replace(boxes=start.boxes | {cell}) for cell in free)
    if "goals" in kinds:
        for goal, cell in product(sorted(start.goals), no_goal):
            yield start._replace(goals=start.goals - {goal} | {cell})
        if missing > 0:
            yield from (start._replace(goals=start.goals - {goal}) for goal in sorted(start.goals))
    if "player" in kinds:
        for player in player_cells(grid, start, allowed.keep):
            if player != start.player:
                yield start._replace(player=player)
    if "drop" in kinds and len(start.goals) > 1:
        for box, goal in product(sorted(start.boxes), sorted(start.goals)):
            yield start._replace(boxes=start.boxes - {box}, goals=start.goals - {goal})
    if "add" in kinds:
        for box, goal in product(free, no_goal):
            yield start._replace(boxes=start.boxes | {box}, goals=start.goals | {goal})


def openings(grid: Grid) -> list[Cell]:
    """The inner walls beside the floor: others alone open nothing."""
    near = {
        (row + down, column + right)
        for row, column in grid.level.floor
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
    }
    return [cell for cell in grid.inner_walls if cell in near]


def player_cells(grid: Grid, arrangement: Arrangement, keep: frozenset[Cell]) -> list[Cell]:
    """For each region between the boxes, the cell nearest to the player's that need not look as it does.

    It is the player's own cell in its own region. A region without such a cell is left out.
    """
    room, player = grid.room(arrangement.opened), grid.start.player
    numbers = sorted(room.number[box] for box in arrangement.boxes)
    regions = (
        [room.cells[number] for number in reachable_cells(room.near, numbers, least)]
        for least in starts_anywhere(room, numbers)
    )
    cells = [nearest(region, player, keep) for region in regions]
    return [cell for cell in cells if cell is not None]


def nearest(region: Sequence[Cell], player: Cell, keep: frozenset[Cell]) -> Cell | None:
    """The cell of a region where the player begins: its own one, or the nearest that need not look as it does."""
    able = [cell for cell in region if cell == player or not {cell, player} & keep]
    return min(able, key=lambda cell: (_distance(cell, player), cell), default=None)


def edits_of(
    start: Arrangement, changed: Arrangement, kinds: frozenset[str], keep: frozenset[Cell] = NO_CELLS
) -> tuple[Edit, ...]:
    """The edits that lead to an arrangement, as few as there are: each thing goes to a cell near to it.

    If boxes or goals may not go elsewhere, they vanish together, and are added together. What vanishes and comes
    back where it was is on no cell of `keep`.
    """
    edits = [
        *(
            Edit("walls", f"the wall in {place(cell)} becomes floor", (cell,), (object_name("wall", cell),))
            for cell in sorted(changed.opened)
        ),
        *(Edit("walls", f"{place(cell)} becomes a wall", (cell,), ()) for cell in sorted(changed.closed)),
    ]
    moved, gone, added = _matched(start.boxes - changed.boxes, changed.boxes - start.boxes)
    goals_moved, goals_gone, goals_added = _matched(start.goals - changed.goals, changed.goals - start.goals)
    if "boxes" not in kinds:
        _split(moved, gone, added, len(moved), [])
        more = max(len(gone) - len(goals_gone), len(added) - len(goals_added))
        _split(goals_moved, goals_gone, goals_added, more, sorted(start.goals & changed.goals - keep))
    if "goals" not in kinds:
        _split(goals_moved, goals_gone, goals_added, len(goals_moved), [])
        more = max(len(goals_gone) - len(gone), len(goals_added) - len(added))
        _split(moved, gone, added, more, sorted(start.boxes & changed.boxes - keep))
    for kind, thing, pairs in (("boxes", "box", moved), ("goals", "goal", goals_moved)):
        edits += [
            Edit(
                kind,
                f"the {thing} in {place(old)} goes to {place(new)}",
                (old, new),
                (object_name(thing, old),),
            )
            for old, new in pairs
        ]
    while gone and goals_gone:
        box, goal = gone.pop(0), goals_gone.pop(0)
        words = f"the box in {place(box)} and the goal in {place(goal)} vanish"
        takes = (object_name("box", box), object_name("goal", goal))
        edits.append(Edit("drop", words, tuple(dict.fromkeys((box, goal))), (), takes))
    while added and goals_added:
        box, goal = added.pop(0), goals_added.pop(0)
        words = f"a box is added in {place(box)}, and a goal in {place(goal)}"
        edits.append(Edit("add", words, tuple(dict.fromkeys((box, goal))), ("added 1",)))
    edits += [Edit("boxes", f"a box is added in {place(box)}", (box,), ("added 1",)) for box in added]
    edits += [
        Edit("goals", f"the goal in {place(goal)} vanishes", (goal,), (), (object_name("goal", goal),))
        for goal in goals_gone
    ]
    if changed.player != start.player:
        words = f"the player begins in {place(changed.player)}"
        edits.append(Edit("player", words, (start.player, changed.player), ("player",)))
    return tuple(edits)


def _matched(old: frozenset[Cell], new: frozenset[Cell]) -> tuple[list[tuple[Cell, Cell]], list[Cell], list[Cell]]:
    """Pairs of an old and a new cell, the nearest ones, and the old and the new cells without a partner."""
    few, many = sorted((sorted(old), sorted(new)), key=len)
    best: Sequence[Cell] = many[: len(few)]
    if len(many) <= MOST_MATCHED:
        best = min(
            permutations(many, len(few)),
            key=lambda chosen: sum(map(_distance, few, chosen)),
        )
    rest = [cell for cell in many if cell not in best]
    pairs = list(zip(few, best, strict=True))
    if len(old) > len(new):
        return sorted((cell, partner) for partner, cell in pairs), rest, []
    return pairs, [], rest


def _split(
    moved: list[tuple[Cell, Cell]], gone: list[Cell], added: list[Cell], count: int, stay: Sequence[Cell]
) -> None:
    """Have `count` things vanish and come: those that go elsewhere, then others, which come where they were."""
    pairs = [moved.pop() for _ in range(min(count, len(moved)))]
    pairs += [(cell, cell) for cell in stay[: max(0, count - len(pairs))]]
    gone += [old for old, _ in pairs]
    added += [new for _, new in pairs]


def _distance(cell: Cell, other: Cell) -> int:
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])
