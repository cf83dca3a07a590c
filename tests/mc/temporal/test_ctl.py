"""CTL: answers against the definitions on random models and formulas; evidence; the syntax of formulas."""

import json
import operator
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command import puzzlemc
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import busy_models, levels, models
from tug import GAME
from typer.testing import CliRunner

from examples import examples
from puzzlemc.encodings.puzzles import Entry, load, puzzle, puzzles
from puzzlemc.mc.errors import FormulaError, ModelError, Refuted
from puzzlemc.mc.graph.state_graph import explore
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.expressions import And
from puzzlemc.mc.model.formula import State, bit, conjunction, holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.temporal import check
from puzzlemc.mc.temporal.check import Answer, Checker, query
from puzzlemc.mc.temporal.parser import DEEPEST, check_atoms, parse
from puzzlemc.mc.temporal.property import COMPARED, DEAD, NAMED, SOLVED, STUCK, TRUE, Property
from puzzlemc.reports.ask.query import ask, replay_evidence
from puzzlemc.reports.cli.app import app
from puzzlemc.screens.base.part import Part

ENGINES = [("explicit", "zdd"), ("symbolic", "zdd"), ("symbolic", "cudd")]
ATOMS = ("p", "q", STUCK, DEAD)
COUNTS = [f"n {sign} {number}" for sign in COMPARED for number in range(4)]


def properties() -> st.SearchStrategy[Property]:
    atoms = [Property("atom", name=name) for name in ATOMS] + [TRUE, Property("false")]
    leaves = st.sampled_from(atoms) | st.sampled_from([Property("count", name=name) for name in COUNTS])

    def larger(inner: st.SearchStrategy[Property]) -> st.SearchStrategy[Property]:
        one = st.builds(
            lambda op, a: Property(op, (a,)), st.sampled_from(["not", "EX", "EF", "EG", "AX", "AF", "AG"]), inner
        )
        two = st.builds(
            lambda op, a, b: Property(op, (a, b)),
            st.sampled_from(["and", "or", "implies", "iff", "EU", "AU"]),
            inner,
            inner,
        )
        return st.one_of(one, two)

    return st.recursive(leaves, larger, max_leaves=5)


class Definitions:
    """The semantics of CTL by definition: least and greatest fixpoints over all reachable states."""

    def __init__(self, model: Model) -> None:
        self.model = model
        bits = model.bits
        states = [frozenset(b for i, b in enumerate(bits) if n >> i & 1) for n in range(1 << len(bits))]
        self.initial = [state for state in states if holds(model.init, state)]
        self.next: dict[State, set[State]] = {}
        self.stuck: set[State] = set()
        waiting = list(self.initial)
        while waiting:
            state = waiting.pop()
            if state not in self.next:
                self.next[state] = {a.fire(state) for a in model.actions if a.enabled(state)}
                if not self.next[state]:
                    self.stuck.add(state)
                    self.next[state] = {state}
                waiting += self.next[state]
        self.all = set(self.next)

    def fixpoint(self, start: set[State], step: Callable[[set[State]], set[State]]) -> set[State]:
        while (after := step(start)) != start:
            start = after
        return start

    def some(self, f: set[State]) -> set[State]:
        return {s for s in self.all if self.next[s] & f}

    def every(self, f: set[State]) -> set[State]:
        return {s for s in self.all if self.next[s] <= f}

    def where(self, p: Property) -> set[State]:
        parts = [self.where(part) for part in p.parts]
        a = parts[0] if parts else set()
        b = parts[1] if len(parts) > 1 else set()
        everything = self.all
        match p.op:
            case "atom":
                if p.name == STUCK:
                    return self.stuck
                if p.name == DEAD:
                    solved = {s for s in everything if holds(self.model.goal, s)}
                    return everything - self.fixpoint(set(), lambda z: solved | self.some(z))
                formula = self.model.goal if p.name == SOLVED else self.model.atoms[p.name]
                return {s for s in everything if holds(formula, s)}
            case "count":
                name, sign, number = p.name.split()
                compared = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}[sign]
                counts = {s: sum(holds(f, s) for f in self.model.counts[name]) for s in everything}
                return {s for s in everything if getattr(operator, compared)(counts[s], int(number))}
            case "true":
                return everything
            case "false":
                return set()
            case "not":
                return everything - a
            case "and":
                return a & b
            case "or":
                return a | b
            case "implies":
                return (everything - a) | b
            case "iff":
                return {s for s in everything if (s in a) == (s in b)}
            case "EX":
                return self.some(a)
            case "AX":
                return self.every(a)
            case "EF":
                return self.fixpoint(set(), lambda z: a | self.some(z))
            case "AF":
                return self.fixpoint(set(), lambda z: a | self.every(z))
            case "EG":
                return self.fixpoint(everything, lambda z: a & self.some(z))
            case "AG":
                return self.fixpoint(everything, lambda z: a & self.every(z))
            case "EU":
                return self.fixpoint(set(), lambda z: b | a & self.some(z))
            case "AU":
                return self.fixpoint(set(), lambda z: b | a & self.every(z))
        raise AssertionError(p.op)

    def distance(self, start: State, to: set[State], within: set[State]) -> int:
        rings, seen = [{start}], {start}
        while not rings[-1] & to:
            ring = {t for s in rings[-1] if s in within for t in self.next[s]} - seen
            assert ring
            seen |= ring
            rings.append(ring)
        return len(rings) - 1


def with_atoms(model: Model) -> Model:
    counts = {"n": [*model.bits[:3], model.goal, {}]}
    return replace(model, atoms={"p": model.goal, "q": model.bits[-1]}, counts=counts)


def check_evidence(truth: Definitions, p: Property, answer: Answer) -> None:
    """Assert that the path of the evidence shows the answer."""
    evidence = answer.evidence
    if p.op == "not":
        return check_evidence(truth, p.parts[0], replace(answer, holds=not answer.holds))
    shows = {True: ("EX", "EF", "EG", "EU"), False: ("AX", "AF", "AG", "AU")}[bool(answer.holds)]
    if p.op in shows:
        assert evidence is not None
    elif p.op in ("EX", "EF", "EG", "EU", "AX", "AF", "AG", "AU"):
        assert evidence is None
    if evidence is None:
        return None
    states, actions = evidence.trace.states, evidence.trace.actions
    assert states[0] in truth.initial
    for before, action, after in zip(states, actions, states[1:], strict=False):
        assert action.enabled(before)
        assert action.fire(before) == after
    if evidence.loop is not None:
        assert states[evidence.loop] == states[-1]
        assert evidence.stays == (evidence.loop == len(actions)) == (states[-1] in truth.stuck)
    if evidence.loop is None:
        assert states[-1] in truth.where(evidence.claim)
    if p.op not in shows:
        return None
    a = truth.where(p.parts[0])
    b = truth.where(p.parts[-1])
    rest = truth.all - b
    first = lambda to: next(n for n, s in enumerate(states) if s in to)  # noqa: E731
    following = states[1] if actions else states[0]
    if not actions and p.op in ("EX", "AX"):
        assert evidence.stays
    match p.op:
        case "EX":
            assert following in a
        case "AX":
            assert following not in a
        case "EF":
            assert first(a) == truth.distance(states[0], a, truth.all)
        case "AG":
            assert first(truth.all - a) == truth.distance(states[0], truth.all - a, truth.all)
        case "EG":
            assert evidence.loop is not None
            assert set(states) <= a
        case "AF":
            assert evidence.loop is not None
            assert set(states).isdisjoint(a)
        case "EU":
            assert first(b) == truth.distance(states[0], b, a)
            assert set(states[: first(b)]) <= a
        case "AU":
            late = rest - a
            if late.isdisjoint(states):
                assert evidence.loop is not None
                assert set(states) <= rest
            else:
                assert set(states[: first(late)]) <= rest
    return None


@given(st.one_of(models(), busy_models()).map(with_atoms), st.lists(properties(), min_size=3, max_size=3))
def test_answers_agree_with_the_definitions(model: Model, several: list[Property]) -> None:
    truth = Definitions(model)
    for p in [parse("A[p U q]"), parse("A[!q U p]"), parse("EG !p"), parse("AF p"), *several]:
        where = truth.where(p)
        for engine in ("explicit", "symbolic"):
            answer = query(model, p, Budget(), engine)
            assert answer.engine == engine
            assert answer.states == len(truth.all)
            assert answer.satisfying == len(where)
            assert answer.holds == (set(truth.initial) <= where)
            check_evidence(truth, p, answer)


def small() -> Model:
    """Two bits that can only be set: one after the other, or the second alone."""
    one, two = bit("one"), bit("two")
    actions = (Action("one", ~one & ~two, {one: True}, {}), Action("two", ~two, {two: True}, {}))
    model = Model((boolean("one"), boolean("two")), conjunction({one: False, two: False}), actions, two)
    return replace(model, atoms={"p": one, "q": two})


def nested(text: str, depth: int) -> str:
    """The text nested in itself at its `?` to this depth."""
    formula = "p"
    for _ in range(depth):
        formula = text.replace("?", formula)
    return formula


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[Property]:
    """The formulas whose states are computed."""
    done: list[Property] = []
    compute = Checker._compute

    def counted(checker: Checker[Any, Any], p: Property) -> Any:
        done.append(p)
        return compute(checker, p)

    monkeypatch.setattr(Checker, "_compute", counted)
    return done


@pytest.mark.parametrize("engine", ["explicit", "symbolic"])
@pytest.mark.parametrize("text", ["(q <-> ?)", "(? <-> EX q)", "A[!q U ?]", "A[? U q]", "!(? -> AF q)"])
def test_each_part_of_a_nested_formula_is_computed_once(engine: str, text: str, computed: list[Property]) -> None:
    p = parse(nested(text, 8))
    answer = query(small(), p, Budget(), engine)
    assert len(computed) == len(set(computed)) <= 80
    truth = Definitions(small())
    assert (answer.states, answer.satisfying) == (len(truth.all), len(truth.where(p)))
    check_evidence(truth, p, answer)
    if answer.evidence is not None:
        assert len(str(answer.evidence.claim)) <= 2 * len(str(p))
    assert parse(str(p)) == p


@pytest.mark.parametrize("engine", ["explicit", "symbolic"])
@pytest.mark.parametrize("text", ["(stuck <-> ?)", "A[!stuck U ?]"])
def test_deeply_nested_formulas_are_quick(file: Callable[[str], str], engine: str, text: str) -> None:
    formula = nested(text, 24).replace("p", "solved")
    done = puzzlemc("query", file("#####\n#@$.#\n#####\n"), formula, "--engine", engine)
    assert done.returncode in (0, 1), done.stderr
    assert len(done.stdout) < 10 * len(formula)


def twice(depth: int) -> Property:
    """A formula that contains itself twice at each level of this depth; as a graph it is small."""
    p = Property("atom", name="p")
    for _ in range(depth):
        p = Property("AU", (p, Property("EX", (p,))))
    return p


def test_equal_parts_are_computed_once(computed: list[Property]) -> None:
    query(small(), parse("EF (p & EX q) | !EF (p & EX q) & EF (p & EX q)"), Budget(), "explicit")
    assert sorted(p.op for p in computed) == sorted(
        ["true", "atom", "atom", "EX", "and", "EU", "not", "and", "or"]
    )
    p = twice(30)
    assert sum(1 for _ in p.within()) == 61
    assert [atom.name for atom in p.atoms()] == ["p"]
    computed.clear()
    # From depth 1 on the result is p's states and the one before. (No formula in an assertion: it is too long.)
    (satisfying,) = {len(Definitions(small()).where(twice(depth))) for depth in (1, 2, 3)}
    for engine in ("explicit", "symbolic"):
        found = query(small(), p, Budget(), engine).satisfying
        assert found == satisfying == 3
    steps = len(computed)
    assert steps < 1000


@pytest.mark.parametrize(("engine", "diagrams"), ENGINES)
def test_a_fixpoint_removes_states_one_by_one_if_no_infinite_path_is_left(engine: str, diagrams: str) -> None:
    """A chain of thirteen states: that every path leaves it follows from its last state backwards."""
    bits = [bit("chain", number) for number in range(12)]
    actions = tuple(
        Action(f"on{n}", conjunction(dict.fromkeys(bits[:n], True) | {bits[n]: False}), {bits[n]: True}, {})
        for n in range(12)
    )
    variables = tuple(boolean("chain", number) for number in range(12))
    end = And(*bits)
    model = Model(variables, And(*[~b for b in bits]), actions, end, {"end": end})
    for formula, satisfying in [("EG !end", 0), ("AF end", 13), ("AF EG end", 13), ("EX end", 2), ("AG end", 1)]:
        answer = query(model, parse(formula), Budget(), engine, diagrams)
        assert (answer.states, answer.satisfying) == (13, satisfying), formula


@settings(max_examples=examples(15, 40))
@given(levels(), st.sampled_from(["AG EF solved", "EF solved", "AF solved", "EF (stuck & !solved)", "EG !solved"]))
def test_the_plain_rules_confirm_evidence_on_random_levels(level: object, formula: str) -> None:
    report = ask(Entry("random#1", "", puzzle("sokoban"), level, None), formula, Limits())
    again = query(puzzle("sokoban").encodings["tiles"](level).model, parse(formula), Budget(), "symbolic")
    assert (again.holds, again.states, again.satisfying) == (
        report.answer.holds,
        report.answer.states,
        report.answer.satisfying,
    )
    assert (again.evidence is None) == (report.answer.evidence is None)


@settings(max_examples=examples(80, 200))
@given(properties())
def test_a_printed_formula_parses_to_itself(p: Property) -> None:
    again = parse(str(p))
    assert str(again) == str(p)
    # Formulas that print alike mean the same: E[true U p] is EF p.
    assert again == p or "EF" in str(p)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("p -> q -> p", "p -> (q -> p)"),
        ("p <-> q <-> p", "(p <-> q) <-> p"),
        ("p | q & p -> q", "(p | (q & p)) -> q"),
        ("!p & EX q | p", "((!p) & (EX q)) | p"),
        ("AG p & q", "(AG p) & q"),
        ("not p and q or p", "((!p) & q) | p"),
        ("p && q || p", "(p & q) | p"),
        ("A[p U E[q U p]]", "A [ p U (E [ q U p ]) ]"),
        ("box@(1, 2)", "box @ ( 1,2 )"),
        ("p => q -> p", "p -> (q -> p)"),
        ("p <=> q <-> p", "(p <-> q) <-> p"),
        ("n<=2<=>n>2", "(n <= 2) <-> (n > 2)"),
        ("n<2<->n!=3=>n==04", "(n < 2) <-> ((n != 3) -> (n == 4))"),
        ("A G E F p", "AG EF p"),
        ("orange & notable & Under & EFfort", "orange and notable and Under and EFfort"),
    ],
)
def test_operators_have_the_precedence_of_the_manual(text: str, same: str) -> None:
    assert parse(text) == parse(same)


@pytest.mark.parametrize(
    ("text", "column", "found", "expected"),
    [
        ("", 1, "found the end", "an atom"),
        ("AG", 3, "found the end", "an atom"),
        ("p q", 3, "found 'q'", "the end"),
        ("p $ q", 3, "found '$'", "&"),
        ("(p & q", 7, "found the end", ")"),
        ("p)", 2, "found ')'", "the end"),
        ("E p", 3, "found 'p'", "["),
        ("E[p & q]", 8, "found ']'", "U"),
        ("p U q", 3, "found 'U': LTL is not supported: CTL only", "A or E before it"),
        ("G F solved", 1, "found 'G': LTL is not supported: CTL only", "A or E before it"),
        ("AG F solved", 4, "found 'F': LTL is not supported: CTL only", "A or E before it"),
        ("!X(p)", 2, "found 'X': LTL is not supported: CTL only", "A or E before it"),
        ("[] <> p", 1, "found '[]': LTL is not supported: CTL only", "A or E before it"),
        ("E[p U q", 8, "found the end", "]"),
        ("n >= ", 6, "found the end", "a number"),
        ("n >= p", 6, "found 'p'", "a number"),
        ("n = 2", 3, "found '='", "=="),
        ("2 < n", 5, "found 'n'", "a number"),
        ("p &\n q r", 8, "found 'r'", "the end"),
        ("box@(1,2", 4, "found '@'", "&"),
        ("!" * DEEPEST + "p", 1, "found formulas 101 deep", "at most 100"),
        ("!" * 5000 + "p", 1, "found formulas 5001 deep", "at most 100"),
    ],
)
def test_the_message_on_a_bad_formula_has_its_column(text: str, column: int, found: str, expected: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert caught.value.column == column
    assert caught.value.message.startswith(found)
    assert expected in caught.value.message.partition("expected")[2]


@pytest.mark.parametrize(
    ("text", "column", "nearest"),
    [("AG sloved", 4, "solved"), ("p | bx@(1,2)", 5, "box@(1,1)"), ("box@(1,3)", 1, "box@(1,1)")],
)
def test_the_message_on_an_unknown_atom_names_the_nearest_atom(text: str, column: int, nearest: str) -> None:
    with pytest.raises(FormulaError) as caught:
        check_atoms(parse(text), ["p", "solved", "box@(1,1)", "wall@(7,7)"])
    assert caught.value.column == column
    assert nearest in caught.value.message.partition("nearest: ")[2]
    assert "such as p, solved, box@(1,1), wall@(7,7)" in caught.value.message


@pytest.mark.parametrize(
    ("text", "is_off"),
    [("box@(99,1)", True), ("box@(1,8)", True), ("box@(7,7)", False), ("box@(0,1)", True), ("box@(1,0)", True)],
)
def test_the_message_on_an_atom_names_a_place_off_the_board(text: str, is_off: bool) -> None:
    with pytest.raises(FormulaError) as caught:
        check_atoms(parse(text), ["p", "box@(1,1)", "wall@(6,7)", "wall@(7,2)"])
    assert ("outside of rows 1 to 7 and columns 1 to 7" in caught.value.message) == is_off


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("AG m >= 2", 4, "found the number 'm', expected one of the numbers of this level: n"),
        ("p & solved >= 2", 5, "found the number 'solved', expected one of the numbers of this level: n"),
        ("p & n", 5, "found the number 'n', expected a comparison, such as n >= 1"),
    ],
)
def test_only_numbers_can_be_compared(text: str, column: int, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        check_atoms(parse(text), ["p", "solved"], ["n"])
    assert (caught.value.column, caught.value.message) == (column, message)
    with pytest.raises(FormulaError, match="expected no numbers in this level"):
        check_atoms(parse("n > 1"), ["p"])


# By puzzle: a small level, and the value of each of its numbers in a position, by the plain rules.
NUMBERS: dict[str, tuple[str, Callable[[Any, Any], dict[str, int]]]] = {
    "sokoban": (
        "#######\n#@$ . #\n# $*  #\n#  .  #\n#######\n",
        lambda level, position: {"boxes_on_goal": len(position.boxes & level.goals)},
    ),
    "folding": (
        "1 0 2 0\n0 0 0 0\n",
        lambda level, position: {
            "empty": sum(row.count(0) for row in position),
            "cells_1": sum(row.count(1) for row in position),
            "cells_2": sum(row.count(2) for row in position),
        },
    ),
    "tetravex": (
        "Tetravex 2\n0 1 2 3\n1 0 3 2\n2 2 2 2\n3 3 3 3\nPut\n0 0\n0 3\n",
        lambda level, position: {"tiles_on_board": sum(tile > 0 for tile in position)},
    ),
    "puzzlescript": (
        f"{GAME}\n########\n#.o.ps.#\n#......#\n########\n",
        lambda level, position: {
            "sled": sum("sled" in here for here in position.cells),
            "sled_on_hook": sum({"sled", "hook"} <= here for here in position.cells),
        },
    ),
}


@pytest.mark.parametrize("name", [each.name for each in puzzles().values() if each.vocabulary.counts])
def test_numbers_and_dead_agree_with_the_plain_rules(name: str) -> None:
    """Over all positions of a level, with both structures."""
    text, count = NUMBERS[name]
    rules = puzzle(name)
    (level,) = rules.screen.parse(text, "test")
    positions = [rules.rules.start(level)]
    after: dict[Any, set[Any]] = {}
    for position in positions:
        after[position] = {step.position for step in rules.rules.steps(level, position)}
        positions += after[position] - {*positions}
    alive = {position for position in positions if rules.rules.solved(level, position)}
    while more := {position for position in positions if after[position] & alive} - alive:
        alive |= more
    assert len(positions) > 5
    entry = Entry("test#1", "", rules, level, None)
    for engine in ("explicit", "symbolic") if rules.encode_faithfully(level).model.has_formulas else ("explicit",):
        answer = ask(entry, "dead", Limits(), engine).answer
        assert (answer.states, answer.satisfying) == (len(positions), len(positions) - len(alive))
        assert ask(entry, "!EF solved", Limits(), engine).answer.satisfying == answer.satisfying
        seen = set()
        for number in count(level, positions[0]):
            values = [count(level, position)[number] for position in positions]
            seen.add(len(set(values)))
            for sign, compared in COMPARED.items():
                for value in (0, 1, 2, 7):
                    answer = ask(entry, f"{number} {sign} {value}", Limits(), engine).answer
                    assert answer.satisfying == sum(compared(each, value) for each in values), (
                        number,
                        sign,
                        value,
                    )
        assert max(seen) > 1


@pytest.mark.parametrize("engine", ["explicit", "symbolic"])
def test_evidence_leads_to_a_number_and_to_a_dead_position(engine: str) -> None:
    (level,) = puzzle("sokoban").screen.parse(NUMBERS["sokoban"][0], "test")
    entry = Entry("test#1", "", puzzle("sokoban"), level, None)
    report = ask(entry, "EF boxes_on_goal == 2", Limits(), engine)
    assert report.answer.evidence is not None
    assert str(report.answer.evidence.claim) == "boxes_on_goal == 2"
    assert len(report.positions[-1].boxes & level.goals) == 2  # type: ignore[attr-defined]
    report = ask(entry, "AG !dead", Limits(), engine)
    assert report.answer.holds is False
    assert "then: dead" in report.as_text()
    assert ask(entry, f"{report.formula} <=> AG EF solved", Limits(), engine).answer.holds


@pytest.mark.parametrize("engine", ["explicit", "symbolic"])
@pytest.mark.parametrize(
    ("name", "text", "formulas"),
    [
        (
            "sokoban",
            "######\n#@$ .#\n###### #\n     #*#\n",
            {"AG !box@(1,1)": 0, "EF player@(2,8)": 1, "box@(4,7)": 0},
        ),
        ("folding", "2 0 0\n1 0 -1\n", {"AG 2@(1,1)": 0, "EF 1@(1,1)": 1, "filled@(2,3)": 1, "filled@(2,1)": 0}),
        ("tetravex", "Tetravex 1\n0 0 0 0\nPut\n1\n", {"AG 1@(1,1)": 0}),
    ],
)
def test_constant_facts_are_atoms(engine: str, name: str, text: str, formulas: dict[str, int]) -> None:
    (level,) = puzzle(name).screen.parse(text, "test")
    entry = Entry("test#1", "", puzzle(name), level, None)
    for formula, code in formulas.items():
        assert ask(entry, formula, Limits(), engine).exit_code == code, formula
    with pytest.raises(FormulaError, match="found the atom"):
        ask(entry, "EF filled@(9,9)", Limits(), engine)


@pytest.mark.parametrize("name", ["sokoban", "folding"])
def test_every_place_of_the_board_has_its_atoms(name: str) -> None:
    for entry in load(["screens/levels"]):
        rules = puzzle(name)
        if entry.puzzle != name or not entry.id.endswith("#2"):
            continue
        model, constants = rules.encode_faithfully(entry.level).model, rules.vocabulary.constants(entry.level)
        assert constants.keys().isdisjoint(model.atoms)
        rows = entry.level.rows  # type: ignore[union-attr]
        families = {atom.partition("@")[0] for atom in model.atoms if "@" in atom}
        assert {atom for atom in {*constants, *model.atoms} if "@" in atom} == {
            f"{family}@({row + 1},{column + 1})"
            for family in families
            for row in range(len(rows))
            for column in range(max(map(len, rows)))
        }


def test_a_model_refuses_formulas_over_unknown_atoms() -> None:
    model = puzzle("sokoban").encodings["compact"](level_of(LOSABLE)).model
    with pytest.raises(ModelError, match="unknown atom 'robot'"):
        query(model, parse("EF robot"), Budget())
    with pytest.raises(ModelError, match="unknown engine 'oracle'"):
        query(model, parse("EF solved"), Budget(), "oracle")


LOSABLE = "#######\n#     #\n# $@ .#\n#     #\n#######\n"
CORRIDOR = "#####\n#@$.#\n#####\n"


@pytest.fixture
def file(tmp_path: object) -> Callable[[str], str]:
    def write(text: str) -> str:
        path = tmp_path / ("level.xsb" if "#" in text else "level.fold")  # type: ignore[operator]
        path.write_text(text)
        return str(path)

    return write


def level_of(text: str) -> object:
    from puzzlemc.screens.sokoban import parse as read

    (level,) = read(text, "test")
    return level


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["query", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_the_shortest_path_to_a_stuck_state_is_drawn(file: Callable[[str], str]) -> None:
    code, out, _ = run(file(LOSABLE), "AG EF solved")
    assert code == 1
    assert "does not hold" in out
    assert "counterexample, 1 move: L\nthen: !EF solved" in out
    assert "after move 1: L\n#######\n#     #\n#$@  .#\n#     #\n#######" in out


def test_a_path_that_stays_in_a_state_is_a_lasso(file: Callable[[str], str]) -> None:
    board = file("1 0\n")
    code, out, _ = run(board, "EF EG (solved & stuck)", "--json")
    printed = json.loads(out)
    assert (code, printed["holds"], printed["states"], printed["satisfying"]) == (0, True, 2, 2)
    assert printed["evidence"] == {
        "kind": "witness",
        "trace": ["1R"],
        "moves": 1,
        "loop": 1,
        "stays": True,
        "claim": "solved & stuck",
        "checked": True,
    }
    code, out, _ = run(board, "EF EG (solved & stuck)")
    assert "no action is enabled then, so the run stays there; all along: solved & stuck" in out


def test_a_lasso_is_named_and_drawn(file: Callable[[str], str]) -> None:
    for engine in ("explicit", "symbolic"):
        code, out, _ = run(file(LOSABLE), "AF solved", "--engine", engine)
        assert code == 1
        assert "counterexample, 2 moves: " in out
        assert "then again from move 1 on, for ever; all along: !solved" in out
        assert "start, from here again and again\n#######" in out


def test_formulas_of_a_file_are_checked_one_after_another(file: Callable[[str], str], tmp_path: Path) -> None:
    level = file("######\n#@ $.#\n#    #\n######\n")
    asked = tmp_path / "formulas.ctl"
    for lines, code, held in [
        ("# a comment\nEF solved  # and one more\n\nEF boxes_on_goal >= 1\n", 0, [True, True]),
        ("EF solved\nAG EF solved\n", 1, [True, False]),
        ("AG EF solved\nEF sloved\nEF solved\n", 2, [False, None, True]),
    ]:
        asked.write_text(lines)
        done = puzzlemc("query", level, "-f", asked, "--json")
        assert done.returncode == code
        printed = [json.loads(line) for line in done.stdout.splitlines()]
        assert [each["holds"] for each in printed] == held
        assert {(each["id"], each["puzzle"], each["encoding"]) for each in printed} == {
            (f"{level}#1", "sokoban", "compact")
        }
        done = puzzlemc("query", level, "--file", asked)
        assert done.returncode == code
        assert done.stdout.count(f"{level}#1: ") == len([each for each in held if each is not None])
    assert f"error: {asked}:2:4: found the atom 'sloved', expected" in done.stderr
    for lines, message in [("# nothing\n", "found no formula"), (None, "No such file")]:
        asked.unlink() if lines is None else asked.write_text(lines)
        done = puzzlemc("query", level, "-f", asked)
        assert (done.returncode, message in done.stderr) == (2, True)
    for arguments in [(), ("EF solved", "-f", str(asked))]:
        done = puzzlemc("query", level, *arguments)
        assert (done.returncode, "expected one of a formula and --file" in done.stderr) == (2, True)


def test_the_states_are_explored_once_for_all_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    (level,) = puzzle("sokoban").screen.parse(NUMBERS["sokoban"][0], "test")
    entry = Entry("test#1", "", puzzle("sokoban"), level, None)
    explored = []
    monkeypatch.setattr(check, "explore", lambda *args: explored.append(args) or explore(*args))
    first, again = (ask(entry, text, Limits()).answer for text in ("EF dead", "EF dead"))
    assert (len(explored), first) == (1, again)
    other = Entry("test#1", "", puzzle("sokoban"), level, None)
    ask(other, "EF dead", Limits())
    assert len(explored) == 2
    # The worker recognises a level that it receives once for each formula.
    (part,) = puzzle("sokoban").screen.cut(NUMBERS["sokoban"][0], "test")
    assert isinstance(part, Part)
    for _ in range(2):
        ask(Entry("test#1", "", puzzle("sokoban"), part=part), "EF dead", Limits())
    assert len(explored) == 3


def test_the_exit_code_shows_the_answer(file: Callable[[str], str]) -> None:
    assert run(file(CORRIDOR), "AG EF solved")[0] == 0
    assert run(file(CORRIDOR), "EX !solved")[0] == 1
    code, out, _ = run(file(LOSABLE), "AG EF solved", "--timeout", "0.000001")
    assert (code, "unknown: timeout" in out) == (3, True)
    for bad in ["AG EF sloved", "AG (", "1@(0,0)"]:
        code, out, err = run(file(CORRIDOR), bad)
        assert (code, out) == (2, "")
        assert "column" in err
    assert run(file(CORRIDOR), "solved", "--engine", "x")[0] == 2
    assert run(file("no level"), "solved")[0] == 2


def test_several_levels_have_a_row_each(file: Callable[[str], str]) -> None:
    path = file(f"{CORRIDOR}\n{LOSABLE}")
    done = puzzlemc("query", path, "AG EF solved")
    assert done.returncode == 1
    head, first, second, summary = done.stdout.splitlines()
    assert head.split() == ["level", "answer", "true", "in", "evidence"]
    assert first.split()[:2] == [f"{path}#1", "holds"]
    assert second.split()[0] == f"{path}#2"
    assert re.search(r"does not hold +\d+ of \d+  counterexample L$", second)
    assert summary == "2 levels, 2 answers: 1 hold, 1 do not hold"
    done = puzzlemc("query", path, "AG EF solved", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["id"], row["holds"]) for row in rows] == [(f"{path}#1", True), (f"{path}#2", False)]
    assert rows[1]["evidence"]["trace"] == "L"


def test_several_levels_and_formulas_have_a_row_each(file: Callable[[str], str], tmp_path: Path) -> None:
    path = file(f"{CORRIDOR}\n{LOSABLE}")
    asked = tmp_path / "formulas.ctl"
    asked.write_text("EF solved\nAG EF solved\n")
    done = puzzlemc("query", f"{path}#1", f"{path}#2", "-f", asked)
    rows = [line.split("  ")[:2] for line in done.stdout.splitlines()[1:-1]]
    assert rows == [[f"{path}#{n}", text] for n in (1, 2) for text in ("EF solved", "AG EF solved")]
    assert done.returncode == 1
    asked.write_text("EF solved\n")
    assert puzzlemc("query", path, "-f", asked).returncode == 0


def test_a_broken_level_does_not_prevent_answers_on_the_others(file: Callable[[str], str]) -> None:
    path = file(f"{CORRIDOR}\n#####\n#$.$#\n#####\n\n{LOSABLE}")
    done = puzzlemc("query", path, "EF solved", "--json")
    assert done.returncode == 2
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["holds"] for row in rows] == [True, None, True]
    assert path in rows[1]["reason"]
    assert done.stderr.count("error: ") == 1
    # An atom that one of the levels lacks is an error of that level alone.
    done = puzzlemc("query", path, "EF player@(6,6)")
    assert "3 levels, 3 answers: " in done.stdout
    assert done.returncode == 2
    # A syntax error in the formula is reported once.
    done = puzzlemc("query", path, "EF (")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("column 5") == 1


def test_several_levels_may_have_unknown_answers(file: Callable[[str], str]) -> None:
    done = puzzlemc("query", file(f"{CORRIDOR}\n{LOSABLE}"), "EF solved", "--timeout", "0.000001")
    assert done.returncode == 3
    assert "unknown: timeout" in done.stdout
    assert "2 levels, 2 answers: 2 unknown" in done.stdout


def test_wrong_evidence_is_refuted() -> None:
    rules, level = puzzle("sokoban"), level_of(LOSABLE)
    encoded = rules.encodings["compact"](level)
    evidence = query(encoded.model, parse("EF solved"), Budget()).evidence
    assert evidence is not None
    moves = encoded.moves(evidence.trace)
    assert len(replay_evidence(rules, level, encoded, evidence, moves)) == len(moves) + 1
    states = evidence.trace.states
    shifted = replace(evidence, trace=replace(evidence.trace, states=(*states[1:], states[0])))
    for wrong, names, message in [
        (evidence, moves[:-1], "do not fit"),
        (evidence, ["x", *moves[1:]], "not a legal move"),
        (shifted, moves, "not the position"),
        (replace(evidence, loop=0), moves, "does not close"),
        (replace(evidence, loop=len(moves)), moves, "has moves"),
    ]:
        with pytest.raises(Refuted, match=message):
            replay_evidence(rules, level, encoded, wrong, names)


def named(kind: str) -> str:
    """A pattern in which words in capitals stand for names."""
    return re.sub("[A-Z]{2,}", "[a-z_]+", kind)


@pytest.mark.parametrize("name", [each.name for each in puzzles().values() if each.game is None])
def test_every_puzzle_describes_its_atoms(name: str) -> None:
    """Each atom of the shipped levels is of exactly one described kind, and each kind occurs."""
    from importlib.resources import files
    from re import escape, fullmatch, sub

    folder = files("puzzlemc.screens") / "levels" / name
    rules = puzzle(name)
    assert rules.vocabulary.encoding in rules.encodings
    assert rules.vocabulary.atoms.keys().isdisjoint(NAMED)
    assert CliRunner().invoke(app, ["puzzles", name]).exit_code == 0
    entry = next(entry for entry in load([str(folder)]) if entry.level is not None)
    atoms = rules.encode_faithfully(entry.level).model.atoms
    kinds = [escape(kind) for kind in rules.vocabulary.atoms]
    for letter in "rcN":
        kinds = [sub(rf"\b{letter}\b", r"\\d+", kind) for kind in kinds]
    kinds = [named(kind) for kind in kinds]
    for atom in atoms:
        assert sum(fullmatch(kind, atom) is not None for kind in kinds) == 1, atom
    for kind in kinds:
        assert any(fullmatch(kind, atom) for atom in atoms), kind
    counts = rules.encode_faithfully(entry.level).model.counts
    kinds = [named(re.sub("(?<![A-Z])N(?![A-Z])", r"\\d+", kind)) for kind in rules.vocabulary.counts]
    assert all(any(fullmatch(kind, number) for kind in kinds) for number in counts)
    assert all(any(fullmatch(kind, number) for number in counts) for kind in kinds)
    assert rules.vocabulary.counts.keys() <= set(
        re.findall(r"\w+", CliRunner().invoke(app, ["puzzles", name]).stdout)
    )
