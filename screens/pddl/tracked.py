"""The functions whose values are a part of positions.

A condition, a cost or a bound that reads a function makes its values matter, and what is added to such a function
does so as well. A counter that nothing reads is left out: else no state would come twice. It may be left out only
if each action is applicable with it where it is without it: the counter has a value from the start on, and so has
each amount that is added to it, unless that reads functions which never change: these are looked up.
"""

from collections.abc import Iterator
from itertools import product
from math import prod

from puzzlemc.screens.pddl.conditions import (
    TRUE,
    And,
    Comparison,
    Condition,
    Effect,
    Not,
    NumericEffect,
    Or,
    Quantified,
    Schema,
    fact,
)
from puzzlemc.screens.pddl.level import OBJECT, Level
from puzzlemc.screens.pddl.numbers import Fluent, divides, fluents


def tracked(level: Level) -> frozenset[str]:
    """The names of the functions that actions change, and whose values matter."""
    domain = level.domain
    if not domain.varying:
        return frozenset()
    found = set(domain.bounds)
    for condition in _conditions(level):
        found.update(_read(condition))
    if level.has_costs:
        found.update(each.name for action in domain.actions for each in fluents(action.cost))
    effects = [(action, effect) for action in domain.actions for effect in action.numeric]
    complete = {name for name in domain.functions if _is_complete(level, name)}
    size = -1
    while len(found) != size:
        size = len(found)
        for action, effect in effects:
            if effect.target.name not in found and not _is_silent(level, action, effect, complete):
                found.add(effect.target.name)
            if effect.target.name in found:
                found.update(each.name for each in fluents(effect.amount))
    return domain.varying & found


def _conditions(level: Level) -> Iterator[Condition]:
    yield level.goal
    for preference in level.preferences:
        yield preference.condition
    for rule in level.domain.rules:
        yield rule.condition
    for action in level.domain.actions:
        yield action.precondition
        effects: tuple[Effect | NumericEffect, ...] = (*action.effects, *action.numeric)
        for effect in effects:
            yield effect.condition


def _read(condition: Condition) -> Iterator[str]:
    """Yield the functions that a condition reads."""
    match condition:
        case Comparison(_, one, other):
            for each in (*fluents(one), *fluents(other)):
                yield each.name
        case Not(part) | Quantified(_, _, part):
            yield from _read(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _read(part)


def _is_complete(level: Level, name: str) -> bool:
    """Has the function a value at the start for all objects of the right types?"""
    kinds = [level.of_type[kind] for kind in level.domain.functions[name]]
    if prod(map(len, kinds)) > len(level.values):
        return False
    return all(fact(name, objects) in level.values for objects in product(*kinds))


def _is_silent(level: Level, action: Schema, effect: NumericEffect, complete: set[str]) -> bool:
    """Is an action as applicable with this effect on a function that nothing reads as it is without the effect?"""
    if effect.target.name not in complete or divides(effect.amount) or effect.change == "scale-down":
        return False
    types = dict((*action.parameters, *effect.variables))
    reads = list(fluents(effect.amount))
    if not all(_is_typed(level, types, each) for each in (effect.target, *reads)):
        return False
    if effect.change == "assign" or effect.change.startswith("scale"):
        others = sum(each.target.name == effect.target.name for each in action.numeric)
        if others > 1 or effect.variables:
            return False  # two changes may contradict each other
    always = not effect.variables and effect.condition == TRUE
    return all(each.name in complete or (always and each.name not in level.domain.varying) for each in reads)


def _is_typed(level: Level, types: dict[str, str], function: Fluent) -> bool:
    """Are the terms of a function of the right types?"""
    kinds = level.domain.functions[function.name]
    return all(
        kind in _above(level, types[term] if term in types else level.objects[term])
        for term, kind in zip(function.terms, kinds, strict=True)
    )


def _above(level: Level, kind: str) -> Iterator[str]:
    """Yield a type and those above it."""
    while kind != OBJECT:
        yield kind
        kind = level.domain.types[kind]
    yield OBJECT
