"""Matches of the left side of a rule, found cell by cell.

Matches of a horizontal row are found row by row of the board, those of a vertical one column by column. An
ellipsis takes any number of cells, also none; shorter gaps come first. Compiled: see `mc/words.py`.
"""

import cython

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.cells.board import DOWN, LEFT, UP, Board
    from puzzlemc.encodings.puzzlescript.cells.rules import Rules
    from puzzlemc.mc.words import Flag, Index, Word


def is_possible(rules: Rules, board: Board, rule: Index) -> Flag:
    """Is all on the board that a rule asks for? Otherwise it has no match."""
    w: Index
    for w in range(board.words):
        if board.all_objects[w] & rules.rule_objects[rule, w] != rules.rule_objects[rule, w]:
            return False
    for w in range(board.motion_words):
        if board.all_movements[w] & rules.rule_movements[rule, w] != rules.rule_movements[rule, w]:
            return False
    return True


def find_matches(rules: Rules, board: Board, row: Index) -> None:
    """Add all matches of a row to those on the board, in order."""
    direction: Index = rules.direction[row]
    first: Index = rules.parts[row]
    wanted: Index = rules.cells[first]
    shortest: Index = rules.cells[rules.parts[row + 1]] - wanted
    about: Word = 0  # the condition on the first cell, as far as the first words of masks say
    has: Word = 0
    asked: Word = 0
    moving: Word = 0
    if rules.cells[first + 1] > wanted:
        about = rules.about[wanted, 0]
        has = rules.has[wanted, 0]
        asked = rules.asked[wanted, 0]
        moving = rules.moving[wanted, 0]
    x: Index
    y: Index
    cell: Index
    left: Index
    if direction in (UP, DOWN):
        for x in range(board.width):
            if _is_in_column(rules, row, board, x):
                for y in range(board.height):
                    cell = y * board.width + x
                    left = y + 1 if direction == UP else board.height - y
                    if left < shortest or board.objects[cell, 0] & about != has:
                        continue
                    if board.movements[cell, 0] & asked == moving:
                        _extend(rules, board, row, first, cell, left)
    else:
        for y in range(board.height):
            if _is_in_row(rules, row, board, y):
                for x in range(board.width):
                    cell = y * board.width + x
                    left = x + 1 if direction == LEFT else board.width - x
                    if left < shortest or board.objects[cell, 0] & about != has:
                        continue
                    if board.movements[cell, 0] & asked == moving:
                        _extend(rules, board, row, first, cell, left)


def still_matches(rules: Rules, board: Board, row: Index, match: Index) -> Flag:
    """Does the match that begins there in `found` hold on the board as it is now?"""
    next: Index = board.steps[rules.direction[row]]
    part: Index
    for part in range(rules.parts[row], rules.parts[row + 1]):
        if not _part_fits(rules, board, part, board.found[match + part - rules.parts[row]], next):
            return False
    return True


def _is_in_row(rules: Rules, row: Index, board: Board, y: Index) -> Flag:
    """Is all in row y of the board that a row of a rule asks for?"""
    w: Index
    for w in range(board.words):
        if board.row_objects[y, w] & rules.row_objects[row, w] != rules.row_objects[row, w]:
            return False
    for w in range(board.motion_words):
        if board.row_movements[y, w] & rules.row_movements[row, w] != rules.row_movements[row, w]:
            return False
    return True


def _is_in_column(rules: Rules, row: Index, board: Board, x: Index) -> Flag:
    """Is all in column x of the board that a row of a rule asks for?"""
    w: Index
    for w in range(board.words):
        if board.column_objects[x, w] & rules.row_objects[row, w] != rules.row_objects[row, w]:
            return False
    for w in range(board.motion_words):
        if board.column_movements[x, w] & rules.row_movements[row, w] != rules.row_movements[row, w]:
            return False
    return True


def _extend(rules: Rules, board: Board, row: Index, part: Index, cell: Index, left: Index) -> None:
    """Find the matches whose part begins at this cell, where `left` cells are left; the parts before are found."""
    length: Index = rules.cells[part + 1] - rules.cells[part]
    next: Index = board.steps[rules.direction[row]]
    first: Index = rules.parts[row]
    last: Index = rules.parts[row + 1] - 1
    gap: Index
    if left < length or not _part_fits(rules, board, part, cell, next):
        return
    board.begins[part - first] = cell
    if part < last:
        for gap in range(left - length + 1):
            _extend(rules, board, row, part + 1, cell + (length + gap) * next, left - length - gap)
    elif board.used + last - first < board.found.shape[0]:
        for part in range(first, last + 1):
            board.found[board.used] = board.begins[part - first]
            board.used += 1
    else:
        board.crowded = True


def _part_fits(rules: Rules, board: Board, part: Index, cell: Index, next: Index) -> Flag:
    """Do the cells of the board from this one on meet the conditions of the cells of a part?"""
    wanted: Index
    for wanted in range(rules.cells[part], rules.cells[part + 1]):
        if not _fits(rules, board, wanted, cell):
            return False
        cell += next
    return True


def _fits(rules: Rules, board: Board, wanted: Index, cell: Index) -> Flag:
    """Does a cell of the board meet the conditions of a cell of a rule?"""
    w: Index
    i: Index
    for w in range(board.words):
        if board.objects[cell, w] & rules.about[wanted, w] != rules.has[wanted, w]:
            return False
    for w in range(board.motion_words):
        if board.movements[cell, w] & rules.asked[wanted, w] != rules.moving[wanted, w]:
            return False
    for i in range(rules.some[wanted], rules.some[wanted + 1]):
        is_there: Flag = False
        for w in range(board.words):
            if board.objects[cell, w] & rules.some_objects[i, w] != 0:
                is_there = True
        if not is_there:
            return False
    return True
