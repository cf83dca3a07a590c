"""A command that leaves levels to a worker forks it from itself: it must not load what makes a fork unsafe."""

import subprocess
import sys
from pathlib import Path

# Two derived variables, of which the first reads the second.
TASK = """begin_version
3
end_version
begin_metric
0
end_metric
3
begin_variable
var0
0
2
Atom far()
NegatedAtom far()
end_variable
begin_variable
var1
0
2
Atom near()
NegatedAtom near()
end_variable
begin_variable
var2
-1
2
Atom moved()
NegatedAtom moved()
end_variable
0
begin_state
1
1
1
end_state
begin_goal
1
0 0
end_goal
1
begin_operator
move
0
1
0 2 1 0
1
end_operator
2
begin_rule
1
1 0
0 1 0
end_rule
begin_rule
1
2 0
1 1 0
end_rule
"""


def out(program: str, *arguments: str) -> str:
    """What a program prints."""
    command = [sys.executable, "-P", "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_the_puzzle_is_imported_without_libraries_that_have_threads() -> None:
    program = (
        "import sys, puzzlemc.encodings.pddl.puzzle\n"
        "from puzzlemc.reports.workers.worker import STATEFUL\n"
        "print(sorted(STATEFUL & set(sys.modules)))"
    )
    assert out(program) == "[]\n"


def test_capabilities_that_the_puzzle_does_not_have_are_not_imported() -> None:
    program = (
        "import sys, puzzlemc.encodings.pddl.puzzle\n"
        "names = ['by_hand', 'design', 'drawing', 'pointing', 'questions', 'shared', 'symmetry']\n"
        "print([name for name in names if 'puzzlemc.encodings.puzzle.' + name in sys.modules])"
    )
    assert out(program) == "[]\n"


def test_a_command_imports_no_search_for_other_kinds_of_questions() -> None:
    program = (
        "import sys, puzzlemc.encodings.pddl.puzzle, puzzlemc.reports.crew.in_order\n"
        "names = ['chance', 'game', 'odds', 'optimisation']\n"
        "print([name for name in names if 'puzzlemc.reports.solve.' + name in sys.modules])"
    )
    assert out(program) == "[]\n"


def test_a_small_task_with_derived_variables_is_solved_without_networkx(tmp_path: Path) -> None:
    (tmp_path / "moved.sas").write_text(TASK)
    program = (
        "import sys\n"
        "from puzzlemc.encodings.puzzles import load\n"
        "from puzzlemc.encodings.pddl.task_level import compact\n"
        "from puzzlemc.mc.engines.portfolio import auto\n"
        "from puzzlemc.mc.limits import Budget, Limits\n"
        "(entry,) = load(sys.argv[1:])\n"
        "decision = auto(compact(entry.level).model, 'any', Budget(Limits()))\n"
        "print([str(a.name) for a in decision.verdict.trace.actions], 'networkx' in sys.modules)"
    )
    assert out(program, str(tmp_path / "moved.sas")) == "['move'] False\n"
