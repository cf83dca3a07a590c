"""Boards with a legend: what is read, what a level gives its author, and how errors name their places."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.mc.errors import ModelError
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.modelling import Grid, Level, TextScreen, grid

ICE = {"#": "wall", ".": "floor", "@": "sledge on floor", "!": "flag on floor"}


def screen(legend: dict[str, str] = ICE, single: str | tuple[str, ...] = ()) -> TextScreen:
    return TextScreen((".ice",), grid(legend, single=single))


def one(text: str, reader: TextScreen | None = None) -> Level:
    (level,) = (reader or screen()).parse(text, "a.ice")
    assert isinstance(level, Level), level
    return level


def board(text: str, legend: dict[str, str] = ICE) -> Grid:
    data = one(text, screen(legend)).data
    assert isinstance(data, Grid)
    return data


def refused(text: str, single: str | tuple[str, ...] = ()) -> str:
    (error,) = screen(single=single).parse(text, "a.ice")
    assert isinstance(error, LevelError)
    return str(error)


def test_a_board_answers_what_an_author_asks() -> None:
    level = board("Title: One\nAuthor: Ada\n#@.\n .!")
    assert (level.title, level.author, level.rows, level.columns) == ("One", "Ada", 2, 3)
    assert level.cells == ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2))
    assert level.find("floor") == [(0, 1), (0, 2), (1, 1), (1, 2)]
    assert level.one("sledge") == (0, 1)
    assert level.names((0, 1)) == {"sledge", "floor"}
    assert level.has((1, 2), "flag")
    assert not level.has((1, 2), "wall")
    assert level.beside((0, 1)) == {"left": (0, 0), "right": (0, 2), "down": (1, 1)}
    assert level.step((0, 0), "right", 2) == (0, 2)
    assert level.text == "#@.\n .!"


def test_places_without_a_cell_have_nothing() -> None:
    level = board("#@.\n .")
    for place in ((1, 0), (1, 2), (-1, 0), (0, -1), (2, 0)):
        assert place not in level
        assert level.sign(place) == ""
        assert level.names(place) == set()
    assert (0, 0) in level
    assert level.step((0, 0), "left") is None
    assert level.step((0, 0), "down") is None  # a blank
    assert not level.has(level.step((0, 0), "left"), "wall")


def test_blanks_of_the_legend_are_cells_of_a_rectangle() -> None:
    level = board("##\n#\n_\n  @", {"#": "wall", " ": "floor", "@": "sledge on floor"})
    assert (level.rows, level.columns, len(level.cells)) == (4, 3, 12)
    assert level.text == "##\n#\n_\n  @"
    assert level.find("floor") == [(0, 2), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2)]


def test_blanks_that_would_widen_the_board_are_refused() -> None:
    """Many editors remove them, so a board with them would be another one after that."""
    legend = {"#": "wall", " ": "floor", "@": "sledge on floor"}
    assert board("###\n@  \t\n_  ", legend).columns == 3
    (error,) = screen(legend).parse("Title: T\n##\n@  ", "a.ice")
    expected = "expected another sign at the end of the widest row: blanks there are not read"
    assert str(error) == f"a.ice:3:2: found 2 blanks, {expected}"
    assert board("##\n@   ").columns == 2  # blanks are no cells there


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_of_blanks_at_a_board_is_refused_where_blanks_are_cells(end: str) -> None:
    text = end.join(["   ", " @", "  ", "@ #", "", "Title: T", "", "@", "% c", "", "@"])
    items = screen({"#": "wall", " ": "floor", "@": "sledge on floor"}).parse(text, "a.ice")
    message = "found a line of blanks, expected _ for a row of them, or an empty line between levels"
    assert [str(item) if isinstance(item, LevelError) else item.text for item in items] == [
        f"a.ice:1: {message}",
        f"a.ice:3: {message}",
        "@",
        "@",
    ]
    assert len(screen().parse(text, "a.ice")) == 4  # elsewhere it is an empty line


def test_a_row_of_blanks_is_written_as_a_line() -> None:
    level = board("@\n_\n.")
    assert level.cells == ((0, 0), (2, 0))
    assert level.text == "@\n_\n."
    assert board("_", {"_": "floor"}).cells == ((0, 0),)


@pytest.mark.parametrize(
    "text",
    [
        "#@.\n!",
        "#@.  \n!\t \n",
        "\ufeff#@.\r\n!\r\n",
        "#@.\r!",
        "% a comment\n\n#@.\n  % another\n!\n\n% the last",
    ],
)
def test_all_forms_of_a_board_are_read(text: str) -> None:
    assert board(text) == board("#@.\n!")


def test_a_file_holds_levels_with_titles_and_authors() -> None:
    text = "Title: First\n@\n \n@.\n \nTITLE : : a % b: \u2028 c \nauthor: Ada\n\n@!\nTitle: Fourth\n@#"
    levels = [level for level in screen().parse(text, "a.ice") if isinstance(level, Level)]
    assert [(level.title, level.author, level.text) for level in levels] == [
        ("First", "", "@"),
        ("", "", "@."),
        (": a % b: \u2028 c", "Ada", "@!"),
        ("Fourth", "", "@#"),
    ]
    assert [one(screen().draw(level)) for level in levels] == levels


def test_comments_are_kept_with_their_levels() -> None:
    parts = list(screen().cut("% all\n\n% of one\n@\n% in one\n.\n\n% of two\n@\n% last", "a.ice"))
    assert [part.comment for part in parts if not isinstance(part, LevelError)] == [
        "of one\nin one",
        "of two\nlast",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" \n", "a.ice: found an empty text, expected rows of the signs # . @ !"),
        ("% this alone", "a.ice: found text but no level, expected rows of the signs # . @ !"),
        ("% one\nTitle: x\n#@.\n% two\n.x", "a.ice:5:2: found 'x', expected one of: # . @ !"),
        ("@\n\t.", "a.ice:2:1: found '\\t', expected one of: # . @ !"),
        ("@\n_.", "a.ice:2:1: found '_', expected one of: # . @ !"),
        ("_", "a.ice:1: found a board without cells, expected rows of the signs # . @ !"),
    ],
)
def test_bad_boards_are_refused(text: str, message: str) -> None:
    assert refused(text) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Title: x\n..", "a.ice:2: found no 'sledge' (@), expected it once"),
        ("..\n% c\n@.@", "a.ice:3:3: found 2 times 'sledge' (@), expected it once"),
    ],
)
def test_a_single_word_is_in_each_level_once(text: str, message: str) -> None:
    assert refused(text, single="sledge") == message
    with pytest.raises(LevelError) as raised:
        board(text).one("sledge")
    assert str(raised.value) == message


def test_a_bad_board_hides_no_other() -> None:
    items = screen().parse("@\n\n@x\n\n.", "a.ice")
    assert [type(item) for item in items] == [Level, LevelError, Level]


def test_words_that_no_sign_has_are_errors_of_the_author() -> None:
    level = board("@")
    for ask in (level.find, level.one, lambda word: level.has((0, 0), word)):
        with pytest.raises(
            ModelError, match="found 'slege', expected one of: wall, floor, sledge, flag; nearest: sledge"
        ):
            ask("slege")
    with pytest.raises(ModelError, match="found 'west', expected one of: left, up, right, down"):
        level.step((0, 0), "west")
    with pytest.raises(ModelError, match=r"single: found 'flags'.*nearest: flag"):
        grid(ICE, single=("sledge", "flags"))


@pytest.mark.parametrize(
    ("legend", "message"),
    [
        ({}, "found {}, expected signs and words"),
        ({"##": "wall"}, "'##': found a sign that is no character"),
        ({"": "wall"}, "'': found a sign that is no character"),
        ({"\t": "wall"}, r"'\\t': found a sign that is no character"),
        ({"\u3000": "wall"}, "found a sign that is no character"),
        ({"%": "wall"}, "'%': found the sign that begins a comment"),
        ({"#": ""}, "'#': found '', expected a word"),
        ({"#": "wall on "}, "'#': found 'wall on ', expected a word"),
        ({"#": "wall on wall"}, "expected a word"),
        ({"#": 3}, "'#': found 3, expected a word"),
        ({"a": "x on y", "b": "y on x"}, "found that x, y lie on each other"),
    ],
)
def test_a_wrong_legend_is_an_error_of_the_author(legend: dict[str, str], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        grid(legend)


def test_words_are_in_the_order_in_which_they_lie_on_each_other() -> None:
    legend = grid(
        {"#": " wall ", "$": "box  on goal on floor", "!": "hat on box on floor", "@": "man on floor"}
    ).legend
    assert legend.order == ("wall", "floor", "goal", "box", "hat", "man")
    assert legend.grounds == {"wall", "floor"}


@pytest.mark.parametrize(
    ("words", "sign"),
    [
        ({"man", "floor"}, "@"),
        ({"box", "goal", "floor"}, "*"),
        ({"box", "man", "floor"}, "$"),  # box lies higher: it comes later in the legend
        ({"wall", "box", "goal", "floor"}, "*"),
        ({"box"}, " "),
        ({"wall", "nothing"}, "#"),
        (set(), " "),
    ],
)
def test_the_nearest_sign_has_the_highest_word(words: set[str], sign: str) -> None:
    legend = {"#": "wall", "-": "wall", "@": "man on floor", ".": "goal on floor", "*": "box on goal on floor"}
    assert grid(legend | {"$": "box on floor"}).legend.nearest_sign(words) == sign


def test_a_board_of_a_million_cells_is_read_fast() -> None:
    text = "\n".join(["." * 1000] * 999 + ["." * 999 + "@"])
    reader = screen(single="sledge")
    before = time.process_time()
    level = one(text, reader).data
    assert time.process_time() - before < 1
    assert level.one("sledge") == (999, 999)
    assert len(level.find("floor")) == 1_000_000


LINES = st.lists(st.text("#.@! ", min_size=1, max_size=4).filter(str.strip) | st.just("_"), min_size=1, max_size=4)
TITLES = st.text(st.characters(exclude_characters="\r\n\ufeff", exclude_categories=["Cs"]), max_size=8).map(
    str.strip
)


@settings(max_examples=examples(60, 400))
@given(
    rows=LINES,
    title=TITLES,
    author=TITLES,
    noise=st.sampled_from(["", " ", "\t"]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    blank=st.booleans(),
)
def test_drawing_and_reading_are_inverse(
    rows: list[str], title: str, author: str, noise: str, end: str, blank: bool
) -> None:
    reader = screen(ICE | {" ": "water"} if blank else ICE)
    lines = [f" title: {title}", f"Author:{author} ", *(f"{row}{noise}{end}%x" for row in rows)]
    (level,) = reader.parse(end.join(lines), "a.ice")
    if isinstance(level, LevelError):
        behind = blank and any(f"{row}{noise}" != f"{row}{noise}".rstrip(" ") for row in rows)
        assert behind if "blanks there are not read" in level.message else not any(row.strip(" _") for row in rows)
        return
    again = one(reader.draw(level), reader)
    assert (again, again.data) == (level, level.data)
    assert (level.title, level.author) == (title, author)
    assert again.data.cells == level.data.cells
    assert reader.draw(again) == reader.draw(level)
    for row, text in enumerate(rows):
        assert "".join(level.data.sign((row, column)) or " " for column in range(level.data.columns)).rstrip() == (
            text.replace("_", "").rstrip()
        )


@given(st.text(alphabet="#.@!_ \t\r\n%Title:x²\x00", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert all(isinstance(item, Level | LevelError) for item in screen(single="sledge").parse(text, "a.ice"))


def test_a_line_ends_before_a_word_or_with_the_board() -> None:
    level = board("#@.!#\n.....")
    assert level.line((0, 1), "right", before="wall") == [(0, 2), (0, 3)]
    assert level.line((0, 1), "right") == [(0, 2), (0, 3), (0, 4)]
    assert level.line((0, 1), "left", before="wall") == level.line((0, 4), "up") == []
    with pytest.raises(ModelError, match=r"line: found .wal., expected one of: .*wall"):
        level.line((0, 1), "right", before="wal")
