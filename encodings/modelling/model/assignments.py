"""Constraints as models: all assignments at once, without actions; and the steps that give values to variables.

In the first model, the initial condition says that each variable has one value, and the goal that all conditions
hold: a SAT solver finds a solution. The second one has the positions and steps of the plain rules (`constraint`).
Where a condition raises an exception by the plain rules and no earlier one is false, both have a goal state, whose
moves raise the error.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from puzzlemc.encodings.modelling.language.constraint import UNSET, checked_after, conditions, moves_of
from puzzlemc.encodings.modelling.language.evaluation import Evaluation, Position
from puzzlemc.encodings.modelling.language.expressions import NUMBER, Expression, Junction, Variable
from puzzlemc.encodings.modelling.language.system import System
from puzzlemc.encodings.modelling.model import atoms
from puzzlemc.encodings.modelling.model.coding import Coding
from puzzlemc.encodings.modelling.model.conditions import condition
from puzzlemc.encodings.modelling.model.formulas import Formulas
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.explanation import name_of
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action, names
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.sat.solutions import solutions
from puzzlemc.mc.symbolic.capacity import with_capacity
from puzzlemc.mc.symbolic.packages import diagram_class, installed_packages

MOST_LISTED = 1000  # solutions that are counted one by one


def assignment(evaluation: Evaluation) -> Encoded:
    """The model of a constraint without actions. Raises ModelError for a too large expression."""
    system = evaluation.system
    coding = Coding(system.variables)
    formulas = Formulas(coding)
    solved, fails = condition(formulas, system.goal)
    bounded = [formulas.has_value(number) for number in range(len(system.variables))]
    bounded += [
        formulas.test(number, value) for number, value in enumerate(evaluation.start) if value is not UNSET
    ]
    init = formulas.formula(formulas.circuit.conj(bounded))
    parts = {name: condition(formulas, each)[0] for name, each in named_conditions(system).items()}
    known = {atoms.SOLVED: solved, **atoms.named(system, formulas)}
    model = Model(coding.variables, init, (), formulas.either(solved, fails), known)

    def moves(trace: Trace) -> list[str]:
        position = coding.decode(trace.states[-1])
        evaluation.holds(system.goal, position)  # raises what the author's function raises there
        return [
            next(name for name, value in moves_of(variable).items() if value == position[variable.number])
            for variable in system.variables
            if evaluation.start[variable.number] is UNSET
        ]

    def start(moves: Sequence[str]) -> State:
        position, given = list(evaluation.start), iter(moves)
        for variable in system.variables:
            if position[variable.number] is UNSET:
                position[variable.number] = moves_of(variable)[next(given)]
        return coding.state(position)

    return Encoded(model, coding.decode, moves, atoms.places(system), start=start, conditions=parts)


def assigning_steps(evaluation: Evaluation, metrics: Sequence[str]) -> Encoded:
    """The model with the steps of the plain rules: variables get values in their order."""
    system = evaluation.system
    last = len(system.variables)
    turn = Variable(last, "next variable", range(last + 1), "next variable", kind=NUMBER)
    coding = Coding([*system.variables, turn])
    formulas = Formulas(coding)
    open_ = [number for number, value in enumerate(evaluation.start) if value is UNSET]
    after = dict(zip(open_, [*open_[1:], last], strict=True))
    init = dict(coding.change(last, None, open_[0] if open_ else last))
    for number, value in enumerate(evaluation.start):
        init |= coding.change(number, None, 0 if value is UNSET else coding.number[number][value])
    costs, actions = dict.fromkeys(metrics, 0), list[Action]()
    for number in open_:
        checked = checked_after(evaluation, number)
        for place, (name, value) in enumerate(moves_of(system.variables[number]).items()):
            guard = [formulas.test(last, number)]
            guard += [formulas.circuit.disj(formulas.truth(each, {number: [value]})) for each in checked]
            update = {**coding.change(number, None, place), **coding.change(last, None, after[number])}
            actions.append(Action(name, formulas.formula(formulas.circuit.conj(guard)), update, costs))
    solved, fails = condition(formulas, system.goal)
    done, circuit = formulas.test(last, last), formulas.circuit
    goal, wrong = (circuit.both(done, each) for each in (circuit.formula(solved), fails))
    known = {atoms.SOLVED: formulas.formula(goal), **atoms.named(system, formulas)}
    model = Model(coding.variables, init, tuple(actions), formulas.formula(circuit.disj([goal, wrong])), known)

    def decode(state: State) -> Position:
        *values, now = coding.decode(state)
        assert isinstance(now, int)
        return tuple(
            UNSET if number >= now and evaluation.start[number] is UNSET else value
            for number, value in enumerate(values)
        )

    return Encoded(model, decode, lambda trace: names(trace.actions), atoms.places(system))


def count(evaluation: Evaluation, budget: Budget) -> int:
    """The number of solutions of a constraint. Raises LimitReached, and ModelError for a system of moves."""
    model = _counted(evaluation).model
    number = sum(1 for _ in islice(solutions(model, budget), MOST_LISTED + 1))
    return number if number <= MOST_LISTED else _count_by_diagrams(model, budget)


def each_solution(evaluation: Evaluation, budget: Budget) -> Iterator[list[str]]:
    """The solutions of a constraint. Raises LimitReached, and ModelError for a system of moves."""
    found = _counted(evaluation)
    for state in solutions(found.model, budget):
        yield found.moves(Trace((state,), ()))


def _counted(evaluation: Evaluation) -> Encoded:
    """The model of a constraint, whose goal states are its solutions. Raises ModelError for a system of moves."""
    if not evaluation.system.is_constraint:
        words = "puzzlemc report says how many of the shortest solutions there are"
        raise ModelError(f"the solutions of a system are counted if it is a constraint; {words}")
    found = assignment(evaluation)
    return replace(found, model=replace(found.model, goal=found.model.atoms[atoms.SOLVED]))


def _count_by_diagrams(model: Model, budget: Budget) -> int:
    """The number of solutions, by the decision diagram of all of them. Raises LimitReached."""
    package = installed_packages()[0]

    def attempt(capacity: int) -> int:
        diagrams = diagram_class(package)(model.bits, set(), capacity)
        states = diagrams.selector(model.init)(diagrams.universe)
        return diagrams.count(diagrams.selector(model.goal)(states))

    return with_capacity(package, budget, attempt)


def named_conditions(system: System) -> Mapping[str, Expression]:
    """The conditions of a goal by name: those that an author's fact consists of are one, named by it."""
    left = {id(each): each for each in conditions(system)}
    found: dict[str, Expression] = {}
    for fact in system.named:
        truth = fact.truth
        parts = truth.parts if isinstance(truth, Junction) and truth.is_conjunction else (truth,)
        if all(id(part) in left for part in parts):
            name = fact.name if fact.place is None else f"{fact.name} ({name_of(fact.place)})"
            found[name] = truth
            for part in parts:
                del left[id(part)]
    for each in left.values():
        name, number = repr(each), 1
        while name in found:
            number += 1
            name = f"{each!r} #{number}"
        found[name] = each
    return found
