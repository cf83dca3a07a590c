"""The assignment bound: a minimum-cost matching of objects to targets. Compiled: see `mc/words.py`.

A step changes the costs of few objects: those of the object that it moves, and of objects beside which the
location is in another region. The other objects keep their targets and dual variables. So the successors of a
state are computed from one solved assignment, the *kept* one, by one augmenting path for each changed object (the
dynamic Hungarian algorithm: Mills-Tettey, Stentz and Dias 2007).
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.costs import INFINITE, NEVER
    from puzzlemc.mc.packed.tables import Tables
    from puzzlemc.mc.words import (
        ALL,
        Flag,
        Index,
        Ints2,
        Ints3,
        Numbers,
        Word,
        Words,
        Words2,
        lowest_bit,
    )


class Matching:
    """The costs of an assignment, and its working arrays. Objects and targets are counted from 1.

    distance  (location codes, bits, targets): the cost of each object and target, as in `Tables`
    costs     (sets, bits, targets): costs beside sets of frozen objects, see `Frozen`
    beside    the number of the set whose costs count, too: the cost of an object and a target is the maximum of
              both; -1 if there is none
    code      the location code
    count     the number of objects
    objects   by object: its bit
    pairs     by target and object: the cost, copied from the arrays above row by row, so that `_augment` reads it
              in order
    match     by object: its target, 0 if it has none
    u, v      dual variables: by target, and by object
    previous  by object: the object before it on the augmenting path, 0 if it is the first one
    least     by object: the length of the shortest path to it
    used      by object: is that length final?
    alike     (location codes, bits): two location codes with the same number have the same costs of that object
    kept      (words,): the objects of the kept assignment, which has as many objects as targets, as a packed state
    is_kept   is there one?
    kept_code, kept_beside, kept_objects, kept_match, kept_u, kept_v  its `code`, `beside`, `objects`, ...
    changed   the objects whose costs differ from those of the kept assignment, of which there are `changes`;
              `pairs` has the new costs
    free      targets whose object is to be found anew
    """

    distance: Ints3
    costs: Ints3  # public
    beside: Index
    code: Index
    count: Index
    objects: Numbers
    pairs: Ints2
    match: Numbers  # readonly
    u: Numbers
    v: Numbers
    previous: Numbers
    least: Numbers
    used: Numbers
    alike: Ints2
    kept: Words
    is_kept: Flag
    kept_code: Index
    kept_beside: Index
    kept_objects: Numbers
    kept_match: Numbers
    kept_u: Numbers
    kept_v: Numbers
    changed: Numbers
    changes: Index
    free: Numbers

    def __init__(self, distance: Ints3, objects: int) -> None:
        """New arrays for at most `objects` objects."""
        self.distance, self.costs = distance, view(np.zeros((0, 0, 0), np.int32))
        self.beside, self.code, self.count = -1, 0, 0
        room = objects + distance.shape[2] + 2
        self.objects, self.match = view(np.zeros(room, np.int64)), view(np.zeros(room, np.int64))
        self.pairs = view(np.zeros((distance.shape[2] + 1, room), np.int32))
        self.u, self.v = view(np.zeros(room, np.int64)), view(np.zeros(room, np.int64))
        self.previous, self.least = view(np.zeros(room, np.int64)), view(np.zeros(room, np.int64))
        self.used = view(np.zeros(room, np.int64))
        self.kept, self.is_kept = view(np.zeros(-(-objects // 64), np.uint64)), False
        self.kept_code = self.kept_beside = self.changes = 0
        self.kept_objects, self.kept_match = view(np.zeros(room, np.int64)), view(np.zeros(room, np.int64))
        self.kept_u, self.kept_v = view(np.zeros(room, np.int64)), view(np.zeros(room, np.int64))
        self.changed, self.free = view(np.zeros(room, np.int64)), view(np.zeros(room, np.int64))
        self.alike = view(np.zeros((distance.shape[0], distance.shape[1]), np.int32))
        _compare_locations(self)


# Called from Python


def matching_of(tables: Tables) -> Matching:
    """New working arrays for rows of these tables."""
    return Matching(tables.distance, 64 * tables.masks.shape[2])


def least_assignment(costs: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The targets (objects,) of an assignment of least cost, some of them -1 if there is none.

    `costs` (objects, targets) has as many of both.
    """
    count = len(costs)
    matching = Matching(view(np.ascontiguousarray(costs.reshape(1, count, count), np.int32)), count)
    _assign_all(matching, count)
    return np.asarray(matching.match)[1 : count + 1] - 1


# The bound


def bound(tables: Tables, rows: Words2, i: Index, matching: Matching) -> Index:
    """The assignment bound of row i; INFINITE if there is no assignment.

    Without targets, but with weights, returns the potential: the sum of the weights of the true bits, which is no
    lower bound.
    """
    if tables.distance.shape[2] == 0 and tables.weights.shape[0] == 0:
        return 0
    list_objects(tables, rows, i, matching)
    if tables.distance.shape[2] > 0:
        return assignment(matching)
    total: Index = 0
    j: Index
    for j in range(1, matching.count + 1):
        total += tables.weights[matching.objects[j]]
    return total


def list_objects(tables: Tables, rows: Words2, i: Index, matching: Matching) -> None:
    """Write the location and the objects of row i to the working arrays."""
    count: Index = 0
    w: Index
    for w in range(rows.shape[1]):
        left: Word = rows[i, w] & tables.outside[w]
        while left:
            count += 1
            matching.objects[count] = 64 * w + lowest_bit(left)
            left &= left - 1
    matching.count = count
    matching.code = rows[i, 0] & tables.key


def assignment(matching: Matching) -> Index:
    """The least sum of costs over all assignments of an object to each target, INFINITE if there is none.

    The Hungarian method (Kuhn 1955) by shortest augmenting paths (Jonker and Volgenant 1987).
    """
    targets: Index = matching.distance.shape[2]
    if matching.count < targets:
        return INFINITE
    j: Index
    target: Index
    for j in range(matching.count + 1):
        matching.v[j] = 0
        matching.match[j] = 0
    _copy_costs(matching, targets)
    total: Index = 0
    for target in range(1, targets + 1):
        total += _augment(matching, target)
        if total >= INFINITE:
            return INFINITE
    return total


def _copy_costs(matching: Matching, targets: Index) -> None:
    """Write `pairs`."""
    j: Index
    for j in range(1, matching.count + 1):
        _copy_costs_of(matching, j, targets)


def _copy_costs_of(matching: Matching, j: Index, targets: Index) -> None:
    """Write the costs of object j to `pairs`."""
    b: Index = matching.objects[j]
    t: Index
    for t in range(targets):
        matching.pairs[t + 1, j] = matching.distance[matching.code, b, t]
    if matching.beside < 0:
        return
    for t in range(targets):
        if matching.costs[matching.beside, b, t] > matching.pairs[t + 1, j]:
            matching.pairs[t + 1, j] = matching.costs[matching.beside, b, t]


def _augment(matching: Matching, target: Index) -> Index:
    """Assign an object to one more target, by a shortest augmenting path. Returns the length of the path."""
    count: Index = matching.count
    length: Index = 0
    row: Index = target
    column: Index = 0
    j: Index
    matching.u[target] = 0
    while True:
        least: Index = NEVER
        nearest: Index = 0
        dual: Index = matching.u[row]
        for j in range(1, count + 1):
            if column == 0:
                matching.least[j] = NEVER
                matching.used[j] = 0
            elif matching.used[j]:
                continue
            through: Index = length + matching.pairs[row, j] - dual - matching.v[j]
            if through < matching.least[j]:
                matching.least[j] = through
                matching.previous[j] = column
            # Of equally near objects one without a target: the path ends there.
            if matching.least[j] < least or (matching.least[j] == least and matching.match[j] == 0):
                least = matching.least[j]
                nearest = j
        length = least
        column = nearest
        if length >= INFINITE:
            return length
        row = matching.match[column]
        if row == 0:
            break
        matching.used[column] = 1
    for j in range(1, count + 1):
        if matching.used[j]:
            matching.u[matching.match[j]] += length - matching.least[j]
            matching.v[j] -= length - matching.least[j]
    matching.u[target] = length
    while column:
        before: Index = matching.previous[column]
        matching.match[column] = matching.match[before] if before else target
        column = before
    return length


# The bound of a state from the assignment of another one


def _compare_locations(matching: Matching) -> None:
    """Write `alike`: the number of a location code is the least code with the same costs."""
    b: Index
    code: Index
    other: Index
    t: Index
    for b in range(matching.distance.shape[1]):
        for code in range(matching.distance.shape[0]):
            matching.alike[code, b] = code
            for other in range(code):
                if matching.alike[other, b] != other:
                    continue
                is_same: Flag = True
                for t in range(matching.distance.shape[2]):
                    if matching.distance[code, b, t] != matching.distance[other, b, t]:
                        is_same = False
                        break
                if is_same:
                    matching.alike[code, b] = other
                    break


def keep(tables: Tables, rows: Words2, i: Index, matching: Matching, cost: Index) -> None:
    """Keep the assignment of row i, which has just been solved at this cost, for `bound_near`."""
    j: Index
    w: Index
    matching.is_kept = cost < INFINITE and matching.count == tables.distance.shape[2]
    if not matching.is_kept:
        return
    for w in range(rows.shape[1]):
        matching.kept[w] = rows[i, w] & tables.outside[w]
    matching.kept_code = matching.code
    matching.kept_beside = matching.beside
    matching.changes = 0
    for j in range(1, matching.count + 1):
        matching.kept_objects[j] = matching.objects[j]
        matching.kept_match[j] = matching.match[j]
        matching.kept_u[j] = matching.u[j]
        matching.kept_v[j] = matching.v[j]


def bound_near(tables: Tables, rows: Words2, i: Index, matching: Matching) -> Index:
    """The bound of row i, from the kept assignment if few objects differ; else the assignment of row i is kept."""
    targets: Index = tables.distance.shape[2]
    total: Index = 0
    j: Index
    if targets and matching.is_kept:
        matching.code = rows[i, 0] & tables.key
        if _list_changes(tables, rows, i, matching):
            for j in range(1, targets + 1):
                matching.match[j] = matching.kept_match[j]
                matching.u[j] = matching.kept_u[j]
                matching.v[j] = matching.kept_v[j]
            total = _assign_changed(matching, targets)
            if total < INFINITE or matching.is_kept:
                return total
    total = bound(tables, rows, i, matching)
    if targets:
        keep(tables, rows, i, matching, total)
    return total


def _list_changes(tables: Tables, rows: Words2, i: Index, matching: Matching) -> Flag:
    """Write the objects of row i whose costs differ from the kept ones to `changed`, and their costs to `pairs`.

    Returns False if they are more than half of the objects, or if the numbers of objects differ.
    """
    targets: Index = tables.distance.shape[2]
    most: Index = targets // 2
    missing: Index = 0
    added: Index = 0
    j: Index
    t: Index
    w: Index
    code: Index = matching.code
    beside: Index = matching.beside
    # The last call has left its own costs in `pairs`.
    matching.code = matching.kept_code
    matching.beside = matching.kept_beside
    for t in range(matching.changes):
        j = matching.changed[t]
        matching.objects[j] = matching.kept_objects[j]
        _copy_costs_of(matching, j, targets)
    matching.code = code
    matching.beside = beside
    matching.changes = 0
    for j in range(1, targets + 1):
        b: Index = matching.kept_objects[j]
        is_same: Flag = rows[i, b >> 6] >> (b & 63) & 1 != 0
        if not is_same:
            missing += 1
        elif beside == matching.kept_beside:
            is_same = matching.alike[code, b] == matching.alike[matching.kept_code, b]
        else:
            for t in range(targets):
                cost: Index = matching.distance[code, b, t]
                if beside >= 0 and matching.costs[beside, b, t] > cost:
                    cost = matching.costs[beside, b, t]
                if cost != matching.pairs[t + 1, j]:
                    is_same = False
                    break
        if not is_same:
            matching.changed[matching.changes] = j
            matching.changes += 1
    if matching.changes > most:
        matching.changes = 0
        matching.is_kept = False
        return False
    # The new objects take the numbers of those that are missing.
    t = 0
    for w in range(rows.shape[1]):
        left: Word = rows[i, w] & tables.outside[w] & (ALL ^ matching.kept[w])
        while left:
            if added == missing:
                matching.is_kept = False
                return False
            while True:
                j = matching.changed[t]
                t += 1
                b = matching.kept_objects[j]
                if not rows[i, b >> 6] >> (b & 63) & 1:
                    break
            matching.objects[j] = 64 * w + lowest_bit(left)
            left &= left - 1
            added += 1
    if added < missing:
        matching.is_kept = False
        return False
    for t in range(matching.changes):
        _copy_costs_of(matching, matching.changed[t], targets)
    return True


def _assign_changed(matching: Matching, targets: Index) -> Index:
    """Assign the changed objects anew, and return the cost of the assignment.

    INFINITE if there is none; then nothing is kept unless an object by itself can reach no target.
    """
    total: Index = 0
    count: Index = 0
    n: Index
    j: Index
    t: Index
    # A dual variable may be any number with which no reduced cost is negative. An object keeps its target if their
    # reduced cost is 0.
    for n in range(matching.changes):
        j = matching.changed[n]
        kept: Index = matching.kept_match[j]
        least: Index = INFINITE
        price: Index = NEVER
        for t in range(1, targets + 1):
            least = min(least, matching.pairs[t, j])
            price = min(price, matching.pairs[t, j] - matching.u[t])
        if least >= INFINITE:
            return INFINITE
        matching.v[j] = price
        matching.match[j] = kept if matching.pairs[kept, j] - matching.u[kept] == price else 0
        if not matching.match[j]:
            matching.free[count] = kept
            count += 1
    for n in range(count):
        if _augment(matching, matching.free[n]) >= INFINITE:
            matching.is_kept = False  # lengths are of reduced costs: a finite assignment may remain
            return INFINITE
    for j in range(1, targets + 1):
        total += matching.pairs[matching.match[j], j]
    if total >= INFINITE:
        matching.is_kept = False
        return INFINITE
    return total


def _assign_all(matching: Matching, count: Index) -> None:
    """Assign objects to targets, where object j has bit j - 1."""
    j: Index
    for j in range(count):
        matching.objects[j + 1] = j
    matching.count = count
    assignment(matching)
