"""`intended` and `through`: the smallest sets of walls, compared with all sets, which a plain search judges."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from wished_levels import NOTHING, asked, free_cells, level_of, plain_solution, pushes, small_levels

from examples import examples
from puzzlemc.encodings.sokoban.domain.rules import RULES
from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.suggest.asked import Asked
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


PushSet = tuple[
    tuple[Cell, str], ...
]  # pushes in the order of cells: the player's cell before each, and its letter


def push_sets(level: Level, closed: frozenset[Cell], most: float) -> tuple[float, set[PushSet]]:
    """The least number of pushes, at most `most`, and the pushes of all solutions with it, by the plain rules."""
    layer = {(RULES.start(level), PushSet())}
    for cost in range(int(most) + 1):
        waiting, after = list(layer), set()
        while waiting:
            position, made = waiting.pop()
            for step in RULES.steps(level, position):
                if closed & {step.position.player, *step.position.boxes}:
                    continue
                if step.costs["pushes"]:
                    after.add((step.position, tuple(sorted([*made, (position.player, step.name)]))))
                elif (step.position, made) not in layer:
                    layer.add((step.position, made))
                    waiting.append((step.position, made))
        if solved := {made for position, made in layer if RULES.solved(level, position)}:
            return cost, solved
        layer = after
    return float("inf"), set()


def pushes_of(level: Level, solution: str) -> PushSet:
    position, made = RULES.start(level), []
    for name in solution:
        step = RULES.reply(level, position, name)
        assert step is not None
        made += [(position.player, name)] * step.costs["pushes"]
        position = step.position
    return tuple(sorted(made))


def with_others(count: int) -> Iterator[tuple[Level, str]]:
    """Random levels, each with a shortest solution that is not the only one."""
    for boxes in (1, 2):
        few = count
        for level in small_levels(20 + boxes, 100 * count, boxes):
            solution = plain_solution(level, NOTHING)
            assert solution is not None
            if pushes(solution) < 5 and len(push_sets(level, NOTHING, pushes(solution))[1]) > 1:
                few -= 1
                yield level, solution
            if not few:
                break


TWO_WALLS = """######
#### #
#@   #
#$ $ #
#   .#
######
"""
TWO_ENDS = """########
#      #
# $.$  #
#@     #
########
"""
NO_CELLS = """######
##  .#
##@  #
#$#$ #
#    #
######
"""


def test_only_finds_all_smallest_sets_of_walls() -> None:
    kinds = set()
    chosen = (
        (level_of(TWO_WALLS), "DrRurD"),
        (level_of(TWO_ENDS), "uR"),
        (level_of(NO_CELLS), "rrddlUUluR"),
    )
    for level, solution in (*chosen, *with_others(examples(6, 40)), *with_detours(examples(2, 20))):
        cost = pushes(solution)
        wanted = cost, {pushes_of(level, solution)}
        able = [cell for cell in free_cells(level) if cell not in cells_of(level, solution)]
        found = asked(level, f"only={solution}")
        for size in (1, 2):
            right = {
                closed
                for closed in map(frozenset, combinations(able, size))
                if closable(level, closed) and push_sets(level, closed, cost) == wanted
            }
            if right:
                break
        assert walls_of(found) == right
        assert (found.total, found.exit_code) == ((len(right), 0) if right else (None, 1))
        assert found.least == (size if right else 3)
        if stuck := "no walls do" in found.words[0]:
            moves = found.words[0].rpartition(" ")[2]
            other = pushes(moves), pushes_of(level, moves)
            assert other != (cost, pushes_of(level, solution))
            assert other[0] <= cost
            assert not any(closable(level, frozenset([cell])) for cell in cells_of(level, moves) & {*able})
        kinds.add((found.least, stuck))
        for each in found.found:
            assert (each.result.cost, each.result.optimal, each.best) == (cost, True, True)
    assert {(1, False), (2, False), (3, True)} <= kinds


@pytest.mark.parametrize("solution", ["RlL", "LrR", "urllrdLrR"])
def test_only_does_not_tell_orders_and_walks_apart(solution: str) -> None:
    level = level_of("#######\n##   ##\n#.$@$.#\n#######")
    assert push_sets(level, NOTHING, 2) == (2, {pushes_of(level, "RlL")})
    found = asked(level, f"only={solution}")
    assert (found.reached, found.exit_code, found.found) == (True, 0, ())


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


def test_sets_that_are_not_counted_are_no_total(monkeypatch: pytest.MonkeyPatch) -> None:
    level = level_of("######\n#  ###\n#  . #\n# $  #\n## @ #\n######")
    assert (asked(level, "through=5,3").total or 0) > 1
    monkeypatch.setattr("puzzlemc.reports.suggest.closed.MOST_FOUND", 1)
    found = asked(level, "through=5,3")
    assert (len(found.found), found.total, found.reason) == (1, None, "bound")
    assert "at least 1 " in found.words[0]


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
        ("through=3,3", "found row 3, column 3, expected a cell of the floor"),
        ("through=9,9", "found row 9, column 9, expected a cell of the floor"),
        ("intended=RR", "the intended solution: found 2 moves, after which level is not solved"),
        ("only=RR", "your solution: found 2 moves, after which level is not solved"),
        ("intended=U", "move 1, U, is not legal"),
    ):
        with pytest.raises((ModelError, LevelError), match=message):
            asked(level, want)
    with pytest.raises(ModelError, match="level is unsolvable, expected a solvable level"):
        asked(level_of("#####\n#$  #\n# .@#\n#####"), "through=2,3")


def test_every_solution_passes_a_cell_of_a_level_that_may_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    level, solved = level_of(ROUND), Asked.solved

    def undecided(self: Asked, other: Level) -> Result:
        found = solved(self, other)
        return replace(found, verdict="unknown", reason="timeout", solution=None) if other is level else found

    monkeypatch.setattr(Asked, "solved", undecided)
    row, column = level.start.player
    found = asked(level, f"through={row + 1},{column + 1}")
    assert found.reached
    assert found.words[1:] == ("it is not known whether the level is solvable: timeout",)


ROOM = "######\n#  ###\n#  . #\n# $  #\n## @ #\n######"


@pytest.mark.parametrize("avoided", [False, True], ids=["changed levels", "changed levels with a cell avoided"])
def test_what_no_engine_decides_is_no_proof(avoided: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    level = level_of(ROOM)
    changed = {each.level for each in asked(level, "through=5,3").found}
    solved = Asked.solved

    def undecided(self: Asked, other: Level) -> Result:
        found, text = solved(self, other), self.text(other)
        walls = text.count("#") - ROOM.count("#")
        if not (other.rows[4][2] == "#" and walls > 1 if avoided else text in changed):
            return found
        return replace(found, verdict="unknown", reason="timeout", solution=None)

    monkeypatch.setattr(Asked, "solved", undecided)
    found = asked(level, "through=5,3")
    assert (found.found, found.least, found.total, found.reason, found.exit_code) == ((), 1, None, "timeout", 3)


def test_a_solution_that_is_not_proved_to_be_best_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    level, detour = next(with_detours(1))
    cost, solved = pushes(detour), Asked.solved

    def not_optimal(self: Asked, other: Level) -> Result:
        found = solved(self, other)
        if found.solution is None or found.solution.costs["pushes"] != cost:
            return found
        return replace(found, reason="timeout", solution=replace(found.solution, optimal=False))

    known = asked(level, f"intended={detour}")
    assert known.found
    monkeypatch.setattr(Asked, "solved", not_optimal)
    found = asked(level, f"intended={detour}")
    assert (found.found, found.total, found.reason) == ((), None, "timeout")
    assert found.least <= known.least
