"""Models whose actions have formulas are first searched state by state: verdicts, costs, proofs, and the limit."""

from collections import Counter

import pytest
from random_systems import random_system
from system_reference import METRIC, truth, wrong

from examples import examples
from puzzlemc.encodings.modelling.language.evaluation import Evaluation
from puzzlemc.encodings.modelling.model.compilation import encoded
from puzzlemc.mc.engines import portfolio
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.engines.uniform_cost import TRIES, uniform_cost
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, Action
from puzzlemc.mc.model.expressions import And
from puzzlemc.mc.model.formula import TRUE
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.states import check_states
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, resolved


def test_answers_are_those_of_textbook_search_and_have_proofs() -> None:
    found = Counter[str]()
    for seed in range(examples(24, 400)):
        evaluation = Evaluation(random_system(seed, faults=seed % 3 > 0))
        known = truth(evaluation, 300)
        made = encoded(evaluation, [METRIC])
        if known is None or all(action.is_plain for action in made.model.actions):
            continue
        for metric in (METRIC, ANY):
            decision = auto(made.model, metric, Budget(), proving="bits")
            verdict, proof = decision.verdict, resolved(decision.verdict.proof)
            assert decision.engine == "explicit"
            assert wrong(known, made, evaluation, verdict, metric) is None, (seed, metric)
            if isinstance(verdict, Unreachable) or metric != ANY:
                assert isinstance(verdict, Reachable | Unreachable)
                assert isinstance(proof, ListedStates)
                assert proof.below == (verdict.cost if isinstance(verdict, Reachable) else None)
                check_states(made.model, proof, Budget())
            found[type(verdict).__name__] += 1
    assert found["Reachable"] > 8
    assert found["Unreachable"] > 4


def adder(width: int, actions: int) -> Model:
    """A binary counter, which each of the actions increments: the goal, all ones, is 2**width - 1 steps away."""
    variables = tuple(boolean("c", number) for number in range(width))
    bits = [variable.bits[0] for variable in variables]
    update = {}
    for number, b in enumerate(bits):
        lower = And(*bits[:number])
        update[b] = (b & ~lower) | (~b & lower)
    steps = tuple(Action(f"add{number}", TRUE, update, {METRIC: 1}) for number in range(actions))
    return Model(variables, dict.fromkeys(bits, False), steps, dict.fromkeys(bits, True))


@pytest.mark.parametrize(
    ("actions", "most", "least"),
    [(1, 64, None), (1, 62, 62), (TRIES, 64, None), (TRIES + 1, 64, TRIES * 64 // (TRIES + 1))],
)
def test_a_search_ends_after_a_number_of_states_and_of_tries(actions: int, most: int, least: int | None) -> None:
    """The bound is the cost of the states that were seen last."""
    for metric in (METRIC, ANY):
        verdict = uniform_cost(adder(6, actions), metric, Budget(), most_states=most)
        if least is None:
            assert isinstance(verdict, Reachable)
            assert (verdict.cost, verdict.optimal) == (63, metric != ANY)
        else:
            assert isinstance(verdict, Unknown)
            assert (verdict.reason, verdict.bound) == ("bound", least)


def test_a_model_of_many_states_is_left_to_other_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    model = adder(6, 1)
    assert auto(model, METRIC, Budget(), many=True).engine == "explicit"
    short = portfolio.Stage("explicit", {"most_states": 20})
    monkeypatch.setattr(portfolio, "BY_FORMULAS", short)
    decision = auto(model, METRIC, Budget(), many=True)
    assert decision.engine != "explicit"
    assert isinstance(decision.verdict, Reachable)
    assert (decision.verdict.cost, decision.verdict.optimal) == (63, True)
