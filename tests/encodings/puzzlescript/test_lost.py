"""Why a position is lost, in words that need no search."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from pushing_games import PUSHES, explored, pushing_levels, small_game
from small_games import level, win

from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import at
from puzzlemc.encodings.puzzlescript.lost import why_lost
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.screens.puzzlescript.game import Level, Win

TARGETS, CRATES = win("all", "target", "crate"), win("all", "crate", "target")


@pytest.mark.parametrize(
    ("wins", "board", "words"),
    [
        ([TARGETS], "..... .PC.o .....", ""),
        ([TARGETS], "PC..o", ""),
        (
            [TARGETS],
            "PC... ....o",
            "`all target on crate` (line 0) can never hold: none of crate can come to where 1 must be",
        ),
        (
            [TARGETS],
            "..... .PCo. ....o .....",
            "`all target on crate` (line 0) can never hold: only 1 of crate can come to where 2 must be",
        ),
        (
            [win("some", "player"), CRATES],
            "C.... .PCo. .....",
            "`all crate on target` (line 0) can never hold: "
            "crate in row 1, column 1 can come to no cell where it may stay",
        ),
        (
            [TARGETS],
            "....... .PCC... ..CC... ....... .ooooC. .......",
            "`all target on crate` (line 0) can never hold: crate in row 2, column 3; crate in row 2, column 4; "
            "crate in row 3, column 3 and crate in row 3, column 4 stay for ever where none is needed, "
            "which leaves 1 for 4 cells",
        ),
        (
            [CRATES],
            "oCC.o ..P.. .....",
            "`all crate on target` (line 0) can never hold: "
            "crate in row 1, column 2 and crate in row 1, column 3 stay for ever where none may stay",
        ),
        ([win("no", "hole")], "PH", "`no hole` (line 0) can never hold: what it is about never changes"),
    ],
)
def test_words(wins: list[Win], board: str, words: str) -> None:
    assert why_lost(level(small_game(PUSHES[::2], wins), board)) == words


def test_what_has_a_reason_is_lost() -> None:
    counts = {"lost": 0, "with a reason": 0}

    @settings(
        max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True
    )
    @given(pushing_levels(".....PCCwo*"))
    def check(one: Level) -> None:
        try:
            space = explored(one)
            assume(space is not None)
            assert space is not None
            boards, after, winning = space
            wins, before = set(winning), -1
            while len(wins) != before:
                before = len(wins)
                wins |= {number for number, here in enumerate(after) if here & wins}
            for number in range(0, len(boards), 1 + len(boards) // 30):
                words = why_lost(at(one, Position(boards[number], won=False)))
                assert not (words and number in wins)
                counts["lost"] += number not in wins
                counts["with a reason"] += words != ""
        except (ModelError, LimitReached):
            return

    check()
    assert counts["lost"] > counts["with a reason"] > 0, counts
