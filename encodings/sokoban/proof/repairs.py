"""Checks proofs that every repair of a level of Sokoban has at least a number of edits.

Like the rest of this folder, it shares no code with what makes such proofs (`encodings/sokoban/changes/`). It
trusts the reader of levels and the files of this folder. `tools/check_repairs.py` is a second implementation.

**Levels.** A level is its drawing. F is its floor: the cells that the player reaches if there are no boxes. The
boxes B are those on F. The goals G are those on F, and those without a box that are drawn elsewhere; no box ever
covers the latter. A level is solved when every goal of G holds a box. An *inner wall* is a wall all of whose four
neighbours in the drawing are walls or cells of F.

**Edits**, by their kinds, and the *objects* that they touch. `least` counts edits.

    walls   an inner wall is removed            it touches that wall
            a floor cell becomes a wall         nothing
    boxes   a box goes to another cell          the box
    goals   a goal goes to another cell         the goal
    player  the player goes to another cell     `player`
    drop    a box and a goal are removed        both
    add     a box is added, perhaps a goal too  `added 1`; the second such edit `added 2`, …

If there are fewer boxes than goals, edits of `boxes` also add a box, up to as many as there are goals, and edits
of `goals` also remove a goal. Boxes, goals and the player go to cells of F or of inner walls that edits remove. A
*change* is a set of edits, of which no two touch one object, and of which fewer are drops than the level has
goals. After it, there are no box, goal or player on a wall, no box on another one or on the player, and all boxes
(those of B that were not dropped, and added ones) are on the floor. No edit touches a box, goal, wall or player on
a cell that is to be kept. A *repair* is a change after which the level, as it is drawn then, has a solution.

**Cores.** A core has freed objects U; some boxes of U are *placed*, P, and others *removed*, R. It is about
changes that touch only objects of U, drop no box of P, and drop all boxes of R. Let the floor F(U) be the cells
that are connected with F by cells of F and of walls in U. Let K be the boxes and H the goals that are not in U,
and n = |G| - |goals in U| - |boxes in U, but not in P or R| - |added boxes in U|; n must be at least 1. A *play*
of the core begins with the boxes K on their cells, those of P on any other cells of F(U), and the player on its
cell, or, if `player` is in U, on any cell of F(U), where no box is. Walks and pushes are those of Sokoban.

**Theorem.** If the core is about a repair, some play leads to n boxes on goals of H.

*Proof.* Let L' be the repaired level, F' its floor and B' its boxes. The player of L' begins on F or on a removed
wall. Beside a cell of F there are only walls and cells of F, and beside an inner wall, too. So F' contains only
cells of F and of removed walls. H is drawn in L' as in L, and all boxes of L' are on F', so each h of H is a goal
of L': the reader leaves out only goals under boxes off the floor. L' has a solution, so h is on F'. There is such
an h, since n is at least 1. A goal of G off F is off F', so h is on F, and F' is connected with F: it is within
F(U).

B' contains K on its cells, P, and other boxes, of U or added, but none of R. Take a solution of L', and leave the
other boxes out of all its positions. The first position begins a play. Each step is still legal on F(U): the
player goes to a cell of F'. If the step pushes a box of K or P, the cell behind it is in F' and free; if it pushes
another box or none, it is a walk. At the end, each goal of H holds a box. The other boxes are at most those of U
that are in neither P nor R, and those added, each on one goal. So at least n goals of H hold a box of K or P. ∎

An added wall touches nothing, so it never repairs, in no combination.

**The list of a core** shows that no play leads to n boxes on goals of H. A position is the cell of the player, the
least to which it can walk, and the cells of the boxes. A cell is *live* if it is a goal of H, or if a cell beside
it is live and the cell on the opposite side is floor. A box on a cell that is not live never comes to a goal of H.
So what comes after a position with fewer than n boxes on live cells has fewer than n boxes on goals. Conditions:

1. Each position in which a play may begin is listed, or has fewer than n boxes on live cells.
2. Each position after a push from a listed one is listed, or has fewer than n boxes on live cells.
3. No listed position has n boxes on goals of H, and n ≥ 1.

By induction, each position of a play is listed, or has fewer than n boxes on live cells, as have all after it.

**Conclusion.** If some core is about each change of fewer than `least` edits, each repair has at least `least`
edits. A change that no core is about is searched for by branching: while a core is about the edits chosen so far,
the next edit must be one that touches a kept object of this core, or drops a placed box.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice

import numpy as np

from puzzlemc.encodings.puzzle.design.repair_proof import ProvedCore, RepairProof, Uncovered
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead
from puzzlemc.encodings.sokoban.proof.board import Board
from puzzlemc.encodings.sokoban.proof.closed import (
    ENOUGH,
    KEPT,
    LEFT,
    NO_VERTEX,
    Closed,
    check_closed,
    first_uncovered,
)
from puzzlemc.encodings.sokoban.proof.positions import Positions, Table, load
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.proofs.blocks import each
from puzzlemc.mc.words import view
from puzzlemc.screens.sokoban import Cell, Level, State

KINDS = ("walls", "boxes", "goals", "player", "drop", "add")
MOST = 100  # `least`, at most: a search for a set of edits has this depth
CHUNK = 1 << 12  # slots of a table between two checks of the budget

FAULTS = {
    ENOUGH: "has enough boxes on goals",
    LEFT: "leads to a position that is not listed",
    NO_VERTEX: "has a player who can walk to a lesser cell",
}


@dataclass(frozen=True)
class _Objects:
    """The objects of a level by their numbers, with their cells; in `added`, those of `added 1`, `added 2`, …"""

    boxes: Mapping[int, Cell]
    goals: Mapping[int, Cell]
    walls: Mapping[int, Cell]
    player: int
    added: Sequence[int]


@dataclass(frozen=True)
class _About:
    """What changes a core is about: its freed, placed and removed objects. A set is the sum of its bits."""

    freed: int
    placed: int
    removed: int

    def is_about(self, touched: int, dropped: int) -> bool:
        """Is it about changes that touch these objects, and drop those?"""
        return not (touched & ~self.freed | dropped & self.placed | self.removed & ~dropped)


def check_repairs(level: Level, proof: RepairProof, budget: Budget) -> None:
    """Check that each repair of a level has at least the edits that a proof says.

    Raises Uncovered, another Refuted, or LimitReached.
    """
    if not 1 <= proof.least <= MOST:
        raise Refuted(f"at least {proof.least} edits: expected a number from 1 to {MOST}")
    if len(set(proof.edits)) < len(proof.edits) or not set(proof.edits) <= set(KINDS):
        raise Refuted(f"edits of {' '.join(proof.edits)[:80]!r}: expected some of {' '.join(KINDS)}")
    found = _objects(level, proof)
    about = []
    for number, core in enumerate(proof.cores):
        if sorted((*core.kept, *core.freed)) != list(range(len(proof.objects))):
            raise Refuted(f"core {number}: an object must be either kept or freed")
        other = (*core.placed, *core.removed)
        if len(set(other)) < len(other) or not set(other) <= set(core.freed) & set(found.boxes):
            raise Refuted(f"core {number}: objects that are placed or removed must be freed boxes")
        sets = (core.freed, core.placed, core.removed)
        about.append(_About(*(sum(1 << each for each in objects) for objects in sets)))
    missed = _missed(level, proof, found, about, budget)
    if missed is not None:
        raise Uncovered(f"no core shows that nothing is repaired by {missed or 'no edit'}")
    for number, core in enumerate(proof.cores):
        budget.check()
        try:
            _check_core(level, found, core, budget)
        except Refuted as error:
            raise Refuted(f"core {number}: {error}") from None


def _objects(level: Level, proof: RepairProof) -> _Objects:
    """The objects of a level. Raises Refuted unless they are those that the proof names."""
    walls = {
        (row, column) for row, cells in enumerate(level.rows) for column, what in enumerate(cells) if what == "#"
    }
    solid = walls | level.cells
    inner = [wall for wall in sorted(walls) if all(ahead(wall, way) in solid for way in DIRECTIONS.values())]
    number = {name: place for place, name in enumerate(proof.objects)}
    added = [f"added {1 + place}" for place in range(sum(name.startswith("added ") for name in number))]
    kinds = {"box": level.start.boxes, "goal": level.goals, "wall": inner}
    names = {kind: {_name(kind, cell): cell for cell in cells} for kind, cells in kinds.items()}
    expected = {"player", *added, *(name for mine in names.values() for name in mine)}
    if expected != set(number) or len(number) < len(proof.objects):
        raise Refuted("the objects are not those of the level, each once")
    boxes, goals, inner_walls = ({number[name]: cell for name, cell in names[kind].items()} for kind in kinds)
    return _Objects(boxes, goals, inner_walls, number["player"], [number[name] for name in added])


def _name(kind: str, cell: Cell) -> str:
    return f"{kind} {cell[0] + 1},{cell[1] + 1}"


def _touched(level: Level, proof: RepairProof, found: _Objects) -> Iterator[tuple[str, int]]:
    """Yield the kind of each edit that touches something, and what it touches. Edits that add boxes are left out.

    A set of objects is the sum of their bits.
    """
    keep = set(proof.keep)
    boxes, goals, walls = (
        [1 << number for number, cell in each.items() if cell not in keep]
        for each in (found.boxes, found.goals, found.walls)
    )
    for kind, objects in (("boxes", boxes), ("goals", goals), ("walls", walls)):
        if kind in proof.edits:
            yield from ((kind, each) for each in objects)
    if "player" in proof.edits and level.start.player not in keep:
        yield "player", 1 << found.player
    if "drop" in proof.edits:
        yield from (("drop", box | goal) for box in boxes for goal in goals)


def _missed(
    level: Level, proof: RepairProof, found: _Objects, cores: Sequence[_About], budget: Budget
) -> str | None:
    """The objects of a change of fewer than `least` edits that no core is about; None if there is none.

    Raises LimitReached.
    """
    edits = list(_touched(level, proof, found))
    largest = sorted(cores, key=lambda core: -core.freed.bit_count())  # few edits touch what they keep
    goals, size = len(found.goals), proof.least - 1

    def change(touched: int, dropped: int, drops: int, left: int) -> int | None:
        """The objects of a change with up to `left` more edits that no core is about."""
        budget.check()
        core = next((core for core in largest if core.is_about(touched, dropped)), None)
        if core is None:
            return touched
        if not left:
            return None
        for kind, objects in edits:
            gone = objects if kind == "drop" else 0
            if (
                objects & touched
                or (gone and drops + 1 >= goals)
                or not (objects & ~core.freed | gone & core.placed)
            ):
                continue
            more = change(touched | objects, dropped | gone, drops + bool(gone), left - 1)
            if more is not None:
                return more
        return None

    lacking = max(0, goals - len(found.boxes)) if "boxes" in proof.edits else 0
    for adds in range((size if "add" in proof.edits else min(size, lacking)) + 1):
        if adds > len(found.added):
            return f"{adds} boxes that are added"
        touched = change(sum(1 << number for number in found.added[:adds]), 0, 0, size - adds)
        if touched is not None:
            return ", ".join(name for number, name in enumerate(proof.objects) if touched >> number & 1)
    return None


def _check_core(level: Level, found: _Objects, core: ProvedCore, budget: Budget) -> None:
    """Check the conditions on the list of a core. Raises Refuted, LimitReached."""
    freed = set(core.freed)
    absent = [number for number in (*found.goals, *found.boxes, *found.added) if number in freed]
    needed = len(found.goals) - len(absent) + len(core.placed) + len(core.removed)
    if needed < 1 or core.needed != needed:
        raise Refuted(f"{core.needed} boxes are needed, expected {needed}, and at least 1")
    boxes = frozenset(cell for number, cell in found.boxes.items() if number not in freed)
    goals = frozenset(cell for number, cell in found.goals.items() if number not in freed)
    floor = _floor(level, {cell for number, cell in found.walls.items() if number in freed})
    if core.positions.objects != len(boxes) + len(core.placed):
        raise Refuted(f"positions of {core.positions.objects} boxes, expected {len(boxes) + len(core.placed)}")
    count, width = sum(block.count for block in core.positions.blocks), 1 + core.positions.objects
    if len(floor) >= 1 << 16 or 2 * count * 2 * (2 * width + 4) + 32 * len(floor) ** 2 > budget.limits.memory:
        raise LimitReached("memory")
    cells = sorted(floor)
    number = {cell: place for place, cell in enumerate(cells)}
    # The board has boxes where a play may begin, for the width of positions.
    some = islice((cell for cell in cells if cell not in boxes), len(core.placed))
    relaxed = replace(level, floor=tuple(cells), goals=goals, start=State(level.start.player, boxes | set(some)))
    board = Board(relaxed, 0, 0, measured=False)
    if board.start.rows.shape[1] < width:
        return  # no play can begin: too few cells for the boxes
    listed = Table(count, width)
    for places in each(core.positions.blocks, core.positions.width):
        budget.check()
        fresh = Positions(np.ascontiguousarray(places[:, 1:]))
        wrong = load(listed, fresh, view(places[:, 0].astype(np.int64)), board.cells, 1)
        if wrong >= 0:
            raise Refuted(f"{places[wrong].tolist()} is not a position, or is repeated")
    closed = Closed(board, listed, needed)
    player = None if found.player in freed else number[level.start.player]
    for starts in _starts(len(cells), {number[cell] for cell in boxes}, len(core.placed), player):
        budget.check()
        if (wrong := first_uncovered(closed, Positions(starts))) >= 0:
            raise Refuted(f"the list lacks {starts[wrong].tolist()}, where a play begins")
    slots = listed.costs.shape[0]
    for at in range(0, slots, CHUNK):
        budget.check()
        if (fault := check_closed(closed, at, min(at + CHUNK, slots))) != KEPT:
            row = [listed.positions.rows[closed.at, k] for k in range(width)]
            raise Refuted(f"{row} {FAULTS[fault]}")


def _floor(level: Level, freed: set[Cell]) -> set[Cell]:
    """The cells that are connected with the floor of a level by its floor and freed walls."""
    floor, todo = set(level.floor), list(level.floor)
    for cell in todo:
        for way in DIRECTIONS.values():
            near = ahead(cell, way)
            if near in freed and near not in floor:
                floor.add(near)
                todo.append(near)
    return floor


def _starts(
    cells: int, boxes: set[int], placed: int, player: int | None
) -> Iterator["np.ndarray[tuple[int, int], np.dtype[np.uint16]]"]:
    """Yield the positions where a play begins, with the player on its cell; None: on any."""
    rest = [cell for cell in range(cells) if cell not in boxes]
    rows = list[list[int]]()
    for places in combinations(rest, placed):
        standing = sorted((*boxes, *places))
        players = [cell for cell in rest if cell not in places] if player is None else [player]
        rows += [[cell, *standing] for cell in players if cell not in places]
        if len(rows) >= CHUNK:
            yield np.array(rows, np.uint16)
            rows.clear()
    if rows:
        yield np.array(rows, np.uint16)
