"""Exports in PDDL and SMV are read back by small readers and searched: they agree with the model."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from oracle import all_states, dijkstra, least_cost, least_cost_by_rules
from places import ROOT
from strategies import levels, models

from examples import examples
from puzzlemc.encodings.pddl.translator import translated
from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.mc.errors import ModelError, Unsuitable
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.expressions import And, One, Or
from puzzlemc.mc.model.formula import State, conjunction, holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.model.variables import Variable, binary, boolean, one_hot
from puzzlemc.mc.passes.translation import translation
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable
from puzzlemc.reports.formats import pddl, pddl_task, smv
from puzzlemc.reports.formats.export import write_level
from puzzlemc.screens.sokoban import Level

RULES = puzzle("sokoban")

# PDDL.

Facts = frozenset[tuple[str, ...]]


def parsed(text: str) -> list[Any]:
    """The only s-expression of a text, as nested lists."""
    stack: list[Any] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text)):
        if token == "(":
            stack.append([])
        elif token == ")":
            inner = stack.pop()
            stack[-1].append(inner)
        else:
            stack[-1].append(token)
    ((expression,),) = stack
    assert isinstance(expression, list)
    return expression


def sections(expression: list[Any], name: str) -> list[Any]:
    return [part[1:] for part in expression if part[0] == name]


def true(condition: list[Any], facts: Facts) -> bool:
    kind, *parts = condition
    if kind == "not":
        return not true(parts[0], facts)
    if kind in ("and", "or"):
        return (all if kind == "and" else any)(true(part, facts) for part in parts)
    return tuple(condition) in facts


def applied(effect: list[Any], facts: Facts) -> tuple[Facts, int]:
    """The facts after an effect, and its cost. Deletion comes before addition."""
    parts = list(fired(effect, facts))
    cost = sum(int(part[2]) for part in parts if part[0] == "increase")
    deleted = {tuple(part[1]) for part in parts if part[0] == "not"}
    added = {tuple(part) for part in parts if part[0] not in ("not", "increase")}
    return facts - deleted | added, cost


def fired(effect: list[Any], facts: Facts) -> Iterator[list[Any]]:
    """The parts of an effect whose conditions hold."""
    if effect[0] == "and":
        for part in effect[1:]:
            yield from fired(part, facts)
    elif effect[0] != "when":
        yield effect
    elif true(effect[1], facts):
        yield from fired(effect[2], facts)


def used(expression: Any) -> Iterator[tuple[str, ...]]:
    """All facts in a condition or effect."""
    if expression[0] in ("and", "or", "not", "when"):
        for part in expression[1:]:
            yield from used(part)
    elif expression[0] not in ("increase", "="):
        yield tuple(expression)


def cheapest_plan(domain: str, problem: str) -> int | None:
    """The least cost of a plan by search over sets of facts; this checks the declarations as well."""
    read, asked = parsed(domain), parsed(problem)
    constants = {word for (*words,) in sections(read, ":constants") for word in words}
    (predicates,) = sections(read, ":predicates")
    (initial,) = sections(asked, ":init")
    ((goal,),) = sections(asked, ":goal")
    actions = {name: rest for name, *rest in sections(read, ":action")}
    assert len(actions) == domain.count("(:action")
    known = {(predicate, constant) for predicate, _ in predicates for constant in constants}
    for expression in [goal, ["and", *initial], *(rest[i] for rest in actions.values() for i in (3, 5))]:
        assert known >= set(used(expression))

    def successors(facts: Facts) -> Iterable[tuple[Facts, int]]:
        for parameters, none, keyword, condition, _, effect in actions.values():
            assert (parameters, none, keyword) == (":parameters", [], ":precondition")
            if true(condition, facts):
                yield applied(effect, facts)

    best = dijkstra([frozenset(tuple(fact) for fact in initial if fact[0] != "=")], successors)  # type: ignore[arg-type]
    return min((cost for facts, cost in best.items() if true(goal, facts)), default=None)  # type: ignore[arg-type]


@settings(max_examples=30)
@given(level=levels())
@pytest.mark.parametrize("metric", RULES.metrics)
def test_the_cheapest_plan_costs_as_much_as_the_cheapest_solution(metric: str, level: Level) -> None:
    model = RULES.encodings["compact"](level).model
    domain, problem = pddl.write(model, metric, "a level")
    assert (":disjunctive-preconditions" in domain) == ("(or" in domain + problem)
    assert domain.count("(:action") == len(model.actions)
    assert cheapest_plan(domain, problem) == least_cost_by_rules(RULES, level, metric)


@given(model=models())
def test_pddl_agrees_on_random_models(model: Model) -> None:
    if not any(action.formulas for action in model.actions):
        assert cheapest_plan(*pddl.write(model, "cost", "random")) == least_cost(model, "cost")
    else:
        with pytest.raises(ModelError, match="update by formula"):
            pddl.write(model, "cost", "random")


@given(model=models())
def test_pddl_of_the_variables_that_were_found_agrees_on_random_models(model: Model) -> None:
    try:
        task = translation(model, whole=True).with_metric("cost")
    except Unsuitable:
        return
    assert cheapest_plan(*pddl_task.write(task, "random")) == least_cost(model, "cost")


def test_of_effects_on_a_variable_the_last_one_counts_in_pddl() -> None:
    at, key = TaskVariable("at", ("here", "there", "away")), TaskVariable("key", ("not key", "key"))
    go = Operator("go", {}, (Effect(0, 1), Effect(0, 2, {1: 0}), Effect(1, 0)), 2)
    take = Operator("take", {0: 0}, (Effect(1, 1),))
    for goal, cost in (({0: 1}, 3), ({0: 2}, 2), ({0: 1, 1: 1}, None), ({0: 1, 1: 0}, 3)):
        written = pddl_task.write(Task((at, key), (0, 0), goal, (go, take)), "keys")
        assert cheapest_plan(*written) == cost


def carousel() -> Model:
    """Two horses and a gap on a circle of four places; each bit is a variable of its own."""
    variables = {(what, at): boolean(what, at) for what in ("a", "b", "gap") for at in range(4)}
    bits = {key: variable.bits[0] for key, variable in variables.items()}
    actions = []
    for what, at, way in product("ab", range(4), (1, 3)):
        there = (at + way) % 4
        guard = conjunction({bits[what, at]: True, bits["gap", there]: True})
        update = {bits[what, at]: False, bits["gap", there]: False}
        update |= {bits[what, there]: True, bits["gap", at]: True}
        actions.append(Action(f"{what}{at}{there}", guard, update, {"cost": 1}))
    held = {("a", 0), ("b", 1), ("gap", 2), ("gap", 3)}
    init = conjunction({b: key in held for key, b in bits.items()})
    return Model(tuple(variables.values()), init, tuple(actions), bits["a", 1] & bits["b", 2])


def test_translators_find_the_variables_of_an_export(tmp_path: Path) -> None:
    pytest.importorskip("fast_downward", reason="needs fast-downward-translate")
    model = carousel()
    task = translation(model, whole=True).task
    for name, text in zip(("domain.pddl", "problem.pddl"), pddl_task.write(task, "slide"), strict=True):
        (tmp_path / name).write_text(text)
    (entry,) = load([str(tmp_path / "problem.pddl")])
    found = translated(entry.level)
    several = sorted(len(each.values) for each in task.variables)
    assert max(several) > 2
    assert sorted(n for n in found.domains if n > 2) == [n for n in several if n > 2]


def ring(make: Any) -> Model:
    """A variable that cycles through x, y, z; each action sets only the bits that change."""
    at: Variable = make("at", ["x", "y", "z"])
    done = boolean("done")
    actions = []
    for old, new in [("x", "y"), ("y", "z"), ("z", "x")]:
        before, after = at.literals(old), at.literals(new)
        update = {b: value for b, value in after.items() if value != before[b]}
        actions.append(Action(f"{old}{new}", at.equals(old), update, {"cost": 2}))
    actions.append(Action("end", And(at.equals("z"), ~done.bits[0]), {done.bits[0]: True}, {"cost": 5}))
    init = And(at.equals("x"), ~done.bits[0])
    return Model((at, done), init, tuple(actions), And(at.equals("y"), done.bits[0]))


@pytest.mark.parametrize("make", [binary, one_hot])
def test_an_update_of_some_bits_takes_the_others_from_the_guard(make: Any) -> None:
    model = ring(make)
    domain, problem = pddl.write(model, "cost", "ring")
    assert cheapest_plan(domain, problem) == least_cost(model, "cost") == 13
    assert ":effect (and (is0-at v0-1-y) (not (is0-at v0-0-x)) (increase (total-cost) 2))" in domain
    assert "(or" not in domain + problem


@pytest.mark.parametrize("start", ["x", "y", "z"])
@pytest.mark.parametrize("make", [binary, one_hot])
def test_conditions_may_name_some_bits_of_a_variable(make: Any, start: str) -> None:
    at: Variable = make("at", ["x", "y", "z"])
    for values in product([None, False, True], repeat=len(at.bits)):
        cube = {b: value for b, value in zip(at.bits, values, strict=True) if value is not None}
        model = Model((at,), at.equals(start), (), conjunction(cube))
        holding = all(at.literals(start)[b] == value for b, value in cube.items())
        assert cheapest_plan(*pddl.write(model, "cost", "bits")) == (0 if holding else None)


def test_plans_can_be_read_back_as_actions() -> None:
    model = ring(binary)
    names = re.findall(r"\(:action (\S+)", pddl.write(model, "cost", "ring")[0])
    plan = f"({names[0]})\n({names[1].upper()} )\n({names[3]})\n; cost = 9 (general cost)\n"
    assert [action.name for action in pddl.read_plan(model, plan)] == ["xy", "yz", "end"]
    with pytest.raises(ModelError, match="nowhere"):
        pddl.read_plan(model, f"{plan}(nowhere)\n")


AT = binary("at", "xyz")
LOW, HIGH = AT.bits


@pytest.mark.parametrize(
    ("init", "update", "message"),
    [
        (One, {}, "one initial state"),
        (AT.equals("x") & ~AT.equals("x"), {}, "one initial state"),
        (Or(AT.equals("x"), AT.equals("y")), {}, "one initial state"),
        (conjunction({LOW: True, HIGH: True}), {}, "leaves open which: expected another --encoding"),
        (AT.equals("x"), {LOW: True}, "does not determine the next value"),
        (AT.equals("x"), {LOW: True, HIGH: True}, "does not determine the next value"),
        (AT.equals("x"), {LOW: HIGH}, "by formula"),
    ],
)
def test_models_that_pddl_cannot_express_are_refused(init: Any, update: dict[Any, Any], message: str) -> None:
    model = Model((AT,), init, (Action("a", One, update, {"cost": 1}),), AT.equals("z"))
    with pytest.raises(ModelError, match=message):
        pddl.write(model, "cost", "refused")


def test_pddl_needs_costs_of_the_metric() -> None:
    with pytest.raises(ModelError, match="no cost for metric"):
        pddl.write(ring(binary), "moves", "ring")


# SMV.


class Smv:
    """A module as written by `smv.write`, with the values of the bits as a dict by name."""

    def __init__(self, text: str) -> None:
        self.bits = re.findall(r"^  (\w+) : boolean;(?: -- .*)?$", text, re.MULTILINE)
        (inputs,) = re.findall(r"^  action : \{(.*)\};$", text, re.MULTILINE)
        self.inputs = inputs.split(", ")
        self.defined = dict(re.findall(r"^  (\w+) := (.*);$", text, re.MULTILINE))
        (self.init,) = re.findall(r"^INIT\n  (.*);$", text, re.MULTILINE)
        self.cases = dict(re.findall(r"^  action = (\w+) : (.*?);(?: -- .*)?$", text, re.MULTILINE))
        self.next = {
            name: re.findall(r"(action in \{.*?\}|TRUE) : (.*?);", cases)
            for name, cases in re.findall(r"^  next\((\w+)\) := case (.*) esac;$", text, re.MULTILINE)
        }
        (self.claim,) = re.findall(r"^INVARSPEC (.*);$", text, re.MULTILINE)

    def value(self, expression: str, state: dict[str, bool]) -> bool:
        def name(match: re.Match[str]) -> str:
            word = match[0]
            if word in ("TRUE", "FALSE"):
                return word.capitalize()
            return str(state[word]) if word in state else f"({self.value(self.defined[word], state)})"

        python = re.sub(r"\w+", name, expression).replace("!", " not ").replace("&", "and").replace("|", "or")
        return bool(eval(python.strip()))

    def successors(self, state: dict[str, bool]) -> dict[str, dict[str, bool]]:
        """The successors of a state, by input."""
        found = {}
        for action in self.inputs:
            if self.value(self.cases[action], state):
                found[action] = {b: self._becomes(b, action, state) for b in self.bits}
        return found

    def _becomes(self, b: str, action: str, state: dict[str, bool]) -> bool:
        for condition, new in self.next[b]:
            if condition == "TRUE" or action in re.findall(r"\w+", condition.removeprefix("action in")):
                return self.value(new, state)
        raise AssertionError("no case applies")


@settings(max_examples=examples(20, 40))
@given(model=models())
def test_smv_has_the_states_and_steps_of_the_model(model: Model) -> None:
    module = Smv(smv.write(model))
    names = dict(zip(model.bits, module.bits, strict=True))
    assert module.inputs[0] == "stay"
    assert len(set(module.inputs)) == len(model.actions) + 1
    assert module.next.keys() == set(module.bits)

    def written(state: State) -> dict[str, bool]:
        return {name: b in state for b, name in names.items()}

    for state in all_states(model):
        values = written(state)
        assert module.value(module.init, values) == holds(model.init, state)
        assert module.value(module.claim, values) != holds(model.goal, state)
        expected = {
            name: written(action.fire(state))
            for name, action in zip(module.inputs[1:], model.actions, strict=True)
            if action.enabled(state)
        }
        assert module.successors(values) == (expected or {"stay": values})


@settings(max_examples=10)
@given(level=levels())
def test_smv_of_levels_agrees_with_the_model(level: Level) -> None:
    model = RULES.encodings["compact"](level).model
    module = Smv(smv.write(model))
    initial = initial_state(model)
    start = {name: b in initial for b, name in zip(model.bits, module.bits, strict=True)}
    assert module.value(module.init, start)
    assert len(module.successors(start).keys() - {"stay"}) == len(list(RULES.rules.steps(level, level.start)))


# The meaning of names.


def test_a_legend_and_the_names_of_actions_are_comments(tmp_path: Path) -> None:
    """Names differ in capitals, which PDDL does not tell apart, and may be of several lines in own models."""
    (entry,) = load([str(ROOT / "screens/levels/sokoban/first_steps.xsb") + "#1"])
    bits = "solved = box[2,4]"
    for format_, sign, action in (("smv", "-- ", "; -- D(2,3)\n"), ("pddl", "; ", "a2-d-2-3 ; D(2,3)\n")):
        (written, *_) = write_level(entry, format_, "compact", "pushes", tmp_path / "level.x", None, 1)
        text = written.read_text(encoding="utf-8")
        assert text.startswith(f"{sign}Atoms of the level, ")
        assert f"{sign}  {bits}\n{sign}  player@(2,3) = !player[0] & !player[1] & !player[2]\n" in text
        assert action in text
    model = carousel()
    odd = replace(model, actions=(replace(model.actions[0], name="up\n(:goal"), *model.actions[1:]))
    assert " ; up (:goal\n" in pddl.write(odd, "cost", "odd")[0]
    assert " -- up (:goal\n" in smv.write(odd)


# The comparison with other programs.


@pytest.fixture(scope="module")
def peers() -> ModuleType:
    spec = spec_from_file_location("peers", ROOT / "benchmarks" / "peers.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["peers"] = module  # dataclasses look up their module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("answers", "wrong"),
    [
        ({"puzzlemc": ("solvable", 5), "fd-lmcut": ("solvable", 5), "lama": ("solvable", 7)}, 0),
        ({"puzzlemc": ("solvable", 5), "fd-lmcut": ("unknown", None)}, 0),
        ({"puzzlemc": ("solvable", 5), "fd-lmcut": ("solvable", None)}, 0),
        ({"puzzlemc": ("solvable", 5), "fd-lmcut": ("solvable", 6)}, 1),
        ({"puzzlemc": ("solvable", 5), "lama": ("solvable", 4)}, 1),
        ({"puzzlemc": ("solvable", 0), "lama": ("unsolvable", None)}, 1),
        ({"puzzlemc": ("solvable", 5), "lama": ("failed", None)}, 1),
    ],
)
def test_disagreements_of_peers_are_counted(peers: ModuleType, answers: dict[str, Any], wrong: int) -> None:
    def never(*_: Any) -> Any:
        raise AssertionError

    made = {name: peers.Peer(name != "lama", never, never) for name in answers}
    given = {name: peers.Answer(verdict, cost) for name, (verdict, cost) in answers.items()}
    assert len(peers.disagreements(made, given)) == wrong


def test_installed_peers_agree_and_others_are_skipped(tmp_path: Path) -> None:
    level = tmp_path / "levels.xsb"
    level.write_text("######\n#@ $.#\n######\n\n#####\n#@$##\n#  .#\n#####\n", encoding="ascii")
    script = [sys.executable, str(ROOT / "benchmarks" / "peers.py"), str(level)]
    out = tmp_path / "out.json"
    options = ["--metric", "moves", "--timeout", "30", "--json", str(out)]
    done = subprocess.run([*script, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    first, second = [entry["answers"] for entry in json.loads(out.read_text())["levels"]]
    skipped = set(re.findall(r"^(\S+) is skipped", done.stderr, re.MULTILINE))
    finders, provers = {"abc-bmc", "z3"}, {"abc-pdr", "z3-horn"}  # of circuits; provers name no cost
    assert skipped | first.keys() == {"symk", "fd-lmcut", "lama", "nusmv", *finders, *provers, "puzzlemc"}
    assert skipped.isdisjoint(first)
    assert {answer["cost"] for name, answer in first.items() if name not in provers} == {2}
    assert {answer["verdict"] for name, answer in second.items() if name not in finders} == {"unsolvable"}
    assert first["puzzlemc"]["cpu"] > first["puzzlemc"]["search"] > 0
