"""What rules with chance may make of a board, as sets of states in which equal ones are merged.

A draw is independent of all others. So what may come of a state does not depend on the way to it, and each state
is followed once: for each group of a phase, each rule of a pass, and each match of a rule. A state is the planes
of the board, the queue of commands, and where it goes on. Groups that draw nothing are applied as in other turns.
Rigid rules are left to the plain rules.

For probabilities, the ways between states are recorded: each state of each set has a mark of its own, and a way
has the mark of the state before it, of the one after it, and the number of draws of which it is one. Compiled: see
`mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.encodings.puzzlescript.draws.state_set import StateSet
from puzzlemc.encodings.puzzlescript.planes.tables import Board, Draws, Program, Rules
from puzzlemc.encodings.puzzlescript.planes.turns import Turns
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.draws.state_set import NO_ROOM, add, clear, copy_row, number_of
    from puzzlemc.encodings.puzzlescript.planes.matching import find, still_matches
    from puzzlemc.encodings.puzzlescript.planes.movement import WAYS
    from puzzlemc.encodings.puzzlescript.planes.rewriting import (
        REPETITIONS,
        apply_group,
        apply_rule,
        change,
        first_match,
        next_match,
        queue_commands,
        set_cell,
    )
    from puzzlemc.encodings.puzzlescript.planes.tables import DRAWS, ONE_MATCH, SURE
    from puzzlemc.mc.words import ALL, Flag, Index, Ints, Ints2, Word, bit

    # The last word of a state: the queue, whether a group has changed anything since the phase began or since it
    # last went back, whether the pass has changed anything, and where the state goes on.
    QUEUE = 63
    CHANGED = 64
    MADE = 128
    EACH = 16  # the work to look at a state or a rule, beside its words
    PLACE = 16  # bits below the number of a group, a rule or a match


class Drawing:
    """Sets of states of one level.

    rules, program, draws, board  those of its turns
    todo      the states of a phase; each goes on at a group
    back      those that go back to the start of a loop
    done      those after the phase
    live      the states before a pass through a group
    passing   the states within a pass; each goes on at a rule
    matching  the states while a rule is applied; each goes on at a match
    matches   (matches, slots): the first cells of the parts of each match
    count     the number of these matches
    choice    the choice for each drawn cell of the rule
    group, last  the group, and the end of its phase
    next_rule    the place of the rule in the program after the one that is applied
    edges     the states of `live` that passes lead to, one state after the other, `edge_count` in all
    first_edge, last_edge  by state of `live`, where its edges begin and end; -1 if it was not passed yet
    front     (2, states): the states of `live` before this pass and before the next one
    stamp     by state of `live`, the last pass that led to it
    records   are ways recorded?
    ways      (ways, 3): the marks of the states before and after it, and the number of draws, `way_count` in all
    mark_count  the number of marks given
    mark      that of the state that is on the board
    among     the number of matches of which one is drawn; 1 if a rule is applied to all of them
    draws_here  the number of draws, one of which leads to the next state
    is_open   are some ways not recorded, since states go round?
    rule      the last rule that has drawn
    work      the number of words of the states that were put on the board, and EACH for each state
    most_work, is_full  a limit of this and of the rules that were tried; whether it, or the room, is exceeded
    """

    rules: Rules
    program: Program
    draws: Draws
    board: Board
    todo: StateSet
    back: StateSet
    done: StateSet
    live: StateSet
    passing: StateSet
    matching: StateSet
    matches: Ints2
    count: Index
    choice: Ints
    group: Index
    last: Index
    next_rule: Index
    edges: Ints
    edge_count: Index
    first_edge: Ints
    last_edge: Ints
    front: Ints2
    stamp: Ints
    records: Flag  # public
    ways: Ints2  # readonly
    way_count: Index  # readonly
    mark_count: Index  # readonly
    mark: Index
    among: Index
    draws_here: Index
    is_open: Flag  # readonly
    rule: Index  # readonly
    work: Index
    most_work: Index
    is_full: Flag  # readonly

    def __init__(self, turns: Turns, capacity: int, most_work: int) -> None:
        """Sets of at most `capacity` states."""
        self.rules, self.program, self.draws, self.board = turns.rules, turns.program, turns.draws, turns.board
        words = turns.board.words * (turns.board.kinds + WAYS * turns.board.blocked.shape[0]) + 1
        self.todo, self.back, self.done = (StateSet(capacity, words) for _ in range(3))
        self.live, self.passing, self.matching = (StateSet(capacity, words) for _ in range(3))
        slots = turns.board.at.shape[0]
        self.matches = view(np.zeros((capacity, slots), np.int32))
        self.count = self.group = self.last = self.next_rule = 0
        self.choice = view(np.zeros(turns.draws.shift.shape[0] + 1, np.int32))
        self.edges, self.edge_count = view(np.zeros(16 * capacity, np.int32)), 0
        self.first_edge, self.last_edge = (view(np.zeros(capacity, np.int32)) for _ in range(2))
        self.front = view(np.zeros((2, capacity), np.int32))
        self.stamp = view(np.zeros(capacity, np.int32))
        self.records = self.is_open = False
        self.ways, self.way_count = view(np.zeros((16 * capacity, 3), np.int32)), 0
        self.mark_count, self.mark, self.among, self.draws_here = 0, -1, 1, 1
        self.rule, self.work, self.most_work, self.is_full = -1, 0, most_work, False


def load(drawing: Drawing, states: StateSet, number: Index) -> Index:
    """Put a state on the board. Returns its last word."""
    p: Index
    w: Index
    at: Index = 0
    drawing.work += drawing.todo.rows.shape[1] + EACH
    if drawing.work + (EACH + drawing.board.words) * drawing.board.tried > drawing.most_work:
        drawing.is_full = True
    for p in range(drawing.board.kinds + WAYS * drawing.board.blocked.shape[0]):
        any: Word = 0
        for w in range(drawing.board.words):
            here: Word = states.rows[number, at]
            drawing.board.planes[p, w] = here
            any |= here
            at += 1
        if any != 0:
            drawing.board.filled[p >> 6] |= bit(p & 63)
        else:
            drawing.board.filled[p >> 6] &= ALL ^ bit(p & 63)
    meta: Index = states.rows[number, at]
    drawing.board.queue = meta & QUEUE
    drawing.mark = states.marks[number]
    return meta


def save(drawing: Drawing, states: StateSet, meta: Index) -> Index:
    """Add the board and its queue to a set; `meta` is the rest of the last word. Returns the state's number."""
    p: Index
    w: Index
    at: Index = 0
    for p in range(drawing.board.kinds + WAYS * drawing.board.blocked.shape[0]):
        for w in range(drawing.board.words):
            states.rows[states.used, at] = drawing.board.planes[p, w]
            at += 1
    states.rows[states.used, at] = meta | drawing.board.queue
    return _added(drawing, states)


def apply_phase(drawing: Drawing, phase: Index) -> None:
    """Follow the states of `todo` through a phase, to `done`.

    If a phase goes back to the starts of its loops too often, the rest of it is left out.
    """
    i: Index
    starts: Index
    drawing.last = drawing.program.phases[phase + 1]
    clear(drawing.done)
    for _ in range(REPETITIONS + 1):
        starts = drawing.todo.used
        clear(drawing.back)
        i = 0
        while i < drawing.todo.used and not drawing.is_full:
            _go_on(drawing, i)
            i += 1
        if drawing.is_full or drawing.back.used == 0:
            return
        if _goes_round(drawing, starts):  # all further passes through the loops are like this one
            break
        clear(drawing.todo)
        for i in range(drawing.back.used):
            copy_row(drawing.back, i, drawing.todo)
            drawing.mark = drawing.back.marks[i]
            _added(drawing, drawing.todo)
    drawing.is_open = True
    for i in range(drawing.back.used):
        load(drawing, drawing.back, i)
        save(drawing, drawing.done, 0)


def _goes_round(drawing: Drawing, starts: Index) -> Flag:
    """Are the states that go back those from which `todo` has begun?"""
    i: Index
    if drawing.back.used != starts:
        return False
    for i in range(starts):
        number: Index = number_of(drawing.todo, drawing.back, i)
        if number < 0 or number >= starts:
            return False
    return True


def _go_on(drawing: Drawing, i: Index) -> None:
    """Follow a state of `todo` to the next group that draws, or to the end of the phase."""
    meta: Index = load(drawing, drawing.todo, i)
    changed: Index = meta & CHANGED
    drawing.group = meta >> PLACE
    while drawing.group < drawing.last:
        kind: Index = drawing.draws.chance[drawing.group]
        if kind == DRAWS:
            _draw_in_passes(drawing, changed)
            return
        if kind == ONE_MATCH and _draw_match_of_group(drawing, changed):
            return
        if kind == SURE and apply_group(drawing.rules, drawing.program, drawing.board, drawing.group):
            changed = CHANGED
        if changed and drawing.program.back[drawing.group] >= 0:
            save(drawing, drawing.back, drawing.program.back[drawing.group] << PLACE)
            return
        drawing.group += 1
    save(drawing, drawing.done, 0)


def _leave_group(drawing: Drawing, changed: Index) -> None:
    """Add the board as a state that goes on after the group."""
    back: Index = drawing.program.back[drawing.group]
    if changed and back >= 0:
        save(drawing, drawing.back, back << PLACE)
    elif drawing.group + 1 == drawing.last:
        save(drawing, drawing.done, 0)
    else:
        save(drawing, drawing.todo, drawing.group + 1 << PLACE | changed)


def _draw_match_of_group(drawing: Drawing, changed: Index) -> Flag:
    """Follow each match of each rule of the group from the board, once. Returns False if there is none."""
    i: Index
    m: Index
    is_loaded: Flag = True
    found: Flag = False
    clear(drawing.matching)
    save(drawing, drawing.matching, changed)
    drawing.among = _matches_of_group(drawing) if drawing.records else 1
    for i in range(drawing.program.groups[drawing.group], drawing.program.groups[drawing.group + 1]):
        rule: Index = drawing.program.rules[i]
        if drawing.draws.variant[rule] != 0:
            continue
        drawing.board.tried += 1
        if not is_loaded:
            load(drawing, drawing.matching, 0)
            is_loaded = True
        if not find(drawing.rules, drawing.board, rule):
            continue
        found = True
        is_loaded = False
        _list_matches(drawing, rule)
        for m in range(drawing.count):
            if drawing.is_full:
                return True
            load(drawing, drawing.matching, 0)
            _draw(drawing, 0, rule, m)
    drawing.among = 1
    return found


def _matches_of_group(drawing: Drawing) -> Index:
    """The number of matches of all rules of the group on the board."""
    i: Index
    count: Index = 0
    for i in range(drawing.program.groups[drawing.group], drawing.program.groups[drawing.group + 1]):
        rule: Index = drawing.program.rules[i]
        if drawing.draws.variant[rule] == 0 and find(drawing.rules, drawing.board, rule):
            _list_matches(drawing, rule)
            count += drawing.count
    return count


def _draw_in_passes(drawing: Drawing, changed: Index) -> None:
    """Follow the board through passes of the group, until a pass changes nothing."""
    i: Index
    e: Index
    number: Index
    this: Index = 0
    size: Index = 1
    clear(drawing.live)
    drawing.edge_count = 0
    drawing.front[0, 0] = _save_live(drawing, changed)
    for number in range(REPETITIONS):
        following: Index = 0
        is_new: Flag = False  # does a pass lead to a state that was not before this pass?
        for i in range(size):
            state: Index = drawing.front[this, i]
            if drawing.first_edge[state] < 0:
                _pass(drawing, state)
                if drawing.is_full:
                    return
            for e in range(drawing.first_edge[state], drawing.last_edge[state]):
                after: Index = drawing.edges[e]
                if drawing.stamp[after] == number + 1:
                    continue
                if drawing.stamp[after] != number or number == 0:
                    is_new = True
                drawing.stamp[after] = number + 1
                drawing.front[1 - this, following] = after
                following += 1
        if following == 0:
            return
        if not is_new and following == size:  # all further passes are like this one
            break
        this = 1 - this
        size = following
    drawing.is_open = True
    for i in range(size):
        load(drawing, drawing.live, drawing.front[this, i])
        _leave_group(drawing, CHANGED)


def _save_live(drawing: Drawing, changed: Index) -> Index:
    """Add the board to `live`."""
    before: Index = drawing.live.used
    state: Index = save(drawing, drawing.live, changed)
    if state == before:
        drawing.first_edge[state] = -1
        drawing.stamp[state] = 0
    return state


def _pass(drawing: Drawing, state: Index) -> None:
    """Follow a state through the rules of the group, each applied once, in order."""
    last: Index = drawing.program.groups[drawing.group + 1]
    i: Index = 0
    drawing.first_edge[state] = drawing.edge_count
    meta: Index = load(drawing, drawing.live, state)
    clear(drawing.passing)
    save(drawing, drawing.passing, drawing.program.groups[drawing.group] << PLACE | meta & CHANGED)
    while i < drawing.passing.used and not drawing.is_full:
        meta = load(drawing, drawing.passing, i)
        i += 1
        flags: Index = meta & (CHANGED | MADE)
        place: Index = meta >> PLACE
        is_drawn: Flag = False
        while place < last and not is_drawn:
            rule: Index = drawing.program.rules[place]
            place += 1
            if drawing.rules.draws[rule] == 0:
                if apply_rule(drawing.rules, drawing.board, rule):
                    flags |= MADE
                continue
            drawing.board.tried += 1
            if drawing.draws.variant[rule] == 0 and find(drawing.rules, drawing.board, rule):
                drawing.next_rule = place
                _draw_at_matches(drawing, rule, flags)
                is_drawn = True
        if is_drawn:
            continue
        if not flags & MADE:
            _leave_group(drawing, flags)
        elif drawing.edge_count < drawing.edges.shape[0]:
            after: Index = _save_live(drawing, CHANGED)
            drawing.edges[drawing.edge_count] = after
            drawing.edge_count += 1
        else:
            drawing.is_full = True
    drawing.last_edge[state] = drawing.edge_count


def _draw_at_matches(drawing: Drawing, rule: Index, flags: Index) -> None:
    """Apply a rule, whose matches are found, to all its matches on the board, with a draw at each."""
    s: Index
    i: Index = 0
    clear(drawing.matching)
    save(drawing, drawing.matching, flags)
    _list_matches(drawing, rule)
    while i < drawing.matching.used and not drawing.is_full:
        meta: Index = load(drawing, drawing.matching, i)
        m: Index = meta >> PLACE
        for s in range(drawing.matches.shape[1]):
            drawing.board.at[s] = drawing.matches[m, s]
        if m == 0 or still_matches(drawing.rules, drawing.board, rule):
            _draw(drawing, i, rule, m)
        else:
            _leave_match(drawing, rule, m, meta & (CHANGED | MADE))
        i += 1


def _list_matches(drawing: Drawing, rule: Index) -> None:
    """List the combinations of matches of a rule, which are found."""
    s: Index
    drawing.count = 0
    drawing.rule = rule
    first_match(drawing.rules, drawing.board, rule)
    while True:
        if drawing.count == drawing.matches.shape[0]:
            drawing.is_full = True
            return
        for s in range(drawing.matches.shape[1]):
            drawing.matches[drawing.count, s] = drawing.board.at[s]
        drawing.count += 1
        if not next_match(drawing.rules, drawing.board, rule):
            return


def _draw(drawing: Drawing, i: Index, rule: Index, m: Index) -> None:
    """Apply a rule to a match on the board, which is state i of `matching`, in all ways that may be drawn."""
    first: Index = drawing.draws.cells[drawing.rules.parts[drawing.rules.rows[rule]]]
    drawn: Index = drawing.draws.cells[drawing.rules.parts[drawing.rules.rows[rule + 1]]] - first
    meta: Index = drawing.matching.rows[i, drawing.matching.rows.shape[1] - 1]
    c: Index
    drawing.draws_here = drawing.among
    for c in range(drawn):
        drawing.choice[c] = 0
        drawing.draws_here *= drawing.draws.choices[first + c + 1] - drawing.draws.choices[first + c]
    while not drawing.is_full:
        flags: Index = meta & (CHANGED | MADE)
        if _change_match(drawing, rule, m, first):
            flags |= MADE
        _leave_match(drawing, rule, m, flags)
        c = 0
        while c < drawn:
            drawing.choice[c] += 1
            if drawing.draws.choices[first + c] + drawing.choice[c] < drawing.draws.choices[first + c + 1]:
                break
            drawing.choice[c] = 0
            c += 1
        if c == drawn:
            break
        load(drawing, drawing.matching, i)
    drawing.draws_here = 1


def _change_match(drawing: Drawing, rule: Index, m: Index, first: Index) -> Flag:
    """Change a match by the choices for its drawn cells, of which `first` is the first one."""
    first_part: Index = drawing.rules.parts[drawing.rules.rows[rule]]
    changed: Flag = False
    part: Index
    d: Index
    j: Index
    for part in range(first_part, drawing.rules.parts[drawing.rules.rows[rule + 1]]):
        start: Index = drawing.matches[m, part - first_part]
        if change(drawing.rules, drawing.board, part, start):
            changed = True
        for d in range(drawing.draws.cells[part], drawing.draws.cells[part + 1]):
            number: Index = drawing.draws.choices[d] + drawing.choice[d - first]
            cell: Index = start + drawing.draws.shift[d]
            for j in range(drawing.draws.changes[number], drawing.draws.changes[number + 1]):
                if set_cell(drawing.board, drawing.draws.plane[j], cell, drawing.draws.sets[j] != 0):
                    changed = True
    return changed


def _leave_match(drawing: Drawing, rule: Index, m: Index, flags: Index) -> None:
    """Add the board as a state that goes on at the next match, or after the rule."""
    commands: Index = drawing.rules.commands[rule]
    if drawing.draws.chance[drawing.group] == ONE_MATCH:
        queue_commands(drawing.board, commands)
        _leave_group(drawing, CHANGED if flags else 0)
    elif m + 1 < drawing.count:
        save(drawing, drawing.matching, m + 1 << PLACE | flags)
    else:
        queue_commands(drawing.board, commands)
        save(drawing, drawing.passing, drawing.next_rule << PLACE | flags)


def _added(drawing: Drawing, states: StateSet) -> Index:
    """Add the row behind those in use. Returns its number; if there is no room, notes that, and returns 0."""
    before: Index = states.used
    number: Index = add(states)
    if number == NO_ROOM:
        drawing.is_full = True
        return 0
    if drawing.records:
        if number == before:
            states.marks[number] = drawing.mark_count
            drawing.mark_count += 1
        if drawing.mark >= 0:
            _record(drawing, states.marks[number])
    return number


def _record(drawing: Drawing, target: Index) -> None:
    """Record the way from the state on the board."""
    if drawing.way_count == drawing.ways.shape[0]:
        drawing.is_full = True
        return
    drawing.ways[drawing.way_count, 0] = drawing.mark
    drawing.ways[drawing.way_count, 1] = target
    drawing.ways[drawing.way_count, 2] = drawing.draws_here
    drawing.way_count += 1
