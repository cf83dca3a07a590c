"""`intended` and `through`: the smallest sets of walls, compared with all sets, which a plain search judges."""

import random
from collections.abc import Iterator
from itertools import combinations

import pytest
from wished_levels import NOTHING, asked, free_cells, level_of, plain_solution, pushes, small_levels

from examples import examples
from puzzlemc.encodings.sokoban.domain.rules import RULES
from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.suggest.suggestion import Suggestions
from puzzlemc.screens import sokoban
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.sokoban import Cell, Level


def closable(level: Level, closed: frozenset[Cell]) -> bool:
    """Does the reader leave out no box and no goal?"""
    rows = [list(row) for row in level.rows]
    for row, column in closed:
        rows[row][column] = "#"
    (found,) = sokoban.parse("\n".join("".join(row) for row in rows), "test")
    if isinstance(found, LevelError):
        return False
    return found.start == level.start and found.goals == level.goals and found.goals <= found.cells


def walls_of(found: Suggestions) -> set[frozenset[Cell]]:
    return {frozenset(cell for edit in each.edits for cell in edit.cells) for each in found.found}


def cells_of(level: Level, solution: str) -> frozenset[Cell]:
    """The cells where the player or a box is in a solution."""
    position = RULES.start(level)
    found = {position.player, *position.boxes}
    for name in solution:
        step = RULES.reply(level, position, name)
        assert step is not None
        position = step.position
        found |= {position.player, *position.boxes}
    return frozenset(found)


def with_detours(count: int) -> Iterator[tuple[Level, str]]:
    """Random levels, each with a solution that is not a best one."""
    for number, level in enumerate(small_levels(2, 100 * count, 2)):
        chance = random.Random(number)
        free = free_cells(level)
        avoided = [frozenset(chance.sample(free, size)) for size in (1, 2, 3) for _ in range(8) if len(free) > 2]
        found = list(filter(None, (plain_solution(level, each) for each in (NOTHING, *avoided))))
        longest = max(found, key=pushes)
        if pushes(longest) > pushes(found[0]):
            yield level, longest
            count -= 1
        if not count:
            return


PAIR = """#######
#     #
#@$   #
#  .  #
#  #  #
###   #
#######
"""


def test_intended_finds_all_smallest_sets_of_walls() -> None:
    sizes = set()
    for level, solution in ((level_of(PAIR), "RRdrruLulD"), *with_detours(examples(4, 40))):
        cost = pushes(solution)
        able = [cell for cell in free_cells(level) if cell not in cells_of(level, solution)]
        found = asked(level, f"intended={solution}")
        for size in (1, 2):
            right = {
                closed
                for closed in map(frozenset, combinations(able, size))
                if closable(level, closed) and pushes(plain_solution(level, closed)) == cost
            }
            if right:
                break
        assert walls_of(found) == right
        assert (found.total, found.exit_code) == ((len(right), 0) if right else (None, 1))
        assert found.least == (size if right else 3)
        sizes.add(found.least)
        for each in found.found:
            assert (each.result.cost, each.result.optimal, each.best) == (cost, True, True)
            assert each.before["pushes"] < cost == each.after["pushes"]
    assert len(sizes) > 1


def test_a_best_solution_needs_no_walls() -> None:
    (level,) = small_levels(3, 1)
    found = asked(level, f"intended={plain_solution(level, NOTHING)}")
    assert (found.reached, found.exit_code, found.found) == (True, 0, ())


@pytest.mark.parametrize("boxes", [1, 2])
def test_through_finds_all_smallest_sets_of_walls(boxes: int) -> None:
    sizes = set()
    for number, level in enumerate(small_levels(10 + boxes, examples(10, 60), boxes)):
        free = free_cells(level)
        cell = random.Random(number).choice(free)
        found = asked(level, f"through={cell[0] + 1},{cell[1] + 1}")
        assert found.reached == (plain_solution(level, frozenset([cell])) is None)
        if found.reached:
            continue
        for size in (1, 2):
            right = {
                closed
                for closed in map(frozenset, combinations(free, size))
                if cell not in closed
                and closable(level, closed)
                and plain_solution(level, closed) is not None
                and plain_solution(level, closed | {cell}) is None
            }
            if right:
                break
        assert walls_of(found) == right
        assert found.least == (size if right else 3)
        sizes.add(found.least)
    assert len(sizes) > 1


ROUND = """#######
#     #
# ### #
#@$  .#
# ### #
#     #
#######
"""


@pytest.mark.parametrize("cell", [(4, 2), (4, 3), (4, 6)])  # of the player, a box and a goal
def test_every_solution_passes_where_it_begins_and_ends(cell: Cell) -> None:
    found = asked(level_of(ROUND), f"through={cell[0]},{cell[1]}")
    assert (found.reached, found.found) == (True, ())


def test_what_keeps_a_wish_from_being_asked_is_said() -> None:
    level = level_of(ROUND)
    for want, message in (
        ("through=3,3", "through: found row 3, column 3, expected a cell of the floor"),
        ("through=9,9", "through: found row 9, column 9, expected a cell of the floor"),
        ("intended=RR", "the intended solution: found 2 moves, after which level is not solved"),
        ("intended=U", "move 1, U, is not legal"),
    ):
        with pytest.raises((ModelError, LevelError), match=message):
            asked(level, want)
    with pytest.raises(ModelError, match="level is unsolvable, expected a solvable level"):
        asked(level_of("#####\n#$  #\n# .@#\n#####"), "through=2,3")
