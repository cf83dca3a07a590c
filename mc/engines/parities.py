"""Parities that no step changes, for models whose steps are circuits: learnt from steps, proved by SAT.

A parity is a set of bits of which always an even number holds, or always an odd one. A step that changes an odd
number of them rules it out; so the sets that a list of steps leaves are the solutions of linear equations modulo
2. A SAT solver is asked for a step that changes a set that is left, whatever the state is. Such a step is one more
equation. If there is none, the parity is proved. In the end all are found that hold by induction (as Houdini does
with clauses: Flanagan and Leino 2001). The goal is unreachable if no step to it keeps all parities of the initial
state.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import NamedTuple, TypeAlias

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.invariants.elimination import Equations
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Bit, State, holds, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.proofs.circuit import FALSE, Circuit
from puzzlemc.mc.proofs.layered import LayeredProof, exclusion
from puzzlemc.mc.sat.solvers import Cadical
from puzzlemc.mc.sat.unroll import Unroller
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import Unreachable

Parity: TypeAlias = tuple[tuple[Bit, ...], int]  # bits, and 1 if an odd number of them holds, else 0

Steps: TypeAlias = Sequence[tuple[State, State]]  # before and after

NAMED = 8  # bits of a parity that a sentence lists
CONFLICTS = 10_000  # of a question
QUESTION = 64  # conflicts that take as long as a question


class Effort(NamedTuple):
    """Limits of work: gates of a circuit, and conflicts of all questions."""

    gates: int
    conflicts: int


MOST = Effort(100_000, 1_000_000)


def effort_beside(states: int) -> Effort:
    """The effort that takes a few hundredths of the time in which a search finds `states` states."""
    return Effort(min(MOST.gates, states // 512), min(MOST.conflicts, states // 256))


def by_parities(system: StepSystem, budget: Budget, seen: Steps = (), effort: Effort = MOST) -> Unreachable | None:
    """The verdict on a step system that parities of its bits show, None if none do. Raises LimitReached.

    seen  steps of the system. They only save questions; if they alone leave no parity, no circuit is made
    """
    if seen and not _leave_a_parity(seen):
        return None
    try:
        found = _of_system(system, budget, seen, effort)
    except Unsuitable:
        return None
    if found.proof is None:
        return None
    sums = _own(system, found.needed)
    return Unreachable(
        lambda state: have(state, sums) and not holds(system.goal, state),
        proof=found.proof,
        note=_in_words(system, sums),
    )


@dataclass(frozen=True)
class NamedParity:
    """A parity of a step system that no step changes before the goal: the names of its bits, and the sentence."""

    facts: Sequence[str]
    value: int
    words: str


def named_parities(system: Model, budget: Budget) -> list[NamedParity]:
    """A basis of the parities of the bits of a step system that no step changes, in all states before the goal.

    Raises Unsuitable for a system that has no circuit, or too large a one; LimitReached.
    """
    if not isinstance(system, StepSystem):
        raise Unsuitable("it has formulas")
    names = _names(system)
    found = []
    for some, value in _own(system, _of_system(system, budget).sums):
        facts = [names.get(b, str(b)) for b in some]
        found.append(NamedParity(facts, value, f"always {_listed(facts, value)}"))
    return found


def _leave_a_parity(seen: Steps) -> bool:
    """Is there a set of bits of which every step changes an even number?"""
    changed = [before ^ after for before, after in seen]
    number = {b: column for column, b in enumerate(frozenset().union(*changed))}
    equations = Equations(len(number), 2, len(number))
    equations.add([{number[b]: 1 for b in some} for some in changed])
    return equations.rank < len(number)


def _of_system(system: StepSystem, budget: Budget, seen: Steps = (), effort: Effort = MOST) -> "Parities":
    """The parities of the circuit of a step system. Raises Unsuitable if there is none; LimitReached."""
    if system.formulas is None:
        raise Unsuitable("its steps are a function of a state")
    model = system.formulas(effort.gates)
    own = {str(b) for b in system.bits}
    changes = [{str(b) for b in before ^ after} for before, after in seen]
    found = parities(model, [b for b in model.bits if str(b) in own], budget, changes, effort.conflicts)
    if found is None:
        raise Unsuitable("its parities take too much work, or it is solved as it stands")
    return found


def _own(system: StepSystem, sums: Iterable[Parity]) -> list[Parity]:
    """Parities of the bits of the circuit, with the bits of the system."""
    own = {str(b): b for b in system.bits}
    return [(tuple(own[str(b)] for b in some), value) for some, value in sums]


def _names(system: StepSystem) -> dict[Bit, str]:
    """The atoms that say that one bit holds."""
    facts = ((literals(formula), name) for name, formula in system.atoms.items())
    return {next(iter(held)): name for held, name in facts if held and list(held.values()) == [True]}


def _listed(facts: Sequence[str], value: int) -> str:
    more = f" and {len(facts) - NAMED} more" if len(facts) > NAMED else ""
    return f"{'an odd number' if value else 'an even number'} of these: {', '.join(facts[:NAMED])}{more}"


def _in_words(system: StepSystem, sums: Sequence[Parity]) -> str:
    """A sentence on parities that no step to the goal keeps, with the atoms of the model."""
    names = _names(system)
    parts = [f"always {_listed([names.get(b, str(b)) for b in some], value)}" for some, value in sums]
    return f"{'; '.join(parts)}. No step to the goal keeps that" if parts else "no step leads to the goal"


@dataclass(frozen=True)
class Parities:
    """Sets of bits, each with the parity of the number of them that hold in all states before a goal state.

    needed  those that show that no goal state is reachable, with the proof; None if the parities do not show that
    """

    sums: Sequence[Parity]
    needed: Sequence[Parity]
    proof: LayeredProof | None


def parities(
    model: Model,
    among: Iterable[Bit],
    budget: Budget,
    changes: Iterable[Collection[str]] = (),
    conflicts: int = MOST.conflicts,
) -> Parities | None:
    """The parities of these bits of a model with formulas and one initial state, which is no goal state.

    changes    by name, the bits that known steps change
    conflicts  of all questions

    None if it takes too much work. Raises LimitReached.
    """
    start = initial_state(model)
    if holds(model.goal, start) or any(len(start.intersection(group)) > 1 for group in model.hints.exclusive):
        return None
    changing = {b for action in model.actions for b in action.update}
    search = _Search(model, [b for b in among if b in changing], budget, conflicts)
    sums = search.unchanged(changes)
    if sums is None:
        return None
    valued = [(some, len(start.intersection(some)) % 2) for some in sums]
    needed = search.excluding(valued)
    return Parities(valued, needed or (), None if needed is None else _proof(model, needed))


class _Search:
    """Questions to a SAT solver about one step, from a state that is no goal."""

    def __init__(self, model: Model, bits: Sequence[Bit], budget: Budget, conflicts: int) -> None:
        self._bits, self._budget, self._left = bits, budget, conflicts
        self._unroller = Unroller(model, counts=True)
        self._solver = Cadical(budget)
        frames = [*self._unroller.frame(0), *self._unroller.step(0), *self._unroller.frame(1)]
        self._solver.add([*frames, (-self._unroller.goal(0),)])
        self._last = 2 * self._unroller.stride
        self._changed = {
            b: self._xor([self._unroller.bit(b, 0), self._unroller.bit(b, 1)]) for b in bits
        }  # the variable: the step changes the bit

    def unchanged(self, changes: Iterable[Collection[str]]) -> list[tuple[Bit, ...]] | None:
        """A basis of the sets of which no step changes an odd number; None after too much work."""
        number = len(self._bits)
        equations = Equations(number, 2, number)
        column = {str(b): c for c, b in enumerate(self._bits)}
        equations.add([{column[name]: 1 for name in some if name in column} for some in changes])
        proved = set[tuple[int, ...]]()
        while True:
            found = [tuple(sorted(equations.solution({free: 1}))) for free in equations.free[:number]]
            asked = next((each for each in found if each not in proved), None)
            if asked is None:
                return [tuple(self._bits[c] for c in each) for each in found]
            answer = self._ask([self._xor([self._changed[self._bits[c]] for c in asked])])
            if answer is None:
                return None
            if answer:
                true = self._solver.solution()
                equations.add([{c: 1 for c, b in enumerate(self._bits) if self._changed[b] in true}])
            else:
                proved.add(asked)

    def excluding(self, sums: Sequence[Parity]) -> Sequence[Parity] | None:
        """A small subset of the parities that every step into the goal breaks; None if there is none."""
        kept = []
        for some, value in sums:
            odd = self._xor([self._unroller.bit(b, 1) for b in some])
            kept.append(odd if value else -odd)
        goal = self._unroller.goal(1)
        if self._ask([goal, *kept]) is not False:
            return None
        core = self._solver.core()
        needed = [number for number, literal in enumerate(kept) if literal in core]
        for number in list(needed):
            fewer = [each for each in needed if each != number]
            if self._ask([goal, *(kept[each] for each in fewer)]) is False:
                needed = fewer
        if len(needed) > 1:  # they often work as one
            joined = reduce(xor, (frozenset(sums[number][0]) for number in needed))
            some = tuple(b for b in self._bits if b in joined)
            value = sum(sums[number][1] for number in needed) % 2
            odd = self._xor([self._unroller.bit(b, 1) for b in some])
            if self._ask([goal, odd if value else -odd]) is False:
                return [(some, value)]
        return [sums[number] for number in needed]

    def _ask(self, assumptions: Sequence[int]) -> bool | None:
        """Is there such a step? None if that takes too much work."""
        before = self._solver.conflicts
        answer = self._solver.attempt(assumptions, min(CONFLICTS, self._left)) if self._left > 0 else None
        self._left -= QUESTION + self._solver.conflicts - before
        return answer

    def _xor(self, literals: Sequence[int]) -> int:
        """The variable: an odd number of the literals hold."""
        total = literals[0]
        for other in literals[1:]:
            self._last += 1
            new = self._last
            self._solver.add(
                [(-new, total, other), (-new, -total, -other), (new, -total, other), (new, total, -other)]
            )
            total = new
        return total


def _proof(model: Model, sums: Sequence[Parity]) -> LayeredProof:
    """The states with these parities that are no goal states, as an inductive invariant."""
    circuit = Circuit([str(b) for b in model.bits])
    parts = [exclusion(model, circuit), circuit.formula(model.goal) ^ 1]
    for some, value in sums:
        odd = FALSE
        for b in some:
            odd = circuit.choice(circuit.input(b), odd ^ 1, odd)
        parts.append(odd if value else odd ^ 1)
    return LayeredProof(circuit, (circuit.conj(parts),))


def have(state: State, sums: Sequence[Parity]) -> bool:
    """Has a state these parities?"""
    return all(len(state.intersection(some)) % 2 == value for some, value in sums)
