"""A level as a model over the facts that the translator finds."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import product

from puzzlemc.encodings.pddl.model import Facts, facts_of, moves, named
from puzzlemc.encodings.pddl.rules import Position, start
from puzzlemc.encodings.pddl.soft.task import closed
from puzzlemc.encodings.pddl.translator import translated
from puzzlemc.encodings.pddl.variables import Coded
from puzzlemc.encodings.pddl.written import CONJUNCT, GOAL, is_own, preference_conjuncts
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.tasks.task import Condition
from puzzlemc.screens.pddl.conditions import fact
from puzzlemc.screens.pddl.level import Level

MOST_CONSTANTS = 200_000  # atoms that are named although they never change


def compact(level: Level) -> Encoded:
    """The level as a model. Its states and steps are those of the PDDL. Raises ModelError, LimitReached."""
    model = model_of(level, range(len(level.conjuncts)))
    names = frozenset(map(str, model.bits))
    return Encoded(model, partial(decoded, start(level) - names), lambda trace: moves(trace.actions))


def decoded(always: Position, state: State) -> Position:
    """The facts that hold in a state, and those that never change."""
    return always.union(map(str, state))


def model_of(level: Level, conjuncts: Collection[int]) -> Model:
    """The model in which the goal is a conjunction of some of the conjuncts, by their numbers."""
    task = translated(level)
    goals: dict[str, list[Condition]] = {f"{CONJUNCT}{number}": [] for number in conjuncts}
    preferred: dict[str, list[Condition]] = {name: [] for name in preference_conjuncts(level)}
    actions = []
    for operator in task.operators:
        name = operator.name.strip()  # without arguments, a blank is at its end
        if not is_own(name):
            actions.append(replace(operator, cost=operator.cost * level.factor))
        elif name in goals:
            goals[name].append(operator.precondition)
        elif name in preferred:
            preferred[name].append(operator.precondition)
    if not level.preferences:
        facts = _grounded(level)
        return facts.model(actions, [named(operator) for operator in actions], goals.values())
    by_number: list[list[Sequence[Condition]]] = [[] for _ in level.preferences]
    for name, number in preference_conjuncts(level).items():
        by_number[number].append(preferred[name])
    whole = closed(level, task, actions, list(goals.values()), by_number)
    names = [named(operator) for operator in whole.operators]
    facts = facts_of(whole, _is_left_out)
    return facts.model(whole.operators, names, [[whole.goal]], frozenset(names[len(actions) :]))


@lru_cache(maxsize=2)
def _grounded(level: Level) -> Facts:
    return facts_of(translated(level), _is_left_out)


def _is_left_out(variable: Coded) -> bool:
    return GOAL in map(str, variable.bits)


def constants(level: Level) -> Mapping[str, bool]:
    """The atoms that never change, and are no bits of the model."""
    known = compact(level).model.atoms
    there = {fact(atom.name, atom.terms) for atom in level.init}
    found: dict[str, bool] = {}
    for name, kinds in level.domain.predicates.items():
        for objects in product(*(level.of_type[kind] for kind in kinds)):
            named_fact = fact(name, objects)
            if named_fact not in known:
                found[named_fact] = named_fact in there
                if len(found) > MOST_CONSTANTS:
                    return dict.fromkeys(there.difference(known), True)
    return found
