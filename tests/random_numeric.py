"""Random problems in PDDL with numbers: comparisons, changes of functions under conditions, bounds, costs."""

import random
from collections.abc import Sequence
from pathlib import Path

FUNCTIONS = {"n": 0, "m": 1, "k": 1}  # actions change n and m
CHANGES = ("increase", "decrease", "assign", "increase", "decrease", "assign", "scale-up", "scale-down")


class _Draw(random.Random):
    """A source of random conditions and effects.

    is_total  has each function a value at the start? Then nothing is divided, either
    """

    is_total = False
    changes: Sequence[str] = CHANGES

    def term(self, terms: Sequence[str]) -> str:
        return self.choice(terms)

    def function(self, terms: Sequence[str], names: Sequence[str] = tuple(FUNCTIONS)) -> str:
        name = self.choice(names)
        return f"({' '.join([name, *(self.term(terms) for _ in range(FUNCTIONS[name]))])})"

    def number(self) -> str:
        return self.choice(["0", "1", "1", "1", "2", "2", "3", "-1", "0.5"])

    def expression(self, terms: Sequence[str], depth: int = 1) -> str:
        kind = self.random()
        if kind < 0.6:
            return self.number()
        if kind < 0.85 or not depth:
            return self.function(terms)
        sign = self.choice("+-" if self.is_total else "+-*/")  # the other simulator drops variables times 0
        return f"({sign} {self.expression(terms, depth - 1)} {self.expression(terms, depth - 1)})"

    def comparison(self, terms: Sequence[str]) -> str:
        sign = self.choice(["<", "<=", "=", ">=", ">", "<=", ">="])
        text = f"({sign} {self.function(terms)} {self.expression(terms)})"
        return text if self.random() < 0.7 else f"(not {text})"

    def condition(self, terms: Sequence[str], depth: int) -> str:
        kind = self.choice(["atom", "number", "number", "and", "or", "not", "forall", "exists"])
        if depth == 0 or kind in ("atom", "number"):
            return self.comparison(terms) if kind == "number" else self.atom(terms)
        if kind in ("and", "or"):
            return f"({kind} {' '.join(self.condition(terms, depth - 1) for _ in range(2))})"
        if kind == "not":
            return f"(not {self.condition(terms, depth - 1)})"
        name = f"?v{depth}"
        return f"({kind} ({name} - thing) {self.condition([*terms, name], depth - 1)})"

    def atom(self, terms: Sequence[str]) -> str:
        atom = self.choice(["(z)", f"(p {self.term(terms)})"])
        return atom if self.random() < 0.6 else f"(not {atom})"

    def effect(self, terms: Sequence[str]) -> str:
        kind = self.choice(["plain", "when", "when", "forall"])
        if kind == "plain":
            return self.change(terms)
        if kind == "when":
            return f"(when {self.condition(terms, 1)} {self.change(terms)})"
        inner = [*terms, "?w"]
        condition, change = self.condition(inner, 1), self.change(inner)
        if "?w" not in condition + change:  # readers differ on variables that do not occur
            condition = f"(and (p ?w) {condition})"
        return f"(forall (?w - thing) (when {condition} {change}))"

    def change(self, terms: Sequence[str]) -> str:
        if self.random() < 0.3:
            return self.atom(terms)
        target = self.function(terms, ("n", "m"))
        return f"({self.choice(self.changes)} {target} {self.expression(terms)})"


def write_random_numeric_problem(
    folder: Path, seed: int, *, is_total: bool = False, bounds: bool = True, is_simple: bool = False
) -> Path:
    """Write a problem, with its domain beside it; return the path of the problem.

    is_total   each function has a value at the start, and nothing is divided
    bounds     the domain bounds the functions
    is_simple  effects have no conditions, and change functions only by numbers
    """
    draw = _Draw(seed)
    draw.is_total = is_total
    if is_total:
        draw.changes = CHANGES[:6]
    objects = ["a", "b", "c"][: draw.choice([2, 2, 3])]
    actions = " ".join(_action(draw, number, objects[0], is_simple) for number in range(draw.choice([2, 3])))
    limits = "(:bounds (n -2 5) (m -1 4))" if bounds else ""
    (folder / "domain.pddl").write_text(
        "(define (domain random) (:requirements :adl :numeric-fluents) (:types thing)"
        f" (:constants {objects[0]} - thing) (:predicates (p ?x - thing) (z))"
        f" (:functions (n) (m ?x - thing) (k ?x - thing) (total-cost) (used)) {limits} {actions})"
    )
    start = [f"(= (m {each}) {draw.choice('012')})" for each in objects if is_total or draw.random() < 0.9]
    start += [f"(= (k {each}) {draw.choice('0123')})" for each in objects if is_total or draw.random() < 0.9]
    start += [f"(= (n) {draw.choice('0123')})"] if is_total or draw.random() < 0.9 else []
    start += [f"(p {each})" for each in objects if draw.random() < 0.4]
    goal = " ".join(draw.condition(objects, 1) for _ in range(draw.choice([1, 2, 3])))
    if is_simple:
        goal = f"(>= (n) {draw.choice('2345')}) (> (m a) {draw.choice(['-1', '0', '1'])})"
    metric = "" if is_total else draw.choice(["", "(:metric minimize (total-cost))", "(:metric minimize (used))"])
    path = folder / "problem.pddl"
    path.write_text(
        f"(define (problem random-{seed}) (:domain random) (:objects {' '.join(objects[1:])} - thing)"
        f" (:init {' '.join(start)} (= (total-cost) 0) (= (used) 0)) (:goal (and {goal})) {metric})"
    )
    return path


def _action(draw: _Draw, number: int, constant: str, is_simple: bool) -> str:
    parameters = ["?x", "?y"][: draw.choice([0, 1, 1, 2])]
    terms = [*parameters, constant]
    if draw.is_total:  # the other simulator refuses some actions with two assignments
        draw.changes = draw.choice([("increase", "decrease"), ("assign",)])
    if is_simple:
        effects = [f"(increase {draw.function(terms, 'nnm')} {draw.choice('112')})"]
        effects += [draw.change(terms)] if draw.random() < 0.5 else []
    else:
        count = 1 if draw.is_total and "assign" in draw.changes else draw.choice([1, 2, 3])
        effects = [draw.effect(terms) for _ in range(count)]
    if not draw.is_total:
        cost = draw.choice(["1", "2", "2", "(k a)", "(+ 2 (m a))", "(* (k a) (k a))"])
        used = draw.choice(["1", "2", "(k a)", f"(k {draw.term(terms)})", "(+ (k a) 1)"])
        effects += [f"(increase (total-cost) {cost})", f"(increase (used) {used})"]
    is_free = draw.random() < 0.3 + is_simple / 2
    needed = "()" if is_free else draw.condition(terms, draw.choice([0, 0, 1, 2]))
    typed = " ".join(f"{name} - thing" for name in parameters)
    return f"(:action a{number} :parameters ({typed}) :precondition {needed} :effect (and {' '.join(effects)}))"
