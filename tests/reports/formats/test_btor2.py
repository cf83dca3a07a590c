"""Boolector reads BTOR2 files: it finds a shortest solution at its bound, and tells true from false witnesses."""

import re
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from boards import BOARDS
from command import puzzlemc, write
from oracle import least_cost_by_rules
from places import ROOT

from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.mc.model.formula import State, holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.reports.formats import btor2

FOLDER = ROOT / "screens" / "levels" / "sokoban"
SOLVABLE = [f"{FOLDER / 'first_steps.xsb'}#{number}" for number in (1, 2, 3, 5)]
UNSOLVABLE = [f"{FOLDER / 'unsolvable.xsb'}#{number}" for number in (1, 3)]


def boolector(path: Path, question: Path | int) -> str:
    """What Boolector says. Skips where there is none."""
    pytest.importorskip("pyboolector")
    command = [sys.executable, str(ROOT / "benchmarks" / "by_boolector.py"), str(path), str(question)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.strip()


@cache
def model_of(name: str) -> tuple[Model, int | None]:
    """The model of a shipped level, and the fewest steps by the plain rules."""
    (entry,) = load([name])
    rules = puzzle("sokoban")
    return rules.encodings["compact"](entry.level).model, least_cost_by_rules(rules, entry.level, "moves")


def shortest(model: Model) -> tuple[State, ...]:
    """The states of a shortest run to the goal, by breadth-first search over the model."""
    before: dict[State, State | None] = {initial_state(model): None}
    for state in (waiting := list(before)):
        if holds(model.goal, state):
            run = [state]
            while (last := before[run[-1]]) is not None:
                run.append(last)
            return tuple(reversed(run))
        for _, after in model.successors(state):
            if after not in before:
                before[after] = state
                waiting.append(after)
    raise AssertionError("the goal is unreachable")


def witness_of(model: Model) -> str:
    states = shortest(model)
    actions = []
    for here, there in pairwise(states):
        actions.append(next(action for action, after in model.successors(here) if after == there))
    return btor2.witness(model, states[0], actions)


@pytest.mark.parametrize("name", [*SOLVABLE, *UNSOLVABLE])
def test_boolector_finds_the_least_number_of_steps(tmp_path: Path, name: str) -> None:
    _, cost = model_of(name)
    path = tmp_path / "level.btor2"
    done = puzzlemc("export", name, "--to", "btor2", "--encoding", "compact", "-o", path)
    assert done.returncode == 0, done.stderr
    bound = 12 if cost is None else cost
    assert boolector(path, bound) == ("unreachable within 12" if cost is None else f"reachable {cost}")


@pytest.mark.parametrize("name", SOLVABLE[:3])
def test_boolector_accepts_the_witness_and_refuses_changed_ones(tmp_path: Path, name: str) -> None:
    model, cost = model_of(name)
    assert cost is not None
    path, place = tmp_path / "level.btor2", tmp_path / "level.wit"
    path.write_text(btor2.write(model))
    text = witness_of(model)
    place.write_text(text)
    assert boolector(path, place) == "accepted"
    lines = text.splitlines()
    width = sum(line.endswith("@0") and " " in line for line in lines)
    first = [line.replace(" 1 ", " 0 ").replace("@1", "@0") for line in lines[3 : 3 + width]]
    place.write_text("\n".join([*lines[:3], *first, *lines[3 + width :], ""]))  # another first action
    assert boolector(path, place) == "refused"
    place.write_text("\n".join([*lines[: -2 - width], ".", ""]))  # no last step
    assert boolector(path, place) == "refused"


@pytest.mark.parametrize("verdict", BOARDS)
def test_inputs_choose_an_initial_state_in_the_first_step(tmp_path: Path, verdict: str) -> None:
    level, path = write(tmp_path / "a.tetravex", BOARDS[verdict]), tmp_path / "level.btor2"
    assert puzzlemc("export", level, "--to", "btor2", "-o", path).returncode == 0
    assert boolector(path, 4) == ("reachable 1" if verdict == "solvable" else "unreachable within 4")


def test_verify_writes_a_witness_that_boolector_accepts(tmp_path: Path) -> None:
    level = write(tmp_path / "a.xsb", "#####\n#@$.#\n#####")
    assert puzzlemc("check", level, "--certificate", tmp_path).returncode == 0
    done = puzzlemc("verify", tmp_path / "a.xsb-1.cert", "--btor2", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    path, place = tmp_path / "a.xsb-1.model.btor2", tmp_path / "a.xsb-1.wit"
    assert boolector(path, place) == "accepted"
    changed = re.sub(r"(\d) 1 ", r"\1 0 ", place.read_text())
    place.write_text(changed)
    assert boolector(path, place) == "refused"


def test_verify_writes_the_invariant_of_an_unsolvable_level(tmp_path: Path) -> None:
    level = write(tmp_path / "a.tetravex", BOARDS["unsolvable"])
    assert puzzlemc("check", level, "--certificate", tmp_path).returncode == 1
    assert puzzlemc("verify", tmp_path / "a.tetravex-1.cert", "--btor2", tmp_path).returncode == 0
    assert boolector(tmp_path / "a.tetravex-1.witness.btor2", 3) == "unreachable within 3"


def test_only_valid_certificates_become_circuits_and_whole_ones(tmp_path: Path) -> None:
    """Also under strange names; what cannot be written is said in a line."""
    proofs, circuits = tmp_path / "proofs", tmp_path / "circuits"
    level = write(tmp_path / "a.xsb", "#####\n#@$.#\n#####")
    assert puzzlemc("check", level, UNSOLVABLE[0], "--certificate", proofs, "--quiet").returncode == 1
    good = (proofs / "a.xsb-1.cert").read_bytes()
    for name, text in {
        "-x.cert": good,
        "two\nlines.cert": good,
        "b\udcff.cert": good,
        "forged.cert": good.replace(b'"R"', b'"L"'),
        "cut.cert": good[:-9],
        "deep.cert": b"[" * 100_000,
    }.items():
        (proofs / name).write_bytes(text)
    (circuits / "a.xsb-1.wit").mkdir(parents=True)
    done = puzzlemc("verify", proofs, "--btor2", circuits)
    assert done.returncode == 4
    lines = done.stderr.splitlines()
    assert [line.removeprefix(f"{proofs}/") for line in lines] == [
        f"a.xsb-1.cert: {circuits}/a.xsb-1.wit: Is a directory",
        "unsolvable.xsb-1.cert: no circuit: its proof is no circuit",
    ]
    whole = {f"{stem}.{kind}" for stem in ("-x", "two\nlines", "b\udcff") for kind in ("model.btor2", "wit")}
    assert {path.name for path in circuits.iterdir()} == whole | {"a.xsb-1.model.btor2", "a.xsb-1.wit"}
    (circuits / "a.xsb-1.wit").rmdir()
    assert {path.read_bytes() for path in circuits.glob("*.wit")} == {(circuits / "-x.wit").read_bytes()}


def test_no_symbol_ends_a_line(tmp_path: Path) -> None:
    model, _ = model_of(SOLVABLE[0])
    lines = btor2.write(model).splitlines()
    body = [line.split() for line in lines if not line.startswith(";")]
    assert [int(words[0]) for words in body] == list(range(1, len(body) + 1))
    assert {len(words) for words in body if words[1] in ("input", "state")} == {4}
