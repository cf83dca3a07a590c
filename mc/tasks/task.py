"""Finite-domain planning tasks: variables with finitely many values, operators with costs, a goal.

This is the formalism SAS+ (Bäckström and Nebel 1995) with conditional effects and axioms, as in the output of
planners' translators (Helmert 2009). Variables and their values are numbers from 0; names are for readers.

Notation: a *fact* is a pair (variable, value). A *condition* is a partial state, a mapping from variables to
values, which holds in the states that agree with it. A *state* has a value for each variable.

A *derived variable* has no effects. Its value follows from the other variables by axioms, layer by layer: in each
state it has its default value, unless an axiom gives it another one (`semantics.py`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.tasks.operators import (
    ArrayOperators,
    Condition,
    Effect,
    Fact,
    Integers,
    Operator,
    OperatorArrays,
    arrays_of,
)

__all__ = ["Axiom", "Condition", "Effect", "Fact", "Operator", "Searched", "State", "Task", "TaskVariable"]

State: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class TaskVariable:
    """A variable: its name, and the names of its values. A derived variable has the number of its axiom layer."""

    name: str
    values: tuple[str, ...]
    layer: int | None = None


@dataclass(frozen=True)
class Axiom:
    """A rule: if `condition` holds, the derived variable has `value`, which is not its default value."""

    condition: Condition
    variable: int
    value: int


@dataclass(frozen=True)
class Task:
    """A planning task. A plan leads from the initial state to a state in which the condition `goal` holds.

    initial  the initial values; of a derived variable its default value
    goal     one condition; a disjunction is compiled to operators without cost that set an additional variable
    mutexes  groups of facts: in each reachable state at most one fact of a group holds. They may be ignored
    """

    variables: tuple[TaskVariable, ...]
    initial: State
    goal: Condition
    operators: Sequence[Operator]
    axioms: tuple[Axiom, ...] = ()
    mutexes: tuple[tuple[Fact, ...], ...] = ()

    @cached_property
    def domains(self) -> tuple[int, ...]:
        """The number of values of each variable."""
        return tuple(len(variable.values) for variable in self.variables)

    @cached_property
    def derived(self) -> tuple[int, ...]:
        """The numbers of the derived variables."""
        return tuple(number for number, variable in enumerate(self.variables) if variable.layer is not None)

    @cached_property
    def arrays(self) -> OperatorArrays:
        """The operators as arrays."""
        return arrays_of(self.operators)

    @property
    def is_plain(self) -> bool:
        """Has it neither axioms nor conditional effects?"""
        return not self.axioms and not self.derived and not len(self.arrays.condition)

    def with_costs(self, costs: Iterable[int]) -> "Task":
        """The task with other costs, one for each operator."""
        if isinstance(self.operators, ArrayOperators):
            return replace(self, operators=self.operators.with_costs(costs))
        pairs = zip(self.operators, costs, strict=True)
        return replace(self, operators=tuple(replace(operator, cost=cost) for operator, cost in pairs))

    def validate(self) -> None:
        """Raise ModelError if a number is out of range, or if the axioms are not stratified."""
        if len(self.initial) != len(self.variables):
            raise ModelError(f"{len(self.initial)} initial values do not fit {len(self.variables)} variables")
        self._check("the initial state", enumerate(self.initial))
        self._check("the goal", self.goal.items())
        for number, group in enumerate(self.mutexes):
            self._check(f"mutex group {number}", group)
        self._check_operators()
        for number, axiom in enumerate(self.axioms):
            self._check(f"axiom {number}", [*axiom.condition.items(), (axiom.variable, axiom.value)])
            self._check_layers(f"axiom {number}", axiom)

    def _check_operators(self) -> None:
        """Raise ModelError for a negative cost, a fact that does not exist, or an effect on a derived variable."""
        arrays = self.arrays
        for number in np.flatnonzero(arrays.costs < 0)[:1].tolist():
            operator = self.operators[number]
            raise ModelError(f"operator {operator.name}: cost {operator.cost} is negative")
        of_precondition = np.repeat(np.arange(len(arrays)), np.diff(arrays.precondition_first))
        of_effect = arrays.effect_owner
        of_condition = np.repeat(of_effect, np.diff(arrays.condition_first))
        for rows, owners in (
            (arrays.precondition, of_precondition),
            (arrays.condition, of_condition),
            (arrays.effect, of_effect),
        ):
            for place in self._missing(rows)[:1].tolist():
                self._check(f"operator {self.operators[owners[place]].name}", [tuple(rows[place].tolist())])
        for place in np.flatnonzero(np.isin(arrays.effect[:, 0], self.derived))[:1]:
            name = self.operators[of_effect[place]].name
            raise ModelError(f"operator {name} has an effect on a derived variable")

    def _missing(self, rows: Integers) -> Integers:
        """The places of facts that do not exist."""
        variables, values = rows[:, 0], rows[:, 1]
        is_variable = (variables >= 0) & (variables < len(self.domains))
        sizes = np.array([*self.domains, 0], np.int64)[np.where(is_variable, variables, -1)]
        return np.flatnonzero((values < 0) | (values >= sizes))

    def _check(self, where: str, facts: Iterable[Fact]) -> None:
        """Raise ModelError for a fact that does not exist."""
        for variable, value in facts:
            if not 0 <= variable < len(self.variables):
                raise ModelError(f"{where}: found variable {variable}, expected less than {len(self.variables)}")
            if not 0 <= value < self.domains[variable]:
                raise ModelError(
                    f"{where}: found value {value} of variable {variable}, expected less than "
                    f"{self.domains[variable]}"
                )

    def _check_layers(self, where: str, axiom: Axiom) -> None:
        """Raise ModelError unless each value that the axiom reads is determined before it."""
        layer = self.variables[axiom.variable].layer
        if layer is None:
            raise ModelError(f"{where} sets a variable that is not derived")
        if axiom.value == self.initial[axiom.variable]:
            raise ModelError(f"{where} sets a derived variable to its default value")
        for variable, value in axiom.condition.items():
            below = self.variables[variable].layer
            if below is not None and (below > layer or (below == layer and value == self.initial[variable])):
                raise ModelError(f"{where} reads a derived variable that is not determined before it")


@dataclass(frozen=True)
class Searched:
    """The result of a search: a cheapest plan by the numbers of its operators, or None; and the expanded states.

    `limit` is the limit that stopped the search. No plan and no limit mean that there is no plan. `bound`: no plan
    costs less.
    """

    plan: tuple[int, ...] | None
    expanded: int
    bound: int
    limit: str | None = None
