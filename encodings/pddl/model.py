"""A finite-domain task as a model: the facts of its variables are bits, its operators are actions.

A condition on a variable is the one literal of its fact; an operator that knows the value before changes two bits.
Conditional effects become formulas: of several effects on a variable that fire together, the last one counts.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import MappingProxyType

from puzzlemc.encodings.pddl.derived import Derived
from puzzlemc.encodings.pddl.variables import Coded, coded
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Bit, Formula, Signal, State, expression
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.passes.translation import MOST_GOALS, OwnTask, carry, give
from puzzlemc.mc.tasks.task import Condition, Effect, Operator, Task
from puzzlemc.screens.pddl.conditions import fact

SOLVED = "solved"


@dataclass(frozen=True)
class Facts:
    """A task with the bits of its variables. One variable, `left_out`, may be no part of models.

    The first `known` variables are those of a translator, which looks for groups of facts.
    """

    task: Task
    variables: tuple[Coded, ...]
    derived: Derived
    left_out: int | None
    known: int

    def model(
        self,
        operators: Sequence[Operator],
        names: Sequence[str],
        goals: Iterable[Sequence[Condition]],
        uncounted: Container[str] = (),
        counts: Mapping[str, Sequence[Formula]] = MappingProxyType({}),
    ) -> Model:
        """The model with these operators, under these names. A goal state satisfies one condition of each of the
        `goals`. The model carries the task; if its variables are no groups of facts, for plans alone. Operators
        whose names are `uncounted` are no steps."""
        conjuncts = list(goals)
        goal = self.derived.conjunction([self._any(conditions) for conditions in conjuncts])
        held: dict[Bit, bool] = {}
        atoms: dict[str, Formula] = {}
        kept = []
        for number, each in enumerate(self.variables):
            if number == self.left_out:
                continue
            if self.task.variables[number].layer is None:
                kept.append(each.variable)
                held |= each.codes[self.task.initial[number]]
                atoms |= {str(b): {b: True} for b in each.variable.bits}
            else:
                atoms |= {
                    str(b): self.derived.condition({number: value})
                    for value, b in enumerate(each.bits)
                    if b is not None and "@" not in str(b)  # the translator's own predicates have it
                }
        actions = tuple(
            self._action(each, name, 0 if name in uncounted else 1)
            for each, name in zip(operators, names, strict=True)
        )
        model = Model(tuple(kept), held, actions, goal, {**atoms, SOLVED: goal}, counts=counts)
        (carry if self._is_grouped else give)(model, partial(self._own_task, operators, conjuncts))
        return model

    @property
    def bits(self) -> Iterator[Bit]:
        """Yield the bits of the variables that are no derived ones."""
        for number, each in enumerate(self.variables):
            if self.task.variables[number].layer is None:
                yield from each.variable.bits

    def values(self, state: State) -> tuple[int, ...]:
        """The values of all variables in a state, of derived ones the default. Raises LookupError for no state."""
        found = []
        for number, each in enumerate(self.variables):
            if self.task.variables[number].layer is not None:
                found.append(self.task.initial[number])
                continue
            true = [value for value, b in enumerate(each.bits) if b is not None and b in state]
            if len(true) > 1:
                raise LookupError(each.name)
            found.append(true[0] if true else each.bits.index(None))
        return tuple(found)

    def _own_task(self, operators: Sequence[Operator], goals: Iterable[Sequence[Condition]]) -> OwnTask:
        """The task of a model. Raises Unsuitable if the goal has too many alternatives."""
        found: list[Condition] = [{}]
        for conditions in goals:
            both = [(one, other) for one in found for other in conditions]
            found = [{**one, **other} for one, other in both if all(one.get(v, x) == x for v, x in other.items())]
            if len(found) > MOST_GOALS:
                raise Unsuitable(f"the goal has more than {MOST_GOALS} terms in disjunctive normal form")
        return OwnTask(replace(self.task, operators=operators), [each.bits for each in self.variables], found)

    @cached_property
    def _is_grouped(self) -> bool:
        """Are the variables groups of facts? The translator finds no groups through conditional effects: if there
        are some, and each variable is a single fact, other groups may be found. Derived variables have no bits."""
        return not self.task.axioms and (self.task.is_plain or max(self.task.domains[: self.known]) > 2)

    def _any(self, conditions: Sequence[Condition]) -> Formula:
        """The formula: one of the conditions holds."""
        return self.derived.disjunction([self.derived.condition(each) for each in conditions])

    def _action(self, operator: Operator, name: str, steps: int) -> Action:
        guard = self.derived.condition(operator.precondition)
        changed: dict[int, list[Effect]] = {}
        for effect in operator.effects:
            changed.setdefault(effect.variable, []).append(effect)
        update: dict[Bit, bool | Formula] = {}
        for number, effects in changed.items():
            before = operator.precondition.get(number)
            if len(effects) == 1 and not effects[0].condition:
                update |= self._set(number, before, effects[0].value)
            else:
                update |= self._conditional(number, effects)
        return Action(name, guard, update, {"cost": operator.cost, "steps": steps})

    def _set(self, number: int, before: int | None, after: int) -> dict[Bit, bool]:
        """The bits that change when the variable gets the value `after`; `before` is its value now, if known."""
        bits = self.variables[number].bits
        if before is None:
            return self.variables[number].codes[after]
        old, new = bits[before], bits[after]
        return {**({} if old is None else {old: False}), **({} if new is None else {new: True})}

    def _conditional(self, number: int, effects: Sequence[Effect]) -> dict[Bit, bool | Formula]:
        """The bits of a variable as formulas over the state before, for effects with conditions."""
        each = self.variables[number]
        conditions = [self.derived.condition(effect.condition) for effect in effects]
        if any(isinstance(condition, Signal) for condition in conditions):
            return {
                b: self.derived.overridden(
                    b,
                    [
                        (condition, effect.value == value)
                        for effect, condition in zip(effects, conditions, strict=True)
                    ],
                )
                for value, b in enumerate(each.bits)
                if b is not None
            }
        fires = [expression(condition) for condition in conditions]
        update: dict[Bit, bool | Formula] = {}
        for value, b in enumerate(each.bits):
            if b is None:
                continue
            after = expression({b: True})
            for effect, condition in zip(effects, fires, strict=True):  # a later effect overrides
                after = (after | condition) if effect.value == value else (after & ~condition)
            update[b] = after.to_nnf()
        return update


def facts_of(task: Task, left_out: Callable[[Coded], bool] = lambda _: False, known: int | None = None) -> Facts:
    """The bits of a task, without the variable for which `left_out` is true; `known`: see `Facts`, all if None.

    Raises LimitReached (`Derived`).
    """
    variables = tuple(coded(task))
    number = next((number for number, each in enumerate(variables) if left_out(each)), None)
    return Facts(
        task, variables, Derived(task, variables, number), number, len(variables) if known is None else known
    )


def named(operator: Operator) -> str:
    """The name of an operator with its arguments: `drive(t1,c1,c2)`."""
    head, *objects = operator.name.split()
    return fact(head, tuple(objects))


def moves(actions: Iterable[Action]) -> list[str]:
    """The names of actions."""
    return [action.name for action in actions]
