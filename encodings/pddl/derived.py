"""Derived variables as circuits over the other ones.

Axioms fire layer by layer until nothing changes. Within a layer, the variables that depend on each other form
components; one of n variables changes in n rounds at most, so n rounds are written one after another. The rules of
a component that is no cycle are written once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from puzzlemc.encodings.pddl.variables import Coded
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.model.expressions import And, Or
from puzzlemc.mc.model.formula import Bit, Expression, Formula, Gates, Signal, expression, fold
from puzzlemc.mc.tasks.task import Axiom, Condition, Task

FALSE, TRUE = 0, 1  # literals of every graph
MOST_GATES = 1 << 18


class Derived:
    """Conditions on a task as formulas, with derived variables replaced by what they follow from."""

    def __init__(self, task: Task, variables: Sequence[Coded], left_out: int | None) -> None:
        """Write the circuits, in which one variable may not occur. Raises LimitReached if they are too large."""
        self._task, self._variables = task, variables
        self._bits: list[Bit] = [
            b
            for number, each in enumerate(variables)
            if task.variables[number].layer is None and number != left_out
            for b in each.variable.bits
        ]
        self._literal = {b: 2 * number for number, b in enumerate(self._bits, 1)}
        self._gates: list[tuple[int, int]] = []
        self._known: dict[tuple[int, int], int] = {}
        self._graph = Gates(tuple(self._bits), self._gates)
        self._held = dict.fromkeys(task.derived, FALSE)  # the literal: the variable has not its default value
        for rules in _components(task):
            self._fire(rules)

    def condition(self, condition: Condition) -> Formula:
        """A condition as a formula over the bits of the model."""
        if not any(variable in self._held for variable in condition):
            found: dict[Bit, bool] = {}
            for variable, value in condition.items():
                found |= self._variables[variable].cubes[value]
            return found
        return Signal(self._graph, self._of(condition))

    def conjunction(self, parts: Sequence[Formula]) -> Formula:
        """All of the formulas: a cube if they are cubes that do not contradict each other."""
        joined: dict[Bit, bool] = {}
        for part in parts:
            if not isinstance(part, Mapping) or any(joined.get(b, held) != held for b, held in part.items()):
                return self._joined(parts, self._all, And)
            joined |= part
        return joined

    def disjunction(self, parts: Sequence[Formula]) -> Formula:
        """Any of the formulas; none of no formulas holds."""
        return parts[0] if len(parts) == 1 else self._joined(parts, self._any, Or)

    def _joined(
        self, parts: Sequence[Formula], gates: Callable[[Iterable[int]], int], operator: Callable[..., Expression]
    ) -> Formula:
        """The formulas under an operator; a circuit as an expression would be a tree that repeats shared parts."""
        if any(isinstance(part, Signal) for part in parts):
            return Signal(self._graph, gates(map(self.literal, parts)))
        return operator(*map(expression, parts))

    def literal(self, formula: Formula) -> int:
        """A formula as a literal of the circuit."""
        if isinstance(formula, Signal) and formula.graph is self._graph:
            return formula.literal
        return fold(formula, lambda b, held: self._literal[b] ^ (not held), self._all, self._any)

    def overridden(self, before: Bit, changes: Sequence[tuple[Formula, bool]]) -> Formula:
        """The value of a bit after changes, each under a condition; of several, the last one counts."""
        after = self._literal[before]
        for condition, value in changes:
            fires = self.literal(condition)
            after = self._any([after, fires]) if value else self._all([after, fires ^ 1])
        return Signal(self._graph, after)

    def _of(self, condition: Condition) -> int:
        literals = []
        for variable, value in condition.items():
            if variable in self._held:
                literals.append(self._held[variable] ^ (value == self._task.initial[variable]))
            else:
                cube = self._variables[variable].cubes[value]
                literals += [self._literal[b] ^ (not held) for b, held in cube.items()]
        return self._all(literals)

    def _fire(self, rules: Mapping[int, Sequence[Axiom]]) -> None:
        """Replace the literals of a component by those of its fixpoint."""
        for _ in range(len(rules)):
            before = dict(self._held)
            after = {
                variable: self._any([before[variable], *(self._of(axiom.condition) for axiom in axioms)])
                for variable, axioms in rules.items()
            }
            if after == {variable: before[variable] for variable in rules}:
                return
            self._held |= after

    def _all(self, literals: Iterable[int]) -> int:
        found = TRUE
        for literal in sorted(set(literals)):
            found = self._and(found, literal)
        return found

    def _any(self, literals: Iterable[int]) -> int:
        return self._all(literal ^ 1 for literal in literals) ^ 1

    def _and(self, one: int, other: int) -> int:
        one, other = min(one, other), max(one, other)
        if one == FALSE or one ^ 1 == other:
            return FALSE
        if one in (TRUE, other):
            return other
        found = self._known.get((one, other))
        if found is None:
            if len(self._gates) == MOST_GATES:
                raise LimitReached("memory", f"derived predicates take more than {MOST_GATES} gates")
            self._gates.append((one, other))
            found = self._known[one, other] = 2 * (len(self._bits) + len(self._gates))
        return found


def _components(task: Task) -> Iterable[Mapping[int, Sequence[Axiom]]]:
    """The axioms of each component, by the variable that they set, each component after those that it reads."""
    rules: dict[int, list[Axiom]] = {variable: [] for variable in task.derived}
    reads: dict[int, dict[int, None]] = {variable: {} for variable in task.derived}
    for axiom in task.axioms:
        rules[axiom.variable].append(axiom)
        reads[axiom.variable] |= {variable: None for variable in axiom.condition if variable in rules}
    try:
        components = [[variable] for variable in TopologicalSorter(reads).static_order()]
    except CycleError:
        components = _condensed(reads)
    for members in components:
        yield {variable: rules[variable] for variable in members}


def _condensed(reads: Mapping[int, Iterable[int]]) -> list[list[int]]:
    """The components of variables that read each other, each after those that it reads."""
    import networkx as nx  # takes longer to load than a small task to solve, and few tasks have cycles

    graph = nx.DiGraph()
    graph.add_nodes_from(reads)
    graph.add_edges_from((read, variable) for variable, some in reads.items() for read in some)
    components = nx.condensation(graph)
    return [sorted(components.nodes[number]["members"]) for number in nx.topological_sort(components)]
