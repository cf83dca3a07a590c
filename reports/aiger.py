"""The model as a circuit in the format AIGER, and the certificate of a hardware model checker with it.

Latches are the bits of the state, inputs choose an action by number; where the chosen one is not enabled, the
state stays as it is. The bad states are the goal states. The witness is the same circuit with more bad states: all
in which the invariant does not hold. None of them is initial, and no step leads from outside into one (witness
circuits: Yu, Biere and Heljanko 2021; AIGER 1.9: Biere, Heljanko and Wieringa 2011).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from puzzlemc.mc.circuit import Circuit
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.formula import literals
from puzzlemc.mc.model import Action, Model
from puzzlemc.mc.proof import Proof


@dataclass(frozen=True)
class Machine:
    """A sequential circuit: of the circuit's inputs the first `choices` are inputs, the others latches."""

    circuit: Circuit
    choices: int
    following: tuple[int, ...]  # by latch: the literal of its next value
    initial: tuple[bool | None, ...]  # by latch; None: either
    bad: int

    def aiger(self) -> bytes:
        """The circuit in the binary format."""
        circuit, latches = self.circuit, len(self.following)
        first = self.choices + 1
        nodes = self.choices + latches + len(circuit.gates)
        lines = [f"aig {nodes} {self.choices} {latches} 0 {len(circuit.gates)} 1"]
        for number, (after, value) in enumerate(zip(self.following, self.initial, strict=True)):
            lines.append(f"{after} {2 * (first + number) if value is None else int(value)}")
        lines.append(str(self.bad))
        gates = bytearray()
        for number, (one, other) in enumerate(circuit.gates):
            low, high = sorted((one, other))
            gates += _coded(2 * (first + latches + number) - high) + _coded(high - low)
        names = [f"i{number} {name}" for number, name in enumerate(circuit.inputs[: self.choices])]
        names += [f"l{number} {name}" for number, name in enumerate(circuit.inputs[self.choices :])]
        return "\n".join([*lines, ""]).encode() + bytes(gates) + "\n".join([*names, "b0 goal", ""]).encode()


def _coded(number: int) -> bytes:
    """Seven bits a byte, lowest first; all but the last have the high bit set."""
    coded = bytearray()
    while number >= 128:
        coded.append(number % 128 + 128)
        number //= 128
    return bytes([*coded, number])


def machine(model: Model) -> Machine:
    """The model as a sequential circuit. Raises ModelError where the initial states are no cube."""
    initial = literals(model.init)
    if initial is None:
        raise ModelError("AIGER has no way to say which states are initial but a value a bit")
    choices = [f"choice{number}" for number in range(max(0, len(model.actions) - 1).bit_length())]
    circuit = Circuit([*choices, *map(str, model.bits)])
    changing: dict[str, list[tuple[int, int]]] = {str(b): [] for b in model.bits}
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
    values = tuple(initial.get(b) for b in model.bits)
    return Machine(circuit, len(choices), tuple(following), values, circuit.formula(model.goal))


def witness(model: Model, proof: Proof) -> Machine:
    """The model, bad where the invariant of a proof of unreachability, its counts included, does not hold."""
    found = machine(model)
    circuit = found.circuit
    values = [0, *map(circuit.input, proof.circuit.inputs)]
    for one, other in proof.circuit.gates:
        values.append(circuit.both(values[one >> 1] ^ one & 1, values[other >> 1] ^ other & 1))
    (layer,) = proof.layers
    parts = [values[layer >> 1] ^ layer & 1]
    parts += [circuit.exactly([circuit.input(b) for b in count.bits], count.total) for count in proof.counts]
    return Machine(circuit, found.choices, found.following, found.initial, circuit.conj(parts) ^ 1)


def trace(model: Model, actions: Sequence[Action]) -> str:
    """A run as a witness of the format: that the bad state is reached, the first state, an input a step."""
    found = machine(model)
    number = {id(action): number for number, action in enumerate(model.actions)}
    inputs = ["".join(str(number[id(action)] >> i & 1) for i in range(found.choices)) for action in actions]
    first = "".join("x" if value is None else str(int(value)) for value in found.initial)
    return "\n".join(["1", "b0", first, *inputs, ""]) + ".\n"
