"""Parking: where no box can be taken away from the full targets, some of them are put elsewhere first.

A search over the boxes that are left, against the rules of the game: positions with much room for the player come
first, and those that took few ways. It ends where a box comes to a source; of several such ends the one is taken
after which most boxes come to sources, one after the other.
"""

from typing import Any

import numpy as np

from puzzlemc.encodings.sokoban.fess.boards import Bytes, Numbers, Shorts
from puzzlemc.encodings.sokoban.fess.floods import FULL, flood, part_at, tree_for
from puzzlemc.encodings.sokoban.fess.moves import box_moves
from puzzlemc.mc.jit import kernel
from puzzlemc.mc.limits import Watch

EXPANDED = 1500  # positions of a search
POSITIONS = 40_000
SLOTS = 1 << 17
WORK = 1 << 25  # cells that all searches of a plan look at
ENDS = 12  # of a search, of which one is taken
WAY = 8

Way = tuple[int, int]  # of a box: from, to


class Parking:
    """A search on a level, and arrays to work in. `game` is the one against which the boxes are moved."""

    def __init__(self, near: Numbers, game: int, homes: Shorts, is_source: Bytes) -> None:
        cells, boxes = len(near) - 1, len(homes)
        full, never = np.zeros(cells + 1, np.uint16), np.zeros(cells + 1, np.uint8)
        full[cells], never[cells] = FULL, 1

        def numbers(many: int) -> Numbers:
            return np.zeros(many, np.uint16)

        self._near, self._is_source = near, is_source
        self._spent = np.zeros(1, np.int64)
        self._lifted = (
            *(1 - game, np.zeros(cells + 1, np.int32), np.zeros(1, np.int64), numbers(cells + 1), tree_for(cells)),
            *(
                np.zeros(cells + 1, np.uint8),
                numbers(4 * cells + 4),
                numbers(4 * cells + 4),
                numbers(4 * cells + 4),
            ),
            *(full, never),
        )
        self._seen = (
            *(
                np.zeros((POSITIONS, boxes), np.uint16),
                np.zeros(POSITIONS, np.int32),
                np.zeros(POSITIONS, np.int32),
            ),
            *(np.zeros(POSITIONS, np.int64), np.zeros((POSITIONS, 2), np.int32), np.zeros(POSITIONS, np.int32)),
            *(np.zeros(POSITIONS, np.uint64), np.zeros(SLOTS, np.int32)),
        )

    def ways(self, on: Bytes, boxes: Shorts, player: int, watch: Watch) -> tuple[list[Way], int] | None:
        """The ways after which a box comes to a source, and where the player is then; None where none are found.

        on       the boxes and the wall; it is as before afterwards
        boxes    the squares of the boxes that are left
        player   -1 where it may be anywhere
        """
        watch.check()
        begin = [player] if player >= 0 else [cell for cell in range(len(self._near) - 1) if not on[cell]]
        ends = np.zeros(ENDS, np.int32)
        search: Any = park
        clear: Any = sweep
        starts = np.array(begin, np.int32)
        count = search(
            self._near, on, boxes, starts, self._is_source, self._spent, *self._lifted, *self._seen, ends
        )
        states, stands, parents, _, moved, *_ = self._seen
        best, most = -1, -1
        for end in ends[:count].tolist():
            gone = clear(self._near, on, boxes, states[end], stands[end], self._is_source, *self._lifted)
            if gone > most:
                best, most = end, gone
        if best < 0:
            return None
        found, at = [], best
        while parents[at] >= 0:
            found.append((int(moved[at, 0]), int(moved[at, 1])))
            at = parents[at]
        return found[::-1], int(stands[best])


@kernel()
def _mixed(cell, salt):  # type: ignore[no-untyped-def]
    """A word for a box or a player on that cell."""
    word = (np.uint64(cell) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(salt)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel()
def _is_new(hashes, slots, hashed, number):  # type: ignore[no-untyped-def]
    """Enter a position, unless it is known."""
    mask = len(slots) - 1
    slot = np.int64(hashed & np.uint64(mask))
    while slots[slot] >= 0:
        if hashes[slots[slot]] == hashed:
            return False
        slot = (slot + 1) & mask
    slots[slot] = number
    hashes[number] = hashed
    return True


@kernel()
def park(  # type: ignore[no-untyped-def]
    near,
    on,
    boxes,
    starts,
    is_source,
    spent,
    game,
    seen,
    stamps,
    queue,
    tree,
    visited,
    waiting,
    targets,
    players,
    full,
    never,
    states,
    stands,
    parents,
    values,
    moved,
    depths,
    hashes,
    slots,
    ends,
):
    """Fill in the positions, and the numbers of those from which a box comes to a source: how many."""
    count = len(boxes)
    for slot in range(len(slots)):
        slots[slot] = -1
    total = found = 0
    whole = np.uint64(0)
    for at in range(count):
        whole += _mixed(boxes[at], 1)
    for at in range(len(starts)):
        stamps[0] += 1
        size, least = flood(near, on, starts[at], queue, seen, stamps[0])
        if total < len(stands) and _is_new(hashes, slots, whole ^ _mixed(least, 2), total):
            for other in range(count):
                states[total, other] = boxes[other]
            stands[total], parents[total], depths[total], values[total] = least, -1, 0, size
            total += 1
    for at in range(count):
        on[boxes[at]] = 0
    for _ in range(EXPANDED):
        number = -1
        for other in range(total):
            if values[other] > -(1 << 30) and (number < 0 or values[other] > values[number]):
                number = other
        if number < 0 or found == len(ends) or spent[0] > WORK:
            break
        values[number] = -(1 << 40)
        spent[0] += total >> 4  # all of them have been looked at
        row = states[number]
        for at in range(count):
            on[row[at]] = 1
            full[row[at]] = FULL
        stamps[0] += 1
        flood(near, on, stands[number], queue, seen, stamps[0])
        stamp = stamps[0]
        is_end = False
        before = total
        plain = hashes[number] ^ _mixed(stands[number], 2)
        for at in range(count):
            box = row[at]
            moves, size = box_moves(
                near, on, full, never, game, box, seen, stamp, tree, visited, waiting, targets, players
            )
            spent[0] += size + 8 * moves
            for move in range(moves):
                target = targets[move]
                if is_source[target]:
                    is_end = True
                    break
                if total == len(stands):
                    break
                _, area, least = part_at(tree, box, target, players[move])
                hashed = (plain - _mixed(box, 1) + _mixed(target, 1)) ^ _mixed(least, 2)
                if _is_new(hashes, slots, hashed, total):
                    for other in range(count):
                        states[total, other] = row[other]
                    states[total, at] = target
                    stands[total], parents[total] = least, number
                    depths[total] = depths[number] + 1
                    values[total] = area - WAY * depths[total]
                    moved[total, 0], moved[total, 1] = box, target
                    total += 1
            if is_end:
                break
        for at in range(count):
            on[row[at]] = full[row[at]] = 0
        if is_end:
            ends[found] = number
            found += 1
            for other in range(before, total):
                values[other] = -(1 << 40)
    for at in range(count):
        on[boxes[at]] = 1
    return found


@kernel()
def sweep(  # type: ignore[no-untyped-def]
    near,
    on,
    boxes,
    row,
    player,
    is_source,
    game,
    seen,
    stamps,
    queue,
    tree,
    visited,
    waiting,
    targets,
    players,
    full,
    never,
):
    """How many boxes of a position come to sources, one after the other."""
    count = len(boxes)
    for at in range(count):
        on[boxes[at]] = 0
    for at in range(count):
        on[row[at]] = 1
        full[row[at]] = FULL
    gone = 0
    changed = True
    while changed:
        changed = False
        for at in range(count):
            box = row[at]
            if on[box] == 0:
                continue
            stamps[0] += 1
            flood(near, on, player, queue, seen, stamps[0])
            moves, _ = box_moves(
                near, on, full, never, game, box, seen, stamps[0], tree, visited, waiting, targets, players
            )
            for move in range(moves):
                if is_source[targets[move]]:
                    on[box] = full[box] = 0
                    player = np.int64(players[move])
                    gone += 1
                    changed = True
                    break
    for at in range(count):
        on[row[at]] = full[row[at]] = 0
    for at in range(count):
        on[boxes[at]] = 1
    return gone
