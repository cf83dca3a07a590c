"""Sokoban collections as text: all usual forms, all errors, and writing them back."""

import pickle
import random
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlemc.mc.errors import PuzzlemcError
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.sokoban import MAX_SIDE, Cell, Level, State, cut, draw, looks_like, parse

ROOM = "######\n#@$ .#\n######"
CORNER = "#####\n#.  #\n# $@#\n#####"


def levels(text: str) -> list[Level]:
    items = parse(text, "test.xsb")
    errors = [str(item) for item in items if isinstance(item, LevelError)]
    assert not errors
    return [item for item in items if isinstance(item, Level)]


def level(text: str) -> Level:
    (only,) = levels(text)
    return only


def error(text: str) -> LevelError:
    (only,) = parse(text, "test.xsb")
    assert isinstance(only, LevelError)
    return only


def titles(text: str) -> list[str]:
    return [item.title for item in levels(text)]


def authors(text: str) -> list[str]:
    return [item.author for item in levels(text)]


class TestBoard:
    def test_a_plain_board_is_read(self) -> None:
        assert level(ROOM) == Level(
            title="",
            author="",
            rows=("######", "#@$ .#", "######"),
            floor=((1, 1), (1, 2), (1, 3), (1, 4)),
            goals=frozenset({(1, 4)}),
            start=State((1, 1), frozenset({(1, 2)})),
        )

    def test_player_and_box_may_be_on_goals(self) -> None:
        found = level("#####\n#+*$#\n#####")
        assert found.goals == {(1, 1), (1, 2)}
        assert found.start == State((1, 1), frozenset({(1, 2), (1, 3)}))

    def test_the_floor_is_row_major_and_has_only_reachable_cells(self) -> None:
        found = level("########\n#  #   #\n#.$@####\n########")
        assert found.floor == ((1, 1), (1, 2), (2, 1), (2, 2), (2, 3))
        assert found.rows == ("########", "#  #   #", "#.$@####", "########")

    def test_a_box_does_not_bound_the_floor(self) -> None:
        assert (1, 5) in level("#######\n#.@$  #\n#######").floor

    def test_decoration_is_ignored_but_drawn(self) -> None:
        found = level("#########\n#@$.#* *#\n#########")
        assert found.goals == {(1, 3)}
        assert found.start.boxes == {(1, 2)}
        assert found.rows[1] == "#@$.#* *#"

    def test_decoration_may_be_in_another_part_of_the_board(self) -> None:
        assert level("#####\n#@$.#  ###\n#####  #*#\n       ###").start.boxes == {(1, 2)}

    def test_an_unreachable_box_is_ignored(self) -> None:
        found = level("#########\n#@$.# $ #\n#########")
        assert (found.goals, found.start.boxes) == ({(1, 3)}, {(1, 2)})
        assert draw(found) == "#########\n#@$.# $ #\n#########"

    def test_an_unreachable_goal_is_kept(self) -> None:
        found = level("#########\n#@$.# .$#\n#########")
        assert (found.goals, found.start.boxes) == ({(1, 3), (1, 6)}, {(1, 2)})

    def test_a_board_may_have_only_decoration(self) -> None:
        found = level("######\n#@ #*#\n######")
        assert found.goals == found.start.boxes == frozenset()

    def test_there_may_be_more_goals_than_boxes(self) -> None:
        assert len(level("######\n#@$..#\n######").goals) == 2
        assert level("####\n#@.#\n####").start.boxes == frozenset()

    def test_there_may_be_fewer_goals_than_boxes(self) -> None:
        assert len(level("######\n#@$$.#\n######").start.boxes) == 2

    def test_a_board_may_start_solved(self) -> None:
        found = level("####\n#@*#\n####")
        assert found.start.boxes == found.goals

    def test_a_board_may_be_indented(self) -> None:
        assert level("   #####\n   #@$.#\n   #####").start.player == (1, 4)


class TestForms:
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_all_line_ends_are_read(self, end: str) -> None:
        assert level(ROOM.replace("\n", end) + end) == level(ROOM)

    def test_line_ends_may_be_mixed(self) -> None:
        first, second = levels("######\r#@$ .#\r\n######\n\r\n####\r\n#@*#\r####")
        assert first == level(ROOM)
        assert second.rows == ("####", "#@*#", "####")

    @pytest.mark.parametrize("floor", ["-", "_"])
    def test_all_floor_characters_are_read(self, floor: str) -> None:
        text = " #####\n##.  #\n# $ @#\n######"
        assert level(text.replace(" ", floor)) == level(text)

    def test_a_row_may_have_only_floor(self) -> None:
        found = level("#####\n#@$.#\n#####\n-----\n--###\n--#*#\n--###")
        assert found.rows[3:5] == ("", "  ###")
        assert level(draw(found)) == found

    def test_tab_stops_are_multiples_of_eight(self) -> None:
        assert level("\t#####\n    \t#@$.#\n\t#####").rows == (
            " " * 8 + "#####",
            " " * 8 + "#@$.#",
            " " * 8 + "#####",
        )
        assert level("#########\n#@$.\t#\n#########").rows[1] == "#@$.    #"

    def test_trailing_blanks_are_ignored(self) -> None:
        assert level("######  \n#@$ .#\t \n######- _") == level(ROOM)

    def test_a_byte_order_mark_is_ignored(self) -> None:
        assert level("\ufeff" + ROOM) == level(ROOM)
        assert error("\ufeff##q#").column == 3

    def test_counts_and_row_ends_are_read(self) -> None:
        assert level("6#|#@$-.#|6#") == level(ROOM)
        assert level("6#\n1#@$1 .#\n6#") == level(ROOM)
        assert level("6#|#@$-.#\n6#") == level(ROOM)
        assert level("6#|#@$-.#|6#|") == level(ROOM)
        assert level("13#\n#@$8-.#\n013#").rows == ("#" * 13, "#@$        .#", "#" * 13)

    def test_a_blank_line_ends_a_board(self) -> None:
        assert len(levels(f"{ROOM}\n\n{CORNER}")) == 2
        assert len(levels(f"{ROOM}\n \t \n{CORNER}")) == 2

    @pytest.mark.parametrize(
        "line", ["; 2", "Title: Two", "Author: Ann", "Level 2", "2", "two; or more", "Comment: easy", "2)"]
    )
    def test_a_line_of_other_text_ends_a_board(self, line: str) -> None:
        assert [item.rows for item in levels(f"{ROOM}\n{line}\n{CORNER}")] == [
            level(ROOM).rows,
            level(CORNER).rows,
        ]

    def test_a_remark_separates_boards_with_odd_edges(self) -> None:
        assert titles(f"#####\n#@$.#\n####*\nTitle: One\n{ROOM}\n; odd\n#####\n#@$.#\n####*") == [
            "One",
            "",
            "odd",
        ]

    def test_a_line_separates_run_length_boards(self) -> None:
        assert len(levels("6#|#@$-.#|6#\nLevel 2\n6#|#@$-.#|6#")) == 2

    @pytest.mark.parametrize("line", ["-----", "...", "1.", "* * *", "17"])
    def test_lines_without_walls_are_not_rows(self, line: str) -> None:
        assert level(f"{line}\n{ROOM}\n{line}").rows == level(ROOM).rows

    def test_free_text_is_skipped(self) -> None:
        text = f"My levels\n=========\nby Ann, 2 of them (!)\n\n{ROOM}\nrRR: easy\n\nAnd now\n\n{CORNER}\nEnd"
        assert [item.rows for item in levels(text)] == [level(ROOM).rows, level(CORNER).rows]

    def test_boards_in_comments_are_ignored(self) -> None:
        text = f"{ROOM}\nComment:\nWas this before:\n####\n\n{CORNER}\nTitle: Old\ncomment-end:\n\n{CORNER}"
        assert [item.rows for item in levels(text)] == [level(ROOM).rows, level(CORNER).rows]
        assert titles(text) == ["", ""]

    def test_an_unclosed_comment_hides_no_board(self) -> None:
        text = f"{ROOM}\nComment: easy\n\n{CORNER}\nComment: hard\n\n{ROOM}\nComment:\n{ROOM}\nComment-End:"
        assert len(levels(text)) == 3

    def test_the_end_of_a_comment_without_a_start_is_text(self) -> None:
        assert len(levels(f"{ROOM}\nComment-End:\n{CORNER}\nComment-End:\n{ROOM}")) == 3
        assert len(levels(f"{ROOM}\nComment:\nComment-End:\n{CORNER}\nComment-End:\n{ROOM}")) == 3

    def test_line_numbers_include_comments(self) -> None:
        items = parse(f"{ROOM}\nComment:\none\n\nthree\nComment-End:\n\n####\n#@q#\n####", "x")
        assert isinstance(items[1], LevelError)
        assert (items[1].line, items[1].column) == (11, 3)

    def test_rows_of_boxes_on_goals_at_the_edge_are_kept(self) -> None:
        text = "  *\n ***\n#####\n#@$.#\n#####\n -*- \n3*"
        assert level(text).rows == ("  *", " ***", "#####", "#@$.#", "#####", "  *", "***")
        assert level(draw(level(text))) == level(text)
        assert titles(f"One\n{text}\n\nTwo\n{text}") == ["One", "Two"]
        assert level(f"* * * *\n{ROOM}\n * * *").rows == level(ROOM).rows
        assert level(f"***\n\n{ROOM}\n\n***").rows == level(ROOM).rows

    def test_a_row_end_at_the_end_of_a_line_is_no_further_row(self) -> None:
        found = level("3-#|\n-3#|\n7#|\n#@$--.#| \n7#|")
        assert found.rows == ("   #", " ###", "#######", "#@$  .#", "#######")
        assert len(level("#|\n" * 500 + "####|\n#@*#|\n####|").rows) == 503

    def test_counts_before_brackets_repeat_all_cells_in_them(self) -> None:
        assert level("7#|#@2(-)$.#|7#") == level("7#|#@--$.#|7#")
        assert level("#####\n#@$.#\n#####\n2(3(#-)#)").rows[3] == "# # # ## # # #"
        assert level("-2(1(#)-)\n#####\n#@$.#\n#####").rows[0] == " # #"

    @pytest.mark.parametrize(
        ("row", "column", "message"),
        [
            ("#@(-)$.#", 3, "found '('"),
            ("#@0(-)$.#", 3, "found the count 0"),
            ("#@2(-$.#", 4, "found '('"),
            ("#@2-)$.#", 5, "found ')'"),
            ("#@2(-3)$.#", 4, "found '('"),
            ("#@2()5$.1001(#)", 1, "found a row of more than 1000 cells"),
            ("#@$.#" + "9(" * 21 + "#" + ")" * 21, 7, "found '('"),
            ("#@$.#" + "999(" * 20 + "#" + ")" * 20, 1, "found a row of more than 1000 cells"),
        ],
    )
    def test_other_brackets_are_errors(self, row: str, column: int, message: str) -> None:
        found = error(f"#####\n{row}\n#####")
        assert (found.line, str(found).partition(message)[1]) == (2, message)
        if column > 1:
            assert found.column == column

    @pytest.mark.parametrize("sign", ["> ", ">", "> > ", ">>"])
    def test_boards_in_quoted_mails_are_read(self, sign: str) -> None:
        text = "\n".join((sign + line).rstrip() for line in f"Two rooms\n{ROOM}\n\n  ####\n  #@q#".split("\n"))
        first, second = parse(f"Ann wrote:\n\n{text}", "x")
        assert isinstance(first, Level)
        assert (first.rows, first.title) == (level(ROOM).rows, "Two rooms")
        assert isinstance(second, LevelError)
        assert (second.line, second.column) == (9, 4 + len(sign))
        assert looks_like(text) > 0.5
        assert levels(f"{ROOM}\n> not a row\n\n{ROOM}")[0].rows == level(ROOM).rows

    @pytest.mark.parametrize("blank", "\u00a0\u2007\u3000")
    def test_blanks_of_other_widths_are_floor(self, blank: str) -> None:
        text = f"Level{blank}1\n{ROOM.replace(' ', blank)}\n{blank}\n{ROOM}"
        assert [item.rows for item in levels(text)] == [level(ROOM).rows] * 2
        assert titles(text) == [f"Level{blank}1", ""]
        assert looks_like(text) > 0.5


class TestNames:
    def test_a_header_far_above_names_no_board(self) -> None:
        remark = "; see also the second\nwith thanks to a friend\n\n"
        for below in ("Solution\nR\n\nTwo\n\n", "Two\n\n", "Two\n"):
            assert titles(f"One\n\n{ROOM}\n\n{remark}{below}{CORNER}") == ["One", "Two"]
        assert titles(f"One\n{ROOM}\n\n; good\n\nrR\n\n{CORNER}") == ["One", ""]
        assert titles(f"One\n{ROOM}\n\nrR\n\n; Two\n\n{CORNER}") == ["One", "Two"]

    def test_the_last_line_of_a_paragraph_is_no_title(self) -> None:
        assert titles(f"A note\nof two lines\n\n{ROOM}") == [""]
        assert titles(f"{ROOM}\n\nA note\nof two lines\n\n{CORNER}") == ["", ""]
        assert titles(f"A note\nof two lines\n\nOne\n\n{ROOM}") == ["One"]
        assert titles(f"Remark: a note\n  of two lines\n\n{ROOM}") == [""]

    @pytest.mark.parametrize("title", ["#50 (3)", "#51", "# 7: easy", "## Second", "#3. by Ann", "# b"])
    @pytest.mark.parametrize("blank", ["\n", ""])
    def test_a_number_sign_may_begin_a_title(self, title: str, blank: str) -> None:
        assert titles(f"{title}\n{blank}{ROOM}\n\n{title}\n{blank}{CORNER}") == [title, title]

    def test_level_and_puzzle_are_keys_of_titles(self) -> None:
        text = f"Level: one | R\n\n{ROOM}\n\npuzzle : two\n{CORNER}\n\nLevel: 3\nTitle: Three\n{ROOM}\n"
        assert titles(text) == ["one | R", "two", "Three"]

    def test_a_text_below_the_title_of_the_collection_does_not_hide_it(self) -> None:
        head = "Title: My set\nDescription: Levels for beginners,\n             collected.\nAuthor: Ann"
        for text in (head, "Title: My set\nCollected over some years.", "Title: My set\n\nOver some years."):
            found = list(cut(f"{text}\n\n{ROOM}\nTitle: One\n\n{CORNER}\nTitle: Two\n", "x"))
            assert [part.title for part in found if isinstance(part, Part)] == ["One", "Two"]
            assert [part.about.title for part in found if isinstance(part, Part)] == ["My set", "My set"]

    def test_a_header_names_a_board(self) -> None:
        assert titles(f"; 17\n{ROOM}\n\n;Garden02\n{CORNER}") == ["17", "Garden02"]

    def test_a_header_may_be_apart_from_its_board(self) -> None:
        assert titles(f"; My levels\n\n; 1\n\n{ROOM}\n\n; 2  \n\n{CORNER}") == ["1", "2"]

    def test_a_header_may_have_a_number_and_a_comment(self) -> None:
        assert titles(f"; 3 'The Tower'\n{ROOM}\n\n; 4ever\n{CORNER}") == ["3 'The Tower'", "4ever"]

    def test_headers_may_be_below_their_boards(self) -> None:
        assert titles(f"{ROOM}\n; 1\n\n{CORNER}\n; 2\n") == ["1", "2"]
        assert titles(f"{ROOM}\n; 1\n \t\n{CORNER}\n; 2\n") == ["1", "2"]

    def test_a_remark_below_does_not_replace_the_header(self) -> None:
        assert titles(f"; 1\n{ROOM}\n; solved in 9\n\n; 2\n{CORNER}") == ["1", "2"]

    def test_titles_may_follow_their_boards(self) -> None:
        text = f"; 1\n{ROOM}\nAuthor: Ann\nTitle: One\n\n; 2\n{CORNER}\ntitle:Two \nAUTHOR : Bob"
        assert titles(text) == ["One", "Two"]
        assert authors(text) == ["Ann", "Bob"]

    def test_titles_may_follow_their_boards_after_blank_lines(self) -> None:
        text = f"{ROOM}\n\nTitle: One\nAuthor: Ann\n\n{CORNER}\n\nTitle: Two\n"
        assert titles(text) == ["One", "Two"]
        assert authors(text) == ["Ann", ""]

    def test_titles_may_precede_their_boards(self) -> None:
        text = f"Title: One\nAuthor: Ann\n{ROOM}\n\nTitle: Two\nAuthor: Bob\n{CORNER}"
        assert titles(text) == ["One", "Two"]
        assert authors(text) == ["Ann", "Bob"]

    def test_titles_may_precede_their_boards_by_blank_lines(self) -> None:
        assert titles(f"Title: One\n\n{ROOM}\n\nTitle: Two\n\n{CORNER}\n") == ["One", "Two"]

    def test_titles_may_precede_their_boards_without_blank_lines(self) -> None:
        assert titles(f"Title: One\n{ROOM}\nTitle: Two\n{CORNER}\n") == ["One", "Two"]

    def test_a_board_without_a_title_does_not_turn_the_others_around(self) -> None:
        one, two, three = (f"Title: {name}\n\n{ROOM}\n\n" for name in ("One", "Two", "Three"))
        assert titles(f"{one}{ROOM}\n\n{two}{three}") == ["One", "", "Two", "Three"]
        assert titles(f"{one}{two}{three}{ROOM}\n") == ["One", "Two", "Three", ""]

    def test_titles_may_follow_their_boards_without_blank_lines(self) -> None:
        assert titles(f"{ROOM}\nTitle: One\n{CORNER}\nTitle: Two\n") == ["One", "Two"]

    def test_only_some_boards_may_have_titles(self) -> None:
        assert titles(f"{ROOM}\n\n{ROOM}\nTitle: Two\n\n{ROOM}\n\n{ROOM}") == ["", "Two", "", ""]
        assert titles(f"{ROOM}\n\nTitle: Two\n{ROOM}\n\n{ROOM}\n\n{ROOM}") == ["", "Two", "", ""]

    def test_one_board_may_have_titles_on_both_sides(self) -> None:
        assert titles(f"Title: One\n\n{ROOM}") == titles(f"{ROOM}\n\nTitle: One") == ["One"]

    def test_remarks_about_the_collection_are_no_titles(self) -> None:
        text = f"Title: All of them\nAuthor: Ann\n\n; 1\n{ROOM}\n\n; 2\n{CORNER}\nAuthor: Bob"
        assert titles(text) == ["1", "2"]
        assert authors(text) == ["Ann", "Bob"]
        text = f"Author: Ann\n\n{ROOM}\n\nTitle: One\n\n{CORNER}\n\nTitle: Two\nAuthor: Bob"
        assert titles(text) == ["One", "Two"]
        assert authors(text) == ["Ann", "Bob"]

    def test_the_last_line_of_text_above_a_board_is_its_title(self) -> None:
        text = (
            f"My levels, by Ann\nMade on a train\n\nThe Tower\n\n{ROOM}\n\nrrR\n\nHard:\nThe End\n{CORNER}\nDone\n"
        )
        assert titles(text) == ["The Tower", "The End"]
        assert titles(f"Level 1\n{ROOM}\nLevel 2\n{ROOM}\n\n3\n\n{ROOM}") == ["Level 1", "Level 2", "3"]
        assert titles(f"Level 1: In\n\n{ROOM}\n\nLevel 2: Out\n\n{ROOM}") == ["Level 1: In", "Level 2: Out"]
        assert titles(f"The Tower\n\n{ROOM}") == ["The Tower"]
        assert titles(f"The Tower\n=========\n\n{ROOM}") == ["The Tower"]

    def test_other_text_is_no_title(self) -> None:
        assert titles(f"=====\n\n{ROOM}\n\n-----\n\n{ROOM}\n~~~~~\n{ROOM}") == ["", "", ""]
        assert titles(f"{ROOM}\nNot so hard\n\n{ROOM}") == ["", ""]
        assert titles(f"A\n{ROOM}\n\nSolution\nrrRR\n\n{ROOM}") == ["A", ""]
        assert titles(f"A\n{ROOM}\n\nDate: today\n:: a comment\n{ROOM}") == ["A", ""]
        assert titles(f"All my levels\n\n{ROOM}\n\n{ROOM}") == ["", ""]
        assert titles(f"; All my levels\n\n{ROOM}\n\n{ROOM}") == ["", ""]
        assert titles(f"{ROOM}\nComment:\nA\nComment-End:\n{ROOM}") == ["", ""]

    def test_headers_and_titles_have_priority_over_text(self) -> None:
        text = f"; 1\nThe Tower\n{ROOM}\n\nThe Inn\nTitle: Two\n{ROOM}\n\nThe End\n{CORNER}"
        assert titles(text) == ["1", "Two", "The End"]

    @pytest.mark.parametrize(
        "head", ["Title: Mine", "Title: Mine\nAuthor: Ann", "Title: Mine\n\nAuthor: Ann\n", "Hi\nTitle: Mine\n"]
    )
    @pytest.mark.parametrize("name", ["; {}", "Level {}", "{}"])
    def test_the_title_of_the_collection_is_no_title_of_a_level(self, head: str, name: str) -> None:
        one, two = name.format(1), name.format(2)
        expected = [one.removeprefix("; "), two.removeprefix("; ")]
        assert titles(f"{head}\n{one}\n{ROOM}\n\n{two}\n{ROOM}") == expected
        assert titles(f"{head}\n\n{one}\n\n{ROOM}\n\n{two}\n\n{ROOM}\n") == expected
        assert titles(f"{head}\n\n{one}\n{ROOM}") == expected[:1]

    def test_the_title_of_the_collection_alone_names_no_level(self) -> None:
        assert titles(f"Title: Mine\nAuthor: Ann\n\n{ROOM}\n\n{CORNER}") == ["", ""]
        assert titles(f"Title: Mine\n\nTitle: One\n{ROOM}\n\nTitle: Two\n{CORNER}") == ["One", "Two"]

    def test_bad_levels_keep_their_names(self) -> None:
        first, second = parse(f"####\n#@ #\n####\nTitle: Bad\n\n{ROOM}\nTitle: Good", "x")
        assert isinstance(first, LevelError)
        assert isinstance(second, Level)
        assert second.title == "Good"


WAY_OUT = "found a way out of the board, expected a wall"
TOO_LONG = "found a row of more than 1000 cells, expected at most 1000"
NO_CELL = "found a count at the end of the row, expected a cell after it"

# The error, its place (line, column), and its message.
BAD = {
    "nothing": ("", None, None, "found an empty text, expected rows of # @ + $ * . space - _"),
    "blanks": (" \n\t\r\n", None, None, "found an empty text"),
    "only text": ("Dear all,\nsee you.", None, None, "found text but no row of a board, expected rows of #"),
    "no wall": ("@$.\n", None, None, "found text but no row of a board"),
    "only a comment": (f"Comment:\n{ROOM}\nComment-End:", None, None, "found text but no row of a board"),
    "no player": ("\n####\n#$.#\n####", 2, None, "found no player, expected one @ or +"),
    "two players": ("#####\n#@$.#\n#  +#\n#####", 3, 4, "found a second player, expected one @ or +"),
    "two players in a row": ("######\n#@$.@#\n######", 2, 5, "found a second player"),
    "unknown character": ("#####\n#@q.#\n#####", 2, 3, "found 'q', expected one of # @ + $ * . space - _"),
    "unknown first in its row": ("#####\nq@$.#\n#####", 2, 1, "found 'q'"),
    "unknown last in its row": ("#####\n#@$.q\n#####", 2, 5, "found 'q'"),
    "unknown row above the player": ("#####\nqqqqq\n#@$.#\n#####", 2, 1, "found 'q'"),
    "unknown row below the player": ("#####\n#@$.#\n?\n#####", 3, 1, "found '?'"),
    "unknown row after row ends": ("5#|#@$.#\nqqq\n5#", 2, 1, "found 'q'"),
    "unknown after the first wall": ("  #!###\n  #@$.#\n  #####", 1, 4, "found '!'"),
    "unknown after a count": ("5#|#@$.#|4#q", 1, 12, "found 'q'"),
    "a comment in a row": ("##### ; top\n#@$.#\n#####", 1, 7, "found ';'"),
    "unprintable": ("#####\n#@\u200b$.#\n#####", 2, 3, r"found '\u200b'"),
    "not a digit of ours": ("#####\n#@$.#\n#٣####", 3, 2, "found '٣'"),
    "no goal": ("####\n#@$#\n####", 1, None, "found no goal, expected at least one"),
    "no goal and no box": ("####\n#@ #\n####", 1, None, "found no goal, expected at least one"),
    "open above": ("## ##\n#@$.#\n#####", 1, 3, WAY_OUT + " here"),
    "open below": ("#####\n#@$.#\n## ##", 3, 3, WAY_OUT + " here"),
    "open to the left": ("#####\n @$.#\n#####", 2, 1, WAY_OUT + " here"),
    "open to the right": ("#####\n#@$.\n#####", 2, 5, WAY_OUT + " here"),
    "open where the row below is short": ("#####\n#@$.#\n###", 3, 4, WAY_OUT + " here"),
    "open where a row ends in a count": ("5#|#@$2.|5#", 1, 9, WAY_OUT + " here"),
    "open by the nearest way": ("#     #\n#     #\n#     #\n#.$@\n#######", 4, 5, WAY_OUT + " here"),
    "open into spaces around it": ("  #####\n  #   #\n    $ #\n  #@. #\n  #####", 3, 3, WAY_OUT + " here"),
    "open far from the player": ("#######\n#@$. ##\n##   #\n# #  #\n#    ##\n## ####", 6, 3, WAY_OUT + " here"),
    "open below a floor": ("######\n#@$. #\n#    #\n#    #\n##  ##", 5, 3, WAY_OUT + " here"),
    "only one row": ("#@$.#", 1, 2, WAY_OUT + " above"),
    "column after tabs": ("\t#####\n\t#@q.#\n\t#####", 2, 4, "found 'q'"),
    "cell after tabs": ("\t#####\n\t#@@.#\n\t#####", 2, 4, "found a second player"),
    "cell after counts": ("9#|#2-@$.@#|9#", 1, 10, "found a second player"),
    "cell in a count": ("9#|#@$.#3@#|9#", 1, 9, "found a second player"),
    "cell after row ends": ("5#|#@@.#|5#", 1, 6, "found a second player"),
    "count without a cell": ("5#|#@$.3|5#", 1, 8, NO_CELL),
    "count of none": ("#####\n#@0 $.#\n#####", 2, 3, "found the count 0, expected 1 to 1000"),
    "count too large": ("#####\n#@1001$.#\n#####", 2, 3, TOO_LONG),
    "count of many digits": ("#####\n" + "#" + "9" * 9999 + "$#", 2, 2, TOO_LONG),
    "counts too large together": ("#####\n#600 600 #\n#####", 2, 6, TOO_LONG),
    "tab past the limit": ("#999 \t#", 1, 6, TOO_LONG),
    "row too long": ("#####\n" + "#" * 1001 + "\n#####", 2, 1001, TOO_LONG),
    "too many rows": (ROOM + "\n#" * 998, 1, None, "found a board of 1001 rows, expected at most 1000"),
    "too many row ends": ("#|" * 1000 + "#", 1, None, "found a board of 1001 rows, expected at most 1000"),
    "control characters": ("#####\n#@$\x00#\n#####", 2, 4, r"found the control character '\x00', expected "),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "message"), BAD.values(), ids=BAD)
def test_a_bad_level_is_an_error(text: str, line: int | None, column: int | None, message: str) -> None:
    found = error(text)
    assert (found.line, found.column) == (line, column)
    assert found.message.startswith(message)
    assert found.source == "test.xsb"
    assert all(line.startswith("test.xsb:") for line in str(found).split("\n"))
    assert found.__traceback__ is None  # otherwise it would keep the whole text in memory


# A board with several errors: their places and the texts found there, in the order of the file.
SEVERAL = {
    "characters": ("#####\n#@x.#\n#$yy#\n#####", ["2:3: found 'x'", "3:3: found 'y'"]),
    "characters in one row": ("#######\n#@x$.?#\n#######", ["2:3: found 'x'", "2:6: found '?'"]),
    "players": ("#####\n#@$.#\n#@ +#\n#####", ["3:2: found a second player", "3:4: found a further player"]),
    "players in a count": ("#####\n#3@.#\n#####", ["2:2: found a second player"]),
    "no player, no goal": ("####\n# $#\n####", ["1: found no player", "1: found no goal"]),
    "holes": (
        "## ####\n#@$.  #\n#     #\n#### ##",
        ["1:3: found a way out", "4:5: found a way out"],
    ),
    "of each kind": (
        "## ###\n#@$. #\n#  q #\n# @  #\n######",
        ["1:3: found a way out", "3:4: found 'q'", "4:3: found a second player"],
    ),
    "a hole without a second player": ("## ####\n#@$. q#\n#######", ["1:3: found a way out", "2:6: found 'q'"]),
    "counts and characters": ("5#\n#@0$.#\n#x  9#", ["2:3: found the count 0", "3:2: found 'x'"]),
    # These errors hide others: in a row with unknown characters, a wall, a player or a goal may seem absent.
    "a word in place of a row": ("#####\n#@$.#\nwww\n#####", ["3:1: found 'w'"]),
    "a word with a letter of a player": ("#####\n#@$.#\n#xp #\n#####", ["3:2: found 'x'"]),
    "unknown player": ("#####\n#A$.#\n#####", ["2:2: found 'A'"]),
    "unknown goal": ("#####\n#@$x#\n#####", ["2:4: found 'x'"]),
}


@pytest.mark.parametrize(("text", "places"), SEVERAL.values(), ids=SEVERAL)
def test_all_errors_of_a_level_are_reported(text: str, places: list[str]) -> None:
    lines = str(error(text)).split("\n")
    assert [line.split(",")[0] for line in lines] == [
        f"test.xsb:{place}" + " of the board" * place.endswith("way out") for place in places
    ]


def test_the_number_of_reported_errors_is_limited() -> None:
    """An error lists the first ten faults in file order, and the number of the others."""
    text = "#####\n#@$.#\n" + "#q ##\n" * 12 + "#@  #\n#####"
    found = error(text)
    lines = str(found).split("\n")
    assert [line.split(" ")[0] for line in lines[:10]] == [f"test.xsb:{number}:2:" for number in range(3, 13)]
    assert lines[10:] == ["test.xsb: and 3 more errors in this level"]
    assert str(pickle.loads(pickle.dumps(found))) == str(found)


def test_a_bad_level_hides_no_other() -> None:
    text = f"{ROOM}\n\n#####\n#@q.#\n#####\n\n{CORNER}\n\n####\n#@ #\n####\n"
    kinds = [type(item) for item in parse(text, "x")]
    assert kinds == [Level, LevelError, Level, LevelError]


def test_the_size_of_a_board_is_limited() -> None:
    side = MAX_SIDE
    rows = [
        "#" * side,
        "#@$." + " " * (side - 5) + "#",
        *["#" + " " * (side - 2) + "#"] * (side - 3),
        "#" * side,
    ]
    found = level("\n".join(rows))
    assert len(found.floor) == (side - 2) ** 2


RANDOM = random.Random(3).randbytes(2_000_000)
CONTROLS = bytes([*range(32), *range(127, 160)]).replace(b"\n", b"")
HUGE = {
    "walls in a line": "#" * 2_000_000,
    "walls in a column": "#\n" * 1_000_000,
    "row ends": "#|" * 1_000_000,
    "counts": "1#" * 1_000_000,
    "digits": "9" * 2_000_000 + "#",
    "blanks": " " * 2_000_000 + "x",
    "tabs": "#" + "\t" * 2_000_000 + "#",
    "newlines": "\n" * 2_000_000,
    "words": "word\n" * 400_000,
    "comments": "Comment:\n" * 200_000,
    "rows without walls": "#\n" + "-\n" * 1_000_000,
    "random bytes": RANDOM.decode("latin-1"),
    "random letters": RANDOM.translate(None, CONTROLS).decode("latin-1"),
}  # fmt: skip


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
def test_huge_input_is_refused_quickly(text: str) -> None:
    start = time.thread_time()
    items = parse(text, "huge.xsb")
    seconds = time.thread_time() - start
    assert items
    assert all(isinstance(item, LevelError) and len(str(item)) < 1000 for item in items)
    assert seconds < 6  # it takes less than a tenth of a second when idle; a quadratic pattern would take hours


class TestLooksLike:
    @pytest.mark.parametrize(
        "text", [ROOM, "Title: x\r\n\r\n" + CORNER.replace("\n", "\r\n"), "6#|#@$-.#|6#", "####\n#@*#"]
    )
    def test_sokoban_is_recognized(self, text: str) -> None:
        assert looks_like(text)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "# a comment",
            "#####",
            "#\n#",
            "-1 0 2\n0 0 1",
            "N = 3;\n% ####",
            '{"a": "#@$.#"}',
            "1.5 * 2",
            "# a@b.c #",
        ],
    )
    def test_other_texts_are_not_recognized(self, text: str) -> None:
        assert not looks_like(text)


class TestDraw:
    def test_the_start_is_drawn(self) -> None:
        assert draw(level(CORNER)) == CORNER

    def test_a_state_is_drawn(self) -> None:
        assert draw(level(CORNER), State((1, 2), frozenset({(1, 1)}))) == "#####\n#*@ #\n#   #\n#####"
        assert draw(level(CORNER), State((1, 1), frozenset({(2, 1)}))) == "#####\n#+  #\n#$  #\n#####"

    def test_decoration_is_drawn(self) -> None:
        text = "#########\n#@$.#* *#\n#########"
        assert draw(level(text), State((1, 2), frozenset({(1, 3)}))) == "#########\n# @*#* *#\n#########"

    @pytest.mark.parametrize(
        "state",
        [
            State((0, 0), frozenset({(1, 1)})),
            State((1, 1), frozenset({(1, 1)})),
            State((1, 1), frozenset({(9, 9)})),
        ],
        ids=["player in a wall", "player on a box", "box off the board"],
    )
    def test_an_impossible_state_is_refused(self, state: State) -> None:
        with pytest.raises(ValueError, match="must stand on floor cells"):
            draw(level(CORNER), state)


class TestError:
    def test_an_error_is_one_line(self) -> None:
        assert str(LevelError("found 'q'", source="a.xsb", line=12, column=5)) == "a.xsb:12:5: found 'q'"
        assert str(LevelError("found 'q'", source="a.xsb", line=12)) == "a.xsb:12: found 'q'"
        assert str(LevelError("found 'q'", source="a.xsb")) == "a.xsb: found 'q'"

    def test_an_error_is_caught_by_the_root_class(self) -> None:
        with pytest.raises(PuzzlemcError):
            raise LevelError("found 'q'", source="a.xsb")

    def test_an_error_can_be_pickled(self) -> None:
        found = pickle.loads(pickle.dumps(error("#####\n#@q.#\n#####")))
        assert isinstance(found, LevelError)
        assert str(found) == "test.xsb:2:3: found 'q', expected one of # @ + $ * . space - _"
        assert (found.source, found.line, found.column) == ("test.xsb", 2, 3)


def reach(walls: set[Cell], start: Cell) -> set[Cell]:
    """Flood fill by set operations, within walls that are closed by construction."""
    reached: set[Cell] = set()
    new = {start}
    while new:
        reached |= new
        near = {(r + dr, c + dc) for r, c in new for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1))}
        new = near - walls - reached
    return reached


@st.composite
def closed_levels(draw_: st.DrawFn) -> Level:
    """Generate valid levels as sets of cells, from which the result of `parse` follows."""
    height, width = draw_(st.integers(3, 9)), draw_(st.integers(4, 12))
    cells = [(r, c) for r in range(height) for c in range(width)]
    inside = [(r, c) for r, c in cells if 0 < r < height - 1 and 0 < c < width - 1]
    walls = set(cells) - set(inside) | draw_(st.sets(st.sampled_from(inside), max_size=len(inside) - 2))
    player = draw_(st.sampled_from(sorted(set(inside) - walls)))
    floor = reach(walls, player)
    rest = sorted(floor - {player})
    if not rest:  # the player is walled in: open one adjacent cell
        beside = next(cell for cell in inside if abs(cell[0] - player[0]) + abs(cell[1] - player[1]) == 1)
        walls.remove(beside)
        floor = reach(walls, player)
        rest = sorted(floor - {player})
    boxes = draw_(st.sets(st.sampled_from(rest), min_size=1))
    goals = draw_(st.sets(st.sampled_from(sorted(floor)), min_size=1, max_size=len(boxes)))
    hidden = sorted(set(inside) - walls - floor)
    decoration = draw_(st.sets(st.sampled_from(hidden))) if hidden else set()

    def character(cell: Cell) -> str:
        if cell in walls:
            return "#"
        if cell == player:
            return "+" if cell in goals else "@"
        if cell in boxes | decoration:
            return "*" if cell in goals | decoration else "$"
        return "." if cell in goals else " "

    rows = ["".join(character((r, c)) for c in range(width)) for r in range(height)]
    return Level("", "", tuple(rows), tuple(sorted(floor)), frozenset(goals), State(player, frozenset(boxes)))


@given(closed_levels())
def test_parse_finds_the_drawn_level(expected: Level) -> None:
    assert level("\n".join(expected.rows)) == expected


@given(closed_levels(), st.data())
def test_draw_and_parse_are_inverse_in_every_state(start: Level, data: st.DataObject) -> None:
    player = data.draw(st.sampled_from(start.floor))
    elsewhere = st.sampled_from([cell for cell in start.floor if cell != player])
    count = len(start.start.boxes)
    state = State(player, data.draw(st.frozensets(elsewhere, min_size=count, max_size=count)))
    drawn = draw(start, state)
    found = level(drawn)
    assert (found.start, found.floor, found.goals) == (state, start.floor, start.goals)
    assert draw(found) == drawn
    assert draw(found, start.start) == draw(start)


@given(closed_levels(), st.sampled_from("-_"))
def test_counts_agree_with_plain_rows(expected: Level, floor: str) -> None:
    plain = "|".join(expected.rows).replace(" ", floor)
    encoded = re.sub(r"([^|])\1+", lambda run: f"{len(run[0])}{run[1]}", plain)
    assert level(encoded) == expected


@given(st.text(st.sampled_from("#@+$*. -_\t|12q;:\n\r\x00\u2028") | st.characters()))
def test_any_text_is_read_or_refused_with_a_line_for_each_error(text: str) -> None:
    items = parse(text, "any.xsb")
    assert items
    for item in items:
        if isinstance(item, LevelError):
            assert all(line.startswith("any.xsb:") for line in str(item).splitlines())
        else:
            (again,) = levels(draw(item))
            assert (again.rows, again.floor, again.goals, again.start) == (
                item.rows,
                item.floor,
                item.goals,
                item.start,
            )


CORPUS = {
    "microban1.xsb": 155,
    "sasquatch3.xsb": 50,
    "grigrspecial_40.xsb": 40,
    "boxoban_hard_100.xsb": 100,
    "boxoban_medium_100.xsb": 100,
    "boxoban_unfiltered_200.xsb": 200,
    "unsolvable_60.xsb": 60,
}


@pytest.mark.corpus
class TestCorpus:
    @pytest.mark.parametrize(("name", "count"), CORPUS.items(), ids=CORPUS)
    def test_every_level_parses(self, corpus: Path, name: str, count: int) -> None:
        found = levels((corpus / "sokoban" / name).read_text(encoding="utf-8"))
        assert len(found) == count
        assert all(item.title for item in found)
        for item in found:
            assert level(draw(item)).start == item.start

    def test_titles_of_the_corpus_are_read(self, corpus: Path) -> None:
        def names(file: str) -> list[str]:
            return titles((corpus / "sokoban" / file).read_text(encoding="utf-8"))

        named = {44: "'Duh!'", 101: "'Lockdown'", 148: "'from (Original 18)'", 149: "'from (Boxxle 43)'"}
        named |= dict.fromkeys((150, 151), "'from (Original 47)'")
        named |= {154: "'Take the long way home.'", 155: "'The Dungeon'"}
        assert names("microban1.xsb") == [f"{number} {named.get(number, '')}".strip() for number in range(1, 156)]
        assert names("boxoban_hard_100.xsb") == [str(number) for number in range(100)]
        assert names("grigrspecial_40.xsb")[:2] == ["Krutoy Povorot", "Jump in Depth"]
        assert names("grigrspecial_40.xsb")[-1] == "Finish"

    def test_sizes_agree_with_another_solver(self, corpus: Path) -> None:
        """Compare the numbers of floor cells and boxes with those of an independent solver."""
        lines = (corpus / "sokoban/microban1.optimal.tsv").read_text(encoding="utf-8").splitlines()
        table = [line.split("\t") for line in lines]
        expected = {int(line[0]): (int(line[5]), int(line[6])) for line in table[1:]}
        found = levels((corpus / "sokoban/microban1.xsb").read_text(encoding="utf-8"))
        sizes = {number: (len(item.floor), len(item.start.boxes)) for number, item in enumerate(found, 1)}
        assert {number: sizes[number] for number in expected} == expected

    def test_the_last_level_of_a_corpus_file_starts_solved(self, corpus: Path) -> None:
        last = levels((corpus / "sokoban/grigrspecial_40.xsb").read_text(encoding="utf-8"))[-1]
        assert last.goals == last.start.boxes


@pytest.mark.parametrize("sign", ["\x00", "\x01", "\x1b", "\x7f"])
def test_a_control_character_in_a_title_does_not_refuse_the_file(sign: str) -> None:
    first, second = cut(f"#####\n#@$.#\n#####\nTitle: a{sign}b\n\n#####\n#@$.#\n#####\nTitle: c\n", "a.sok")
    assert isinstance(first, Part)
    assert isinstance(second, Part)
    assert (first.title, second.title) == (f"a{sign}b", "c")
