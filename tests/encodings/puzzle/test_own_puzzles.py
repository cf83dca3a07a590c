"""Puzzles from a Python file of the user: listed, verified, and refused if formulas cannot name their atoms."""

import shutil
from pathlib import Path

import pytest
from command import ONE_PUSH, as_json, puzzlemc, write
from places import WRITTEN

from puzzlemc.encodings import puzzles
from puzzlemc.encodings.puzzles import OWN, check_names, colours, puzzle
from puzzlemc.mc.errors import ModelError

LIGHTS, PUZZLE = (
    WRITTEN / "lights.txt",
    WRITTEN / "own_puzzle.py",
)
TEXT = PUZZLE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificates of the example with lamps, by an explicit engine and by one that writes circuits."""
    folder = tmp_path_factory.mktemp("own")
    for engine in ("auto", "forward"):
        into = folder / engine
        _, rows = as_json("check", LIGHTS, "--puzzle", PUZZLE, "--certificate", into, "--engine", engine)
        assert [row["checked"] for row in rows] == [True] * 4
    return folder


def test_verify_accepts_certificates_of_an_own_puzzle(certificates: Path) -> None:
    code, done = as_json("verify", certificates, "--puzzle", PUZZLE)
    assert (code, [each["status"] for each in done]) == (0, ["valid"] * 8)
    assert {each["puzzle"] for each in done} == {"lights"}
    shown = puzzlemc("verify", certificates / "auto", "--puzzle", PUZZLE, "--level", f"{LIGHTS}#1")
    assert shown.stdout.count("is about another level") == 3
    assert shown.stdout.count("valid  ") == 1


def test_verify_writes_circuits_of_an_own_puzzle(certificates: Path, tmp_path: Path) -> None:
    done = puzzlemc("verify", certificates / "forward", "--puzzle", PUZZLE, "--aiger", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list(tmp_path.glob("*.model.aig"))) == 4


def test_a_puzzle_is_unknown_without_its_file(certificates: Path) -> None:
    done = puzzlemc("verify", certificates / "auto")
    assert done.returncode == 2
    assert "puzzle: found 'lights', expected one of sokoban" in done.stdout
    assert "or a Python file with it by --puzzle" in done.stdout


def test_the_named_file_determines_the_puzzle(certificates: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH)
    as_json("check", path, "--certificate", tmp_path / "proofs")
    assert puzzlemc("verify", tmp_path / "proofs", "--puzzle", "sokoban").returncode == 0
    for folder, named, message in (
        (tmp_path / "proofs", PUZZLE, "puzzle: found 'sokoban', expected lights"),
        (certificates / "auto", "folding", "puzzle: found 'lights', expected folding"),
    ):
        done = puzzlemc("verify", folder, "--puzzle", named)
        assert (done.returncode, message in done.stdout) == (2, True), done.stdout
    done = puzzlemc("verify", certificates, "--puzzle", tmp_path / "none.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--puzzle" in done.stderr
    assert "No such file" in done.stderr


def test_a_wrong_certificate_of_an_own_puzzle_is_refuted(certificates: Path, tmp_path: Path) -> None:
    for path in (certificates / "forward").iterdir():
        shutil.copy(path, tmp_path)
    (changed, *_) = sorted(tmp_path.iterdir())
    data = changed.read_bytes()
    assert b'"cost": 2' in data
    changed.write_bytes(data.replace(b'"cost": 2', b'"cost": 1'))
    done = puzzlemc("verify", tmp_path, "--puzzle", PUZZLE)
    assert done.returncode == 4
    assert done.stdout.count("refuted") == 1


def test_an_own_puzzle_is_listed() -> None:
    done = puzzlemc("puzzles", PUZZLE)
    assert done.returncode == 0
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[:4] == ["lights", "suffixes .lights", "metrics presses any", "encodings compact"]
    assert "solved all lamps are dark" in lines
    assert "Python file" in puzzlemc("puzzles", "--help").stdout


# Names


@pytest.mark.parametrize("name", OWN)
def test_formulas_can_name_the_atoms_of_all_puzzles(name: str) -> None:
    check_names(puzzle(name), "puzzle")


@pytest.mark.parametrize(
    "name",
    ["solved", "lit_N", "lit@(r,c)", "N@(r,c)", "lamp7", "X", "EX@(r,c)", "Up", "trueish"],
)
def test_names_that_formulas_can_hold_are_accepted(name: str, tmp_path: Path) -> None:
    done = puzzlemc("puzzles", changed(tmp_path, f'{{"{name}": "what it says"}}'))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("atoms", "message"),
    [
        ('{"lamp on": ""}', "atoms: found 'lamp on'"),
        ('{"solved": "", "lamp-": ""}', "atoms: found 'lamp-'"),
        ('{"läuft": ""}', "atoms: found 'läuft'"),
        ('{"": ""}', "atoms: found ''"),
        ('{"lit@(r,c": ""}', "atoms: found 'lit@(r,c'"),
        ('{"lit(r,c": ""}', "atoms: found 'lit(r,c'"),
        ('{"EF": ""}', "atoms: found 'EF'"),
        ('{"A@(r,c)": ""}', "atoms: found 'A@(r,c)'"),
        ('{"true": ""}', "atoms: found 'true'"),
        ('{"not": ""}', "atoms: found 'not'"),
        ('{"!lit": ""}', "atoms: found '!lit'"),
        ('{"(lit)": ""}', "atoms: found '(lit)'"),
        ('{"lit >= 2": ""}', "atoms: found 'lit >= 2'"),
        ("{3: ''}", "atoms: found 3"),
        ('{"stuck": ""}', "'stuck' is an atom of all models"),
        ('{"dead": ""}', "'dead' is an atom of all models"),
        ('{"lit @ (r, c)": ""}', "atoms: found 'lit @ (r, c)'"),
        ('{"lit_N": "", "lit_1": ""}', "'lit_1' and 'lit_N' are the same name"),
        ('{"lit": ""}, counts={"lit": ""}', "'lit' is an atom and a number"),
        ('{}, counts={"how many": ""}', "counts: found 'how many'"),
        ('{}, counts={"E": ""}', "counts: found 'E'"),
    ],
)
def test_names_that_no_formula_can_hold_are_bad_input(atoms: str, message: str, tmp_path: Path) -> None:
    path = changed(tmp_path, atoms)
    done = puzzlemc("check", LIGHTS, "--puzzle", path)
    assert done.returncode == 2
    assert message in " ".join((done.stdout + done.stderr).split())
    assert str(path) in done.stdout + done.stderr
    assert puzzlemc("puzzles", path).returncode == 2


def changed(folder: Path, atoms: str) -> Path:
    """The example with other atoms."""
    assert TEXT.count('atoms={"solved": "all lamps are dark"}') == 1
    return write(folder / "own.py", TEXT.replace('atoms={"solved": "all lamps are dark"}', f"atoms={atoms}"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n", "found no PUZZLE, expected PUZZLE = Puzzle(...)"),
        ("x = 1\ny = 1 +\n", ":2:8: cannot be imported: SyntaxError: invalid syntax"),
        ("PUZZLE = 1 / 0\n", "own.py:1: cannot be imported: ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit(0)\n", "own.py:2: cannot be imported: SystemExit: 0"),
        ("import sys\n\nsys.exit()\n", "own.py:3: cannot be imported: SystemExit"),
        ("PUZZLE = 3\n", "expected PUZZLE to be a Puzzle, found 3"),
        (
            TEXT + "import dataclasses\nPUZZLE = dataclasses.replace(PUZZLE, vocabulary=None)\n",
            "vocabulary: found None, expected a Vocabulary",
        ),
    ],
)
def test_a_file_without_a_puzzle_is_bad_input(text: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path / "own.py", text)
    done = puzzlemc("puzzles", path)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())


def test_a_palette_adds_colours_without_changing_others(tmp_path: Path) -> None:
    display = 'display=Display(palette={{"{}": ("#000000", "#ffffff")}}),\n    vocabulary='
    imported = "from puzzlemc.encodings.puzzle.display import Display\nfrom puzzlemc.encodings.puzzle.encoded"
    text = TEXT.replace("from puzzlemc.encodings.puzzle.encoded", imported)
    for name in ("lamp", "wall"):
        write(tmp_path / f"{name}.py", text.replace("vocabulary=", display.format(name)))
    assert puzzle(str(tmp_path / "lamp.py")).display.palette == {"lamp": colours()["lamp"]}
    with pytest.raises(ModelError, match=r"palette: 'wall' is a colour of other puzzles"):
        puzzle(str(tmp_path / "wall.py"))


def test_a_file_without_a_level_is_bad_input(tmp_path: Path) -> None:
    empty = write(tmp_path / "empty.lights", "no lamps\n")
    code, (row,) = as_json("check", empty, "--puzzle", PUZZLE)
    assert (code, row["verdict"]) == (2, "error")
    assert "found no level of lights, expected at least one" in row["reason"]


def test_a_goal_that_is_no_formula_is_a_fault_of_the_file(tmp_path: Path) -> None:
    before = "Model(tuple(variables), initial, actions, goal,"
    assert before in TEXT
    wrong = write(tmp_path / "wrong.py", TEXT.replace(before, before.replace("goal,", "[goal],")))
    line = 1 + next(number for number, row in enumerate(TEXT.splitlines()) if before in row)
    code, rows = as_json("check", f"{LIGHTS}#1", "--puzzle", wrong)
    assert code == 2
    assert rows[0]["reason"].startswith(f"{wrong}:{line}: found TypeError: goal is a list, not a formula")


@pytest.mark.parametrize(
    "name", ["true", "false", "and", "or", "not", "U", "E", "EX", "a-b", "a b", "é", "and_", "x1"]
)
def test_names_are_those_that_the_parser_reads(name: str) -> None:
    is_name = not puzzles._misread(name, "atoms")
    assert bool(puzzles._WORD.fullmatch(name)) <= is_name
