"""Planning tasks by names, from which their numbers follow."""

from collections.abc import Hashable, Mapping

from puzzlemc.mc.tasks.task import Axiom, Effect, Operator, Task, TaskVariable

Facts = Mapping[Hashable, Hashable]  # variable -> value


class Draft:
    """A task by names: variables and values are any hashable things."""

    def __init__(self) -> None:
        self._values: dict[Hashable, list[Hashable]] = {}
        self._initial: dict[Hashable, Hashable] = {}
        self._derived: set[Hashable] = set()
        self._operators: list[Operator] = []
        self._axioms: list[Axiom] = []

    def variable(
        self, name: Hashable, values: list[Hashable], initial: Hashable, *, derived: bool = False
    ) -> None:
        """Add a variable. All of them come before the operators."""
        self._values[name] = values
        self._initial[name] = initial
        self._derived |= {name} if derived else set()

    def facts(self, facts: Facts) -> dict[int, int]:
        """Facts by numbers."""
        names = list(self._values)
        return {names.index(name): self._values[name].index(value) for name, value in facts.items()}

    def operator(self, name: str, before: Facts, after: Facts, cost: int = 1) -> None:
        """Add an operator without conditions of effects."""
        effects = tuple(Effect(variable, value) for variable, value in self.facts(after).items())
        self._operators.append(Operator(name, self.facts(before), effects, cost))

    def flip(self, name: str, names: list[Hashable]) -> None:
        """Add an operator that changes each of these variables of two values to its other value."""
        effects = []
        for variable in self.facts({each: self._values[each][0] for each in names}):
            effects += [Effect(variable, 1 - value, {variable: value}) for value in (0, 1)]
        self.conditional(name, effects)

    def conditional(self, name: str, effects: list[Effect], cost: int = 1) -> None:
        """Add an operator without precondition."""
        self._operators.append(Operator(name, {}, tuple(effects), cost))

    def axiom(self, condition: Facts, name: Hashable) -> None:
        """Add an axiom that gives a derived variable of two values its second value."""
        ((variable, value),) = self.facts({name: self._values[name][1]}).items()
        self._axioms.append(Axiom(self.facts(condition), variable, value))

    def task(self, goal: Facts) -> Task:
        """The task."""
        variables = tuple(
            TaskVariable(str(name), tuple(map(str, values)), 0 if name in self._derived else None)
            for name, values in self._values.items()
        )
        initial = tuple(self._values[name].index(value) for name, value in self._initial.items())
        return Task(variables, initial, self.facts(goal), tuple(self._operators), tuple(self._axioms))
