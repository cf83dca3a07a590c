"""Which sets of edits a core covers: as bits for the search, and by names for readers of proofs."""

import random
from itertools import combinations

import pytest
from plain_repairs import PlainEdit, covers, plain_edits, small_level

from examples import examples
from puzzlemc.encodings.sokoban.changes.cores import Cores
from puzzlemc.encodings.sokoban.changes.grid import Grid
from puzzlemc.encodings.sokoban.changes.objects import Objects, Relaxation
from puzzlemc.encodings.sokoban.changes.relaxation import Relaxations
from puzzlemc.mc.limits import Budget

MOST = 1 << 16


def bits(objects: Objects, edits: tuple[PlainEdit, ...]) -> int:
    """The objects that edits touch."""
    touched = 0
    for edit in edits:
        for cell, sign in edit.taken:
            box = objects.vanished if edit.kind == "drop" else objects.box
            touched |= {"$": box, ".": objects.goal, "#": objects.wall, "@": {cell: objects.player}}[sign][cell]
    return touched


@pytest.mark.parametrize("seed", range(examples(20, 200)))
def test_a_core_covers_what_its_names_say(seed: int) -> None:
    choose = random.Random(seed)
    level = small_level(choose, 3, 3)
    grid = Grid(level)
    objects = Objects(grid, 0)
    relaxations = Relaxations(grid, objects, MOST, Budget())
    cores = Cores(objects, relaxations)
    for _ in range(8):
        freed, placed, dropped = choose.choice([0, *objects.goal.values()]), 0, 0
        for box in objects.box.values():
            part = choose.randrange(5)
            freed, placed, dropped = (
                freed | box * (part > 0),
                placed | box * (part == 1),
                dropped | box * (part == 2),
            )
        relaxed = Relaxation(freed, placed, dropped)
        if relaxations.solvable(relaxed) is False:
            cores.add(relaxed)
    listed = cores.listed(level, MOST)
    # One edit of each set of objects: where things go makes no difference.
    edits = list({(edit.kind, edit.taken): edit for edit in plain_edits(level) if edit.taken}.values())
    pairs = [(one, other) for one, other in combinations(edits, 2) if not one.touched & other.touched]
    for chosen in (*((edit,) for edit in edits), *pairs):
        expected = any(covers(core, chosen) for core in listed)
        assert cores.covers(bits(objects, chosen)) == expected, (level.rows, chosen, listed)
