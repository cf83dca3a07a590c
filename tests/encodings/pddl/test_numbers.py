"""Functions with numbers: the plain rules, the model, another simulator and a blind search agree."""

import random
import warnings
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from oracle import dijkstra
from pddl_steps import check_steps, level_of
from random_numeric import write_random_numeric_problem

from puzzlemc.encodings.pddl import rules
from puzzlemc.encodings.pddl.compact import compact
from puzzlemc.encodings.pddl.levels import content
from puzzlemc.encodings.pddl.numeric import actions, reach
from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.temporal.check import query
from puzzlemc.mc.temporal.parser import parse
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry

pytest.importorskip("fast_downward", reason="needs fast-downward-translate")

PDDL = puzzle("pddl")
MOST_POSITIONS = 3000
DOMAIN = """(define (domain trucks)
 (:requirements :typing :numeric-fluents)
 (:types truck city)
 (:predicates (at ?t - truck ?c - city))
 (:bounds (fuel 0 6))
 (:functions (fuel ?t - truck) (distance ?a ?b - city) (used))
 (:action drive :parameters (?t - truck ?a ?b - city)
  :precondition (and (at ?t ?a) (>= (fuel ?t) (distance ?a ?b)))
  :effect (and (not (at ?t ?a)) (at ?t ?b)
   (decrease (fuel ?t) (distance ?a ?b)) (increase (used) (distance ?a ?b))))
 (:action fill :parameters (?t - truck ?a - city)
  :precondition (and (at ?t ?a) (< (fuel ?t) 6))
  :effect (and (increase (fuel ?t) 2.5) (increase (used) 1)))
 (:action pump :parameters (?x ?y - truck)
  :precondition (>= (fuel ?x) 1)
  :effect (and (decrease (fuel ?x) 1) (increase (fuel ?y) 1))))
"""
PROBLEM = """(define (problem two) (:domain trucks)
 (:objects t1 t2 - truck a b c - city)
 (:init (at t1 a) (at t2 c) (= (fuel t1) 3) (= (fuel t2) 0.5) (= (used) 0)
  (= (distance a b) 2) (= (distance b a) 2) (= (distance b c) 3) (= (distance c b) 3))
 (:goal (and (at t1 c) (at t2 b) (> (fuel t1) (fuel t2))))
 (:metric minimize (used)))
"""


def parsed(
    actions_text: str, init: str, goal: str = "(and)", functions: str = "(n) (m) (k ?x)", more: str = ""
) -> Any:
    """The level of a domain with objects a and b and with the predicates p and (q ?x)."""
    text = (
        f"(define (problem x) (:domain y) (:init {init}) (:goal {goal}) {more})"
        "(define (domain y) (:constants a b) (:predicates (p) (q ?x) (ready))"
        f" (:functions {functions}) {actions_text})"
    )
    (level,) = PDDL.screen.parse(text, "x.pddl")
    assert not isinstance(level, Exception), level
    return level


def action(effect: str, precondition: str = "()", parameters: str = "") -> str:
    """The action `go`."""
    return f"(:action go :parameters ({parameters}) :precondition {precondition} :effect {effect})"


def after(level: Any, name: str = "go") -> frozenset[str] | None:
    """The values after the first step; None if it is not applicable. The model says the same if it is finite."""
    with suppress(ModelError):
        check_steps(level)
    step = rules.step(level, rules.start(level), name)
    return None if step is None else frozenset(fact for fact in step.position if "=" in fact)


@pytest.mark.parametrize(
    ("effect", "init", "found"),
    [
        ("(and (increase (n) 2) (decrease (n) (m)) (increase (n) 0.5))", "(= (n) 1) (= (m) 3)", {"n=0.5"}),
        ("(and (assign (n) (m)) (assign (m) (n)))", "(= (n) 1) (= (m) 3)", {"n=3", "m=1"}),
        ("(and (assign (n) 2) (increase (n) 1))", "(= (n) 1)", None),
        ("(and (assign (n) 2) (assign (n) 3))", "(= (n) 1)", None),
        ("(and (assign (n) 2) (assign (n) (m)))", "(= (n) 1) (= (m) 2)", {"n=2"}),
        ("(and (when (p) (assign (n) 2)) (increase (n) 1))", "(= (n) 1)", {"n=2"}),
        ("(and (when (p) (assign (n) 2)) (increase (n) 1))", "(= (n) 1) (p)", None),
        ("(and (when (p) (increase (n) 5)) (when (> (n) 0) (increase (n) 1)))", "(= (n) 1) (p)", {"n=7"}),
        ("(increase (n) 1)", "(= (m) 1)", None),
        ("(increase (n) (m))", "(= (n) 1)", None),
        ("(assign (n) 1)", "(= (m) 1)", {"n=1"}),
        ("(when (p) (increase (n) (m)))", "(= (n) 1)", {"n=1"}),
        ("(when (p) (increase (n) (m)))", "(= (n) 1) (p)", None),
        ("(assign (n) (/ (n) (m)))", "(= (n) 1) (= (m) 3)", {"n=1/3"}),
        ("(assign (n) (/ 1 (- (m) 3)))", "(= (n) 1) (= (m) 3)", None),
        ("(scale-up (n) (m))", "(= (n) 2) (= (m) -3)", {"n=-6"}),
        ("(scale-down (n) (m))", "(= (n) 1) (= (m) -4)", {"n=-0.25"}),
        ("(forall (?x) (increase (k ?x) 1))", "(= (k a) 1) (= (k b) 5)", {"k(a)=2", "k(b)=6"}),
        ("(forall (?x) (when (q ?x) (increase (n) (k ?x))))", "(= (n) 0) (= (k a) 1) (= (k b) 5) (q b)", {"n=5"}),
        ("(forall (?x) (increase (n) (k ?x)))", "(= (n) 0) (= (k a) 1) (= (k b) 5)", {"n=6"}),
    ],
)
def test_what_effects_do(effect: str, init: str, found: set[str] | None) -> None:
    once = f"(and {effect} (not (ready)))"
    text = action(once, "(ready)") + "(:bounds (n -9 9) (m -9 9) (k -9 9))"
    goal = "(or (> (n) 100) (> (m) 100) (> (k a) 100) (> (k b) 100))"
    level = parsed(text, f"{init} (ready)", goal)
    if found is not None:
        assert (done := after(level)) is not None
        assert found <= done
    else:
        assert after(level) is None


@pytest.mark.parametrize(
    ("condition", "init", "holds"),
    [
        ("(>= (n) 1)", "(= (n) 1)", True),
        ("(not (>= (n) 1))", "(= (n) 1)", False),
        ("(>= (n) 1)", "", False),
        ("(not (>= (n) 1))", "", False),
        ("(not (not (>= (n) 1)))", "(= (n) 2)", True),
        ("(or (p) (not (= (n) 1)))", "(p)", True),
        ("(not (= (n) (m)))", "(= (n) 1) (= (m) 2)", True),
        ("(= (n) (- (m)))", "(= (n) -2) (= (m) 2)", True),
        ("(= (+ 1 (n) (m)) (* 2 (m) 1.5))", "(= (n) 3) (= (m) 2)", True),
        ("(imply (> (n) 1) (p))", "(= (n) 1)", True),
        ("(imply (> (n) 1) (p))", "(= (n) 2)", False),
        ("(forall (?x) (>= (k ?x) 1))", "(= (k a) 1) (= (k b) 5)", True),
        ("(not (forall (?x) (>= (k ?x) 1)))", "(= (k a) 1) (= (k b) 0)", True),
        ("(exists (?x) (and (q ?x) (>= (k ?x) 5)))", "(= (k a) 1) (= (k b) 5) (q b)", True),
        ("(exists (?x ?y) (and (< (k ?x) (k ?y)) (q ?x)))", "(= (k a) 1) (= (k b) 5) (q b)", False),
    ],
)
@pytest.mark.parametrize("as_goal", [False, True])
def test_which_conditions_hold(condition: str, init: str, holds: bool, as_goal: bool) -> None:
    level = parsed(
        action("(and (p) (assign (n) 1) (assign (m) 1) (assign (k a) 1) (assign (k b) 1))", condition),
        init,
        condition,
    )
    if as_goal:
        assert rules.solved(level, rules.start(level)) == holds
        check_steps(level)
    else:
        assert (after(level) is not None) == holds


def test_two_variables_may_be_one_object() -> None:
    level = parsed(
        action("(and (decrease (k ?x) 1) (increase (k ?y) 2))", "(and (> (k ?x) 0) (< (k ?y) 4))", "?x ?y"),
        "(= (k a) 1) (= (k b) 3)",
    )
    assert after(level, "go(a,a)") == {"k(a)=2", "k(b)=3"}
    assert after(level, "go(a,b)") == {"k(a)=0", "k(b)=5"}


def test_an_action_does_not_leave_bounds() -> None:
    text = action("(forall (?x) (when (q ?x) (increase (k ?x) 2)))")
    for init, found in (
        ("(= (k a) 1) (= (k b) 5) (q a)", {"k(a)=3", "k(b)=5"}),
        ("(= (k a) 4) (= (k b) 4) (q a)", None),
    ):
        assert after(parsed(f"(:bounds (k - 5)) {text}", init)) == found


def test_a_counter_that_nothing_reads_is_no_part_of_positions() -> None:
    text = action("(and (p) (increase (n) 1) (increase (m) (k ?x)))", "()", "?x")
    level = parsed(text, "(= (n) 0) (= (m) 0) (= (k a) 1)")
    assert rules.start(level) == frozenset()
    assert {step.name for step in rules.steps(level, rules.start(level))} == {"go(a)"}
    check_steps(level)
    with pytest.raises(ModelError, match=r"x.pddl:1:\d+: found more than 1000 values of m, expected finite"):
        compact(parsed(text, "(= (n) 0)  (= (m) 0) (= (k a) 1)", "(> (m) 7)"))


@pytest.mark.parametrize(
    "metric", ["(n)", "(+ (n) (* 2 (m)))", "(+ (total-time) (* (n) 3) 7)", "(- (n) (* -1 (m)))"]
)
def test_a_metric_of_counters_is_a_cost(metric: str) -> None:
    text = action("(and (increase (n) (k ?x)) (increase (m) 1) (q ?x))", "(not (q ?x))", "?x")
    level = parsed(text, "(= (n) 4) (= (m) 0) (= (k a) 1) (= (k b) 2)", more=f"(:metric minimize {metric})")
    costs = {step.name: step.costs["cost"] for step in rules.steps(level, rules.start(level))}
    wanted = {
        "(n)": (1, 2),
        "(+ (n) (* 2 (m)))": (3, 4),
        "(+ (total-time) (* (n) 3) 7)": (4, 7),
        "(- (n) (* -1 (m)))": (2, 3),
    }
    assert costs == dict(zip(("go(a)", "go(b)"), wanted[metric], strict=True))
    check_steps(level)


def test_a_cost_may_depend_on_the_position() -> None:
    text = action("(and (decrease (n) 1) (increase (total-cost) (* (n) (n))))", "(> (n) 0)")
    level = parsed(text, "(= (n) 3)", "(= (n) 0)", "(n) (total-cost)", "(:metric minimize (total-cost))")
    check_steps(level)
    assert dijkstra_cost(level) == 14
    wrong = parsed(
        text.replace("(* (n) (n))", "(- (n) 2)"),
        "(= (n) 3)",
        "(= (n) 0)",
        "(n) (total-cost)",
        "(:metric minimize (total-cost))",
    )
    with pytest.raises(ModelError, match="found a cost of -1, expected whole numbers from 0"):
        compact(wrong)


def test_preferences_compare_numbers(tmp_path: Path) -> None:
    text = (
        "(define (problem x) (:domain y) (:init (= (n) 3)) (:goal (and (<= (n) 2) (preference few (< (n) 1))"
        " (preference some (= (n) 2))))"
        " (:metric minimize (+ (total-time) (* 3 (is-violated few)) (is-violated some))))"
        "(define (domain y) (:functions (n)) (:action go :parameters () :precondition (> (n) 0)"
        " :effect (decrease (n) 1)))"
    )
    (tmp_path / "p.pddl").write_text(text)
    assert check_answer(tmp_path / "p.pddl") == "solvable"
    assert dijkstra_cost(level_of(tmp_path / "p.pddl")) == 4


def test_formulas_compare_functions() -> None:
    text = action("(and (increase (n) 2) (decrease (m) 1))", "(and (< (n) 5) (> (m) -9))")
    level = parsed(text, "(= (n) 1) (= (m) 1)", "(>= (m) 0)")
    model = compact(level).model
    assert len(model.counts["n"]) == 5
    assert "m" not in model.counts  # it may be below 0
    for formula, holds in {
        "AG (n >= 1 & n <= 5)": True,
        "EF n == 5": True,
        "EF n == 4": False,
        "AG (n > 3 => n == 5)": True,
        "EX n == 3": True,
    }.items():
        assert query(model, parse(formula), Budget()).holds == holds, formula


def test_many_functions_change_at_once() -> None:
    """Too many combinations for an action each: the effects are written value by value."""
    names = [f"o{number}" for number in range(12)]
    text = (
        f"(define (problem x) (:domain y) (:objects {' '.join(names)}) (:init (= (n) 0)"
        f" {' '.join(f'(= (k {name}) 0)' for name in names)}) (:goal (and (= (n) 3) (>= (k o3) 3))))"
        "(define (domain y) (:functions (n) (k ?x)) (:action go :parameters () :precondition (< (n) 3)"
        " :effect (and (increase (n) 1) (forall (?x) (when (< (k ?x) 3) (increase (k ?x) 1))))))"
    )
    (level,) = PDDL.screen.parse(text, "x")
    assert actions.MOST_CASES < 4**12
    check_steps(level)
    assert dijkstra_cost(level) == 3


def dijkstra_cost(level: Any) -> int | None:
    """The cost of a cheapest plan by a search over the plain rules: None without one, -1 if there are too many."""
    seen = 0

    def followed(position: Any) -> Iterator[tuple[Any, int]]:
        nonlocal seen
        seen += 1
        if seen <= MOST_POSITIONS:
            yield from ((step.position, step.costs["cost"]) for step in rules.steps(level, position))

    reached = dijkstra([rules.start(level)], followed, lambda position: rules.solved(level, position))
    last = max(reached, key=lambda position: reached[position])
    found = [cost for position, cost in reached.items() if rules.solved(level, position)]
    if seen > MOST_POSITIONS:
        return -1
    assert last in reached
    return min(found, default=None)


def check_answer(path: Path) -> str:
    """The answer of the engines is that of a blind search; returns what kind of answer it is."""
    (entry,) = load([str(path)])
    assert entry.error is None, entry.error
    result = solve_entry(entry, Options(timeout=60, metric="cost"))
    if result.verdict == "error":
        return "refused"
    wanted = dijkstra_cost(entry.level)
    if wanted == -1:
        return "large"
    if wanted is None:
        assert result.verdict == "unsolvable", (wanted, result)
        return "unsolvable"
    assert result.optimal
    assert result.checked
    assert result.cost == wanted
    return "solvable" if wanted else "solved"


@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 400), marks=pytest.mark.slow)])
def test_random_models_have_the_steps_of_the_plain_rules(tmp_path: Path, seeds: range) -> None:
    states = []
    for seed in seeds:
        level = level_of(write_random_numeric_problem(tmp_path, seed))
        with suppress(ModelError):  # too many values
            states.append(check_steps(level))
    assert len(states) > len(seeds) * 3 // 4
    assert sum(count > 4 for count in states) > len(seeds) // 10


@pytest.mark.parametrize("seeds", [range(6), pytest.param(range(6, 300), marks=pytest.mark.slow)])
def test_random_answers_are_those_of_a_blind_search(tmp_path: Path, seeds: range) -> None:
    kinds = [check_answer(write_random_numeric_problem(tmp_path, seed, is_simple=True)) for seed in seeds]
    assert min(map(kinds.count, ("solvable", "unsolvable"))) > len(seeds) // 12, kinds


@pytest.mark.parametrize("seeds", [range(6), pytest.param(range(6, 150), marks=pytest.mark.slow)])
def test_the_plain_rules_agree_with_another_simulator(tmp_path: Path, seeds: range) -> None:
    pytest.importorskip("unified_planning")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        taken = sum(
            walk(write_random_numeric_problem(tmp_path, seed, is_total=True, bounds=False)) for seed in seeds
        )
    assert taken > len(seeds)


def walk(path: Path) -> int:
    """Walk at random with both simulators; returns the number of steps.

    The other one raises an exception for effects that contradict each other whatever holds.
    """
    from unified_planning.engines.sequential_simulator import UPSequentialSimulator
    from unified_planning.exceptions import UPConflictingEffectsException
    from unified_planning.io import PDDLReader
    from unified_planning.shortcuts import get_environment

    get_environment().credits_stream = None
    problem = PDDLReader().parse_problem(str(path.parent / "domain.pddl"), str(path))
    simulator = UPSequentialSimulator(problem, error_on_failed_checks=False)
    level = level_of(path)
    position, state = rules.start(level), simulator.get_initial_state()
    draw, taken = random.Random(str(path)), 0
    for _ in range(5):
        own = {step.name: step.position for step in rules.steps(level, position)}
        others = {}
        try:
            found = simulator.get_applicable_actions(state)  # leaves contradictions to `apply`
            applicable = [each for each in found if simulator.apply(state, *each) is not None]
        except UPConflictingEffectsException:
            break
        for action, objects in applicable:
            arguments = ",".join(map(str, objects))
            others[f"{action.name}({arguments})" if arguments else action.name] = (action, objects)
        assert own.keys() == others.keys()
        assert rules.solved(level, position) == simulator.is_goal(state)
        for fact in position:
            assert fact_holds(problem, state, fact), fact
        if not own:
            break
        name = draw.choice(sorted(own))
        position, state, taken = own[name], simulator.apply(state, *others[name]), taken + 1
    return taken


def fact_holds(problem: Any, state: Any, fact: str) -> bool:
    """Does a fact of the plain rules hold in a state of the other simulator?"""
    name, _, number = fact.partition("=")
    head, _, rest = name.partition("(")
    terms = [problem.object(each) for each in rest.removesuffix(")").split(",")] if rest else []
    value = state.get_value(problem.fluent(head)(*terms)).constant_value()
    return bool(value) if not number else Fraction(value) == Fraction(number)


def write(folder: Path, problem: str = PROBLEM, domain: str = DOMAIN) -> Path:
    """Write a problem with its domain."""
    (folder / "domain.pddl").write_text(domain)
    (folder / "p.pddl").write_text(problem)
    return folder / "p.pddl"


@pytest.mark.parametrize(
    ("goal", "verdict"), [("(> (fuel t1) (fuel t2))", "solvable"), ("(> (fuel t1) 6)", "unsolvable")]
)
def test_a_certificate_is_checked_by_plain_rules(tmp_path: Path, goal: str, verdict: str) -> None:
    path = write(tmp_path, PROBLEM.replace("(> (fuel t1) (fuel t2))", goal))
    (entry,) = load([str(path)])
    options = Options(prove=True)
    result = solve_entry(entry, options)
    assert result.verdict == verdict
    if verdict == "solvable":
        assert result.cost == dijkstra_cost(entry.level) == 10
    assert certify(entry, options, result, tmp_path / "a.cert").checked
    done = verify(tmp_path / "a.cert")
    assert (done.status, done.by) == ("valid", "plain rules")
    path.write_text(path.read_text().replace("(fuel t1) 3)", "(fuel t1) 4)"))
    (other,) = load([str(path)])
    assert verify(tmp_path / "a.cert", [other]).status != "valid"


def test_a_position_can_be_the_start(tmp_path: Path) -> None:
    level = level_of(write(tmp_path))
    for step in rules.steps(level, rules.start(level)):
        there = rules.at(level, step.position)
        assert rules.start(there) == step.position
        assert {each.name for each in rules.steps(there, step.position)} == {
            each.name for each in rules.steps(level, step.position)
        }


def test_the_content_of_a_level_has_its_numbers(tmp_path: Path) -> None:
    level = level_of(write(tmp_path))
    texts = {content(level)}
    for old, new in (("(fuel t1) 3)", "(fuel t1) 4)"), ("(distance b a) 2", "(distance b a) 1")):
        texts.add(content(level_of(write(tmp_path, PROBLEM.replace(old, new)))))
    for old, new in (("2.5", "2"), ("fuel 0 6", "fuel 0 7"), ("(< (fuel ?t) 6)", "(<= (fuel ?t) 6)")):
        texts.add(content(level_of(write(tmp_path, domain=DOMAIN.replace(old, new)))))
    assert len(texts) == 6
    again = level_of(write(tmp_path, "; the same\n" + PROBLEM))
    assert content(again) in texts


def test_infinitely_many_values_are_refused_with_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reach, "MOST_VALUES", 20)
    path = write(tmp_path, domain=DOMAIN.replace(" (:bounds (fuel 0 6))\n", ""))
    (entry,) = load([str(path)])
    result = solve_entry(entry, Options(timeout=60))
    assert result.verdict == "error"
    assert "domain.pddl:" in str(result.reason)
    assert "found more than 20 values of fuel(t" in str(result.reason)
    assert "(:bounds (fuel LEAST LARGEST))" in str(result.reason)
