"""And-inverter graphs: how proofs write sets of states down, without writing shared parts twice.

A literal is twice a node's number, plus one where it is negated, as in the AIGER format (Biere 2007): 0 is
*false*, 1 is *true*, node i from 1 on is the i-th input, and the gates follow. Equal gates are one gate.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from puzzlemc.mc.model.formula import Bit, Formula, Gates, fold

FALSE, TRUE = 0, 1


class Circuit:
    """A growing graph over named inputs. `gates[i]` are the two literals whose conjunction is gate i."""

    def __init__(self, inputs: Sequence[str]) -> None:
        self.inputs = tuple(inputs)
        self.gates: list[tuple[int, int]] = []
        self._number = {name: 2 * number for number, name in enumerate(self.inputs, start=1)}
        self._known: dict[tuple[int, int], int] = {}
        self._translated: dict[Gates, dict[int, int]] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Pickle no translated formulas: their bits cannot be pickled, and proofs are sent between processes."""
        return {**self.__dict__, "_translated": {}}

    def input(self, b: Bit | str) -> int:
        """The literal of an input."""
        return self._number[str(b)]

    def both(self, one: int, other: int) -> int:
        """The literal of a conjunction of two."""
        if one > other:
            one, other = other, one
        if one == FALSE or one == other ^ 1:
            return FALSE
        if one in (TRUE, other):
            return other
        found = self._known.get((one, other))
        if found is None:
            found = self._known[one, other] = 2 * (len(self.inputs) + len(self.gates) + 1)
            self.gates.append((one, other))
        return found

    def conj(self, literals: Iterable[int]) -> int:
        """The literal of a conjunction, as a balanced tree."""
        level = sorted(set(literals))
        if not level:
            return TRUE
        while len(level) > 1:
            odd = level[-1:] if len(level) % 2 else []
            level = [self.both(one, other) for one, other in zip(level[::2], level[1::2], strict=False)] + odd
        return level[0]

    def disj(self, literals: Iterable[int]) -> int:
        """The literal of a disjunction, as a balanced tree."""
        return self.conj([literal ^ 1 for literal in literals]) ^ 1

    def choice(self, condition: int, then: int, otherwise: int) -> int:
        """The literal of `then` where the condition holds, else of `otherwise`."""
        if then == otherwise:
            return then
        return self.both(self.both(condition, then) ^ 1, self.both(condition ^ 1, otherwise) ^ 1) ^ 1

    def cube(self, cube: Mapping[Bit, bool]) -> int:
        """The literal of a conjunction of inputs and negated inputs."""
        return self.conj([self.input(b) ^ (not value) for b, value in cube.items()])

    def formula(self, formula: Formula) -> int:
        """The literal of a formula over the inputs."""
        return fold(formula, lambda b, value: self.input(b) ^ (not value), self.conj, self.disj, self._translated)

    def exactly(self, literals: Sequence[int], total: int) -> int:
        """The literal for: exactly `total` of the literals hold."""
        counts = [TRUE] + [FALSE] * total  # counts[n]: exactly n of the literals seen so far hold
        for literal in literals:
            counts = [
                self.choice(literal, counts[number - 1] if number else FALSE, counts[number])
                for number in range(total + 1)
            ]
        return counts[total]

    def substituted(self, literal: int, update: Mapping[int, int]) -> int:
        """The literal with others in the place of some inputs."""
        first = len(self.inputs) + 1
        known = {0: FALSE} | {2 * node: update.get(2 * node, 2 * node) for node in range(1, first)}
        stack = [literal & ~1]
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            one, other = self.gates[(top >> 1) - first]
            missing = [part & ~1 for part in (one, other) if part & ~1 not in known]
            stack += missing
            if not missing:
                known[top] = self.both(known[one & ~1] ^ one & 1, known[other & ~1] ^ other & 1)
        return known[literal & ~1] ^ literal & 1

    def holds(self, literal: int, held: Callable[[str], bool]) -> bool:
        """Does the literal hold where these inputs do?"""
        values = [False, *map(held, self.inputs)]
        for one, other in self.gates:
            values.append(values[one >> 1] != bool(one & 1) and values[other >> 1] != bool(other & 1))
        return values[literal >> 1] != bool(literal & 1)
