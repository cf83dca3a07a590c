"""The puzzle: levels that start at a position, their texts and contents, reasons, and playing by hand."""

from dataclasses import replace

import pytest
from tug import GAME

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.puzzlescript.domain.content import content
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES, at
from puzzlemc.encodings.puzzlescript.planes.encoding import planes, relevant_planes
from puzzlemc.encodings.puzzlescript.planes.reasons import hopeless, reason
from puzzlemc.mc.engines.explicit import explicit
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.verdict import Reachable
from puzzlemc.screens.base.picture import Box
from puzzlemc.screens.puzzlescript import Level, draw, parse, written

ROOM = "########\n#.o.ps.#\n#......#\n########\n"
PUZZLE = puzzle("puzzlescript")


def level_of(rows: str = ROOM, game: str = GAME) -> Level:
    (level,) = parse(f"{game}\n{rows}", "test")
    assert isinstance(level, Level)
    return level


def positions(level: Level) -> list[Position]:
    """All positions that the plain rules can reach."""
    found = [RULES.start(level)]
    for position in found:
        found += {step.position for step in RULES.steps(level, position)} - {*found}
    return [each for each in found if isinstance(each, Position)]


class TestStartingAt:
    # A rule that applies at the start and never again would change a level that has begun already.
    GAME = GAME.replace("title Tug", "title Tug\nrun_rules_on_level_start").replace(
        "RULES\n", "RULES\n\n[ Worker | ] -> [ Worker | Hook ]\n"
    )

    @pytest.mark.parametrize("game", [GAME, GAME.replace("RULES\n", "RULES\n\nlate [ Hook | Worker ] -> win\n")])
    def test_a_level_starts_at_each_of_its_positions(self, game: str) -> None:
        level = level_of(game=game)
        for position in positions(level):
            there = at(level, position)
            assert RULES.start(there) == position
            encoded = planes(there)
            assert encoded.decode(initial_state(encoded.model)) == position
            assert len(encoded.model.successors(initial_state(encoded.model))) == len(
                list(RULES.steps(level, position))
            )

    def test_rules_at_the_start_are_not_applied_again(self) -> None:
        level = level_of(game=self.GAME)
        first, *others = positions(level)
        assert first.cells != level.cells
        for position in (first, *others[:10]):
            assert RULES.start(at(level, position)) == position
            (again,) = parse(draw(at(level, position)), "test")
            assert isinstance(again, Level)
            assert RULES.start(again).cells == position.cells  # type: ignore[attr-defined]

    def test_costs_from_each_position_agree_with_the_plain_rules(self) -> None:
        level = level_of()
        left = {position: 0 for position in positions(level) if position.won}
        while more := {
            position: 1 + min(left[step.position] for step in steps)
            for position in positions(level)
            if position not in left and (steps := [s for s in RULES.steps(level, position) if s.position in left])
        }:
            left |= more
        assert len(left) > 10
        for position in positions(level):
            if not position.won:
                verdict = explicit(relevant_planes(at(level, position)).model, "turns", Budget())
                assert (verdict.cost if isinstance(verdict, Reachable) else None) == left.get(position)


class TestTexts:
    def test_positions_are_written_as_levels(self) -> None:
        """Their cells may hold what no character of the legend means."""
        level = level_of(game=GAME.replace("+ = Worker and Hook\n", "").replace("* = Sled and Hook\n", ""))
        for position in positions(level):
            (again,) = parse(draw(at(level, position)), "test")
            assert isinstance(again, Level)
            assert again.cells == position.cells

    def test_levels_of_one_game_are_written_together(self) -> None:
        one = level_of()
        other = replace(one, title="Other", cells=positions(one)[5].cells)
        again = parse(written([one, other]), "test")
        assert [each.cells for each in again if isinstance(each, Level)] == [one.cells, other.cells]

    @pytest.mark.parametrize(
        ("old", "new", "same"),
        [
            ("title Tug", "title Other\n(a comment)", True),
            ("#8e5a2b", "brown", True),
            ("SOUNDS\n", "SOUNDS\nSled move 1234\n", True),
            ("[ < Worker | Sled ] -> [ < Worker |", "[ > Worker | Sled ] -> [ < Worker |", False),
            ("All Sled on Hook", "Some Sled on Hook", False),
            ("title Tug", "title Tug\nrequire_player_movement", False),
            ("Wall, Sled, Worker", "Wall, Worker\nSled", False),
        ],
    )
    def test_content_is_equal_for_levels_with_the_same_turns(self, old: str, new: str, same: bool) -> None:
        assert old in GAME
        (other,) = parse(f"{GAME.replace(old, new)}\n{ROOM}", "test")
        assert isinstance(other, Level)
        assert (content(other) == content(level_of())) is same
        assert content(level_of()) != content(level_of(ROOM.replace("o", ".")))


class TestReasons:
    def test_a_level_that_may_be_won_has_no_obvious_reason(self) -> None:
        assert hopeless(level_of()) == ""
        assert reason(level_of(), Budget()) == ""

    def test_conditions_that_never_hold_are_named(self) -> None:
        walls = level_of(game=GAME.replace("All Sled on Hook", "All Sled on Hook\nNo Wall\nAll Wall on Hook"))
        assert hopeless(walls).startswith("`no wall` (line ")
        assert " and `all wall on hook` (line " in hopeless(walls)
        assert "no win condition" in hopeless(level_of(game=GAME.replace("All Sled on Hook", "")))

    def test_as_few_conditions_as_possible(self) -> None:
        lost = level_of("#######\n#s.p.o#\n#######\n", GAME.replace("All Sled", "Some Worker on Hook\nAll Sled"))
        assert reason(lost, Budget()).startswith("`all sled on hook` alone never holds")
        both = level_of("#######\n#.ops.#\n#######\n", GAME.replace("All Sled", "Some Worker on Hook\nAll Sled"))
        assert reason(both, Budget()).startswith(
            "`some worker on hook` and `all sled on hook` never hold together"
        )


class TestByHand:
    def test_keys_are_moves(self) -> None:
        hand = PUZZLE.by_hand
        assert hand is not None
        level = level_of()
        start = RULES.start(level)
        assert hand.press(level, start, None, "left") == (None, "left")
        assert hand.press(level, start, None, "d") == (None, "")  # the sled is in the way
        assert hand.press(level, start, None, "x") == (None, "")
        assert hand.press(level, start, None, "k") is None

    def test_keys_that_do_nothing_are_not_shown(self) -> None:
        hand = PUZZLE.by_hand
        assert hand is not None
        acting = GAME.replace("RULES\n", "RULES\n[ action Worker ] -> [ Worker Hook ]\n", 1)
        assert acting != GAME
        keys = [dict(hand.keys_in(level_of(game=text))) for text in (GAME, acting, f"noaction\n{acting}")]
        assert ["x, space" in each for each in keys] == [False, True, False]

    @pytest.mark.parametrize("hint", [(), ("left",)])
    def test_scenes_have_the_characters_and_the_pixels(self, hint: tuple[str, ...]) -> None:
        hand = PUZZLE.by_hand
        assert hand is not None
        level = level_of()
        start = RULES.start(level)
        for scale in range(hand.scales):
            shown = hand.show(level, start, None, hint, scale)
            assert (shown.width, shown.height) == ((16, 4), (40, 10), (80, 20))[scale]
            lines = ["".join(span.text for span in shown.line(n)) for n in range(shown.height)]
            assert {len(line) for line in lines} == {shown.width}
            assert any("←" in line for line in lines) == bool(hint)
        plain = hand.show(level, start, None, (), 0)
        assert "".join(span.text for span in plain.line(1)) == "# . o . p s . # "
        large = hand.show(level, start, None, (), 2)
        colours = {span.ground for n in range(large.height) for span in large.line(n)}
        assert colours == {"#e8e2d0", "#55606e", "#c0392b", "#f1c40f", "#8e5a2b", "#2c3e50", "#e6b98c"}

    def test_pictures_of_a_level_share_what_never_changes(self) -> None:
        level = level_of()
        pictures = [PUZZLE.screen.picture(level, position) for position in positions(level)]
        assert len({picture.board for picture in pictures}) == 1
        boxes = [shape for shape in pictures[0].board if isinstance(shape, Box)]
        assert {"#55606e", "#f1c40f", "#e8e2d0"} <= {box.colour for box in boxes}
        assert {shape.colour for shape in pictures[0].pieces} == {"#8e5a2b", "#2c3e50", "#e6b98c"}

    def test_refusals(self) -> None:
        refusal = PUZZLE.text.refusal
        assert refusal is not None
        level = level_of()
        start = RULES.start(level)
        assert refusal(level, start, "right") == "the turn changes nothing"
        assert refusal(level, start, "jump") == "found 'jump', expected one of up, left, down, right, action"
        assert refusal(level, start._replace(won=True), "left") == "the level is won already"  # type: ignore[attr-defined]


def test_actions_of_a_step_system_have_no_formulas() -> None:
    action = planes(level_of()).model.actions[0]
    for read in (
        lambda: action.guard,
        lambda: action.update,
        lambda: action.is_plain,
        lambda: action.fire(frozenset()),
    ):
        with pytest.raises(Unsuitable, match="no formulas"):
            read()
