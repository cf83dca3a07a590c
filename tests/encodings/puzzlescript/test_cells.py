"""Compiled turns cell by cell: they agree with the plain rules."""

from hypothesis import HealthCheck, given, settings
from random_games import levels

from examples import examples
from puzzlemc.encodings.puzzlescript.cells import encoding
from puzzlemc.encodings.puzzlescript.domain.position import MOVES
from puzzlemc.encodings.puzzlescript.domain.turn import Outcome, Unsettled, turn
from puzzlemc.screens.puzzlescript.game import Level


def outcome(one: Level, cells: tuple[frozenset[str], ...], movement: str, begins: bool) -> Outcome | None:
    try:
        return turn(one, cells, movement, begins=begins)
    except Unsettled:
        return None


def compiled(one: Level, cells: tuple[frozenset[str], ...], movement: str, begins: bool) -> Outcome | None:
    try:
        return encoding.turn(one, cells, movement, begins=begins)
    except Unsettled:
        return None


class TestTurns:
    @settings(max_examples=examples(80, 300), deadline=None, suppress_health_check=list(HealthCheck))
    @given(levels())
    def test_they_agree_with_the_plain_rules(self, one: Level) -> None:
        """All turns from the start, and from what comes of them, are equal."""
        boards = [one.cells]
        for cells in boards:
            for movement in ("", *MOVES):
                for begins in (False, True):
                    wanted = outcome(one, cells, movement, begins)
                    assert compiled(one, cells, movement, begins) == wanted
                    if wanted is not None and len(boards) < 4 and wanted.cells not in boards:
                        boards.append(wanted.cells)
