"""Plans for an exported level are read as moves of the level."""

import re
from collections import deque
from pathlib import Path

import pytest
from command import puzzlemc
from places import ROOT

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.passes.translation import translation
from puzzlemc.reports.formats.export import write_level
from puzzlemc.reports.formats.plans import moves_of_plan
from puzzlemc.screens.base.errors import LevelError

LEVELS = ROOT / "screens" / "levels"
STEPS = f"{LEVELS}/sokoban/first_steps.xsb#2"


def actions_to_goal(model: Model) -> list[int]:
    """The numbers of the actions of a shortest run to the goal, by breadth-first search."""
    start = initial_state(model)
    before = {start: (start, 0)}
    queue = deque([start])
    while not holds(model.goal, state := queue.popleft()):
        for number, action in enumerate(model.actions):
            if action.enabled(state) and (then := action.fire(state)) not in before:
                before[then] = state, number
                queue.append(then)
    numbers = []
    while state != start:
        state, number = before[state]
        numbers.append(number)
    return numbers[::-1]


def plan(entry: Entry, format_: str, folder: Path) -> list[str]:
    """The actions of a shortest solution, by the names that they have in a file of that format."""
    metric, encoding = entry.puzzle.metrics[0], next(iter(entry.puzzle.encodings))
    (written, *_) = write_level(entry, format_, encoding, metric, folder / "level.x", None, 1)
    text = written.read_text(encoding="utf-8")
    names = re.findall(r"\(:action (\S+)" if format_ == "pddl" else r"begin_operator\n(.*)\n", text)
    model = entry.puzzle.encodings[encoding](entry.level).model
    called = dict(zip(translation(model, whole=format_ == "pddl").origins, names, strict=True))
    return [called[number] for number in actions_to_goal(model)]


@pytest.mark.parametrize("level", [STEPS, f"{LEVELS}/folding/first_folds.fold#3", f"{LEVELS}/pddl/lamps.pddl"])
@pytest.mark.parametrize("format_", ["pddl", "sas"])
def test_a_plan_solves_the_level(tmp_path: Path, level: str, format_: str) -> None:
    """A step that ends the drawing of a line has no name in folding levels."""
    (entry,) = load([level])
    found = plan(entry, format_, tmp_path)
    file = tmp_path / "plan"
    file.write_text("".join(f"({name})\n" for name in found) + "; cost = 9 (unit cost)\n", encoding="utf-8")
    done = puzzlemc("replay", level, file)
    assert ("solves the level" in done.stdout, done.returncode) == (True, 0)
    if format_ == "pddl":  # planners write small or capital letters
        file.write_text("".join(f"({name.upper()} )\n" for name in found), encoding="utf-8")
        assert puzzlemc("replay", level, file).returncode == 0


def test_an_action_that_is_not_possible_is_named(tmp_path: Path) -> None:
    (entry,) = load([STEPS])
    first, *_, last = plan(entry, "pddl", tmp_path)
    with pytest.raises(LevelError, match=rf"^plan:3: action {last} is not possible here$"):
        moves_of_plan(entry, f"; a plan\n({first})\n({last})\n", "plan")


@pytest.mark.parametrize("text", ["", "; nothing\n", "(a0-unknown)\n", "3(rR)", "(lr)\nR\n"])
def test_other_texts_are_no_plans(text: str) -> None:
    (entry,) = load([STEPS])
    assert moves_of_plan(entry, text, "plan") is None
