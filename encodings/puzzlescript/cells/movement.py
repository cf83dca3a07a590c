"""Movement: objects with a movement go to the next cell if their layer is free there. Compiled: see `mc/words.py`.

The passes go column by column, in a cell by layers, until nothing more can move.
"""

import cython

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.cells.board import (
        ACTION,
        DOWN,
        LAYERS_OF_A_WORD,
        LEFT,
        RIGHT,
        UP,
        WAYS,
        Board,
        set_objects,
    )
    from puzzlemc.mc.words import ALL, Flag, Index, Word, bit, lowest_bit


def move(board: Board) -> None:
    """Move what can move. Movements that are not used up stay on the board."""
    row: Index
    column: Index
    w: Index
    moved: Flag = True
    while moved:
        moved = False
        for column in range(board.width):
            here: Word = 0
            for w in range(board.motion_words):
                here |= board.column_movements[column, w]
            if here != 0:
                for row in range(board.height):
                    if _move_cell(board, row, column):
                        moved = True


def ban(board: Board) -> Flag:
    """Ban the rigid groups whose movements are left. Returns whether there is one that was not banned before.

    In each cell only the lowest layer with such a movement counts.
    """
    is_new: Flag = False
    cell: Index
    layer: Index
    for cell in range(board.cells):
        for layer in range(board.layers):
            at: Index = WAYS * (layer % LAYERS_OF_A_WORD)
            moving: Word = board.movements[cell, layer // LAYERS_OF_A_WORD] >> at & 31
            if moving != 0 and board.rigid[layer, cell] != 0:
                if board.banned[board.rigid[layer, cell]] == 0:
                    board.banned[board.rigid[layer, cell]] = 1
                    is_new = True
                break
    return is_new


def _move_cell(board: Board, row: Index, column: Index) -> Flag:
    """Move what can move of a cell. Returns whether a movement was used up."""
    cell: Index = row * board.width + column
    moved: Flag = False
    w: Index
    for w in range(board.motion_words):
        left: Word = board.movements[cell, w]
        while left != 0:
            number: Index = lowest_bit(left)
            left &= left - 1
            if _step_ahead(board, row, column, LAYERS_OF_A_WORD * w + number // WAYS, number % WAYS):
                board.movements[cell, w] &= ALL ^ bit(number)
                moved = True
    return moved


def _step_ahead(board: Board, row: Index, column: Index, layer: Index, way: Index) -> Flag:
    """Move the objects of a layer to the next cell if that is free. Returns whether the movement is used up."""
    cell: Index = row * board.width + column
    w: Index
    if way == ACTION:
        return True
    if (row == 0 and way == UP) or (row == board.height - 1 and way == DOWN):
        return False
    if (column == 0 and way == LEFT) or (column == board.width - 1 and way == RIGHT):
        return False
    target: Index = cell + board.steps[way]
    for w in range(board.words):
        if board.objects[target, w] & board.layer_objects[layer, w] != 0:
            return False
    for w in range(board.words):
        moving: Word = board.objects[cell, w] & board.layer_objects[layer, w]
        if moving != 0:
            board.objects[cell, w] ^= moving
            set_objects(board, target, w, board.objects[target, w] | moving)
    return True
