"""Anytime window search: improves a plan of Sokoban by A* between two of its positions. Compiled: `mc/words.py`.

A *window* is a segment of the plan. A* (Hart, Nilsson and Raphael 1968) searches for a cheaper path from its first
vertex to its last; in the window at the end of the plan, to any solved vertex. The windows slide along the plan,
repeatedly while they find improvements; then their width doubles. The search can stop after any window, and the
plan is never worse than before. The limit is a number of expanded vertices, so the result does not depend on time.
"""

import cython
import numpy as np

from puzzlemc.encodings.sokoban.improve import states
from puzzlemc.encodings.sokoban.improve.states import States
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floor import find_walks, forget
    from puzzlemc.encodings.sokoban.improve.bound import covered, pushes_from, set_targets
    from puzzlemc.encodings.sokoban.improve.plans import Plan, move_box, price, put
    from puzzlemc.encodings.sokoban.improve.states import clear, insert, known, length_of_path
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Ints2, Numbers

    VERTICES_PER_EXPANSION = 12  # vertices for which a window has room
    FIRST_WIDTH = 4  # pushes in the first windows
    SHARE = 4  # a window may use one part in SHARE of the remaining expansions


class Window:
    """The search in one window of a plan, and its memory, which all windows share.

    first, last  the vertices of the plan at the ends of the window
    to_goals     whether the search ends at any solved vertex
    below        the cost of the window: paths that cost less are searched
    expansions, used  the limit on expansions, and their number so far
    states       the generated vertices, at most `room`, each of 1 + boxes numbers
    costs        (room,): the cost of the cheapest known path to each of them
    closed       (room,): 1 if a vertex is expanded
    keys, numbers  (2 * room,): the open list, a binary heap of costs and vertices, of which there are `size`
    found        the path that was found
    """

    first: Index
    last: Index
    to_goals: Flag
    below: Index
    room: Index
    expansions: Index
    used: Index
    states: States
    costs: Numbers
    closed: Bytes
    keys: Numbers
    numbers: Ints
    size: Index
    found: Ints2

    def __init__(self, plan: Plan, expansions: int) -> None:
        """Memory for windows of a plan that use at most this number of expansions."""
        length, width = np.asarray(plan.vertices).shape
        room = VERTICES_PER_EXPANSION * max(1, expansions // SHARE) + 4 * width
        self.states, self.room = States(room, width), room
        self.costs, self.closed = view(np.empty(room, np.int64)), view(np.empty(room, np.uint8))
        self.keys, self.numbers = view(np.empty(2 * room, np.int64)), view(np.empty(2 * room, np.int32))
        self.found = view(np.empty((length, width), np.int32))
        self.first = self.last = self.below = self.expansions = self.used = self.size = 0
        self.to_goals = False


class Slide:
    """Where the windows are, between two calls of `advance`.

    best     (room,): the plan is optimal from vertex i to vertex best[i]
    pushes   the width of the windows
    first    the first vertex of the next window
    better   has a window since the last start at vertex 0 improved the plan?
    decided  has such a window been searched to its end?
    """

    best: Ints
    pushes: Index
    first: Index
    better: Flag
    decided: Flag

    def __init__(self, plan: Plan) -> None:
        """The first window of the least width; nothing is known to be optimal."""
        self.best = view(np.zeros(np.asarray(plan.vertices).shape[0], np.int32))
        self.start_again()

    def start_again(self) -> None:  # interpreted
        """Go back to the first window of the least width; what is optimal remains known."""
        self.pushes, self.first, self.better, self.decided = FIRST_WIDTH, 0, False, False

    def is_optimal(self, plan: Plan) -> bool:
        """Has a window over the whole plan been searched to its end?"""
        is_whole: bool = self.best[0] >= plan.count - 1
        return is_whole


def bytes_of(width: int, most: int) -> int:
    """The memory of windows of at most `most` expansions, for vertices of this width."""
    return VERTICES_PER_EXPANSION * most * (states.bytes_of(width) + 8 + 1 + 2 * (8 + 4))


def improve(plan: Plan, expansions: int) -> None:
    """Improve the plan with at most this number of expansions."""
    _advance(plan, Window(plan, expansions), Slide(plan), expansions, 0)


def advance(plan: Plan, window: Window, slide: Slide, expansions: int, most: int) -> bool:
    """Improve the plan by windows of at most `most` expansions until about `expansions` are used; return True.

    Returns False if no window of that size can improve the plan any more. `window` has memory for SHARE * `most`
    expansions.
    """
    is_going_on: bool = _advance(plan, window, slide, expansions, most)
    return is_going_on


def _advance(plan: Plan, window: Window, slide: Slide, expansions: Index, most: Index) -> Flag:
    """`advance`, compiled; with `most` 0, a window may use one part in SHARE of the remaining expansions."""
    i: Index
    while expansions > 0 and plan.count > 1:
        first: Index = slide.first
        last: Index = min(first + slide.pushes, plan.count - 1)
        if slide.best[first] >= last:
            slide.decided = True
        else:
            window.first, window.last = first, last
            window.expansions = most if most else max(1, expansions // SHARE)
            edges: Index = _cheaper_path(plan, window)
            expansions -= window.used
            slide.decided |= edges != 0
            if edges > 0:
                slide.better = True
                _splice(plan, window, edges)
                price(plan, first, first + edges)
                if last == first + edges:  # segments that end before the change remain optimal
                    for i in range(first):
                        slide.best[i] = min(slide.best[i], first)
                    for i in range(first, last):
                        slide.best[i] = 0
                else:
                    for i in range(slide.best.shape[0]):
                        slide.best[i] = 0
                last = first + edges
            if edges != 0:
                slide.best[first] = max(slide.best[first], last)
        if last < plan.count - 1:
            slide.first += max(1, (last - first) // 2)
            continue
        if not slide.better:
            if slide.pushes >= plan.count - 1 or not slide.decided:
                return False
            slide.pushes *= 2
        slide.first = 0
        slide.better = False
        slide.decided = False
    return plan.count > 1


def _splice(plan: Plan, window: Window, edges: Index) -> None:
    """Replace the window in the plan by the path that was found. The costs of its edges are not written."""
    width: Index = plan.vertices.shape[1]
    more: Index = window.first + edges - window.last
    i: Index
    k: Index
    n: Index
    tail: Index = plan.count - window.last
    for n in range(tail):
        i = window.last + n if more < 0 else plan.count - 1 - n
        for k in range(width):
            plan.vertices[i + more, k] = plan.vertices[i, k]
        plan.costs[i + more] = plan.costs[i]
    for i in range(1, edges + 1):
        for k in range(width):
            plan.vertices[window.first + i, k] = window.found[i, k]
    plan.count += more


def _cheaper_path(plan: Plan, window: Window) -> Index:
    """Search by A* for a path that is cheaper than the window.

    Return its number of edges, and write its vertices to `found`. Return -1 if there is no such path, and 0 if the
    limits on expansions or memory end the search.
    """
    i: Index
    window.to_goals = window.last == plan.count - 1
    window.below = 0
    for i in range(window.first, window.last):
        window.below += plan.costs[i]
    window.room = VERTICES_PER_EXPANSION * window.expansions + 4 * plan.vertices.shape[1]
    set_targets(plan.bound, plan.vertices, window.last, window.to_goals)
    window.size = window.used = 0
    for i in range(plan.vertices.shape[1]):
        window.states.rows[0, i] = plan.vertices[window.first, i]
    known(window.states)
    _reach(window, insert(window.states), -1, 0, 0)
    edges: Index = _search(plan, window)
    clear(window.states)
    return edges


def _search(plan: Plan, window: Window) -> Index:
    """Search from the vertex in the open list, see `_cheaper_path`."""
    while window.size:
        number: Index = _pop(window)
        if window.closed[number]:
            continue
        window.closed[number] = 1
        if (
            number
            and covered(plan.bound, window.states.rows, number) == plan.bound.targets
            and (window.to_goals or window.states.rows[number, 0] == plan.vertices[window.last, 0])
        ):
            return _path(window, number)
        if window.used == window.expansions:
            return 0
        window.used += 1
        if not _expand(plan, window, number):
            return 0
    return -1


def _path(window: Window, number: Index) -> Index:
    """Write the path to this vertex to `found`; return its number of edges, 0 if there is no room for it."""
    length: Index = length_of_path(window.states, number)
    i: Index
    k: Index
    if length >= window.found.shape[0]:
        return 0
    for i in range(length, -1, -1):
        for k in range(window.found.shape[1]):
            window.found[i, k] = window.states.rows[number, k]
        number = window.states.parents[number]
    return length


def _expand(plan: Plan, window: Window, number: Index) -> Flag:
    """Generate the successors of a vertex that may lead to a cheaper path. Returns False if there is no room."""
    d: Index
    k: Index
    i: Index
    rows = window.states.rows
    near = plan.floor.near
    on = plan.floor.on
    width: Index = rows.shape[1]
    fits: Flag = True
    put(plan.floor, rows, number, True)
    reached: Index = find_walks(plan.floor, rows[number, 0], plan.walks)
    for i in range(reached):
        here: Index = plan.walks.reached[i]
        cost: Index = window.costs[number] + plan.push + plan.walk * plan.walks.far[here]
        if cost >= window.below:
            continue
        for d in range(4):
            box: Index = near[here, d]
            if on[box] == 0:
                continue
            to: Index = near[box, d]
            if on[to]:  # also behind each wall
                continue
            new: Index = window.states.count
            for k in range(width):
                rows[new, k] = rows[number, k]
            move_box(rows, new, box, to)
            rows[new, 0] = box
            vertex: Index = known(window.states)
            if vertex >= 0 and window.costs[vertex] <= cost:
                continue
            left: Index = pushes_from(plan.bound, rows, new)
            if left > (window.below - 1 - cost) // plan.push:
                continue
            if window.size == 2 * window.room or (vertex < 0 and new == window.room):
                fits = False
                break
            _reach(window, insert(window.states) if vertex < 0 else vertex, number, cost, left * plan.push)
        if not fits:
            break
    forget(plan.walks, reached)
    put(plan.floor, rows, number, False)
    return fits


def _reach(window: Window, number: Index, parent: Index, cost: Index, left: Index) -> None:
    """Set the path to a vertex, and insert it into the open list; `left` is a bound for the rest."""
    window.costs[number] = cost
    window.states.parents[number] = parent
    window.closed[number] = 0
    _push(window, cost + left, number)


# The open list: a binary heap with the least f first and, among equal f, the newest vertex.


def _is_before(window: Window, i: Index, j: Index) -> Flag:
    return window.keys[i] < window.keys[j] or (
        window.keys[i] == window.keys[j] and window.numbers[i] > window.numbers[j]
    )


def _swap(window: Window, i: Index, j: Index) -> None:
    key: Index = window.keys[i]
    number: Index = window.numbers[i]
    window.keys[i] = window.keys[j]
    window.numbers[i] = window.numbers[j]
    window.keys[j] = key
    window.numbers[j] = number


def _push(window: Window, key: Index, number: Index) -> None:
    """Push an entry."""
    i: Index = window.size
    window.keys[i] = key
    window.numbers[i] = number
    while i and _is_before(window, i, (i - 1) // 2):
        _swap(window, i, (i - 1) // 2)
        i = (i - 1) // 2
    window.size += 1


def _pop(window: Window) -> Index:
    """Remove the first entry; return its vertex."""
    first: Index = window.numbers[0]
    window.size -= 1
    window.keys[0] = window.keys[window.size]
    window.numbers[0] = window.numbers[window.size]
    i: Index = 0
    while True:
        child: Index = 2 * i + 1
        if child >= window.size:
            return first
        if child + 1 < window.size and _is_before(window, child + 1, child):
            child += 1
        if not _is_before(window, child, i):
            return first
        _swap(window, i, child)
        i = child
