"""The metric of a problem: what an action adds to it is its cost.

A metric is linear: a sum of numbers times `total-cost`, `total-time` (the number of steps) and functions without
arguments. Such a function may only be increased, once in an action and without a condition, so that the cost of a
plan is the sum of the costs of its actions. The value of the metric at the start is the same for all plans, and is
left out.
"""

from collections.abc import Mapping
from dataclasses import replace

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.pddl.conditions import TRUE, Schema
from puzzlemc.screens.pddl.expressions import Block, Expression, Word, shown
from puzzlemc.screens.pddl.level import Domain
from puzzlemc.screens.pddl.numbers import Number, Numeric, Operation, Value, operated
from puzzlemc.screens.pddl.preferences import TOTAL_TIME
from puzzlemc.screens.pddl.scope import OPERATIONS, TOTAL_COST, Scope

CONSTANT = ""  # the summand without a function


def weights(scope: Scope, section: Block) -> dict[str, Value]:
    """Read a metric: what each function in it is multiplied by. Raises LevelError for any but a linear one."""
    if len(section.items) != 3 or not isinstance(section.items[1], Word) or section.items[1].text != "minimize":
        raise scope.source.error(section, f"found {shown(section)}, expected (:metric minimize ({TOTAL_COST}))")
    found = _linear(scope, section.items[2])
    found.pop(CONSTANT, None)
    return {name: weight for name, weight in found.items() if weight}


def _linear(scope: Scope, item: Expression) -> dict[str, Value]:
    if isinstance(item, Word):
        return {CONSTANT: scope.number(item)}
    if item.head not in OPERATIONS:
        if len(item.items) == 1 and item.head == TOTAL_TIME:
            return {TOTAL_TIME: 1}
        function = scope.function(item)
        if function.terms:
            raise scope.source.error(
                item, f"found {shown(item)}, expected a function without arguments in a metric"
            )
        return {function.name: 1}
    if len(item.items) < 2 + (item.head != "-"):
        raise scope.source.error(item, f"found {shown(item)}, expected two parts of {item.head!r}")
    first, *rest = (_linear(scope, each) for each in item.items[1:])
    if not rest:
        first, rest = {}, [first]
    for other in rest:
        if item.head in "+-":
            sums = {name: operated(item.head, first.get(name, 0), other.get(name, 0)) for name in first | other}
        else:
            if item.head == "*" and first.keys() <= {CONSTANT}:
                first, other = other, first
            if not other.keys() <= {CONSTANT} or (item.head == "/" and not other.get(CONSTANT)):
                message = f"found {shown(item)}, expected a linear metric: a sum of functions times numbers"
                raise scope.source.error(item, message)
            sums = {name: operated(item.head, weight, other.get(CONSTANT, 0)) for name, weight in first.items()}
        first = {name: weight for name, weight in sums.items() if weight is not None}
    return first


def priced(domain: Domain, weight: Mapping[str, Value]) -> Domain:
    """The domain in which each action has what it adds to the metric as its cost. Raises LevelError."""
    if weight == {TOTAL_COST: 1}:
        return domain
    return replace(domain, actions=tuple(replace(each, cost=_cost(each, weight)) for each in domain.actions))


def _cost(action: Schema, weight: Mapping[str, Value]) -> Numeric:
    cost = _plus(_times(weight.get(TOTAL_COST, 0), action.cost), Number(weight.get(TOTAL_TIME, 0)))
    seen = set[str]()
    for effect in action.numeric:
        name = effect.target.name
        if name not in weight:
            continue
        if effect.change != "increase" or effect.variables or effect.condition != TRUE or name in seen:
            found = f"found another change of ({name}) in action {action.name!r}"
            message = f"{found}, expected one increase without a condition: it is in the metric"
            source, line, column = effect.place
            raise LevelError(message, source=source, line=line, column=column)
        seen.add(name)
        cost = _plus(cost, _times(weight[name], effect.amount))
    return cost


def _times(number: Value, expression: Numeric) -> Numeric:
    if number == 0:
        return Number(0)
    if isinstance(expression, Number):
        return Number(operated("*", number, expression.value) or 0)
    return expression if number == 1 else Operation("*", Number(number), expression)


def _plus(one: Numeric, other: Numeric) -> Numeric:
    if isinstance(one, Number) and isinstance(other, Number):
        return Number(operated("+", one.value, other.value) or 0)
    if one == Number(0):
        return other
    return one if other == Number(0) else Operation("+", one, other)
