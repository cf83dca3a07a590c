"""Checks the layers of a proof with a SAT solver, and gets the solver's own proof where that is wanted.

One question to the solver holds all conditions: is there an initial state outside layer 0, or a goal state in a
layer, or a step out of the layers that a state is in? The clauses speak of a state and the next one; gates get
clauses only in the direction in which they matter (Plaisted and Greenbaum 1986).
"""

from collections.abc import Sequence
from itertools import combinations

from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Clauses, Formula, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.circuit import Circuit
from puzzlemc.mc.proofs.layered import LayeredProof, price

SOLVER = "glucose4"  # engines use others
CONFLICTS = 2_000  # between two looks at the clock


def check_by_clauses(
    model: Model, proof: LayeredProof, most_conflicts: int | None, budget: Budget | None = None
) -> bool:
    """Do the layers show what they should? False if the solver gave up after `conflicts` conflicts.

    Raises Refuted with the condition that fails, and a state that shows it; LimitReached.
    """
    question = Question(model, proof)
    with Solver(SOLVER, bootstrap_with=question.clauses) as solver:
        while True:
            if budget is not None:
                budget.check()
            solver.conf_budget(CONFLICTS if most_conflicts is None else most_conflicts)
            answer = solver.solve_limited()
            if answer:
                solver.append_formula(question.apart({v for v in solver.get_model() if v > 0}))
            elif answer is False or most_conflicts is not None:
                return answer is False


def drup(model: Model, proof: LayeredProof) -> tuple[list[list[int]], list[str]]:
    """The clauses that say that the layers fail to show what they should, and a solver's refutation of them.

    The refutation is in the format DRUP, a line a clause, which checkers of DRAT read (Heule, Hunt and Wetzler
    2013). Raises Refuted as `check_by_clauses` does.
    """
    question = Question(model, proof)
    while True:
        with Solver(SOLVER, bootstrap_with=question.clauses, with_proof=True) as solver:
            if not solver.solve():
                return question.clauses, solver.get_proof()
            question.clauses += question.apart({v for v in solver.get_model() if v > 0})


class Question:
    """Clauses whose solutions, unless actions share a step, show where the layers fail."""

    def __init__(self, model: Model, proof: LayeredProof) -> None:
        self._model = model
        self.clauses: list[list[int]] = []
        self.last = 0  # variable
        self._number = {b: number for number, b in enumerate(model.bits)}
        self._state = [self.new() for _ in model.bits]
        self._next = [self.new() for _ in model.bits]
        number_of = {str(b): number for b, number in self._number.items()}
        for count in proof.counts:
            for variables in (self._state, self._next):
                self._exactly([variables[number_of[name]] for name in count.bits], count.total)
        here, there = _Gates(self, proof.circuit, self._state), _Gates(self, proof.circuit, self._next)
        formulas = Circuit(proof.circuit.inputs)
        self._here, self._there = _Gates(self, formulas, self._state), _Gates(self, formulas, self._next)
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
        self._actions: list[int] = []
        self._step = self._ask_step(proof)
        self.clauses.append([self._from_outside, self._goal, self._step])
        for gates in (here, there, self._here, self._there):
            gates.write()

    def new(self) -> int:
        """A new variable."""
        self.last += 1
        return self.last

    def _exactly(self, variables: list[int], total: int) -> None:
        """Clauses for: exactly this number of the variables hold."""
        encoded = CardEnc.equals(variables, total, self.last, encoding=EncType.seqcounter)
        self.clauses += encoded.clauses
        self.last = max(self.last, encoded.nv)

    def _require(self, chosen: int, formula: Formula, gates: "_Gates") -> None:
        """That the formula holds if the variable does."""
        cube = literals(formula)
        if isinstance(formula, Clauses):
            number = [gates.inputs[self._number[b]] for b in formula.bits]
            for row in formula.rows:
                self.clauses.append([-chosen, *(number[v - 1] if v > 0 else -number[-v - 1] for v in row)])
        elif cube is None:
            gates.imply(chosen, gates.circuit.formula(formula))
        else:
            for b, value in cube.items():
                variable = gates.inputs[self._number[b]]
                self.clauses.append([-chosen, variable if value else -variable])

    # The three conditions

    def _ask_initial(self) -> int:
        """Assume an initial state, written as the next state, that is not in layer 0."""
        asked = self.new()
        self._require(asked, self._model.init, self._there)
        self.clauses.append([-asked, *self._outside[:1]])
        return asked

    def _ask_goal(self) -> int:
        """Assume a goal state in a layer."""
        asked = self.new()
        self._require(asked, self._model.goal, self._here)
        self.clauses.append([-asked, *self._layers])
        return asked

    def _ask_step(self, proof: LayeredProof) -> int:
        """Assume a state in a layer, and an action to none of the layers allowed next."""
        asked = self.new()
        self.clauses.append([-asked, *self._layers])
        changing: list[list[int]] = [[] for _ in self._state]
        by_cost: dict[int, list[int]] = {}
        for action in self._model.actions:
            chosen = self.new()
            self._actions.append(chosen)
            by_cost.setdefault(price(proof, action), []).append(chosen)
            self._require(chosen, action.guard, self._here)
            for b, new in action.constants.items():
                after = self._next[self._number[b]]
                self.clauses.append([-chosen, after if new else -after])
            for b, formula in action.formulas.items():
                after = self._next[self._number[b]]
                value = self._here.equal(self._here.circuit.formula(formula))
                self.clauses += [[-chosen, -after, value], [-chosen, after, -value]]
            for b in action.update:
                changing[self._number[b]].append(chosen)
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
        """Clauses that keep actions apart that the answer took together. Raises Refuted if it took one."""
        layer = next((number for number, chosen in enumerate(self._layers) if chosen in true), 0)
        if self._from_outside in true:
            raise Refuted(f"an initial state is not in the first layer: {self._shown(self._next, true)}")
        if self._goal in true:
            raise Refuted(f"layer {layer} has a goal state: {self._shown(self._state, true)}")
        taken = [number for number, chosen in enumerate(self._actions) if chosen in true]
        if len(taken) == 1:
            name = self._model.actions[taken[0]].name
            raise Refuted(f"layer {layer} is left by {name} in {self._shown(self._state, true)}")
        return [[-self._actions[one], -self._actions[other]] for one, other in combinations(taken, 2)]

    def _shown(self, variables: Sequence[int], true: set[int]) -> str:
        """The state, as the bits that hold in it."""
        held = sorted(str(b) for b, variable in zip(self._model.bits, variables, strict=True) if variable in true)
        return "{" + ", ".join(held) + "}"


class _Gates:
    """The clauses of a circuit over some variables, of as many gates and directions as are asked for."""

    def __init__(self, question: Question, circuit: Circuit, inputs: Sequence[int]) -> None:
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
