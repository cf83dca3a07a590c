"""New positions of a search: each is stored, looked up among those of other searches, evaluated, and opened.

Compiled: see `mc/words.py`.
"""

import cython

from puzzlemc.encodings.sokoban.fess.search.seen import Seen

if not cython.compiled:
    from puzzlemc.encodings.sokoban.fess.domain.counters import OUT_OF_PLAN, REGIONS
    from puzzlemc.encodings.sokoban.fess.domain.positions import add, merge
    from puzzlemc.encodings.sokoban.fess.features.stages import count_astray, distance_at, stage_of
    from puzzlemc.encodings.sokoban.fess.search.kinds import kind_of
    from puzzlemc.encodings.sokoban.fess.search.seen import insert, look_up
    from puzzlemc.encodings.sokoban.fess.search.sides import Room, Side
    from puzzlemc.mc.words import Index, Word

    PAUSED, MET, SOLVED, ENDED, NO_ROOM, CROWDED = range(6)  # why a search stops
    ADVISORS = 6
    PACKING, PARTS, CLEARING, ROOM, FREEDOM, NEARNESS = range(ADVISORS)


class Known:
    """The positions that searches have seen.

    own       from the end of the side at hand
    opposite  from the other end
    others    from the other end, by the other kind of search: on the whole level, or on legs
    """

    own: Seen  # readonly
    opposite: Seen  # readonly
    others: Seen  # readonly

    def __init__(self, own: Seen, opposite: Seen, others: Seen) -> None:
        self.own, self.opposite, self.others = own, opposite, others


def enter(side: Side, room: Room, known: Known) -> Index:
    """Store and evaluate the position `room.child`, which is on the floor, but do not open it.

    Returns MET or SOLVED if it ends the search, else PAUSED. A loose plan has evaluated it already.
    """
    hashed: Word = room.child.hashed
    number: Index = add(side.positions, room.boxes, hashed, room.child.player, room.child.parent, room.child.slot)
    side.cells[number] = 0  # if the search ends here
    side.heaps.keys[number] = 0
    if side.two:
        met: Index = look_up(known.opposite, hashed)
        if met < 0:
            met = look_up(known.others, hashed)
        if met >= 0:
            side.here = number
            side.there = met
            return MET
        insert(known.own, hashed, side.name << 32 | number)
    stage: Index = stage_of(side.stages, room.floor)
    # Searched from both ends, the goal is a position of the other side, with the player in its place.
    if stage == side.stages.order.shape[0] and not side.two:
        side.here = number
        return SOLVED
    astray: Index
    distance: Index
    if side.options.loose:
        stage = side.loose.whole.stage
        astray = side.loose.whole.astray
        distance = side.loose.whole.distance
    else:
        astray = count_astray(side.stages, stage, room.boxes)
        distance = distance_at(side.stages, stage, room.boxes, side.options.hurry)
    cell: Index = _feature_cell(stage, room.child.parts, astray)
    side.cells[number] = cell
    if side.options.kinds:
        side.cells[number] = cell * side.turns.kinds + kind_of(side, room, number, cell)
    side.heaps.keys[number] = distance
    _advise(room, number, stage, astray, distance)
    return PAUSED


def clear_advice(room: Room) -> None:
    """Forget the children of the last position."""
    advisor: Index
    for advisor in range(ADVISORS):
        room.values[advisor] = 1 << 60
        room.chosen[advisor] = -1


def open_children(side: Side, room: Room, number: Index, first: Index) -> None:
    """Open the children of a position, which have the numbers from `first` on.

    A child has the weight of its parent if an advisor ranks it first, and 1 more otherwise.
    """
    child: Index
    advisor: Index
    weight: Index = side.heaps.keys[number] >> 32
    for child in range(first, side.positions.count):
        more: Index = 1
        for advisor in range(ADVISORS):
            if room.chosen[advisor] == child:
                more = 0
        open_position(side, child, weight + more)


def open_position(side: Side, number: Index, weight: Index) -> None:
    """Push a position with that weight into the heap of its cell."""
    cell: Index = side.cells[number]
    side.heaps.keys[number] += weight << 32
    side.heaps.down[number] = -1
    side.heaps.right[number] = -1
    side.heaps.heads[cell] = merge(side.heaps, side.heaps.heads[cell], number)


def _feature_cell(stage: Index, parts: Index, astray: Index) -> Index:
    """The cell of the feature space."""
    return (stage * (REGIONS + 1) + min(parts, REGIONS)) * (OUT_OF_PLAN + 1) + min(astray, OUT_OF_PLAN)


def _advise(room: Room, number: Index, stage: Index, astray: Index, distance: Index) -> None:
    """Let each advisor compare the child with the best one so far; among equal values the least distance wins."""
    advisor: Index
    for advisor in range(ADVISORS):
        value: Index = _value(room, advisor, stage, astray, distance) * (1 << 20) + distance
        if value < room.values[advisor]:
            room.values[advisor] = value
            room.chosen[advisor] = number


def _value(room: Room, advisor: Index, stage: Index, astray: Index, distance: Index) -> Index:
    """What an advisor minimises."""
    if advisor == PACKING:
        return -stage
    if advisor == PARTS:
        return room.child.parts
    if advisor == CLEARING:
        return astray
    if advisor == ROOM:
        return -room.child.area
    if advisor == FREEDOM:
        return -room.child.opens
    return distance
