"""Levels that are rows of numbers, `key: value` lines, or what a function of the author reads."""

import pickle
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.modelling import Level, TextScreen, fields, free, numbers, optional
from puzzlemc.screens.modelling.screen import Reader

HERE = __file__


def one(reader: Reader, text: str) -> Any:
    (level,) = TextScreen((".x",), reader).parse(text, "a.x")
    assert isinstance(level, Level), level
    return level.data


def refused(reader: Reader, text: str) -> str:
    (error,) = TextScreen((".x",), reader).parse(text, "a.x")
    assert isinstance(error, LevelError)
    return str(error)


def line_of(words: str) -> int:
    """The line of this file that has a comment with these words."""
    with open(HERE, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if line.rstrip().endswith(f"# {words}"))


class TestNumbers:
    @pytest.mark.parametrize(
        "text", ["1 -2 3\n04", "1,-2;3\n 4 ,", "% c\n1\t-2\t+3 \r\n4\r\n\r\n", "\ufeff1, -2, 3\n4"]
    )
    def test_all_forms_are_read(self, text: str) -> None:
        level = one(numbers(), text)
        assert level == ((1, -2, 3), (4,))
        assert level[0][1] == -2
        assert level.flat == (1, -2, 3, 4)
        assert (level.rows, level.columns, level.text) == (2, 3, "1 -2 3\n4")

    def test_numbers_know_their_title_also_after_pickling(self) -> None:
        level = one(numbers(), "Title: T\nAuthor: A\n1 2")
        for each in (level, pickle.loads(pickle.dumps(level))):
            assert (each, each.title, each.author) == (((1, 2),), "T", "A")

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "a.x: found an empty text, expected rows of whole numbers"),
            ("1 2\n% c\n3, x4", "a.x:3:4: found 'x4', expected a whole number of at most 18 digits"),
            ("1 2.5", "a.x:1:3: found '2.5', expected a whole number"),
            ("²", "a.x:1:1: found '²', expected a whole number"),
            ("1_0", "a.x:1:1: found '1_0', expected a whole number"),
            ("\u0661", "a.x:1:1: found '\u0661', expected a whole number"),
            ("--1", "a.x:1:1: found '--1', expected a whole number"),
            (", ;", "a.x:1: found ', ;', expected a whole number"),
            (
                "1 " + "9" * 19,
                "a.x:1:3: found '9999999999999999999', expected a whole number of at most 18 digits",
            ),
        ],
    )
    def test_other_words_are_refused(self, text: str, message: str) -> None:
        assert refused(numbers(), text).startswith(message)

    def test_enormous_numbers_and_levels_are_read_or_refused_fast(self) -> None:
        before = time.process_time()
        assert refused(numbers(), "1" * 5_000_000).startswith("a.x:1:1: found '11111111111111111111'…, expected")
        assert len(one(numbers(), "\n".join(["12 " * 1000] * 200)).flat) == 200_000
        assert time.process_time() - before < 2


JUGS = fields(sizes=[int], goal=int, name=optional(str, "none"), sure=optional(bool, default=False))


class TestFields:
    def test_values_are_attributes(self) -> None:
        level = one(JUGS, "Title: T\n goal : 4\n% c\nSIZES: 3, 5\nname: two: jugs % here \nsure: Yes")
        assert (level.sizes, level.goal, level.name, level.sure, level.title) == (
            (3, 5),
            4,
            "two: jugs % here",
            True,
            "T",
        )
        assert one(JUGS, "sizes:\ngoal: -4").sizes == ()
        assert one(JUGS, "sizes: 1\ngoal: 4").name == "none"

    def test_levels_are_equal_by_text(self) -> None:
        first, same, other = (
            one(JUGS, text) for text in ("goal: 1\nsizes: 1", "goal: 1\n%\nsizes: 1 ", "goal: 2\nsizes: 1")
        )
        assert first == same
        assert hash(first) == hash(same)
        assert first != other

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("goal: 4", "a.x:1: found no field sizes, expected a line sizes: …"),
            (
                "Title: x\n goel: 4",
                "a.x:2:2: found the field 'goel', expected one of: sizes, goal, name, sure; nearest: goal",
            ),
            ("3 5", "a.x:1:1: found '3 5', expected one of: sizes, goal, name, sure"),
            ("goal: 4\nGoal: 4", "a.x:2:1: found the field goal for the second time, expected it in line 1 alone"),
            ("goal:", "a.x:1:6: goal: found nothing, expected a whole number of at most 18 digits"),
            ("goal: 4 5", "a.x:1:7: goal: found '4 5', expected a whole number"),
            ("sizes: 3, x5", "a.x:1:11: sizes: found 'x5', expected a whole number"),
            ("sure: maybe", "a.x:1:7: sure: found 'maybe', expected yes or no"),
        ],
    )
    def test_bad_fields_are_refused(self, text: str, message: str) -> None:
        assert refused(JUGS, text).startswith(message)

    def test_a_function_of_the_text_may_refuse_it(self) -> None:
        def even(text: str) -> int:
            if int(text) % 2:
                raise ValueError("found an odd number, expected an even one")  # even
            return int(text)

        assert one(fields(n=[even]), "n: 2 4").n == (2, 4)
        where = f"(raised in {HERE}:{line_of('even')})"
        assert refused(fields(n=even), "n:  3") == f"a.x:1:5: n: found an odd number, expected an even one {where}"
        assert refused(fields(n=[even]), "n: 2 3").startswith("a.x:1:6: n: found an odd number")

    def test_an_unknown_attribute_names_the_nearest(self) -> None:
        with pytest.raises(
            AttributeError, match="found no field 'goals', expected one of: sizes, goal, name, sure; nearest: goal"
        ):
            _ = one(JUGS, "sizes: 1\ngoal: 4").goals

    @pytest.mark.parametrize(
        ("kinds", "message"),
        [
            ({}, "found none"),
            ({"title": str}, "found the name 'title'"),
            ({"Goal": int}, "found the name 'Goal', expected letters in lower case"),
            ({"goal": 3}, "goal: found 3, expected int, str"),
            ({"goal": [int, int]}, "goal: found .*, expected int, str"),
        ],
    )
    def test_wrong_fields_are_errors_of_the_author(self, kinds: dict[str, Any], message: str) -> None:
        with pytest.raises(ModelError, match=message):
            fields(**kinds)


class TestFree:
    def test_the_function_gets_the_text_alone(self) -> None:
        assert one(free(str.split), "Title: T\n% c\na b \n% c\nc") == ["a", "b", "c"]

    def test_what_it_raises_is_an_error_of_the_level(self) -> None:
        def read(text: str) -> int:
            return {"a": 1}[text]  # read

        assert refused(free(read), "% c\nb") == f"{HERE}:{line_of('read')}: KeyError: 'b', for the level in a.x:2"

    def test_limits_stay_limits(self) -> None:
        def read(text: str) -> int:
            raise LimitReached("timeout")

        with pytest.raises(LimitReached):
            refused(free(read), "b")

    def test_levels_of_unhashable_values_are_hashable(self) -> None:
        (level,) = TextScreen((".x",), free(str.split)).parse("a b", "a.x")
        assert len({level, level}) == 1


class TestMaking:
    def test_the_authors_function_gets_the_data_and_may_refuse_it(self) -> None:
        def make(level: Any) -> int:
            if level.goal > max(level.sizes):
                raise ValueError(f"found the goal {level.goal}, expected at most {max(level.sizes)}")  # make
            return int(level.goal)

        good, bad = TextScreen((".x",), JUGS, make).parse("sizes: 3 5\ngoal: 4\n\nsizes: 3\ngoal: 4", "a.x")
        assert isinstance(good, Level)
        assert good.made == 4
        assert str(bad) == f"a.x:4: found the goal 4, expected at most 3 (raised in {HERE}:{line_of('make')})"


WORDS = st.text(st.characters(exclude_characters="\r\n\ufeff", exclude_categories=["Cs"]), max_size=6).map(
    str.strip
)


@settings(max_examples=examples(60, 400))
@given(goal=st.integers(-(10**17), 10**17), sizes=st.lists(st.integers(0, 99)), name=WORDS, title=WORDS)
def test_drawing_and_reading_fields_are_inverse(goal: int, sizes: list[int], name: str, title: str) -> None:
    screen = TextScreen((".x",), JUGS)
    text = f"Title:{title}\n\nname :{name}\n%x\n goal:\t{goal}\nsizes: {' , '.join(map(str, sizes))} \n"
    (level,) = screen.parse(text, "a.x")
    assert isinstance(level, Level), level
    assert (level.title, level.data.goal, level.data.sizes, level.data.name) == (title, goal, tuple(sizes), name)
    assert screen.parse(screen.draw(level), "a.x") == [level]


@settings(max_examples=examples(60, 400))
@given(rows=st.lists(st.lists(st.integers(-99, 10**17), min_size=1, max_size=4), min_size=1, max_size=4))
def test_drawing_and_reading_numbers_are_inverse(rows: list[list[int]]) -> None:
    screen = TextScreen((".x",), numbers())
    (level,) = screen.parse("\n".join(" ; ".join(map(str, row)) for row in rows), "a.x")
    assert isinstance(level, Level), level
    assert level.data == tuple(map(tuple, rows))
    assert screen.parse(screen.draw(level), "a.x") == [level]
    assert one(numbers(), level.data.text) == level.data


@given(st.text(alphabet="0123456789-+,;:goalsizen \t\r\n%²\x00", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for reader in (numbers(), JUGS):
        assert all(isinstance(item, Level | LevelError) for item in TextScreen((".x",), reader).parse(text, "a.x"))
