"""A task from a file, taken as it is for searches of tasks."""

from pathlib import Path

from puzzlemc.encodings.pddl.levels import compact
from puzzlemc.encodings.puzzles import load
from puzzlemc.mc.passes.translation import translation
from puzzlemc.mc.tasks.operators import ArrayOperators
from puzzlemc.mc.tasks.task import Effect, Operator

VARIABLE = "begin_variable\nvar{0}\n-1\n2\nAtom {1}()\nNegatedAtom {1}()\nend_variable\n"
TASK = (
    "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n2\n{variables}0\n"
    "begin_state\n1\n1\nend_state\nbegin_goal\n1\n0 0\nend_goal\n2\n"
    "begin_operator\nfirst\n0\n1\n0 1 1 0\n7\nend_operator\n"
    "begin_operator\nsecond\n{reads}\n1\n0 0 1 0\n9\nend_operator\n0\n"
)
VARIABLES = VARIABLE.format(0, "far") + VARIABLE.format(1, "near")
FIRST = Operator("first", {1: 1}, (Effect(1, 0),), 1)


def test_operators_stay_arrays_if_all_are_relevant(tmp_path: Path) -> None:
    (tmp_path / "task.sas").write_text(TASK.format(variables=VARIABLES, reads="1\n1 0"))
    (entry,) = load([str(tmp_path / "task.sas")])
    found = translation(compact(entry.level).model)
    assert isinstance(found.task.operators, ArrayOperators)
    assert found.task.operators == (FIRST, Operator("second", {1: 0, 0: 1}, (Effect(0, 0),), 1))
    assert found.origins == (0, 1)


def test_what_the_goal_does_not_depend_on_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "task.sas").write_text(TASK.format(variables=VARIABLES, reads="0"))
    (entry,) = load([str(tmp_path / "task.sas")])
    model = compact(entry.level).model
    assert len(translation(model, whole=True).task.operators) == 2
    found = translation(model)
    assert [each.name for each in found.task.operators] == ["second"]
    assert (found.origins, len(found.task.variables)) == ((1,), 1)
