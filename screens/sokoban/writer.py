"""Sokoban boards as XSB text."""

from puzzlemc.screens.sokoban.level import Level, State

_DRAWN = {
    (False, False, False): " ",
    (False, False, True): ".",
    (False, True, False): "$",
    (False, True, True): "*",
    (True, False, False): "@",
    (True, False, True): "+",
}  # by: is the player there, is a box there, is it a goal


def draw(level: Level, state: State | None = None) -> str:
    """Draw the board in a state (default: the start) as XSB: rows separated by newlines, none at the end.

    Raises ValueError if the player or a box is not on the floor, or if they share a cell.
    """
    state = level.start if state is None else state
    if not state.boxes | {state.player} <= level.cells or state.player in state.boxes:
        raise ValueError(f"player and boxes must stand on floor cells, each on its own: {state}")
    grid = [list(row) for row in level.rows]
    for cell in level.floor:
        kind = (cell == state.player, cell in state.boxes, cell in level.goals)
        grid[cell[0]][cell[1]] = _DRAWN[kind]
    # A blank line would end the board, so an empty row shows one floor cell.
    return "\n".join("".join(row) or "-" for row in grid)
