"""Levels inside of the Python file of a puzzle: commands without levels take them, and errors name their lines."""

from pathlib import Path

import pytest
from command import as_json, puzzlemc, write

import puzzlemc as public
from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.serve.shelf import Shelf
from puzzlemc.screens.base.errors import LevelError

TREE = '''"""A tree of numbers."""

from puzzlemc.modelling import Rules, fields, puzzle


def moves(level, position):
    if position < 10:
        yield "left", 2 * position + 1
        yield "right", 2 * position + 2


rules = Rules(lambda level: 0, moves, lambda level, position: position == level.goal)
PUZZLE = puzzle("tree", levels=fields(goal=int), rules=rules)
'''
LEVELS = '''
LEVELS = """
Title: Near
goal: 4

goal: 13
"""
'''


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write(tmp_path / "tree.py", TREE + LEVELS)


def test_a_command_without_levels_takes_those_inside(tree: Path) -> None:
    code, rows = as_json("solve", "--puzzle", tree)
    assert (code, [(row["id"], row["title"], row["cost"]) for row in rows]) == (
        0,
        [(f"{tree}#1", "Near", 2), (f"{tree}#2", "", 3)],
    )
    assert as_json("check", f"--puzzle={tree}", "--metric", "any")[0] == 0
    code, (row,) = as_json("solve", f"{tree}#2", "--puzzle", tree)
    assert (code, row["trace"]) == (0, ["right", "right", "left"])


def test_commands_take_levels_inside(tree: Path, tmp_path: Path) -> None:
    code, rows = as_json("query", "EX EX solved", "--puzzle", tree)
    assert (code, [(row["id"], row["holds"]) for row in rows]) == (1, [(f"{tree}#1", True), (f"{tree}#2", False)])
    assert puzzlemc("compare", "--puzzle", tree, "--method", "breadth-first").returncode == 0
    assert puzzlemc("batch", "--puzzle", tree, "--store", tmp_path / "a.db").returncode == 0
    assert puzzlemc("convert", tree, tmp_path / "a.tree", "--puzzle", tree).returncode == 0
    assert (tmp_path / "a.tree").read_text() == "Title: Near\ngoal: 4\n\ngoal: 13\n"
    done = puzzlemc("report", "--puzzle", tree, "-o", tmp_path / "a.json")
    assert (done.returncode, "found 2 levels, expected one" in " ".join(done.stderr.split())) == (2, True)


def test_levels_inside_are_read_by_programs(tree: Path) -> None:
    assert [level.title for level in public.load(tree, puzzle=str(tree))] == ["Near", ""]


@pytest.mark.parametrize(
    ("levels", "line"),
    [
        ('LEVELS = """\ngoal: 4\n\ngoal: x\n"""', 17),
        ('LEVELS = """goal: 4\n\ngoal: x"""', 16),
        ('LEVELS = """\\\ngoal: 4\n\ngoal: x\n"""', 17),
        ('LEVELS = "goal: x"', 14),
        ('LEVELS = "goal: 4\\n\\ngoal: x\\n"', 3),  # in the text
    ],
)
def test_errors_name_the_line(tmp_path: Path, levels: str, line: int) -> None:
    tree = write(tmp_path / "tree.py", f"{TREE}{levels}\n")
    assert len(TREE.splitlines()) == 13
    *_, entry = load([str(tree)], str(tree))
    assert isinstance(entry.error, LevelError)
    assert str(entry.error).startswith(f"{tree}:{line}:")


def test_a_file_without_levels_says_what_was_expected(tmp_path: Path) -> None:
    tree = write(tmp_path / "tree.py", TREE)
    done = puzzlemc("check", "--puzzle", tree)
    assert (done.returncode, "found no LEVELS in this file, expected LEVELS" in done.stdout + done.stderr) == (
        2,
        True,
    )
    done = puzzlemc("check", "--puzzle", write(tmp_path / "wrong.py", f"{TREE}LEVELS = 3\n"))
    assert (
        done.returncode,
        "wrong.py: LEVELS: found 3, expected a text of levels" in done.stdout + done.stderr,
    ) == (2, True)


def test_a_python_file_is_no_level_of_another_puzzle(tree: Path, tmp_path: Path) -> None:
    """No file is run that only the argument for levels names."""
    marker = tmp_path / "ran"
    evil = write(tmp_path / "evil.py", f"{TREE}{LEVELS}\nopen({str(marker)!r}, 'w')\n")
    for arguments in (["check", evil], ["check", evil, "--puzzle", tree]):
        assert puzzlemc(*arguments).returncode == 2
    assert not marker.exists()


def test_the_workbench_does_not_write_to_the_file(tree: Path) -> None:
    shelf = Shelf(load([str(tree)], str(tree)))
    found = shelf.document(0)
    assert found["levels"][1]["text"] == "goal: 13"
    assert "found levels inside of the Python file of their puzzle" in found["locked"]
    with pytest.raises(LevelError, match="found levels inside of the Python file of their puzzle"):
        shelf.save(0, "goal: 5", found["form"], shelf.status(0))
    assert tree.read_text(encoding="utf-8") == TREE + LEVELS
