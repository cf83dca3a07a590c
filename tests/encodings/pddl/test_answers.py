"""Verdicts, proofs, and reasons of planning tasks, from the command line's own functions."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from oracle import least_cost_by_rules
from places import ROOT

from puzzlemc.encodings.pddl import rules, translator
from puzzlemc.encodings.pddl.compact import compact
from puzzlemc.encodings.pddl.plans import read_moves
from puzzlemc.encodings.pddl.proof import check_listed
from puzzlemc.encodings.puzzles import choose_domain, load, puzzle, puzzles
from puzzlemc.mc.engines.registry import ENGINES, engine
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable
from puzzlemc.mc.temporal.parser import parse
from puzzlemc.mc.verdict import Reachable, Unreachable, resolved
from puzzlemc.reports.ask.replay import replayed
from puzzlemc.reports.batch.rows import Row
from puzzlemc.reports.batch.tables import csv_lines
from puzzlemc.reports.certify import certify as certifying
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.formats import sas
from puzzlemc.reports.formats.traces import FORMATS, play
from puzzlemc.reports.solve.given import read
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.pddl import files

pytest.importorskip("fast_downward", reason="needs fast-downward-translate")

FOLDER = ROOT / "screens" / "levels" / "pddl"


def level_of(name: str) -> Any:
    (entry,) = load([str(FOLDER / f"{name}.pddl")])
    assert entry.error is None, entry.error
    return entry.level


def listed(name: str) -> tuple[Any, ListedStates]:
    """A level, and the proof of its verdict."""
    level = level_of(name)
    verdict = engine("explicit")(compact(level).model, "cost", Budget(), proving="bits")
    assert isinstance(verdict, Reachable | Unreachable)
    made = resolved(verdict.proof)
    assert isinstance(made, ListedStates)
    return level, made


@pytest.mark.parametrize("name", ["hats", "tiles-odd"])
def test_proofs_are_checked_without_the_translator(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    level, proof = listed(name)
    monkeypatch.setattr(translator, "translated", None)
    assert check_listed(level, proof, Budget()) == "plain rules"


def test_a_certificate_fits_the_same_problem_in_another_file(tmp_path: Path) -> None:
    (entry,) = load([str(FOLDER / "hats.pddl")])
    options = Options(prove=True)
    assert certify(entry, options, solve_entry(entry, options), tmp_path / "hats.cert").checked
    text, domain = (FOLDER / "hats.pddl").read_text(), (FOLDER / "hats-domain.pddl").read_text()
    (tmp_path / "other.pddl").write_text(text.replace("(:domain hats)", "(:domain hats) ; elsewhere"))
    (tmp_path / "domain.pddl").write_text(domain)
    (same,) = load([str(tmp_path / "other.pddl")])
    assert verify(tmp_path / "hats.cert", [same]).status == "valid"
    (tmp_path / "other.pddl").write_text(text.replace("(on small middle)", "(on small right)"))
    (other,) = load([str(tmp_path / "other.pddl")])
    assert verify(tmp_path / "hats.cert", [other]).status == "refuted"


@pytest.mark.parametrize("name", ["lamps-pair", "lamps", "locks", "harvest"])
def test_plain_rules_check_proofs_about_conditional_effects_and_derived_predicates(
    name: str, tmp_path: Path
) -> None:
    (entry,) = load([str(FOLDER / f"{name}.pddl")])
    options = Options(prove=True)
    assert certify(entry, options, solve_entry(entry, options), tmp_path / "a.cert").checked
    done = verify(tmp_path / "a.cert")
    assert (done.status, done.by) == ("valid", "plain rules")


def test_a_problem_without_any_fact_that_changes_has_a_certificate(tmp_path: Path) -> None:
    (tmp_path / "a.pddl").write_text(
        "(define (domain d) (:predicates (p))) (define (problem q) (:domain d) (:init) (:goal (p)))"
    )
    (entry,) = load([str(tmp_path / "a.pddl")])
    options = Options(prove=True)
    assert certify(entry, options, solve_entry(entry, options), tmp_path / "a.cert").checked


def test_an_answer_says_when_a_proof_is_about_the_model_of_the_translator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certifying, "FOR_RULES_SECONDS", 1e-9)
    chosen = (("a", "lamps-pair", "bidirectional"), ("b", "lamps-pair", "ic3"), ("c", "hats", "explicit"))
    for name, level, by in chosen:
        (entry,) = load([str(FOLDER / f"{level}.pddl")])
        options = Options(prove=True, engine=by)
        certify(entry, options, solve_entry(entry, options), tmp_path / name)
    done = [verify(tmp_path / name) for name in "abc"]
    assert [each.by for each in done] == ["sat", "sat", "plain rules"]
    assert ["on the model by the translator of PDDL" in each.as_text() for each in done] == [True, True, False]
    assert [each.as_json().get("model_by") for each in done] == ["the translator of PDDL"] * 2 + [None]


@pytest.mark.parametrize("name", ["hats", "tiles-odd"])
def test_wrong_proofs_are_refuted(name: str) -> None:
    level, proof = listed(name)
    worse = replace(proof, bits=(*proof.bits[1:], "on(nobody,nowhere)"))
    fewer = replace(proof, forward=proof.forward[:-1])
    same = replace(proof, bits=(proof.bits[1], *proof.bits[1:]))
    for wrong in (worse, fewer, same):
        with pytest.raises(Refuted):
            check_listed(level, wrong, Budget())


def test_a_goal_that_is_out_of_reach_leaves_the_states(tmp_path: Path) -> None:
    """A translator would find both at once, and write no state."""
    domain = (FOLDER / "hats-domain.pddl").read_text()
    problem = (FOLDER / "hats.pddl").read_text()
    goals = {
        "(on left small)": "unsolvable",
        "(on small middle)": "solvable",
        "(or)": "unsolvable",
        "()": "solvable",
    }
    goals["(exists (?peg - peg) (and (clear ?peg) (on large ?peg)))"] = "unsolvable"
    for number, (goal, verdict) in enumerate(goals.items()):
        path = tmp_path / f"{number}.pddl"
        path.write_text(problem[: problem.index("(:goal")] + f"(:goal {goal}))\n{domain}")
        (entry,) = load([str(path)])
        assert entry.error is None, entry.error
        assert len(compact(entry.level).model.bits) > 10
        result = solve_entry(entry, Options(timeout=60))
        assert (result.verdict, result.checked) == (verdict, result.checked), goal
        if verdict == "solvable":
            assert result.checked


def test_a_task_as_a_file(tmp_path: Path) -> None:
    path = tmp_path / "hats.sas"
    path.write_text(sas.write(translator.translated(level_of("hats"))))
    (entry,) = load([str(path)])
    level = entry.level
    assert level is not None
    encoded = puzzles()["pddl"].encodings["compact"](level)
    assert encoded.decode(frozenset(b for b, held in encoded.model.init.items() if held)) == puzzles()[
        "pddl"
    ].rules.start(level)
    result = solve_entry(entry, Options(timeout=60))
    assert (result.verdict, result.checked) == ("solvable", True)


@pytest.mark.parametrize("names", [("a", "a#2", "a"), ("a", "a", "a#1"), ("a#2", "a#2", "a#2")])
def test_operators_and_facts_of_one_name(names: tuple[str, ...], tmp_path: Path) -> None:
    values = ("Atom value(1, 0)", "Atom value(1, 0)", "Atom q()")
    variables = TaskVariable("var0", ("Atom value(1, 0)", "Atom q()")), TaskVariable("var1", values)
    first, second, third = (
        Operator(name, needed, (Effect(number, value),))
        for name, needed, number, value in zip(names, ({}, {0: 0}, {1: 0}), (0, 1, 1), (0, 0, 2), strict=True)
    )
    path = tmp_path / "names.sas"
    path.write_text(sas.write(Task(variables, (1, 1), {0: 0, 1: 2}, (first, second, third))))
    (entry,) = load([str(path)])
    options = Options(prove=True)
    result = solve_entry(entry, options)
    assert (result.verdict, result.cost) == ("solvable", 3), result.reason
    assert len(set(result.trace or ())) == 3
    assert certify(entry, options, result, tmp_path / "c").checked
    assert verify(tmp_path / "c").status == "valid"


@pytest.mark.parametrize("name", ["auto", *ENGINES])
def test_a_problem_whose_only_action_changes_nothing(name: str, tmp_path: Path) -> None:
    """Its model has no variables."""
    path = tmp_path / "b.pddl"
    path.write_text(
        "(define (domain d) (:requirements :adl) (:predicates (p) (q)) (:action act :precondition (not (q))"
        " :effect (not (q)))) (define (problem b) (:domain d) (:init) (:goal (p)))"
    )
    (entry,) = load([str(path)])
    options = Options(prove=True, engine=name)
    result = solve_entry(entry, options)
    assert result.verdict == "unsolvable", result.reason
    assert certify(entry, options, result, tmp_path / "c").checked
    assert verify(tmp_path / "c").status == "valid"


def test_a_file_that_is_no_task(tmp_path: Path) -> None:
    path = tmp_path / "bad.sas"
    path.write_text("begin_version\n4\nend_version\n")
    (entry,) = load([str(path)])
    assert str(entry.error).startswith(f"{path}:2: found version 4")


def test_without_a_translator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translator, "MODULE", "no_such.translator")
    translator.translated.cache_clear()
    with pytest.raises(ModelError, match=r"\[pddl\]"):
        translator.translated(level_of("hats"))


def test_an_action_whose_cost_has_no_value_is_not_applicable(tmp_path: Path) -> None:
    path = tmp_path / "p.pddl"
    problem = (FOLDER / "ferry.pddl").read_text().replace("(= (length island south) 4)", "")
    path.write_text(problem + (FOLDER / "ferry-domain.pddl").read_text())
    (entry,) = load([str(path)])
    level = entry.level
    assert level is not None
    names = {step.name for step in rules.steps(level, rules.start(level))}
    assert "sail(island,north)" in names
    assert "sail(island,south)" not in names
    assert rules.step(level, rules.start(level), "sail(island,south)") is None
    assert "sail(island,south)" not in {action.name for action in compact(level).model.actions}


def test_plans_are_written_and_read() -> None:
    (entry,) = load([str(FOLDER / "ferry.pddl")])
    result = solve_entry(entry, Options(timeout=60))
    text = FORMATS["plan"].write(play(entry, result))
    assert isinstance(text, str)
    assert text.startswith("(load blue island)\n")
    assert text.endswith("; cost = 24 (general cost)\n")
    assert [move.name for move in read_moves(text, "x")] == list(result.trace or ())
    assert [(move.line, move.column) for move in read_moves(text, "x", 3)][:2] == [(3, 1), (4, 1)]


def test_a_plan_with_a_disjunctive_precondition_is_read(tmp_path: Path) -> None:
    """The action is several operators, of which either may be applicable."""
    path = tmp_path / "p.pddl"
    path.write_text(
        "(define (domain d) (:requirements :adl) (:predicates (p) (q) (r))"
        " (:action turn :precondition (p) :effect (and (q) (not (p))))"
        " (:action act :precondition (or (p) (q)) :effect (r)))"
        " (define (problem x) (:domain d) (:init (p)) (:goal (and (r) (q))))"
    )
    (entry,) = load([str(path)])
    for plan in ("(act)\n(turn)\n", "(turn)\n(act)\n"):
        assert replayed(entry, plan, "plan", None).status == "solves"


def test_conditions_on_recursive_predicates_share_their_circuits(tmp_path: Path) -> None:
    """Written out as trees, the two conjuncts of the goal and the condition of the effect would not end."""
    (tmp_path / "domain.pddl").write_text(
        "(define (domain net) (:types node)"
        " (:predicates (link ?a ?b - node) (cut ?a - node) (to ?a ?b - node) (p))"
        " (:derived (to ?a ?b - node) (or (and (link ?a ?b) (not (cut ?a)) (not (cut ?b)))"
        " (exists (?c - node) (and (to ?a ?c) (to ?c ?b)))))"
        " (:action cut :parameters (?a - node) :precondition (not (cut ?a)) :effect (and (cut ?a)"
        " (when (exists (?b - node) (and (to ?b ?a) (to ?a ?b))) (p)))))"
    )
    links = " ".join(f"(link {one} {other})" for one, other in ("ab", "bc", "cd", "de", "ea", "ac"))
    (tmp_path / "net.pddl").write_text(
        f"(define (problem ring) (:domain net) (:objects a b c d e - node) (:init {links})"
        " (:goal (and (not (to d c)) (not (to d b)) (not (to a c)) (p))))"
    )
    (entry,) = load([str(tmp_path / "net.pddl")])
    verdict = engine("explicit")(compact(entry.level).model, "cost", Budget(Limits(10.0, 1 << 30)))
    assert isinstance(verdict, Reachable)
    assert verdict.cost == least_cost_by_rules(puzzle("pddl"), entry.level, "cost") == 1


def test_metrics_called_cost_and_steps_keep_their_names_in_json() -> None:
    (entry,) = load([str(FOLDER / "ferry.pddl")])
    result = solve_entry(entry, Options(metric="steps"))
    text = FORMATS["json"].write(play(entry, result))
    assert isinstance(text, str)
    for row in (json.loads(text), result.as_json()):
        assert (row["metric"], row["cost"], row["steps"]) == ("steps", 9, 9)
        assert [move.name for move in read(entry, json.dumps(row), "x")] == result.trace == row["trace"]
    (line,) = list(csv_lines([Row(result.as_json(), result)], ["cost", "steps"]))[1:]
    assert line == "9,9\n"


def test_atoms_are_facts() -> None:
    model = compact(level_of("locks")).model
    for text, atoms in [("EF(lies(gold,study)&!has( gold ))", {"lies(gold,study)", "has(gold)"})]:
        assert {atom.name for atom in parse(text).atoms()} == atoms <= model.atoms.keys()
    assert {atom.name for atom in parse("on-table(b1)->a-b").atoms()} == {"on-table(b1)", "a-b"}


def test_the_domain_may_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_chosen", [])
    path = tmp_path / "alone" / "p.pddl"  # beside `tmp_path` are folders of other tests, with domains
    path.parent.mkdir()
    path.write_text((FOLDER / "hats.pddl").read_text())
    assert "found no domain 'hats'" in str(load([str(path)])[0].error)
    choose_domain(str(FOLDER / "hats-domain.pddl"))
    assert load([str(path)])[0].error is None
    with pytest.raises(LevelError, match="found no domain"):
        choose_domain(str(path))
