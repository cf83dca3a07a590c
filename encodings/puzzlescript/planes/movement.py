"""Movement: after the early rules, objects with a movement go to the next cell if their layer is free there.

Layers do not influence each other. Within a layer, the order of cells matters only if two objects move to the same
cell, or if a movement has no object. Otherwise all that can move does so at once. Compiled: see `mc/words.py`.
"""

import cython

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.planes.bits import has, shifted
    from puzzlemc.encodings.puzzlescript.planes.tables import Board
    from puzzlemc.mc.words import ALL, Flag, Index, Word, bit

    WAYS = 5  # the movements of a layer; the last one is `action`


def move(board: Board) -> None:
    """Move until nothing more can move. Movements that are not used up stay on the board."""
    layer: Index
    for layer in range(board.blocked.shape[0]):
        first: Index = board.kinds + WAYS * layer
        _empty(board, first + 4)
        if (
            _is_filled(board, first)
            or _is_filled(board, first + 1)
            or _is_filled(board, first + 2)
            or _is_filled(board, first + 3)
        ):
            _move_layer(board, layer)


def ban(board: Board) -> Flag:
    """Ban the rigid groups with movements that were not used up. Returns whether any number is new.

    In each cell only the lowest layer with such a movement counts.
    """
    new: Flag = False
    cell: Index
    layer: Index
    way: Index
    for cell in range(board.cells):
        done: Flag = False
        for layer in range(board.blocked.shape[0]):
            number: Index = board.rigid[layer, cell]
            if number == 0 or done:
                continue
            for way in range(WAYS):
                if has(board.planes, board.kinds + WAYS * layer + way, cell):
                    done = True
            if done and board.banned[number] == 0:
                board.banned[number] = 1
                new = True
    return new


def clear_movements(board: Board) -> None:
    """Remove all movements from the board."""
    plane: Index
    for plane in range(board.kinds, board.kinds + WAYS * board.blocked.shape[0]):
        _empty(board, plane)


def _move_layer(board: Board, layer: Index) -> None:
    w: Index
    i: Index
    for w in range(board.words):  # the free cells of the layer
        here: Word = board.blocked[layer, w]
        for i in range(board.first_object[layer], board.first_object[layer + 1]):
            here |= board.planes[board.layer_planes[i], w]
        board.spare[0, w] = board.whole[w] & (ALL ^ here)
    if _is_regular(board, layer):
        _move_at_once(board, layer)
    else:
        _move_one_by_one(board, layer)


def _is_regular(board: Board, layer: Index) -> Flag:
    """Has each movement an object, and no cell two movements to it?"""
    first: Index = board.kinds + WAYS * layer
    way: Index
    w: Index
    for w in range(board.words):
        board.spare[1, w] = 0
    for way in range(4):
        if not _is_filled(board, first + way):
            continue
        for w in range(board.words):
            board.spare[2, w] = board.planes[first + way, w] & board.inner[way, w]
        for w in range(board.words):
            targets: Word = shifted(board.spare, 2, -board.step[way], w)
            if board.planes[first + way, w] & board.spare[0, w] != 0 or targets & board.spare[1, w] != 0:
                return False
            board.spare[1, w] |= targets
    return True


def _move_at_once(board: Board, layer: Index) -> None:
    """Collect the objects that can move, as cells become free, then move them all. Spare row 0: the free cells."""
    first: Index = board.kinds + WAYS * layer
    w: Index
    i: Index
    way: Index
    more: Flag = True
    for way in range(4):
        for w in range(board.words):
            board.spare[2 + way, w] = 0
    while more:
        more = False
        for way in range(4):
            if not _is_filled(board, first + way):
                continue
            for w in range(board.words):
                able: Word = board.planes[first + way, w] & board.inner[way, w] & (ALL ^ board.spare[2 + way, w])
                if able != 0:
                    able &= shifted(board.spare, 0, board.step[way], w)
                    if able != 0:
                        board.spare[2 + way, w] |= able
                        more = True
        if more:
            for w in range(board.words):  # cells that are left become free
                board.spare[0, w] |= board.spare[2, w] | board.spare[3, w] | board.spare[4, w] | board.spare[5, w]
    for w in range(board.words):
        board.spare[1, w] = board.spare[2, w] | board.spare[3, w] | board.spare[4, w] | board.spare[5, w]
    for i in range(board.first_object[layer], board.first_object[layer + 1]):
        plane: Index = board.layer_planes[i]
        any: Word = 0
        for w in range(board.words):
            any |= board.planes[plane, w] & board.spare[1, w]
        if any == 0:
            continue
        for w in range(board.words):
            board.spare[7, w] = board.planes[plane, w] & (ALL ^ board.spare[1, w])
        for way in range(4):
            if not _is_filled(board, first + way):
                continue
            for w in range(board.words):
                board.spare[6, w] = board.planes[plane, w] & board.spare[2 + way, w]
            for w in range(board.words):
                board.spare[7, w] |= shifted(board.spare, 6, -board.step[way], w)
        for w in range(board.words):
            board.planes[plane, w] = board.spare[7, w]
    for way in range(4):
        if _is_filled(board, first + way):
            left: Word = 0
            for w in range(board.words):
                board.planes[first + way, w] &= ALL ^ board.spare[2 + way, w]
                left |= board.planes[first + way, w]
            if left == 0:
                _empty(board, first + way)


def _move_one_by_one(board: Board, layer: Index) -> None:
    """Move in passes, column by column. Spare row 0: the free cells."""
    first: Index = board.kinds + WAYS * layer
    moved: Flag = True
    t: Index
    i: Index
    way: Index
    while moved:
        moved = False
        for t in range(board.cells):
            cell: Index = board.by_column[t]
            way = 0
            while way < 4 and not has(board.planes, first + way, cell):
                way += 1
            if way == 4 or not has(board.inner, way, cell):
                continue
            target: Index = cell + board.step[way]
            if not has(board.spare, 0, target):
                continue
            for i in range(board.first_object[layer], board.first_object[layer + 1]):
                if has(board.planes, board.layer_planes[i], cell):
                    board.planes[board.layer_planes[i], cell >> 6] ^= bit(cell & 63)
                    board.planes[board.layer_planes[i], target >> 6] |= bit(target & 63)
                    board.spare[0, cell >> 6] |= bit(cell & 63)
                    board.spare[0, target >> 6] ^= bit(target & 63)
            board.planes[first + way, cell >> 6] ^= bit(cell & 63)
            moved = True


def _is_filled(board: Board, plane: Index) -> Flag:
    return board.filled[plane >> 6] >> (plane & 63) & 1 != 0


def _empty(board: Board, plane: Index) -> None:
    w: Index
    if _is_filled(board, plane):
        for w in range(board.words):
            board.planes[plane, w] = 0
        board.filled[plane >> 6] &= ALL ^ bit(plane & 63)
