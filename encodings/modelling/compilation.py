"""From a system to its model: the second reading of what the author wrote, apart from the plain rules.

Variables become bits (`coding`), actions become plain actions or actions with formulas (`steps`), conditions
become cubes or formulas (`formulas`). Where a step or the goal is an error by the plain rules (`evaluation`), the
model has a goal state: a search ends there, and the moves that lead there raise the error.
"""

from collections.abc import Sequence

from puzzlemc.encodings.modelling.atoms import SOLVED, named, places
from puzzlemc.encodings.modelling.coding import Coding
from puzzlemc.encodings.modelling.conditions import condition
from puzzlemc.encodings.modelling.evaluation import Evaluation
from puzzlemc.encodings.modelling.formulas import Formulas
from puzzlemc.encodings.modelling.steps import Steps
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.model.action import Action, names
from puzzlemc.mc.model.formula import Bit, holds
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.lazy import LazyMapping
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace, initial_state
from puzzlemc.mc.proofs.circuit import FALSE


def encoded(evaluation: Evaluation, metrics: Sequence[str]) -> Encoded:
    """The model of a system, with the way back to positions. Raises ModelError for a too large expression."""
    system = evaluation.system
    coding = Coding(system.variables)
    formulas, init = Formulas(coding), dict[Bit, bool]()
    steps = Steps(formulas, metrics)
    for variable, value in enumerate(evaluation.start):
        init |= coding.change(variable, None, coding.number[variable][value])
    actions = tuple(made for each in system.actions for made in steps.of(each))
    solved, fails = condition(formulas, system.goal)
    faults = formulas.circuit.disj([*steps.faults, fails])
    goal = solved if faults == FALSE else formulas.either(solved, faults)
    atoms = LazyMapping(lambda: {SOLVED: solved, **named(system, Formulas(coding))})
    groups = tuple(each.bits for each in coding.variables if len(each.bits) == len(each.values) > 1)
    model = Model(coding.variables, init, actions, goal, atoms, Hints(exclusive=groups))
    fault = None if faults == FALSE else formulas.formula(faults)

    def moves(trace: Trace) -> list[str]:
        found = names(trace.actions)
        if fault is None or not holds(fault, trace.states[-1]):
            return found
        for number, state in enumerate(trace.states):  # steps without cost may lead on from the goal
            if holds(solved, state):
                return found[:number]
        position = coding.decode(trace.states[-1])
        evaluation.holds(system.goal, position)
        for _ in evaluation.successors(position):
            pass
        raise Refuted(f"the model fails at {evaluation.words(position)}, the plain rules do not")

    by_name: dict[str, list[Action]] = {}

    def plan(wanted: Sequence[str]) -> list[Action]:
        if not by_name:
            for each in actions:
                by_name.setdefault(each.name, []).append(each)
        state, found = initial_state(model), list[Action]()
        for name in wanted:
            able = [each for each in by_name.get(name, ()) if each.enabled(state)]
            if not able:
                raise Refuted(f"{name} is no action in state {len(found)} of the plan")
            found.append(able[0])
            state = able[0].fire(state)
        return found

    return Encoded(model, coding.decode, moves, places(system), plan)
