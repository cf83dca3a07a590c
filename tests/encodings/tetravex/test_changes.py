"""Changes of Tetravex levels, and the smallest repairs against all changes of small levels."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.encodings.puzzle.design.changes import Allowed, Change, Repairs
from puzzlemc.encodings.tetravex import changes
from puzzlemc.encodings.tetravex.puzzle import PUZZLE
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.screens.tetravex import EMPTY, PUT, SWAP, Level, Tile, parse

COLOURS = (0, 1, 2)
NUMBERS, TILES, BOTH = (frozenset(kinds) for kinds in (["numbers"], ["tiles"], ["numbers", "tiles"]))


@st.composite
def levels(draw: st.DrawFn) -> Level:
    """A level of four tiles without a solution: to be arranged, or a game, perhaps with tiles on the board."""
    number = st.sampled_from(COLOURS)
    tiles = draw(st.tuples(*[st.builds(Tile, number, number, number, number)] * 4))
    order = draw(st.permutations((1, 2, 3, 4)))
    empty = tuple(tile if draw(st.integers(0, 4)) == 0 else EMPTY for tile in order)
    rules, start = draw(st.sampled_from((("", ()), ("", empty), (PUT, empty), (SWAP, tuple(order)))))
    found = Level("", "", 2, tiles, rules, start)
    assume(not solvable(found))
    return found


def solvable(level: Level) -> bool:
    """Is there a solved board that leaves the tiles where they are, unless these are swapped?"""
    held = [(cell, tile) for cell, tile in enumerate(level.start) if tile != EMPTY and level.rules != SWAP]
    for board in permutations(range(1, 5)):
        if all(board[cell] == tile for cell, tile in held):
            a, b, c, d = (level.tiles[tile - 1] for tile in board)
            if (a.east, c.east, a.south, b.south) == (b.west, d.west, c.north, d.north):
                return True
    return False


def repaired(level: Level, kinds: frozenset[str], most: int = 2, keep: Sequence[tuple[int, int]] = ()) -> Repairs:
    """The smallest repairs."""
    return changes.repairs(level, Allowed(kinds, frozenset(keep), most), Budget())


def made(level: Level, kinds: frozenset[str]) -> list[Change]:
    """All single edits."""
    return list(changes.edits(level, Allowed(kinds)))


def changed_tiles(before: Level, after: Level) -> frozenset[int]:
    """The tiles with other numbers."""
    return frozenset(tile for tile in range(len(before.tiles)) if before.tiles[tile] != after.tiles[tile])


@settings(max_examples=examples(10, 300))
@given(levels())
def test_repairs_of_numbers_are_all_that_solving_each_change_finds(level: Level) -> None:
    found = repaired(level, NUMBERS, most=2)
    one = {change.level for change in made(level, NUMBERS)}
    expected = {each for each in one if solvable(each)}
    if not expected:
        two = {change.level for each in one for change in made(each, NUMBERS)} - one - {level}
        expected = {each for each in two if solvable(each)}
        assert found.least == (2 if expected else 3)
    else:
        assert found.least == 1
    assert {change.level for change in found.changes} == expected
    assert len(found.changes) == len(expected)
    assert found.complete == bool(expected)
    assert all({edit.kind for edit in change.edits} == NUMBERS for change in found.changes)


@settings(max_examples=examples(10, 300))
@given(levels())
def test_repairs_of_tiles_are_all_sets_of_tiles_with_the_fewest_new_numbers(level: Level) -> None:
    found = repaired(level, BOTH, most=1)
    fewest: dict[frozenset[int], int] = {}
    single = made(level, BOTH)
    for change in made(level, TILES):
        if solvable(change.level):
            tile = changed_tiles(level, change.level)
            numbers = sum(map(int.__ne__, *(sum(each.tiles, ()) for each in (level, change.level))))
            fewest[tile] = min(numbers, fewest.get(tile, numbers))
    assert found.least == (1 if fewest else 2)
    assert {changed_tiles(level, change.level) for change in found.changes} == {*fewest}
    assert len(found.changes) == len(fewest)
    for change in found.changes:
        numbers = sum(map(int.__ne__, *(sum(each.tiles, ()) for each in (level, change.level))))
        assert solvable(change.level)
        assert numbers == fewest[changed_tiles(level, change.level)]
        assert [edit.kind for edit in change.edits] == ["numbers" if numbers == 1 else "tiles"]
        assert change in single


def level(text: str) -> Level:
    """The level of a text."""
    (found,) = parse(text, "level.tetravex")
    assert isinstance(found, Level)
    return found


APART = level("Tetravex 2\n4 3 1 2\n0 0 1 3\n1 2 5 3\n5 2 3 4")


def test_more_edits_than_two() -> None:
    sets = repaired(APART, NUMBERS, most=4)
    assert sets.least == 3
    assert sets.complete
    assert all(solvable(change.level) and len(change.edits) == 3 for change in sets.changes)
    whole = repaired(APART, TILES, most=4)
    assert (whole.least, whole.complete) == (2, False)  # other numbers on these tiles are repairs, too
    assert all(solvable(change.level) and len(change.edits) == 2 for change in whole.changes)
    few = repaired(APART, NUMBERS, most=1)
    assert (few.changes, few.least, few.complete, few.reason) == ((), 2, False, None)


def test_edits_in_words_and_in_places_of_the_picture() -> None:
    waiting = level("Tetravex 1\n0 1 2 3")
    assert [(change.edits[0].words, change.level.tiles) for change in made(waiting, NUMBERS)][:4] == [
        ("the number in the north of tile 1 becomes 1, not 0", (Tile(1, 1, 2, 3),)),
        ("the number in the north of tile 1 becomes 2, not 0", (Tile(2, 1, 2, 3),)),
        ("the number in the north of tile 1 becomes 3, not 0", (Tile(3, 1, 2, 3),)),
        ("the number in the south of tile 1 becomes 0, not 1", (Tile(0, 0, 2, 3),)),
    ]
    assert {change.edits[0].cells for change in made(waiting, BOTH)} == {((0, 2),)}
    assert len({change.level for change in made(waiting, BOTH)}) == len(made(waiting, BOTH)) == 4**4 - 1
    assert len(made(waiting, TILES)) == 4**4 - 1
    swapped = level("Tetravex 2\n0 1 0 1\n1 1 0 0\n1 0 0 1\n0 1 1 1\nSwap\n4 1\n3 2")
    assert {change.edits[0].cells for change in made(swapped, NUMBERS)} == {
        ((0, 0),),
        ((0, 1),),
        ((1, 0),),
        ((1, 1),),
    }
    for change in made(waiting, BOTH):
        assert parse(PUZZLE.screen.draw(change.level), "again") == [change.level]


def test_tiles_that_lie_on_cells_to_keep_are_in_no_change() -> None:
    one = level("Tetravex 2\n0 2 1 3\n2 1 0 0\n1 2 1 2\n2 0 2 1\nPut\n0 1\n0 0")
    free = repaired(one, BOTH)
    assert {changed_tiles(one, change.level) for change in free.changes} == {frozenset([0]), frozenset([1])}
    kept = repaired(one, BOTH, keep=[(0, 1)])
    assert kept.changes
    assert all(0 not in changed_tiles(one, change.level) for change in kept.changes)
    allowed = Allowed(BOTH, frozenset([(0, 1)]))
    assert {tile for change in changes.edits(one, allowed) for tile in changed_tiles(one, change.level)} == {
        1,
        2,
        3,
    }


@pytest.mark.parametrize(("most", "limits", "reason"), [(3, Limits(0.0), "timeout"), (0, Limits(), None)])
def test_limits(most: int, limits: Limits, reason: str | None) -> None:
    found = changes.repairs(APART, Allowed(BOTH, most=most), Budget(limits))
    assert (found.changes, found.least, found.complete, found.reason) == ((), int(reason is None), False, reason)


def test_a_large_board_and_many_repairs_end_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    large = Level("", "", 11, (Tile(0, 1, 2, 3),) * 121)
    found = changes.repairs(large, Allowed(NUMBERS), Budget())
    assert (found.changes, found.least, found.complete, found.reason) == ((), 0, False, "memory")
    monkeypatch.setattr(changes, "MOST_REPAIRS", 2)
    many = repaired(APART, NUMBERS, most=4)
    assert (len(many.changes), many.least, many.complete, many.reason) == (2, 3, False, "bound")


def test_a_level_that_is_solvable_needs_no_edit() -> None:
    one = level("Tetravex 1\n0 1 2 3")
    found = repaired(one, BOTH)
    assert (found.changes, found.least) == ((Change(one, ()),), 0)
