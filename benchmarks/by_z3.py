"""Decides a circuit in the binary AIGER format by Z3, without any code of puzzlemc.

    python benchmarks/by_z3.py unrolled level.aig   bounded unrolling, one more step each time
    python benchmarks/by_z3.py horn level.aig       Spacer, on three Horn clauses about the reachable states

Prints `reachable N` after N steps (only the unrolling knows the number), or `unreachable`, and the seconds in Z3.
The unrolling never ends if no bad state is reachable. Needs z3-solver.
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import z3


@dataclass(frozen=True)
class Machine:
    """A circuit over variables of Z3: `following` and `initial` by latch, and the bad states."""

    inputs: Sequence[Any]
    latches: Sequence[Any]
    following: Sequence[Any]
    initial: Sequence[bool]
    bad: Any

    def step(self, after: Sequence[Any]) -> Any:
        """The steps from the latches to those of the next state."""
        return z3.And([new == value for new, value in zip(after, self.following, strict=True)])

    def begins(self) -> Any:
        """The initial states."""
        return z3.And([latch == value for latch, value in zip(self.latches, self.initial, strict=True)])


def machine(data: bytes) -> Machine:
    """Read a circuit with one bad state, whose latches have initial values."""
    head, _, rest = data.partition(b"\n")
    _, inputs, latches, _, gates, _ = map(int, head.split()[1:])
    *lines, coded = rest.split(b"\n", latches + 1)
    nodes = [z3.BoolVal(False)]
    nodes += [z3.Bool(f"i{number}") for number in range(inputs)]
    nodes += [z3.Bool(f"l{number}") for number in range(latches)]

    def value(literal: int) -> Any:
        return z3.Not(nodes[literal >> 1]) if literal & 1 else nodes[literal >> 1]

    at = 0

    def number() -> int:
        nonlocal at
        found = shift = 0
        while True:
            byte = coded[at]
            at += 1
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found

    for _ in range(gates):
        high = 2 * len(nodes) - number()
        nodes.append(z3.And(value(high), value(high - number())))
    pairs = [tuple(map(int, line.split())) for line in lines[:latches]]
    return Machine(
        nodes[1 : inputs + 1],
        nodes[inputs + 1 : inputs + latches + 1],
        [value(after) for after, _ in pairs],
        [bool(first) for _, first in pairs],
        value(int(lines[latches])),
    )


def unrolled(found: Machine) -> str:
    """The least number of steps to a bad state."""
    solver = z3.Solver()
    state = list(found.latches)
    after = [z3.Bool(f"n{number}") for number in range(len(state))]
    step = found.step(after)
    solver.add(found.begins())
    time_ = 0
    while True:
        bad = z3.substitute(found.bad, *zip(found.latches, state, strict=True))
        if solver.check(bad) == z3.sat:
            return f"reachable {time_}"
        time_ += 1
        new = [z3.Bool(f"l{number}@{time_}") for number in range(len(state))]
        chosen = [z3.Bool(f"i{number}@{time_}") for number in range(len(found.inputs))]
        names = [*found.latches, *found.inputs, *after]
        solver.add(z3.substitute(step, *zip(names, [*state, *chosen, *new], strict=True)))
        state = new


def horn(found: Machine) -> str:
    """Whether an inductive invariant excludes the bad states."""
    after = [z3.Bool(f"n{number}") for number in range(len(found.latches))]
    reached = z3.Function("reached", *[z3.BoolSort()] * (len(after) + 1))
    here, there = reached(*found.latches), reached(*after)
    solver = z3.SolverFor("HORN")
    solver.add(z3.ForAll(found.latches, z3.Implies(found.begins(), here)))
    solver.add(
        z3.ForAll([*found.latches, *found.inputs, *after], z3.Implies(z3.And(here, found.step(after)), there))
    )
    solver.add(z3.ForAll(found.latches, z3.Implies(z3.And(here, found.bad), z3.BoolVal(False))))
    answer = solver.check()
    if answer == z3.unknown:
        return f"unknown {solver.reason_unknown()}"
    return "unreachable" if answer == z3.sat else "reachable"


if __name__ == "__main__":
    way, path = sys.argv[1:]
    given = machine(Path(path).read_bytes())
    started = time.perf_counter()
    text = {"unrolled": unrolled, "horn": horn}[way](given)
    print(text, f"{time.perf_counter() - started:.3f} s")
