"""The plain rules agree with the model of the translator, and with the simulator of unified-planning."""

import random
import warnings
from pathlib import Path
from typing import Any

import pytest
from pddl_steps import check_steps, level_of
from places import ROOT
from random_problems import write_random_problem

from puzzlemc.encodings.pddl import rules
from puzzlemc.encodings.puzzles import puzzles

pytest.importorskip("fast_downward", reason="needs fast-downward-translate")

FOLDER = ROOT / "screens" / "levels" / "pddl"
FILES = sorted(path for path in FOLDER.glob("*.pddl") if "domain" not in path.stem)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_model_has_the_steps_of_the_plain_rules(path: Path) -> None:
    check_steps(level_of(path))


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 100), marks=pytest.mark.slow)])
def test_random_models_have_the_steps_of_the_plain_rules(tmp_path: Path, seeds: range) -> None:
    states = [check_steps(level_of(write_random_problem(tmp_path, seed))) for seed in seeds]
    assert sum(count > 4 for count in states) > len(seeds) // 4


@pytest.mark.parametrize("stem", ["ferry", "lamps", "hats"])  # it knows no derived predicates
def test_the_plain_rules_agree_with_another_simulator(stem: str) -> None:
    pytest.importorskip("unified_planning")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from unified_planning.engines.sequential_simulator import UPSequentialSimulator
        from unified_planning.io import PDDLReader
        from unified_planning.shortcuts import get_environment

        get_environment().credits_stream = None
        problem = PDDLReader().parse_problem(str(FOLDER / f"{stem}-domain.pddl"), str(FOLDER / f"{stem}.pddl"))
        simulator = UPSequentialSimulator(problem, error_on_failed_checks=False)
        level = level_of(FOLDER / f"{stem}.pddl")
        position, state = rules.start(level), simulator.get_initial_state()
        draw = random.Random(1)
        for _ in range(6):
            own = {step.name: step.position for step in rules.steps(level, position)}
            others = {}
            for action, objects in simulator.get_applicable_actions(state):
                arguments = ",".join(map(str, objects))
                others[f"{action.name}({arguments})" if arguments else action.name] = (action, objects)
            assert own.keys() == others.keys()
            assert rules.solved(level, position) == simulator.is_goal(state)
            name = draw.choice(sorted(own))
            position, state = own[name], simulator.apply(state, *others[name])
            for fluent in problem.fluents:
                if fluent.type.is_bool_type() and fluent.name in level.domain.changing:
                    for fact in _facts(problem, fluent):
                        value = state.get_value(fact).bool_constant_value()
                        assert (str(fact).replace(" ", "") in position) == value


def _facts(problem: Any, fluent: Any) -> list[Any]:
    from unified_planning.model.fluent import get_all_fluent_exp

    return list(get_all_fluent_exp(problem, fluent))


def test_moves_that_are_none() -> None:
    level = level_of(FOLDER / "hats.pddl")
    start = rules.start(level)
    for name in (
        "move",
        "move()",
        "move(small)",
        "move(small,middle,small)",
        "move(left,middle,right)",
        "fly(small)",
    ):
        assert rules.step(level, start, name) is None
    assert rules.step(level, start, "move(small,middle,right)") is not None


def test_atoms_that_never_change_are_constants() -> None:
    level = level_of(FOLDER / "hats.pddl")
    constants = puzzles()["pddl"].vocabulary.constants(level)
    assert constants["smaller(small,middle)"]
    assert not constants["smaller(middle,small)"]
    assert "on(small,left)" not in constants
