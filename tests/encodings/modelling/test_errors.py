"""Actions whose values leave their domain: commands say which one, where, and end as for bad input."""

from pathlib import Path

from command import as_json, puzzlemc, write

RISE = '''"""A number rises."""

from puzzlemc.modelling import System, fields, puzzle


def rise(level):
    system = System()
    x = system.number("x", 0, 3)
    system.action("up", True, {x: x + 1})
    system.goal = x == level.goal
    return system


PUZZLE = puzzle("rise", rise, levels=fields(goal=int))
LEVELS = """
goal: 2

goal: 5
"""
'''
ERROR = "action up: found 4 for x, expected 0 to 3, at x = 3"


def test_commands_name_the_action_the_variable_the_value_and_the_position(tmp_path: Path) -> None:
    file = write(tmp_path / "rise.py", RISE)
    done = puzzlemc("solve", "--puzzle", file)
    assert (done.returncode, done.stdout.count(ERROR)) == (2, 1)  # the first goal comes before the error
    done = puzzlemc("query", "AG EF solved", "--puzzle", file)
    assert (done.returncode, done.stderr.count(ERROR)) == (2, 2)
    code, (row,) = as_json("compare", f"{file}#2", "--puzzle", file, "--method", "bidirectional")
    assert (code, row["verdict"], row["reason"]) == (4, "error", ERROR)
    assert ERROR in puzzlemc("report", f"{file}#1", "--puzzle", file, "-o", tmp_path / "a.json").stderr
