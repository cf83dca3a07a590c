"""A level as a model over the facts that the translator finds."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import product
from typing import NamedTuple

from puzzlemc.encodings.pddl.model import Facts, facts_of, moves, named
from puzzlemc.encodings.pddl.numeric.compilation import compiled, is_numeric
from puzzlemc.encodings.pddl.numeric.counts import counted
from puzzlemc.encodings.pddl.numeric.names import renamed
from puzzlemc.encodings.pddl.rules import Position, start
from puzzlemc.encodings.pddl.soft.task import closed
from puzzlemc.encodings.pddl.translator import translated
from puzzlemc.encodings.pddl.variables import Coded
from puzzlemc.encodings.pddl.written import CONJUNCT, GOAL, is_own, preference_conjuncts
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.tasks.task import Condition, Operator, Task
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
    parts = _parts(level)
    goals = [parts.own.get(f"{CONJUNCT}{number}", ()) for number in conjuncts]
    if level.preferences:
        facts = _closed(level, tuple(conjuncts))
        operators = facts.task.operators
        names = [named(operator) for operator in operators]
        own = frozenset(names[len(parts.actions) :])
        return facts.model(operators, names, [[facts.task.goal]], own, counted(level, facts.bits))
    facts = _grounded(level)
    names = [named(operator) for operator in parts.actions]
    return facts.model(parts.actions, names, goals, (), counted(level, facts.bits))


class _Parts(NamedTuple):
    """The operators of a translated level: those that are actions, and the preconditions of our own by name."""

    actions: Sequence[Operator]
    own: Mapping[str, Sequence[Condition]]


@lru_cache(maxsize=2)
def _parts(level: Level) -> _Parts:
    found: dict[str, list[Condition]] = {}
    actions = []
    for operator in _translated(level).operators:
        name = operator.name.strip()  # without arguments, a blank is at its end
        if is_own(name):
            found.setdefault(name, []).append(operator.precondition)
        elif level.factor == 1:
            actions.append(operator)
        else:
            actions.append(replace(operator, cost=operator.cost * level.factor))
    return _Parts(actions, found)


@lru_cache(maxsize=2)
def _grounded(level: Level) -> Facts:
    return facts_of(_translated(level), _is_left_out)


@lru_cache(maxsize=2)
def _translated(level: Level) -> Task:
    """The task of the translator. Functions with numbers are facts in it."""
    if not is_numeric(level):
        return translated(level)
    found = compiled(level)
    return renamed(translated(found.level), found.steps)


@lru_cache(maxsize=2)
def _closed(level: Level, conjuncts: Sequence[int]) -> Facts:
    """The facts of the task with a closing phase, which begins where these conjuncts of the goal hold."""
    actions, own = _parts(level)
    required = [own.get(f"{CONJUNCT}{number}", ()) for number in conjuncts]
    preferred: list[list[Sequence[Condition]]] = [[] for _ in level.preferences]
    for name, number in preference_conjuncts(level).items():
        preferred[number].append(own.get(name, ()))
    task = closed(level, _translated(level), actions, required, preferred)
    return facts_of(task, _is_left_out, len(_translated(level).variables))


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
