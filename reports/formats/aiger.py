"""The model as a circuit in the AIGER format, and a witness circuit for a proof of unreachability.

Latches are the bits of the state. Inputs choose an action by its number; if that action is not enabled, the state
does not change. If there are several initial states, inputs choose one in an additional first step, and the latch
`begun` is set. The bad states are the goal states. The witness is the same circuit with more bad states: all
states outside the invariant. No bad state is initial, and no step leads from another state to a bad one (witness
circuits: Yu, Biere and Heljanko 2021; AIGER 1.9: Biere, Heljanko and Wieringa 2011).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import State, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.circuit import TRUE, Circuit
from puzzlemc.mc.proofs.layered import LayeredProof


@dataclass(frozen=True)
class Machine:
    """A sequential circuit. The first inputs of `circuit` are inputs, the others are latches.

    inputs     names: `choice0`, … for the bits of an action's number, `start.NAME` for a bit of the first state
    following  by latch: the literal of its next value
    initial    by latch: its initial value
    begun      the literal that a first state has been chosen; true if there is only one
    """

    circuit: Circuit
    inputs: tuple[str, ...]
    following: tuple[int, ...]
    initial: tuple[bool, ...]
    begun: int
    bad: int

    def aiger(self) -> bytes:
        """The circuit in the binary format."""
        circuit, latches = self.circuit, len(self.following)
        first = len(self.inputs) + 1
        nodes = len(self.inputs) + latches + len(circuit.gates)
        lines = [f"aig {nodes} {len(self.inputs)} {latches} 0 {len(circuit.gates)} 1"]
        lines += [f"{after} {int(value)}" for after, value in zip(self.following, self.initial, strict=True)]
        lines.append(str(self.bad))
        gates = bytearray()
        for number, (one, other) in enumerate(circuit.gates):
            low, high = sorted((one, other))
            gates += _coded(2 * (first + latches + number) - high) + _coded(high - low)
        names = [f"i{number} {name}" for number, name in enumerate(self.inputs)]
        names += [f"l{number} {name}" for number, name in enumerate(circuit.inputs[len(self.inputs) :])]
        return "\n".join([*lines, ""]).encode() + bytes(gates) + "\n".join([*names, "b0 goal", ""]).encode()


def _coded(number: int) -> bytes:
    """The number in bytes of seven bits, lowest first; the high bit is set in all bytes but the last."""
    coded = bytearray()
    while number >= 128:
        coded.append(number % 128 + 128)
        number //= 128
    return bytes([*coded, number])


def machine(model: Model) -> Machine:
    """The model as a sequential circuit."""
    initial = literals(model.init) or {}
    is_single = len(initial) == len(model.bits)
    choices = [f"choice{number}" for number in range(max(0, len(model.actions) - 1).bit_length())]
    names = [str(b) for b in model.bits]
    starts = [] if is_single else [f"start.{name}" for name in names]
    circuit = Circuit([*choices, *starts, *([] if is_single else ["begun"]), *names])
    changing: dict[str, list[tuple[int, int]]] = {name: [] for name in names}
    for number, action in enumerate(model.actions):
        chosen = circuit.conj(circuit.input(name) ^ (not number >> i & 1) for i, name in enumerate(choices))
        happens = circuit.both(chosen, circuit.formula(action.guard))
        for b, new in action.constants.items():
            changing[str(b)].append((happens, int(new)))
        for b, formula in action.formulas.items():
            changing[str(b)].append((happens, circuit.formula(formula)))
    following = []
    for name, changes in changing.items():
        stays = circuit.conj([circuit.input(name), *(happens ^ 1 for happens, _ in changes)])
        following.append(circuit.disj([stays, *(circuit.both(happens, value) for happens, value in changes)]))
    goal = circuit.formula(model.goal)
    if is_single:
        values = tuple(initial[b] for b in model.bits)
        return Machine(circuit, tuple(choices), tuple(following), values, TRUE, goal)
    begun = circuit.input("begun")
    start = {circuit.input(name): circuit.input(f"start.{name}") for name in names}
    begins = circuit.both(begun ^ 1, circuit.substituted(circuit.formula(model.init), start))
    following = [
        circuit.choice(begun, after, circuit.both(begins, start[circuit.input(name)]))
        for name, after in zip(names, following, strict=True)
    ]
    following.insert(0, circuit.disj([begun, begins]))
    values = (False,) * len(following)
    return Machine(circuit, (*choices, *starts), tuple(following), values, begun, circuit.both(begun, goal))


def witness(model: Model, proof: LayeredProof) -> Machine:
    """The model, with all states as bad that violate the invariant of a proof of unreachability, or its counts."""
    found = machine(model)
    circuit = found.circuit
    values = [0, *map(circuit.input, proof.circuit.inputs)]
    for one, other in proof.circuit.gates:
        values.append(circuit.both(values[one >> 1] ^ one & 1, values[other >> 1] ^ other & 1))
    (layer,) = proof.layers
    parts = [values[layer >> 1] ^ layer & 1]
    parts += [circuit.exactly([circuit.input(b) for b in count.bits], count.total) for count in proof.counts]
    return replace(found, bad=circuit.both(found.begun, circuit.conj(parts) ^ 1))


def run_of_inputs(machine: Machine, model: Model, start: State, actions: Sequence[Action]) -> list[str]:
    """The inputs of each step of a run, a digit for each: the choice of the first state, then the actions."""
    number = {id(action): number for number, action in enumerate(model.actions)}
    steps = []
    if machine.begun != TRUE:
        begin = {f"start.{b}" for b in start}
        steps.append("".join(str(int(name in begin)) for name in machine.inputs))
    for action in actions:
        chosen = {f"choice{i}" for i in range(len(machine.inputs)) if number[id(action)] >> i & 1}
        steps.append("".join(str(int(name in chosen)) for name in machine.inputs))
    return steps


def trace(model: Model, start: State, actions: Sequence[Action]) -> str:
    """A trace in the format of AIGER witnesses: the first state, and the inputs of each step to the bad state."""
    found = machine(model)
    first = "".join(str(int(value)) for value in found.initial)
    return "\n".join(["1", "b0", first, *run_of_inputs(found, model, start, actions), ""]) + ".\n"
