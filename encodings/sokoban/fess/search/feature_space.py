"""Feature space search: expand the open position of least weight of one cell of the feature space after another.

The features (Shoham and Schaeffer 2020) are the number of targets filled in the order of the plan, the number of
components into which the boxes cut the floor, and the number of boxes out of plan. A child has the weight of its
parent if one of six *advisors* ranks it first among its siblings, and 1 more otherwise. Among equal weights the
least distance goes first.

Compiled: see `mc/words.py`.
"""

import cython

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floods import count_regions, flood, list_regions, new_stamp
    from puzzlemc.encodings.sokoban.board.floor import PUSH
    from puzzlemc.encodings.sokoban.fess.deadlocks.corrals import is_dead_corral
    from puzzlemc.encodings.sokoban.fess.deadlocks.freeze import is_frozen_off_goals, is_wedged
    from puzzlemc.encodings.sokoban.fess.deadlocks.groups import has_dead_group
    from puzzlemc.encodings.sokoban.fess.deadlocks.matching import cannot_match
    from puzzlemc.encodings.sokoban.fess.deadlocks.patterns import has_pattern, is_pattern
    from puzzlemc.encodings.sokoban.fess.deadlocks.relaxation import Relaxation
    from puzzlemc.encodings.sokoban.fess.domain.blocks import part_at, parts_at
    from puzzlemc.encodings.sokoban.fess.domain.games import lift, put_down
    from puzzlemc.encodings.sokoban.fess.domain.moves import box_moves
    from puzzlemc.encodings.sokoban.fess.domain.positions import find, load, without_first
    from puzzlemc.encodings.sokoban.fess.features.loose import judge, judge_child, judge_rest
    from puzzlemc.encodings.sokoban.fess.search.barriers import NO_BARRIER, find_barrier
    from puzzlemc.encodings.sokoban.fess.search.entering import (
        CROWDED,
        ENDED,
        NO_ROOM,
        PAUSED,
        Known,
        clear_advice,
        enter,
        open_children,
        open_position,
    )
    from puzzlemc.encodings.sokoban.fess.search.images import hash_boxes, hash_flood, hash_move, sum_up
    from puzzlemc.encodings.sokoban.fess.search.sides import Room, Side
    from puzzlemc.encodings.sokoban.fess.search.steps import list_steps, open_steps, steps_left
    from puzzlemc.encodings.sokoban.fess.search.turns import next_cell
    from puzzlemc.mc.words import Flag, Index, Word, bit

    # Work is counted in visited cells, of which a processor does some 50 million a second. In these units: the
    # cost of a position, of a lifted box, of a move of it, and of a child.
    POSITION, LIFT, MOVE, CHILD = 40, 40, 6, 24


def begin(side: Side, room: Room, known: Known, player: Index) -> Index:  # public
    """Add a start position with the boxes `room.boxes`, unless it is known; status as of `enter`."""
    at: Index
    status: Index = PAUSED
    hashed: Word = 0
    for at in range(room.boxes.count):
        hashed ^= side.game.codes[0, room.boxes.cells[at]]
    put_down(room.floor, room.boxes)
    new_stamp(room.marks)
    room.child.area = flood(room.floor, player, room.marks)
    room.child.player = room.marks.least
    room.child.hashed = hashed ^ side.game.codes[1, room.marks.least]
    if room.images.some:
        hash_boxes(room.images, room.boxes)
        room.child.hashed = hash_flood(room.images, room.marks, room.child.area)
    room.child.parent = -1
    _find_slot(side, room)
    if side.positions.slots[room.child.slot] < 0:
        number: Index = side.positions.count
        room.child.opens = open_steps(side.game, room.floor, room.boxes, room.marks)
        if side.options.loose:
            judge(side.loose, room.floor, room.boxes, player)
        # The steps are counted first: the parts are counted with the same marks.
        room.child.parts = 1 + count_regions(room.floor, room.marks)
        status = enter(side, room, known)
        if status == PAUSED:  # else it has no cell
            open_position(side, number, 0)
    lift(room.floor, room.boxes)
    return status


def search(side: Side, room: Room, r: Relaxation, known: Known, most: Index, until: Index) -> Index:  # interpreted
    """Expand positions until the work reaches `until`; return PAUSED, or the reason of the end.

    CROWDED: the hash table must grow. NO_ROOM: the arrays have no room for the children of one more position,
    at most `most` of them. Other threads run meanwhile.
    """
    status: Index = PAUSED
    with cython.nogil:
        status = _search(side, room, r, known, most, until)
    return status


def _search(side: Side, room: Room, r: Relaxation, known: Known, most: Index, until: Index) -> Index:
    """Expand positions until the counted work reaches `until`; `most` successors must fit before each."""
    status: Index = PAUSED
    while side.counters.work < until and status == PAUSED:
        if side.positions.count + most > side.heaps.keys.shape[0]:
            return NO_ROOM
        if 2 * (side.positions.count + most) > side.positions.slots.shape[0]:
            return CROWDED
        number: Index = _next(side)
        if number < 0:
            return ENDED
        status = _expand(side, room, r, known, number)
    return status


def _next(side: Side) -> Index:
    """Pop the first position of the next cell; -1 if no position is open."""
    cell: Index = next_cell(side.turns, side.heaps.heads)
    if cell < 0:
        return -1
    number: Index = side.heaps.heads[cell]
    side.heaps.heads[cell] = without_first(side.heaps, number)
    return number


def _expand(side: Side, room: Room, r: Relaxation, known: Known, number: Index) -> Index:
    """Generate all children of a position; status as of `enter`."""
    status: Index = PAUSED
    first: Index = side.positions.count
    player: Index = side.positions.players[number]
    at: Index
    load(side.positions, number, room.boxes)
    put_down(room.floor, room.boxes)
    new_stamp(room.marks)
    flood(room.floor, player, room.marks)
    room.work = POSITION + side.game.cells
    if _is_dead(side, room, r, number):
        side.counters.buried += 1
    else:
        side.counters.expanded += 1
        clear_advice(room)
        room.child.parent = number
        has_barrier: Flag = _has_barrier(side, room, player)
        plain: Word = side.positions.hashes[number] ^ side.game.codes[1, player]
        if room.images.some:
            hash_boxes(room.images, room.boxes)
            room.work += room.boxes.count
        for at in range(room.boxes.count):
            if status != PAUSED or _was_moved_last(side, room, number, at):
                continue
            if not has_barrier or room.barriers.best[room.boxes.cells[at]]:
                status = _expand_box(side, room, r, known, at, plain)
    lift(room.floor, room.boxes)
    side.counters.work += room.work
    if status == PAUSED:
        open_children(side, room, number, first)
    return status


def _was_moved_last(side: Side, room: Room, number: Index, at: Index) -> Flag:
    """Did the last move bring this box to its square? Then its further moves are moves from the parent, too."""
    parent: Index = side.positions.parents[number]
    box: Index = room.boxes.cells[at]
    return parent >= 0 and side.positions.bits[parent, box >> 6] & bit(box & 63) == 0


def _is_dead(side: Side, room: Room, r: Relaxation, number: Index) -> Flag:
    """Is a position dead? Lists the components of the floor that the player does not reach."""
    player: Index = side.positions.players[number]
    dead: Flag = False
    begun: Index
    if side.guarded:
        begun = side.match.pairing.work
        dead = cannot_match(side.game, room.boxes, side.match)
        room.work += side.match.pairing.work - begun
    if not dead and side.guarded:
        dead = has_pattern(r.patterns, room.boxes, player)
    if dead:
        return True
    list_regions(room.floor, room.marks)
    if side.guarded and room.marks.regions:
        begun = r.work
        dead = is_dead_corral(r, room.floor, room.marks, player)
        room.work += r.work - begun >> 1
    if not dead and side.guarded and side.options.groups:
        begun = r.work
        dead = has_dead_group(room.groups, r, room.floor, room.boxes, side.positions, number, side.counters)
        room.work += r.work - begun
    return dead


def _has_barrier(side: Side, room: Room, player: Index) -> Flag:
    """Has a position a barrier? Then only boxes of `room.barriers.best` need to be moved."""
    if not (side.options.barriers and side.guarded and side.game.kind == PUSH and room.marks.regions):
        return False
    pushes: Index = find_barrier(room.barriers, side.game, room.floor, room.boxes, room.marks, player)
    room.work += room.barriers.work >> 1
    return pushes != NO_BARRIER


def _expand_box(side: Side, room: Room, r: Relaxation, known: Known, at: Index, plain: Word) -> Index:
    """Generate the children by moves of the box of number `at`; status as of `enter`.

    plain  the hash of the boxes of the parent
    """
    status: Index = PAUSED
    box: Index = room.boxes.cells[at]
    player: Index = side.positions.players[room.child.parent]
    move: Index
    moves: Index = box_moves(side.game, room.floor, box, room.marks, room.tree, room.moves)
    if room.moves.visited_cells:
        room.work += LIFT + room.moves.visited_cells + (room.boxes.count >> 1) + MOVE * moves
    if moves == 0:
        return PAUSED
    room.floor.on[box] = 0
    room.boxes.row[box >> 6] ^= bit(box & 63)
    others: Index = 1 + room.marks.regions - _regions_beside(room, box)
    if side.options.loose:
        judge_rest(side.loose, room.floor, room.boxes, at, player)
        room.work += room.boxes.count * side.loose.order.shape[0] >> 5
    list_steps(room.steps, side.game, room.floor, room.boxes, at, room.tree)
    if room.images.some:
        sum_up(room.images, room.tree)
        room.work += room.tree.count >> 1
    _look_ahead(side, room, known, box, plain)
    for move in range(moves):
        target: Index = room.moves.targets[move]
        room.floor.on[target] = 1
        room.boxes.cells[at] = target
        room.boxes.row[target >> 6] ^= bit(target & 63)
        room.child.hashed = room.hashed[move]
        room.child.player = room.leasts[move]
        if not _is_pruned(side, room, r, target):
            _evaluate(side, room, player, move, others)
            status = enter(side, room, known)
        room.floor.on[target] = 0
        room.boxes.row[target >> 6] ^= bit(target & 63)
        if status != PAUSED:
            break
    room.boxes.cells[at] = box
    room.floor.on[box] = 1
    room.boxes.row[box >> 6] ^= bit(box & 63)
    return status


def _look_ahead(side: Side, room: Room, known: Known, box: Index, plain: Word) -> None:
    """Find the component of the player and the hash after each move, and read the slots of the hash tables.

    All slots are read before any position is looked up: the processor then waits for them at once.

    box    the lifted box
    plain  the hash of all boxes before the move
    """
    move: Index
    waited: Index = 0
    for move in range(room.moves.number):
        target: Index = room.moves.targets[move]
        room.firsts[move] = part_at(room.tree, target, room.moves.players[move])
        room.sizes[move] = room.tree.part_size
        room.leasts[move] = room.tree.part_least
        hashed: Word = plain ^ side.game.codes[0, box] ^ side.game.codes[0, target]
        hashed ^= side.game.codes[1, room.tree.part_least]
        if room.images.some:
            hashed = hash_move(room.images, room.tree, box, target, room.firsts[move])
        room.hashed[move] = hashed
        waited |= side.positions.slots[hashed & (side.positions.slots.shape[0] - 1)]
        if side.two:
            waited |= known.own.hashes[hashed & (known.own.hashes.shape[0] - 1)] & 1
            waited |= known.opposite.hashes[hashed & (known.opposite.hashes.shape[0] - 1)] & 1
            waited |= known.others.hashes[hashed & (known.others.hashes.shape[0] - 1)] & 1
    room.waited = waited


def _is_pruned(side: Side, room: Room, r: Relaxation, target: Index) -> Flag:
    """Is the position known, or dead because of the box on `target`? Finds its slot."""
    _find_slot(side, room)
    if side.positions.slots[room.child.slot] >= 0:
        return True
    if not side.guarded:
        return False
    if is_pattern(r.patterns, room.boxes, target, room.child.player):
        return True
    if side.game.kind == PUSH and is_wedged(side.game, room.floor, target):
        room.work += room.boxes.count
        return is_frozen_off_goals(side.game, room.boxes)
    return False


def _find_slot(side: Side, room: Room) -> None:
    """Find the slot of the child, with which its images count as one."""
    player: Index = -1 if room.images.some else room.child.player
    room.child.slot = find(side.positions, room.boxes, room.child.hashed, player)


def _evaluate(side: Side, room: Room, player: Index, move: Index, others: Index) -> None:
    """Find the features of the child.

    player  a cell of the player before the move
    others  the number of components of the floor that are not next to the box before the move
    """
    target: Index = room.moves.targets[move]
    room.work += CHILD
    room.child.area = room.sizes[move]
    room.child.parts = others + parts_at(room.tree, target)
    if side.options.loose:
        judge_child(side.loose, room.floor, room.boxes, target, player, room.moves.players[move])
        room.work += side.loose.order.shape[0] >> 2
        if side.loose.is_target[target]:
            room.work += room.boxes.count * side.loose.order.shape[0] >> 5
    room.floor.on[target] = 0
    room.child.opens = steps_left(room.steps, side.game, room.floor, room.tree, target, room.firsts[move])
    room.floor.on[target] = 1


def _regions_beside(room: Room, box: Index) -> Index:
    """The number of components of the floor, each with its own mark, next to a box."""
    total: Index = 0
    d: Index
    before: Index
    for d in range(4):
        cell: Index = room.floor.near[box, d]
        if room.floor.on[cell]:
            continue
        is_new: Index = 1
        for before in range(d):
            other: Index = room.floor.near[box, before]
            if room.floor.on[other] == 0 and room.marks.seen[other] == room.marks.seen[cell]:
                is_new = 0
        total += is_new
    return total
