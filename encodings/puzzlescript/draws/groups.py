"""What rules with chance may make of a board: a phase is followed group by group, from set to set of states.

A draw is independent of all others. So what may come of a state does not depend on the way to it, and each state
is followed once: for each group of a phase, each rule of a pass, and each match of a rule. Groups that draw
nothing are applied as in other turns. Rigid rules are left to the plain rules. Compiled: see `mc/words.py`.
"""

import cython

from puzzlemc.encodings.puzzlescript.draws.drawing import Drawing

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.draws.drawing import CHANGED, MADE, PLACE, added, load, save
    from puzzlemc.encodings.puzzlescript.draws.state_set import clear, copy_row, number_of
    from puzzlemc.encodings.puzzlescript.planes.matching import find, still_matches
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
    from puzzlemc.mc.words import Flag, Index


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
            added(drawing, drawing.todo)
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
