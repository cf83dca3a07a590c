"""Probabilities of what follows an input, by the plain rules."""

import json
from fractions import Fraction

import pytest
from places import ROOT
from small_games import game, level, rule, shown, win

from puzzlemc.encodings.puzzlescript.domain.chances import (
    AGAIN,
    PROCESS,
    RESTART,
    SECOND_START,
    START,
    STUCK,
    Node,
    Pending,
    after,
    following,
)
from puzzlemc.encodings.puzzlescript.domain.outcomes import Outcomes, outcomes, starts
from puzzlemc.encodings.puzzlescript.domain.position import Cells, Position, movement, moves
from puzzlemc.encodings.puzzlescript.domain.turn import Unsettled
from puzzlemc.encodings.puzzlescript.drawn import REACHABLE, WEIGHTED
from puzzlemc.mc.errors import LimitReached
from puzzlemc.screens.puzzlescript import parse
from puzzlemc.screens.puzzlescript.game import Game, Level

GAMES = ROOT.parent / "shared" / "puzzlescript" / "random_chance.jsonl"


def named(one: Level, node: Node) -> str:
    """A node for people: `again H`, `H` or, if it is won, `H!`."""
    if isinstance(node, Pending):
        return f"{node.kind} {shown(one, node.cells)}" if node.cells else node.kind
    return shown(one, node.cells) + "!" * node.won


def chances(made: Game, board: str, move: str = "tick", *, node: Node | None = None) -> dict[str, Fraction]:
    one = level(made, board)
    found = after(one, node or Position(one.cells, won=False), move)
    assert sum(found.values()) == 1
    return {named(one, each): Fraction(weight) for each, weight in found.items()}


def shares(text: str) -> dict[str, Fraction]:
    """Shares as text: `1/2 H, 1/2 F`."""
    pairs = (each.strip().split(" ", 1) for each in text.split(","))
    return {name: Fraction(share) for share, name in pairs}


def test_one_match_of_a_random_group_is_drawn() -> None:
    made = game("egg hen", rule("right", "egg", "hen", random=True))
    assert chances(made, "EE.E") == shares("1/3 HE.E, 1/3 EH.E, 1/3 EE.H")
    twice = rule("right", "egg", "hen", group=1, random=True), rule("right", "egg", "fox", group=1, random=True)
    assert chances(game("egg hen fox", *twice), "E") == shares("1/2 H, 1/2 F")


def test_equal_boards_have_the_sum_of_their_probabilities() -> None:
    same = (rule(way, "egg", "hen", group=1, random=True) for way in ("right", "left", "up"))
    made = game("egg hen fox", *same, rule("right", "egg", "fox", group=1, random=True))
    assert chances(made, "E") == shares("3/4 H, 1/4 F")


def test_each_cell_and_each_object_of_a_union_is_drawn_alike() -> None:
    made = game("egg hen fox / mark", rule("right", "mark", "random egg random hen random fox random egg"))
    assert chances(made, "M") == shares("1/3 E, 1/3 H, 1/3 F")
    assert set(chances(made, "MM").values()) == {Fraction(1, 9)}
    turns = game("egg", rule("right", "stationary egg", "randomdir egg"))
    assert chances(turns, ".E") == shares("1/4 E., 3/4 .E")


def test_passes_draw_again_until_nothing_changes() -> None:
    made = game("egg hen fox", rule("right", "egg", "random egg random hen"), rule("right", "hen", "fox"))
    assert chances(made, "EE") == shares("1/4 EE, 1/8 EF, 1/8 FE, 1/2 FF")
    coin = game("egg hen / mark", rule("right", "mark", "mark random egg random hen"), signs={"M": "mark"})
    found = after(level(coin, "M"), Position(level(coin, "M").cells, won=False), "tick")
    assert sorted(found.values()) == [Fraction(1, 2), Fraction(1, 2)]


def test_a_group_ends_after_200_passes() -> None:
    """A pass draws an egg or a fox; with a fox, nothing changes any more."""
    walks = rule("right", "egg", "hen", group=1), rule("right", "hen", "random egg random fox", group=1)
    assert chances(game("egg hen fox", *walks), "E") == {
        "F": 1 - Fraction(1, 2**200),
        "E": Fraction(1, 2**200),
    }


def test_loops_draw_again() -> None:
    walks = (
        rule("right", "egg |", "| egg", group=1, random=True),
        rule("right", "| egg", "egg |", group=1, random=True),
    )
    found = chances(game("egg", *walks, loops=((0, 0),)), "E...")
    assert found[".E.."] == Fraction(2, 3) - found["...E"] + Fraction(1, 3)
    assert abs(found["...E"] - Fraction(1, 3)) < Fraction(1, 2**200)


def test_rigid_rules_draw_again() -> None:
    coin = rule("right", "egg", "random egg random hen")
    rigid = rule("right", "right player | hen", "right player | right hen", rigid=True)
    made = game("player hen egg wall", coin, rigid)
    assert chances(made, "PE.", "right") == shares("1/2 PE., 1/2 .PH")
    assert chances(made, "PEW", "right") == shares("3/4 PEW, 1/4 PHW")


def test_again_draws_for_a_dry_round_and_for_the_round() -> None:
    made = game(
        "egg hen fox",
        rule("right", "egg", "hen", commands="again"),
        rule("right", "hen", "random hen random fox"),
    )
    assert chances(made, "E") == shares("1/4 H, 1/4 again H, 1/2 F")
    node = Pending(AGAIN, level(made, "H").cells)
    assert chances(made, "E", node=node) == shares("1/2 H, 1/2 F")


def test_wins_and_restarts() -> None:
    made = game(
        "egg hen fox dog",
        rule("right", "egg", "random hen random fox random dog"),
        rule("right", "fox", commands="restart"),
        wins=[win("some", "hen")],
    )
    assert chances(made, "E") == shares("1/3 H!, 1/3 restart, 1/3 D")
    assert chances(made, "E", node=START) == chances(made, "E", node=RESTART) == shares("1 E")


def test_a_restart_wins_at_once_where_the_start_does_not() -> None:
    coin = rule("right", "egg", "random hen random fox")
    made = game("player / egg hen fox", coin, run_rules_on_level_start=True, wins=[win("some", "hen")])
    assert chances(made, "PE", node=START) == shares("1/2 PH, 1/2 PF")
    assert chances(made, "PE", node=RESTART) == shares("1/2 PH!, 1/2 PF")


def test_a_first_round_restarts_the_level_once() -> None:
    """The second start draws anew, and its restart does nothing."""
    made = game(
        "player / egg hen fox",
        rule("right", "egg", "random hen random fox"),
        rule("right", "hen", commands="restart"),
        run_rules_on_level_start=True,
    )
    assert chances(made, "PE", node=START) == shares("1/2 second start, 1/2 PF")
    assert chances(made, "PE", node=SECOND_START) == chances(made, "PE", node=RESTART) == shares("1/2 PH, 1/2 PF")
    assert chances(made, "PH") == shares("1 restart")


def test_where_a_checkpoint_leads_to_is_not_known() -> None:
    rules = rule("right", "hen", commands="restart"), rule("right", "fox", commands="checkpoint")
    made = game("egg hen fox", rule("right", "egg", "random hen random fox"), *rules)
    assert chances(made, "E") == shares("1/2 restart, 1/2 F")
    with pytest.raises(Unsettled, match="checkpoint"):
        after(level(made, "E"), RESTART, "")


def ends(one: Level, first: dict[Node, Fraction | int]) -> Outcomes:
    """The ends of a turn, from the nodes after its first round."""
    nodes = list(first)
    for node in nodes:
        if isinstance(node, Pending) and node.kind == AGAIN:
            nodes += [each for each in following(one, node, "", weighs=False) if each not in nodes]
    settled, won = (
        tuple(each.cells for each in nodes if isinstance(each, Position) and each.won == is_won)
        for is_won in (False, True)
    )
    return Outcomes(settled, won, RESTART in nodes, False)


def certain(one: Level, first: dict[Node, Fraction | int]) -> list[dict[Node, Fraction | int]]:
    """What follows a turn, also after one, two, … rounds in which nothing is drawn."""
    found = [first]
    while len(found) < 500 and len(found[-1]) == 1 and isinstance(node := next(iter(found[-1])), Pending):
        found.append(after(one, node, ""))
    return found


def test_compiled_turns_restart_and_are_stuck() -> None:
    made = game(
        "player / egg hen nest fox dog",
        rule("right", "left player", commands="restart"),
        rule("right", "up player ; dog", "player ; hen"),
        rule("right", "hen", "nest", commands="again"),
        rule("right", "egg", "hen", commands="again"),
        rule("right", "nest", "egg"),
        rule("right", "action player ; dog", "player ; random fox random dog"),
        wins=[win("some", "fox")],
    )
    one = level(made, "PD")
    given = Position(one.cells, won=False)
    for process in (WEIGHTED, REACHABLE):
        assert process.after(one, given, "left") == {RESTART: 1}
        assert process.after(one, given, "up") == {STUCK: 1}
        assert process.after(one, given, "down") == {given: 1}
        assert process.after(one, RESTART, "") == {given: 1}
        assert process.after(one, STUCK, "") == {STUCK: 1}
    assert set(WEIGHTED.after(one, given, "action").values()) == {Fraction(1, 2)}
    assert set(REACHABLE.after(one, given, "action").values()) == {1}


def test_a_restart_that_wins_is_a_step_of_its_own() -> None:
    """The compiled turn ends with a win before the restart; it is another position than the one after it."""
    made = game(
        "player fox dog",
        rule("right", "down player | dog", commands="restart"),
        rule("right", "action player", "random fox random dog"),
        wins=[win("no", "fox")],
    )
    one = level(made, "PD")
    given = Position(one.cells, won=False)
    assert WEIGHTED.after(one, given, "down") == PROCESS.after(one, given, "down") == {RESTART: 1}


@pytest.mark.corpus
def test_the_nodes_of_random_games_are_their_outcomes() -> None:
    if not GAMES.is_file():
        pytest.skip(f"the recorded games are not here: {GAMES}")
    compared = 0
    for line in GAMES.read_text().splitlines()[::45]:
        (one,) = parse(json.loads(line)["game"], "game")
        if not isinstance(one, Level):
            continue
        positions: list[Cells] = list(starts(one).settled)[:1]
        for cells in positions:
            for move in moves(one.game):
                given = Position(cells, won=False)
                try:
                    known, found = outcomes(one, cells, movement(move)), after(one, given, move)
                except LimitReached:
                    continue
                assert sum(found.values()) == 1
                seen = ends(one, found)
                assert set(known.settled) == set(seen.settled)
                assert (len(known.won) > 0) >= (len(seen.won) > 0)
                assert known.restarted == seen.restarted or known.won
                fast = REACHABLE.after(one, given, move)
                assert {each for each in fast if isinstance(each, Position) and not each.won} == {
                    Position(each, won=False) for each in seen.settled
                }
                assert (RESTART in fast) == known.restarted
                weighted = WEIGHTED.after(one, given, move)
                assert (
                    weighted == {STUCK: 1} if known.stuck and len(found) == 1 else weighted in certain(one, found)
                )
                compared += 1
                positions += [each for each in known.settled if each not in positions][: 6 - len(positions)]
    assert compared > 100


def test_what_follows_a_node_where_nothing_is_chosen() -> None:
    made = game("egg hen", rule("right", "egg", "hen", random=True))
    one = level(made, "E")
    assert PROCESS.start(one) == START
    assert PROCESS.inputs(one, START) == ("",)
    assert "right" in PROCESS.inputs(one, Position(one.cells, won=False))
    assert PROCESS.solved(one, Position(one.cells, won=True))
    assert not PROCESS.solved(one, START)
