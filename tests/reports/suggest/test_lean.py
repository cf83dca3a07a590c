"""`lean`: what can go, compared with plain searches for the cheapest solutions."""

from dataclasses import replace

import pytest
from wished_levels import NOTHING, asked, free_cells, level_of, plain_solution, pushes, small_levels

from examples import examples
from puzzlemc.encodings.puzzle.design.changes import Cell
from puzzlemc.encodings.sokoban.changes.grid import Grid
from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.suggest.asked import Asked
from puzzlemc.screens import sokoban
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.sokoban import Level, draw


def painted(level: Level, cells: frozenset[Cell], sign: str) -> Level | None:
    """The level with this sign in some cells; None if the reader leaves something out."""
    rows = [list(row) for row in draw(level).split("\n")]
    for row, column in cells:
        rows[row][column] = sign
    (found,) = sokoban.parse("\n".join("".join(row) for row in rows), "test")
    if isinstance(found, LevelError) or (found.start, found.goals) != (level.start, level.goals):
        return None
    return found if found.goals <= found.cells else None


def cost(level: Level) -> float:
    return pushes(plain_solution(level, NOTHING))


@pytest.mark.parametrize("boxes", [1, 2])
def test_nothing_more_can_go(boxes: int) -> None:
    sizes = set()
    for level in small_levels(20 + boxes, examples(5, 40), boxes):
        least = cost(level)
        found = asked(level, "lean")
        words = found.words[0]
        closed, opened = NOTHING, NOTHING
        for each in found.found:
            cells = frozenset(cell for edit in each.edits for cell in edit.cells)
            (changed,) = sokoban.parse(each.level, "changed")
            assert isinstance(changed, Level)
            assert each.result.cost == cost(changed) == least
            if "becomes floor" in each.edits[0].words:
                opened = cells
            elif "never pushed" in each.edits[0].words:
                assert cells <= level.start.boxes
            else:
                closed = cells
        assert words.startswith(f"{len(closed) or 'no'} floor cell")
        assert f"; {len(opened) or 'no'} wall" in words
        for sign, chosen, more in (("#", closed, free_cells(level)), (" ", opened, Grid(level).inner_walls)):
            for cell in more:
                changed = None if cell in chosen else painted(level, chosen | {cell}, sign)
                if changed is not None:
                    assert cost(changed) != least, (draw(level), cell)
        sizes |= {len(closed), len(opened)}
    assert len(sizes) > 2


def test_a_box_that_is_never_pushed_can_be_a_wall() -> None:
    level = level_of("######\n#*   #\n#    #\n#@$ .#\n######")
    found = asked(level, "lean")
    idle = next(each for each in found.found if "never pushed" in each.edits[0].words)
    assert idle.edits[0].words == "the box in row 2, column 2 becomes a wall, since it is never pushed"
    assert idle.level == "######\n##   #\n#    #\n#@$ .#\n######"
    kept = asked(level, "lean", keep=((1, 1),))
    assert not any("never pushed" in each.edits[0].words for each in kept.found)


def test_a_level_in_which_everything_is_needed() -> None:
    found = asked(level_of("#####\n#@$.#\n#####"), "lean")
    assert (found.found, found.exit_code) == ((), 1)
    assert found.words == (
        "no floor cell can be wall; no wall can be floor; no box can be wall: the least cost stays",
    )


def test_an_unsolvable_level_is_refused() -> None:
    with pytest.raises(ModelError, match="level is unsolvable, expected a solvable level"):
        asked(level_of("#####\n#$  #\n# .@#\n#####"), "lean")


def test_what_can_go_is_no_proof_that_nothing_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """A leaner level that no engine solves again within the limits is not shown, but there is one."""
    level = level_of("######\n#    #\n#@$. #\n#    #\n######")
    solved = Asked.solved

    def undecided(self: Asked, changed: Level) -> Result:
        found = solved(self, changed)
        return found if changed is level else replace(found, verdict="unknown", reason="timeout", solution=None)

    monkeypatch.setattr(Asked, "solved", undecided)
    found = asked(level, "lean")
    assert found.words[0].startswith("9 floor cells can be wall")
    assert (found.found, found.exit_code, found.least) == ((), 3, 1)


def test_a_wall_goes_only_where_no_cheaper_solution_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    level = level_of("#######\n#@    #\n#  #  #\n#  $ .#\n#     #\n#######")
    assert "1 wall can be floor" in asked(level, "lean").words[0]
    solved = Asked.solved

    def not_optimal(self: Asked, changed: Level) -> Result:
        found = solved(self, changed)
        if changed is level:
            return found
        assert found.solution is not None
        return replace(found, reason="timeout", solution=replace(found.solution, optimal=False))

    monkeypatch.setattr(Asked, "solved", not_optimal)
    (said,) = asked(level, "lean").words
    assert "no wall can be floor" in said
    assert said.endswith("not all were tried: timeout")
