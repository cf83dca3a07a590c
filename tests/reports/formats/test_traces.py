"""Traces in every format: they agree with the plain rules, and pictures show the positions."""

import json
import time
import weakref
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command import CORNERED, ONE_PUSH, puzzlemc, write
from hypothesis import given, settings
from PIL import Image
from places import ROOT, WRITTEN
from strategies import levels

from puzzlemc.encodings.puzzles import colours, load, puzzle, puzzles
from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.formats import drawing
from puzzlemc.reports.formats.drawing import film
from puzzlemc.reports.formats.traces import FORMATS
from puzzlemc.reports.output.words import counted
from puzzlemc.screens.base.picture import Box, Label, Picture, Polygon, Shape, is_literal
from puzzlemc.screens.sokoban import Level, picture

TWO_MOVES = "######\n#@ $.#\n######\nTitle: Walk & push\n"
EXAMPLES = WRITTEN
SVG = "{http://www.w3.org/2000/svg}"


def test_letters_and_moves_of_one_level_are_written(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", TWO_MOVES)
    assert puzzlemc("solve", path, "--format", "lurd").stdout == "rR\n"
    assert puzzlemc("solve", path, "--format", "moves").stdout == "r\nR\n"
    frames = puzzlemc("solve", path, "--format", "frames").stdout
    assert frames == (
        "start\n######\n#@ $.#\n######\n\n1 r\n######\n# @$.#\n######\n\n2 R\n######\n#  @*#\n######\n"
    )


def test_several_levels_have_headings_and_unsolved_ones_go_to_standard_error(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", TWO_MOVES, CORNERED, ONE_PUSH)
    done = puzzlemc("solve", path, "--format", "lurd")
    assert done.returncode == 1
    assert done.stdout == (
        f"; {path}#1 · Walk & push · 1 push, 2 moves\nrR\n; {path}#3 · One push · 1 push, 1 move\nR\n"
    )
    assert done.stderr == f"{path}#2: unsolvable\n"


def test_a_trace_of_one_move_has_the_singular(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH, ONE_PUSH)
    done = puzzlemc("solve", path, "--format", "lurd", "--quiet")
    assert " · 1 push, 1 move\n" in done.stdout, done.stdout
    assert [counted(n, metric) for n in (0, 1, 2) for metric in ("moves", "pushes")] == [
        "0 moves", "0 pushes", "1 move", "1 push", "2 moves", "2 pushes"
    ]  # fmt: skip


def test_json_has_the_steps_and_the_frames(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", TWO_MOVES, ONE_PUSH)
    done = puzzlemc("solve", path, "--format", "json")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["steps"] == ["r", "R"]
    assert first["frames"][1] == "######\n# @$.#\n######"
    assert second["verdict"] == "solvable"


@pytest.mark.parametrize("form", FORMATS)
def test_traces_are_files_in_a_folder(tmp_path: Path, form: str) -> None:
    path = write(tmp_path / "a.xsb", TWO_MOVES, CORNERED, ONE_PUSH)
    out = tmp_path / "out"
    done = puzzlemc("solve", path, "--format", form, "-o", out)
    assert done.returncode == 1
    assert "3 levels: 2 solvable, 1 unsolvable" in done.stdout
    assert "rR" not in done.stdout
    suffix = FORMATS[form].suffix
    assert sorted(file.name for file in out.iterdir()) == [f"a.xsb-1{suffix}", f"a.xsb-3{suffix}"]
    assert done.stdout.splitlines()[-2:] == [str(out / f"a.xsb-{number}{suffix}") for number in (1, 3)]


def test_the_trace_of_one_level_is_one_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", TWO_MOVES)
    done = puzzlemc("solve", path, "--format", "gif", "-o", tmp_path / "out.gif", "--json")
    assert json.loads(done.stdout)["trace"] == "rR"
    with Image.open(tmp_path / "out.gif") as image:
        assert (image.n_frames, image.size) == (3, (6 * 32, 3 * 32))  # type: ignore[attr-defined]


def test_the_file_of_a_trace_is_named(tmp_path: Path) -> None:
    path, out = write(tmp_path / "a.xsb", TWO_MOVES), tmp_path / "out.svg"
    done = puzzlemc("solve", path, "--format", "svg", "-o", out)
    assert done.stdout.splitlines()[-1] == str(out)
    assert str(out) not in puzzlemc("solve", path, "--format", "svg", "-o", out, "--quiet").stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "gif"], "needs -o FILE"),
        (["--format", "braille"], "'braille' is unknown"),
        (["-o", "out"], "needs a format, such as --format lurd"),
        (["--format", "lurd", "--json"], "cannot share standard output"),
    ],
)
def test_bad_usage_is_an_error(tmp_path: Path, options: list[str], message: str) -> None:
    done = puzzlemc("solve", write(tmp_path / "a.xsb", TWO_MOVES), *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_letters_need_a_puzzle_that_has_them(tmp_path: Path) -> None:
    done = puzzlemc("solve", write(tmp_path / "a.fold", "1 0\n"), "--format", "lurd")
    assert done.returncode == 2
    assert "folding has no notation with a letter a step, expected moves" in done.stderr
    assert puzzlemc("solve", tmp_path / "a.fold", "--format", "moves").stdout == "1R\n"


# Pictures.


def shipped(name: str) -> list[object]:
    """The first shipped levels of a puzzle."""
    folder = ROOT / "screens" / "levels" / name
    if not folder.is_dir():
        pytest.skip(f"no levels of {name} come with the program")
    return [entry.level for entry in load([str(folder)])[:5]]


def test_moves_whose_names_have_blanks_are_read_as_they_are_written(tmp_path: Path) -> None:
    jugs = ROOT / "examples" / "jugs.py"
    puzzlemc("solve", f"{jugs}#1", "--puzzle", jugs, "--format", "moves", "-o", tmp_path / "a.moves")
    assert (tmp_path / "a.moves").read_text().startswith("fill 2;\n")
    assert puzzlemc("replay", f"{jugs}#1", tmp_path / "a.moves", "--puzzle", jugs).returncode == 0


@pytest.mark.parametrize("name", puzzles())
def test_positions_of_a_level_share_the_board_and_differ_in_pieces(name: str) -> None:
    rules, draw, text = puzzle(name), puzzle(name).screen.picture, puzzle(name).screen.draw
    for level in shipped(name):
        first = rules.rules.start(level)
        before = draw(level, first)
        places = [shape for shape in (*before.board, *before.pieces) if isinstance(shape, Box)]
        assert all(0 <= box.x <= box.x + box.width <= before.width for box in places)
        assert all(0 <= box.y <= box.y + box.height <= before.height for box in places)
        used = {shape.colour for shape in (*before.board, *before.pieces)}
        assert all(colour in colours() or is_literal(colour) for colour in used)
        for step in rules.rules.steps(level, first):
            after = draw(level, step.position)
            assert (after.width, after.height, after.board) == (before.width, before.height, before.board)
            assert (after.pieces != before.pieces) == (text(level, step.position) != text(level, first))


@given(level=levels())
def test_sokoban_pieces_are_drawn_on_their_cells(level: Level) -> None:
    shown = picture(level, level.start)
    centres: dict[str, set[tuple[int, int]]] = {}
    for shape in (*shown.board, *shown.pieces):
        assert isinstance(shape, Box)
        centres.setdefault(shape.colour, set()).add(
            (int(shape.y + shape.height / 2), int(shape.x + shape.width / 2))
        )
    assert centres["player"] == {level.start.player}
    assert centres.get("box home", set()) == level.start.boxes & level.goals
    assert centres.get("box", set()) == level.start.boxes - level.goals
    assert centres["goal"] == level.goals
    assert centres["floor"] == set(level.floor)


def overlapping(one: Shape, other: Shape) -> bool:
    assert isinstance(one, Box)
    assert isinstance(other, Box)
    return max(one.x, other.x) < min(one.x + one.width, other.x + other.width)


def test_a_film_paints_overlapping_shapes_in_the_order_of_each_picture() -> None:
    left, middle, right = Box(0, 0, 2, 1, "1"), Box(1, 0, 2, 1, "2"), Box(2, 0, 2, 1, "3")
    orders = [(left, middle, right), (middle, left, right), (right, middle, left), (left, right)]
    shown = film([Picture(4, 1, (), order) for order in orders])
    for order, frame in zip(orders, shown.frames, strict=True):
        painted = [shape for place in sorted(frame) for shape in shown.groups[place]]
        assert sorted(map(str, painted)) == sorted(map(str, order))
        for at, shape in enumerate(order):
            for later in order[at + 1 :]:
                assert painted.index(shape) < painted.index(later) or not overlapping(shape, later)
    assert len(shown.groups) < sum(map(len, orders))


def test_shapes_that_are_always_shown_together_are_one_group_of_a_film() -> None:
    edge, box, still = Box(0, 0, 1, 1, "1"), Box(0.1, 0.1, 0.8, 0.8, "2"), Box(5, 0, 1, 1, "3")
    shown = film([Picture(6, 1, (), pieces) for pieces in ((still,), (edge, box, still), (still,))])
    assert shown.groups == ((still,), (edge, box))
    assert shown.frames == ((0,), (0, 1), (0,))


ALL_SHAPES = Picture(
    3, 1, (Box(0, 0, 3, 1, "floor"),), (Polygon(((0, 0), (1, 0), (0, 1)), "wall"), Label(1.5, 0.5, "<7>", 0.5))
)


def test_svg_shows_each_picture_at_its_time() -> None:
    moved = Picture(3, 1, ALL_SHAPES.board, (Box(2, 0, 1, 1, "player", 0.5),))
    root = ElementTree.fromstring(drawing.svg([ALL_SHAPES, moved, ALL_SHAPES], "a <title>"))
    assert root.findtext(f"{SVG}title") == "a <title>"
    (both,) = root.findall(f"{SVG}g")
    polygon, text, when = both
    assert polygon.tag == f"{SVG}polygon"
    assert text.text == "<7>"
    assert when.get("values") == "visible;hidden;visible"
    assert when.get("keyTimes") == "0;0.1;0.2"  # of 2 × 0.25 s, and 2 s at the end
    (rect,) = root.findall(f"{SVG}rect")
    assert rect.get("visibility") == "hidden"
    assert rect[0].get("values") == "hidden;visible;hidden"
    assert not list(ElementTree.fromstring(drawing.svg([moved], "still")).iter(f"{SVG}animate"))


def test_png_shows_a_picture_as_a_gif_does() -> None:
    with (
        Image.open(BytesIO(drawing.png(ALL_SHAPES))) as still,
        Image.open(BytesIO(drawing.gif([ALL_SHAPES]))) as one,
    ):
        assert (still.format, still.size) == ("PNG", one.size)
        near = zip(still.convert("RGB").tobytes(), one.convert("RGB").tobytes(), strict=True)
        assert max(abs(first - second) for first, second in near) < 40  # a GIF has few colours
    with pytest.raises(ModelError, match="found 1201 cells beside each other, expected at most 1200"):
        drawing.png(Picture(1, drawing.MOST_PIXELS + 1, (), ()))


def test_gif_shows_the_pictures() -> None:
    moved = Picture(3, 1, ALL_SHAPES.board, (Box(2, 0, 1, 1, "player", 0.5),))
    with Image.open(BytesIO(drawing.gif([ALL_SHAPES, moved]))) as image:
        assert image.size == (96, 32)
        first = image.convert("RGB")
        image.seek(1)
        second = image.convert("RGB")

    def near(colour: object, name: str) -> bool:
        wanted = bytes.fromhex(colours()[name][False][1:])
        assert isinstance(colour, tuple)
        return all(abs(one - other) < 12 for one, other in zip(colour, wanted, strict=True))

    assert near(first.getpixel((4, 4)), "wall")
    assert near(first.getpixel((80, 16)), "floor")
    assert near(second.getpixel((4, 4)), "floor")
    assert near(second.getpixel((80, 16)), "player")


@settings(max_examples=20)
@given(level=levels())
def test_gifs_have_a_bounded_size(level: Level) -> None:
    shown = picture(level, level.start)
    wide = Picture(shown.width * 100, shown.height, shown.board, shown.pieces)
    with Image.open(BytesIO(drawing.gif([wide]))) as image:
        assert max(image.size) <= drawing.MOST_PIXELS


@pytest.fixture
def slow_pictures(tmp_path: Path) -> Path:
    """A puzzle whose levels are solved at once, but whose pictures take a minute each."""
    text = (EXAMPLES / "own_puzzle.py").read_text()
    before = '        """The same to look at."""\n'
    assert before in text
    slow = f"{before}        import time\n        time.sleep(60)\n"
    return write(tmp_path / "slow.py", text.replace(before, slow))


@pytest.mark.parametrize("form", ["svg", "gif"])
def test_drawing_respects_the_limits_of_a_level(tmp_path: Path, slow_pictures: Path, form: str) -> None:
    out = tmp_path / f"out.{form}"
    level = write(tmp_path / "a.lights", "101\n")
    out.write_text("what was there")
    begun = time.monotonic()
    arguments = ("--puzzle", slow_pictures, "--format", form, "-o", out, "--timeout", "2")
    done = puzzlemc("solve", level, *arguments)
    assert time.monotonic() - begun < 50
    assert done.returncode == 3, done.stderr
    assert f"no {form}: timeout" in done.stderr
    assert "1 solvable" in done.stdout
    assert out.read_text() == "what was there"


def test_other_levels_are_written_if_one_cannot_be_drawn_in_time(tmp_path: Path, slow_pictures: Path) -> None:
    # Only boards of three lamps are slow.
    slow_pictures.write_text(
        slow_pictures.read_text(encoding="utf-8").replace("sleep(60)", "sleep(60 if len(position) == 3 else 0)"),
        encoding="utf-8",
    )
    level = write(tmp_path / "a.lights", "101\n", "1100\n")
    out = tmp_path / "out"
    done = puzzlemc("solve", level, "--puzzle", slow_pictures, "--format", "gif", "-o", out, "--timeout", "3")
    assert done.returncode == 3, done.stderr
    assert [path.name for path in out.iterdir()] == ["a.lights-2.gif"]
    assert f"{level}#1: no gif: timeout" in done.stderr


def test_a_gif_holds_few_of_its_pictures_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    held, most = 0, 0
    pictures = [Picture(30, 30, (Box(0, 0, 30, 30, "floor"),), (Box(n % 30, 0, 1, 1, "wall"),)) for n in range(40)]
    reduce = Image.Image.reduce

    def counted_reduce(image: Image.Image, *arguments: int) -> Image.Image:
        nonlocal held, most
        small = reduce(image, *arguments)
        held += 1
        most = max(most, held)

        def gone() -> None:
            nonlocal held
            held -= 1

        weakref.finalize(small, gone)
        return small

    monkeypatch.setattr(Image.Image, "reduce", counted_reduce)
    with Image.open(BytesIO(drawing.gif(pictures))) as gif:
        assert gif.n_frames == 40  # type: ignore[attr-defined]
    assert most <= 5


def test_only_a_single_level_can_be_written_as_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", TWO_MOVES, ONE_PUSH)
    out = tmp_path / "two.gif"
    assert puzzlemc("solve", f"{path}#1", "--format", "gif", "-o", out).returncode == 0
    assert out.is_file()
    out.unlink()
    done = puzzlemc("solve", path, "--format", "gif", "-o", out)
    assert done.returncode == 2
    assert "found 2 levels and one file" in " ".join(done.stderr.split())
    assert not out.exists()
