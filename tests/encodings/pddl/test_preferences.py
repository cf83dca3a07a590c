"""Soft goals: the cheapest plan with the penalties of its last state, against a search over all states.

The simulator and the conditions in this file are tuples and sets; it shares nothing with reader, rules and model.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest
from oracle import dijkstra, least_cost_by_rules

from puzzlemc.encodings.pddl import rules
from puzzlemc.encodings.pddl.compact import compact
from puzzlemc.encodings.pddl.levels import content
from puzzlemc.encodings.pddl.soft import task as soft_task
from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.mc.engines.registry import ENGINES
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.reports.ask.replay import replayed
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.formats.traces import FORMATS, play
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.base.errors import LevelError

pytest.importorskip("fast_downward", reason="needs fast-downward-translate")

PDDL = puzzle("pddl")
OBJECTS = {"one": ("a",), "two": ("b", "c"), "none": (), "object": ("b", "c", "a")}
FACTS = ["p", "r", *(f"q({each})" for each in "abc"), *(f"at({each})" for each in "abc")]

Formula: TypeAlias = tuple[Any, ...]
State: TypeAlias = frozenset[str]
Binding: TypeAlias = Mapping[str, str]


class Action(NamedTuple):
    """An action without parameters: a condition, the literals that it makes true, its cost."""

    needed: Formula
    effects: Sequence[Formula]
    cost: int


class Problem(NamedTuple):
    """A problem: `soft` are preferences as (name, variables, condition), `weights` by name."""

    actions: Sequence[Action]
    start: State
    goal: Formula
    soft: Sequence[tuple[str, Sequence[tuple[str, str]], Formula]]
    weights: Mapping[str, int]
    factor: int  # of the costs of actions
    by_steps: bool  # each action costs 1

    def price(self, action: Action) -> int:
        """What an action costs in the metric."""
        return self.factor * (1 if self.by_steps else action.cost)


def bindings(variables: Sequence[tuple[str, str]]) -> Iterator[Binding]:
    """Yield all objects for the variables."""
    for objects in product(*(OBJECTS[kind] for _, kind in variables)):
        yield {name: each for (name, _), each in zip(variables, objects, strict=True)}


def true(formula: Formula, state: State, binding: Binding) -> bool:
    """Does the formula hold?"""
    match formula:
        case ("and", *parts):
            return all(true(part, state, binding) for part in parts)
        case ("or", *parts):
            return any(true(part, state, binding) for part in parts)
        case ("not", part):
            return not true(part, state, binding)
        case ("imply", one, other):
            return not true(one, state, binding) or true(other, state, binding)
        case ("forall" | "exists" as kind, variables, part):
            found = [true(part, state, {**binding, **each}) for each in bindings(variables)]
            return all(found) if kind == "forall" else any(found)
    return named(formula, binding) in state


def named(atom: Formula, binding: Binding) -> str:
    """The name of a fact."""
    head, *terms = atom
    objects = [binding.get(term, term) for term in terms]
    return f"{head}({','.join(objects)})" if objects else str(head)


def successors(problem: Problem, state: State) -> Iterator[tuple[State, int]]:
    """Yield the states after each applicable action, with its cost."""
    for action in problem.actions:
        if true(action.needed, state, {}):
            added = {named(each, {}) for each in action.effects if each[0] != "not"}
            deleted = {named(each[1], {}) for each in action.effects if each[0] == "not"}
            yield (state - deleted) | added, problem.price(action)


def penalty(problem: Problem, state: State) -> int:
    """What the violations in a last state cost."""
    return sum(
        problem.weights[name]
        for name, variables, condition in problem.soft
        for binding in bindings(variables)
        if not true(condition, state, binding)
    )


def least(problem: Problem) -> int | None:
    """The least cost of all plans, from the costs of all reachable states."""
    costs: Mapping[Any, int] = dijkstra([problem.start], lambda state: successors(problem, state))  # type: ignore[arg-type]
    ends = [cost + penalty(problem, state) for state, cost in costs.items() if true(problem.goal, state, {})]
    return min(ends, default=None)


def text(item: Any) -> str:
    """A formula in PDDL."""
    if isinstance(item, str):
        return item
    if item[:1] in (("forall",), ("exists",)):
        return f"({item[0]} ({typed(item[1])}) {text(item[2])})"
    return f"({' '.join(map(text, item))})"


def typed(variables: Sequence[tuple[str, str]]) -> str:
    """A list of variables in PDDL."""
    return " ".join(f"{name} - {kind}" for name, kind in variables)


def written(problem: Problem) -> str:
    """The problem with its domain in PDDL."""
    actions = " ".join(
        f"(:action act{number} :parameters () :precondition {text(each.needed)}"
        f" :effect (and {' '.join(map(text, each.effects))} (increase (total-cost) {each.cost})))"
        for number, each in enumerate(problem.actions)
    )
    soft = []
    for name, variables, condition in problem.soft:
        one = f"(preference {name} {text(condition)})"
        soft.append(f"(forall ({typed(variables)}) {one})" if variables else one)
    start = " ".join(f"({each.replace('(', ' ').replace(')', '')})" for each in sorted(problem.start))
    cost = "(total-time)" if problem.by_steps else "(total-cost)"
    prices = " ".join(f"(* (is-violated {name}) {weight})" for name, weight in problem.weights.items())
    return (
        "(define (domain d) (:requirements :adl :preferences :action-costs) (:types one two none)"
        " (:constants b c - two a - one) (:predicates (p) (r) (q ?x) (at ?x)) (:functions (total-cost))"
        f" {actions})\n(define (problem p) (:domain d) (:init {start} (= (total-cost) 0))"
        f" (:goal (and {text(problem.goal)} {' '.join(soft)}))"
        f" (:metric minimize (+ (* {problem.factor} {cost}) {prices})))"
    )


def literal(draw: random.Random, terms: Sequence[str] = "abc") -> Formula:
    """An atom or its negation."""
    name = draw.choice(["p", "r", "q", "q", "at"])
    atom = (name,) if name in "pr" else (name, draw.choice(terms))
    return atom if draw.random() < 0.7 else ("not", atom)


def formula(draw: random.Random, terms: Sequence[str], depth: int) -> Formula:
    """A random condition."""
    kind = draw.choice(["literal", "and", "or", "not", "imply", "forall", "exists"]) if depth else "literal"
    if kind == "literal":
        return literal(draw, terms)
    if kind in ("forall", "exists"):
        variable = f"?v{depth}"
        inner = formula(draw, [*terms, variable, variable], depth - 1)
        return (kind, ((variable, draw.choice(sorted(OBJECTS))),), inner)
    counts = {"not": 1, "imply": 2}
    parts = [formula(draw, terms, depth - 1) for _ in range(counts.get(kind) or draw.choice([0, 1, 2, 2, 3]))]
    return (kind, *parts)


def random_problem(seed: int) -> Problem:
    """A problem: a walk between three places, that changes facts, and preferences about them."""
    draw = random.Random(seed)
    actions = []
    for here, there in product("abc", "abc"):
        if here != there and draw.random() < 0.7:
            effects: list[Formula] = [("not", ("at", here)), ("at", there)]
            actions.append(Action(("at", here), effects, draw.randint(0, 4)))
    for _ in range(draw.choice([2, 3, 4])):
        effects = [literal(draw) for _ in range(draw.choice([1, 2]))]
        effects = [each for each in effects if "at" not in (each[0], each[-1][0])] or [("p",)]
        actions.append(Action(formula(draw, "abc", draw.choice([0, 1])), effects, draw.randint(0, 4)))
    soft = []
    for _ in range(draw.choice([1, 2, 3, 4])):
        variables = [("?x", draw.choice(sorted(OBJECTS)))] if draw.random() < 0.4 else []
        terms = [*"abc", *("?x" for _ in variables for _ in range(3))]
        soft.append((draw.choice(["s", "t", "u"]), variables, formula(draw, terms, draw.choice([0, 1, 2, 3]))))
    weights = {name: draw.choice([0, 1, 3, 5, 9]) for name in sorted({name for name, _, _ in soft})}
    start = frozenset([f"at({draw.choice('abc')})", *(each for each in FACTS[:5] if draw.random() < 0.3)])
    goal: Formula = ("and",) if draw.random() < 0.3 else formula(draw, "abc", draw.choice([0, 1, 2]))
    return Problem(actions, start, goal, soft, weights, draw.choice([0, 1, 1, 1, 2]), draw.random() < 0.3)


def entry_of(content: str, folder: Path) -> Any:
    path = folder / "p.pddl"
    path.write_text(content)
    (entry,) = load([str(path)])
    assert entry.error is None, entry.error
    return entry


@pytest.mark.parametrize("seeds", [range(10), pytest.param(range(10, 300), marks=pytest.mark.slow)])
def test_answers_agree_with_a_search_over_all_states(seeds: range, tmp_path: Path) -> None:
    kinds, checkers = set(), set[str | None]()
    for seed in seeds:
        problem = random_problem(seed)
        expected = least(problem)
        entry = entry_of(written(problem), tmp_path)
        assert least_cost_by_rules(PDDL, entry.level, "cost") == expected, seed
        options = Options(prove=True)
        result = solve_entry(entry, options)
        assert result.verdict == ("unsolvable" if expected is None else "solvable"), (seed, result.reason)
        assert (result.cost, result.checked) == (expected, expected is not None), seed
        assert certify(entry, options, result, tmp_path / "c").checked, seed
        done = verify(tmp_path / "c")
        assert done.status == "valid", seed
        checkers.add(done.by)
        kinds.add((expected is None, bool(expected)))
    assert "plain rules" in checkers
    assert len(kinds) == 3  # no plan, a plan without cost, one with a cost


@pytest.mark.parametrize("most", [soft_task.MOST_TERMS, 0])  # 0: each formula is a derived variable
def test_the_model_has_the_steps_of_the_plain_rules(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soft_task, "MOST_TERMS", most)
    closed = 0
    for seed in range(100, 112):
        level = entry_of(written(random_problem(seed)), tmp_path).level
        encoded = compact(level)
        encoded.model.validate()
        waiting = [initial_state(encoded.model)]
        assert encoded.decode(waiting[0]) == rules.start(level)
        seen = set(waiting)
        while waiting and len(seen) < 300:
            state = waiting.pop()
            position = encoded.decode(state)
            assert rules.start(rules.at(level, position)) == position
            assert rules.constant(rules.at(level, position)) == rules.constant(level)
            assert holds(encoded.model.goal, state) == rules.solved(level, position)
            closed += rules.solved(level, position)
            own = {(step.name, step.position, *step.costs.values()) for step in rules.steps(level, position)}
            others = encoded.model.successors(state)
            assert len(own) == len(others) or rules.is_open(level, position)
            assert own == {(step.name, encoded.decode(after), *step.costs.values()) for step, after in others}
            for step in rules.steps(level, position):
                assert rules.step(level, position, step.name) == step
            new = {after for _, after in others} - seen
            seen |= new
            waiting += sorted(new, key=sorted)
    assert closed > 20


ERRANDS = """(define (domain errands) (:requirements :adl :action-costs :preferences) (:types place)
 (:predicates (at ?p - place) (seen ?p - place) (road ?a ?b - place))
 (:functions (total-cost) - number (len ?a ?b - place) - number)
 (:action go :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b))
  :effect (and (not (at ?a)) (at ?b) (seen ?b) (increase (total-cost) (len ?a ?b)))))
(define (problem day) (:domain errands) (:objects home shop lake - place)
 (:init (at home) (road home shop) (road shop home) (road shop lake) (road lake shop)
  (= (len home shop) 2) (= (len shop home) 2) (= (len shop lake) 3) (= (len lake shop) 3) (= (total-cost) 0))
 (:goal (and (seen shop) (preference back (at home)) (preference swim (seen lake))))
 (:metric minimize METRIC))
"""
SWIM, STAY, BACK = ["go(home,shop)", "go(shop,lake)"], ["go(home,shop)"], ["go(home,shop)", "go(shop,home)"]


@pytest.mark.parametrize(
    ("metric", "moves", "cost"),
    [
        ("(+ (total-cost) (* 1 (is-violated back)) (* 9 (is-violated swim)))", SWIM, 6),
        ("(+ (total-cost) (is-violated back) (is-violated swim))", STAY, 4),
        ("(+ (total-cost) (* 5 (is-violated back)) (is-violated swim))", BACK, 5),
        ("(+ (* 2 (total-cost)) (* 5 (is-violated back)))", BACK, 8),
        ("(+ (total-time) (* 2 (is-violated swim)))", SWIM, 2),
        ("(+ (/ (total-cost) 2) (* 2.5 (is-violated swim)))", SWIM, 5),
        ("(- (* 3 (is-violated swim)) (- 4 (total-cost)))", STAY, 5),
        ("(total-cost)", STAY, 2),
    ],
)
def test_a_plan_ends_with_what_it_forgoes(metric: str, moves: list[str], cost: int, tmp_path: Path) -> None:
    entry = entry_of(ERRANDS.replace("METRIC", metric), tmp_path)
    result = solve_entry(entry, Options())
    assert (result.cost, result.optimal, result.checked) == (cost, True, True)
    trace = list(result.trace or ())
    assert [name for name in trace if name.startswith("go")] == moves
    settled = {"back": moves == BACK, "swim": moves == SWIM}
    ends = [f"{'collect' if held else 'forgo'}({name})" for name, held in settled.items() if f" {name})" in metric]
    assert trace[len(moves) :] == (["end", *ends] if ends else [])
    assert result.costs["steps"] == len(moves)


@pytest.mark.parametrize("metric", ["steps", "any"])
def test_other_metrics_leave_preferences_out(metric: str, tmp_path: Path) -> None:
    text = ERRANDS.replace("METRIC", "(+ (total-cost) (* 9 (is-violated swim)))")
    result = solve_entry(entry_of(text, tmp_path), Options(metric=metric))
    assert (result.verdict, result.checked) == ("solvable", True)
    assert result.costs["steps"] == 1 or metric == "any"


@pytest.mark.parametrize("name", ["auto", *ENGINES])
def test_each_engine_finds_the_cost(name: str, tmp_path: Path) -> None:
    text = ERRANDS.replace("METRIC", "(+ (total-cost) (* 1 (is-violated back)) (* 9 (is-violated swim)))")
    result = solve_entry(entry_of(text, tmp_path), Options(engine=name, prove=True, timeout=20))
    if result.verdict == "unknown" and name not in ("auto", "forward", "backward", "bidirectional"):
        assert result.bound is None or result.bound <= 6
        return
    assert (result.verdict, result.checked) == ("solvable", True), result.reason
    assert result.cost == 6 or not result.optimal


def test_a_certificate_with_a_wrong_bound_is_refuted(tmp_path: Path) -> None:
    text = ERRANDS.replace("METRIC", "(+ (total-cost) (* 1 (is-violated back)) (* 9 (is-violated swim)))")
    entry, options = entry_of(text, tmp_path), Options(prove=True)
    assert certify(entry, options, solve_entry(entry, options), tmp_path / "c").checked
    made = (tmp_path / "c").read_bytes()
    for old, new in ((b"(* 9 (is-violated", b"(* 2 (is-violated"), (b"forgo(back)", b"collect(back)")):
        assert old in made
        (tmp_path / "c").write_bytes(made.replace(old, new))
        assert verify(tmp_path / "c").status == "refuted"
    (tmp_path / "c").write_bytes(made)
    assert verify(tmp_path / "c", [entry]).status == "valid"
    other = entry_of(text.replace("(* 9", "(* 2"), tmp_path)
    assert verify(tmp_path / "c", [other]).status == "refuted"


def test_levels_with_other_penalties_are_other_levels(tmp_path: Path) -> None:
    metrics = ["(is-violated back)", "(* 2 (is-violated back))", "(+ (total-time) (is-violated back))"]
    metrics += ["(+ (* 2 (total-time)) (is-violated back))", "(is-violated swim)", "(total-cost)"]
    texts = {content(entry_of(ERRANDS.replace("METRIC", metric), tmp_path).level) for metric in metrics}
    assert len(texts) == len(metrics)
    level = entry_of(ERRANDS.replace("METRIC", metrics[0]), tmp_path).level
    closed = ["at(shop)", "seen(shop)", "goal--settled-0"]
    later = [rules.at(level, frozenset(facts)) for facts in (closed, [*closed[:2], "goal--open"])]
    assert len({content(each) for each in later}) == 2
    assert [least_cost_by_rules(PDDL, each, "cost") for each in later] == [1, 0]


def test_positions_without_a_phase_lead_nowhere(tmp_path: Path) -> None:
    """A wrong proof may list them."""
    level = entry_of(ERRANDS.replace("METRIC", "(is-violated back)"), tmp_path).level
    for position in (frozenset(), frozenset(["at(home)", "seen(shop)"]), frozenset(["goal--settled-1"])):
        assert list(rules.steps(level, position)) == []
        assert rules.step(level, position, "go(home,shop)") is None
    assert rules.solved(level, frozenset(["goal--settled-1"]))


def test_the_goal_that_cannot_be_met_is_explained_without_preferences(tmp_path: Path) -> None:
    text = ERRANDS.replace("METRIC", "(is-violated swim)").replace("(seen shop)", "(at home) (at lake)", 1)
    level = entry_of(text, tmp_path).level
    (parts,) = PDDL.explanation.parts()
    assert parts.objects(level) == ("at(home)", "at(lake)")
    assert least_cost_by_rules(PDDL, level, "cost") is None


def test_plans_for_other_programs_are_without_the_closing_phase(tmp_path: Path) -> None:
    entry = entry_of(ERRANDS.replace("METRIC", "(+ (total-time) (* 5 (is-violated back)))"), tmp_path)
    result = solve_entry(entry, Options())
    text = FORMATS["plan"].write(play(entry, result))
    assert text == "(go home shop)\n(go shop home)\n; cost = 2 (unit cost)\n"
    for own, costs in ((text, (2, 2)), ("(go home shop)", (6, 1)), (" ".join(result.trace or ()), (2, 2))):
        done = replayed(entry, own, "x", None)
        assert (done.status, *(done.costs[name] for name in PDDL.metrics)) == ("solves", *costs)
    assert replayed(entry, "(go home shop)", "x", None).names[1:] == ("end", "forgo(back)")
    assert replayed(entry, "(go home shop) (go shop lake) (end) (go lake shop)", "x", None).status == "invalid"
    with pytest.raises(LevelError, match="collect back is not possible here"):
        replayed(entry, "(collect back)", "x", None)


def test_one_operator_is_applicable_in_the_closing_phase(tmp_path: Path) -> None:
    """An oracle has a name for each step of a position: it refuses two steps of one name."""
    goal = "(preference back (and (at home) (seen lake) (or (seen home) (seen shop))))"
    text = ERRANDS.replace("METRIC", "(is-violated back)").replace("(preference back (at home))", goal)
    entry = entry_of(text.replace("(seen shop)", "(or (seen shop) (seen lake))", 1), tmp_path)
    model = compact(entry.level).model
    waiting = [initial_state(model)]
    seen, names = set(waiting), set()
    while waiting:
        steps = model.successors(waiting.pop())
        assert len({action.name for action, _ in steps}) == len(steps)
        names |= {action.name for action, _ in steps}
        waiting += {after for _, after in steps} - seen
        seen |= {after for _, after in steps}
    assert {"end", "forgo(back)", "collect(back)"} <= names


def test_actions_keep_their_names(tmp_path: Path) -> None:
    text = ERRANDS.replace("METRIC", "(is-violated back)").replace("(:action go", "(:action end")
    result = solve_entry(entry_of(text, tmp_path), Options())
    assert list(result.trace or ()) == ["end(home,shop)", "end(shop,home)", "end-", "collect(back)"]


def test_a_preference_of_many_terms_is_a_derived_variable(tmp_path: Path) -> None:
    """Its disjunctive normal form has 2 ** 20 terms."""
    letters = [f"x{number}" for number in range(40)]
    pairs = " ".join(
        f"(or (on {one}) (on {other}))" for one, other in zip(letters[::2], letters[1::2], strict=True)
    )
    text = (
        "(define (domain d) (:requirements :adl :preferences) (:predicates (on ?x))"
        " (:action light :parameters (?x) :precondition (not (on ?x)) :effect (on ?x)))"
        f" (define (problem p) (:domain d) (:objects {' '.join(letters)})"
        f" (:init {' '.join(f'(on {each})' for each in letters[4::2])})"
        f" (:goal (and (preference all (and {pairs})) (preference few (not (on x0)))))"
        " (:metric minimize (+ (total-time) (* 5 (is-violated all)) (* 2 (is-violated few)))))"
    )
    entry = entry_of(text, tmp_path)
    result = solve_entry(entry, Options(timeout=60))
    assert (result.cost, result.checked) == (2, True), result.reason
