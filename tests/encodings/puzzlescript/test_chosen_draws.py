"""Turns whose draws are given: which draws there are, in which order, and what comes of them."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from random_games import levels
from small_games import game, level, rule, shown, win

from examples import examples
from puzzlemc.encodings.puzzlescript import by_hand
from puzzlemc.encodings.puzzlescript.domain import drawing
from puzzlemc.encodings.puzzlescript.domain.drawing import TooManyDraws
from puzzlemc.encodings.puzzlescript.domain.inputs import play
from puzzlemc.encodings.puzzlescript.domain.moves import pick, say
from puzzlemc.encodings.puzzlescript.domain.outcomes import outcomes
from puzzlemc.encodings.puzzlescript.domain.position import Cells, movement, moves
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, Outcome, Unsettled, turn
from puzzlemc.encodings.puzzlescript.planes.encoding import board
from puzzlemc.mc.rules.plain import Step
from puzzlemc.screens.puzzlescript.game import Game, Level

MOST_DRAWS = 4
EGGS = "P" + 13 * "E"  # 8,192 outcomes, if each of them is drawn


class Script:
    """Draws in a given order, and then each the first choice; `asked` has the numbers of choices."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = numbers
        self.asked = list[int]()

    def choose(self, choices: int) -> int:
        self.asked.append(choices)
        return self.numbers[len(self.asked) - 1] if len(self.asked) <= len(self.numbers) else 0


def after(made: Game, board: str, *numbers: int, movement: str = "") -> tuple[str, list[int]]:
    """The board after a turn with these draws, and the numbers of choices of all draws."""
    one, script = level(made, board), Script(*numbers)
    return shown(one, turn(one, one.cells, movement, choose=script.choose).cells), script.asked


def all_ends(one: Level, cells: Cells, given: str) -> Iterator[Outcome | None]:
    """Yield the ends of a turn for all draws, None in place of those after more than MOST_DRAWS draws."""
    waiting: list[tuple[int, ...]] = [()]
    for numbers in waiting:
        script = Script(*numbers)
        found = turn(one, cells, given, choose=script.choose)
        too_long = len(script.asked) > MOST_DRAWS
        yield None if too_long else found
        for at in range(len(numbers), min(len(script.asked), MOST_DRAWS)):
            before = (*numbers, *[0] * (at - len(numbers)))
            waiting += [(*before, number) for number in range(1, script.asked[at])]


class TestOrder:
    def test_the_object_is_drawn_before_the_direction(self) -> None:
        """Objects come in the order of the layers, not in that of the rule."""
        drawn = rule("right", "mark", "random fox random egg randomdir hen")
        made = game("egg fox / hen / mark / player", drawn)
        assert after(made, "... .M. ...", 0, 3) == ("... .EH ...", [2, 4])
        one = level(made, "... .M. ...")
        for number, cell in enumerate((1, 7, 3, 5)):  # up, down, left, right
            end = turn(one, one.cells, "", choose=Script(1, number).choose).cells
            assert "fox" in end[4]
            assert [at for at, here in enumerate(end) if "hen" in here] == [cell]

    def test_each_cell_of_each_application_draws(self) -> None:
        made = game("egg hen fox dog", rule("right", "egg | egg", "random hen random fox | random hen random dog"))
        assert after(made, "EEEE", 1, 0, 0, 1) == ("FHHD", [2, 2, 2, 2])
        assert after(made, "EEE", 1, 1) == ("FDE", [2, 2]), "the second match does not hold any more"

    def test_the_matches_of_a_random_group_are_listed_by_rules(self) -> None:
        drawn = (
            rule("right", "egg", "hen", group=1, random=True),
            rule("right", "fox", "random hen random dog", group=1),
        )
        made = game("egg hen fox dog", *drawn)
        assert after(made, "FEE", 1) == ("FEH", [3])
        assert after(made, "FEE", 2, 1) == ("DEE", [3, 2])
        assert after(made, "..") == ("..", [])

    def test_of_two_rows_the_match_of_the_first_varies_fastest(self) -> None:
        made = game("egg hen fox dog", rule("right", "egg ; fox", "hen ; dog", random=True))
        assert after(made, "EEFF", 1) == ("EHDF", [4])

    def test_a_dry_round_is_drawn_before_a_further_one(self) -> None:
        made = game(
            "egg hen fox",
            rule("right", "egg", "hen", commands="again"),
            rule("right", "hen", "random hen random fox"),
        )
        # The coin of the first round leaves the hen. A dry round does so, too: the turn ends.
        assert after(made, "E", 0, 0) == ("H", [2, 2])
        # A dry round changes it, and does so in vain: the round that is played leaves it.
        assert after(made, "E", 0, 1, 0) == ("H", [2, 2, 2])


class TestEnds:
    def test_wins_and_restarts(self) -> None:
        made = game(
            "egg hen fox dog",
            rule("right", "egg", "random hen random fox random dog"),
            rule("right", "fox", commands="restart"),
            wins=[win("some", "hen")],
        )
        one = level(made, "E")
        ends = [turn(one, one.cells, "", choose=Script(number).choose).ending for number in range(3)]
        assert ends == [Ending.WON, Ending.RESTARTED, Ending.SETTLED]

    def test_a_later_round_at_the_start_wins_also_if_it_draws_that_nothing_changes(self) -> None:
        made = game(
            "egg hen fox",
            rule("right", "egg", "hen", commands="again"),
            rule("right", "hen", "random hen random fox"),
            wins=[win("some", "hen")],
        )
        one = level(made, "E")
        ends = {
            numbers: turn(one, one.cells, "", begins=True, choose=Script(*numbers).choose).ending
            for numbers in ((0, 0), (0, 1, 0), (0, 1, 1))
        }
        assert ends == {(0, 0): Ending.SETTLED, (0, 1, 0): Ending.WON, (0, 1, 1): Ending.SETTLED}

    def test_rigid_rules_draw_again(self) -> None:
        coin = rule("right", "egg", "random hen random egg")
        rigid = rule("right", "right player | hen", "right player | right hen", rigid=True)
        made = game("player hen egg wall", coin, rigid)
        assert after(made, "PEW", 0, 1, movement="right") == ("PEW", [2, 2])

    def test_random_games_end_in_their_outcomes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """All draws together lead to all outcomes, and others to some of them."""
        monkeypatch.setattr(drawing, "MOST_WORK", 5_000)
        seen = Counter[str]()

        @settings(max_examples=examples(60, 1_500), deadline=None, suppress_health_check=list(HealthCheck))
        @given(levels(4, has_chance=True))
        def run(one: Level) -> None:
            reached = [one.cells] if board(one).compilation.drawing else []  # else nothing is ever drawn
            for cells in islice(reached, 2):  # more come on the way
                for name in moves(one.game):
                    reached += [each for each in compare(one, cells, movement(name), seen) if each not in reached]

        run()
        assert seen["all"] > examples(5, 150)
        assert seen["some"] > examples(2, 80)


class TestNames:
    def test_an_outcome_of_too_many_is_named_by_its_seed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(drawing, "MOST_WORK", 50_000)
        one = level(game("player / egg hen fox", rule("right", "egg", "random hen random fox")), EGGS)
        start = RULES.start(one)
        with pytest.raises(TooManyDraws):
            list(RULES.steps(one, start))
        names = {pick(one, start, "action") for _ in range(4)}
        assert all(name.startswith("action:seed") for name in names)
        assert len({step_of(one, start, name).position for name in names}) > 1
        for name in names:
            step = step_of(one, start, name)
            assert step == step_of(one, start, name) == Step(name, step.position, {"turns": 1})
            assert sorted(set(board_of(one, step))) == ["F", "H", "P"]
            again = [None if each is None else each.position for each in play(one, [name, "undo", name])]
            assert again == [step.position, start, step.position]
            (_, nothing) = play(one, [name, f"left:{name.partition(':')[2]}"])
            assert nothing == Step(f"left:{name.partition(':')[2]}", step.position, {"turns": 0})
        assert say(one, "right:seed17") == "go right, drawn from the seed 17"
        hand = by_hand.BY_HAND.press(one, start, None, "right")
        assert hand is not None
        assert hand[1].startswith("right:seed")

    def test_so_is_a_first_board(self) -> None:
        coin = rule("right", "egg", "random hen random fox")
        one = level(game("player / egg hen fox", coin, run_rules_on_level_start=True), EGGS)
        start = RULES.start(one)
        name = pick(one, start, "right")
        assert name.startswith("start:seed")
        step = step_of(one, start, name)
        assert (step.position.begun, step.costs) == (True, {"turns": 0})
        assert RULES.reply(one, step.position, name) is None
        assert RULES.reply(one, start, "right:seed17") is None

    def test_a_seed_draws_the_same_everywhere(self) -> None:
        one = level(game("player / egg hen fox", rule("right", "egg", "random hen random fox")), "PEEEEEE")
        assert board_of(one, step_of(one, RULES.start(one), "action:seed17")) == "PFFFHFF"
        wrong = ("seed", "seed017", "seed-1", "seed²", "17seed", "seed1.5", "", "seed" + 19 * "1")
        assert [RULES.reply(one, RULES.start(one), f"action:{name}") for name in wrong] == [None] * len(wrong)


def step_of(one: Level, position: Any, name: str) -> Any:
    """The step of that name."""
    found = RULES.reply(one, position, name)
    assert found is not None
    return found


def board_of(one: Level, step: Any) -> str:
    """The board after a step."""
    return shown(one, step.position.cells)


def compare(one: Level, cells: Cells, given: str, seen: Counter[str]) -> set[Cells]:
    """Compare the ends of a turn by all draws with its outcomes. Returns the boards on which the level goes on."""
    try:
        listed = outcomes(one, cells, given)
        if listed.stuck:
            return set()
        ends = list(all_ends(one, cells, given))
    except (TooManyDraws, Unsettled):
        return set()
    known = [end for end in ends if end is not None]
    settled = {end.cells for end in known if end.ending is Ending.SETTLED}
    won = {end.cells for end in known if end.ending is Ending.WON}
    restarted = any(end.ending is Ending.RESTARTED for end in known)
    found = settled, won, restarted
    expected = set(listed.settled), set(listed.won), listed.restarted
    if len(known) == len(ends):
        assert found == expected
        seen["all"] += len(ends) > 1
    else:
        assert settled <= expected[0]
        assert won <= expected[1]
        assert restarted <= listed.restarted
        seen["some"] += 1
    return settled
