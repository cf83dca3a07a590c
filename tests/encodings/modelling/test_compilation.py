"""Systems as models: the same positions, steps, costs, goals and facts as by the plain rules, and faults found."""

from collections.abc import Hashable

import pytest

from puzzlemc.encodings.modelling import formulas, steps
from puzzlemc.encodings.modelling.compilation import encoded
from puzzlemc.encodings.modelling.evaluation import Evaluation
from puzzlemc.encodings.modelling.system import System
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.model.formula import State, holds
from puzzlemc.mc.model.trace import initial_state
from tests.examples import examples
from tests.random_systems import random_system

MOST = 100  # positions of a system


def compared(system: System) -> tuple[int, int]:
    """Compare the model of a system with its plain rules, position by position: how many, and how many fail."""
    evaluation = Evaluation(system)
    made = encoded(evaluation, ["moves"])
    made.model.validate()
    first = initial_state(made.model)
    seen, todo, failed = {made.decode(first): first}, [first], 0
    assert made.decode(first) == evaluation.start
    for state in todo:
        position = made.decode(state)
        failed += not agree(evaluation, made, state, position)
        for _, after in made.model.successors(state):
            if len(seen) < MOST and made.decode(after) not in seen:
                seen[made.decode(after)] = after
                todo.append(after)
    return len(todo), failed


def agree(evaluation: Evaluation, made: Encoded, state: State, position: tuple[Hashable, ...]) -> bool:
    """Compare one position; false if it is an error by the plain rules."""
    system = evaluation.system
    for fact in system.named:
        name = fact.name if fact.place is None else f"{fact.name}@({fact.place[0] + 1},{fact.place[1] + 1})"
        assert holds(made.model.atoms[name], state) == is_true(evaluation, fact.truth, position)
    if "lost" in made.model.atoms:
        assert holds(made.model.atoms["lost"], state) == is_true(evaluation, system.lost, position)
    assert holds(made.model.atoms["solved"], state) == is_true(evaluation, system.goal, position)
    try:
        by_rules = [(each.name, each.cost("moves"), after) for each, after in evaluation.successors(position)]
        evaluation.holds(system.goal, position)
    except ModelError:
        assert holds(made.model.goal, state), "an error is no goal of the model"
        return False
    found = [(each.name, each.costs["moves"], made.decode(after)) for each, after in made.model.successors(state)]
    assert sorted(found, key=repr) == sorted(by_rules, key=repr)
    assert holds(made.model.goal, state) == evaluation.holds(system.goal, position)
    return True


def is_true(evaluation: Evaluation, truth: object, position: tuple[Hashable, ...]) -> bool:
    try:
        return evaluation.holds(truth, position)  # type: ignore[arg-type]
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
    found = [compared(random_system(seed)) for seed in range(examples(25, 300))]
    assert sum(positions for positions, _ in found) > 250
    assert sum(failed for _, failed in found) > 5
