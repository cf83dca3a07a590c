"""Turns with chance: the sets of their outcomes by the plain rules, and what can be won."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from places import ROOT
from random_games import levels
from small_games import game, level, rule, shown, win

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.puzzlescript.cells import encoding as by_cells
from puzzlemc.encodings.puzzlescript.domain import drawing
from puzzlemc.encodings.puzzlescript.domain.chance import CHANCE
from puzzlemc.encodings.puzzlescript.domain.drawing import TooManyDraws
from puzzlemc.encodings.puzzlescript.domain.inputs import play
from puzzlemc.encodings.puzzlescript.domain.moves import pick, refusal
from puzzlemc.encodings.puzzlescript.domain.outcomes import Outcomes, outcomes, starts
from puzzlemc.encodings.puzzlescript.domain.position import MOVES, TICK, Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES, positions
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, Unsettled, turn
from puzzlemc.encodings.puzzlescript.drawn import chance
from puzzlemc.encodings.puzzlescript.draws.drawn_turns import DrawnTurns
from puzzlemc.encodings.puzzlescript.planes.encoding import Board, planes, relevant_planes
from puzzlemc.encodings.puzzlescript.pruned import pruned_planes
from puzzlemc.mc.errors import Refuted, Unsuitable
from puzzlemc.mc.games.lucky import lucky
from puzzlemc.mc.games.surely import surely
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.verdict import Reachable
from puzzlemc.screens.puzzlescript.game import Game, Level

SHARED = ROOT.parent / "shared" / "puzzlescript"


def of(made: Game, board: str, movement: str = "", *, begins: bool = False) -> Outcomes:
    """The outcomes by the plain rules, and also by compiled turns."""
    one = level(made, board)
    found = outcomes(one, one.cells, movement, begins=begins)
    if not begins:
        after = DrawnTurns(one).turn(Position(one.cells, won=False), movement or TICK)
        assert tuple(step.position for step in after.steps) == positions(found)
        assert (after.restarts, after.stuck) == (found.restarted, found.stuck)
    return found


def boards(made: Game, board: str, movement: str = "", *, begins: bool = False) -> set[str]:
    """The boards on which the level goes on, if nothing else may come of the turn."""
    found = of(made, board, movement, begins=begins)
    assert (found.won, found.restarted, found.stuck) == ((), False, False)
    return {shown(level(made, board), cells) for cells in found.settled}


class TestDraws:
    def test_a_random_group_applies_one_match_once(self) -> None:
        made = game("egg hen", rule("right", "egg", "hen", random=True))
        assert boards(made, "EE.E") == {"HE.E", "EH.E", "EE.H"}
        assert boards(made, "..") == {".."}

    def test_one_match_of_all_rules_of_the_group_is_drawn_with_its_commands(self) -> None:
        drawn = (
            rule("right", "egg", "hen", group=1, random=True),
            rule("right", "hen", "fox", group=1, commands="cancel"),
            rule("right", "fox", group=1),
        )
        assert boards(game("egg hen fox", *drawn), "EH") == {"HH", "EH"}
        assert boards(game("egg hen fox", *drawn), "EF") == {"HF", "EF"}

    def test_one_of_the_random_objects_of_a_cell_comes(self) -> None:
        """Each application draws for itself; the drawn object takes the place of its layer."""
        made = game("egg hen fox / mark", rule("right", "mark", "mark random egg random hen", late=True))
        made_once = game("egg hen / mark", rule("right", "mark", "random egg random hen"))
        assert boards(made_once, "MM") == {"EE", "EH", "HE", "HH"}
        both = game("egg hen fox / mark", rule("right", "fox mark", "mark random egg random hen"), signs={})
        one = level(both, "F")
        cells = (one.cells[0] | {"mark"},)
        assert {frozenset(after[0]) - {"ground"} for after in outcomes(one, cells, "").settled} == {
            frozenset(("egg", "mark")),
            frozenset(("hen", "mark")),
        }
        # In an ordinary group, a pass that draws what is there ends it: any of both may be last.
        found = outcomes(level(made, "M"), level(made, "M").cells, "").settled
        assert {next(iter(after[0] & {"egg", "hen"})) for after in found} == {"egg", "hen"}

    def test_a_drawn_object_stands(self) -> None:
        """The movement of its layer goes, unless the right side states one."""
        stands = game("player cat dog", rule("right", "right player", "random cat random dog"))
        assert boards(stands, "P.", "right") == {"C.", "D."}

    def test_a_random_direction(self) -> None:
        made = game("egg", rule("right", "stationary egg", "randomdir egg"))
        assert boards(made, "... .E. ...") == {
            ".E. ... ...",
            "... E.. ...",
            "... ..E ...",
            "... ... .E.",
        }
        assert boards(made, "EE") == {"EE"}

    def test_passes_draw_again_until_nothing_changes(self) -> None:
        """A hen becomes a fox at some time, or the draw leaves it; an egg is drawn again and again."""
        made = game("egg hen fox", rule("right", "egg", "random egg random hen"), rule("right", "hen", "fox"))
        assert boards(made, "EE") == {"EE", "EF", "FE", "FF"}

    def test_loops_draw_again(self) -> None:
        once = rule("right", "egg", "hen", random=True)
        assert boards(game("egg hen", once, loops=((0, 0),)), "EEE") == {"HHH"}
        walks = (
            rule("right", "egg |", "| egg", group=1, random=True),
            rule("right", "| egg", "egg |", group=1, random=True),
        )
        # The group is visited at most 201 times, an odd number of steps.
        assert boards(game("egg", *walks, loops=((0, 0),)), "E...") == {".E..", "...E"}

    def test_a_match_that_a_draw_has_spoilt_is_not_applied(self) -> None:
        made = game("egg hen", rule("right", "egg | egg", "random egg random hen | egg"))
        assert boards(made, "EEE") == {"EEE", "HEE", "EHE", "HHE"}

    def test_rigid_rules_draw_again(self) -> None:
        """The movement that fails bans the group: the round begins anew without it, and the coin is drawn anew."""
        coin = rule("right", "egg", "random egg random hen")
        rigid = rule("right", "right player | hen", "right player | right hen", rigid=True)
        made = game("player hen egg wall", coin, rigid)
        assert boards(made, "PE.", "right") == {"PE.", ".PH"}
        assert boards(made, "PEW", "right") == {"PEW", "PHW"}


class TestTurns:
    def test_again_may_settle_where_a_dry_round_does_nothing(self) -> None:
        made = game("egg hen", rule("right", "egg", "hen", commands="again", random=True))
        assert boards(made, "EE") == {"HH"}
        some = game(
            "egg hen fox",
            rule("right", "egg", "hen", commands="again"),
            rule("right", "hen", "random hen random fox"),
        )
        assert boards(some, "E") == {"H", "F"}

    def test_a_circle_with_a_way_out_ends(self) -> None:
        made = game(
            "egg hen fox / mark",
            rule("right", "hen", "egg mark", commands="again"),
            rule("right", "egg no mark", "random hen random fox", commands="again"),
            rule("right", "mark", "", late=True),
        )
        found = of(made, "E")
        assert not found.stuck
        assert {shown(level(made, "E"), cells) for cells in found.settled} == {"F"}

    def test_a_circle_without_a_way_out_is_stuck(self) -> None:
        flips = (
            rule("right", "hen", "nest", commands="again"),
            rule("right", "egg", "hen", commands="again"),
            rule("right", "nest", "egg"),
        )
        drawn = rule("right", "fox", "random egg random dog")
        made = game("egg hen nest fox dog", drawn, *flips)
        assert of(made, "F").stuck
        assert {shown(level(made, "F"), cells) for cells in of(made, "F").settled} == {"D"}

    def test_wins_and_restarts_are_outcomes(self) -> None:
        made = game(
            "egg hen fox dog",
            rule("right", "egg", "random hen random fox random dog"),
            rule("right", "fox", commands="restart"),
            wins=[win("some", "hen")],
        )
        found = of(made, "E")
        assert [shown(level(made, "E"), cells) for cells in found.won] == ["H"]
        assert [shown(level(made, "E"), cells) for cells in found.settled] == ["D"]
        assert found.restarted

    def test_the_start_is_drawn(self) -> None:
        coin = rule("right", "egg", "random hen random fox")
        made = game("player / egg hen fox", coin, run_rules_on_level_start=True, wins=[win("some", "hen")])
        one = level(made, "PE")
        assert {shown(one, cells) for cells in starts(one).settled} == {"PH", "PF"}
        assert [step.name for step in RULES.steps(one, RULES.start(one))] == ["start:1", "start:2"]
        assert pick(one, RULES.start(one), "right") in ("start:1", "start:2")
        assert refusal(one, RULES.start(one), "right").endswith("expected one of start")

    def test_a_later_round_at_the_start_wins_also_if_it_draws_that_nothing_changes(self) -> None:
        """The first round wins nothing. The dry round may change the hen, and then the round is drawn anew."""
        made = game(
            "player / egg hen fox",
            rule("right", "egg", "hen", commands="again"),
            rule("right", "hen", "random hen random fox"),
            run_rules_on_level_start=True,
            wins=[win("some", "hen")],
        )
        one = level(made, "PE")
        found = starts(one)
        assert {shown(one, cells) for cells in found.settled} == {"PH", "PF"}
        assert [shown(one, cells) for cells in found.won] == ["PH"]

    def test_too_many_outcomes_are_a_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = game("egg hen", rule("right", "egg", "random egg random hen"))
        assert len(of(made, 5 * "E").settled) == 32
        monkeypatch.setattr(drawing, "MOST_STATES", 30)
        with pytest.raises(TooManyDraws, match="the rule of line 100 draws more than can be listed"):
            of(made, 5 * "E")
        monkeypatch.setattr(drawing, "MOST_STATES", 100)
        monkeypatch.setattr(drawing, "MOST_WORK", 100)
        with pytest.raises(TooManyDraws):
            of(made, 5 * "E")

    @settings(max_examples=examples(40, 200), deadline=None, suppress_health_check=list(HealthCheck))
    @given(levels())
    def test_without_chance_there_is_the_one_outcome(self, one: Level) -> None:
        for movement in ("", *MOVES):
            found = outcomes(one, one.cells, movement)
            try:
                ending, after, _ = turn(one, one.cells, movement)
            except Unsettled:
                continue
            assert found == Outcomes(
                (after,) if ending is Ending.SETTLED else (),
                (after,) if ending is Ending.WON else (),
                ending is Ending.RESTARTED,
                ending is Ending.STUCK,
            )


# The action throws a coin; with a head, the player may step on the mark that appears.
COIN = game(
    "player wall / head tail",
    rule("right", "action player | tail", "player | random head random tail"),
    wins=[win("some", "player", "head")],
    signs={"T": "tail"},
)


class TestSearch:
    def test_a_lucky_player_and_a_sure_one(self) -> None:
        one = level(COIN, "PTW")
        found = lucky(CHANCE, one, Budget())
        assert (found.turns, found.bound, found.reason) == (2, 2, None)
        assert found.moves == ["action:1", "right"]
        unsure = surely(CHANCE, one, Budget())
        assert (unsure.moves, unsure.reason) == (None, None)

    def test_a_strategy_against_the_worst_draw(self) -> None:
        """Wherever the egg jumps to, the player is beside it."""
        made = game(
            "player egg / hen",
            rule("right", "action player ; egg", "player ; random hen"),
            rule("right", "action player ; egg |", "player ; | egg", random=True),
            wins=[win("some", "hen")],
        )
        found = surely(CHANCE, level(made, "PE."), Budget())
        assert (found.turns, found.bound) == (1, 1)
        assert found.moves is not None
        assert [name.partition(":")[0] for name in found.moves] == ["action"]

    def test_no_strategy_is_sure_of_a_level_that_may_never_begin(self) -> None:
        """The start draws a dog, or an egg from which `again` goes on for ever."""
        flips = (
            rule("right", "hen", "nest", commands="again"),
            rule("right", "egg", "hen", commands="again"),
            rule("right", "nest", "egg"),
        )
        made = game(
            "player / egg hen nest fox dog",
            rule("right", "fox", "random egg random dog"),
            *flips,
            rule("right", "right player |", "| player"),
            run_rules_on_level_start=True,
            wins=[win("some", "player", "dog")],
        )
        one = level(made, "PF")
        assert lucky(CHANCE, one, Budget()).moves == ["right"]
        unsure = surely(CHANCE, one, Budget())
        assert (unsure.moves, unsure.reason) == (None, None)

    def test_names_of_outcomes(self) -> None:
        one = level(COIN, "PTW")
        start = RULES.start(one)
        assert [step.name for step in RULES.steps(one, start)] == ["right", "action:1"]
        sampled = RULES.reply(one, start, "action")
        assert sampled is None or sampled == RULES.reply(one, start, "action:1")._replace(name="action")
        assert refusal(one, start, "action") == "found 'action', expected its outcome, action:1"
        assert list(play(one, ["action"])) == [None]
        steps = list(play(one, ["action:2", "action:1", "undo", "action:1", "right"]))
        assert [step is not None and step.costs["turns"] for step in steps] == [0, 1, 0, 1, 1]
        assert pick(one, start, "action") == "action:1"

    def test_what_draws_is_no_model(self) -> None:
        one = level(COIN, "PTW")
        known = chance(one)
        assert known is not None
        assert known.decides
        for encode in (planes, relevant_planes, pruned_planes):
            with pytest.raises(Unsuitable, match="draws by chance"):
                encode(one)
        for reading in (Board(one).turn, partial(by_cells.turn, one), partial(turn, one)):
            with pytest.raises(Unsuitable, match="several outcomes"):
                reading(one.cells, "action")
            assert reading(one.cells, "right").ending is Ending.SETTLED

    def test_without_an_object_to_draw_from_a_level_is_as_without_chance(self) -> None:
        one = level(COIN, "P.W")
        assert chance(one) is None
        assert planes(one).model.actions
        assert pruned_planes(one).model.actions


# Two colours of grass are drawn at the start, and again where the player goes.
GRASS = (
    rule("right", "ground no grass no weed", "ground random grass random weed"),
    rule("right", "player grass", "player random grass random weed", random=True),
)
PUSH = rule("right", "right player | crate", "right player | right crate")


def meadow(*more: Any, **options: Any) -> Game:
    return game(
        "player crate wall / grass weed / target",
        PUSH,
        *GRASS,
        *more,
        signs={"O": "target"},
        wins=[win("all", "target", "crate")],
        run_rules_on_level_start=True,
        **options,
    )


class TestDecoration:
    def test_chance_that_decides_nothing_is_left_out(self) -> None:
        one = level(meadow(), "PC..O ..... .....")
        known = chance(one)
        assert known is not None
        assert not known.decides
        assert known.words == "chance decides only what is drawn: grass, weed"
        encoded = pruned_planes(one)
        found = breadth_first(encoded.model, "turns", Budget())
        assert isinstance(found, Reachable)
        assert encoded.moves(found.trace) == ["right"] * 3
        # The first boards are too many to list. The plain rules replay a sample of the draws.
        assert puzzle("puzzlescript").replay(one, encoded.moves(found.trace)).costs["turns"] == 3
        with pytest.raises(Refuted):
            puzzle("puzzlescript").replay(one, ["right"] * 2)

    @pytest.mark.parametrize(
        "more",
        [
            rule("right", "player weed", "weed"),  # grass kills
            rule("right", "player weed", commands="cancel"),
            rule("right", "weed", "grass", commands="again"),  # any change may add a round
            rule("right", "player weed", commands="restart"),
        ],
    )
    def test_chance_that_may_decide_is_kept(self, more: Any) -> None:
        known = chance(level(meadow(more), "PC..O"))
        assert known is not None
        assert known.decides
        known = chance(level(meadow(loops=((0, 1),)), "PC..O"))
        assert known is not None
        assert known.decides

    def test_a_rule_that_matters_makes_its_random_group_matter(self) -> None:
        moves = rule("right", "crate |", "| crate", group=7, random=True), rule("right", "grass", "weed", group=7)
        for drawn in (moves, moves[:1]):
            known = chance(level(game("player crate / grass weed", *drawn, wins=[win("no", "crate")]), "PCG"))
            assert known is not None
            assert known.decides
        known = chance(
            level(
                game("player crate / grass weed", *[replace(moves[1], random=True)], wins=[win("no", "crate")]),
                "PCG",
            )
        )
        assert known is not None
        assert not known.decides

    def test_a_restart_that_draws_wins_only_if_the_start_may(self) -> None:
        """A restart asks for the win after the first round of the level."""
        restart = rule("right", "left player", commands="restart")
        for board, wins in (("PC..O", False), ("P.X", True)):
            one = level(meadow(restart, players="player"), board.replace("X", "C"))
            if wins:
                one = replace(one, cells=(*one.cells[:-1], one.cells[-1] | {"target"}))
            found = breadth_first(pruned_planes(one).model, "turns", Budget())
            assert isinstance(found, Reachable)
            assert found.cost == (1 if wins else 3)


@pytest.fixture(scope="module")
def benchmark() -> Iterator[Any]:
    if not SHARED.is_dir():
        pytest.skip(f"the recorded answers are not here: {SHARED}")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        yield import_module("chance")


def compared(benchmark: Any, turns: str, part: int, counts: dict[str, int]) -> list[str]:
    return list(benchmark.compare_games(benchmark.TURNS[turns], SHARED / "random_chance.jsonl", part, counts))


@pytest.mark.corpus
@pytest.mark.parametrize("turns", ["plain", "fast"])
def test_some_random_games_are_won_as_with_the_original_engine(benchmark: Any, turns: str) -> None:
    counts = benchmark.Counter()
    assert compared(benchmark, turns, 43, counts) == []
    assert counts["games compared"] > 12


@pytest.mark.corpus
@pytest.mark.slow
def test_more_random_games_are_won_as_with_the_original_engine(benchmark: Any) -> None:
    """`benchmarks/chance.py` compares them all."""
    counts = benchmark.Counter()
    assert compared(benchmark, "fast", 5, counts) == []
    assert counts["games compared"] > 130


@pytest.mark.corpus
def test_boards_of_recorded_plays_are_outcomes(benchmark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "MOST_WORK", 30_000)  # it is slow work on large boards
    counts = benchmark.Counter()
    plays = benchmark.recorded_plays(SHARED / "chance_plays.jsonl.gz")
    short = [play for play in plays if len(play["inputs"]) < 14 and len(play["game"]) < 7000]
    found = list(benchmark.compare_plays(benchmark.plain, short, counts))
    assert [each for each in found if "more than can be listed" not in each] == []
    assert counts["turns compared"] > 10
