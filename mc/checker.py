"""Checks a proof with a SAT solver: this module shares nothing with any engine but the model.

One question to the solver holds all conditions: is there a state that is initial and in no layer that it must be in, or
a goal state in a layer, or a step out of the layers that a state is in? The clauses speak of a state and the next
one; gates get clauses only in the direction in which they matter (Plaisted and Greenbaum 1986).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from puzzlemc.mc.circuit import Circuit
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.formula import Formula, literals
from puzzlemc.mc.model import Model, cost_of
from puzzlemc.mc.proof import Proof, is_kept

SOLVER = "glucose4"  # engines use others


@dataclass(frozen=True)
class Checked:
    """The question that was refuted, and the solver's proof of that, where it was asked for, in the format DRUP."""

    clauses: list[list[int]]
    variables: int
    drup: list[str]


def check_proof(model: Model, proof: Proof, metric: str | None = None, *, drup: bool = False) -> Checked:
    """Check that the proof shows what it says: the goal unreachable, or no run cheaper than `proof.cost`.

    Raises Refuted with the condition that fails, and a state that shows it.
    """
    if proof.cost is not None and len(proof.layers) != proof.cost:
        raise Refuted(f"{len(proof.layers)} layers do not show that no run costs less than {proof.cost}")
    question = _Question(model, proof, metric)
    with Solver(SOLVER, bootstrap_with=question.clauses, with_proof=drup) as solver:
        while solver.solve():
            more = question.apart({v for v in solver.get_model() if v > 0})
            question.clauses += more
            solver.append_formula(more)
        return Checked(question.clauses, question.last, solver.get_proof() if drup else [])


class _Question:
    def __init__(self, model: Model, proof: Proof, metric: str | None) -> None:
        self._model = model
        self._proof = proof
        self.clauses: list[list[int]] = []
        self.last = 0
        self._bits = {b: number for number, b in enumerate(model.bits)}
        names = {str(b): b for b in model.bits}
        self._state = [self.new() for _ in model.bits]
        self._next = [self.new() for _ in model.bits]
        missing = set(proof.circuit.inputs).symmetric_difference(names)
        if missing:
            raise Refuted(f"{min(missing)} is a bit of only one of model and proof")
        for count in proof.counts:
            if not set(count.bits) <= names.keys():
                raise Refuted(f"a count of {min(set(count.bits) - names.keys())}, which the model does not know")
            if len(set(count.bits)) < len(count.bits) or not is_kept(
                model, [names[n] for n in count.bits], count.total
            ):
                raise Refuted(f"it does not show that always {count.total} of {', '.join(count.bits[:3])}, … hold")
            for state in (self._state, self._next):
                self._exactly([state[self._bits[names[name]]] for name in count.bits], count.total)

        inputs = [self._bits[names[name]] for name in proof.circuit.inputs]
        here = _Gates(self, proof.circuit, [self._state[number] for number in inputs])
        there = _Gates(self, proof.circuit, [self._next[number] for number in inputs])
        formulas = Circuit([str(b) for b in model.bits])
        self._here = _Gates(self, formulas, self._state)
        self._there = _Gates(self, formulas, self._next)
        # Which layer the state is in, if it counts; and in none up to which layer the next state is.
        self._layers = [self.new() for _ in proof.layers]
        for chosen, layer in zip(self._layers, proof.layers, strict=True):
            here.imply(chosen, layer)
        self._outside = [self.new() for _ in proof.layers]
        for number, outside in enumerate(self._outside):
            there.imply(outside, proof.layers[number] ^ 1)
            if number:
                self.clauses.append([-outside, self._outside[number - 1]])
        self._from_outside = self._ask_initial()
        self._goal = self._ask_goal()
        self._step = self._ask_step(metric)
        self.clauses.append([self._from_outside, self._goal, self._step])
        for gates in (here, there, self._here, self._there):
            gates.write()

    def new(self) -> int:
        self.last += 1
        return self.last

    def _exactly(self, variables: list[int], total: int) -> None:
        """That just so many of the variables hold."""
        encoded = CardEnc.equals(variables, total, self.last, encoding=EncType.seqcounter)
        self.clauses += encoded.clauses
        self.last = max(self.last, encoded.nv)

    def _require(self, chosen: int, formula: Formula, gates: "_Gates") -> None:
        """That the formula holds if the variable does."""
        cube = literals(formula)
        if cube is None:
            gates.imply(chosen, gates.circuit.formula(formula))
        else:
            for b, value in cube.items():
                variable = gates.inputs[self._bits[b]]
                self.clauses.append([-chosen, variable if value else -variable])

    # The three conditions

    def _ask_initial(self) -> int:
        """That the next state, so to say, is initial, and not in layer 0."""
        asked = self.new()
        self._require(asked, self._model.init, self._there)
        self.clauses.append([-asked, *self._outside[:1]])
        return asked

    def _ask_goal(self) -> int:
        """That the state is in some layer, and a goal."""
        asked = self.new()
        self._require(asked, self._model.goal, self._here)
        self.clauses.append([-asked, *self._layers])
        return asked

    def _ask_step(self, metric: str | None) -> int:
        """That the state is in some layer, and that an action leads from it out of those that it may lead to."""
        asked, proof = self.new(), self._proof
        self.clauses.append([-asked, *self._layers])
        self._actions = []
        changing: list[list[int]] = [[] for _ in self._bits]
        by_cost: dict[int, list[int]] = {}
        for action in self._model.actions:
            chosen = self.new()
            self._actions.append(chosen)
            cost = 0 if metric is None or proof.cost is None else cost_of(action, metric)
            by_cost.setdefault(cost, []).append(chosen)
            self._require(chosen, action.guard, self._here)
            for b, new in action.update.items():
                after = self._next[self._bits[b]]
                if isinstance(new, bool):
                    self.clauses.append([-chosen, after if new else -after])
                else:
                    value = self._here.equal(self._here.circuit.formula(new))
                    self.clauses += [[-chosen, -after, value], [-chosen, after, -value]]
                changing[self._bits[b]].append(chosen)
        self.clauses.append([-asked, *self._actions])
        for before, after, by in zip(self._state, self._next, changing, strict=True):
            self.clauses += [[-asked, before, -after, *by], [-asked, -before, after, *by]]
        for cost, actions in by_cost.items():
            paid = self.new()
            self.clauses += [[-action, paid] for action in actions]
            for number, layer in enumerate(self._layers):
                # An action that leads past the last layer may lead anywhere.
                allowed = self._outside[number + cost : number + cost + 1]
                self.clauses.append([-asked, -layer, -paid, *allowed])
        return asked

    def apart(self, true: set[int]) -> list[list[int]]:
        """Clauses that keep actions apart that the answer took together. Raises Refuted where it took one."""
        proof = self._proof
        layer = next((number for number, chosen in enumerate(self._layers) if chosen in true), 0)
        if self._from_outside in true:
            raise Refuted(f"an initial state is not in the first layer: {self._shown(self._next, true)}")
        if self._goal in true:
            raise Refuted(f"layer {layer} has a goal state: {self._shown(self._state, true)}")
        taken = [number for number, chosen in enumerate(self._actions) if chosen in true]
        if len(taken) == 1:
            raise Refuted(
                f"layer {layer} is left by {self._model.actions[taken[0]].name} in {self._shown(self._state, true)}"
            )
        return [[-self._actions[one], -self._actions[other]] for one, other in combinations(taken, 2)]

    def _shown(self, variables: Sequence[int], true: set[int]) -> str:
        """The state, as the bits that hold in it."""
        held = sorted(str(b) for b, variable in zip(self._model.bits, variables, strict=True) if variable in true)
        return "{" + ", ".join(held) + "}"


class _Gates:
    """The clauses of a circuit over some variables, of as many gates and directions as are asked for."""

    def __init__(self, question: _Question, circuit: Circuit, inputs: Sequence[int]) -> None:
        self.circuit = circuit
        self.inputs = inputs
        self._question = question
        self._variable = dict(enumerate(inputs, start=1))
        self._upward: set[int] = set()  # nodes that must be true where their gate is
        self._downward: set[int] = set()  # nodes that must be false where their gate is

    def imply(self, chosen: int, literal: int) -> None:
        """That the literal of the circuit holds if the variable does."""
        self._question.clauses.append([-chosen, self._needed(literal, true=True)])

    def equal(self, literal: int) -> int:
        """The literal for the solver that holds just where that of the circuit does."""
        self._needed(literal, true=False)
        return self._needed(literal, true=True)

    def _needed(self, literal: int, *, true: bool) -> int:
        """The literal for the solver; if it holds (or not, if not `true`), so does that of the circuit."""
        node = literal >> 1
        if node not in self._variable:
            self._variable[node] = self._question.new()
            if node == 0:
                self._question.clauses.append([-self._variable[node]])
        (self._upward if true != bool(literal & 1) else self._downward).add(node)
        return -self._variable[node] if literal & 1 else self._variable[node]

    def write(self) -> None:
        """Add the clauses of all gates that are needed."""
        first = len(self.circuit.inputs) + 1
        clauses, needed = self._question.clauses, self._needed
        for gate in range(len(self.circuit.gates) - 1, -1, -1):
            node = first + gate
            variable = self._variable.get(node)
            if variable is None:
                continue
            one, other = self.circuit.gates[gate]
            if node in self._upward:
                clauses.append([-variable, needed(one, true=True)])
                clauses.append([-variable, needed(other, true=True)])
            if node in self._downward:
                clauses.append([variable, -needed(one, true=False), -needed(other, true=False)])
