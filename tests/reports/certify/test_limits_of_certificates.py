"""Certificates at limits of time: one that shows less is written, and JSON says what there is."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jobs
import pytest
from command import CORNERED, ONE_PUSH, as_json, write
from places import ROOT

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import GIB
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.tables import TableProof
from puzzlemc.reports.certify.certificate import read
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import Verification, verify
from puzzlemc.reports.crew.chunk import run_chunk
from puzzlemc.reports.crew.in_order import solve_all
from puzzlemc.reports.crew.jobs import Answer, Job
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.reports.workers.worker import Worker

LEVELS = ROOT / "screens" / "levels"
SECONDS = 4.0  # a search takes some of them on a busy machine
NO_TIME = 1e-9
NOT_OPTIMAL = "the certificate does not show that the trace is optimal: "
LIT = ".*..*.*....*.**.*...*...."  # of lamps(5), dark after seven presses
LAMPS = """(define (domain lamps)
 (:requirements :strips :typing :conditional-effects)
 (:types lamp)
 (:predicates (on ?l - lamp) (off ?l - lamp) (near ?a ?b - lamp))
 (:action press :parameters (?l - lamp) :precondition (and)
  :effect (forall (?m - lamp) (and
   (when (and (near ?l ?m) (on ?m)) (and (not (on ?m)) (off ?m)))
   (when (and (near ?l ?m) (off ?m)) (and (not (off ?m)) (on ?m)))))))
"""


def lamps(side: int, lit: str) -> str:
    """A square of lamps as a planning task: each press changes a lamp and its neighbours; all must be dark.

    `lit` has a letter for each lamp, `*` for one that is lit.
    """
    cells = [(row, column) for row in range(side) for column in range(side)]
    names = {cell: f"l{cell[0]}{cell[1]}" for cell in cells}
    near = [(a, b) for a in cells for b in cells if abs(a[0] - b[0]) + abs(a[1] - b[1]) <= 1]
    start = [
        f"({'on' if letter == '*' else 'off'} {names[cell]})" for cell, letter in zip(cells, lit, strict=True)
    ]
    start += [f"(near {names[a]} {names[b]})" for a, b in near]
    objects, goal = " ".join(names.values()), " ".join(f"(off {name})" for name in names.values())
    problem = f"(define (problem dark) (:domain lamps) (:objects {objects} - lamp)\n"
    return f"{LAMPS}{problem} (:init {' '.join(start)})\n (:goal (and {goal})))\n"


def proved(level: Path | str) -> tuple[Entry, Result]:
    """A level, and its result with a proof."""
    (entry,) = load([str(level)])
    result = solve_entry(entry, Options(prove=True))
    assert result.proof is not None
    return entry, result


@pytest.mark.parametrize("name", ["sokoban/first_steps.xsb#2", "pddl/tiles.pddl", "pddl/lamps.pddl"])
def test_a_proof_that_cannot_be_checked_in_time_leaves_the_trace(name: str, tmp_path: Path) -> None:
    entry, result = proved(LEVELS / name)
    path = tmp_path / "a.cert"
    whole = certify(entry, Options(), result, path)
    assert (whole.checked, whole.uncertified, read(path).optimal) == (True, "", True)
    less = certify(entry, Options(timeout=NO_TIME), result, path)
    assert (less.verdict, less.cost, less.optimal, less.checked) == ("solvable", result.cost, True, True)
    assert less.uncertified == f"{NOT_OPTIMAL}its proof was not checked: timeout"
    assert verify(path, [entry]).status == "valid"
    assert (read(path).optimal, read(path).proof, read(path).trace) == (False, None, result.trace)
    fields = less.as_json()
    assert (fields["certificate"], fields["uncertified"]) == (str(path), less.uncertified)


def test_the_bound_that_is_listed_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search may prove more than it can list."""

    def late(*_: object) -> None:
        raise LimitReached("timeout")

    entry, result = proved(LEVELS / "sokoban" / "first_steps.xsb#2")
    assert result.proof is not None
    assert result.cost == 2
    listed = replace(result, proof=replace(result.proof, below=1))
    monkeypatch.setattr("puzzlemc.reports.certify.certify._prove", late)
    path = tmp_path / "a.cert"
    less = certify(entry, Options(), listed, path)
    shown = "the certificate shows no solution below 1 push, not that the trace is optimal: timeout"
    assert (less.checked, less.uncertified) == (True, shown)
    assert "1 ≤ 2 pushes" in verify(path, [entry]).as_text()
    less = certify(entry, Options(timeout=NO_TIME), listed, path)  # no time to check the bound
    assert (less.checked, less.uncertified, read(path).proof) == (True, f"{NOT_OPTIMAL}timeout", None)


def test_the_proof_of_the_search_stands_in_for_a_longer_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plain rules check another proof than that of A*, if there is time for it."""

    def late(path: Path, *given: Any, **options: Any) -> Verification:
        done = verify(path, *given, **options)
        is_late = isinstance(read(path).proof, ListedStates)
        return replace(done, status="unchecked", reason=f"{path}: not checked: timeout") if is_late else done

    (tmp_path / "dark.pddl").write_text(lamps(5, LIT))
    entry, result = proved(tmp_path / "dark.pddl")
    assert isinstance(result.proof, TableProof)
    listed = proved(LEVELS / "pddl" / "tiles.pddl")[1].proof
    assert isinstance(listed, ListedStates)
    monkeypatch.setattr("puzzlemc.reports.certify.certify._for_rules", lambda *_: listed)
    monkeypatch.setattr("puzzlemc.reports.certify.certify.verify", late)
    done = certify(entry, Options(), result, tmp_path / "a.cert")
    assert (done.verdict, done.checked, done.uncertified) == ("solvable", True, "")
    assert read(tmp_path / "a.cert").optimal
    assert isinstance(read(tmp_path / "a.cert").proof, TableProof)


def test_a_wrong_proof_is_not_replaced_by_less(tmp_path: Path) -> None:
    entry, result = proved(LEVELS / "pddl" / "tiles.pddl")
    assert result.proof is not None
    assert isinstance(result.proof, ListedStates)
    wrong = replace(result, proof=replace(result.proof, forward=()))
    done = certify(entry, Options(prove=False), wrong, tmp_path / "a.cert")
    assert (done.verdict, done.exit_code, done.checked) == ("error", 4, False)


def killed_in_order(entry: Entry, path: Path, patch: pytest.MonkeyPatch) -> Result:
    """The result of a level whose worker is killed while it checks the certificate."""
    patch.setattr("puzzlemc.reports.crew.in_order._certify", jobs.certify_and_hang)
    (result,) = solve_all([entry], Options(timeout=SECONDS), 1, {entry.id: path})
    return result


def killed_in_chunk(entry: Entry, path: Path, patch: pytest.MonkeyPatch) -> Result:
    """The same in a batch."""
    answers: list[Answer] = []
    patch.setattr("puzzlemc.reports.crew.chunk._work", jobs.certify_and_hang_at_work)
    with Worker(GIB) as worker:
        run_chunk(worker, [Job(7, entry, Options(timeout=SECONDS), certified=True)], SECONDS, answers.extend)
    (answer,) = answers
    assert answer.result is not None
    if answer.certificate is not None:
        path.write_bytes(answer.certificate)
    return answer.result


@pytest.mark.parametrize("killed", [killed_in_order, killed_in_chunk])
def test_a_killed_check_leaves_the_trace(
    killed: Callable[[Entry, Path, pytest.MonkeyPatch], Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solvable, unsolvable = load([str(write(tmp_path / "a.xsb", ONE_PUSH, CORNERED))])
    path = tmp_path / "a.cert"
    result = killed(solvable, path, monkeypatch)
    assert (result.verdict, result.exit_code, result.uncertified) == ("solvable", 0, f"{NOT_OPTIMAL}timeout")
    assert verify(path, [solvable]).status == "valid"
    assert (read(path).optimal, read(path).proof) == (False, None)
    path.unlink()
    result = killed(unsolvable, path, monkeypatch)
    assert (result.verdict, result.exit_code) == ("unsolvable", 1)
    assert (result.uncertified, result.certificate) == ("no certificate: timeout", None)
    assert not path.exists()


def test_json_names_the_certificate_only_if_it_was_asked_for(tmp_path: Path) -> None:
    level = write(tmp_path / "a.xsb", ONE_PUSH)
    _, (result,) = as_json("check", level)
    assert not {"certificate", "uncertified"} & result.keys()
    _, (result,) = as_json("check", level, "--certificate", tmp_path / "q")
    assert result["certificate"] == str(tmp_path / "q" / "a.xsb-1.cert")
    assert "uncertified" not in result


LATE = [pytest.param(seconds, marks=pytest.mark.slow) for seconds in ("1", "3")]


@pytest.mark.parametrize("seconds", ["0.5", "2", *LATE])
def test_each_verdict_at_a_tiny_limit_has_a_certificate_or_says_why_not(seconds: str, tmp_path: Path) -> None:
    tasks = {"small": lamps(3, "*...*...."), "large": lamps(5, LIT), "corner": lamps(5, "*" + 24 * ".")}
    for name, text in tasks.items():
        (tmp_path / f"{name}.pddl").write_text(text)
    names = [tmp_path / f"{name}.pddl" for name in tasks]
    names += [
        LEVELS / "pddl" / "tiles.pddl",
        LEVELS / "sokoban" / "first_steps.xsb",
        LEVELS / "sokoban" / "warehouse.xsb#1",
    ]
    code, results = as_json("check", *names, "--certificate", tmp_path / "q", "--timeout", seconds)
    verdicts = [result["verdict"] for result in results]
    assert "error" not in verdicts
    assert code == (1 if "unsolvable" in verdicts else 3 if "unknown" in verdicts else 0)
    for result in results:
        if result["verdict"] == "solvable":
            assert result["certificate"], result
        if result["certificate"] is None:
            assert result["uncertified"].startswith("no certificate: "), result
            continue
        done = verify(Path(result["certificate"]))
        assert done.status == "valid", result
        assert done.certificate is not None
        assert (done.certificate.verdict, done.certificate.cost) == (result["verdict"], result["cost"])
        assert done.certificate.optimal == bool(result["optimal"] and not result.get("uncertified"))
