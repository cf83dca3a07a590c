"""A puzzle of one's own whose models have no variables, and which draws no pictures, through the commands."""

from pathlib import Path

import pytest
from command import puzzlemc

FORMATS = ("aiger", "btor2", "dimacs", "dot", "graphml", "pddl", "sas", "smv")


PUZZLE = """
from collections.abc import Iterator
from dataclasses import dataclass

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import FALSE
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.screens.base.part import Part, build_all


@dataclass(frozen=True)
class Level:
    title: str
    text: str


class Screen:
    SUFFIXES = (".blank",)

    def looks_like(self, text):
        return 0.0

    def cut(self, text, source):
        for number, line in enumerate(text.splitlines(), 1):
            yield Part(source, number, line, "", "")

    def build(self, part):
        return Level("", part.text)

    def parse(self, text, source):
        return build_all(self.cut(text, source), self.build)

    def draw(self, level, position=None):
        return level.text


def steps(level, position):
    if "wait" in level.text:
        yield Step("wait", position, {"steps": 1})


def encode(level):
    actions = (Action("wait", {}, {}, {"steps": 1}),) if "wait" in level.text else ()
    goal = {} if "solved" in level.text else FALSE
    model = Model((), {}, actions, goal, {"solved": goal})
    return Encoded(model, lambda state: "here", lambda trace: [each.name for each in trace.actions])


PUZZLE = Puzzle(
    "blank",
    Screen(),
    ("steps",),
    {"compact": encode},
    Transition(lambda level: "here", steps, lambda level, position: "solved" in level.text),
    Vocabulary({"solved": "it is solved"}),
    lambda level, position: level,
)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "blank.py").write_text(PUZZLE)
    (tmp_path / "a.blank").write_text("solved\nlost\nsolved, wait\nlost, wait\n")
    return tmp_path


def test_commands_take_models_without_variables(place: Path) -> None:
    own = ("--puzzle", "blank.py")
    for engine in ("auto", "explicit", "best-first", "forward"):
        done = puzzlemc("solve", "a.blank", *own, "--engine", engine, "--certificate", engine)
        assert (done.returncode, done.stdout.count(" solvable "), done.stdout.count("unsolvable ")) == (1, 2, 2), (
            done
        )
        assert puzzlemc("verify", engine, *own).returncode == 0
    for number in "34":  # that can wait
        name, code = f"a.blank#{number}", int(number == "4")
        assert puzzlemc("query", name, "EF solved", *own).returncode == code
        for command in (("report", name, "-o", f"{number}.html"), ("compare", name), ("solve", name, "--draw")):
            done = puzzlemc(*command, *own)
            assert done.returncode in (0, code), done
        for kind in FORMATS:
            bound = ("--bound", "2") if kind == "dimacs" else ()
            done = puzzlemc("export", name, *own, "--to", kind, "-o", f"{number}.{kind}", *bound)
            assert done.returncode == 0, done
        assert (place / f"{number}.html").stat().st_size > 1000
    assert puzzlemc("batch", "a.blank", *own, "--store", "store").returncode == 1
    assert puzzlemc("results", "store", "--report", "all.html").returncode == 0
