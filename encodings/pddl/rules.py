"""The plain rules: conditions and effects are evaluated on the PDDL itself, as its definition says.

Nothing is grounded here, and nothing of the translator occurs. A position is the set of facts that hold, of the
predicates that actions change; what derived predicates hold follows from them, stratum by stratum (Thiébaux,
Hoffmann and Nebel 2005). Conditions of an action are read in the position before it; of an effect that adds a fact
and one that deletes it, the one that adds counts (Fox and Long 2003). With soft goals, a position has
its phase, too.

Of functions that actions change, a position has the values that matter (`Level.tracked`), each as a fact,
`fuel(t1)=5`. An action that reads a function without a value is not applicable, nor is one that leaves the bounds
of a function.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import TypeAlias

from puzzlemc.encodings.pddl.numeric.values import (
    EQUALS,
    fixed_values,
    head,
    joined,
    named,
    start_values,
    valued,
    values_in,
    within,
)
from puzzlemc.encodings.pddl.soft.phases import first
from puzzlemc.encodings.pddl.soft.rules import closing_step, is_open, is_settled
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.rules.plain import Step
from puzzlemc.screens.pddl.conditions import (
    And,
    Atom,
    Comparison,
    Condition,
    Equal,
    Not,
    Or,
    Parameters,
    Quantified,
    Schema,
    conjuncts,
    fact,
    free,
)
from puzzlemc.screens.pddl.level import RESERVED, Level
from puzzlemc.screens.pddl.numbers import Fluent, Numeric, Value, compared, computed, fluents, show_number

Position: TypeAlias = frozenset[str]
Binding: TypeAlias = dict[str, str]  # variables to objects

METRICS = ("cost", "steps")


class Facts:
    """The facts that hold in a position: those of the position, those that never change, and derived ones."""

    def __init__(self, level: Level, position: Position) -> None:
        self._level = level
        self._sets: tuple[Container[str], ...] = (position, constant(level))
        self._values = values_in(position) if level.tracked else {}
        self._fixed = fixed_values(level)
        if level.domain.rules:
            self._derived = set[str]()
            self._sets = (*self._sets, self._derived)
            self._derive()

    def holds(self, condition: Condition, binding: Binding) -> bool:
        """Does a condition hold, with these objects in the places of its variables?"""
        match condition:
            case Atom(name, terms):
                named = fact(name, tuple(binding.get(term, term) for term in terms))
                return any(named in each for each in self._sets)
            case Equal(one, other):
                return binding.get(one, one) == binding.get(other, other)
            case Comparison(sign, left, right):
                one_value, other_value = self.value(left, binding), self.value(right, binding)
                return one_value is not None and other_value is not None and compared(sign, one_value, other_value)
            case Not(part):
                return not self.holds(part, binding)
            case And(parts):
                return all(self.holds(part, binding) for part in parts)
            case Or(parts):
                return any(self.holds(part, binding) for part in parts)
            case Quantified(for_all, variables, part):
                found = (self.holds(part, binding | each) for each in bindings(self._level, variables))
                return all(found) if for_all else any(found)

    def value(self, expression: Numeric, binding: Binding) -> Value | None:
        """The value of an expression; None if it has none."""
        return computed(expression, lambda function: self.value_of(function, binding))

    def value_of(self, function: Fluent, binding: Binding) -> Value | None:
        """The value of a function; None if it has none."""
        name = named(function.name, function.terms, binding)
        return self._values[name] if name in self._values else self._fixed.get(name)

    def _derive(self) -> None:
        """Apply the rules of each stratum until nothing changes."""
        domain = self._level.domain
        for stratum in sorted(set(domain.strata.values())):
            rules = [rule for rule in domain.rules if domain.strata[rule.name] == stratum]
            changed = True
            while changed:
                changed = False
                for rule in rules:
                    for binding in bindings(self._level, rule.parameters):
                        named = fact(rule.name, tuple(binding.values()))
                        if named not in self._derived and self.holds(rule.condition, binding):
                            self._derived.add(named)
                            changed = True


def bindings(level: Level, parameters: Parameters) -> Iterator[Binding]:
    """Yield all objects of the right types for the variables."""
    names = [name for name, _ in parameters]
    for objects in product(*(level.of_type[kind] for _, kind in parameters)):
        yield dict(zip(names, objects, strict=True))


@lru_cache(maxsize=8)
def constant(level: Level) -> frozenset[str]:
    """The facts of predicates that no action changes."""
    return frozenset(fact(atom.name, atom.terms) for atom in _unchanged(level))


@lru_cache(maxsize=8)
def start(level: Level) -> Position:
    """The first position."""
    changing = level.domain.changing
    facts = frozenset(fact(atom.name, atom.terms) for atom in level.init if atom.name in changing)
    facts |= start_values(level)
    return facts | {first(level)} if level.preferences else facts


def at(level: Level, position: Position) -> Level:
    """The level with `position` as its first one."""
    values = {name: value for name, value in level.values.items() if head(name) not in level.tracked}
    facts = (_atom(each) for each in position if EQUALS not in each)
    return replace(level, init=_unchanged(level).union(facts), values=values | values_in(position))


def _unchanged(level: Level) -> frozenset[Atom]:
    """The facts at the start of predicates that no action changes; a phase is none of them."""
    changing = level.domain.changing
    return frozenset(
        each for each in level.init if each.name not in changing and not each.name.startswith(RESERVED)
    )


def _atom(text: str) -> Atom:
    name, _, rest = text.partition("(")
    return Atom(name, tuple(rest.removesuffix(")").split(",")) if rest else ())


def solved(level: Level, position: Position) -> bool:
    """Does the goal hold, and is each preference settled?"""
    return is_settled(level, position) if level.preferences else Facts(level, position).holds(level.goal, {})


def steps(level: Level, position: Position) -> Iterator[Step]:
    """Yield the steps of all applicable actions."""
    facts = Facts(level, position)
    if (last := _closing(level, facts, position)) is not None:
        yield last
    for action in level.domain.actions if is_open(level, position) else ():
        for binding in _applicable(level, facts, action):
            if (found := _step(level, facts, position, action, binding)) is not None:
                yield found


def step(level: Level, position: Position, name: str) -> Step | None:
    """The step of an action, `drive(t1,c1,c2)`; None if it is not applicable, or no action."""
    facts = Facts(level, position)
    if (last := _closing(level, facts, position)) is not None and last.name == name:
        return last
    if not is_open(level, position):
        return None
    head, _, rest = name.partition("(")
    objects = rest.removesuffix(")").split(",") if rest else []
    action = _actions(level).get(head)
    if action is None or len(objects) != len(action.parameters) or fact(head, tuple(objects)) != name:
        return None
    if any(each not in _members(level, kind) for each, (_, kind) in zip(objects, action.parameters, strict=True)):
        return None
    binding = {variable: each for each, (variable, _) in zip(objects, action.parameters, strict=True)}
    if not facts.holds(action.precondition, binding):
        return None
    return _step(level, facts, position, action, binding)


def closing(level: Level, position: Position) -> Step | None:
    """The step from a position that is no action: with soft goals, there is at most one."""
    return _closing(level, Facts(level, position), position) if level.preferences else None


def _closing(level: Level, facts: Facts, position: Position) -> Step | None:
    if not level.preferences:
        return None
    return closing_step(level, position, lambda condition: facts.holds(condition, {}))


@lru_cache(maxsize=8)
def _actions(level: Level) -> Mapping[str, Schema]:
    return {action.name: action for action in level.domain.actions}


@lru_cache(maxsize=256)
def _members(level: Level, kind: str) -> frozenset[str]:
    return frozenset(level.of_type[kind])


def _step(level: Level, facts: Facts, position: Position, action: Schema, binding: Binding) -> Step | None:
    """The step of an action whose precondition holds; None if a number in its cost or its effects is undefined."""
    costs = _costs(level, facts, action, binding)
    changed = _changed(level, facts, action, binding) if action.numeric else {}
    if costs is None or changed is None:
        return None
    added, deleted = set[str](), set[str]()
    for effect in action.effects:
        for each in bindings(level, effect.variables):
            bound = binding | each
            if facts.holds(effect.condition, bound):
                (added if effect.value else deleted).add(named(effect.atom.name, effect.atom.terms, bound))
    if changed:
        deleted.update(each for each in position if EQUALS in each and each.partition(EQUALS)[0] in changed)
        added.update(valued(function, value) for function, value in changed.items())
    return Step(fact(action.name, tuple(binding.values())), (position - deleted) | added, costs)


def _changed(level: Level, facts: Facts, action: Schema, binding: Binding) -> dict[str, Value] | None:
    """The functions that an action changes, with their values after it; None if it is not applicable."""
    changes: dict[str, list[tuple[str, Value | None]]] = {}
    before: dict[str, Value | None] = {}
    for effect in action.numeric:
        for each in bindings(level, effect.variables):
            bound = binding | each
            if not facts.holds(effect.condition, bound):
                continue
            if effect.target.name in level.tracked:
                name = named(effect.target.name, effect.target.terms, bound)
                before[name] = facts.value_of(effect.target, bound)
                changes.setdefault(name, []).append((effect.change, facts.value(effect.amount, bound)))
            elif not all(_is_known(level, facts, function, bound) for function in fluents(effect.amount)):
                return None
    found: dict[str, Value] = {}
    for name, several in changes.items():
        value = joined(before[name], several)
        if value is None or not within(level, name, value):
            return None
        found[name] = value
    return found


def _is_known(level: Level, facts: Facts, function: Fluent, binding: Binding) -> bool:
    """Has a function in an amount that nothing reads a value? If it is not tracked, it has (`tracked.py`)."""
    is_left_out = function.name in level.domain.varying and function.name not in level.tracked
    return is_left_out or facts.value_of(function, binding) is not None


def _costs(level: Level, facts: Facts, action: Schema, binding: Binding) -> dict[str, int] | None:
    """The costs of an action by metric; None if its cost has no value, and so the action is not applicable.

    Raises ModelError for a cost that is no whole number from 0.
    """
    if not level.has_costs:
        return {"cost": level.factor, "steps": 1}
    cost = facts.value(action.cost, binding)
    if cost is None:
        return None
    if not isinstance(cost, int) or cost < 0:
        step = fact(action.name, tuple(binding.values()))
        raise ModelError(f"{step} costs {show_number(cost)}, expected a whole number from 0")
    return {"cost": cost * level.factor, "steps": 1}


def _applicable(level: Level, facts: Facts, action: Schema) -> Iterator[Binding]:
    """Yield the objects for which the precondition holds: each conjunct is read once its variables are bound."""
    checks = _checks(action)
    parameters = action.parameters

    def extended(binding: Binding, at: int) -> Iterator[Binding]:
        if not all(facts.holds(part, binding) for part in checks[at]):
            return
        if at == len(parameters):
            yield dict(binding)
            return
        name, kind = parameters[at]
        for each in level.of_type[kind]:
            yield from extended({**binding, name: each}, at + 1)

    return extended({}, 0)


@lru_cache(maxsize=1024)
def _checks(action: Schema) -> Sequence[Sequence[Condition]]:
    """The conjuncts of a precondition, by the number of parameters that must be bound before each is read."""
    places = {name: number for number, (name, _) in enumerate(action.parameters, 1)}
    found: list[list[Condition]] = [[] for _ in range(len(places) + 1)]
    for part in conjuncts(action.precondition):
        found[max((places.get(name, 0) for name in free(part)), default=0)].append(part)
    return found
