"""Single edits of PuzzleScript levels, and the decision of many levels at once."""

from collections import Counter
from itertools import combinations, groupby, islice
from random import Random
from typing import Any

import pytest
import random_games
from hypothesis import given, settings
from hypothesis import strategies as st
from pushing_games import pushing_levels
from small_games import game, level, rule, shown, win

from examples import examples
from puzzlemc.encodings.puzzle.design.changes import Allowed, Change
from puzzlemc.encodings.puzzlescript import changes
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.planes import decision
from puzzlemc.encodings.puzzlescript.puzzle import PUZZLE
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.plain import Transition
from puzzlemc.mc.rules.textbook import breadth_first
from puzzlemc.screens.puzzlescript import Level, parse
from puzzlemc.screens.puzzlescript.game import Rule

PUSH = rule("right", "right player | crate", "right player | right crate")
GAME = game("target / player crate wall", PUSH, signs={"*": "crate target"}, wins=[win("all", "target", "crate")])
MOST_POSITIONS = 150  # that plain rules look at

MEADOW = """\
title Meadow

========
OBJECTS
========

Grass .
green

Sand ,
yellow

Player P
blue

Gem G
red

=======
LEGEND
=======
@ = Player and Sand
Background = Grass or Sand

=======
SOUNDS
=======

================
COLLISIONLAYERS
================
Grass, Sand
Player, Gem

======
RULES
======
[ > Player | Gem ] -> [ > Player | > Gem ]

==============
WINCONDITIONS
==============
All Gem on Sand

=======
LEVELS
=======

"""


def made(one: Level, *kinds: str, keep: frozenset[tuple[int, int]] = frozenset()) -> list[Change]:
    """The edits of these kinds."""
    return list(changes.edits(one, Allowed(frozenset(kinds or changes.KINDS), keep)))


def board(change: Change) -> str:
    """The board of a changed level."""
    return shown(change.level, change.level.cells)


def test_swaps_exchange_cells_near_ones_first() -> None:
    found = [(board(each), each.edits[0].words) for each in made(level(GAME, "PCT."), "swaps")]
    assert found == [
        ("CPT.", "player in row 1, column 1 and crate in row 1, column 2 change places"),
        ("PTC.", "crate in row 1, column 2 and target in row 1, column 3 change places"),
        ("PC.T", "target in row 1, column 3 and ground in row 1, column 4 change places"),
        ("TCP.", "player in row 1, column 1 and target in row 1, column 3 change places"),
        ("P.TC", "crate in row 1, column 2 and ground in row 1, column 4 change places"),
        (".CTP", "player in row 1, column 1 and ground in row 1, column 4 change places"),
    ]
    columns = level(GAME, "PC .. T.")
    assert {frozenset(each.edits[0].cells) for each in made(columns, "swaps")} == {
        frozenset([(row, column), (down, right)])
        for row in range(3)
        for column in range(2)
        for down in range(3)
        for right in range(2)
        if columns.cells[2 * row + column] != columns.cells[2 * down + right]
    }


def test_edits_of_the_border_come_last() -> None:
    """Of both kinds: walls around a level mostly keep things on the board."""
    walled = level(GAME, "WWWWW WPC.W WWTWW WWWWW")
    found = [each.edits[0] for each in made(walled)]
    inner = {(row, column) for row in (1, 2) for column in (1, 2, 3)}
    outside = [len(set(edit.cells) - inner) for edit in found]
    assert [edit.border for edit in found] == outside
    first = outside.index(1)
    assert not any(outside[:first])
    assert all(outside[first:])
    for part in (found[:first], found[first:]):
        assert [kind for kind, _ in groupby(edit.kind for edit in part)] == ["swaps", "signs"]
    # Nothing is left out, and nothing comes twice; no swap of walls.
    swapped = Counter(frozenset(edit.cells) for edit in found if edit.kind == "swaps")
    cells = {divmod(number, walled.width): objects for number, objects in enumerate(walled.cells)}
    assert swapped == Counter(
        frozenset(pair) for pair in combinations(cells, 2) if cells[pair[0]] != cells[pair[1]]
    )
    kept = frozenset(cells) - {(0, 0), (1, 2)}
    assert [each.edits[0].cells for each in made(walled, "swaps", keep=kept)] == [((0, 0), (1, 2))]


def test_a_cell_gets_each_other_character_but_for_players_and_levels_that_are_won() -> None:
    found = [board(each) for each in made(level(GAME, "PCT"), "signs")]
    assert found == ["P.T", "PTT", "PWT", "P*T"]  # the target stays: without one, the level is won
    assert {board(each) for each in made(level(GAME, "PP.T"), "signs")} > {"P..T", "PPPT"}
    kept = made(level(GAME, "PC.T"), keep=frozenset([(0, 1)]))
    assert kept
    assert all((0, 1) not in each.edits[0].cells and board(each)[1] == "C" for each in kept)


def test_a_level_is_read_as_it_is_written_where_cells_have_different_grounds() -> None:
    words = set[str]()
    for rows in ("P.G,\n..,.", ".P,G\n,,,,", ".@G,\n,,.,"):
        (one,) = parse(MEADOW + rows, "meadow.txt")
        assert isinstance(one, Level)
        found = made(one)
        assert len(found) > 10
        for each in found:
            (again,) = parse(PUZZLE.screen.draw(each.level), "again.txt")
            assert isinstance(again, Level)
            assert again.cells == each.level.cells
            words.add(each.edits[0].words)
    assert "sand in row 1, column 4 becomes grass" in words
    assert "player and grass in row 1, column 2 becomes player and sand" in words


def by_plain_rules(one: Level) -> bool | None:
    """Is a level solvable? None if it has many positions, or turns without an end."""
    seen = 0

    def steps(asked: Any, position: Any) -> Any:
        nonlocal seen
        seen += 1
        if seen > MOST_POSITIONS:
            raise TimeoutError
        return RULES.steps(asked, position)

    try:
        return breadth_first(Transition(RULES.start, steps, RULES.solved), one, Budget()).moves is not None
    except TimeoutError:
        return None


def decided_as_by_plain_rules(one: Level, seed: int) -> set[bool | None]:
    """Compare the verdicts on some levels that two edits make; return the verdicts."""
    random, decide = Random(seed), decision.decider(one)
    found = set[bool | None]()
    for _ in range(4):
        each = one
        for _ in range(2):
            some = list(islice(changes.edits(each, Allowed(frozenset(changes.KINDS))), 400))
            each = random.choice(some).level if some else each
        verdict, expected = decide(each, Budget()), by_plain_rules(each)
        assert None in (verdict, expected) or verdict == expected
        found.add(None if expected is None else verdict)
    return found


@settings(max_examples=examples(25, 500))
@given(pushing_levels(), st.integers(0, 1000))
def test_changed_levels_are_decided_as_by_plain_rules(one: Level, seed: int) -> None:
    decided_as_by_plain_rules(one, seed)


@settings(max_examples=examples(25, 500))
@given(random_games.levels(most=3), st.integers(0, 1000))
def test_changed_levels_of_random_games_are_decided_as_by_plain_rules(one: Level, seed: int) -> None:
    decided_as_by_plain_rules(one, seed)


def test_both_verdicts_come_up_and_large_levels_are_left_to_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    one = level(GAME, "P.C.T ..... .....")
    decide = decision.decider(one)
    verdicts = {board(each): decide(each.level, Budget()) for each in made(one)}
    assert verdicts["P.CT. ..... ....."] is True
    assert verdicts["P.C.. ....T ....."] is False  # crates are pushed to the right alone
    assert {*verdicts.values()} == {True, False}
    monkeypatch.setattr(decision, "EXPANSIONS", 1)
    monkeypatch.setattr(decision, "MOST_POSITIONS", 4)
    assert decision.decider(one)(one, Budget()) is None


@pytest.mark.parametrize(
    ("rules", "board", "at_start"),
    [
        ([PUSH, rule("right", "crate target", "", commands="restart")], "PC.", False),
        ([PUSH, rule("right", "crate target", "", commands="checkpoint")], "PC.", False),
        ([PUSH, rule("right", "left player", "random crate")], "PC.", False),
        ([PUSH], "PC.", True),
        # The crate goes on for more rounds than a turn may have.
        ([rule("right", "crate", "right crate", commands="again")], "PC" + "." * 600, False),
    ],
    ids=["restart", "checkpoint", "chance", "rules at the start", "unsettled"],
)
def test_what_more_than_cells_decide_is_left_to_an_engine(rules: list[Rule], board: str, at_start: bool) -> None:
    wins = [win("some", "crate", "target")]
    one = level(
        game("target / player crate wall", *rules, wins=wins, run_rules_on_level_start=at_start), board + "T"
    )
    assert decision.decider(one)(one, Budget()) is None
