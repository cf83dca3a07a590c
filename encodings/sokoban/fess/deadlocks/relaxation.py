"""Searches over a few boxes, without the others: they find dead positions and patterns.

Such a search decides whether the boxes can reach targets. It is a relaxation: every solution of the level,
restricted to these boxes, is a solution of it. So if it is exhausted, each position with these boxes is dead.
Boxes are removed one by one as long as the rest stays dead; the rest becomes a pattern.

After the pattern search of Junghanns and Schaeffer, *Sokoban: Enhancing General Single-Agent Search Methods Using
Domain Knowledge*, Artificial Intelligence 129 (2001). It works for pulls as for pushes. Compiled: see
`mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.encodings.sokoban.board.lone_box import LoneBox, distances
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.bitboards import Bitboard, Region, fill, toggle
    from puzzlemc.encodings.sokoban.board.floods import Marks, least_after
    from puzzlemc.encodings.sokoban.board.floor import PUSH, Floor
    from puzzlemc.encodings.sokoban.fess.deadlocks.freeze import is_frozen_off_goals, is_wedged
    from puzzlemc.encodings.sokoban.fess.deadlocks.patterns import Patterns, is_pattern, learn
    from puzzlemc.encodings.sokoban.fess.domain.games import Boxes, Game
    from puzzlemc.encodings.sokoban.fess.domain.positions import Positions, add, find
    from puzzlemc.mc.words import ALL, Flag, Index, Ints, Shorts2, Word, Words, bit

    FEW, MANY = 3, 500  # limits of the positions of a search
    BOXES = 24  # the most boxes of a search
    STEPS = 256  # classes of the sum of distances to targets
    ALIVE, DEAD, UNKNOWN, GIVEN_UP = range(4)  # UNKNOWN past FEW positions, GIVEN_UP past a larger limit

KNOWN = 1 << 20  # the most search results in the cache
KNOWN_OF_LEG = 1 << 14


class Relaxation:
    """The patterns of a game, and the arrays of the searches for them.

    game, patterns  the game, and the patterns that have been learned
    floor, board  the boxes of the position at hand
    known        by hash of boxes and component of the player: the cached result in the lowest two bits
    home         by cell: the distance of a lone box to the nearest target
    inside       the cells into which the player wants to go
    lit, after   the cells that the player reaches before a step, and after it
    marks        working arrays
    positions    of a search; `slots`, by position its slot of the hash table
    states       (positions, boxes): the cells of the boxes of each position
    heads, next  linked lists of the open positions by sum of distances; -1 ends a list
    lowest       no list before this one has a position
    boxes        the boxes of a search, and `fewer`, these without one
    child        the boxes of a new position
    work         visited cells, so far
    """

    game: Game  # readonly
    floor: Floor  # readonly
    patterns: Patterns  # readonly
    known: Words  # readonly
    home: Ints  # readonly
    board: Bitboard  # readonly
    inside: Region  # readonly
    lit: Region  # readonly
    after: Region  # readonly
    marks: Marks  # readonly
    positions: Positions  # readonly
    slots: Ints  # readonly
    states: Shorts2  # readonly
    heads: Ints  # readonly
    next: Ints  # readonly
    lowest: Index  # readonly
    boxes: Boxes  # readonly
    fewer: Boxes  # readonly
    child: Boxes  # readonly
    work: Index  # public

    def __init__(self, game: Game, known: int) -> None:
        """No patterns for a game; `known`, a power of two, is the size of the cache."""
        near, cells = np.asarray(game.near), game.cells
        targets = np.flatnonzero(np.asarray(game.is_target)).astype(np.int32)
        self.game, self.floor, self.patterns = game, Floor(near), Patterns(near)
        self.known = view(np.zeros(known, np.uint64))
        self.home = view(distances(LoneBox(near, game.kind), targets))
        self.board, self.marks = Bitboard(near), Marks(cells)
        self.inside, self.lit, self.after = (Region(self.board) for _ in range(3))
        self.positions = Positions(MANY + 1, cells, 1 << (2 * MANY).bit_length())
        self.slots = view(np.zeros(MANY + 1, np.int32))
        self.states = view(np.zeros((MANY + 1, BOXES), np.int16))
        self.heads, self.next = view(np.full(STEPS, -1, np.int32)), view(np.full(MANY + 1, -1, np.int32))
        self.boxes, self.fewer, self.child = Boxes(BOXES, cells), Boxes(BOXES, cells), Boxes(BOXES, cells)
        self.lowest = self.work = 0


def _wait(r: Relaxation, number: Index) -> Index:
    """Add an open position, that of `child`; return the sum of the distances of its boxes to targets."""
    steps: Index = 0
    at: Index
    for at in range(r.child.count):
        steps += r.home[r.child.cells[at]]
    steps = min(steps, STEPS - 1)
    r.next[number] = r.heads[steps]
    r.heads[steps] = number
    return steps


def _enter(r: Relaxation, hashed: Word, player: Index, parent: Index, slot: Index) -> None:
    """Store the position of `child`, which is open."""
    number: Index = add(r.positions, r.child, hashed, player, parent, slot)
    at: Index
    r.slots[number] = slot
    for at in range(r.child.count):
        r.states[number, at] = r.child.cells[at]
    r.lowest = min(r.lowest, _wait(r, number))


def _begin(r: Relaxation, boxes: Boxes, player: Index) -> None:
    """Begin a search at this position."""
    hashed: Word = 0
    at: Index
    for at in range(r.positions.count):
        r.positions.slots[r.slots[at]] = -1
    for at in range(STEPS):
        r.heads[at] = -1
    for at in range(r.child.row.shape[0]):
        r.child.row[at] = 0
    for at in range(boxes.count):
        cell: Index = boxes.cells[at]
        r.child.cells[at] = cell
        r.child.row[cell >> 6] |= bit(cell & 63)
        hashed ^= r.game.codes[0, cell]
    r.child.count = boxes.count
    _toggle_all(r, boxes)
    r.work += fill(r.board, player, r.lit)
    _toggle_all(r, boxes)
    hashed ^= r.game.codes[1, r.lit.least]
    r.positions.count = 0
    r.lowest = STEPS
    _enter(r, hashed, r.lit.least, -1, find(r.positions, r.child, hashed, r.lit.least))


def _next(r: Relaxation) -> Index:
    """Take an open position with the least sum of distances; -1 if there is none."""
    while r.lowest < STEPS and r.heads[r.lowest] < 0:
        r.lowest += 1
    if r.lowest == STEPS:
        return -1
    number: Index = r.heads[r.lowest]
    r.heads[r.lowest] = r.next[number]
    return number


def find_out(r: Relaxation, boxes: Boxes, player: Index, most: Index, inside: Flag) -> Index:  # public
    """Can these boxes alone reach targets, or, if `inside`, let the player into the cells marked inside?

    Returns ALIVE or DEAD, UNKNOWN or GIVEN_UP when the limit of positions was reached. Positions nearer to the
    targets go first.
    """
    at_home: Flag = True
    at: Index
    for at in range(boxes.count):
        at_home = at_home and r.game.is_target[boxes.cells[at]] == 1
    if at_home:
        r.work += boxes.count
        return ALIVE
    _begin(r, boxes, player)
    result: Index = DEAD
    number: Index = _next(r)
    while number >= 0 and result == DEAD:
        for at in range(r.child.count):
            r.floor.on[r.states[number, at]] = 1
            toggle(r.board, r.states[number, at])
        if number:
            r.work += fill(r.board, r.positions.players[number], r.lit)
        result = _expand(r, number, most, inside)
        for at in range(r.child.count):
            r.floor.on[r.states[number, at]] = 0
            toggle(r.board, r.states[number, at])
        number = _next(r)
    return result


def _expand(r: Relaxation, number: Index, most: Index, inside: Flag) -> Index:
    """Take all steps from the position on the floor; return DEAD, or the result of the search."""
    at: Index
    d: Index
    for at in range(r.child.count):
        box: Index = r.states[number, at]
        for d in range(4):
            stand: Index = r.game.near[box, d ^ 2]
            target: Index = r.game.near[box, d]
            after: Index = box
            if r.game.kind != PUSH:
                stand = target
                after = r.game.near[stand, d]
            place: Index = r.board.places[stand]
            if (
                r.lit.bits[place >> 6] & bit(place & 63) == 0
                or r.floor.on[target]
                or (r.floor.on[after] and after != box)
                or r.game.dead_squares[target]
            ):
                continue
            r.floor.on[box] = 0
            r.floor.on[target] = 1
            toggle(r.board, box)
            toggle(r.board, target)
            alive: Flag = _step(r, number, at, target, after, inside)
            r.floor.on[box] = 1
            r.floor.on[target] = 0
            toggle(r.board, box)
            toggle(r.board, target)
            if alive:
                return ALIVE
            if r.positions.count > most:
                return UNKNOWN if most <= FEW else GIVEN_UP
    return DEAD


def _step(r: Relaxation, number: Index, moved: Index, target: Index, after: Index, inside: Flag) -> Flag:
    """Store the position after a step of a box, by number, to `target`; return whether the search ends there.

    after  the cell of the player, which is next to `target`
    """
    other: Index
    if inside:
        r.work += fill(r.board, after, r.after)
        for other in range(r.inside.bits.shape[0]):
            if r.after.bits[other] & r.inside.bits[other]:
                return True
    else:
        r.work += least_after(r.floor, r.board, r.lit, r.states[number, moved], target, after, r.marks, r.after)
    if r.game.is_target[target] == 1:
        alive: Flag = True
        for other in range(r.child.count):
            if other != moved and r.game.is_target[r.states[number, other]] == 0:
                alive = False
                break
        if alive:
            return True
    box: Index = r.states[number, moved]
    least: Index = r.after.least
    for other in range(r.child.row.shape[0]):
        r.child.row[other] = r.positions.bits[number, other]
    r.child.row[box >> 6] ^= bit(box & 63)
    r.child.row[target >> 6] ^= bit(target & 63)
    code: Word = r.positions.hashes[number] ^ r.game.codes[1, r.positions.players[number]]
    code ^= r.game.codes[0, box] ^ r.game.codes[0, target] ^ r.game.codes[1, least]
    slot: Index = find(r.positions, r.child, code, least)
    if r.positions.slots[slot] >= 0 or is_pattern(r.patterns, r.child, target, least):
        return False
    for other in range(r.child.count):
        r.child.cells[other] = r.states[number, other]
    r.child.cells[moved] = target
    if r.game.kind == PUSH and is_wedged(r.game, r.floor, target) and is_frozen_off_goals(r.game, r.child):
        return False
    _enter(r, code, least, number, slot)
    return False


def _thin(r: Relaxation, player: Index, most: Index) -> None:
    """Remove boxes from a dead set as long as the rest stays dead."""
    at: Index = 0
    other: Index
    while at < r.boxes.count and r.boxes.count > 1:
        r.fewer.count = 0
        for other in range(r.boxes.count):
            if other != at:
                r.fewer.cells[r.fewer.count] = r.boxes.cells[other]
                r.fewer.count += 1
        if find_out(r, r.fewer, player, most, False) == DEAD:
            for other in range(r.fewer.count):
                r.boxes.cells[other] = r.fewer.cells[other]
            r.boxes.count = r.fewer.count
        else:
            at += 1


def _toggle_all(r: Relaxation, boxes: Boxes) -> None:
    """Put boxes on the board without the rest of the position, or take them off."""
    at: Index
    for at in range(boxes.count):
        toggle(r.board, boxes.cells[at])


def _place_of(r: Relaxation, key: Word) -> Index:
    """The place of a result in the cache."""
    return (key >> 8) & (r.known.shape[0] - 1)


def _quick(r: Relaxation, key: Word, player: Index) -> Word:
    """The key for the least cell that the player reaches between all boxes."""
    return (key ^ (r.game.codes[1, player] >> 1)) & (ALL ^ 3)


def cached(r: Relaxation, key: Word, player: Index) -> Word:  # public
    """The entry of the cache that `is_dead` reads first."""
    return r.known[_place_of(r, _quick(r, key, player))]


def _answers(found: Word, key: Word, most: Index) -> Flag:
    """Is this entry of the cache the result for that key, with that limit of positions?"""
    return found != 0 and found | 3 == key | 3 and (most <= FEW or found & 3 != UNKNOWN)


def is_dead(r: Relaxation, key: Word, player: Index, most: Index, inside: Flag) -> Index:  # public
    """`find_out` of `r.boxes`, with a cache. Dead boxes become a pattern; some are removed from `r.boxes`.

    key     a hash of the boxes and of the question
    player  the least cell that the player reaches between all boxes
    """
    # The result depends on the player's component of the floor between these boxes alone, which is in the key
    # `full`. Its computation takes a flood, so the key `quick` uses the player's component between all boxes
    # instead.
    quick: Word = _quick(r, key, player)
    found: Word = r.known[_place_of(r, quick)]
    if _answers(found, quick, most):
        r.work += r.boxes.count
        return found & 3
    _toggle_all(r, r.boxes)
    r.work += fill(r.board, player, r.after)
    _toggle_all(r, r.boxes)
    full: Word = (key ^ r.game.codes[1, r.after.least]) & (ALL ^ 3)
    found = r.known[_place_of(r, full)]
    if _answers(found, full, most):
        r.known[_place_of(r, quick)] = quick | (found & 3)
        return found & 3
    result: Index = find_out(r, r.boxes, player, most, inside)
    r.known[_place_of(r, full)] = full | result
    r.known[_place_of(r, quick)] = quick | result
    if result == DEAD:
        _thin(r, player, most)
        learn(r.patterns, r.boxes, player)
    return result
