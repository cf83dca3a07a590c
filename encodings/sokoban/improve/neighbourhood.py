"""Neighbourhoods of a plan of Sokoban: some boxes are free, the others are pushed as in the plan. Compiled.

A neighbourhood is a segment of the plan and a set of *free* boxes. The pushes of the other boxes in the segment
are *events*: they stay in their order, but free boxes may be pushed in any way before, between and after them. A*
finds the fewest pushes of the free boxes. A state has the number of past events, the cells of the free boxes, and
the region of the player; only pushes cost something. With all boxes free, the neighbourhood is a window of the
plan; with few free boxes, the whole plan can be searched (large neighbourhood search: Shaw 1998; neighbourhoods of
plans: Nakhost and Müller 2010).
"""

from collections.abc import Iterable

import cython
import numpy as np

from puzzlemc.encodings.sokoban.board.bitboards import Bitboard, Region
from puzzlemc.encodings.sokoban.improve import states
from puzzlemc.encodings.sokoban.improve.states import States
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.bitboards import fill, is_free, is_in, toggle
    from puzzlemc.encodings.sokoban.improve.bound import Bound, add_target, clear_targets, covered, pushes_from
    from puzzlemc.encodings.sokoban.improve.plans import Plan, direction, move_box, price
    from puzzlemc.encodings.sokoban.improve.states import clear, insert, known, length_of_path
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Ints2, Shorts2

    STATES_PER_EXPANSION = 8  # states for which a neighbourhood has room
    NONE, OPEN = -1, -2  # results of a search: there is no cheaper path, a limit was reached


class Neighbourhood:
    """A neighbourhood, the search in it, and its memory, which all neighbourhoods share.

    near, cells   as in `Floor`
    floor         the cells without boxes of a state
    lit, after    the regions of the player before a push and after it
    free          (boxes,): is the box free? Boxes are numbered as in the first vertex of the segment
    owner         (cells + 1,): scratch, the number of the box on each cell
    is_free       (cells + 1,): is there a free box of the state?
    first, last   the vertices of the plan at the ends of the segment
    to_goals      whether the free boxes may end on any goals
    below         the largest number of pushes of free boxes that is searched
    events        (edges, 3): by event, the cells of the box before and after it, and of the player before it
    fixed         (edges + 1, boxes): after each number of events, the cells of the boxes that are not free, of
                  which there are `fixed_count`
    end_least     the least cell of the player's region at the last vertex
    most, used    the limit on expansions, and their number so far
    states        the generated states, at most `room`. A state is its number of events times the number of cells
                  plus the least cell of the region, then the cells of the free boxes in increasing order
    costs, closed  (room,): as in `Window`
    entries       (2 * room, 2): the open list: a state, and the next entry with the same f
    heads         the first entry by f, -1 if there is none; no entry is below `lowest`
    found         the cells of the boxes before and after each push of the path that was found
    """

    near: Shorts2
    cells: Index
    floor: Bitboard
    lit: Region
    after: Region
    free: Bytes  # readonly
    owner: Ints
    is_free: Bytes
    first: Index
    last: Index
    to_goals: Flag
    below: Index
    events: Ints2
    event_count: Index
    fixed: Ints2
    fixed_count: Index
    end_least: Index
    most: Index
    used: Index  # readonly
    states: States
    room: Index
    costs: Ints
    closed: Bytes
    entries: Ints2
    entry_count: Index
    heads: Ints
    lowest: Index
    found: Ints2
    found_count: Index

    def __init__(self, plan: Plan, most: int) -> None:
        """Memory for searches of at most `most` expansions."""
        length, width = np.asarray(plan.vertices).shape
        cells = plan.floor.cells
        self.near, self.cells = plan.floor.near, cells
        self.floor = Bitboard(np.asarray(plan.floor.near))
        self.lit, self.after = Region(self.floor), Region(self.floor)
        self.free, self.owner = view(np.zeros(width, np.uint8)), view(np.zeros(cells + 1, np.int32))
        self.is_free = view(np.zeros(cells + 1, np.uint8))
        self.events, self.fixed = view(np.zeros((length, 3), np.int32)), view(np.zeros((length, width), np.int32))
        room = STATES_PER_EXPANSION * most + 4 * width
        self.states, self.room = States(room, width), room
        self.costs, self.closed = view(np.empty(room, np.int32)), view(np.empty(room, np.uint8))
        self.entries = view(np.empty((2 * room, 2), np.int32))
        self.heads = view(np.full(length + 2, -1, np.int32))
        self.found = view(np.empty((length, 2), np.int32))
        self.first = self.last = self.below = self.event_count = self.fixed_count = self.end_least = 0
        self.most = self.used = self.entry_count = self.lowest = self.found_count = 0
        self.to_goals = False
        self.set_free(range(width - 1))

    def set_free(self, boxes: Iterable[int]) -> None:
        """Make these boxes, each given once, the free ones."""
        k: Index
        count: Index = 0
        for k in range(self.free.shape[0]):
            self.free[k] = 0
        for k in boxes:
            self.free[k] = 1
            count += 1
        self.states.set_width(1 + count)


def bytes_of(width: int, most: int) -> int:
    """The memory for searches of at most `most` expansions, for vertices of this width."""
    return STATES_PER_EXPANSION * most * (states.bytes_of(width) + 4 + 1 + 2 * 8)


def improve(plan: Plan, area: Neighbourhood, first: int, last: int, most: int) -> int:
    """Search for fewer pushes between two vertices of the plan, with at most that number of expansions.

    Returns the number of pushes of the segment in the improved plan; NONE if there is no plan with fewer, and OPEN
    if the limits on expansions or memory end the search.
    """
    area.first, area.last = first, last
    found: int = _improve(plan, area, most)
    return found


def _improve(plan: Plan, area: Neighbourhood, most: Index) -> Index:
    """Improve the plan between the vertices `first` and `last` of the neighbourhood."""
    i: Index
    area.used = 0
    if not _prepare(plan, plan.bound, area):
        return NONE
    area.most = most
    area.room = min(STATES_PER_EXPANSION * most, area.costs.shape[0])
    number: Index = _search(plan.bound, area)
    if number >= 0:
        _list_pushes(area, number)
    clear(area.states)
    for i in range(area.below + 1):
        area.heads[i] = -1
    if number < 0:
        return number
    _splice(plan, area)
    return area.found_count


def _prepare(plan: Plan, bound: Bound, area: Neighbourhood) -> Flag:
    """Read the segment, and insert the first state. Returns False if its bound excludes a cheaper path."""
    vertices = plan.vertices
    boxes: Index = vertices.shape[1] - 1
    k: Index
    i: Index
    d: Index
    which: Index
    time: Index = 0
    pushes: Index = 0
    area.fixed_count = 0
    for k in range(boxes):
        area.owner[vertices[area.first, k + 1]] = k
        if not area.free[k]:
            area.fixed[0, area.fixed_count] = vertices[area.first, k + 1]
            area.fixed_count += 1
    for i in range(area.first, area.last):
        box: Index = vertices[i + 1, 0]
        d = direction(plan, i)
        to: Index = area.near[box, d]
        which = area.owner[box]
        area.owner[to] = which
        if area.free[which]:
            pushes += 1
            continue
        area.events[time, 0] = box
        area.events[time, 1] = to
        area.events[time, 2] = area.near[box, d ^ 2]
        for k in range(area.fixed_count):
            cell: Index = area.fixed[time, k]
            area.fixed[time + 1, k] = to if cell == box else cell
        time += 1
    area.event_count = time
    # The targets: the goals without a box that is not free, or the cells of the free boxes at the last vertex.
    area.to_goals = area.last == plan.count - 1
    clear_targets(bound)
    if area.to_goals:
        for k in range(area.fixed_count):
            area.is_free[area.fixed[time, k]] = 1
        for i in range(area.cells):
            if bound.is_goal[i] and not area.is_free[i]:
                add_target(bound, i)
        for k in range(area.fixed_count):
            area.is_free[area.fixed[time, k]] = 0
    else:
        for k in range(1, boxes + 1):
            if area.free[area.owner[vertices[area.last, k]]]:
                add_target(bound, vertices[area.last, k])
    # Each push moves a box to a cell of the other colour of a chessboard, so the number of pushes between two sets
    # of cells is always even, or always odd.
    area.below = pushes - (2 if bound.targets == area.states.rows.shape[1] - 1 else 1)
    if area.below < 0:
        return False
    count: Index = 1
    for k in range(boxes):
        if area.free[k]:
            area.states.rows[0, count] = vertices[area.first, k + 1]
            count += 1
    left: Index = pushes_from(bound, area.states.rows, 0)
    if left > area.below:
        return False
    _toggle_all(area, vertices, area.last)
    fill(area.floor, vertices[area.last, 0], area.lit)
    area.end_least = area.lit.least
    _toggle_all(area, vertices, area.last)
    _toggle_all(area, vertices, area.first)
    fill(area.floor, vertices[area.first, 0], area.lit)
    area.states.rows[0, 0] = area.lit.least
    _toggle_all(area, vertices, area.first)
    area.entry_count = 0
    area.lowest = left
    known(area.states)
    _change(area, insert(area.states), -1, 0, left)
    return True


def _toggle_all(area: Neighbourhood, vertices: Ints2, i: Index) -> None:
    """Put all boxes of a vertex on the floor, or take them off."""
    k: Index
    for k in range(1, vertices.shape[1]):
        toggle(area.floor, vertices[i, k])


def _toggle_state(area: Neighbourhood, number: Index, time: Index) -> None:
    """Put all boxes of a state on the floor, or take them off."""
    k: Index
    for k in range(area.fixed_count):
        toggle(area.floor, area.fixed[time, k])
    for k in range(1, area.states.rows.shape[1]):
        toggle(area.floor, area.states.rows[number, k])


def _search(bound: Bound, area: Neighbourhood) -> Index:
    """The number of a state at the end of the segment that is reached with the fewest pushes; NONE or OPEN."""
    cells: Index = area.cells
    while True:
        number: Index = _pop(area)
        if number < 0:
            return NONE
        if area.closed[number]:
            continue
        area.closed[number] = 1
        if (
            area.states.rows[number, 0] // cells == area.event_count
            and covered(bound, area.states.rows, number) == bound.targets
            and (area.to_goals or area.states.rows[number, 0] % cells == area.end_least)
        ):
            return number
        if area.used == area.most:
            return OPEN
        area.used += 1
        if not _expand(bound, area, number):
            return OPEN


def _pop(area: Neighbourhood) -> Index:
    """Remove the newest entry of least f; return its state, -1 if there is none."""
    while area.lowest <= area.below:
        entry: Index = area.heads[area.lowest]
        if entry >= 0:
            area.heads[area.lowest] = area.entries[entry, 1]
            return area.entries[entry, 0]
        area.lowest += 1
    return -1


def _expand(bound: Bound, area: Neighbourhood, number: Index) -> Flag:
    """Generate the successors of a state that may lead to a cheaper path. Returns False if there is no room."""
    cells: Index = area.cells
    time: Index = area.states.rows[number, 0] // cells
    width: Index = area.states.rows.shape[1]
    near = area.near
    fits: Flag = True
    k: Index
    d: Index
    i: Index
    _toggle_state(area, number, time)
    for k in range(1, width):
        area.is_free[area.states.rows[number, k]] = 1
    fill(area.floor, area.states.rows[number, 0] % cells, area.lit)
    for i in range(1, width):
        box: Index = area.states.rows[number, i]
        for d in range(4):
            if is_in(area.floor, area.lit, near[box, d ^ 2]) and is_free(area.floor, near[box, d]):
                fits = fits and _enter(bound, area, number, time, box, near[box, d])
    if (
        time < area.event_count
        and is_in(area.floor, area.lit, area.events[time, 2])
        and is_free(area.floor, area.events[time, 1])
    ):
        fits = fits and _enter(bound, area, number, time + 1, area.events[time, 0], area.events[time, 1])
    _toggle_state(area, number, time)
    for k in range(1, width):
        area.is_free[area.states.rows[number, k]] = 0
    return fits


def _enter(bound: Bound, area: Neighbourhood, number: Index, time: Index, box: Index, to: Index) -> Flag:
    """Insert the successor by the push of a box. Returns False if there is no room."""
    rows = area.states.rows
    new: Index = area.states.count
    cost: Index = area.costs[number]
    k: Index
    for k in range(1, rows.shape[1]):
        rows[new, k] = rows[number, k]
    if area.is_free[box]:
        move_box(rows, new, box, to)
        cost += 1
    if cost > area.below:
        return True
    left: Index = pushes_from(bound, rows, new)
    if cost + left > area.below:
        return True
    toggle(area.floor, box)
    toggle(area.floor, to)
    fill(area.floor, box, area.after)
    toggle(area.floor, box)
    toggle(area.floor, to)
    rows[new, 0] = time * area.cells + area.after.least
    state: Index = known(area.states)
    if state < 0:
        if new == area.room:
            return False
        state = insert(area.states)
    elif area.costs[state] <= cost:
        return True
    return _change(area, state, number, cost, left)


def _change(area: Neighbourhood, number: Index, parent: Index, cost: Index, left: Index) -> Flag:
    """Set the path to a state, and insert it into the open list. Returns False if there is no room."""
    entry: Index = area.entry_count
    if entry == area.entries.shape[0]:
        return False
    area.costs[number] = cost
    area.states.parents[number] = parent
    area.closed[number] = 0
    area.entries[entry, 0] = number
    area.entries[entry, 1] = area.heads[cost + left]
    area.heads[cost + left] = entry
    area.entry_count += 1
    area.lowest = min(area.lowest, cost + left)
    return True


def _list_pushes(area: Neighbourhood, number: Index) -> None:
    """Write the pushes on the path to a state to `found`."""
    rows = area.states.rows
    cells: Index = area.cells
    i: Index
    area.found_count = length_of_path(area.states, number)
    for i in range(area.found_count - 1, -1, -1):
        before: Index = area.states.parents[number]
        time: Index = rows[before, 0] // cells
        if rows[number, 0] // cells != time:
            area.found[i, 0] = area.events[time, 0]
            area.found[i, 1] = area.events[time, 1]
        else:
            area.found[i, 0] = _only_in(area, before, number)
            area.found[i, 1] = _only_in(area, number, before)
        number = before


def _only_in(area: Neighbourhood, number: Index, other: Index) -> Index:
    """The cell with a free box in the first state, but not in the other one."""
    rows = area.states.rows
    cell: Index = -1
    k: Index
    for k in range(1, rows.shape[1]):
        area.is_free[rows[other, k]] = 1
    for k in range(1, rows.shape[1]):
        if not area.is_free[rows[number, k]]:
            cell = rows[number, k]
    for k in range(1, rows.shape[1]):
        area.is_free[rows[other, k]] = 0
    return cell


def _splice(plan: Plan, area: Neighbourhood) -> None:
    """Replace the segment of the plan by the path that was found."""
    vertices = plan.vertices
    width: Index = vertices.shape[1]
    fewer: Index = area.last - area.first - area.found_count
    i: Index
    k: Index
    for i in range(area.found_count):
        n: Index = area.first + i
        for k in range(1, width):
            vertices[n + 1, k] = vertices[n, k]
        vertices[n + 1, 0] = area.found[i, 0]
        move_box(vertices, n + 1, area.found[i, 0], area.found[i, 1])
    for i in range(area.last + 1, plan.count):
        for k in range(width):
            vertices[i - fewer, k] = vertices[i, k]
        plan.costs[i - 1 - fewer] = plan.costs[i - 1]
    plan.count -= fewer
    price(plan, area.first, min(area.first + area.found_count + 1, plan.count - 1))
