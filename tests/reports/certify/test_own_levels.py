"""Certificates about puzzles of one's own: two metrics in order, and levels without a model."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import skips
from command import as_json, write
from places import ROOT

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.engines.registry import ENGINES
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import binary
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry

COSTS = {"steps": 1, "sweat": 2}


def wheel(goal: int) -> Puzzle:
    """A wheel that is turned by one of three places at a time; no turn leads to places from 3 on."""

    def steps(_: object, position: int) -> Iterator[Step]:
        yield Step("turn", (position + 1) % 3, COSTS)

    def encode(_: object) -> Encoded:
        at = binary("at", range(4))
        actions = tuple(
            Action("turn", at.literals(place), dict(at.literals((place + 1) % 3)), COSTS) for place in range(3)
        )
        model = Model((at,), at.literals(0), actions, at.equals(goal), {"solved": at.equals(goal)})
        return Encoded(model, at.read, lambda trace: [action.name for action in trace.actions])

    start: Callable[[object], int] = lambda _: 0  # noqa: E731
    return Puzzle(
        name="wheel",
        screen=skips.Screen(),
        metrics=tuple(COSTS),
        encodings={"compact": encode},
        rules=Transition(start, steps, lambda _, position: position == goal),
        vocabulary=Vocabulary(),
    )


def entry(puzzle: Puzzle) -> Entry:
    return Entry("wheel#1", "", puzzle, skips.Level(), None)


@pytest.mark.parametrize("metric", ["steps", "steps,sweat", "sweat,steps", "any"])
@pytest.mark.parametrize("engine", ["auto", *ENGINES])
@pytest.mark.parametrize(("goal", "verdict"), [(2, "solvable"), (3, "unsolvable")])
def test_each_metric_of_each_engine_is_certified(
    engine: str, metric: str, goal: int, verdict: str, tmp_path: Path
) -> None:
    """The proof that there is no solution is about no metric; two in order are none that an action costs."""
    if (engine, verdict) == ("bmc", "unsolvable"):  # it does not end
        return
    puzzle = wheel(goal)
    options = Options(engine=engine, metric=metric, prove=True)
    result = solve_entry(entry(puzzle), options)
    if result.verdict == "error" and "cannot take" in (result.reason or ""):
        return
    assert result.verdict == verdict, result.reason
    path = tmp_path / "a.cert"
    certified = certify(entry(puzzle), options, result, path)
    assert (certified.verdict, certified.checked) == (verdict, True), certified
    done = verify(path, own=puzzle)
    assert done.status == "valid", done.reason


def test_a_level_without_a_model_is_not_checked(tmp_path: Path) -> None:
    """The certificate was written when the encoding still had a model of the level."""

    def no_model(_: object) -> Encoded:
        raise ModelError("the fourth place is missing")

    puzzle = wheel(3)
    path = tmp_path / "a.cert"
    options = Options(prove=True)
    certify(entry(puzzle), options, solve_entry(entry(puzzle), options), path)
    done = verify(path, own=replace(puzzle, encodings={"compact": no_model}))
    assert (done.status, done.exit_code) == ("unchecked", 2)
    assert done.reason == f"{path}: not checked: the level has no model: the fourth place is missing"


def test_verify_says_why_a_planning_task_has_no_model(tmp_path: Path) -> None:
    """The derived predicate depends on its own negation, so the translator refuses the task."""
    domain = (
        "(define (domain d) (:requirements :adl :derived-predicates) (:types t2) (:constants k) "
        "(:predicates (d0 ?x) (p)) (:derived (d0 ?x) (forall (?q - t2) (d0 ?q))) "
        "(:action a :parameters () :precondition (d0 k) :effect (p)))"
    )
    task = "(define (problem p) (:domain d) (:objects o - t2) (:init) (:goal (and (p) (d0 k))))"
    fields = {
        "format": "puzzlemc-certificate",
        "version": 1,
        "id": "x#1",
        "title": "",
        "puzzle": "pddl",
        "level": [domain, task],
        "encoding": "compact",
        "metric": "cost",
        "verdict": "unsolvable",
        "cost": None,
        "optimal": False,
        "trace": None,
        "proof": {"counts": [], "inputs": [], "gates": [], "layers": [0]},
    }
    path = write(tmp_path / "a.cert", json.dumps(fields))
    for more in ([], ["--aiger", tmp_path / "aiger"], ["--drat", tmp_path / "drat"]):
        code, (done,) = as_json("verify", path, *more)
        assert (code, done["status"]) == (2, "unchecked")
        assert "not checked: the level has no model: the translator of PDDL" in done["reason"]


def test_two_metrics_of_an_unsolvable_level_on_the_command_line(tmp_path: Path) -> None:
    """The whole run goes on, and has a certificate of each level."""
    levels = ROOT / "screens" / "levels" / "sokoban" / "first_steps.xsb"
    asked = ("--metric", "moves,pushes", "--engine", "explicit", "--certificate", tmp_path)
    code, rows = as_json("solve", levels, *asked)
    assert all(row["checked"] for row in rows), rows
    assert code in (0, 1)
