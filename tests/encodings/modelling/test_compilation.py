"""Systems as models: the same positions, steps, costs, goals and facts as by the plain rules, and errors found."""

from collections.abc import Hashable

import pytest
from random_systems import random_system
from system_reference import METRIC, truth, wrong

from examples import examples
from puzzlemc.encodings.modelling.language.constraint import blank
from puzzlemc.encodings.modelling.language.evaluation import Evaluation
from puzzlemc.encodings.modelling.language.expressions import All, AnyOf, Expression
from puzzlemc.encodings.modelling.language.functions import Count, Min, Sum, apply
from puzzlemc.encodings.modelling.language.system import System
from puzzlemc.encodings.modelling.model import formulas, steps
from puzzlemc.encodings.modelling.model.assignments import count
from puzzlemc.encodings.modelling.model.compilation import encoded, faithful
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.engines.registry import ENGINES, PLANNER
from puzzlemc.mc.errors import ModelError, Refuted, Unsuitable
from puzzlemc.mc.graph.state_graph import explore
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.formula import State, disjuncts, holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import initial_state, run_of
from puzzlemc.mc.verdict import Reachable, Unreachable

MOST = 100  # positions of a system


def compared(system: System) -> tuple[int, int]:
    """Compare the model of a system with its plain rules, position by position: how many, and how many fail."""
    evaluation = Evaluation(system)
    made = encoded(evaluation, [METRIC])
    made.model.validate()
    first = initial_state(made.model)
    seen, todo, failed = {made.decode(first)}, [first], 0
    assert made.decode(first) == evaluation.start
    for state in todo:
        failed += not agree(evaluation, made, state)
        for _, after in made.model.successors(state):
            if len(seen) < MOST and made.decode(after) not in seen:
                seen.add(made.decode(after))
                todo.append(after)
    return len(todo), failed


def agree(evaluation: Evaluation, made: Encoded, state: State) -> bool:
    """Compare one position; false if it is an error by the plain rules."""
    system, atoms, position = evaluation.system, made.model.atoms, made.decode(state)
    assert isinstance(position, tuple)
    for fact in system.named:
        name = fact.name if fact.place is None else f"{fact.name}@({fact.place[0] + 1},{fact.place[1] + 1})"
        assert holds(atoms[name], state) == is_true(evaluation, fact.truth, position)
    if "lost" in atoms:
        assert holds(atoms["lost"], state) == is_true(evaluation, system.lost, position)
    assert holds(atoms["solved"], state) == is_true(evaluation, system.goal, position)
    try:
        by_rules = [(each.name, each.cost(METRIC), after) for each, after in evaluation.successors(position)]
        solved = evaluation.holds(system.goal, position)
    except ModelError:
        assert holds(made.model.goal, state), "an error is no goal of the model"
        return False
    found = [(each.name, each.costs[METRIC], made.decode(after)) for each, after in made.model.successors(state)]
    assert sorted(found, key=repr) == sorted(by_rules, key=repr)
    assert holds(made.model.goal, state) == solved
    return True


def is_true(evaluation: Evaluation, expression: Expression, position: tuple[Hashable, ...]) -> bool:
    try:
        return evaluation.holds(expression, position)
    except ModelError:
        return False


@pytest.mark.parametrize(("few_cases", "most_cases"), [(512, 4096), (1, 1), (6, 16)])
def test_models_have_the_steps_of_the_plain_rules(
    few_cases: int, most_cases: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nearly all actions are formulas, and expressions are put together from their parts."""
    monkeypatch.setattr(formulas, "FEW_CASES", few_cases)
    monkeypatch.setattr(steps, "FEW_CASES", few_cases)
    monkeypatch.setattr(steps, "MOST_CASES", most_cases)
    found = [compared(random_system(seed)) for seed in range(examples(16, 300))]
    assert sum(positions for positions, _ in found) > 150
    assert sum(failed for _, failed in found) > 5


def test_engines_find_what_textbook_search_finds() -> None:
    answers = 0
    for seed in range(examples(12, 200)):
        evaluation = Evaluation(random_system(seed, faults=seed % 3 > 0))
        known = truth(evaluation, 300)
        if known is None:
            continue
        made = encoded(evaluation, [METRIC])
        for engine in (PLANNER, ENGINES["bidirectional"], ENGINES["explicit"]):
            for metric in (METRIC, ANY):
                try:
                    verdict = engine(made.model, metric, Budget())
                except Unsuitable:
                    continue
                answers += isinstance(verdict, Reachable | Unreachable)
                assert wrong(known, made, evaluation, verdict, metric) is None, (seed, engine.name, metric)
    assert answers > 40


def model_of(system: System) -> Model:
    return encoded(Evaluation(system), [METRIC]).model


def test_lights_that_are_switched_stay_one_action() -> None:
    system = System()
    lamp = system.flags("lamp", {(row, column): row == column for row in range(3) for column in range(3)})
    for row, column in lamp:
        near = [(row, column), (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        system.action(f"{row},{column}", True, {lamp[place]: ~lamp[place] for place in near if place in lamp})
    system.goal = All(~each for each in lamp.values())
    model = model_of(system)
    middle = [action for action in model.actions if action.name == "1,1"]
    assert [len(action.formulas) for action in middle] == [5]
    assert model.goal == dict.fromkeys(model.bits, False)
    assert compared(system) == (MOST, 0)


def test_numbers_that_are_poured_become_cases() -> None:
    system = System()
    one, other = system.number("one", 0, 9), system.number("other", 0, 7, 7)
    poured = Min(one, 7 - other)
    system.action("fill", one < 9, {one: 9})
    system.action("pour", poured > 0, {one: one - poured, other: other + poured})
    system.action("empty", other != 0, {other: 0})
    system.goal = (one == 4) | (other == 4)
    model = model_of(system)
    assert all(action.is_plain for action in model.actions)
    assert [sum(action.name == name for action in model.actions) for name in ("fill", "pour", "empty")] == [
        1,
        63,
        1,
    ]
    assert compared(system) == (32, 0)
    verdict = auto(model, METRIC, Budget()).verdict
    assert isinstance(verdict, Reachable)
    known = truth(Evaluation(system), MOST)
    assert known is not None
    assert verdict.cost == known.solved == 7


def test_sums_of_many_parts_are_no_cases() -> None:
    system = System()
    lamp = system.flags("lamp", range(16))
    for n in lamp:
        system.action(f"{n}", Count(lamp) < 3, {lamp[n]: True})
    system.action("all", Count(lamp) == 3, dict.fromkeys(lamp.values(), True))
    system.goal = Sum(Count(lamp)) == 16
    verdict = ENGINES["bidirectional"](model_of(system), METRIC, Budget())
    assert isinstance(verdict, Reachable)
    assert verdict.cost == 4


def counter(last: int, **options: str) -> System:
    """A number that grows by one, up to 9; the goal is a value."""
    system = System(**options)  # type: ignore[arg-type]
    x = system.number("x", 0, 9)
    system.action("up", True, {x: x + 1})
    system.goal = x == last
    return system


def test_a_value_outside_its_domain_is_an_error_where_it_is_reached() -> None:
    made = encoded(Evaluation(counter(9)), [METRIC])
    verdict = auto(made.model, METRIC, Budget()).verdict
    assert isinstance(verdict, Reachable)
    assert made.moves(verdict.trace) == ["up"] * 9  # the goal comes first, and nothing is wrong
    made = encoded(Evaluation(counter(10)), [METRIC])
    verdict = auto(made.model, METRIC, Budget()).verdict
    assert isinstance(verdict, Reachable)
    with pytest.raises(ModelError, match="action up: found 10 for x, expected 0 to 9, at x = 9"):
        made.moves(verdict.trace)


def test_a_value_outside_its_domain_may_disable_the_action() -> None:
    made = encoded(Evaluation(counter(10, outside="disable")), [METRIC])
    assert isinstance(auto(made.model, METRIC, Budget()).verdict, Unreachable)


def test_errors_in_goals_and_guards_are_reported() -> None:
    for kind in ("goal", "guard"):
        system = counter(10, outside="disable")
        (x,) = system.variables
        odd = apply(lambda value: 1 // (5 - value) < 0, x)
        if kind == "goal":
            system.goal = odd
        else:
            system.action("odd", odd, {x: 0})
        made = encoded(Evaluation(system), [METRIC])
        verdict = auto(made.model, METRIC, Budget()).verdict
        assert isinstance(verdict, Reachable)
        with pytest.raises(ModelError, match=r"found ZeroDivisionError: .*, at x = 5"):
            made.moves(verdict.trace)


def test_too_many_combinations_are_an_error_that_names_the_expression() -> None:
    system = System()
    x, y = system.number("x", 0, 999), system.number("y", 0, 999)
    system.action("up", x * y < 500, {x: y, y: x})
    system.goal = x == 999
    with pytest.raises(ModelError, match=r"found 1000000 combinations of values of \(x \* y\), expected at most"):
        model_of(system)


def test_variables_named_by_words_are_atoms() -> None:
    system = System()
    system.flag("open")
    system.flag("door to the left")
    system.flag("solved")
    system.flags("wet", {(0, 1): True, (2, 0): False})
    system.flags("lamp", range(3))
    sledge = system.choice("sledge", [(0, 0), (0, 1)], (0, 1))
    system.choice("colour", ["red", "green", "blue"])
    system.fact("home", sledge == (0, 0))
    system.goal = system.variables[0]
    made = encoded(Evaluation(system), [METRIC])
    start = initial_state(made.model)
    assert {name: holds(formula, start) for name, formula in made.model.atoms.items()} == {
        "solved": False,
        "home": False,
        "open": False,
        "wet@(1,2)": True,
        "wet@(3,1)": False,
        "sledge@(1,1)": False,
        "sledge@(1,2)": True,
    }
    assert made.places == {
        "wet": {(0, 1): "wet@(1,2)", (2, 0): "wet@(3,1)"},
        "sledge": {(0, 0): "sledge@(1,1)", (0, 1): "sledge@(1,2)"},
    }


def test_known_moves_become_actions() -> None:
    system = counter(3)
    made = encoded(Evaluation(system), [METRIC])
    assert made.plan is not None
    run_of(made.model, made.plan(["up"] * 3)).check(made.model)
    with pytest.raises(Refuted, match="down is no action in state 1"):
        made.plan(["up", "down"])


def test_goals_are_cubes_where_that_is_possible() -> None:
    system = System()
    x, y = system.number("x", 0, 4), system.choice("y", "abc")
    system.action("up", True, {x: (x + 1) % 5, y: "b"})
    for goal in ((x == 1) & (y == "a"), (x > 0) & (y != "a"), (x % 3 == 2) & AnyOf(y == "a", y == "c")):
        system.goal = goal
        assert isinstance(model_of(system).goal, dict)
    system.goal = AnyOf(x == 1, y == "b")
    assert len(disjuncts(model_of(system).goal)) == 2


def test_an_error_behind_the_goal_is_none() -> None:
    """A search may end in a state with an error, by steps without a cost that lead on from the goal."""
    system = System()
    x = system.number("x", 0, 1)
    system.action("up", True, {x: x + 1}, cost=0)
    system.goal = x == 0
    made = encoded(Evaluation(system), [METRIC])
    assert made.plan is not None
    assert made.moves(run_of(made.model, made.plan(["up"]))) == []


def test_questions_about_all_positions_know_of_errors_behind_the_goal() -> None:
    with pytest.raises(ModelError, match="action up: found 10 for x, expected 0 to 9, at x = 9"):
        faithful(Evaluation(counter(3)), [METRIC])


def test_errors_that_no_position_reaches_are_none() -> None:
    system = System()
    x = system.number("x", 0, 9)
    system.action("up", x < 8, {x: x + 2})
    system.action("odd", x % 2 == 1, {x: 10 - x + x})
    system.goal = x == 4
    evaluation = Evaluation(system)
    assert not isinstance(encoded(evaluation, [METRIC]).model.goal, dict)
    assert isinstance(faithful(evaluation, [METRIC]).model.goal, dict)


def test_all_positions_have_errors_where_the_plain_rules_have_them() -> None:
    whole = failed = 0
    for seed in range(examples(20, 300)):
        evaluation = Evaluation(random_system(seed))
        error = fails(evaluation)
        if error is None:
            continue
        try:
            made = faithful(evaluation, [METRIC])
        except ModelError:
            assert error
            failed += 1
            continue
        assert not error
        graph = explore(made.model, Budget())
        for number in range(len(graph)):
            position = made.decode(graph.state(number))
            assert isinstance(position, tuple)
            assert holds(made.model.goal, graph.state(number)) == evaluation.holds(
                evaluation.system.goal, position
            )
        whole += 1
    assert whole > 3
    assert failed > 3


def fails(evaluation: Evaluation) -> bool | None:
    """Do the plain rules have an error in reach, also behind solved positions? None for too many positions."""
    found, todo = {evaluation.start}, [evaluation.start]
    for position in todo:
        try:
            evaluation.holds(evaluation.system.goal, position)
            fresh = {after for _, after in evaluation.successors(position)} - found
        except ModelError:
            return True
        found |= fresh
        todo += fresh
        if len(found) > MOST:
            return None
    return False


def test_what_only_seems_to_be_an_error_is_none() -> None:
    """A value of a family that a place chooses: its parts alone do not say that there is one for each place."""
    system = System()
    places = [(row, column) for row in range(5) for column in range(5)]
    lamp, at = system.flags("lamp", places), system.choice("at", places)
    for row, column in ((0, 1), (1, 0), (4, 4)):
        system.action(f"{row},{column}", ~lamp[at], {at: (row, column), lamp[row, column]: ~lamp[at]})
    system.goal = lamp[at]
    model = model_of(system)
    assert model.goal is model.atoms["solved"]
    assert compared(system)[1] == 0


def test_actions_with_formulas_have_variables_in_binary() -> None:
    """Plain actions have a bit for each value."""
    system = System()
    x, y = system.number("x", 0, 20), system.number("y", 0, 20, 20)
    system.action("up", x < 20, {x: x + 1})
    system.goal = x == 5
    assert len(model_of(system).bits) == 42
    system.action("both", True, {x: (x + 1) % 21, y: (y + 7) % 21})
    assert len(model_of(system).bits) == 10
    assert compared(system)[1] == 0


@pytest.mark.parametrize(
    "values", [(True, False), (False, True), ("no", "yes"), ("no", "yes", "perhaps"), ("yes",)]
)
def test_an_error_for_one_value_of_a_choice_is_reported(values: tuple[Hashable, ...]) -> None:
    for value in values:
        system = System()
        x, choice = system.number("x", 0, 3), system.choice("choice", values, value)
        system.action("up", choice == value, {x: x + 1})
        system.goal = x == 7
        made = encoded(Evaluation(system), [METRIC])
        verdict = auto(made.model, METRIC, Budget()).verdict
        assert isinstance(verdict, Reachable)
        with pytest.raises(ModelError, match="action up: found 4 for x"):
            made.moves(verdict.trace)


def test_truth_values_of_a_choice_have_any_order() -> None:
    system = System(constraint=True)
    system.goal = system.choice("odd", (True, False)) ^ system.choice("even", (False, True))
    assert count(blank(Evaluation(system)), Budget()) == 2


def test_the_number_of_plain_actions_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MOST_ACTIONS", 10)
    system = System()
    number = system.numbers("x", range(4), 0, 4)
    for n, x in number.items():
        system.action(f"up {n}", x < 4, {x: x + 1})
    system.action("reset", number[3] == 4, {number[0]: 0})
    system.goal = Sum(number) == 16
    assert [action.is_plain for action in model_of(system).actions] == [True] * 12 + [False, True]
    assert compared(system) == (MOST, 0)
