"""The application of rules to a board: phases, their groups and loops, rules, and the changes of cells.

A rule finds all matches of all its rows first. Then it takes the combinations of one match of each row, the match
of the first row varying fastest, and changes those that still match. Compiled: see `mc/words.py`.
"""

import cython

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.cells.board import Board, set_movements, set_objects
    from puzzlemc.encodings.puzzlescript.cells.matching import find_matches, is_possible, still_matches
    from puzzlemc.encodings.puzzlescript.cells.rules import CANCEL, RESTART, Rules
    from puzzlemc.mc.words import ALL, Flag, Index, Word

    EARLY = 0
    LATE = 1
    REPETITIONS = 200  # the most of a group; the most that a phase goes back to the start of a loop


def apply_phase(rules: Rules, board: Board, phase: Index) -> None:
    """Apply the groups of a phase in order, but not the banned ones of the early phase.

    After the last group of a loop, the phase goes back to the first one if anything has changed since the phase
    began or since it last went back. If it goes back too often, the rest of the phase is left out.
    """
    group: Index = rules.phases[phase]
    loops: Index = 0
    changed: Flag = False
    while group < rules.phases[phase + 1] and loops <= REPETITIONS:
        is_banned: Flag = phase == EARLY and board.banned[rules.group_rigid[group]] != 0
        if not is_banned and _apply_group(rules, board, group):
            changed = True
        if changed and rules.group_back[group] >= 0:
            group = rules.group_back[group]
            loops += 1
            changed = False
        else:
            group += 1


def _apply_group(rules: Rules, board: Board, group: Index) -> Flag:
    """Apply the rules of a group until they change nothing. Returns whether anything changed."""
    changed: Flag = False
    rule: Index
    for _ in range(REPETITIONS):
        again: Flag = False
        for rule in range(rules.groups[group], rules.groups[group + 1]):
            if _apply_rule(rules, board, rule, rules.group_rigid[group]):
                again = True
        if not again:
            break
        changed = True
    return changed


def _apply_rule(rules: Rules, board: Board, rule: Index, rigid: Index) -> Flag:
    """Apply a rule, and queue its commands if each row has a match. Returns whether anything changed."""
    first: Index = rules.rows[rule]
    row: Index
    if not is_possible(rules, board, rule):
        return False
    board.used = 0
    for row in range(first, rules.rows[rule + 1]):
        board.row_found[row - first] = board.used
        board.chosen[row - first] = board.used
        find_matches(rules, board, row)
        if board.crowded or board.used == board.row_found[row - first]:
            return False
    board.row_found[rules.rows[rule + 1] - first] = board.used
    if rules.draws[rule] != 0:
        board.drawn = True
        return False
    changed: Flag = rules.replaces[rule] != 0 and _replace_all(rules, board, rule, rigid)
    _enqueue(board, rules.commands[rule])
    return changed


def _replace_all(rules: Rules, board: Board, rule: Index, rigid: Index) -> Flag:
    """Replace the combinations of matches in order. Returns whether anything changed."""
    changed: Flag = _replace(rules, board, rule, rigid)  # the first one holds as it was found
    while _next_combination(rules, board, rule):
        if _is_valid(rules, board, rule) and _replace(rules, board, rule, rigid):
            changed = True
    return changed


def _next_combination(rules: Rules, board: Board, rule: Index) -> Flag:
    """Choose the next combination. Returns False after the last one."""
    first: Index = rules.rows[rule]
    row: Index
    for row in range(first, rules.rows[rule + 1]):
        board.chosen[row - first] += rules.parts[row + 1] - rules.parts[row]
        if board.chosen[row - first] < board.row_found[row - first + 1]:
            return True
        board.chosen[row - first] = board.row_found[row - first]
    return False


def _is_valid(rules: Rules, board: Board, rule: Index) -> Flag:
    """Do the matches of the combination hold on the board as it is now?"""
    first: Index = rules.rows[rule]
    row: Index
    for row in range(first, rules.rows[rule + 1]):
        if not still_matches(rules, board, row, board.chosen[row - first]):
            return False
    return True


def _replace(rules: Rules, board: Board, rule: Index, rigid: Index) -> Flag:
    """Change the cells of the combination. Returns whether anything changed."""
    first: Index = rules.rows[rule]
    changed: Flag = False
    row: Index
    part: Index
    done: Index
    for row in range(first, rules.rows[rule + 1]):
        next: Index = board.steps[rules.direction[row]]
        for part in range(rules.parts[row], rules.parts[row + 1]):
            cell: Index = board.found[board.chosen[row - first] + part - rules.parts[row]]
            for done in range(rules.cells[part], rules.cells[part + 1]):
                if _change(rules, board, done, cell):
                    changed = True
                if rules.rigid[rule] != 0 and _mark(rules, board, done, cell, rigid):
                    changed = True
                cell += next
    return changed


def _change(rules: Rules, board: Board, done: Index, cell: Index) -> Flag:
    """Change a cell of the board as a cell of a rule says. Returns whether that made a difference."""
    changed: Flag = False
    w: Index
    after: Word
    for w in range(board.words):
        after = board.objects[cell, w] & (ALL ^ rules.removes[done, w]) | rules.adds[done, w]
        if after != board.objects[cell, w]:
            set_objects(board, cell, w, after)
            changed = True
    for w in range(board.motion_words):
        after = board.movements[cell, w] & (ALL ^ rules.stops[done, w]) | rules.starts[done, w]
        if after != board.movements[cell, w]:
            set_movements(board, cell, w, after)
            changed = True
    return changed


def _mark(rules: Rules, board: Board, done: Index, cell: Index, rigid: Index) -> Flag:
    """Note that a rigid rule has replaced movements of a cell. Returns whether a layer had no such note.

    A note of another group becomes the bitwise or of both numbers, as in the original.
    """
    is_new: Flag = False
    layer: Index
    for layer in range(board.layers):
        if rules.marks[done, layer] != 0 and board.rigid[layer, cell] == 0:
            is_new = True
    if is_new:
        for layer in range(board.layers):
            if rules.marks[done, layer] != 0:
                board.rigid[layer, cell] |= rigid
    return is_new


def _enqueue(board: Board, commands: Index) -> None:
    """Queue commands. `cancel` and `restart` empty the queue; after them it takes nothing or only `cancel`."""
    if board.queue & CANCEL or (board.queue & RESTART and not commands & CANCEL):
        return
    board.queue = commands if commands & (CANCEL | RESTART) else board.queue | commands
