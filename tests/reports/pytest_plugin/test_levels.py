"""Levels as tests of pytest: what is collected, what fails and with which text, and what stays untouched."""

import json
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command import CORNERED, ONE_PUSH, hard, write

pytest_plugins = ["pytester"]

FAULTY = "#####\n#@q.#\n#####\n"
TITLED = CORNERED.replace("Cornered", "A::B [1] / -k x\u202e")


PLUGIN = "puzzlemc.reports.pytest_plugin.plugin"


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run pytest in a process of its own, with no plugin but that of puzzlemc."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        return pytester.runpytest_subprocess("-p", PLUGIN, *arguments)


def test_pytest_loads_it_where_puzzlemc_is_installed() -> None:
    (point,) = entry_points(group="pytest11", name="puzzlemc")
    assert point.value == PLUGIN


@pytest.fixture
def folder(pytester: pytest.Pytester) -> Path:
    """The working directory, with a solvable, an unsolvable and a faulty level in a file, and a text beside it."""
    levels = pytester.path / "levels"
    levels.mkdir()
    write(levels / "a.xsb", ONE_PUSH, TITLED, FAULTY)
    (levels / "a.txt").write_text(ONE_PUSH, encoding="utf-8")
    (levels / "domain.pddl").write_text("(define (domain d) (:predicates (p)))", encoding="utf-8")
    return levels


def test_nothing_is_collected_unasked(pytester: pytest.Pytester, folder: Path) -> None:
    found = run(pytester, "levels")
    assert found.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    found.stdout.no_fnmatch_line("*xsb*")


def test_import_is_cheap() -> None:
    code = (
        f"import sys, pytest; before = set(sys.modules); import {PLUGIN};"
        "print(sorted(name for name in set(sys.modules) - before if not name.startswith('__editable__')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert eval(done.stdout) == ["puzzlemc", "puzzlemc.reports", PLUGIN.rpartition(".")[0], PLUGIN]


def test_a_level_is_a_test(pytester: pytest.Pytester, folder: Path) -> None:
    found = run(pytester, "--puzzlemc", "--junit-xml=found.xml")
    found.assert_outcomes(passed=1, failed=2)
    text = found.stdout.str()
    corner = "this box, in row 2, column 2, can never leave its corner, and no goal is there"
    assert f"levels/a.xsb:6:1: unsolvable: there is no solution: {corner}\nwhy: the only box; " in text
    assert "levels/a.xsb:14:3: bad-input: found 'q', expected one of # @ + $ * . space - _ (level #3)" in text
    assert "see: puzzlemc check 'levels/a.xsb#2' --why" in text
    assert ".py" not in text.split("FAILURES")[1]
    cases = list(ElementTree.parse(pytester.path / "found.xml").iter("testcase"))
    assert [case.get("name") for case in cases] == ["1[One push]", "2[A::B [1] / -k x\\u202e]", "3"]
    properties = {each.get("name"): each.get("value") for each in cases[0].iter("property")}
    assert properties == {"verdict": "solvable", "cost": "1", "metric": "pushes"}


def test_the_smallest_part_is_drawn(pytester: pytest.Pytester) -> None:
    text = "#######\n#$  . #\n#  $ .#\n#  @  #\n#######\n"
    (pytester.path / "two.xsb").write_text(text, encoding="utf-8")
    found = run(pytester, "--puzzlemc")
    found.stdout.fnmatch_lines(["why: 1 of 2 boxes; proof checked", "", "#######", "#$  . #", "*"])


@pytest.mark.parametrize(
    ("chosen", "passed", "failed"),
    [
        (["levels/a.xsb::1"], 1, 0),
        (["levels/a.xsb::1[One push]"], 1, 0),
        (["levels/a.xsb::2"], 0, 1),
        (["levels/a.xsb::2[A::B [1] / -k x\\u202e]"], 0, 1),
        (["-k", "push"], 1, 0),
        (["-k", "a.xsb and not push"], 0, 2),
    ],
)
def test_levels_are_chosen_as_tests_are(
    pytester: pytest.Pytester, folder: Path, chosen: list[str], passed: int, failed: int
) -> None:
    found = run(pytester, "--puzzlemc", "-q", *chosen).parseoutcomes()
    assert (found.get("passed", 0), found.get("failed", 0)) == (passed, failed)


def test_the_configuration_names_folders_and_files(pytester: pytest.Pytester, folder: Path) -> None:
    (pytester.path / "b.xsb").write_text(ONE_PUSH, encoding="utf-8")
    pytester.makeini("[pytest]\npuzzlemc = levels/a.txt more\naddopts = --strict-config -W error")
    (pytester.path / "more" / "deep").mkdir(parents=True)
    (pytester.path / "more" / "deep" / "c.xsb").write_text(ONE_PUSH, encoding="utf-8")
    (pytester.path / "more" / "notes.txt").write_text(ONE_PUSH, encoding="utf-8")
    found = run(pytester, "--collect-only", "-q")
    lines = [line for line in found.outlines if "::" in line]
    assert lines == ["levels/a.txt::1[One push]", "more/deep/c.xsb::1[One push]"]


def test_a_file_without_levels_is_an_error_with_its_place(pytester: pytest.Pytester) -> None:
    (pytester.path / "none.xsb").write_text("no level here\n", encoding="utf-8")
    found = run(pytester, "--puzzlemc")
    found.assert_outcomes(errors=1)
    found.stdout.fnmatch_lines(
        ["*ERROR collecting none.xsb*", "none.xsb: found text but no row of a board, expected *"]
    )


def expected(pytester: pytest.Pytester, name: str, *answers: tuple[str, int | None]) -> str:
    """A file of expectations for the levels of `levels/a.xsb`."""
    rows = [
        {"id": f"{name}#{number}", "verdict": verdict, "metric": "pushes", "cost": cost}
        for number, (verdict, cost) in enumerate(answers, 1)
    ]
    path = pytester.path / "levels" / "expected.json"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return "levels/expected.json"


@pytest.mark.parametrize("name", ["levels/a.xsb", "a.xsb"])
def test_expected_answers_pass_and_others_fail(pytester: pytest.Pytester, folder: Path, name: str) -> None:
    write(folder / "a.xsb", ONE_PUSH, TITLED, ONE_PUSH, CORNERED)
    path = expected(pytester, name, ("solvable", 1), ("unsolvable", None), ("solvable", 2))
    found = run(pytester, "--puzzlemc", "--puzzlemc-expect", path)
    found.assert_outcomes(passed=2, failed=2)
    text = found.stdout.str()
    assert "levels/a.xsb:13:1: changed: solvable in 1 push, expected solvable in 2 pushes" in text
    assert "levels/a.xsb:18:1: unsolvable: there is no solution" in text


def test_an_unknown_level_fails_and_says_why(pytester: pytest.Pytester) -> None:
    write(pytester.path / "hard.xsb", hard(5))
    options = ("--puzzlemc", "--puzzlemc-timeout", "0.5", "-rs")
    found = run(pytester, *options)
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["hard.xsb:*: unknown: not decided: timeout*"])
    found = run(pytester, *options, "--puzzlemc-fail-on", "unsolvable,error")
    found.assert_outcomes(skipped=1)
    found.stdout.fnmatch_lines(["*not decided: timeout*"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--puzzlemc-expect", "none.json"], "--puzzlemc-expect: expected --puzzlemc beside it, or `puzzlemc = *"),
        (["--puzzlemc", "--puzzlemc-expect", "none.json"], "--puzzlemc-expect: *none.json: *"),
        (["--puzzlemc", "--puzzlemc-fail-on", "odd"], "--puzzlemc-fail-on: found 'odd', expected some of *"),
        (["--puzzlemc", "--puzzlemc-timeout", "-1"], "--puzzlemc-timeout: found -1.0, expected seconds*"),
    ],
)
def test_bad_options_are_usage_errors(
    pytester: pytest.Pytester, folder: Path, options: list[str], message: str
) -> None:
    found = run(pytester, *options)
    assert found.ret == pytest.ExitCode.USAGE_ERROR
    found.stderr.fnmatch_lines([f"*{message}"])


def test_a_metric_that_the_puzzle_lacks_fails(pytester: pytest.Pytester, folder: Path) -> None:
    found = run(pytester, "--puzzlemc", "--puzzlemc-metric", "push", "-k", "One")
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["unknown metric 'push' of sokoban, expected one of *"])


@pytest.mark.slow  # it starts processes that import all plugins
def test_levels_are_distributed(pytester: pytest.Pytester, folder: Path) -> None:
    found = pytester.runpytest_subprocess("--puzzlemc", "-n", "2")
    found.assert_outcomes(passed=1, failed=2)
