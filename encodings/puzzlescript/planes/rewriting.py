"""The application of rules: groups and their loops, and the changes at the matches of a rule.

A rule changes all its matches at once if that makes no difference (see `independence`) or if there is one only.
Otherwise it changes each combination of matches in order, if it still matches. Compiled: see `mc/words.py`.
"""

import cython

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.planes.bits import has, shifted
    from puzzlemc.encodings.puzzlescript.planes.matching import find, still_matches
    from puzzlemc.encodings.puzzlescript.planes.tables import CANCEL, RESTART, Board, Program, Rules
    from puzzlemc.mc.words import ALL, Flag, Index, Word, Words2, bit, left, lowest_bit

    REPETITIONS = 200  # the most of a group; the most that a phase goes back to the start of a loop
    MANY = 16  # rules of a group from which on those that need an empty plane are left out at once


def apply_phase(rules: Rules, program: Program, board: Board, phase: Index) -> None:
    """Apply the groups of a phase in order, with their loops. The commands are queued on the board."""
    group: Index = program.phases[phase]
    last: Index = program.phases[phase + 1]
    loops: Index = 0
    changed: Flag = False
    while group < last and loops <= REPETITIONS:
        if board.banned[program.rigid[group]] == 0 and apply_group(rules, program, board, group):
            changed = True
        if changed and program.back[group] >= 0:
            group = program.back[group]
            loops += 1
            changed = False
        else:
            group += 1


def apply_group(rules: Rules, program: Program, board: Board, group: Index) -> Flag:
    """Apply the rules of a group until they change nothing. Returns whether anything changed.

    A rule that was applied is left out until another rule changes a plane that it touches.
    """
    first: Index = program.groups[group]
    last: Index = program.groups[group + 1]
    changed: Flag = False
    rule: Index
    w: Index
    if last == first:  # the end of a loop
        return False
    if last - first == 1:
        rule = program.rules[first]
        for _ in range(REPETITIONS):
            if not apply_rule(rules, board, rule):
                break
            changed = True
            if rules.feeds[rule] == 0:
                break
        return changed
    low: Index = program.rules[first] >> 6  # the words of the group in a set of rules
    high: Index = program.rules[last - 1] >> 6
    for w in range(low, high + 1):
        board.pending[w] = program.members[group, w]
    if last - first >= MANY:
        _leave_out(rules, board, low, high)
    for _ in range(REPETITIONS):
        again: Flag = False
        for w in range(low, high + 1):
            later: Word = ALL  # the rules behind the last one that was applied
            while board.pending[w] & later != 0:
                place: Index = lowest_bit(board.pending[w] & later)
                later = left(ALL - 1, place)
                board.pending[w] &= ALL ^ bit(place)
                if apply_rule(rules, board, 64 * w + place):
                    again = True
                    _reconsider(rules, program, board, group, low, high)
                    board.pending[w] &= ALL ^ bit(place)
                    if rules.feeds[64 * w + place] != 0:
                        board.pending[w] |= bit(place)
        if not again:
            break
        changed = True
    return changed


def _leave_out(rules: Rules, board: Board, low: Index, high: Index) -> None:
    """Leave the rules out that need a plane without any cell."""
    plane: Index
    w: Index
    for plane in range(rules.needed_by.shape[0]):
        if board.filled[plane >> 6] >> (plane & 63) & 1 == 0:
            for w in range(low, high + 1):
                board.pending[w] &= ALL ^ rules.needed_by[plane, w]


def _reconsider(rules: Rules, program: Program, board: Board, group: Index, low: Index, high: Index) -> None:
    """Put the rules of the group back that touch a plane that the last rule has changed."""
    i: Index
    w: Index
    for i in range(board.altered.shape[0]):
        rest: Word = board.altered[i]
        while rest != 0:
            plane: Index = 64 * i + lowest_bit(rest)
            rest &= rest - 1
            for w in range(low, high + 1):
                board.pending[w] |= rules.touched_by[plane, w] & program.members[group, w]


def apply_rule(rules: Rules, board: Board, rule: Index) -> Flag:
    """Apply a rule to all its matches, and queue its commands if it has any match. Returns whether it changed."""
    board.tried += 1
    if not find(rules, board, rule):
        return False
    if rules.draws[rule] != 0:
        board.drawn = True
        return False
    changed: Flag = False
    if rules.replaces[rule]:
        w: Index
        for w in range(board.altered.shape[0]):
            board.altered[w] = 0
        slots: Index = rules.parts[rules.rows[rule + 1]] - rules.parts[rules.rows[rule]]
        if rules.rigid[rule] == 0 and (rules.at_once[rule] != 0 or _is_single(board, slots)):
            changed = _at_once(rules, board, rule)
        else:
            changed = _one_by_one(rules, board, rule)
    if rules.commands[rule] != 0:
        queue_commands(board, rules.commands[rule])
    return changed


def queue_commands(board: Board, commands: Index) -> None:
    """Queue commands. `cancel` and `restart` empty and shut the queue; after `restart` it takes `cancel`."""
    if board.queue & CANCEL or (board.queue & RESTART and not commands & CANCEL):
        return
    if commands & (CANCEL | RESTART):
        board.queue = 0
    board.queue |= commands


def _is_single(board: Board, slots: Index) -> Flag:
    """Has each part one match?"""
    slot: Index
    w: Index
    for slot in range(slots):
        before: Word = 0
        for w in range(board.words):
            here: Word = board.found[slot, w]
            if here != 0:
                if before != 0 or here & (here - 1) != 0:
                    return False
                before = here
    return True


def _at_once(rules: Rules, board: Board, rule: Index) -> Flag:
    """Change all matches of a rule, part by part."""
    changed: Flag = False
    first: Index = rules.parts[rules.rows[rule]]
    part: Index
    i: Index
    w: Index
    for part in range(first, rules.parts[rules.rows[rule + 1]]):
        for i in range(rules.changes[part], rules.changes[part + 1]):
            plane: Index = rules.change_plane[i]
            sets: Flag = rules.change_sets[i] != 0
            if not sets and board.filled[plane >> 6] >> (plane & 63) & 1 == 0:
                continue
            difference: Word = 0
            any: Word = 0
            for w in range(board.words):
                old: Word = board.planes[plane, w]
                here: Word = shifted(board.found, part - first, -rules.change_shift[i], w)
                new: Word = old | here if sets else old & (ALL ^ here)
                board.planes[plane, w] = new
                difference |= old ^ new
                any |= new
            if difference != 0:
                changed = True
                _note(board, plane, any != 0)
    return changed


def _one_by_one(rules: Rules, board: Board, rule: Index) -> Flag:
    """Change the combinations of matches in order: the first one, and those that still match."""
    first: Index = rules.parts[rules.rows[rule]]
    part: Index
    changed: Flag = False
    checks: Flag = False
    first_match(rules, board, rule)
    while True:
        if not checks or still_matches(rules, board, rule):
            for part in range(first, rules.parts[rules.rows[rule + 1]]):
                cell: Index = board.at[part - first]
                if change(rules, board, part, cell):
                    changed = True
                if rules.rigid[rule] != 0 and _mark(rules, board, part, cell, rules.rigid[rule]):
                    changed = True
        checks = True
        if not next_match(rules, board, rule):
            return changed


def first_match(rules: Rules, board: Board, rule: Index) -> None:
    """Look at the first combination of the matches that `find` has found."""
    row: Index
    t: Index
    w: Index
    first: Index = rules.parts[rules.rows[rule]]
    for row in range(rules.rows[rule], rules.rows[rule + 1]):
        slot: Index = rules.parts[row] - first
        if rules.way[row] < 2:  # up or down: matches are found column by column
            for w in range(board.words):
                board.scan[slot, w] = 0
            t = _next_bit(board.found, slot, -1)
            while t >= 0:
                place: Index = board.column_order[t]
                board.scan[slot, place >> 6] |= bit(place & 63)
                t = _next_bit(board.found, slot, t)
        _first(rules, board, row, slot)


def next_match(rules: Rules, board: Board, rule: Index) -> Flag:
    """Look at the next combination of matches, the first row fastest. Returns False if none is left."""
    first: Index = rules.parts[rules.rows[rule]]
    row: Index
    for row in range(rules.rows[rule], rules.rows[rule + 1]):
        if _next(rules, board, row, rules.parts[row] - first):
            return True
        _first(rules, board, row, rules.parts[row] - first)
    return False


def change(rules: Rules, board: Board, part: Index, start: Index) -> Flag:
    """Change one match of a part. Returns whether anything changed."""
    changed: Flag = False
    i: Index
    for i in range(rules.changes[part], rules.changes[part + 1]):
        if set_cell(board, rules.change_plane[i], start + rules.change_shift[i], rules.change_sets[i] != 0):
            changed = True
    return changed


def set_cell(board: Board, plane: Index, cell: Index, comes: Flag) -> Flag:
    """Give a plane a cell, or take it away. Returns whether that is a change."""
    w: Index
    if has(board.planes, plane, cell) == comes:
        return False
    board.planes[plane, cell >> 6] ^= bit(cell & 63)
    any: Word = 0
    for w in range(board.words):
        any |= board.planes[plane, w]
    _note(board, plane, any != 0)
    return True


def _mark(rules: Rules, board: Board, part: Index, start: Index, number: Index) -> Flag:
    """Mark the movements of a match that a rigid rule has replaced. Returns whether one had no mark.

    If one of the layers of a cell has a mark of another group, the mark becomes the bitwise or of both numbers.
    """
    changed: Flag = False
    i: Index
    j: Index
    for i in range(rules.marks[part], rules.marks[part + 1]):
        cell: Index = start + rules.mark_shift[i]
        new: Flag = False
        for j in range(rules.mark_layers[i], rules.mark_layers[i + 1]):
            if board.rigid[rules.layers[j], cell] == 0:
                new = True
        if new:
            changed = True
            for j in range(rules.mark_layers[i], rules.mark_layers[i + 1]):
                board.rigid[rules.layers[j], cell] |= number
    return changed


def _first(rules: Rules, board: Board, row: Index, slot: Index) -> None:
    """Look at the first match of a row."""
    board.at[slot] = _next_start(board, slot, rules.way[row] < 2, -1)
    p: Index
    for p in range(1, rules.parts[row + 1] - rules.parts[row]):
        end: Index = board.at[slot + p - 1] + board.step[rules.way[row]] * (
            rules.length[rules.parts[row] + p - 1] - 1
        )
        board.at[slot + p] = _next_ahead(board, slot + p, rules.way[row], end)


def _next(rules: Rules, board: Board, row: Index, slot: Index) -> Flag:
    """Look at the next match of a row: by first cells, then by lengths of gaps. Returns False if none is left."""
    way: Index = rules.way[row]
    first: Index = rules.parts[row]
    parts: Index = rules.parts[row + 1] - first
    last: Index = parts - 1  # the last part whose match may move on
    cell: Index = -1
    while last >= 0:
        if last == 0:
            cell = _next_start(board, slot, way < 2, board.at[slot])
        else:
            cell = _next_ahead(board, slot + last, way, board.at[slot + last])
        if cell >= 0:
            break
        last -= 1
    if cell < 0:
        return False
    board.at[slot + last] = cell
    p: Index
    for p in range(last + 1, parts):
        end: Index = board.at[slot + p - 1] + board.step[way] * (rules.length[first + p - 1] - 1)
        board.at[slot + p] = _next_ahead(board, slot + p, way, end)
    return True


def _next_start(board: Board, slot: Index, by_column: Flag, after: Index) -> Index:
    """The first cell of the next match after a cell, or of the first match after -1; -1 if there is none."""
    if not by_column:
        return _next_bit(board.found, slot, after)
    place: Index = _next_bit(board.scan, slot, board.column_order[after] if after >= 0 else -1)
    return board.by_column[place] if place >= 0 else -1


def _next_bit(rows: Words2, row: Index, after: Index) -> Index:
    """The next bit of a row after that one, -1 if there is none."""
    start: Index = after + 1
    w: Index = start >> 6
    if w >= rows.shape[1]:
        return -1
    here: Word = left(rows[row, w] >> (start & 63), start & 63)
    while here == 0:
        w += 1
        if w >= rows.shape[1]:
            return -1
        here = rows[row, w]
    return 64 * w + lowest_bit(here)


def _next_ahead(board: Board, slot: Index, way: Index, cell: Index) -> Index:
    """The next cell ahead where a part matches, -1 if there is none."""
    for _ in range(board.room[way, cell]):
        cell += board.step[way]
        if has(board.found, slot, cell):
            return cell
    return -1


def _note(board: Board, plane: Index, any: Flag) -> None:
    """Note that a plane has changed, and whether it has any cell."""
    one: Word = bit(plane & 63)
    board.altered[plane >> 6] |= one
    if any:
        board.filled[plane >> 6] |= one
    else:
        board.filled[plane >> 6] &= ALL ^ one
