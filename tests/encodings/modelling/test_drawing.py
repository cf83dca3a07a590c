"""Boards that are drawn by hand, and played by keys and by a pointer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.encodings.modelling.boards.drawing import drawing
from puzzlemc.encodings.puzzle.drawing import Drawing
from puzzlemc.modelling import Grid, System, grid, puzzle
from puzzlemc.reports.play.listed import Hand, listed
from puzzlemc.screens.base.picture import Box, Label, tile
from puzzlemc.screens.modelling import Level, TextScreen

ICE = {"#": "wall", ".": "floor", "@": "sledge on floor", "!": "flag on floor", "*": "sledge on flag on floor"}
READER = grid(ICE, single="sledge")


def test_each_sign_has_a_brush() -> None:
    made = drawing(READER)
    assert [(brush.sign, brush.name, brush.key) for brush in made.brushes] == [
        (".", "floor", "f"),
        ("#", "wall", "w"),
        ("@", "sledge", "s"),
        ("!", "flag", "l"),
        ("*", "sledge on flag", "e"),
        (" ", "no cell", "n"),
    ]
    assert made.brushes[1].shapes == (tile(0, 0, "wall"),)
    labels = [shape for shape in made.brushes[4].shapes if isinstance(shape, Label)]
    assert [label.text for label in labels] == ["F", "S"]  # the sledge lies on the flag
    assert isinstance(made.brushes[4].shapes[0], Box)
    assert made.brushes[5].shapes == ()


def test_what_is_painted_on_something_keeps_it_if_there_is_a_sign() -> None:
    made = drawing(READER)
    assert made.onto == {"@ !": "*", "! @": "*", "@ *": "*"}
    assert made.single == ({"@": ".", "*": "!"},)
    boxes = {
        "-": "floor",
        "$": "box on floor",
        "x": "goal on floor",
        "&": "box on goal on floor",
        "p": "man on goal on floor",
    }
    onto = drawing(grid(boxes)).onto
    assert (onto["$ x"], onto["x $"], onto["$ &"], onto["$ p"]) == ("&", "&", "&", "&")
    assert not any(f"- {sign}" in onto for sign in boxes)  # the floor is what is left
    assert "x &" not in onto


def test_words_that_a_level_has_once_do_not_replace_each_other() -> None:
    made = drawing(grid(ICE, single=("sledge", "flag")))
    assert made.single == ({"@": ".", "*": "!"}, {"!": ".", "*": "@"})


def test_signs_of_the_same_words_are_one_brush() -> None:
    made = drawing(grid({"#": "wall", "X": "wall", ".": "floor", "a": "box on floor", "b": "box on wall"}))
    assert made.other == {"X": "#", "_": " "}
    assert [brush.name for brush in made.brushes] == ["floor", "wall", "box on floor", "box on wall", "no cell"]


@pytest.mark.parametrize(
    ("legend", "single", "blank"),
    [
        (ICE, (), "."),
        ({"#": "wall", "@": "man", "!": "flag", ".": "ice"}, "man", "!"),
        ({"a": "box on floor", "b": "hat on box on floor"}, (), "a"),
        ({" ": "floor", "#": "wall", "@": "man on floor"}, (), " "),
    ],
)
def test_new_cells_are_of_the_ground(legend: dict[str, str], single: str, blank: str) -> None:
    assert drawing(grid(legend, single=single)).brushes[0].sign == blank


@pytest.mark.parametrize(
    ("legend", "first"),
    [
        (ICE, "....\n.@!.\n...."),
        ({" ": "floor", "@": "sledge on floor", "#": "wall"}, "_\n @\n_"),
        ({"@": "sledge", ".": "ice"}, "...\n.@.\n..."),
    ],
)
def test_there_is_a_first_level(legend: dict[str, str], first: str) -> None:
    reader = grid(legend, single="sledge")
    made = drawing(reader)
    assert made.first == first
    (level,) = TextScreen((".x",), reader).parse(first, "a.x")
    assert isinstance(level, Level), level
    assert drawing(reader, "@").first == "@"


ROWS = st.lists(st.text("#.@!* ", min_size=1, max_size=5).filter(str.strip) | st.just("_"), min_size=1, max_size=4)


@settings(max_examples=examples(60, 300))
@given(rows=ROWS, blank=st.booleans(), title=st.booleans())
def test_a_sheet_is_the_level(rows: list[str], blank: bool, title: bool) -> None:
    """What is written without a change is the same board, with ragged rows, holes and rows of blanks."""
    reader = grid(ICE | {" ": "water"} if blank else ICE)
    text = "\n".join(["Title: T"] * title + [row.rstrip() for row in rows])
    made: Drawing = drawing(reader)
    sheet = made.sheet(text)
    assert sheet is not None
    assert made.text(sheet) == text
    (level,) = TextScreen((".x",), reader).parse(text, "a.x")
    if isinstance(level, Level):
        board = level.data
        assert sheet.rows == [[board.sign((r, c)) or " " for c in range(board.columns)] for r in range(board.rows)]


def glide(level: Grid) -> System:
    """Slide until a wall."""
    made = System()
    at = made.choice(
        "sledge", [place for place in level.cells if not level.has(place, "wall")], level.one("sledge")
    )
    flag = made.flags("flag", dict.fromkeys(level.find("flag"), True))
    for start in level.cells:
        for way in ("left", "up", "right", "down"):
            passed = level.line(start, way, before="wall")
            if passed and not level.has(start, "wall"):
                gone = {flag[place]: False for place in passed if place in flag}
                made.action(way, at == start, {at: passed[-1], **gone})
    made.goal = ~flag[level.find("flag")[0]]
    return made


GLIDE = puzzle("glide", glide, READER, metrics="slides")


def level_of(text: str) -> Level:
    (level,) = GLIDE.screen.parse(text, "a.glide")
    assert isinstance(level, Level), level
    return level


@pytest.mark.parametrize(
    ("pressed", "released", "moves"),
    [
        ((0, 0), (0, 3), ["right"]),  # from the sledge to where it stops
        ((0, 0), (0, 1), ["right"]),  # towards a cell
        ((2, 1), (0, 1), []),  # upwards, which is not legal
        ((0, 0), (1, 0), ["down"]),
        ((0, 0), (1, 1), []),
        ((0, 3), (0, 3), ["right"]),  # where it would come
        ((0, 0), (0, 0), []),  # two moves leave the cell
        ((2, 3), (2, 3), []),
    ],
)
def test_a_pointer_drags_things_and_clicks_where_they_come(
    pressed: tuple[int, int], released: tuple[int, int], moves: list[str]
) -> None:
    level = level_of("@...\n.#..\n...!")
    assert GLIDE.pointing is not None
    assert GLIDE.pointing().moves(level, GLIDE.rules.start(level), pressed, released) == moves


@pytest.mark.parametrize(
    ("pressed", "released", "moves"),
    [
        ((1, 2), (1, 1), ["left"]),
        ((1, 2), (1, 3), ["right"]),
        ((1, 2), (0, 2), ["up"]),
        ((1, 2), (2, 2), ["down"]),
        ((1, 2), (0, 0), []),
        ((1, 2), (2, 3), []),
    ],
)
def test_a_drag_in_a_row_or_column_is_the_move_of_that_way(
    pressed: tuple[int, int], released: tuple[int, int], moves: list[str]
) -> None:
    level = level_of(".....\n..@..\n.....\n!....")
    assert GLIDE.pointing is not None
    assert GLIDE.pointing().moves(level, GLIDE.rules.start(level), pressed, released) == moves


def test_a_drag_is_the_move_of_the_thing_that_was_there() -> None:
    def boxes(level: Grid) -> System:
        made = System()
        box = made.choices("box", dict(enumerate(level.find("box"))), level.cells)
        for number, at in box.items():
            for place in level.cells:
                made.action(f"{number} to {place[1]}", at != place, {at: place})
        made.goal = True
        return made

    own = puzzle("boxes", boxes, grid({".": "floor", "$": "box on floor"}))
    (level,) = own.screen.parse("$$..", "a.boxes")
    assert own.pointing is not None
    pointed, start = own.pointing().moves, own.rules.start(level)
    assert pointed(level, start, (0, 1), (0, 3)) == ["1 to 3"]
    assert pointed(level, start, (0, 0), (0, 3)) == ["0 to 3"]
    assert pointed(level, start, (0, 2), (0, 3)) == []  # nothing was there
    assert pointed(level, start, (0, 3), (0, 3)) == []  # either could come


def test_a_click_on_a_cell_is_the_move_that_names_it() -> None:
    def lights(level: Grid) -> System:
        made = System()
        on = made.flags("lamp", {place: level.has(place, "lamp") for place in level.cells})
        for place in on:
            near = [place, *level.beside(place).values()]
            made.action(f"({place[0] + 1}, {place[1] + 1})", True, {on[each]: ~on[each] for each in near})
        made.goal = ~on[0, 0]
        return made

    own = puzzle("lights", lights, grid({".": "floor", "o": "lamp on floor"}))
    (level,) = own.screen.parse("o.o\n...", "a.lights")
    assert own.pointing is not None
    assert own.pointing().moves(level, own.rules.start(level), (1, 2), (1, 2)) == ["(2, 3)"]
    (wide,) = own.screen.parse(".............\n.............", "a.lights")
    assert own.pointing().moves(wide, own.rules.start(wide), (0, 0), (0, 0)) == ["(1, 1)"]  # not (1, 11)


def test_arrow_keys_make_the_moves_that_are_called_like_them() -> None:
    level, by_hand = level_of("@...\n.#..\n...!"), listed(GLIDE)
    start = GLIDE.rules.start(level)
    hand = by_hand.hand(level, start, None)
    assert by_hand.press(level, start, hand, "right") == (hand, "right")
    assert by_hand.press(level, start, hand, "up") is None
    assert by_hand.press(level, start, hand, "tab") == (Hand(1), "")
    for filtered in (Hand(is_typed=True), Hand(words="d")):  # then the list is what matters
        assert by_hand.press(level, start, filtered, "right") != (filtered, "right")
    assert by_hand.pad(level) == ("up", "left", "down", "right")


def test_arrow_keys_make_moves_that_are_called_by_letters_and_else_turn_the_list() -> None:
    def system(level: Grid) -> System:
        made = System()
        count = made.number("count", 0, 5)
        made.action("U", count < 1, {count: count + 1})
        made.action("more", count >= 1, {count: count + 1}, outside="disable")
        made.action("other", count >= 1, {count: 0})
        made.goal = count == 5
        return made

    own = puzzle("own", system, READER)
    (level,) = own.screen.parse("@", "a.own")
    by_hand = listed(own)
    assert by_hand.press(level, (0,), Hand(), "up") == (Hand(), "U")
    assert by_hand.press(level, (1,), Hand(), "down") == (Hand(1), "")
