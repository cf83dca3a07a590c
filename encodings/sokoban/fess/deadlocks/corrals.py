"""Corral deadlocks: components of the floor that the player can neither enter nor clear.

A search over the boxes around a corral, without the other boxes, decides whether these boxes can let the player in
or reach targets. If they can do neither, the position is dead, and a pattern is learned from it. Compiled: see
`mc/words.py`.
"""

import cython

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floods import Marks, new_stamp
    from puzzlemc.encodings.sokoban.board.floor import Floor
    from puzzlemc.encodings.sokoban.fess.deadlocks.relaxation import BOXES, DEAD, MANY, Relaxation, is_dead
    from puzzlemc.mc.words import Flag, Index, Word, bit


def is_dead_corral(r: Relaxation, floor: Floor, marks: Marks, player: Index) -> Flag:  # public
    """Does a position have a dead corral?

    marks   the corrals, from `list_regions`
    player  the least cell that the player reaches
    """
    wall: Index = floor.cells
    corral: Index
    at: Index
    d: Index
    for corral in range(marks.regions):
        new_stamp(r.marks)
        stamp: Index = r.marks.stamp
        first: Index = marks.starts[corral]
        last: Index = marks.starts[corral + 1]
        count: Index = 0
        at_home: Flag = True
        key: Word = r.game.codes[1, wall]
        r.work += last - first
        for at in range(first, last):
            for d in range(4):
                box: Index = floor.near[marks.cells[at], d]
                if floor.on[box] and box != wall and r.marks.seen[box] != stamp:
                    r.marks.seen[box] = stamp
                    if count < BOXES:
                        r.boxes.cells[count] = box
                    count += 1
                    key ^= r.game.codes[0, box]
                    if r.game.is_target[box] == 0:
                        at_home = False
        if at_home or count > BOXES:
            continue
        r.boxes.count = count
        for at in range(r.inside.bits.shape[0]):
            r.inside.bits[at] = 0
        for at in range(first, last):
            place: Index = r.board.places[marks.cells[at]]
            r.inside.bits[place >> 6] |= bit(place & 63)
        if is_dead(r, key, player, MANY, True) == DEAD:
            return True
    return False
