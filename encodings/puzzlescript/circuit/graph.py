"""The and-inverter graph of a level, and the questions about its literals that a SAT solver answers."""

from collections.abc import Iterable, Mapping, Sequence

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.proofs.circuit import FALSE, Circuit
from puzzlemc.mc.sat.solvers import Cadical

MOST_GATES = 1 << 17
MOST_CONFLICTS = 4_000  # of a question


class Graph(Circuit):
    """A circuit that simplifies a conjunction by looking one gate deep (Brummayer and Biere 2006).

    most  its largest number of gates
    """

    most = MOST_GATES

    def both(self, one: int, other: int) -> int:
        """The literal of a conjunction of two. Raises Unsuitable if the graph gets too large."""
        for here, there in ((one, other), (other, one)):
            gate = self.gate(there)
            if gate is None:
                continue
            if there & 1:
                if here ^ 1 in gate:
                    return here
                if here in gate:
                    return self.both(here, gate[gate[0] == here] ^ 1)
            else:
                if here in gate:
                    return there
                if here ^ 1 in gate:
                    return 0
        if len(self.gates) > self.most:
            raise Unsuitable(f"the circuit of a turn has more than {self.most} gates")
        return super().both(one, other)

    def at_most_one(self, literals: Iterable[int]) -> int:
        """The literal for: at most one of the literals holds."""
        some = several = FALSE
        for literal in literals:
            several = self.disj([several, self.both(some, literal)])
            some = self.disj([some, literal])
        return several ^ 1

    def gate(self, literal: int) -> tuple[int, int] | None:
        """The gate of a literal or of its negation, None for an input or a constant."""
        number = (literal >> 1) - len(self.inputs) - 1
        return self.gates[number] if number >= 0 else None

    def cone(self, literals: Iterable[int]) -> list[int]:
        """The nodes that the literals depend on, each one after its operands."""
        found = set[int]()
        stack = [literal >> 1 for literal in literals]
        while stack:
            node = stack.pop()
            if node not in found:
                found.add(node)
                stack += [literal >> 1 for literal in self.gate(2 * node) or ()]
        return sorted(found)


class Prover:
    """A SAT solver over the gates of a graph. `groups` are literals of which at most one of each group holds."""

    def __init__(self, graph: Graph, groups: Iterable[Sequence[int]]) -> None:
        self._graph = graph
        self._solver = Cadical(Budget())
        self._written = {0}
        # Node n is variable n + 1, since 0 is no variable.
        self._solver.add([(-1,)])
        for group in groups:
            for number, one in enumerate(group):
                self._solver.add((-self._variable(one), -self._variable(other)) for other in group[:number])

    def is_possible(self, literal: int) -> bool:
        """Can the literal hold? True as well if the solver gives up."""
        if literal <= 1:
            return bool(literal)
        self._write(literal >> 1)
        return self._solver.attempt([self._variable(literal)], MOST_CONFLICTS) is not False

    def _variable(self, literal: int) -> int:
        return -(literal >> 1) - 1 if literal & 1 else (literal >> 1) + 1

    def _write(self, root: int) -> None:
        """Add the clauses of a node and of all that it depends on (Tseitin 1968)."""
        stack = [root]
        while stack:
            node = stack.pop()
            if node in self._written:
                continue
            self._written.add(node)
            gate = self._graph.gate(2 * node)
            if gate is not None:
                one, other = map(self._variable, gate)
                self._solver.add([(-node - 1, one), (-node - 1, other), (node + 1, -one, -other)])
                stack += [literal >> 1 for literal in gate]


def compacted(graph: Graph, literals: Iterable[int]) -> tuple[tuple[tuple[int, int], ...], Mapping[int, int]]:
    """The gates that some literals depend on, numbered anew behind the inputs, and the new number of each node."""
    number = {node: node for node in range(len(graph.inputs) + 1)}
    gates = []
    for node in graph.cone(literals):
        gate = graph.gate(2 * node)
        if gate is not None:
            one, other = (2 * number[literal >> 1] | literal & 1 for literal in gate)
            gates.append((one, other))
            number[node] = len(graph.inputs) + len(gates)
    return tuple(gates), number
