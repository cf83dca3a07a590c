"""Random problems in PDDL: nested conditions, quantifiers, conditional effects, derived predicates, costs."""

import random
from collections.abc import Sequence
from pathlib import Path

ARITIES = {"p": 1, "q": 1, "r": 2, "z": 0, "fixed": 1, "derived": 1}
CHANGING = ("p", "q", "r", "z")  # by actions
BASE = (*CHANGING, "fixed")  # what the condition of the derived predicate may name
ALL = (*BASE, "derived")


def write_random_problem(folder: Path, seed: int) -> Path:
    """Write a problem, with its domain beside it; return the path of the problem."""
    draw = random.Random(seed)
    objects = ["a", "b", "c"][: draw.choice([2, 2, 3])]
    actions = " ".join(_action(draw, number, objects[0]) for number in range(draw.choice([3, 4])))
    rule = f"(or {_condition(draw, ['?x'], 1, BASE)} (exists (?y - thing) (and (r ?x ?y) (derived ?y))))"
    predicates = " ".join(_call(name, ["?x", "?y"][:count], " - thing") for name, count in ARITIES.items())
    (folder / "domain.pddl").write_text(
        "(define (domain random) (:requirements :adl :derived-predicates :action-costs) (:types thing)"
        f" (:constants {objects[0]} - thing) (:predicates {predicates}) (:functions (total-cost))"
        f" (:derived (derived ?x - thing) {rule}) {actions})"
    )
    facts = [_call(name, [each]) for name in ("p", "q", "fixed") for each in objects]
    facts += [_call("r", [one, other]) for one in objects for other in objects]
    start = " ".join(fact for fact in [*facts, "(z)"] if draw.random() < 0.3)
    goal = " ".join(_condition(draw, objects, 2, ALL) for _ in range(draw.choice([1, 2, 3])))
    path = folder / "problem.pddl"
    path.write_text(
        f"(define (problem random-{seed}) (:domain random) (:objects {' '.join(objects[1:])} - thing)"
        f" (:init (= (total-cost) 0) {start}) (:goal (and {goal})) (:metric minimize (total-cost)))"
    )
    return path


def _action(draw: random.Random, number: int, constant: str) -> str:
    parameters = ["?x", "?y"][: draw.choice([0, 1, 1, 2])]
    terms = [*parameters, constant]
    effects = [_effect(draw, terms) for _ in range(draw.choice([1, 2, 3]))]
    needed = _condition(draw, terms, draw.choice([0, 1, 2]), ALL)
    typed = " ".join(f"{name} - thing" for name in parameters)
    return (
        f"(:action a{number} :parameters ({typed}) :precondition {needed}"
        f" :effect (and {' '.join(effects)} (increase (total-cost) {draw.randint(0, 3)})))"
    )


def _condition(draw: random.Random, terms: Sequence[str], depth: int, names: Sequence[str]) -> str:
    kind = draw.choice(["literal", "and", "or", "=", "forall", "exists"] if depth else ["literal"])
    if kind == "literal":
        return _literal(draw, terms, names)
    if kind == "=":
        return f"(= {draw.choice(terms)} {draw.choice(terms)})"
    if kind in ("and", "or"):
        return f"({kind} {' '.join(_condition(draw, terms, depth - 1, names) for _ in range(2))})"
    variable = f"?v{depth}"
    return f"({kind} ({variable} - thing) {_condition(draw, [*terms, variable], depth - 1, names)})"


def _effect(draw: random.Random, terms: Sequence[str]) -> str:
    kind = draw.choice(["literal", "when", "forall"])
    if kind == "literal":
        return _literal(draw, terms, CHANGING)
    if kind == "when":
        return f"(when {_condition(draw, terms, 1, ALL)} {_literal(draw, terms, CHANGING)})"
    inner = [*terms, "?w"]
    return f"(forall (?w - thing) (when {_condition(draw, inner, 1, ALL)} {_literal(draw, inner, CHANGING)}))"


def _literal(draw: random.Random, terms: Sequence[str], names: Sequence[str]) -> str:
    name = draw.choice(names)
    atom = _call(name, [draw.choice(terms) for _ in range(ARITIES[name])])
    return atom if draw.random() < 0.6 else f"(not {atom})"


def _call(name: str, terms: Sequence[str], suffix: str = "") -> str:
    return f"({' '.join([name, *(term + suffix for term in terms)])})"
