"""Walls that are put on the floor of a level: nothing comes to a closed cell, so no solution is added.

A solution of a level with more walls is a solution of the level: each of its moves is legal there, too. What the
walls cut off from the player stays where it is, and the reader leaves it out: a goal there is covered by its box
from the start, or never. So a level with more walls has exactly those solutions that use none of their cells.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from puzzlemc.encodings.puzzle.design.changes import Change, Closing, Edit
from puzzlemc.encodings.sokoban.changes.another import another
from puzzlemc.encodings.sokoban.changes.edits import edits_of, place
from puzzlemc.encodings.sokoban.changes.grid import NO_CELLS, Grid
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead, start, step
from puzzlemc.screens.sokoban import Cell, Level, State

WALLS = frozenset(["walls"])


def cells(level: Level) -> list[Cell]:
    """The floor cells that hold neither a box nor a goal nor the player, and whose wall cuts nothing off."""
    free = level.cells - level.start.boxes - level.goals - {level.start.player}
    return [cell for cell in sorted(free) if change(level, frozenset([cell]), NO_CELLS) is not None]


def walls(level: Level) -> Sequence[Cell]:
    """The inner walls."""
    return Grid(level).inner_walls


def change(level: Level, closed: frozenset[Cell], opened: frozenset[Cell]) -> Change | None:
    """The level with walls on some cells, and without some inner walls; None if a box or a goal is cut off."""
    grid = Grid(level)
    arrangement = grid.start._replace(closed=closed, opened=opened)
    changed = grid.level_of(arrangement)
    return None if changed is None else Change(changed, edits_of(grid.start, arrangement, WALLS))


def avoiding(level: Level, closed: frozenset[Cell]) -> Level | None:
    """The level with walls on these cells, whatever they cut off; None if it has no solution for that reason.

    Its solutions are those of the level that use none of the cells.
    """
    if level.start.player in closed or level.start.boxes & closed:
        return None
    reached, waiting = {level.start.player}, [level.start.player]
    while waiting:
        cell = waiting.pop()
        near = {ahead(cell, direction) for direction in DIRECTIONS.values()}
        for other in near & (level.cells - closed - reached):
            reached.add(other)
            waiting.append(other)
    boxes = level.start.boxes & reached
    goals = level.goals - (level.start.boxes - reached)
    if not goals:
        return level  # it is solved at its start
    if not boxes or not goals <= reached:
        return None
    rows = tuple(
        "".join("#" if (row, column) in closed else sign for column, sign in enumerate(line))
        for row, line in enumerate(level.rows)
    )
    floor = tuple(cell for cell in level.floor if cell in reached)
    return replace(level, rows=rows, floor=floor, goals=goals, start=State(level.start.player, boxes))


def used(level: Level, moves: Sequence[str]) -> frozenset[Cell]:
    """The cells of the player and of the boxes in all positions of a solution."""
    return frozenset(cell for position in _positions(level, moves) for cell in (position.player, *position.boxes))


def _positions(level: Level, moves: Sequence[str]) -> Iterator[State]:
    """The positions of a solution, from the start on."""
    position = start(level)
    yield position
    for move in moves:
        taken = step(level, position, move)
        assert taken is not None
        assert isinstance(taken.position, State)
        position = taken.position
        yield position


def idle(level: Level, moves: Sequence[str]) -> Iterator[Change]:
    """For each box that a solution never pushes: the level with a wall in the place of the box, and of its goal.

    A solution of that level solves the level, where the box is never pushed, either.
    """
    moved = {cell for position in _positions(level, moves) for cell in level.start.boxes - position.boxes}
    for box in sorted(level.start.boxes - moved):
        goals = level.goals - {box}
        rest = replace(level, goals=goals, start=State(level.start.player, level.start.boxes - {box}))
        changed = avoiding(rest, frozenset([box])) if goals else None
        if changed is not None and changed is not rest:
            words = f"the box in {place(box)} becomes a wall, since it is never pushed"
            yield Change(changed, (Edit("walls", words, (box,)),))


CLOSING = Closing(cells, walls, change, avoiding, used, idle, another, "boxes")
