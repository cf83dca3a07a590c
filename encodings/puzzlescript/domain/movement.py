"""Movement: after the early rules, objects with a movement go to the next cell if their layer is free there."""

from collections.abc import Sequence

from puzzlemc.encodings.puzzlescript.domain.board import Board


def move(board: Board, layers: Sequence[frozenset[str]]) -> None:
    """Move until nothing more can move, in passes: column by column, in a cell by layers.

    Each pass sees the moves made before it, so a line of objects moves together. A ring of objects does not move,
    and of two objects that move to one cell the first one does. A movement whose object has gone counts as well:
    it is used up if the next cell is free, and it moves an object that has come to its cell. The movement `action`
    is used up at once. Movements that are not used up stay on the board.
    """
    moved = True
    while moved:
        moved = False
        for cell, layer in sorted(board.movements, key=lambda key: (board.by_columns(key[0]), key[1])):
            movement = board.movements[cell, layer]
            if movement != "action":
                line = board.ahead[movement][cell]
                if len(line) == 1 or not layers[layer].isdisjoint(board.cells[line[1]]):
                    continue
                moving = board.cells[cell] & layers[layer]
                board.replace(cell, board.cells[cell] - moving)
                board.replace(line[1], board.cells[line[1]] | moving)
            del board.movements[cell, layer]
            moved = True


def failed(board: Board) -> set[int]:
    """The rigid groups with movements that were not used up. In each cell only the lowest such layer counts."""
    lowest: dict[int, int] = {}
    for cell, layer in board.movements:
        if (cell, layer) in board.rigid:
            lowest[cell] = min(layer, lowest.get(cell, layer))
    return {board.rigid[key] for key in lowest.items()}
