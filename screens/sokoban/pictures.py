"""Sokoban positions as pictures."""

from puzzlemc.screens.base.picture import Moved, Picture, Shape, disc, tile
from puzzlemc.screens.sokoban.level import Level, State


def picture(level: Level, state: State) -> Picture:
    """Return a state as a picture. Unreachable boxes are part of the board."""
    board: list[Shape] = []
    floor = level.cells
    for row, cells in enumerate(level.rows):
        for column, kind in enumerate(cells):
            if kind == "#":
                board.append(tile(row, column, "wall"))
            elif (row, column) not in floor and kind in "*$":
                board += _box(row, column, home=kind == "*")
    board += [tile(*cell, "line") for cell in level.floor]
    board += [tile(*cell, "floor", 0.015) for cell in level.floor]
    for goal in sorted(level.goals):
        board += [disc(*goal, "goal", 0.2), disc(*goal, "floor", 0.11)]
    pieces: list[Shape] = []
    for box in sorted(state.boxes):
        pieces += _box(*box, home=box in level.goals)
    pieces += [
        disc(*state.player, "player edge", 0.4),
        disc(*state.player, "player", 0.36),
        disc(*state.player, "player edge", 0.12),
    ]
    return Picture(max(map(len, level.rows)), len(level.rows), tuple(board), tuple(pieces))


def moved(_: Level, before: State, after: State) -> Moved:
    """Return the box that a step pushes, or the player if the step pushes none."""
    if before.boxes == after.boxes:
        return Moved((before.player,), (after.player,))
    return Moved(tuple(before.boxes - after.boxes), tuple(after.boxes - before.boxes))


def _box(row: int, column: int, *, home: bool) -> list[Shape]:
    """Return the shapes of a box. A box on a goal differs by more than its colour."""
    colour = "box home" if home else "box"
    shapes: list[Shape] = [
        tile(row, column, f"{colour} edge", 0.08, 0.12),
        tile(row, column, colour, 0.16, 0.07),
    ]
    return [*shapes, disc(row, column, f"{colour} edge", 0.15)] if home else shapes
