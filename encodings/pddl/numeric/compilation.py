"""A task without numbers for the translator, with the same states and steps.

Each function that changes becomes a predicate with one argument more, its value. An action that reads it gets the
value as a parameter, and the value after it as another one; a table of values says which belong together. So the
translator finds that a function has one value at a time. `actions.py` has the other forms of actions.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from puzzlemc.encodings.pddl.numeric.actions import instance_actions
from puzzlemc.encodings.pddl.numeric.grounding import Grounding, Instance, name_of
from puzzlemc.encodings.pddl.numeric.names import (
    NUMBER,
    STEP,
    THING,
    VALUE,
    StepName,
    number_name,
    value_atom,
)
from puzzlemc.encodings.pddl.numeric.reach import Reach
from puzzlemc.encodings.pddl.numeric.tables import Tables, thing, things
from puzzlemc.encodings.pddl.numeric.values import head
from puzzlemc.mc.errors import ModelError
from puzzlemc.screens.pddl.conditions import (
    And,
    Atom,
    Condition,
    Or,
    Quantified,
    Rule,
    Schema,
    compares,
)
from puzzlemc.screens.pddl.level import OBJECT, Domain, Level
from puzzlemc.screens.pddl.numbers import Fluent, Number, Value, fluents

MOST_OPERATORS = 5_000  # of one instance: combinations of values that are parameters


@dataclass(frozen=True, eq=False)
class Compiled:
    """A level without numbers, and the names of its steps that stand for others."""

    level: Level
    steps: Mapping[str, StepName]


def is_numeric(level: Level) -> bool:
    """Does a level need to be compiled?"""
    domain = level.domain
    conditions = (
        level.goal,
        *(preference.condition for preference in level.preferences),
        *(rule.condition for rule in domain.rules),
        *(action.precondition for action in domain.actions),
        *(effect.condition for action in domain.actions for effect in action.effects),
    )
    plain = all(
        isinstance(action.cost, Number)
        or (isinstance(action.cost, Fluent) and action.cost.name not in domain.varying)
        for action in domain.actions
    )
    return bool(domain.varying) or any(map(compares, conditions)) or (level.has_costs and not plain)


@lru_cache(maxsize=2)
def compiled(level: Level) -> Compiled:
    """The level without numbers. Raises ModelError if functions have too many values."""
    return _Compilation(level).result()


class _Compilation:
    def __init__(self, level: Level) -> None:
        self.level = level
        self.grounding = Grounding(level)
        self.reach = Reach(self.grounding)
        self.tables = Tables(self.grounding, self.reach)
        self.steps: dict[str, StepName] = {}
        self.functions = {
            name_of(each.target): each.target for i in self.grounding.instances for each in i.changes
        }

    def result(self) -> Compiled:
        level, domain = self.level, self.level.domain
        condition = self.tables.condition
        actions = [
            replace(
                action,
                parameters=things(action.parameters),
                precondition=condition(action.precondition, {}),
                effects=tuple(replace(each, variables=things(each.variables)) for each in action.effects),
            )
            for action in self.grounding.plain
        ]
        actions += (each for instance in self.grounding.instances for each in self._actions(instance))
        rules = [Rule(each.name, things(each.parameters), condition(each.condition, {})) for each in domain.rules]
        goal = self._conjunction(level.conjuncts)
        preferences = tuple(
            replace(each, condition=self._conjunction(level.conjuncts_of(each.condition)))
            for each in level.preferences
        )
        init = {*level.init, *self._values(), *self.tables.facts()}
        numbers = {each for atom in init for each in atom.terms if each not in level.objects}
        for name in self.reach.values:
            numbers.update(map(number_name, self.reach.of(name)))
        if not numbers.isdisjoint(level.objects):
            raise ModelError(f"found an object {min(numbers & level.objects.keys())!r}, expected another name")
        objects = {name: thing(kind) for name, kind in level.objects.items()} | dict.fromkeys(
            sorted(numbers), NUMBER
        )
        used = (
            {each.name for action in actions for each in fluents(action.cost)} if level.has_costs else set[str]()
        )
        values: dict[str, Value] = {name: each for name, each in level.values.items() if head(name) in used}
        for _, costs in self.tables.costs.values():
            values |= costs
        functions = {name: kinds for name, kinds in domain.functions.items() if name in used}
        functions |= {name: (NUMBER,) * arity for name, (arity, _) in self.tables.costs.items()}
        predicates = dict(domain.predicates)
        predicates |= {VALUE + name: (*kinds, NUMBER) for name, kinds in domain.functions.items()}
        predicates |= {name: (NUMBER,) * arity for name, arity in self.tables.tables.values()}
        types = {NUMBER: OBJECT, THING: OBJECT} | {name: thing(above) for name, above in domain.types.items()}
        found = Domain(domain.name, types, {}, predicates, functions, tuple(actions), tuple(rules), domain.strata)
        done = replace(
            level,
            domain=found,
            objects=objects,
            init=frozenset(init),
            values=values,
            goal=goal,
            tracked=frozenset(),
            preferences=preferences,
        )
        return Compiled(done, self.steps)

    def _conjunction(self, parts: Iterable[Condition]) -> Condition:
        """The conditions under one `and`, with the numbers that they have now."""
        return And(tuple(_single(self.tables.condition(part, {})) for part in parts))

    def _values(self) -> Iterator[Atom]:
        """Yield the values at the start, of functions that are read as facts."""
        kept = self.level.tracked | self.tables.fixed
        for name, value in self.level.values.items():
            function, _, rest = name.partition("(")
            if function in kept:
                terms = tuple(rest.removesuffix(")").split(",")) if rest else ()
                yield value_atom(Fluent(function, terms), number_name(value))

    def _actions(self, instance: Instance) -> Iterator[Schema]:
        """Yield the actions without numbers that an instance becomes."""
        action, binding = instance.action, instance.binding
        left = [(name, kind) for name, kind in action.parameters if name not in binding]
        places = {name: number for number, (name, _) in enumerate(left)}
        arguments = tuple(binding[each] if each in binding else places[each] for each, _ in action.parameters)
        for each in instance_actions(self.grounding, self.reach, self.tables, instance):
            name = f"{STEP}{len(self.steps)}"
            self.steps[name] = StepName(action.name, arguments)
            parameters = (*things(tuple(left)), *((each, NUMBER) for each in each.numbers))
            cost = each.cost if self.level.has_costs else Number(0)
            effects = tuple(replace(effect, variables=things(effect.variables)) for effect in each.effects)
            yield Schema(name, parameters, each.precondition, effects, cost)


def _single(condition: Condition) -> Condition:
    """The condition as one conjunct of a goal."""
    return Or((condition,)) if isinstance(condition, And | Quantified) else condition
