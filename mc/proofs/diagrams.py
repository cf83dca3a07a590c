"""Checks the layers of a proof with binary decision diagrams, for sets too large for a SAT solver.

The number of the layer becomes a few more bits of the state. Then one question is enough for each action: does it
lead from a state of layer i, for any i, to one outside layers 0 to i + k?
"""

from collections.abc import Iterable
from itertools import accumulate
from operator import or_
from typing import TypeAlias

from puzzlemc.mc.bdd import Diagram, new_manager, ran_out
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Formula, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.circuit import Circuit
from puzzlemc.mc.proofs.layered import LayeredProof, price

Set: TypeAlias = Diagram

CACHE = 1 << 12  # entries to begin with: most proofs are small


def check_by_diagrams(model: Model, proof: LayeredProof, budget: Budget) -> None:
    """Check that the layers show what they should.

    Raises Refuted with the condition that fails, and a state that shows it; LimitReached when time is up,
    MemoryError where the memory is too little.
    """
    try:
        _Check(model, proof, budget).run()
    except (MemoryError, ValueError, RuntimeError) as error:
        if ran_out(error):
            raise MemoryError from None
        raise


class _Check:
    def __init__(self, model: Model, proof: LayeredProof, budget: Budget) -> None:
        self._model = model
        self._proof = proof
        self._watch = budget
        self._bdd = bdd = new_manager(budget.limits.memory, CACHE)
        # The number of a layer in binary. A variable that is also a bit of the model would hide states.
        prefix = "layer"
        while any(str(b).startswith(prefix) for b in model.bits):
            prefix = f"_{prefix}"
        self._digits = [f"{prefix}{i}" for i in range(len(proof.layers).bit_length())]
        # The order of the hint, if there is one: any is sound.
        bits = [*model.hints.order, *(b for b in model.bits if b not in set(model.hints.order))]
        bdd.declare(*self._digits, *map(str, bits))
        self._values = [bdd.false, *map(bdd.var, proof.circuit.inputs)]
        self._layers = self._read(proof.circuit, list(proof.layers))

    def run(self) -> None:
        """Check the three conditions."""
        bdd, model, proof = self._bdd, self._model, self._proof
        possible = bdd.true
        for count in proof.counts:
            possible &= self._exactly(count.bits, count.total)
        within = list(accumulate(self._layers, or_))
        initial = possible & self._set(model.init)
        if proof.layers:
            self._refute(initial & ~within[0], "an initial state is not in the first layer: {state}")
            goal = possible & self._set(model.goal)
            self._refute(goal & within[-1], "a layer has a goal state: {state}")
        numbers = [
            bdd.cube({digit: bool(number >> i & 1) for i, digit in enumerate(self._digits)})
            for number in range(len(proof.layers))
        ]
        here = bdd.false
        for number, layer in zip(numbers, self._layers, strict=True):
            here |= number & layer
        here &= possible
        there: dict[int, Set] = {}  # by cost: the states that an action may lead to, with the number it came from
        for action in model.actions:
            self._watch.check()
            cost = price(proof, action)
            if cost not in there:
                there[cost] = bdd.false
                for at, number in enumerate(numbers):
                    # An action that leads past the last layer may lead anywhere.
                    there[cost] |= number & (within[at + cost] if at + cost < len(within) else bdd.true)
            update = {str(b): bdd.true if new else bdd.false for b, new in action.constants.items()}
            update |= dict(zip(map(str, action.formulas), self._sets(action.formulas.values()), strict=True))
            left = here & self._set(action.guard) & ~(bdd.let(update, there[cost]) if update else there[cost])
            self._refute(left, f"layer {{layer}} is left by {action.name} in {{state}}")

    def _refute(self, found: Set, message: str) -> None:
        """Raise Refuted if there is such a state."""
        if found == self._bdd.false:
            return
        point = self._bdd.pick(found, care_vars=[*self._digits, *self._proof.circuit.inputs])
        layer = sum(1 << i for i, digit in enumerate(self._digits) if point[digit])
        held = sorted(name for name in self._proof.circuit.inputs if point[name])
        raise Refuted(message.format(layer=layer, state="{" + ", ".join(held) + "}"))

    def _set(self, formula: Formula) -> Set:
        cube = literals(formula)
        if cube is not None:
            return self._bdd.cube({str(b): value for b, value in cube.items()})
        (found,) = self._sets([formula])
        return found

    def _sets(self, formulas: Iterable[Formula]) -> list[Set]:
        """The sets of formulas, which may share parts."""
        circuit = Circuit(self._proof.circuit.inputs)
        wanted = [circuit.formula(formula) for formula in formulas]
        return self._read(circuit, wanted)

    def _read(self, circuit: Circuit, wanted: list[int]) -> list[Set]:
        """The sets of some literals of a circuit."""
        values = self._values[: len(circuit.inputs) + 1]
        for one, other in circuit.gates:
            f, g = values[one >> 1], values[other >> 1]
            values.append((~f if one & 1 else f) & (~g if other & 1 else g))
        return [~values[literal >> 1] if literal & 1 else values[literal >> 1] for literal in wanted]

    def _exactly(self, names: tuple[str, ...], total: int) -> Set:
        """The states in which exactly this number of the bits hold."""
        bdd = self._bdd
        counts = [bdd.true] + [bdd.false] * total
        for name in sorted(names, key=bdd.level_of_var, reverse=True):
            counts = [
                bdd.ite(bdd.var(name), counts[number - 1] if number else bdd.false, counts[number])
                for number in range(total + 1)
            ]
        return counts[total]
