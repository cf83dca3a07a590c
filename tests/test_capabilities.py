"""The guide to a puzzle inside the program: each step runs on the file as it is by then."""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from command import PROGRAM, puzzlemc
from places import ROOT, WRITTEN

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.screens.base.picture import Moved

GUIDE = (ROOT / "docs" / "how" / "capabilities.md").read_text(encoding="utf-8").partition("\n## Reference\n")[0]
EXAMPLE = WRITTEN / "glide.py"
LEVELS = WRITTEN / "levels.glide"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = re.compile(r" *\d+\.\d+(?= s\b|$| levels a second)|  +\d\.\d{3}\b", re.MULTILINE)


class Shown(NamedTuple):
    """A command, what it prints, the Python above it on the page, and whether the puzzle is installed."""

    command: str
    output: str
    code: str
    installed: bool


def shown() -> Iterator[Shown]:
    """All commands of the guide."""
    code = ""
    for kind, text in FENCE.findall(GUIDE):
        if kind == "python":
            code += ("\n\n" if code else "") + text
        elif kind in ("console", "installed"):
            for each in text.removeprefix("$ ").split("\n$ "):
                command, _, output = each.partition("\n")
                yield Shown(command, output.strip("\n"), code, kind == "installed")


COMMANDS = list(shown())


def without_times(text: str) -> str:
    """A text whose times are left out."""
    return SECONDS.sub(" T", text).strip("\n")


@pytest.fixture(scope="module")
def glide() -> Any:
    """The puzzle at the end of the guide."""
    return puzzle(str(EXAMPLE))


@pytest.fixture(scope="module")
def level(glide: Any) -> Any:
    """The second level, Brakes."""
    return glide.screen.parse(LEVELS.read_text(encoding="utf-8"), "levels")[1]


def test_the_example_is_the_python_of_the_guide() -> None:
    code = "\n".join(text for kind, text in FENCE.findall(GUIDE) if kind == "python")
    example = EXAMPLE.read_text(encoding="utf-8")
    assert [line for line in example.partition('"""\n\n')[2].splitlines() if line] == [
        line for line in code.splitlines() if line
    ]
    assert [text for kind, text in FENCE.findall(GUIDE) if kind == "glide"] == [LEVELS.read_text(encoding="utf-8")]


@pytest.mark.parametrize("shown", COMMANDS, ids=[each.command for each in COMMANDS])
def test_a_command_of_the_guide_shows_what_it_says(
    shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "levels.glide").write_bytes(LEVELS.read_bytes())
    program, *arguments = shlex.split(shown.command)
    assert program == "puzzlemc"
    if shown.installed:
        metadata = tmp_path / "site" / "glide-1.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: glide\nVersion: 1\n")
        (metadata / "entry_points.txt").write_text("[puzzlemc.puzzles]\nglide = glide:PUZZLE\n")
        (tmp_path / "site" / "glide.py").write_text(shown.code)
        path = os.pathsep.join(filter(None, (str(tmp_path / "site"), os.environ.get("PYTHONPATH"))))
        environment = os.environ | {"PYTHONPATH": path}
        done = subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True, env=environment, check=False)
    else:
        (tmp_path / "glide.py").write_text(shown.code)
        if arguments[0] == "verify":
            before = next(each for each in COMMANDS if "--certificate" in each.command)
            assert puzzlemc(*shlex.split(before.command)[1:]).returncode == 1
        done = puzzlemc(*arguments)
    assert done.returncode in (0, 1), done.stderr
    assert without_times(done.stdout + done.stderr) == without_times(shown.output)


def test_keys_slide_and_text_shows_the_position(glide: Any, level: Any) -> None:
    by_hand, start = glide.by_hand, glide.rules.start(level)
    assert by_hand.press(level, start, None, "up") == (None, "u")
    assert by_hand.press(level, start, None, "s") == (None, "d")
    assert by_hand.press(level, start, None, "left") == (None, "")
    assert by_hand.press(level, start, None, "tab") is None
    scene = by_hand.show(level, start, None, ["u"], 0)
    lines = ["".join(span.text for span in scene.line(number)).rstrip() for number in range(scene.height)]
    assert lines == [". . . . . #", ". # . . ! .", "@ . . # . .", ". . . ! . .", "slide up"]
    assert by_hand.say(level, "r") == "slide right"


def test_the_pointer_and_brushes(glide: Any, level: Any) -> None:
    start = glide.rules.start(level)
    moves = glide.pointing().moves
    assert moves(level, start, (2, 0), (0, 0)) == ["u"]
    assert moves(level, start, (2, 0), (2, 4)) == ["r"]
    assert moves(level, start, (0, 4), (0, 4)) == []
    assert moves(level, start, (2, 0), (2, 0)) == []
    drawing = glide.drawing()
    sheet = drawing.sheet(glide.screen.draw(level, start))
    assert sheet is not None
    assert sheet.rows[2] == list("@..#..")
    assert isinstance(glide.screen.parse(drawing.first, "first")[0], type(level))
    signs = {brush.sign: brush for brush in drawing.brushes}
    assert signs.keys() == set("#.@!")
    assert all(brush.shapes for brush in signs.values())


def test_what_moved_other_starts_and_symmetry(glide: Any, level: Any) -> None:
    start = glide.rules.start(level)
    step = glide.rules.reply(level, start, "u")
    assert glide.display.moved(level, start, step.position) == Moved(((2, 0),), ((0, 0),))
    assert glide.rules.start(glide.starting_at(level, step.position)) == step.position
    assert ["".join(row) for row in glide.symmetry.grid(level)] == glide.screen.draw(level, start).splitlines()
    assert glide.symmetry.move("l", str.upper) == "L"


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        (
            "sledge[end]: True",
            "sledge[end]: False, sledge[cells[0]]: True",
            4,
            "refuted: the position after the last move is not solved",
        ),
        (
            'yield Step(way, after, {"slides"',
            'yield Step("r", after, {"slides"',
            4,
            "refuted: two legal moves have the name r",
        ),
        ("    row, column = sledge\n", "    row, column = sledge[5], 0\n", 2, "glide.py:"),
        ('"flag@(r,c)": "a', '"stuck": "a', 2, "'stuck' is an atom of all models"),
        ('"flag@(r,c)": "a', '"two words": "a', 2, "found 'two words'"),
    ],
)
def test_mistakes_are_found(old: str, new: str, code: int, message: str, tmp_path: Path) -> None:
    """The table of errors."""
    text = EXAMPLE.read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "glide.py").write_text(text.replace(old, new, 1))
    done = puzzlemc("solve", f"{LEVELS}#1", "--puzzle", tmp_path / "glide.py")
    assert message in done.stdout + done.stderr
    assert done.returncode == code
    assert "Traceback" not in done.stderr
