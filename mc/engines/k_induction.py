"""k-induction (Sheeran, Singh and Stalmarck 2000): no goal within k steps, and no path of k steps to a first goal.

The paths of the second question, the induction step, are simple: no state occurs twice. A clause that two states
of a path differ is added only when a satisfying assignment repeats a state. So the search terminates, at the
latest past the longest simple path.
"""

from collections.abc import Callable, Iterable

from puzzlemc.mc.engines.bmc import trace_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, cost_of
from puzzlemc.mc.model.formula import State, holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.circuit import TRUE, Circuit
from puzzlemc.mc.proofs.layered import LayeredProof, exclusion, kept_counts
from puzzlemc.mc.sat.solvers import Cadical
from puzzlemc.mc.sat.unroll import Clause, Unroller
from puzzlemc.mc.verdict import Reachable, Statistics, Unreachable, Verdict, within_limits

MOST_GATES = 1 << 16  # of an invariant: each step can multiply its size by the number of actions


def k_induction(model: Model, metric: str, budget: Budget) -> Verdict:
    """Decide reachability by k-induction.

    A trace has the fewest steps; if all actions cost the same, it is a cheapest one. Raises ModelError for an
    unknown metric.
    """
    step_costs = {cost_of(action, metric) for action in model.actions}
    least = min(step_costs, default=0)

    def attempt() -> Verdict:
        unroller = Unroller(model, counts=True)
        base, paths = Cadical(budget), _Paths(unroller, budget)
        base.add([*unroller.frame(0), (unroller.init(0),)])
        length = 0
        while True:
            if base.solve([unroller.goal(length)]):
                trace = trace_of(unroller, base.solution(), length)
                cost = trace.cost(metric)
                optimal = metric != ANY and (cost == 0 or (len(step_costs) == 1 and least > 0))
                return Reachable(trace, cost, optimal, Statistics(length + 1))
            budget.record_bound(least * (length + 1))
            if not paths.leads_to_goal(length):
                proof = _proof(model, length, budget)
                return Unreachable(_none_within(model, length), Statistics(length + 1), proof)
            base.add([(-unroller.goal(length),), *unroller.step(length), *unroller.frame(length + 1)])
            paths.extend(length)
            length += 1

    return within_limits(budget, attempt)


class _Paths:
    """The induction step: simple paths from any state, in which only the last state may be a goal state."""

    def __init__(self, unroller: Unroller, budget: Budget) -> None:
        self._unroller = unroller
        self._solver = Cadical(budget)
        self._number: dict[int, int] = {}  # variable of the unroller -> variable of the solver
        self._last = 0
        self._add(unroller.frame(0))

    def _new(self) -> int:
        self._last += 1
        return self._last

    def _literal(self, literal: int) -> int:
        number = self._number.get(abs(literal)) or self._number.setdefault(abs(literal), self._new())
        return number if literal > 0 else -number

    def _add(self, clauses: Iterable[Clause]) -> None:
        self._solver.add([self._literal(literal) for literal in clause] for clause in clauses)

    def extend(self, length: int) -> None:
        """Extend the paths from that length by one step."""
        unroller = self._unroller
        self._add([(-unroller.goal(length),), *unroller.step(length), *unroller.frame(length + 1)])

    def leads_to_goal(self, length: int) -> bool:
        """Does a path of that length end in a goal state?"""
        unroller, bits = self._unroller, self._unroller.model.bits
        goal = self._literal(unroller.goal(length))
        while self._solver.solve([goal]):
            solution = self._solver.solution()
            seen: dict[State, int] = {}
            repeated = []
            for time in range(length + 1):
                state = frozenset(b for b in bits if self._literal(unroller.bit(b, time)) in solution)
                if state in seen:
                    repeated.append((seen[state], time))
                seen[state] = time
            if not repeated:
                return True
            for one, other in repeated:
                self._keep_apart(one, other)
        return False

    def _keep_apart(self, one: int, other: int) -> None:
        """Add clauses that the states at these times differ."""
        unroller = self._unroller
        differ = []
        for b in unroller.model.bits:
            first, second = (self._literal(unroller.bit(b, time)) for time in (one, other))
            differ.append(self._new())
            self._solver.add([(-differ[-1], first, second), (-differ[-1], -first, -second)])
        self._solver.add([differ])


def _none_within(model: Model, length: int) -> Callable[[State], bool]:
    """The invariant: no path of fewer than `length` steps leads from the state to a goal.

    It is inductive. Suppose a step violates it: then this step and a shortest path to a goal form a simple path of
    `length` steps, which the induction step has excluded.
    """
    counts = kept_counts(model)

    def invariant(state: State) -> bool:
        names = {str(b) for b in state}
        if any(len(names.intersection(count.bits)) != count.total for count in counts):
            return False
        if any(len(state.intersection(group)) > 1 for group in model.hints.exclusive):
            return False
        frontier = {state}
        for _ in range(length):
            if any(holds(model.goal, here) for here in frontier):
                return False
            frontier = {action.fire(here) for here in frontier for action in model.actions if action.enabled(here)}
        return True

    return invariant


def _proof(model: Model, length: int, budget: Budget) -> LayeredProof | None:
    """The invariant as a circuit, made of preimages. None if it has too many gates."""
    circuit = Circuit([str(b) for b in model.bits])
    safe = circuit.formula(model.goal) ^ 1
    layer = safe if length else TRUE
    actions = [
        (
            circuit.formula(action.guard),
            {
                **{circuit.input(b): int(new) for b, new in action.constants.items()},
                **{circuit.input(b): circuit.formula(new) for b, new in action.formulas.items()},
            },
        )
        for action in model.actions
    ]
    for _ in range(length - 1):
        after = [safe]
        for guard, update in actions:
            budget.check()
            if len(circuit.gates) > MOST_GATES:
                return None
            after.append(circuit.both(guard, circuit.substituted(layer, update) ^ 1) ^ 1)
        layer = circuit.conj(after)
    return LayeredProof(circuit, (circuit.both(layer, exclusion(model, circuit)),), kept_counts(model))
