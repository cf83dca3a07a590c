"""The outcomes of turns with chance by compiled sets of states, compared with those that the plain rules list."""

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from random_games import levels
from small_games import game, level, rule, win

from examples import examples
from puzzlemc.encodings.puzzlescript.domain import drawing
from puzzlemc.encodings.puzzlescript.domain.chance import CHANCE
from puzzlemc.encodings.puzzlescript.domain.chances import PROCESS
from puzzlemc.encodings.puzzlescript.domain.drawing import TooManyDraws
from puzzlemc.encodings.puzzlescript.domain.outcomes import starts
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES, positions
from puzzlemc.encodings.puzzlescript.domain.turn import Unsettled
from puzzlemc.encodings.puzzlescript.drawn import SEARCH, WEIGHTED
from puzzlemc.encodings.puzzlescript.draws import drawn_turns
from puzzlemc.encodings.puzzlescript.draws.drawn_turns import DrawnTurns
from puzzlemc.encodings.puzzlescript.planes.encoding import board
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.games.lucky import lucky
from puzzlemc.mc.games.surely import surely
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.plain import replay
from puzzlemc.screens.puzzlescript.game import Level

MOST_TURNS = 40  # of a level


def compare(one: Level, seen: Counter[str], most: int = MOST_TURNS) -> None:
    """Compare the first boards of a level, and this many turns from the first positions in reach."""
    turns = DrawnTurns(one)
    try:
        begun = starts(one)
    except LimitReached:
        seen["limits"] += 1
        return
    wanted = positions(begun)
    assert turns.hangs == begun.stuck
    if not wanted:
        with pytest.raises(Unsettled):
            assert turns.first
        return
    assert turns.first == wanted
    reached, count = list(wanted), 0
    for position in reached:
        for name in CHANCE.inputs(one):
            if position.won or count == most:
                continue
            count += 1
            try:
                plain = CHANCE.turn(one, position, name)
            except LimitReached:
                seen["limits"] += 1
                continue
            found = turns.turn(position, name)
            assert (list(found.steps), found.restarts, found.stuck) == (
                list(plain.steps),
                plain.restarts,
                plain.stuck,
            )
            if len(found.steps) > 1 and count % 4 == 0:
                assert WEIGHTED.after(one, position, name) == PROCESS.after(one, position, name)
                seen["weighted"] += 1
            seen["drawn"] += len(found.steps) > 1
            seen["fails"] += found.fails
            reached += [step.position for step in found.steps if step.position not in reached]


class TestAgainstThePlainRules:
    def test_random_games(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(drawing, "MOST_WORK", 20_000)
        seen = Counter[str]()

        @settings(max_examples=examples(100, 4_000), deadline=None, suppress_health_check=list(HealthCheck))
        @given(levels(4, has_chance=True))
        def run(one: Level) -> None:
            if board(one).compilation.drawing:  # else nothing is ever drawn
                compare(one, seen)

        run()
        assert seen["drawn"] > examples(40, 2_000)
        assert seen["fails"]
        assert seen["weighted"] > examples(8, 400)
        assert seen["limits"] < seen["drawn"]

    def test_restarts_that_draw(self) -> None:
        """A restart wins if the first round, which draws anew, holds the win conditions."""
        made = game(
            "player / egg hen fox",
            rule("right", "egg", "random hen random fox"),
            rule("right", "action player", commands="restart"),
            run_rules_on_level_start=True,
            wins=[win("some", "hen")],
        )
        one = level(made, "PE")
        turns = DrawnTurns(one)
        (fox,) = [each for each in turns.first if "fox" in each.cells[1]]
        found = turns.turn(fox, "action")
        assert found.restarts
        assert [step.position.won for step in found.steps] == [True]
        compare(one, Counter())

    def test_what_a_pass_changes_is_kept_over_passes_of_other_draws(self) -> None:
        """The passes of a group go on from each state that was changed, until they repeat, and loops with them."""
        group = {"group": 1}
        made = game(
            "player / egg hen fox / mark",
            rule("right", "egg | egg", "random egg random hen | random egg random fox", **group),
            rule("right", "hen | no mark", "fox | mark", **group),
            rule("right", "fox", "egg", random=True),
            loops=((0, 1),),
            signs={"E": "egg"},
        )
        seen = Counter[str]()
        compare(level(made, "PEE. .EE."), seen, 10)  # the plain rules take a fifth of a second for each
        assert seen["drawn"]


class TestTwoObjectsOfALayer:
    """An object that is drawn beside one of its layer comes into its cell, too, as in the original."""

    def test_both_go_on_together_and_block_others(self) -> None:
        made = game(
            "player / hen fox wall",
            rule("right", "right player | hen", "right player | right hen random fox"),
            rule("right", "hen | wall", "hen |"),
            wins=[win("all", "hen", "fox")],
        )
        one = level(made, "PH.W")
        turns = DrawnTurns(one)
        (step,) = turns.turn(turns.first[0], "right").steps
        assert [here & {"hen", "fox"} for here in step.position.cells] == [set(), set(), {"hen", "fox"}, set()]
        assert step.position.won
        compare(one, Counter())

    def test_an_object_that_only_an_other_one_of_its_layer_takes_along_or_removes_is_not_constant(self) -> None:
        """No rule names the fox as what it moves or removes: a cell with a hen may have it."""
        made = game(
            "player / hen fox / mark",
            rule("right", "action player | hen", "player | hen random hen random fox"),
            rule("right", "right player | hen", "right player | right hen"),
            rule("right", "hen mark", "mark"),
            signs={"M": "mark"},
            wins=[win("some", "fox", "mark")],
        )
        either = game(
            "player / hen fox",
            rule("right", "action player | bird", "player | hen random fox"),
            properties={"bird": "hen fox"},
        )
        compare(level(either, "PH.F"), Counter())
        for row in ("PH.F", "PH..M", "PHM.F", "PHM"):
            seen = Counter[str]()
            compare(level(made, row), seen)
            assert seen["drawn"]

    def test_a_movement_that_a_cell_states_is_kept_beside_what_is_drawn(self) -> None:
        made = game(
            "player / hen fox",
            rule("right", "action player | bird", "player | right bird random hen random fox"),
            properties={"bird": "hen fox"},
        )
        seen = Counter[str]()
        compare(level(made, "PH."), seen)
        assert seen["drawn"]


COINS = game("player / egg hen fox", rule("right", "action player ; egg", "action player ; random hen random fox"))


class TestLimits:
    def test_too_many_outcomes(self) -> None:
        """A million outcomes are a limit; other turns of the level are known before and after."""
        one = level(COINS, "P...... EEEEEEE EEEEEEE EEEEEE.")
        turns = DrawnTurns(one)
        (start,) = turns.first
        for _ in range(2):
            with pytest.raises(TooManyDraws, match="the rule of line 100 draws more than can be listed"):
                turns.turn(start, "action")
            assert len(turns.turn(start, "right").steps) == 1

    def test_too_much_work(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one = level(COINS, "PEEEE")
        turns = DrawnTurns(one)
        assert len(turns.turn(turns.first[0], "action").steps) == 16
        monkeypatch.setattr(drawn_turns, "MOST_WORK", 1_000)
        turns = DrawnTurns(one)
        with pytest.raises(TooManyDraws, match="line 100"):
            turns.turn(turns.first[0], "action")

    def test_room_grows_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Also after a turn with too many outcomes, there is room for those with more than a few."""
        monkeypatch.setattr(drawn_turns, "FEW_STATES", 64)
        monkeypatch.setattr(drawn_turns, "MOST_STATES", 1 << 11)
        one = level(COINS, f"P{12 * 'E'}")
        turns = DrawnTurns(one)
        with pytest.raises(TooManyDraws):
            turns.turn(turns.first[0], "action")
        (egg,) = {here for here in one.cells if "egg" in here}
        for eggs in (9, 3):
            cells = (*one.cells[: 1 + eggs], *[here - egg | {"ground"} for here in one.cells[1 + eggs :]])
            assert len(turns.turn(Position(cells, won=False), "action").steps) == 2**eggs
            turns = DrawnTurns(one)

    def test_too_little_room(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(drawn_turns, "MOST_BYTES", 1)
        turns = DrawnTurns(level(COINS, "PEEEEE"))
        assert len(turns.turn(turns.first[0], "action").steps) == 32
        turns = DrawnTurns(level(COINS, "PEEEEEEE"))
        with pytest.raises(TooManyDraws, match="line 100"):
            turns.turn(turns.first[0], "action")

    def test_too_many_first_boards(self) -> None:
        coin = rule("right", "egg", "random hen random fox")
        made = game("player / egg hen fox", coin, run_rules_on_level_start=True)
        with pytest.raises(TooManyDraws):
            assert DrawnTurns(level(made, "P....... EEEEEEEE EEEEEEEE")).first


# A fox walks by chance and eats the player, a hen hatches or not, and the player is to stand on a mark.
FARM = game(
    "player fox wall egg hen / mark",
    rule("right", "right player | egg", "right player | random egg random hen"),
    rule("right", "right player | hen", "right player | right hen"),
    rule("right", "fox | no thing no player", "| fox", group=1, late=True, random=True),
    rule("right", "no thing no player | fox", "fox |", group=1, late=True),
    rule("right", "fox | player", "fox |", late=True),
    properties={"thing": "player fox wall egg hen"},
    signs={"M": "mark"},
    wins=[win("some", "player", "mark")],
)


class TestSearch:
    def test_the_answers_are_those_of_the_plain_rules(self) -> None:
        seen = Counter[str]()
        chosen = Random(0)
        for _ in range(examples(40, 400)):
            signs = "".join(chosen.choices(".....EEHHF", k=8))
            one = level(FARM, f"P{signs[:3]} {signs[3:7]} {signs[7]}M..")
            for find in (lucky, surely):
                plain, found = find(CHANCE, one, Budget()), find(SEARCH, one, Budget())
                assert found == plain
                if found.moves is not None:
                    replay(RULES, one, found.moves, ["turns"])
                    seen[find.__name__] += any(":" in name for name in found.moves)
        assert min(seen["lucky"], seen["surely"]) > 2
