"""The circuit of a model in the BTOR2 format for model checkers of hardware, and runs as its witnesses.

Every state and every input is one bit. The bad states are the goal states. The circuit is the one of the AIGER
format: inputs choose an action by its number, and an action that is not enabled changes nothing (BTOR2: Niemetz,
Preiner, Wolf and Biere 2018).
"""

from collections.abc import Sequence

from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.reports.formats.aiger import Machine, machine, run_of_inputs
from puzzlemc.reports.formats.legend import commented, legend

SORT, ZERO, ONE = 1, 2, 3  # the lines of the sort of bits and of its values


def write(model: Model) -> str:
    """The model as text, with the meaning of its bits and of the numbers of its actions as comments."""
    meanings = [*legend(model), "Actions, by the number whose bits are the inputs choice0, choice1, and so on:"]
    meanings += [f"  {number} = {action.name}" for number, action in enumerate(model.actions)]
    return commented("; ", meanings) + text(machine(model))


def text(machine: Machine) -> str:
    """A line for each input, state and gate, and for the initial and the next value of each state."""
    lines = [f"{SORT} sort bitvec 1", f"{ZERO} zero {SORT}", f"{ONE} one {SORT}"]

    def add(line: str) -> int:
        lines.append(f"{len(lines) + 1} {line}")
        return len(lines)

    circuit, count = machine.circuit, len(machine.inputs)
    nodes = [ZERO]  # the line of each node of the circuit
    for number, name in enumerate(circuit.inputs):
        nodes.append(add(f"{'input' if number < count else 'state'} {SORT} {_symbol(name)}"))

    def operand(literal: int) -> int:
        line = nodes[literal >> 1]
        return -line if literal & 1 else line

    for state, value in zip(nodes[count + 1 :], machine.initial, strict=True):
        add(f"init {SORT} {state} {ONE if value else ZERO}")
    for one, other in circuit.gates:
        nodes.append(add(f"and {SORT} {operand(one)} {operand(other)}"))
    for state, after in zip(nodes[count + 1 :], machine.following, strict=False):
        add(f"next {SORT} {state} {operand(after)}")
    add(f"bad {operand(machine.bad)}")
    return "\n".join([*lines, ""])


def witness(model: Model, start: State, actions: Sequence[Action]) -> str:
    """A run to a bad state in the format of BTOR2 witnesses: the inputs of each step; initial values are known."""
    found = machine(model)
    steps = run_of_inputs(found, model, start, actions)
    lines = ["sat", "b0"]
    for time, inputs in enumerate([*steps, "0" * len(found.inputs)]):
        lines.append(f"@{time}")
        lines += [
            f"{number} {value} {_symbol(name)}@{time}"
            for number, (name, value) in enumerate(zip(found.inputs, inputs, strict=True))
        ]
    return "\n".join([*lines, ".", ""])


def _symbol(name: str) -> str:
    """The name without what ends a symbol or a line."""
    return "".join(each if each.isprintable() and each not in " ;" else "_" for each in name)
