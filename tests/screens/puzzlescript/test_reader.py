"""The reader of PuzzleScript: games of all sections are read, and errors name their places."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from examples import examples
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, turn
from puzzlemc.mc.errors import ModelError
from puzzlemc.screens import sokoban
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import DOUBT, MARKED, Part
from puzzlemc.screens.puzzlescript import Level, build, cut, draw, looks_like, parse

GAME = """title Two stones
author A. Smith
{prelude}

========
OBJECTS
========

Background
green darkgreen
00100
00000
01000
00000
00010

Player p
blue

Stone *
gray white
.000.
00000
00100
00000
.000.

Wall #
#804020

Hole
black

=======
LEGEND
=======

. = Background
o = Hole
@ = Stone and Hole
Solid = Stone or Wall
{legend}

=======
SOUNDS
=======

=======
COLLISIONLAYERS
=======

Background
Hole
Player, Stone, Wall

======
RULES
======

{rules}

=======
WINCONDITIONS
=======

{wins}

=======
LEVELS
=======

{levels}
"""
RULES = "[ > Player | Stone ] -> [ > Player | > Stone ]"
WINS = "all Stone on Hole"
LEVELS = "message First\n\n#####\n#p*o#\n#####\n\nmessage Second\n\n######\n#p.*o#\n######"


def game(
    *, prelude: str = "", legend: str = "", rules: str = RULES, wins: str = WINS, levels: str = LEVELS
) -> str:
    return GAME.format(prelude=prelude, legend=legend, rules=rules, wins=wins, levels=levels)


def line_of(text: str, line: str) -> int:
    return text.split("\n").index(line) + 1


def read(text: str) -> list[Level]:
    levels = parse(text, "a.txt")
    assert all(isinstance(level, Level) for level in levels), levels
    return [level for level in levels if isinstance(level, Level)]


def refused(text: str) -> LevelError:
    error = parse(text, "a.txt")[0]
    assert isinstance(error, LevelError), error
    return error


class TestLevels:
    def test_messages_are_titles_and_no_levels(self) -> None:
        first, second = read(game())
        assert (first.number, first.title, first.width, first.height) == (1, "First", 5, 3)
        assert (second.number, second.title, second.width) == (2, "Second", 6)

    def test_levels_of_a_game_share_it(self) -> None:
        first, second = read(game())
        assert first.game is second.game

    def test_cells_are_objects_with_a_background(self) -> None:
        level = read(game())[0]
        assert level.cells[6] == {"background", "player"}
        assert level.cells[8] == {"background", "hole"}

    def test_a_short_row_goes_on_with_its_last_character(self) -> None:
        (level,) = read(game(levels="####\n#p\n####"))
        assert [sorted(cell) for cell in level.cells[4:8]][2:] == [["background", "player"]] * 2
        (warning,) = level.warnings
        assert warning.text == "found a row of 2 characters, expected 4 as in the first row"

    def test_a_long_row_is_cut(self) -> None:
        (level,) = read(game(levels="###\n#p#..."))
        assert level.width == 3

    def test_a_comment_alone_separates_no_levels(self) -> None:
        (level,) = read(game(levels="###\n(a\ncomment)\n#p#"))
        assert level.height == 2

    def test_a_comment_before_blanks_separates_levels(self) -> None:
        assert len(read(game(levels="###\n(a comment) \n#p#"))) == 2

    def test_characters_are_of_any_case(self) -> None:
        (level,) = read(game(levels="#P*O#"))
        assert "player" in level.cells[1]

    def test_an_unknown_character_is_an_error_of_its_level_alone(self) -> None:
        text = game(levels="#p#\n\n  #p.\n  .x#\n\n#p*")
        first, second, third = parse(text, "a.txt")
        assert isinstance(first, Level)
        assert isinstance(second, LevelError)
        assert isinstance(third, Level)
        assert (second.line, second.column) == (line_of(text, "  .x#"), 4)
        assert second.message == "found 'x', expected the character of an object or of an aggregate of the legend"

    def test_a_property_is_no_character(self) -> None:
        error = refused(game(legend="? = Stone or Wall", levels="#p?"))
        assert error.message.endswith(": this one is a property, one of several objects")

    def test_a_level_has_a_limit_of_cells(self) -> None:
        error = refused(game(levels="\n".join(["." * 300] * 300)))
        assert error.message == "found a level of 300 × 300 cells, expected at most 65536"

    def test_a_game_without_levels_is_an_error(self) -> None:
        assert refused(game(levels="")).message == "found no level, expected at least one"


class TestBackgrounds:
    LEGEND = "Background = Grass or Sand\ng = Grass\ns = Sand and Hole"

    def level(self, rows: str) -> Level:
        text = game(legend=self.LEGEND, levels=rows)
        text = text.replace(
            "Background\ngreen darkgreen\n00100\n00000\n01000\n00000\n00010", "Grass\ngreen\n\nSand\nyellow"
        )
        text = text.replace(". = Background\n", "")
        (level,) = read(text)
        return level

    def test_the_first_background_of_the_level_by_columns_fills_it(self) -> None:
        assert [sorted(cell) for cell in self.level("pg\ns#").cells] == [
            ["player", "sand"],
            ["grass"],
            ["hole", "sand"],
            ["sand", "wall"],
        ]

    def test_without_one_it_is_the_first_of_the_game(self) -> None:
        assert self.level("p#").cells == ({"player", "grass"}, {"wall", "grass"})

    def test_an_object_of_its_layer_takes_its_place(self) -> None:
        """As in the original, which plays the game, but wants the background in a layer of its own."""
        text = game(levels=".o\nP@").replace("Background\nHole\n", "Background, Hole\n")
        (level,) = read(text)
        assert level.cells == ({"background"}, {"hole"}, {"player", "background"}, {"stone", "hole"})
        assert [each.text.partition(",")[0] for each in level.game.warnings] == [
            "found 'hole' in the layer of the background"
        ]
        (again,) = read(draw(level))
        assert again.cells == level.cells
        (first,) = read(text.replace(".o\nP@", "oP"))
        assert first.cells == ({"hole"}, {"player", "hole"})  # as in the original

    @pytest.mark.parametrize("rows", ["pg\ns#", "ps\ng#", "p#", "gs\nso", "os\n#g"])
    def test_a_drawing_is_read_as_the_same_level(self, rows: str) -> None:
        level = self.level(rows)
        (again,) = read(draw(level))
        assert again.cells == level.cells


class TestParts:
    def test_the_text_of_a_part_is_a_game_with_one_level(self) -> None:
        for part in cut(game(), "a.txt"):
            assert isinstance(part, Part)
            (alone,) = read(part.text)
            assert alone.cells == build(part).cells

    def test_a_change_of_one_level_keeps_the_texts_of_the_others(self) -> None:
        old = [part.text for part in cut(game(), "a.txt") if isinstance(part, Part)]
        new = [
            part.text
            for part in cut(game(levels=LEVELS.replace("#p*o#", "#po*#")), "b.txt")
            if isinstance(part, Part)
        ]
        assert old[1] == new[1]
        assert old[0] != new[0]

    def test_a_part_has_the_line_title_and_author(self) -> None:
        text = game()
        first = next(cut(text, "a.txt"))
        assert isinstance(first, Part)
        assert (first.line, first.title, first.author) == (line_of(text, "#####"), "First", "A. Smith")

    def test_the_own_lines_of_a_level_are_its_rows_and_the_messages_and_comments_before_them(self) -> None:
        levels = (
            "\n(all)\nmessage One\n\n##\n#p\n(of two\n\nlines)\nmessage A\nmessage B\n\n\np##\n\nmessage End\n"
        )
        text = game(levels=levels)
        parts = [part for part in cut(text, "a.txt") if isinstance(part, Part)]
        own = [part.own for part in parts]
        assert own[0] is not None
        assert own[1] is not None
        assert own[0].text == "(all)\nmessage One\n\n##\n#p"
        assert own[1].text == "(of two\n\nlines)\nmessage A\nmessage B\n\n\np##"
        assert [each.first for each in own if each] == [line_of(text, "(all)"), line_of(text, "(of two")]

    def test_a_text_of_any_line_ends_is_read(self) -> None:
        assert [level.cells for level in read(game().replace("\n", "\r\n"))] == [
            level.cells for level in read(game())
        ]


class TestDrawing:
    def test_a_drawing_is_read_as_the_same_level(self) -> None:
        for level in read(game()):
            (again,) = read(draw(level))
            assert (again.cells, again.title) == (level.cells, level.title)
            assert again.game is level.game

    def test_a_position_is_drawn_by_characters_of_the_legend(self) -> None:
        level = read(game())[0]
        assert draw(level, SimpleNamespace(cells=level.cells)) == "#####\n#p*o#\n#####"

    def test_a_cell_without_a_character_has_a_definition(self) -> None:
        (level,) = read(game(levels="p*o"))
        cells = (level.cells[0] | {"hole"}, *level.cells[1:])
        assert draw(level, SimpleNamespace(cells=cells)) == "a*o\n\na = background and hole and player"

    def test_two_objects_of_a_layer_in_a_cell_are_drawn_but_not_written(self) -> None:
        """A rule that draws can put them there, and no character of a legend can."""
        (level,) = read(game(rules="[ Player ] -> [ Player random Solid ]", levels="o*p"))
        full = replace(level, cells=(*level.cells[:2], level.cells[2] | {"stone"}))
        assert draw(level, full).endswith("\n\na = background and player and stone")
        with pytest.raises(ModelError, match=r"written: found player and stone in row 1, column 3, expected one"):
            draw(full)


class TestRecognition:
    def test_a_game_is_recognised_by_its_sections(self) -> None:
        assert looks_like(game()) == MARKED
        assert looks_like(game().split("SOUNDS")[0]) == MARKED

    def test_other_texts_are_not(self) -> None:
        assert looks_like("#####\n#@$.#\n#####\n") == 0
        assert looks_like("objects\n") == DOUBT
        assert looks_like("Rules\nof the game\nLevels\n") == 0
        assert looks_like("OBJECT\n\nCOLLISIONLAYERS\n\nLEVELS\n\n###\n#@$.#\n") == MARKED

    def test_levels_of_sokoban_are_no_game(self) -> None:
        assert sokoban.looks_like(game()) < MARKED


class TestComments:
    def test_comments_nest_and_span_lines(self) -> None:
        assert len(read(game(rules=f"(one (two)\n[ Player ] -> [ ]\nthree)\n{RULES}"))[0].game.rules) == 4

    def test_no_comment_begins_in_a_message(self) -> None:
        text = game(rules="[ Player | Hole ] -> message Oh (no\n" + RULES)
        rules = read(text)[0].game.rules
        assert [rule.commands for rule in rules[:4]] == [("message",)] * 4
        assert len(rules) == 8

    def test_a_closing_bracket_without_an_opening_one_is_a_warning(self) -> None:
        text = game(rules=RULES + "\n)")
        (warning,) = read(text)[0].game.warnings
        assert warning.line == line_of(text, ")")

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("\nOBJECTS\n", "\n(x) OBJECTS (y)\n"),
            ("\nOBJECTS\n", "\n\u00a0objects\u00a0(y) )\n"),
            ("\nLEGEND\n", "\n(a (b) c)(d) Legend\u3000\n"),
            ("\nRULES\n", "\n( one\n two ) RULES\n"),
            ("\nLEVELS\n", "\n( note\n) LEVELS\n"),
            ("\nLEVELS\n", "\n\ufeffLEVELS ( note\n)\n"),
            ("Solid = Stone or Wall", "Solid = Stone (x) or ( y ) Wall (z)"),
            ("Player, Stone, Wall", "(x) Player, (y) Stone, ) Wall"),
            ("#804020", "#804020 (brown)"),
            (RULES, RULES + " (push)"),
            (WINS, WINS + " (all)"),
        ],
    )
    def test_comments_and_blanks_stand_around_words(self, old: str, new: str) -> None:
        text = game()
        assert old in text
        changed = text.replace(old, new)
        assert looks_like(changed) == MARKED
        for level, other in zip(read(changed), read(text), strict=True):
            assert level.cells == other.cells
            assert len(level.game.rules) == len(other.game.rules)
            assert [win.quantifier for win in level.game.wins] == [win.quantifier for win in other.game.wins]
            assert not [each for each in level.game.warnings if "closing bracket" not in each.text]

    def test_a_level_below_a_comment_is_a_part_without_it(self) -> None:
        for part in cut(game().replace("\nLEVELS\n", "\n( note\n) LEVELS\n"), "a.txt"):
            assert isinstance(part, Part)
            (alone,) = read(part.text)
            assert alone.cells == build(part).cells
            assert not alone.game.warnings

    @pytest.mark.parametrize(
        ("rule", "column"),
        [
            ("[ > Player | Stone (x) ] -> [ > Player | > Stone ]", 20),
            ("late (x) [ Player ] -> [ ]", 6),
            ("startloop (x)", 11),
        ],
    )
    def test_a_comment_in_a_rule_is_named(self, rule: str, column: int) -> None:
        text = game(rules=rule)
        error = refused(text)
        assert (error.line, error.column) == (line_of(text, rule), column)
        assert error.message.startswith("found a comment in a rule")

    def test_a_comment_before_a_win_condition_or_a_rule_is_named(self) -> None:
        assert refused(game(wins=f" (x) {WINS}")).message.startswith("found a comment before a win condition")
        assert refused(game(rules=f" (x) {RULES}")).message.startswith("found a comment in a rule")

    def test_text_behind_a_closing_bracket_belongs_to_the_line(self) -> None:
        text = (
            game().replace("@ = Stone and Hole", " ) @ = Stone and Hole").replace("\nHole\n", "\n) Hut\n\nHole\n")
        )
        assert read(text)[0].game.synonyms["hut"] == "wall"
        assert "@" in read(text)[0].game.signs

    def test_a_comment_behind_a_word_needs_a_blank(self) -> None:
        error = refused(game(rules=RULES + " again(x)"))
        assert error.message == "found a comment behind 'again' without a blank, expected one"

    def test_a_rule_that_ends_by_a_comment_in_a_cell_is_left_out_with_the_reason(self) -> None:
        (level, _) = read(game(rules="[ > Player | Stone ] -> [ > Player (x) | > Stone ]"))
        assert not level.game.rules
        assert level.game.warnings[0].column == 36
        assert level.game.warnings[0].text.startswith("found a comment in a cell, where the rule ends")

    def test_words_behind_a_comment_are_left_out_with_a_warning(self) -> None:
        level = read(game(rules=RULES + " (oi) cancel", wins=WINS + " (x) Stone"))[0]
        assert not any(rule.commands for rule in level.game.rules)
        assert [each.text[:30] for each in level.game.warnings] == [
            "found 'cancel' behind a commen",
            "found 'Stone' behind a comment",
        ]
        assert "found 'foo'" in refused(game(rules=RULES + " (oi) foo")).message

    @pytest.mark.parametrize("end", [":", " =", ".", " x"])
    def test_a_name_of_a_section_stands_alone(self, end: str) -> None:
        text = game().replace("\nOBJECTS\n", f"\nOBJECTS{end}\n")
        assert looks_like(text) >= DOUBT
        assert refused(text).message == f"found {end.strip()!r} after the name of a section, expected nothing"

    @pytest.mark.parametrize("name", ["Player", "Background"])
    def test_a_name_that_is_missed_has_its_place_in_the_legend(self, name: str) -> None:
        text = game().replace(name, f"x{name}")
        error = refused(text)
        assert error.message.startswith(f"found no {name.lower()}, expected an object or a name of the legend")
        assert (error.line, error.column) == (line_of(text, "LEGEND"), None)
        error = refused(text.replace("\nRULES", "\n)\nRULES"))
        assert error.message.startswith("found a closing bracket")  # behind the header: it may be the reason
        assert error.others[0].message.startswith(f"found no {name.lower()}")

    def test_an_unclosed_comment_is_named_first(self) -> None:
        error = refused(game(rules="(unclosed\n" + RULES))
        assert error.message == "found a comment without an end, expected a closing bracket"
        assert [other.message for other in error.others] == ["found no level, expected at least one"]
        error = refused(game(levels="(two levels\n#p*o#"))
        assert error.message == "found a comment without an end, expected a closing bracket"

    def test_a_sign_in_the_place_of_a_name_is_named_first(self) -> None:
        error = refused(game().replace("Hole\nblack", "o\nblack\n\n.\ngreen"))
        assert error.message == "found '.', expected the name of an object, of letters and digits"

    @pytest.mark.parametrize(
        "changed",
        [
            {"rules": "[ > Player | Stone ] -> [ > Player | moving Stone ]"},
            {"wins": "all Ston on Hole"},
        ],
    )
    def test_a_fault_of_a_game_is_said_once(self, changed: dict[str, str]) -> None:
        items = parse(game(**changed), "a.txt")
        assert len(items) == 1

    def test_a_comment_before_a_rule_spoils_it(self) -> None:
        error = refused(game(rules="(push) " + RULES))
        assert error.message.startswith("found 'push)' at the beginning of a rule")


class TestErrors:
    @pytest.mark.parametrize(
        ("rule", "column", "message"),
        [
            ("[ > Player | Stone ]", 1, "found a rule without an arrow, expected [ … ] -> [ … ]"),
            ("[ > Player | Stone ] -> [ > Player ]", 36, "found 1 cells, expected 2 as before the arrow"),
            ("[ > Playr ] -> [ ]", 5, "found 'playr', expected the name of an object, a movement or a command"),
            ("[ > < Player ] -> [ ]", 5, "found '<' after '>', expected the name of an object"),
            ("[ > | Stone ] -> [ | ]", 3, "found '>' without an object, expected one after it"),
            ("[ Player Player ] -> [ ]", 10, "found 'player' twice in a cell, expected it once"),
            ("late [ > Player ] -> [ ]", 8, "found '>' in a late rule, expected no movement"),
            (
                "late rigid [ Player ] -> [ ]",
                1,
                "found a rule that is late and rigid, expected one of both at most",
            ),
            ("> [ Player ] -> [ ]", 1, "found '>' at the beginning of a rule"),
            ("[ Player ] -> [ ] -> [ ]", 19, "found a second ->, expected one in a rule"),
            ("[ ... | Player ] -> [ ... | ]", 16, "found an ellipsis at the end of a row"),
            ("[ Player | ... | Stone ] -> [ Player | | Stone ]", 48, "found ellipses on one side of a rule"),
            ("[ Player | ... Wall | Stone ] -> [ | ... | ]", 21, "found an ellipsis and an object in a cell"),
            ("[ Wall | ... | Wall | ... | Wall | ... | Wall ] -> cancel", 47, "found 3 ellipses in a row"),
            ("[ Player ] win -> [ ]", 12, "found 'win' before the arrow"),
            ("-> [ Player ]", 1, "found '->' at the beginning of a rule"),
            ("startloop", 1, "found startloop without an end, expected endloop"),
            ("endloop", 1, "found endloop, expected startloop before it"),
            ("[ random Player ] -> [ ]", 3, "found 'random' before the arrow"),
            ("[ randomdir Player ] -> [ ]", 3, "found 'randomdir' before the arrow"),
            ("+ random [ Player ] -> [ ]", 1, "found + at the first rule"),
            ("[ Player ] -> [ moving Player ]", None, "found 'moving' on the right"),
            ("[ Player ] -> [ Solid ]", None, "found 'solid' on the right"),
            ("[ Player ] -> [ Player Wall ]", None, "found 'player' and 'wall' in a cell on the right"),
            ("[ Player Wall ] -> [ ]", None, "found 'player' and 'wall' of one layer in a cell"),
            ("[ Player ] -> [ Player no Player ]", 27, "found 'player' twice in a cell"),
            ("[ no @ ] -> [ ]", None, "found no of '@', which is several objects"),
        ],
    )
    def test_errors_of_rules_have_a_place(self, rule: str, column: int | None, message: str) -> None:
        text = game(rules="\n" + rule)
        error = refused(text)
        assert (error.line, error.column) == (line_of(text, rule), column)
        assert error.message.startswith(message)

    def test_a_cell_that_excludes_what_it_asks_for_is_left_out_before_one_with_two_objects_of_a_layer(
        self,
    ) -> None:
        """As in the original, which says nothing of two objects then, whatever else the cell has."""
        made = read(game(rules="[ Player Wall no Solid ] -> [ ]"))[0].game
        assert made.rules == ()
        assert [each.text for each in made.warnings] == [
            "found 'wall' and no 'wall' in a cell, expected a cell that can exist"
        ]

    def test_an_object_is_drawn_beside_one_of_its_layer_but_not_before_it(self) -> None:
        """As in the original, which warns of the first one only."""
        made = read(game(rules="[ Player ] -> [ Player random Solid ]"))[0].game
        found = [each.text.partition(" of its layer")[0] for each in made.warnings]
        assert found == ["found 'player' beside random 'stone'", "found 'player' beside random 'wall'"]
        assert made.crowded == {made.layers.index(layer) for layer in made.layers if "player" in layer}
        error = refused(game(rules="[ Player ] -> [ random Solid Player ]"))
        assert error.message.startswith("found random 'stone' before 'player' of its layer in a cell on the right")

    def test_a_word_of_another_dialect_is_an_error(self) -> None:
        error = refused(game(prelude="strange"))
        assert (error.line, error.column) == (3, 1)
        assert error.message == "found 'strange', expected a word such as title or a section"

    def test_a_plus_needs_a_rule_before_it(self) -> None:
        assert refused(game(rules="+ " + RULES)).message == "found + at the first rule, expected a rule before it"

    @pytest.mark.parametrize(
        ("line", "column", "message"),
        [
            ("x = Ston", 5, "found 'ston', expected a name that is defined above"),
            ("x = Stone and Solid", 15, "found 'solid', expected an object or an aggregate"),
            ("x = Stone or @", 14, "found '@', expected an object or a property"),
            ("x = x or Wall", 5, "found 'x' in its own definition, expected other names"),
            ("x = Stone and Wall or Hole", 5, "found 'and or' between names, expected either and or or"),
            ("x Stone", 1, "found text 'x Stone', expected NAME = NAME"),
            ("x =", 1, "found text 'x =', expected NAME = NAME"),
        ],
    )
    def test_errors_of_the_legend_have_a_place(self, line: str, column: int, message: str) -> None:
        text = game(legend=line)
        error = refused(text)
        if line == "x = Stone or @":
            assert error.message.startswith("found text")  # a member of a name has letters and digits
            return
        assert (error.line, error.column) == (line_of(text, line), column)
        assert error.message.startswith(message)

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("every Stone on Hole", "found the win condition 'every Stone on Hole'"),
            ("all Stone Hole", "found the win condition 'all stone hole'"),
            ("all Ston on Hole", "found 'ston' in a win condition, expected the name of an object"),
        ],
    )
    def test_errors_of_win_conditions_have_a_place(self, line: str, message: str) -> None:
        text = game(wins=line)
        error = refused(text)
        assert error.line == line_of(text, line)
        assert error.message.lower().startswith(message.lower())

    @pytest.mark.parametrize(("value", "ticks"), [("0.5", True), (".5e1", True), ("0", False), ("soon", False)])
    def test_a_clock_ticks_at_intervals_above_zero(self, value: str, ticks: bool) -> None:
        made = read(game(prelude=f"realtime_interval {value}"))[0].game
        assert made.has_clock == ticks
        warned = [each for each in made.warnings if "a number of seconds above 0" in each.text]
        assert [each.line for each in warned] == ([] if ticks else [3])
        assert not read(game())[0].game.has_clock

    def test_throttled_movement_beside_a_clock_gets_a_warning(self) -> None:
        for prelude, lines in (("throttle_movement\nrealtime_interval 1", [3]), ("throttle_movement", [])):
            made = read(game(prelude=prelude))[0].game
            assert [each.line for each in made.warnings if "a tick may have to" in each.text] == lines

    @pytest.mark.parametrize(
        ("prelude", "more", "reason"),
        [
            ("", "", ""),  # a restart leads back to the position after an earlier turn
            ("", "[ Stone ] -> again", ""),
            ("run_rules_on_level_start", "", "and rules apply at the start of the level"),
            ("", "random [ Stone ] -> again", "and there are rules with chance and again"),
            ("", "random [ Stone ] -> [ ]", ""),
        ],
    )
    def test_a_checkpoint_with_a_restart_needs_a_level_without_rules_at_its_start(
        self, prelude: str, more: str, reason: str
    ) -> None:
        text = game(prelude=prelude, rules=f"[ Player Hole ] -> checkpoint\n[ Stone Hole ] -> restart\n{more}")
        if not reason:
            read(text)
            return
        error = refused(text)
        assert error.line == line_of(text, "[ Player Hole ] -> checkpoint")
        assert error.message.startswith("found a rule with a checkpoint, expected none as the rule of line ")
        assert error.message.endswith(reason)

    def test_a_level_that_is_won_at_its_start_needs_a_restart_without_a_checkpoint(self) -> None:
        rules = "[ Player Hole ] -> checkpoint\n[ Stone Hole ] -> restart"
        assert "hold at its start" in refused(game(rules=rules, wins="some Player")).message
        read(game(rules="[ Stone Hole ] -> restart", wins="some Player"))

    def test_a_win_beside_a_message_gets_a_warning(self) -> None:
        for rules in (
            "[ Player Hole ] -> win message Well done",
            "[ Player Hole ] -> win\n[ Stone ] -> message Hm",
        ):
            (warning,) = read(game(rules=rules))[0].game.warnings
            assert "does not win by this command if it shows a message" in warning.text
        assert not read(game(rules="[ Player Hole ] -> win"))[0].game.warnings

    def test_either_alone_is_read(self) -> None:
        read(game(rules="[ Player Hole ] -> checkpoint"))
        read(game(rules="[ Player Hole ] -> restart"))

    def test_several_errors_are_all_shown(self) -> None:
        error = refused(game(rules="[ Playr ] -> [ ]\n[ Ston ] -> [ ]"))
        assert [other.message for other in error.others] == [
            "found 'ston', expected the name of an object, a movement or a command"
        ]

    @pytest.mark.parametrize("missing", ["Player p\nblue\n", "Background\ngreen darkgreen\n"])
    def test_a_player_and_a_background_are_needed(self, missing: str) -> None:
        assert "expected" in refused(game().replace(missing, "Other\nblue\n")).message

    def test_a_layer_has_names_of_letters_and_digits(self) -> None:
        error = refused(game().replace("Player, Stone, Wall", "Player, *, Wall"))
        assert error.message == "found '*' in a layer, expected a name that is defined above"

    def test_an_object_needs_a_layer(self) -> None:
        error = refused(game().replace("Player, Stone, Wall", "Player, Stone"))
        assert error.message == "found 'wall' in no layer, expected each object in one"

    @pytest.mark.parametrize(
        "text", ["", "x", "objects\n", "\x00\n(((", "levels\n#", "LEGEND\n= =\nRULES\n[[]]|->"]
    )
    def test_no_text_raises_anything(self, text: str) -> None:
        assert all(isinstance(item, LevelError) for item in parse(text, "a"))


class TestRules:
    @pytest.mark.parametrize(
        ("left", "right", "read_as"),
        [
            ("Hole no Stone", "Hole no Stone", "hole"),
            ("Hole no Stone no Wall", "Hole no Stone no Wall", "hole, no wall"),  # that behind another stays
            ("no Wall Hole no Stone", "no Wall Hole no Stone", "hole"),
            ("Hole", "Hole no Stone", "hole, no stone"),
            ("Hole no Solid", "Hole no Solid", "hole"),
            ("Hole no Solid", "Hole no Stone", "hole, no stone"),
        ],
    )
    def test_a_no_of_both_sides_is_left_out_on_the_right(self, left: str, right: str, read_as: str) -> None:
        rule = read(game(rules=f"[ Wall ] [ {left} ] -> [ Wall Hole ] [ {right} ]"))[0].game.rules[0]
        cell = rule.right[1][0]
        assert cell is not None
        assert ", ".join(f"{term.movement} {term.name}".strip() for term in cell) == read_as

    def test_so_what_one_row_adds_to_the_cell_of_another_stays(self) -> None:
        """As in the original, which wins this level by any move."""
        rule = "[ Hole ] [ Hole no Stone no Wall ] -> [ Hole Stone ] [ Hole no Stone no Wall ]"
        (level,) = read(game(rules=rule, wins="all Hole on Stone", levels="po"))
        assert turn(level, level.cells, "up").ending is Ending.WON


class TestWarnings:
    @pytest.mark.parametrize(
        "changed",
        [
            {"prelude": "color_palette nothing"},
            {"prelude": "noundo please"},
            {"legend": "o = Stone"},
            {"rules": RULES + " up"},
            {"rules": RULES + "\n[ Player ] -> [ ] [ ]"},
            {"rules": RULES + " Wall"},
            {"rules": RULES + "\n[ Stone no Solid ] -> [ ]"},
        ],
    )
    def test_a_doubt_is_a_warning(self, changed: dict[str, str]) -> None:
        level = read(game(**changed))[0]
        assert len(level.game.warnings) == 1
        assert len(level.game.rules) == 4

    def test_an_object_in_two_layers_belongs_to_the_last(self) -> None:
        level = read(game().replace("Player, Stone, Wall", "Player, Stone, Wall\nWall"))[0]
        assert level.game.layers == (("background",), ("hole",), ("player", "stone"), ("wall",))
        assert len(level.game.warnings) == 1


SHARED = Path(__file__).parents[4] / "shared" / "puzzlescript"


def shared(name: str) -> list[dict[str, object]]:
    if not SHARED.is_dir():
        pytest.skip(f"the games of others are not here: {SHARED}")
    return [json.loads(line) for line in (SHARED / name).read_text("utf-8").splitlines()]


@pytest.mark.corpus
def test_all_recorded_games_are_read() -> None:
    for text in sorted({str(each["game"]) for each in shared("plays.jsonl")})[:: examples(4, 1)]:
        for item in parse(text, "a.txt"):
            assert isinstance(item, Level), item


@pytest.mark.corpus
def test_errors_of_the_reference_are_errors_or_without_meaning() -> None:
    harmless = 0
    for each in shared("messages.jsonl"):
        items = parse(str(each["game"]), "a.txt")
        is_read = all(isinstance(item, Level) for item in items)
        harmless += bool(each["errors"]) and is_read
        if not each["errors"]:
            assert is_read, each["name"]
    assert harmless <= 12  # in the prelude, sounds, colours, sprites, the background's layer; names defined again


@pytest.mark.corpus
def test_all_examples_are_read() -> None:
    if not SHARED.is_dir():
        pytest.skip("the games of others are not here")
    for path in sorted((SHARED / "examples").iterdir()):
        text = path.read_text("utf-8")
        assert looks_like(text) == MARKED
        for item in parse(text, path.name):
            assert isinstance(item, Level), item
