"""Random conditions, with constants in each connective, over types with no object, one and two.

An evaluator in this file judges them. It evaluates tuples, and shares nothing with the reader, the plain rules or
the encoding. A condition is a precondition, that of an effect, the rule of a derived predicate, or the goal.
"""

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.encodings.pddl import rules
from puzzlemc.encodings.pddl.compact import compact
from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry

pytest.importorskip("fast_downward", reason="needs fast-downward-translate")

TYPES: Mapping[str, Sequence[str]] = {"none": (), "one": ("a",), "two": ("b", "c"), "object": ("a", "b", "c")}
ARITIES = {"p": 0, "q": 1, "fixed": 1}  # `fixed` is changed by no action
FIXED = frozenset(["fixed(b)"])
MOST = 40  # states
UNSHRUNK = [Phase.generate]  # the translator runs for each example: to make one smaller takes minutes

DOMAIN = """
(define (domain d) (:requirements :adl :typing) (:types t1 t3) (:predicates (p) (q ?x - t3))
(:action act :parameters () :precondition {} :effect (p)))
(define (problem p) (:domain d) (:objects o - t1) (:init) (:goal {}))
"""

Formula: TypeAlias = tuple[Any, ...]
State: TypeAlias = frozenset[str]
Binding: TypeAlias = Mapping[str, str]


class Problem(NamedTuple):
    """Conditions in each place; actions and effects have a parameter `?v` of a type."""

    preconditions: Sequence[tuple[str, Formula, Formula]]  # type, precondition, effect
    effects: Sequence[tuple[str, Formula, Formula]]  # type, condition, effect: for all objects of the type
    rules: Sequence[Formula]  # of derived predicates `d0`, `d1`, …
    goal: Formula
    start: State


def text(item: Any) -> str:
    """A formula in PDDL."""
    if isinstance(item, str):
        return item
    if item[:1] in (("forall",), ("exists",)):
        variables = " ".join(f"{name} - {kind}" for name, kind in item[1])
        return f"({item[0]} ({variables}) {text(item[2])})"
    return f"({' '.join(map(text, item))})"


def true(formula: Formula, facts: State, binding: Binding) -> bool:
    """Does the formula hold?"""
    match formula:
        case ():
            return True
        case ("and", *parts):
            return all(true(part, facts, binding) for part in parts)
        case ("or", *parts):
            return any(true(part, facts, binding) for part in parts)
        case ("not", part):
            return not true(part, facts, binding)
        case ("imply", one, other):
            return not true(one, facts, binding) or true(other, facts, binding)
        case ("=", one, other):
            return binding.get(one, one) == binding.get(other, other)
        case ("forall" | "exists" as kind, variables, part):
            found = [true(part, facts, {**binding, **each}) for each in bindings(variables)]
            return all(found) if kind == "forall" else any(found)
    return named(formula, binding) in facts


def bindings(variables: Sequence[tuple[str, str]]) -> Iterator[Binding]:
    """Yield all objects for the variables."""
    for objects in product(*(TYPES[kind] for _, kind in variables)):
        yield {name: each for (name, _), each in zip(variables, objects, strict=True)}


def named(atom: Formula, binding: Binding) -> str:
    """The name of a fact."""
    head, *terms = atom
    objects = [binding.get(term, term) for term in terms]
    return f"{head}({','.join(objects)})" if objects else str(head)


def after(state: State, effects: Sequence[tuple[Formula, Binding]]) -> State:
    """The state after literals; what is added counts."""
    added = {named(literal, binding) for literal, binding in effects if literal[0] != "not"}
    deleted = {named(literal[1], binding) for literal, binding in effects if literal[0] == "not"}
    return (state - deleted) | added


def steps(problem: Problem, state: State) -> set[tuple[str, State]]:
    """Names of all applicable actions, and the state after each."""
    facts = state | FIXED
    facts |= {f"d{number}" for number, rule in enumerate(problem.rules) if true(rule, facts, {})}
    found = set[tuple[str, State]]()
    for number, (kind, needed, effect) in enumerate(problem.preconditions):
        found |= {
            (f"need{number}({binding['?v']})", after(state, [(effect, binding)]))
            for binding in bindings([("?v", kind)])
            if true(needed, facts, binding)
        }
    for number, (kind, condition, effect) in enumerate(problem.effects):
        bound = [binding for binding in bindings([("?v", kind)]) if true(condition, facts, binding)]
        found.add((f"change{number}", after(state, [(effect, binding) for binding in bound])))
    for number in range(len(problem.rules)):
        if f"d{number}" in facts:
            found.add((f"derive{number}", after(state, [(("not", ("q", "c")), {})])))
    return found


def written(problem: Problem) -> str:
    """The problem with its domain in PDDL."""
    actions = [
        f"(:action need{number} :parameters (?v - {kind}) :precondition {text(needed)} :effect {text(effect)})"
        for number, (kind, needed, effect) in enumerate(problem.preconditions)
    ]
    actions += [
        f"(:action change{number} :parameters ()"
        f" :effect (forall (?v - {kind}) (when {text(condition)} {text(effect)})))"
        for number, (kind, condition, effect) in enumerate(problem.effects)
    ]
    numbers = range(len(problem.rules))
    requirements = ":adl :derived-predicates" if problem.rules else ":adl"
    actions += [f"(:action derive{i} :parameters () :precondition (d{i}) :effect (not (q c)))" for i in numbers]
    derived = [f"(:derived (d{i}) {text(rule)})" for i, rule in enumerate(problem.rules)]
    predicates = " ".join(["(p) (q ?x) (fixed ?x)", *(f"(d{i})" for i in numbers)])
    start = " ".join(f"({fact.replace('(', ' ').replace(')', '')})" for fact in sorted(problem.start))
    return (
        "(define (problem c) (:domain c)"
        f" (:init {start} (fixed b)) (:goal {text(problem.goal)}))\n"
        f"(define (domain c) (:requirements {requirements}) (:types none one two)"
        " (:constants a - one b c - two)"
        f" (:predicates {predicates}) {' '.join([*derived, *actions])})\n"
    )


KINDS = st.sampled_from(sorted(TYPES))


@st.composite
def atoms(draw: st.DrawFn, terms: Sequence[str], names: Sequence[str]) -> Formula:
    """An atom."""
    name = draw(st.sampled_from(names))
    return (name, *(draw(st.sampled_from(terms)) for _ in range(ARITIES[name])))


@st.composite
def formulas(draw: st.DrawFn, terms: Sequence[str], depth: int = 3, *, constants: bool = True) -> Formula:
    """A formula over objects and bound variables. A quantifier may bind a variable again, or bind none."""
    kinds = ["true", "false", "()", "atom", "="] if constants else ["atom"]
    if depth:
        kinds += ["and", "or", "not", "imply", "forall", "exists", "forall", "exists"]
    kind = draw(st.sampled_from(kinds))
    least = 0 if constants else 1

    def part(*bound: str) -> st.SearchStrategy[Formula]:
        return formulas([*terms, *bound], depth - 1, constants=constants)

    match kind:
        case "true":
            return ("and",)
        case "false":
            return ("or",)
        case "()":
            return ()
        case "atom":
            return draw(atoms(terms, sorted(ARITIES)))
        case "=":
            return ("=", draw(st.sampled_from(terms)), draw(st.sampled_from(terms)))
        case "and" | "or":
            return (kind, *draw(st.lists(part(), min_size=least, max_size=3)))
        case "not":
            return ("not", draw(part()))
        case "imply":
            return ("imply", draw(part()), draw(part()))
    names = draw(st.lists(st.sampled_from(["?x", "?y", "?z"]), unique=True, min_size=least, max_size=2))
    return (kind, tuple((name, draw(KINDS)) for name in names), draw(part(*names)))


@st.composite
def literals(draw: st.DrawFn, terms: Sequence[str]) -> Formula:
    """An atom that actions change, or its negation."""
    atom = draw(atoms(terms, ["p", "q"]))
    return atom if draw(st.booleans()) else ("not", atom)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """A problem with several conditions in each place: the translator takes longer to start than to read them."""
    objects = TYPES["object"]
    own = ["?v", *objects]
    conditions = st.lists(st.tuples(KINDS, formulas(own), literals(own)), min_size=4, max_size=8)
    return Problem(
        draw(conditions),
        draw(conditions),
        draw(st.lists(formulas(objects), min_size=3, max_size=6)),
        draw(formulas(objects)),
        frozenset(draw(st.sets(st.sampled_from(["p", *(f"q({each})" for each in objects)])))),
    )


def level_of(problem: Problem) -> Any:
    (level,) = puzzle("pddl").screen.parse(written(problem), "text")
    assert not isinstance(level, Exception), level
    return level


@settings(max_examples=examples(8, 100), phases=UNSHRUNK)
@given(problems())
def test_conditions_mean_what_a_plain_evaluator_says(problem: Problem) -> None:
    level = level_of(problem)
    encoded = compact(level)
    waiting = [initial_state(encoded.model)]
    assert encoded.decode(waiting[0]) == problem.start
    seen = set(waiting)
    while waiting and len(seen) < MOST:
        state = waiting.pop(0)
        position = encoded.decode(state)
        expected = steps(problem, position)
        facts = position | FIXED
        assert {(step.name, step.position) for step in rules.steps(level, position)} == expected
        successors = encoded.model.successors(state)
        assert {(action.name, encoded.decode(following)) for action, following in successors} == expected
        assert rules.solved(level, position) == true(problem.goal, facts, {})
        assert holds(encoded.model.goal, state) == true(problem.goal, facts, {})
        new = {following for _, following in successors}.difference(seen)
        seen |= new
        waiting += sorted(new, key=sorted)


@settings(max_examples=examples(8, 100), phases=UNSHRUNK)
@given(
    st.lists(formulas(TYPES["object"], constants=False), min_size=4, max_size=8),
    st.sets(st.sampled_from(["p", "q(a)", "q(b)", "q(c)"])).map(frozenset),
)
def test_the_plain_evaluator_agrees_with_another_program(conditions: Sequence[Formula], start: State) -> None:
    """Without constants: unified-planning takes a quantifier around a constant for that constant, too."""
    pytest.importorskip("unified_planning")
    problem = Problem([("two", each, ("p",)) for each in conditions], (), (), ("p",), start)
    own, domain = written(problem).split("\n", 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from unified_planning.engines.sequential_simulator import UPSequentialSimulator
        from unified_planning.io import PDDLReader
        from unified_planning.model.walkers import StateEvaluator

        other = PDDLReader().parse_problem_string(domain, own)
        evaluator, state = StateEvaluator(other), UPSequentialSimulator(other).get_initial_state()
        for number, condition in enumerate(conditions):
            needed = other.action(f"need{number}").preconditions
            said = all(evaluator.evaluate(each, state).bool_constant_value() for each in needed)
            assert said == true(condition, start | FIXED, {})


@pytest.mark.parametrize(
    ("condition", "cost"),
    [
        ("(forall (?x - t3) (or))", 1),
        ("(not (exists (?x - t3) (and)))", 1),
        ("(forall (?x - t1 ?y - t3) (or))", 1),
        ("(exists (?y - t1) (forall (?x - t3) (or)))", 1),
        ("(exists (?x - t3) (and))", None),
        ("(forall (?x - t1) (or))", None),
        ("(exists (?x - t1) (and))", 1),
        ("(and (exists (?x - t3) (imply (p) (and))) (p))", None),
    ],
)
def test_quantifiers_around_constants_are_decided_and_proved(
    condition: str, cost: int | None, tmp_path: Path
) -> None:
    for name, needed, goal, least in (("a", condition, "(p)", cost), ("b", "(and)", condition, cost and 0)):
        path = tmp_path / f"{name}.pddl"
        path.write_text(DOMAIN.format(needed, goal))
        (entry,) = load([str(path)])
        options = Options(prove=True)
        done = solve_entry(entry, options)
        assert done.verdict == ("unsolvable" if least is None else "solvable"), done.error
        assert done.cost == least
        assert certify(entry, options, done, tmp_path / name).checked
        assert verify(tmp_path / name).status == "valid"


@pytest.mark.parametrize("condition", ["(forall (?x - t3) (or))", "(not (exists (?x - t3) (and)))"])
def test_a_certificate_that_takes_a_quantifier_for_its_constant_is_refuted(condition: str, tmp_path: Path) -> None:
    path = tmp_path / "a.cert"
    value = {
        "format": "puzzlemc-certificate",
        "version": 1,
        "id": "p.pddl#1",
        "title": "p",
        "puzzle": "pddl",
        "level": DOMAIN.format(condition, "(p)").strip().split("\n"),
        "encoding": "compact",
        "metric": "cost",
        "verdict": "unsolvable",
        "cost": None,
        "optimal": False,
        "trace": None,
        "proof": {"counts": [], "inputs": [], "gates": [], "layers": [1]},
    }
    path.write_text(json.dumps(value))
    assert verify(path).status == "refuted"
