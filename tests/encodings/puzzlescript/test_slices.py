"""The slice of a game for a level plays as the game does; a change of rules that a level cannot see leaves it."""

import json
from collections import deque
from dataclasses import replace

import pytest
from hypothesis import given, settings
from places import ROOT
from random_games import levels
from small_games import game, level, rule, win

from examples import examples
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.domain.turn import Unsettled
from puzzlemc.encodings.puzzlescript.slices import content_of_slice, sliced
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.puzzlescript import Game, Level, cut, parse

THAW = (ROOT / "screens" / "levels" / "puzzlescript" / "thaw.txt").read_text()
RANDOM_GAMES = ROOT.parent / "shared" / "puzzlescript" / "random_games.jsonl"
MOST = 60  # positions of a random level that are expanded
PART = 40  # one recorded game in this number is played by default

PUSH = rule("right", "right player | crate", "right player | right crate")


def played(one: Level, most: int = MOST) -> list[object]:
    """The positions of a level in the order of a search, with their turns by the plain rules."""
    try:
        start = RULES.start(one)
    except Unsettled as error:
        return [str(error)]
    seen, waiting, found = {start}, deque([start]), list[object]()
    while waiting and len(found) < most:
        position = waiting.popleft()
        try:
            steps = list(RULES.steps(one, position))
        except Unsettled as error:
            found.append((position, str(error)))
            continue
        found.append((position, [(each.name, each.position) for each in steps]))
        for each in steps:
            if each.position not in seen:
                seen.add(each.position)
                waiting.append(each.position)
    return found


@settings(max_examples=examples(40, 500))
@given(levels(most=4))
def test_the_slice_of_a_random_game_plays_as_the_game(one: Level) -> None:
    assert played(sliced(one)) == played(one)


@pytest.mark.corpus
def test_the_slices_of_recorded_games_play_as_the_games() -> None:
    if not RANDOM_GAMES.is_file():
        pytest.skip(f"the recorded games are not here: {RANDOM_GAMES}")
    smaller = count = 0
    for line in RANDOM_GAMES.read_text().splitlines()[:: examples(PART, 1)]:
        for one in parse(json.loads(line)["game"], "random"):
            if isinstance(one, Level):
                found = sliced(one)
                assert played(found) == played(one), line
                count += 1
                smaller += len(found.game.rules) < len(one.game.rules)
    assert smaller > count / 2 > 10


def contents(text: str) -> list[str]:
    found = parse(text, "thaw")
    assert all(isinstance(each, Level) for each in found), found
    return [content_of_slice(each) for each in found if isinstance(each, Level)]


def changed(*edits: tuple[str, str]) -> list[int]:
    """The numbers of the levels of Thaw, from 1, that can see edits of its text."""
    text = THAW
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    pairs = enumerate(zip(contents(THAW), contents(text), strict=True), start=1)
    return [number for number, (before, after) in pairs if before != after]


def having(*signs: str) -> list[int]:
    """The levels of Thaw that have all of these signs in their rows."""
    own = [each.own for each in cut(THAW, "thaw") if isinstance(each, Part)]
    rows = [each.text.split("\n\n")[-1] for each in own if each is not None]
    return [number for number, text in enumerate(rows, start=1) if all(sign in text for sign in signs)]


GHOST = (
    ("Seed\n#6b4a2b", "Ghost\nwhite\n\nSeed\n#6b4a2b"),
    ("Solid = Keeper or", "Solid = Ghost or Keeper or"),
    ("Keeper, Rock, Ice,", "Ghost, Keeper, Rock, Ice,"),
)


def test_no_level_sees_an_object_that_none_of_them_has() -> None:
    assert changed(*GHOST) == []
    rules = "[ > Keeper | Ghost ] -> [ > Keeper | > Ghost ]\nlate [ Ghost | Ice ] -> [ | Pool ]\n[ > Ice | Pool ]"
    wins = "no Ghost on Ice\nno Frozen"
    assert changed(*GHOST, ("[ > Ice | Pool ]", rules)) == []
    assert changed(*GHOST, ("Pushable = Ice or", "Pushable = Ghost or Ice or")) == []
    assert len(contents(THAW)) == 15
    assert changed(*GHOST, ("No Frozen", wins)) == list(range(1, 16))


def test_a_changed_rule_is_seen_by_the_levels_in_which_it_can_apply() -> None:
    lanterns = having("L")
    assert 0 < len(lanterns) < 15
    assert changed(("[ > Lantern | Pool ] -> [ | ]", "[ > Lantern | Pool ] -> [ > Lantern | ]")) == lanterns
    assert changed(("[ Keeper Skin ] -> [ Keeper Crack ]", "[ Keeper Skin ] -> [ Keeper ]")) == having("-")
    pushed = sorted({*having("I"), *lanterns})
    push = "[ > Keeper | Pushable ] -> [ > Keeper |"
    assert changed((push, push.replace("[ > Keeper |", "[ < Keeper |"))) == pushed
    assert changed(("noaction", "")) == list(range(1, 16))
    assert changed(("#dfe9ee", "#000000"), ("(Ice beside", "(Some ice beside")) == []


def same(made: Game, board: str) -> bool:
    """Is the slice for a board the game itself? It plays as the game in any case."""
    one = level(made, board)
    assert played(sliced(one)) == played(one)
    return sliced(one).game is made


def test_what_only_the_action_makes_can_occur() -> None:
    makes = rule("right", "action player | ", "player | crate")
    for made in (game("player crate dog", makes, PUSH), game("player crate dog", makes, PUSH, has_action=False)):
        one = level(made, "P..")
        assert played(sliced(one)) == played(one)
        assert ("crate" in sliced(one).game.objects) == made.has_action


def test_a_rule_that_cannot_apply_is_left_out_with_its_group() -> None:
    other = rule("right", "right player | dog", "player | ")
    made = game("player crate dog", PUSH, other, PUSH, loops=[(0, 1), (2, 2)])
    one = sliced(level(made, "PC."))
    assert [each.line for each in one.game.rules] == [100, 102]
    assert one.game.loops == ((0, 0), (1, 1))
    assert played(one) == played(level(made, "PC."))
    assert not same(made, "PC.")
    assert len(sliced(level(made, "PCD")).game.rules) == 3


def test_a_loop_keeps_its_groups_if_none_of_them_can_apply() -> None:
    """It goes back once after changes before it: so a loop behind it goes back once less."""
    other = rule("right", "right player | dog", "player | ")
    assert same(game("player crate dog", PUSH, other, PUSH, loops=[(1, 1), (2, 2)]), "PC.")


def test_rigid_groups_keep_their_numbers() -> None:
    rigid = replace(PUSH, rigid=True)
    other = rule("right", "right dog | crate", "right dog | right crate", rigid=True)
    assert same(game("player crate dog", other, rigid), "PC.")
    assert not same(game("player crate dog", other, PUSH), "PC.")


def test_a_checkpoint_to_which_a_rule_may_go_back_is_kept() -> None:
    """Turns that leave it are unsettled, also where no such rule can apply."""
    keeps = rule("right", "right player", commands="checkpoint again")
    back = rule("right", "dog", commands="restart")
    moves = rule("right", "crate | ", " | crate")
    made = game("player crate dog", keeps, back, moves, wins=[win("some", "crate")])
    assert same(made, "P.C..")


def test_a_win_condition_or_a_player_of_objects_that_cannot_occur_together_stays_one() -> None:
    wins = [win("no", "crate dog", "player", whole=True), win("some", "crate dog")]
    made = game("player / crate / dog", PUSH, wins=wins, players="player dog", players_all=True)
    one = level(made, "P.C")
    assert played(sliced(one)) == played(one)
    assert not sliced(one).game.players
    assert [each.subject for each in sliced(one).game.wins] == [frozenset(), frozenset(["crate"])]


def test_a_position_that_a_turn_has_led_to_has_the_whole_game() -> None:
    made = game("player crate dog", PUSH, rule("right", "dog", commands="restart"))
    one = level(made, "PC.")
    position = next(RULES.steps(one, RULES.start(one))).position
    assert isinstance(position, Position)
    later = replace(one, cells=position.cells, begun=True, origin=one)
    assert sliced(later) is later
