"""Repairs of small levels: the same as by brute force and plain rules, and cores that refute what they cover."""

import random
from itertools import combinations

import pytest
from plain_repairs import (
    applied,
    covers,
    essence,
    is_solvable,
    plain_edits,
    plain_repairs,
    read,
    signs_of,
    small_level,
)
from small_rooms import level_of

from examples import examples
from puzzlemc.encodings.puzzle.design.changes import Allowed, Repairs
from puzzlemc.encodings.sokoban.changes import cores
from puzzlemc.encodings.sokoban.changes import repairs as own
from puzzlemc.encodings.sokoban.changes.edits import KINDS, USUAL, single_edits
from puzzlemc.encodings.sokoban.changes.repairs import repairs
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.sokoban import Level, draw, parse

ALL = frozenset(KINDS)


def assert_equal(level: Level, allowed: Allowed) -> Repairs:
    """The repairs are those of brute force; return them."""
    found = repairs(level, allowed, Budget())
    expected = plain_repairs(level, allowed.kinds, allowed.keep, allowed.most)
    text = f"{draw(level)}\n{allowed}"
    least = min(expected, default=allowed.most + 1)
    assert (found.least, found.complete, found.reason) == (least, True, None), text
    essences = [essence(change.level) for change in found.changes]
    assert set(essences) == expected.get(least, set()), text
    assert len(essences) == len(set(essences)), text
    for change in found.changes:
        assert len(change.edits) == least, text
        assert all(edit.kind in allowed.kinds and not allowed.keep & set(edit.cells) for edit in change.edits), (
            text
        )
        assert parse(draw(change.level), "changed") == [change.level], text
    return found


@pytest.mark.parametrize("seed", range(examples(40, 400)))
def test_single_edits_are_those_of_brute_force(seed: int) -> None:
    choose = random.Random(seed)
    level = small_level(choose, 3, 3)
    keep = frozenset(cell for cell in level.floor if choose.random() < 0.1)
    kinds = ALL if choose.random() < 0.5 else frozenset(kind for kind in KINDS if choose.random() < 0.6)
    assert_equal(level, Allowed(kinds, keep, 1))


@pytest.mark.parametrize("seed", range(examples(8, 80)))
def test_pairs_are_those_of_brute_force(seed: int) -> None:
    assert_equal(small_level(random.Random(seed), 2, 2), Allowed(frozenset(USUAL), most=2))


@pytest.mark.parametrize("seed", range(examples(30, 300)))
def test_cores_cover_all_smaller_sets_of_edits_and_no_repair(seed: int) -> None:
    choose = random.Random(seed)
    kinds = frozenset(USUAL) if choose.random() < 0.3 else frozenset(k for k in USUAL if choose.random() < 0.6)
    level = small_level(choose, 3, 3)
    if len(level.start.boxes) < len(level.goals):
        return
    found = repairs(level, Allowed(kinds, most=1), Budget())
    edits = [edit for edit in plain_edits(level) if edit.kind in kinds]
    assert bool(found.cores) == (found.least > 0)
    assert all(set(core.kept).isdisjoint(core.freed) and core.needed > 0 for core in found.cores)
    for edit in edits if found.least > 1 else ():
        if edit.kind != "drop" or len(level.goals) > 1:
            assert any(covers(core, (edit,)) for core in found.cores), f"{draw(level)}\n{edit}"
    for size in (1, 2):
        for chosen in combinations(edits, size):
            if any(covers(core, chosen) for core in found.cores) and (board := applied(signs_of(level), chosen)):
                changed = read(board)
                assert changed is None or not is_solvable(changed), f"{draw(level)}\n{chosen}"


@pytest.mark.parametrize("seed", range(examples(10, 60)))
def test_what_may_not_go_elsewhere_vanishes_and_is_added(seed: int) -> None:
    choose = random.Random(seed)
    while len((level := small_level(choose, 2, 2)).floor) > 5:
        pass
    for kinds in (("drop", "add"), ("drop", "add", "boxes"), ("drop", "add", "goals")):
        assert_equal(level, Allowed(frozenset(kinds), most=2))


def test_what_vanishes_and_is_added_again_is_on_no_cell_to_keep() -> None:
    level = level_of("####", "#*@#", "##*#", "####  .")  # the goal outside can vanish with a box alone
    keep = frozenset([(1, 1)])
    found = assert_equal(level, Allowed(frozenset(["drop", "boxes"]), keep, 2))
    (change,) = found.changes
    assert [edit.cells for edit in change.edits] == [((2, 2), (3, 6)), ((2, 2),)]


@pytest.mark.parametrize("seed", range(examples(24, 400)))
def test_what_is_said_at_a_limit_is_true(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = random.Random(seed)
    level = small_level(choose, 3, 3)
    kinds = frozenset(USUAL) if choose.random() < 0.5 else frozenset(k for k in USUAL if choose.random() < 0.6)
    expected = plain_repairs(level, kinds, frozenset(), 1)
    least = min(expected, default=2)
    for limit in (1, 3, 8, 20, 60):
        monkeypatch.setattr(own, "MOST_POSITIONS", limit)
        monkeypatch.setattr(own, "FILTER", choose.choice((1, 10, 100)))
        for module in (own, cores):
            monkeypatch.setattr(module, "GROWING", choose.choice((1, 8, 64)))
        found = repairs(level, Allowed(kinds, most=1), Budget())
        text = f"{draw(level)}\n{kinds} {limit} {found}"
        assert found.least <= least, text
        assert {essence(change.level) for change in found.changes} <= expected.get(least, set()), text
        if found.complete and found.changes:
            assert (found.least, len(found.changes)) == (least, len(expected[least])), text
        assert found.complete == (found.reason is None), text


def test_cores_that_do_not_cover_all_smaller_sets_are_no_proof() -> None:
    level = level_of(
        "####", "#@.#", "# $#", "# .#", "####"
    )  # a box is missing, and one that is added may be placed
    found = repairs(level, Allowed(frozenset(["boxes"]), most=2), Budget())
    assert (found.least, found.complete, found.cores) == (2, True, ())


def test_no_single_edit_is_a_repair_but_pairs_are() -> None:
    level = level_of("######", "#$ $ #", "#@ . #", "#  . #", "######")
    found = repairs(level, Allowed(frozenset(["boxes"]), most=2), Budget())
    assert found.least == 2
    words = {edit.words for change in found.changes for edit in change.edits}
    assert "the box in row 2, column 2 goes to row 3, column 3" in words
    assert "the box in row 2, column 4 goes to row 4, column 4" in words


def test_single_edits_are_levels_of_the_reader() -> None:
    level = level_of("#########", "#.$@ #  #", "#####$# #", "#  .#  *#", "#########")
    for change in single_edits(level, Allowed(ALL)):
        (edit,) = change.edits
        assert parse(draw(change.level), "changed") == [change.level], edit.words
        assert change.level != level
    kinds = {edit.kind for change in single_edits(level, Allowed(ALL)) for edit in change.edits}
    assert kinds == ALL
