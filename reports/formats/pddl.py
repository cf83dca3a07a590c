"""A model in PDDL for planners, and the plan of a planner as actions of the model.

Everything is grounded: an action of the model is an action without parameters. A variable of one bit is the fact
`(holds bit)`. A variable of several bits has a fact `(is value)` for each value, exactly one of which holds;
planners detect this mutex group and make one variable of it again. There are few predicates over many constants,
because with a predicate for each fact planners take long to find mutex groups.

A literal guard becomes a conjunction: the fact of the value that it fixes, or the negated facts of the values that
it excludes. All other formulas become conjunctions and disjunctions of literals. Updates must be constants.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.model.action import Action, cost_of
from puzzlemc.mc.model.formula import Bit, Formula, expression, fold, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import Variable
from puzzlemc.reports.formats.legend import plain

SEVERAL = "and with this encoding the level has none, or leaves open which: expected another --encoding"


def write(model: Model, metric: str, name: str) -> tuple[str, str]:
    """The domain and the problem, both under that name. Raises ModelError for what has no place in them.

    That is: an update by formula, one after which the value of a variable is open or none, an initial
    condition that is not exactly one state.
    """
    facts = _Facts(model)
    goal = facts.condition(model.goal)
    actions = []
    for number, action in enumerate(model.actions):
        effects = [*facts.effects(action), f"(increase (total-cost) {cost_of(action, metric)})"]
        actions.append(
            f"(:action {action_name(number, action)} ; {plain(action.name)}\n"
            " :parameters ()\n"
            f" :precondition {facts.condition(action.guard)}\n"
            f" :effect {conjunction(effects)})"
        )
    requirements = ":strips :negative-preconditions :action-costs"
    if any("(or" in text for text in [goal, *actions]):
        requirements += " :disjunctive-preconditions"
    return texts(name, requirements, (facts.constants, facts.predicates), actions, facts.initial(model.init), goal)


def texts(
    name: str,
    requirements: str,
    declared: tuple[Sequence[str], Sequence[str]],
    actions: Iterable[str],
    initial: Iterable[str],
    goal: str,
) -> tuple[str, str]:
    """The domain and the problem, both under that name. `declared` are the constants and the predicates."""
    title = word("level", name)
    constants, predicates = declared
    domain = [
        f"(define (domain {title})",
        f"(:requirements {requirements})",
        f"(:constants {' '.join(constants)})",
        f"(:predicates {' '.join(predicates)})",
        "(:functions (total-cost))",
        *actions,
        ")\n",
    ]
    problem = [
        f"(define (problem {title})",
        f"(:domain {title})",
        f"(:init (= (total-cost) 0) {' '.join(initial)})",
        f"(:goal {goal})",
        "(:metric minimize (total-cost))",
        ")\n",
    ]
    return "\n".join(domain), "\n".join(problem)


def read_plan(model: Model, plan: str) -> list[Action]:
    """The actions of a plan in the usual form, one `(name)` in each line.

    Raises ModelError for an unknown name.
    """
    actions = {action_name(number, action): action for number, action in enumerate(model.actions)}
    try:
        return [actions[name] for name in re.findall(r"^\((\S+) *\)", plan.lower(), re.MULTILINE)]
    except KeyError as error:
        raise ModelError(f"the plan has an action {error} that the model has not") from None


class _Facts:
    """The facts for the values of variables, and the translation of formulas and updates to these facts."""

    def __init__(self, model: Model) -> None:
        self.predicates = ["(holds ?bit)"]
        self.constants: list[str] = []
        self._variables = model.variables
        self._facts: list[list[str]] = []  # of each variable: the bit's, or those of the values
        for number, variable in enumerate(model.variables):
            predicate = "holds"
            if len(variable.bits) == 1:
                constants = [word(f"b{number}", str(variable.bits[0]))]
            else:
                predicate = word(f"is{number}", variable.name)
                constants = [word(f"v{number}-{i}", str(value)) for i, value in enumerate(variable.values)]
                self.predicates.append(f"({predicate} ?value)")
            self.constants += constants
            self._facts.append([f"({predicate} {constant})" for constant in constants])

    def condition(self, formula: Formula) -> str:
        """A formula in PDDL."""
        cube = literals(formula)
        if cube is not None:
            return conjunction(self._literals(cube))
        return fold(formula, lambda b, value: conjunction(self._literals({b: value})), conjunction, _or)

    def effects(self, action: Action) -> list[str]:
        """The add effects and delete effects of an action."""
        if action.formulas:
            raise ModelError(f"action {action.name}: an update by formula has no place in PDDL")
        guard = action.cube or {}
        found = []
        for variable, facts in zip(self._variables, self._facts, strict=True):
            update = {b: action.constants[b] for b in variable.bits if b in action.constants}
            if len(variable.bits) == 1:
                found += [_literal(facts[0], value) for value in update.values()]
            elif update:
                before = _fitting(variable, guard)
                after = {_fitting(variable, _code(variable, value) | update) for value in before}
                if any(len(values) != 1 for values in after) or len(after) > 1:
                    raise ModelError(f"action {action.name} does not determine the next value of {variable.name}")
                for (value,) in after:
                    found.append(facts[value])
                    found += [_literal(facts[old], False) for old in before if old != value]
        return found

    def initial(self, init: Formula) -> list[str]:
        """The facts that hold in the only initial state."""
        points = list(islice(expression(init).satisfy_all(), 2))
        if len(points) != 1:
            raise ModelError(f"PDDL needs one initial state, {SEVERAL}")
        state = {b: bool(value) for b, value in points[0].items()}
        for variable in self._variables:
            if not state.keys() >= set(variable.bits) or len(_fitting(variable, state)) != 1:
                raise ModelError(f"PDDL needs one initial state, {SEVERAL}")
        return [fact for fact in self._literals(state) if not fact.startswith("(not")]

    def _literals(self, cube: Mapping[Bit, bool]) -> list[str]:
        """The facts, possibly negated, that are equivalent to a conjunction of literals."""
        found = []
        for variable, facts in zip(self._variables, self._facts, strict=True):
            if cube.keys().isdisjoint(variable.bits):
                continue
            if len(variable.bits) == 1:
                found.append(_literal(facts[0], cube[variable.bits[0]]))
                continue
            fitting = _fitting(variable, cube)
            if len(fitting) == 1:
                found.append(facts[fitting[0]])
            else:
                found += [_literal(fact, False) for value, fact in enumerate(facts) if value not in fitting]
        return found


def _code(variable: Variable, value: int) -> dict[Bit, bool]:
    """The bits of a value, which is given by its index."""
    return dict(zip(variable.bits, variable.codes[value], strict=True))


def _fitting(variable: Variable, cube: Mapping[Bit, bool]) -> tuple[int, ...]:
    """The indices of the values that a cube allows."""
    wanted = [(place, cube[b]) for place, b in enumerate(variable.bits) if b in cube]
    return tuple(
        value for value, code in enumerate(variable.codes) if all(code[place] == held for place, held in wanted)
    )


def _literal(fact: str, value: bool) -> str:
    return fact if value else f"(not {fact})"


def conjunction(parts: list[str]) -> str:
    """The conjunction of conditions or effects in PDDL."""
    return parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"


def _or(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"(or {' '.join(parts)})"


def action_name(number: int, action: Action) -> str:
    """The name of the action of that number."""
    return word(f"a{number}", action.name)


def word(unique: str, text: str) -> str:
    """A valid PDDL name: a unique prefix, and the allowed characters of the text for readers."""
    return "-".join([unique, *re.findall("[a-z0-9]+", text.lower())])
