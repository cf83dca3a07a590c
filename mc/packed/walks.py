"""Walks among packed actions, which only change the location; the walks of a plan; the regions beside objects.

Compiled: see `mc/words.py`. `mc/passes/free_moves.py` completes plans by the actions of the model, for engines
without packed states.
"""

from collections.abc import Sequence

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.model.formula import support
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.actions import PackedActions
from puzzlemc.mc.packed.layout import Layout, PackedStates, Truths
from puzzlemc.mc.packed.tables import Tables
from puzzlemc.mc.packed.walk_arrays import walks_among
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.inspection import CLEAR, PLACE, Masks, source_of
    from puzzlemc.mc.packed.successors import Region, flood, is_open, least_code, move_to
    from puzzlemc.mc.packed.tables import Walks
    from puzzlemc.mc.words import ALL, Bytes, Bytes2, Index, Numbers, Numbers2, Words2


def free_to_leave_out(layout: Layout, model: Model, actions: PackedActions) -> Truths:
    """Which actions are walks that the search may leave out as steps of their own, shape (actions,).

    All are false unless all walks cost the same, each walk has a reverse walk, every action determines the
    location before and after it, and the goal does not mention the location. The guards must contain that no
    object stands at the location: see `closed` of `pack_actions`.
    """
    location = model.hints.location
    if location is None or not support([model.goal]).isdisjoint(location.bits):
        return np.zeros(len(actions), np.bool_)
    is_code = np.zeros(layout.key + 1, np.bool_)
    is_code[[*layout.codes]] = True
    return walks_among(actions.masks, is_code)


def with_walks(tables: Tables, actions: PackedActions, start: PackedStates, numbers: Sequence[int]) -> list[int]:
    """The numbers of all actions of a plan, with the fewest walks before each action that make it enabled.

    The plan starts at the packed state `start`; `numbers` are its actions without the walks. `tables` have the
    walks, `actions` the other actions, sorted by number. Ties are broken by the order of the walks in the tables.
    Raises Refuted if no walks lead to where a step begins.
    """
    steps = actions.take(np.searchsorted(actions.number, np.array(numbers, np.int64))).masks
    run: list[int] = []
    row = view(start.reshape(1, -1).copy())
    path = view(np.zeros((3, tables.walks.first.shape[0] - 1), np.int64))
    for i, number in enumerate(np.asarray(steps.info)[:, 1].tolist()):
        count = _walk(tables.walks, row, source_of(steps, i), path)
        if count < 0:
            raise Refuted(f"step {i + 1} of a plan begins where no walks lead to")
        run += np.asarray(path)[2, :count][::-1].tolist()
        run.append(number)
        _take(steps, i, row)
    return run


def regions_beside(
    walks: Walks, kept: npt.NDArray[np.uint64], codes: npt.NDArray[np.int64], free: npt.NDArray[np.bool_]
) -> npt.NDArray[np.uint64]:
    """One row for each region that the objects of each row of `kept` leave.

    `codes` are all location codes. `free` (rows, codes) is true where no object of the row stands.
    """
    found = np.zeros((free.size, kept.shape[1]), np.uint64)
    done = np.zeros(walks.first.shape[0] - 1, np.uint8)
    is_free = np.ascontiguousarray(free).view(np.uint8)
    count = _regions_beside(walks, view(kept), view(codes), view(is_free), view(found), view(done), Region(walks))
    return found[:count].copy()


# Compiled


def _walk(walks: Walks, row: Words2, to: Index, path: Numbers2) -> Index:
    """Write the numbers of the fewest walks from the row to a location code to `path[2]`, the last walk first.

    Returns the number of walks, -1 if none lead there. Row 0 of `path` has the walk to each location code, -1 if
    it is not reached; row 1 the queue, and row 2 at first the location code before each.
    """
    here: Index = row[0, 0] & walks.key
    if walks.steps.shape[0] == 0 or here == to:
        return 0
    code: Index
    e: Index
    for code in range(path.shape[1]):
        path[0, code] = -1
    path[0, here] = -2
    path[1, 0] = here
    reached: Index = 1
    place: Index = 0
    while path[0, to] == -1:
        if place == reached:
            return -1
        code = path[1, place]
        place += 1
        for e in range(walks.first[code], walks.first[code + 1]):
            there: Index = walks.steps[e, 0]
            if path[0, there] == -1 and is_open(walks, row, 0, e):
                path[0, there] = e
                path[2, there] = code
                path[1, reached] = there
                reached += 1
    # The queue is not needed any more: it takes the numbers, and then row 2 can take them.
    count: Index = 0
    code = to
    while code != here:
        path[1, count] = walks.steps[path[0, code], 1]
        code = path[2, code]
        count += 1
    for e in range(count):
        path[2, e] = path[1, e]
    return count


def _take(steps: Masks, i: Index, row: Words2) -> None:
    """Replace the only row of the array by its successor by action i."""
    w: Index
    for w in range(row.shape[1]):
        row[0, w] = row[0, w] & (ALL ^ steps.rows[i, CLEAR, w]) | steps.rows[i, PLACE, w]


def _regions_beside(
    walks: Walks, kept: Words2, codes: Numbers, free: Bytes2, found: Words2, done: Bytes, region: Region
) -> Index:
    """Write the rows of `regions_beside` to `found`; return their number. `done` (location codes,) is scratch."""
    count: Index = 0
    i: Index
    j: Index
    k: Index
    w: Index
    for i in range(kept.shape[0]):
        for j in range(done.shape[0]):
            done[j] = 0
        for k in range(codes.shape[0]):
            if done[codes[k]] or not free[i, k]:
                continue
            for w in range(kept.shape[1]):
                found[count, w] = kept[i, w]
            move_to(walks, found, count, codes[k])
            reached: Index = flood(walks, found, count, region)
            for j in range(reached):
                done[region.codes[j]] = 1
            move_to(walks, found, count, least_code(region, reached))
            count += 1
    return count
