"""Certificates that every repair has at least a number of edits: written, read, checked, refused if changed."""

import json
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from command import puzzlemc, write
from places import ROOT
from repair_cores import Cores, checking_program

import puzzlemc as puzzlemc_api
from examples import examples
from puzzlemc.encodings.puzzle.design.changes import Allowed
from puzzlemc.encodings.puzzle.design.repair_proof import RepairProof
from puzzlemc.encodings.puzzles import Entry, load, puzzle
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.certify.certificate import read
from puzzlemc.reports.certify.certificate import write as write_certificate
from puzzlemc.reports.certify.repairs import certify_repairs
from puzzlemc.reports.certify.verify import CODES, verify

TOOL = ROOT / "tools" / "check_certificate.py"
CORNERS = "######\n#$  $#\n#    #\n#@.. #\n######\n"
ALL = Allowed(frozenset({"walls", "boxes", "goals", "player", "drop"}))


@pytest.fixture
def entry(tmp_path: Path) -> Entry:
    (found,) = load([str(write(tmp_path / "a.xsb", CORNERS))])
    return found


def written(entry: Entry, path: Path) -> str:
    cores = Cores(entry.level, 1).found(sorted(ALL.kinds), 1)
    assert cores is not None
    return certify_repairs(entry, ALL, 2, cores, path, Budget())


def test_a_certificate_of_cores_is_written_and_read_again(tmp_path: Path, entry: Entry):
    path = tmp_path / "a.repairs.cert"
    assert written(entry, path) == ""
    again = tmp_path / "again.cert"
    write_certificate(read(path), again)
    assert again.read_bytes() == path.read_bytes()
    done = puzzlemc("verify", path, "--level", tmp_path / "a.xsb")
    assert done.returncode == 0, done.stderr
    assert "no repair of fewer than 2 edits (boxes, drop, goals, player, walls)  proof checked by" in done.stdout
    done = puzzlemc("verify", path, "--json")
    assert json.loads(done.stdout)["repairs"].startswith("no repair of fewer than 2 edits")


def test_cells_that_are_kept_are_part_of_what_is_said(tmp_path: Path, entry: Entry):
    """Of two boxes in corners, one may be moved: the other one stays in its corner."""
    path, allowed = tmp_path / "a.repairs.cert", Allowed(frozenset({"boxes"}), frozenset({(1, 1)}))
    (core,) = [Cores(entry.level).core(frozenset({"box 2,5"}), placed=frozenset({"box 2,5"}))]
    assert core is not None
    assert certify_repairs(entry, allowed, 3, (core,), path, Budget()) == ""
    done = verify(path)
    assert (done.status, done.repairs) == (
        "valid",
        "no repair of fewer than 3 edits (boxes, without a change of 1 cells)",
    )
    certificate = read(path)
    assert isinstance(certificate.proof, RepairProof)
    for keep in ((), ((1, 2),)):
        write_certificate(replace(certificate, proof=replace(certificate.proof, keep=keep)), path)
        assert verify(path).status == "refuted"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"least": 2', '"least": 3'),
        ('"verdict": "unsolvable"', '"verdict": "unknown"'),
        ('"puzzle": "sokoban"', '"puzzle": "folding"'),
        ("#$  $#", "# $ $#"),
        ("#@.. #", "#@..##"),
        ('"needed": 1', '"needed": 2'),
        ('"removed": []', '"removed": [0]'),
        ('"keep": []', '"keep": {}'),
    ],
)
def test_a_changed_certificate_is_refused(tmp_path: Path, entry: Entry, old: str, new: str):
    path = tmp_path / "a.repairs.cert"
    written(entry, path)
    data = path.read_bytes()
    assert old.encode() in data
    path.write_bytes(data.replace(old.encode(), new.encode(), 1))
    assert verify(path).status in ("refuted", "unreadable")
    assert subprocess.run([sys.executable, TOOL, path], capture_output=True).returncode in (2, 4)


def test_why_there_is_no_certificate(tmp_path: Path, entry: Entry):
    path = tmp_path / "a.repairs.cert"
    assert "not all smaller sets" in certify_repairs(entry, ALL, 2, (), path, Budget())
    kept = replace(ALL, keep=frozenset({(1, 1)}))
    assert "on a cell that is kept" in certify_repairs(entry, kept, 2, (), path, Budget())
    other = Entry(entry.id, entry.title, puzzle("folding"), entry.level)
    assert "edit by edit" in certify_repairs(other, ALL, 2, (), path, Budget())
    assert "nothing is known" in certify_repairs(entry, ALL, 0, (), path, Budget())
    cores = Cores(entry.level, 1).found(sorted(ALL.kinds), 1)
    assert cores is not None
    assert "not checked" in certify_repairs(entry, ALL, 2, cores, path, Budget(Limits(memory=1000)))
    assert not path.exists()
    assert "not all smaller sets" in certify_repairs(entry, ALL, 3, cores, path, Budget())
    assert not path.exists()
    false = (replace(cores[0], needed=cores[0].needed + 1), *cores[1:])
    with pytest.raises(Refuted):
        certify_repairs(entry, ALL, 2, false, path, Budget())


def test_suggest_writes_certificates_of_what_it_says(tmp_path: Path, entry: Entry):
    """Of the fewest edits, and of each suggested level; `verify` takes all of them."""
    folder = tmp_path / "proofs"
    done = puzzlemc("suggest", tmp_path / "a.xsb", "--count", 2, "--certificate", folder)
    assert done.returncode == 0, done.stderr
    assert "no certificate" not in done.stdout
    assert {path.name for path in folder.iterdir()} == {"a.xsb-1.repairs.cert", "a.xsb-1.1.cert", "a.xsb-1.2.cert"}
    done = puzzlemc("verify", folder)
    assert done.returncode == 0, done.stderr
    without_the_package = subprocess.run([sys.executable, "-I", TOOL, folder], capture_output=True, text=True)
    assert without_the_package.returncode == 0, without_the_package.stdout
    assert "no repair has fewer than 2 edits (boxes, drop, goals, player, walls)" in without_the_package.stdout
    assert "3 of 3 valid" in done.stdout + done.stderr
    assert done.stdout.count("(optimal)") == 2
    assert "no repair of fewer than 2 edits" in done.stdout
    for number in (1, 2):  # a suggested level is not the level itself
        assert f"a.xsb#1, suggestion {number}  solvable" in done.stdout


def test_a_level_that_is_solved_edit_by_edit_has_a_certificate_as_it_is(tmp_path: Path):
    folder = tmp_path / "proofs"
    given = (write(tmp_path / "a.fold", "1 0\n0 -1\n2 0\n"), "--count", 1, "--most", 1, "--certificate", folder)
    done = puzzlemc("suggest", *given)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in folder.iterdir()} == {"a.fold-1.cert", "a.fold-1.1.cert"}
    done = puzzlemc("verify", folder)
    assert "2 of 2 valid" in done.stdout + done.stderr
    assert "unsolvable" in done.stdout


@pytest.mark.parametrize(("wish", "is_certified"), [("longer=2", True), ("lean", False)])
def test_an_answer_says_what_certificates_do_not_show(tmp_path: Path, wish: str, is_certified: bool):
    """A least cost shows that a level is longer, but not that nothing needs the cells that are gone."""
    level = write(tmp_path / "a.xsb", "#######\n#@$.  #\n#     #\n#######\n")
    asked = ("--want", wish, "--count", 1, "--most", 1)
    done = puzzlemc("suggest", level, *asked, "--certificate", tmp_path / "proofs")
    assert done.returncode == 0, done.stderr
    assert ("none shows that a level does what is wished" in done.stdout) != is_certified


def test_python_writes_the_same_certificates(tmp_path: Path, entry: Entry):
    folder = tmp_path / "proofs"
    found = puzzlemc_api.suggest(tmp_path / "a.xsb", count=1, certificate=folder)
    assert {path.name for path in folder.iterdir()} == {"a.xsb-1.repairs.cert", "a.xsb-1.1.cert"}
    assert all(puzzlemc_api.verify(path).status == "valid" for path in folder.iterdir())
    assert found.words == puzzlemc_api.suggest(tmp_path / "a.xsb", count=1).words


@pytest.fixture(scope="module")
def mutants() -> Any:
    spec = spec_from_file_location("repair_mutants", ROOT / "benchmarks" / "repair_mutants.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tool() -> Any:
    return checking_program()


@pytest.mark.parametrize("text", [CORNERS, "#######\n#.#   #\n#@    #\n##$ $ #\n#    .#\n#######\n"])
def test_changed_certificates_are_refuted_or_true(
    tmp_path: Path, mutants: Any, tool: Any, capsys: pytest.CaptureFixture[str], text: str
):
    """`verify` and the program beside it agree on all of them; what a valid one says is true."""
    (entry,) = load([str(write(tmp_path / "a.xsb", text))])
    search = entry.puzzle.changes().repairs
    repairs = search(entry.level, ALL, Budget())
    path = tmp_path / "a.repairs.cert"
    assert certify_repairs(entry, ALL, repairs.least, repairs.cores, path, Budget()) == ""
    statuses = Counter[str]()
    for kind, changed in mutants.mutants(read(path), examples(4, 40), random.Random(1)):
        write_certificate(changed, path)
        status = verify(path).status
        assert tool.said(str(path)) == CODES[status], (kind, status, capsys.readouterr().out)
        statuses[status] += 1
        if status == "valid":
            assert mutants.judged(changed) == "sound", kind
    assert statuses["refuted"] > 20
