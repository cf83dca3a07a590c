"""Lint: each pattern with a near miss; and on random games, a rule that is warned of has no effect."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from places import ROOT

from examples import examples
from puzzlemc.encodings.puzzlescript.cells import encoding as by_cells
from puzzlemc.encodings.puzzlescript.domain.outcomes import outcomes
from puzzlemc.encodings.puzzlescript.domain.position import Cells, movement, moves
from puzzlemc.encodings.puzzlescript.domain.turn import Outcome, Unsettled, turn
from puzzlemc.encodings.puzzlescript.lint.knowledge import Remark
from puzzlemc.encodings.puzzlescript.lint.lint import lint
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.puzzlescript import Level, Rule, Term, build, cut
from puzzlemc.screens.puzzlescript.winning import won

RECORDED = ROOT.parent / "shared" / "puzzlescript" / "plays.jsonl"
PUSH = "[ > Player | Crate ] -> [ > Player | > Crate ]"
GAME = """title Lint

OBJECTS

{objects}

LEGEND

. = Background
P = Player
C = Crate
# = Wall
K = Key
S = Spot
Solid = Crate or Wall
{legend}

SOUNDS

sfx0 1234

COLLISIONLAYERS

Background
Spot
Player, Crate, Wall
Key

RULES

[ > Player | Solid ] -> [ > Player | > Solid ]
{rules}

WINCONDITIONS

{wins}

LEVELS

{levels}
"""
OBJECTS = "\n\n".join(f"{name}\nred" for name in ("Background", "Player", "Crate", "Wall", "Key", "Spot"))
FIRST_RULE = GAME.format(objects=OBJECTS, legend="", rules="", wins="", levels="").split("\n").index("RULES") + 3


def game(
    rules: str = "", wins: str = "All Spot on Crate", levels: str = "#PC.SK\n#P.C.S", legend: str = ""
) -> str:
    return GAME.format(objects=OBJECTS, legend=legend, rules=rules, wins=wins, levels=levels)


def read(text: str) -> list[tuple[Part, Level]]:
    parts = [part for part in cut(text, "game") if isinstance(part, Part)]
    return [(part, build(part)) for part in parts]


def warnings(text: str) -> list[Remark]:
    return lint(read(text))


def words(text: str) -> list[str]:
    return [remark.text for remark in warnings(text)]


def test_a_game_without_faults_has_no_warnings() -> None:
    assert warnings(game()) == []


class TestRules:
    def test_of_an_object_that_is_never_there(self) -> None:
        lone = game("  [ Player | Key ] -> [ | Player ]", levels="#PC.S")
        line, column, text = next(each for each in warnings(lone) if each.text.startswith("rule"))
        assert (line, column) == (FIRST_RULE + 1, 3)
        assert text == "rule can never apply: no level holds Key and no rule makes one"

    @pytest.mark.parametrize(
        ("rules", "levels"),
        [
            ("[ Player | Key ] -> [ | Player ]", "#PC.S\n\n#PCSK"),  # one of two levels has it
            (
                "[ Player | Key ] -> [ | Player ]\nlate [ Player | ] -> [ Player | Key ]",
                "#PC.S",
            ),  # a rule makes it
        ],
    )
    def test_an_object_that_may_come(self, rules: str, levels: str) -> None:
        assert not any("never" in each for each in words(game(rules, levels=levels)))

    def test_an_object_that_only_a_rule_without_matches_makes(self) -> None:
        found = words(game("[ Key | Wall ] -> [ Key | Key ]", levels="#PC.S"))
        because = "no level holds Key and no rule that can apply makes one"
        assert found == [f"object Key is never there: {because}", f"rule can never apply: {because}"]

    @pytest.mark.parametrize(("row", "never"), [("PC.S#K", True), ("PC.SK#", False)])
    def test_objects_that_never_stand_side_by_side(self, row: str, never: bool) -> None:
        rule = "right [ Key | Wall ] [ Player ] -> [ Key | Wall ] [ Player Spot ]"  # both stay where they are
        text = game(rule, levels=row).replace(
            "| Solid ] -> [ > Player | > Solid", "| Crate ] -> [ > Player | > Crate"
        )
        text = text.replace("Solid = Crate or Wall\n", "")
        reason = "rule can never apply: no level has all that its cells ask for, at places that fit"
        assert words(text) == [reason] * never

    @pytest.mark.parametrize(
        ("term", "reason"),
        [
            ("> Spot", ["rule can never apply: nothing sets Spot in motion"]),
            ("> Crate", []),
            ("action Crate", []),  # a movement is one of a layer, and the player has it
            ("action Spot", ["rule can never apply: nothing sets Spot in motion"]),
            ("left Key", ["rule can never apply: nothing gives Key the movement left"]),
            ("right Key", []),
        ],
    )
    def test_movements(self, term: str, reason: list[str]) -> None:
        assert words(game(f"[ Player Key ] -> [ Player right Key ]\n[ {term} ] -> [ {term} ] again")) == reason

    @pytest.mark.parametrize(
        ("rule", "idle"),
        [
            ("[ > Player | Wall ] -> [ > Player | Wall ]", True),
            ("[ > Player | Wall ] -> [ > Player | Wall ] sfx0", False),
            ("[ > Player | Wall ] -> [ > Player | Wall ] again", False),
            ("[ > Player | Wall ] -> [ Player | Wall ]", False),
            ("[ Player | no Crate ] -> [ Player | no Crate ]", True),
            ("[ Player | no Crate ] -> [ Player | no Spot ]", False),
        ],
    )
    def test_that_change_nothing(self, rule: str, idle: bool) -> None:
        assert words(game(rule)) == ["rule changes nothing, and has no command"] * idle


class TestHidden:
    TAKE = "[ Player | Key ] -> [ Player | ]"
    NEVER = f"rule can never apply: the rule of line {FIRST_RULE + 1} leaves none of its matches"
    DONE = f"rule changes nothing: the rule of line {FIRST_RULE + 1} has done it before"
    AGAIN = f"rule repeats that of line {FIRST_RULE + 1}, which was applied until it changed nothing"

    @pytest.mark.parametrize(
        ("rules", "found"),
        [
            # The first rule leaves no key beside a player.
            ([TAKE, "[ > Player | Key ] -> [ > Player | > Key ]"], [NEVER]),
            ([TAKE, "right [ Player | Key | Crate ] -> [ | Key | Crate ]"], [NEVER]),
            ([TAKE, "right [ Wall | Player | Key ] -> [ | Player | Key ]"], [NEVER]),
            (["[ Player ] [ Key ] -> [ Player ] [ ]", "[ Player | Key ] -> [ | Key ]"], [NEVER]),
            # The left side of the first rule is less general, or of another direction.
            (["[ > Player | Key ] -> [ > Player | ]", "[ Player | Key ] -> [ | Key ]"], []),
            (["right [ Player | Key ] -> [ Player | ]", "left [ Player | Key ] -> [ | Key ]"], []),
            (["[ Player | Key no Spot ] -> [ Player | no Spot ]", "[ Player | Key ] -> [ | Key ]"], []),
            # A rule in between makes a key, or the second rule does.
            ([TAKE, "[ Player | Spot ] -> [ Player | Spot Key ]", "[ Player | Key ] -> [ | Key ]"], []),
            ([TAKE, "[ Player | Key ] -> [ | Key ]\n+ [ Player | Spot ] -> [ Player | Spot Key ]"], []),
            # The phase, or a loop.
            ([TAKE, "late [ Player | Key ] -> [ | Key ]"], []),
            (["startloop", TAKE, "[ Player | Key ] -> [ | Key ]", "endloop"], []),
            # The changes of the second rule are among those of the first one, and so are its commands.
            (
                ["[ Player | Spot ] -> [ Player | Spot Key ]", "[ > Player | Spot ] -> [ > Player | Spot Key ]"],
                [DONE],
            ),
            (["[ Player | Spot ] -> [ Player | Key ]", "[ > Player | Spot ] -> [ > Player | Key ]"], [NEVER]),
            (
                [
                    "[ Player | Spot ] -> [ Player | Spot Key ]",
                    "[ > Player | Spot ] -> [ > Player | Spot Key ] again",
                ],
                [],
            ),
            # Equal rules, one just behind the other.
            ([PUSH, PUSH], [AGAIN]),
            ([PUSH, f"{PUSH} again"], []),
            ([PUSH, f"{PUSH} sfx0"], []),
            ([PUSH, "[ > Player | Key ] -> [ > Player | > Key ]", PUSH], []),
            ([PUSH, "startloop", PUSH, "[ > Crate | Crate ] -> [ > Crate | > Crate ]", "endloop"], []),
        ],
    )
    def test_hidden(self, rules: list[str], found: list[str]) -> None:
        assert words(game("\n".join(rules))) == found


class TestDraws:
    NO_CHOICE = "random draws nothing: the rule never has more than one match, and is not applied again"

    @pytest.mark.parametrize(
        ("rules", "levels", "found"),
        [
            ("random [ > Player | Key ] -> [ > Player | ]", "#PCSK", True),
            ("random [ > Player | Key ] -> [ > Player | ]", "#PCSKP", False),  # two players
            ("random [ Player | Key ] -> [ Player | ]", "#PCSK", False),  # a player has several neighbours
            ("random [ Player ] [ Spot Key ] -> [ Player ] [ Spot ]", "#PC&K", True),
            ("random [ Player ] [ Spot Key ] -> [ Player ] [ Spot ]", "#PC&&", False),
            ("random right [ Wall | Player ] -> [ Wall | Player Key ]", "#PCSK", True),
            ("random right [ Player | ... | Key ] -> [ Player | ... | ]", "#PCSKK", False),
            ("random right [ Player | ... | Key ] -> [ > Player | ... | Key ]", "#PCSK", True),
            ("random [ > Player ] -> [ Player Key ]", "#PCSK", True),
            ("random right [ Player | no Solid ] -> [ | Player ]", "#PCSK", False),  # applied once, not on and on
            ("random [ up Player ] -> [ down Player ]\n+ [ down Player ] -> [ up Player ]", "#PCSK", False),
            ("random [ up Player ] -> [ Key Player ]\n+ [ left Player ] -> [ Player ]", "#PCSK", True),
            ("random [ up Player ] -> [ Key Player ]\n+ [ Player ] -> [ Player Spot ]", "#PCSK", False),
            ("random [ Player no Key ] -> [ Player Spot ]\n+ [ Key ] -> [ Key Spot ]", "#PCSK", False),
            ("random [ > Player ] -> [ > Player random Key random Spot ]", "#PCSK", False),
            (
                "random [ > Player | Key ] -> [ > Player | ]\nright [ Player | no Player no Solid ] -> "
                "[ random Crate random Player | random Player random Crate ]",  # it may draw two players
                "#PCSK",
                False,
            ),
            ("random [ > Player | Key ] -> [ > Player | ]\n[ Spot ] -> [ Spot Player ]", "#PCSK", False),
            ("random [ > Player | Key ] -> [ > Player | ]\n[ Spot ] -> [ random Solid ]", "#PCSK", True),
            ("random [ > Player | Key ] -> [ > Player | ]\n[ Spot ] -> [ random Any ]", "#PCSK", False),
        ],
    )
    def test_of_one_match(self, rules: str, levels: str, found: bool) -> None:
        legend = "& = Spot and Key\nAny = Player or Crate"
        remarks = [each for each in warnings(game(rules, levels=levels, legend=legend)) if "draws" in each.text]
        assert remarks == [(FIRST_RULE + 2, 1, self.NO_CHOICE)] * found

    @pytest.mark.parametrize(
        ("cell", "found"), [("random Key", True), ("random Pet", False), ("random Key random Spot", False)]
    )
    def test_of_one_object(self, cell: str, found: bool) -> None:
        rule = f"late [ Player | Crate ] -> [ Player | Crate {cell} ]"
        remarks = [each for each in warnings(game(rule, legend="Pet = Key or Spot")) if "draws" in each.text]
        expected = FIRST_RULE + 1, rule.index("random") + 1, "random Key draws from one object"
        assert remarks == [expected] * found


class TestWinConditions:
    ABSENT = "no level holds Key and no rule makes one"
    SHARED = "its objects are in one collision layer, so that no cell has both"
    STAYS = "objects that stay where they are decide it"

    def test_a_draw_may_bring_two_objects_of_a_layer_into_a_cell(self) -> None:
        made = game("[ > Player | Crate ] -> [ > Player | > Crate random Solid ]", "Some Crate on Wall")
        assert words(made) == []

    @pytest.mark.parametrize(
        ("wins", "levels", "found"),
        [
            ("Some Key", "PC.", f"win condition Some Key never holds: {ABSENT}"),
            ("No Key", "PC.", f"win condition No Key always holds: {ABSENT}"),
            ("All Key on Crate", "PC.", f"win condition All Key on Crate always holds: {ABSENT}"),
            ("All Crate on Key", "PC.", ""),  # a rule may remove all crates
            ("Some Crate on Wall", "PC.#", f"win condition Some Crate on Wall never holds: {SHARED}"),
            ("Some Crate on Key", "PC.K", ""),
            ("No Spot", "PC.S", f"win condition No Spot never holds: {STAYS}"),
            ("No Spot", "PC.S\n\nPC.", ""),  # not of all levels
            ("Some Spot on Key", "PC.SK\n\nPC&.", ""),
            ("Some Spot on Key", "PC.&", f"win condition Some Spot on Key always holds: {STAYS}"),
            ("All Spot on Key", "PC.S&", f"win condition All Spot on Key never holds: {STAYS}"),
            ("All Spot on Crate", "PC.S", ""),
        ],
    )
    def test_decided(self, wins: str, levels: str, found: str) -> None:
        remarks = warnings(game("late [ Crate | Wall ] -> [ | Wall ]", wins, levels, "& = Spot and Key"))
        texts = [remark.text for remark in remarks if remark.text.startswith("win condition")]
        assert texts == [found] * bool(found)

    @pytest.mark.parametrize(("rules", "lost"), [("", True), ("[ > Player | Spot ] -> win", False)])
    def test_none(self, rules: str, lost: bool) -> None:
        found = ["game cannot be won: it has no win condition, and no rule with win"]
        assert words(game(rules, "")) == found * lost


class TestLevels:
    @pytest.mark.parametrize(("row", "solved"), [("PX", True), ("PXS", False), ("PC", True)])
    def test_won_at_the_start(self, row: str, solved: bool) -> None:
        text = game(levels=f"PCS\n\n{row}#K", legend="X = Crate and Spot")
        found = [(line, words) for line, _, words in warnings(text) if "start" in words]
        line = text.rstrip().count("\n") + 1
        assert (
            found
            == [(line, "level is won at its start: all win conditions hold before the first turn, which wins")]
            * solved
        )

    def test_the_rules_at_the_start_count(self) -> None:
        text = game("[ Spot ] -> [ ]", "No Spot", "PSC#K").replace(
            "title Lint", "title Lint\nrun_rules_on_level_start"
        )
        assert any("won at its start" in each for each in words(text))
        assert not any("won at its start" in each for each in words(text.replace("run_rules_on_level_start", "")))

    @pytest.mark.parametrize(("rules", "missing"), [("", True), ("[ Key ] -> [ Player ]", False)])
    def test_without_a_player(self, rules: str, missing: bool) -> None:
        found = words(game(rules, levels="PCS\n\n#CSK"))
        assert found == ["level has no player: it holds no Player, and no rule makes one in it"] * missing


class TestNames:
    @pytest.mark.parametrize(
        ("legend", "found"),
        [
            ("Thing = Key or Spot", ["name thing of the legend is never used"]),
            ("Both = Key and Spot", ["name both of the legend is never used"]),
            ("Chest = Crate", ["name chest of the legend is never used"]),
            ("Thing = Key or Spot\nOther = Thing or Crate", ["name other of the legend is never used"]),
            ("T = Key or Spot", []),  # a sign
        ],
    )
    def test_of_the_legend(self, legend: str, found: list[str]) -> None:
        assert words(game(legend=legend)) == found

    def test_an_object(self) -> None:
        text = game(levels="PCS#")
        line = text.split("\n").index("Key") + 1
        assert warnings(text) == [(line, 1, "object Key is never there: no level holds Key and no rule makes one")]


# A warning about a rule says that it has no effect: then the game has the same turns without its line.

MOST_POSITIONS = 40
Turn = Callable[..., Outcome]


def without(level: Level, line: int) -> Level:
    """The level with rules that cannot match in the place of those of a line."""
    ground = level.game.background
    left = (((Term("", ground), Term("no", ground)),),)

    def changed(rule: Rule) -> Rule:
        return replace(rule, left=left, right=(), commands=("message",)) if rule.line == line else rule

    return replace(level, game=replace(level.game, rules=tuple(map(changed, level.game.rules))))


def outcome(play: Turn, level: Level, cells: Cells, move: str) -> Outcome | None:
    try:
        return play(level, cells, movement(move), begins=not move)
    except Unsettled:
        return None


def positions(play: Turn, level: Level) -> list[tuple[Cells, str, Outcome | None]]:
    """The first turns of a level."""
    found, seen = [], [level.cells]
    if level.game.run_rules_on_level_start:
        found.append((level.cells, "", after := outcome(play, level, level.cells, "")))
        seen = [] if after is None else [after.cells]
    for cells in seen:
        for move in moves(level.game):
            found.append((cells, move, after := outcome(play, level, cells, move)))
            if after is not None and after.cells not in seen and len(seen) < MOST_POSITIONS:
                seen.append(after.cells)
    return found


def refuted(levels: list[tuple[Part, Level]], play: Turn = turn, most: int = 3) -> Iterator[str]:
    """Yield the warnings about a game that its first turns contradict."""
    remarks = lint(levels)
    for part, level in levels[:most]:
        turns = positions(play, level)
        boards = [after.cells for _, _, after in turns if after is not None]
        for line, _, text in remarks:
            if text.startswith("rule"):
                other = without(level, line)
                wrong = any(outcome(play, other, cells, move) != after for cells, move, after in turns)
            elif text.startswith("object"):
                name = text.split()[1].lower()
                wrong = any(name in here for cells in boards for here in cells)
            elif text.startswith("win condition"):
                win = next(each for each in level.game.wins if each.line == line)
                alone = replace(level.game, wins=(win,))
                wrong = any(won(alone, cells) != (" always holds" in text) for cells in boards)
            else:
                wrong = (
                    text.startswith("level has no player")
                    and line == part.line
                    and any(
                        not level.game.players_all and level.game.players & here
                        for cells in boards
                        for here in cells
                    )
                )
            if wrong:
                yield f"{line}: {text}"


@pytest.fixture(scope="module")
def drawn() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        yield import_module("cross_check")


def test_random_games_do_the_same_without_what_is_warned_of(drawn: Any) -> None:
    count = 0
    for seed in range(examples(25, 60)):
        chance = random.Random(seed)
        text = drawn.game(chance) + "\nLEVELS\n\n" + "PC.S\nWDGK\n.C.P\n"
        levels = read_or_none(text)
        if levels is None:
            continue
        count += sum(remark.text.startswith("rule") for remark in lint(levels))
        assert list(refuted(levels)) == [], text
    assert count > examples(6, 15)


def test_random_games_do_the_same_without_a_draw_that_is_warned_of(drawn: Any) -> None:
    count = 0
    for seed in range(examples(60, 150)):
        first, rules, rest = drawn.game(random.Random(seed)).partition("RULES\n=====\n\n")
        if rules and not rest.startswith(("late", "startloop", "rigid")):
            texts = [f"{first}{rules}{word}{rest}\nLEVELS\n\nPC.S\nWDGK\n.C..\n" for word in ("random ", "")]
            known, other = map(read_or_none, texts)
            if known and other and any(remark.text == TestDraws.NO_CHOICE for remark in lint(known)):
                count += 1
                one, same = known[0][1], other[0][1]
                boards = [one.cells]
                for cells in boards:
                    for move in moves(one.game):
                        found = outcomes(one, cells, movement(move))
                        assert found == outcomes(same, cells, movement(move)), texts[0]
                        boards += [each for each in found.settled if each not in boards][: 6 - len(boards)]
    assert count > examples(1, 3)


def read_or_none(text: str) -> list[tuple[Part, Level]] | None:
    items = list(cut(text, "game"))
    try:
        return [(part, build(part)) for part in items if isinstance(part, Part)] or None
    except LevelError:
        return None


@pytest.mark.corpus
@pytest.mark.slow
def test_recorded_games_do_the_same_without_what_is_warned_of() -> None:
    if not RECORDED.is_file():
        pytest.skip(f"the recorded plays are not here: {RECORDED}")
    lines = RECORDED.read_text(encoding="utf-8").splitlines()
    texts = dict.fromkeys(json.loads(line)["game"].replace("\r\n", "\n") for line in lines)
    for text in list(texts)[::7]:
        levels = read_or_none(text)
        if levels is not None:
            assert list(refuted(levels, by_cells.turn, most=1)) == [], text[:200]
