"""From a system to its model: the second reading of what the author wrote, apart from the plain rules.

Variables become bits (`coding`), actions become plain actions or actions with formulas (`steps`), conditions
become cubes or formulas (`formulas`). Where a step or the goal is an error by the plain rules (`evaluation`), the
model has a goal state: a search ends there, and the moves that lead there raise the error.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from puzzlemc.encodings.modelling.language.evaluation import Evaluation, Position
from puzzlemc.encodings.modelling.model.atoms import SOLVED, named, places
from puzzlemc.encodings.modelling.model.coding import Coding
from puzzlemc.encodings.modelling.model.conditions import condition
from puzzlemc.encodings.modelling.model.formulas import Formulas
from puzzlemc.encodings.modelling.model.steps import Steps
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.errors import LIMITS, LimitReached, ModelError, Refuted
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.mc.model.action import Action, names
from puzzlemc.mc.model.formula import Bit, Formula, holds, support
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.lazy import LazyMapping
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace, initial_state
from puzzlemc.mc.proofs.circuit import FALSE

MOST_ONE_HOT = 512  # values of a variable with a bit for each
PROVED = Limits(seconds=2.0, memory=GIB)  # for the proof that there are no errors
EXPLORED = Limits(seconds=60.0, memory=GIB)  # for the search for errors


class Compiled(NamedTuple):
    """A system as a model, whose goal states are those of the plain rules.

    fault  where a step or the goal is an error by the plain rules; None for nowhere
    goal   the goal, or a fault
    """

    model: Model
    coding: Coding
    fault: Formula | None
    goal: Formula


def encoded(evaluation: Evaluation, metrics: Sequence[str]) -> Encoded:
    """The model of a system, with the way back to positions. Raises ModelError for a too large expression."""
    model, coding, fault, goal = compiled(evaluation, metrics)

    def moves(trace: Trace) -> list[str]:
        found = names(trace.actions)
        if fault is None or not holds(fault, trace.states[-1]):
            return found
        for number, state in enumerate(trace.states):  # steps without cost may lead on from the goal
            if holds(model.goal, state):
                return found[:number]
        raise _error_at(evaluation, coding.decode(trace.states[-1]))

    plan = partial(_plan, model, dict[str, list[Action]]())
    return Encoded(replace(model, goal=goal), coding.decode, moves, places(evaluation.system), plan)


def faithful(evaluation: Evaluation, metrics: Sequence[str]) -> Encoded:
    """The model for questions about all positions: it has the goal states and the steps of the plain rules.

    Raises ModelError if the plain rules call a step in reach of the start an error, and LimitReached if that is
    not found out.
    """
    model, coding, fault, _ = compiled(evaluation, metrics)
    if fault is not None:
        from puzzlemc.mc.graph.state_graph import explore  # most systems have no errors to be searched for

        graph = explore(model, Budget(EXPLORED), terminal=[fault])
        failing = graph.holds(fault).nonzero()[0]
        if len(failing):
            raise _error_at(evaluation, coding.decode(graph.state(int(failing[0]))))
        if graph.reason is not None:
            raise LimitReached(graph.reason.split()[0], "in the search for steps that are errors")
    plan = partial(_plan, model, dict[str, list[Action]]())
    return Encoded(model, coding.decode, lambda trace: names(trace.actions), places(evaluation.system), plan)


def compiled(evaluation: Evaluation, metrics: Sequence[str]) -> Compiled:
    """The model with a bit for each value; in binary if an action with formulas is about more than two values."""
    found = _coded(evaluation, metrics, MOST_ONE_HOT)
    larger = {b for each in found.coding.variables if len(each.values) > 2 for b in each.bits}
    for each in found.model.actions if larger else ():
        if not each.is_plain and not larger.isdisjoint(each.reads | each.update.keys()):
            return _coded(evaluation, metrics, 1)
    return found


def _coded(evaluation: Evaluation, metrics: Sequence[str], most_one_hot: int) -> Compiled:
    system = evaluation.system
    coding = Coding(system.variables, most_one_hot)
    formulas, init = Formulas(coding), dict[Bit, bool]()
    steps = Steps(formulas, metrics)
    for variable, value in enumerate(evaluation.start):
        init |= coding.change(variable, None, coding.number[variable][value])
    actions = tuple(made for each in system.actions for made in steps.of(each))
    solved, fails = condition(formulas, system.goal)
    faults = formulas.circuit.disj([*steps.faults, fails])
    atoms = LazyMapping(lambda: {SOLVED: solved, **named(system, Formulas(coding))})
    groups = tuple(each.bits for each in coding.variables if len(each.bits) == len(each.values) > 1)
    model = Model(coding.variables, init, actions, solved, atoms, Hints(exclusive=groups))
    if faults == FALSE or not _is_possible(formulas, faults):
        return Compiled(model, coding, None, solved)
    return Compiled(model, coding, formulas.formula(faults), formulas.either(solved, faults))


def _is_possible(formulas: Formulas, faults: int) -> bool:
    """Is there an error for some values of the variables? Expressions that are put together from their parts may
    seem to have errors that they have nowhere."""
    from puzzlemc.mc.sat.solutions import solutions  # most systems have no errors to be searched for

    found = formulas.formula(faults)
    read, own = support([found]), Formulas(formulas.coding)
    among = [n for n, each in enumerate(own.coding.variables) if not read.isdisjoint(each.bits)]
    init = own.formula(own.circuit.conj(map(own.has_value, among)))
    goal = own.formula(own.circuit.formula(found))
    model = Model(tuple(own.coding.variables[n] for n in among), init, (), goal)
    try:
        return next(solutions(model, Budget(PROVED)), None) is not None
    except LIMITS:
        return True


def _error_at(evaluation: Evaluation, position: Position) -> ModelError | Refuted:
    """The error that the plain rules raise at a position where the model has one."""
    try:
        evaluation.holds(evaluation.system.goal, position)
        for _ in evaluation.successors(position):
            pass
    except ModelError as error:
        return error
    return Refuted(f"the model has an error at {evaluation.words(position)}, the plain rules do not")


def _plan(model: Model, by_name: dict[str, list[Action]], wanted: Sequence[str]) -> list[Action]:
    """The actions of a run, by their names. `by_name` keeps the actions of the model. Raises Refuted."""
    if not by_name:
        for each in model.actions:
            by_name.setdefault(each.name, []).append(each)
    state, found = initial_state(model), list[Action]()
    for name in wanted:
        able = [each for each in by_name.get(name, ()) if each.enabled(state)]
        if not able:
            raise Refuted(f"{name} is no action in state {len(found)} of the plan")
        found.append(able[0])
        state = able[0].fire(state)
    return found
