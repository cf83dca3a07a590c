"""A model as clauses, for any number of steps: what the SAT engines share.

The clauses of one step are made once; step t is the same clauses with every variable moved up by t strides. In
frame t, variables 1, 2, … stand for the bits of the state after t steps, then for the actions taken from it, then
for parts of formulas (Tseitin 1968). A bit changes only by an action that says so (explanatory frame axioms:
Haas 1987). Exactly one action happens in a step; with `parallel`, any number of actions that do not touch what
another one reads or sets, so that they could happen in any order (Kautz and Selman 1996).
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from pysat.card import CardEnc, EncType

from puzzlemc.mc.model.action import Action, cost_of
from puzzlemc.mc.model.formula import Bit, Cube, Formula, State, fold, literals
from puzzlemc.mc.model.free_moves import walks
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.layered import kept_counts
from puzzlemc.mc.sat.solvers import Assignment

Clause = tuple[int, ...]


class Unroller:
    """Variables and clauses of a model in time. A variable is a positive integer, its negation is negative."""

    def __init__(
        self, model: Model, *, parallel: bool = False, counts: bool = False, walks: frozenset[int] = frozenset()
    ) -> None:
        """With `counts`, clauses say that conserved counts are right: so they are in all states that matter.

        `walks` are numbers of actions, as `free_walks` gives them: any number of them comes before another action,
        in its step.
        """
        self.model = model
        self._walks = walks
        self.parallel = parallel
        self._bit = {b: number for number, b in enumerate(model.bits, start=1)}
        self._action = {number: len(self._bit) + 1 + number for number in range(len(model.actions))}
        self._last = len(self._bit) + len(self._action)
        self._known: dict[object, int] = {}
        # Clauses over one frame, and over a frame and the bits of the next one, which come behind all others.
        self._frame: list[Clause] = []
        self._step: list[Clause] = []
        self._init = self.literal(model.init)
        self._goal = self.literal(model.goal)
        if counts:
            number = {str(b): variable for b, variable in self._bit.items()}
            for count in kept_counts(model):
                self._count([number[name] for name in count.bits], count.total)
        self._write_step()
        self.stride = self._last
        self._step = [tuple(self._placed(v) for v in clause) for clause in self._step]

    # Formulas

    def literal(self, formula: Formula) -> int:
        """The literal of frame 0 that is equivalent to the formula; its clauses are those of `frame`."""
        key = frozenset(formula.items()) if isinstance(formula, Mapping) else formula
        if key not in self._known:
            self._known[key] = fold(
                formula,
                lambda b, value: self._bit[b] if value else -self._bit[b],
                self._conjunction,
                lambda parts: -self._conjunction([-part for part in parts]),
            )
        return self._known[key]

    def _conjunction(self, parts: Sequence[int]) -> int:
        if len(parts) == 1:
            return parts[0]
        self._last += 1
        self._frame += [(-self._last, part) for part in parts]
        self._frame.append((self._last, *(-part for part in parts)))
        return self._last

    def _count(self, variables: list[int], total: int) -> None:
        encoded = CardEnc.equals(variables, total, self._last, encoding=EncType.seqcounter)
        self._frame += [tuple(clause) for clause in encoded.clauses]
        self._last = max(self._last, encoded.nv)

    # One step

    def _write_step(self) -> None:
        changing: dict[Bit, list[int]] = {}
        arrival = self._write_walks() if self._walks else {}
        acting = [(n, action) for n, action in enumerate(self.model.actions) if n not in self._walks]
        for number, action in acting:
            chosen = self._action[number]
            cube, constants = action.cube, action.constants
            if arrival:
                assert cube is not None
                here = {b: cube[b] for b in self._location}
                cube = self._on_state(action)
                assert cube is not None
                self._step.append((-chosen, arrival[tuple(here.values())]))
                constants = {**here, **constants}
            if cube is None:
                self._step.append((-chosen, self.literal(action.guard)))
            else:
                self._step += [(-chosen, self._bit[b] if value else -self._bit[b]) for b, value in cube.items()]
            for b, new in constants.items():
                self._step.append((-chosen, self._next(b) if new else -self._next(b)))
                changing.setdefault(b, []).append(chosen)
            for b, formula in action.formulas.items():
                after, value = self._next(b), self.literal(formula)
                self._step += [(-chosen, -after, value), (-chosen, after, -value)]
                changing.setdefault(b, []).append(chosen)
        for b in self.model.bits:
            before, after, by = self._bit[b], self._next(b), changing.get(b, [])
            self._step += [(before, -after, *by), (-before, after, *by)]
        for (one, action), (other, rival) in combinations(acting, 2):
            if self._exclude(action, rival):
                self._step.append((-self._action[one], -self._action[other]))
        if not self.parallel:
            self._step.append(tuple(self._action[number] for number, _ in acting))

    def _write_walks(self) -> dict[tuple[bool, ...], int]:
        """By location code: the variable that says that walks from the state lead there."""
        location = self.model.hints.location
        assert location is not None
        self._location = location.bits
        codes = location.codes
        # After no walk, after one, and so on: a walk never needs more steps than there are other locations.
        near = dict(zip(codes, self._new(len(codes)), strict=True))
        for code, variable in near.items():
            self._frame += [
                (-variable, self._bit[b] if value else -self._bit[b])
                for b, value in zip(self._location, code, strict=True)
            ]
        walks = [self.model.actions[number] for number in sorted(self._walks)]
        for _ in range(len(codes) - 1):
            further = dict(zip(codes, self._new(len(codes)), strict=True))
            ways: dict[tuple[bool, ...], list[int]] = {code: [near[code]] for code in codes}
            for action, taken in zip(walks, self._new(len(walks)), strict=True):
                cube = action.cube or {}
                self._frame.append((-taken, near[tuple(cube[b] for b in self._location)]))
                self._frame += [
                    (-taken, self._bit[b] if value else -self._bit[b])
                    for b, value in cube.items()
                    if b not in self._location
                ]
                ways[tuple(action.constants.get(b, cube[b]) for b in self._location)].append(taken)
            self._frame += [(-further[code], *some) for code, some in ways.items()]
            near = further
        return near

    def _new(self, number: int) -> range:
        self._last += number
        return range(self._last - number + 1, self._last + 1)

    def _exclude(self, one: Action, other: Action) -> bool:
        """Must a clause keep the two actions from happening in the same step?"""
        first, second = self._on_state(one), self._on_state(other)
        if _contradict(first, second) or _contradict(one.constants, other.constants):
            return False  # the other clauses keep them apart
        if not self.parallel:
            return True
        return bool(
            one.update.keys() & (other.reads | other.update.keys())
            or other.update.keys() & (one.reads | one.update.keys())
        )

    def _on_state(self, action: Action) -> Cube | None:
        """What of the guard is asked of the state itself, if that is a cube: not the location, after walks."""
        cube = action.cube
        if cube is None or not self._walks:
            return cube
        return {b: value for b, value in cube.items() if b not in self._location}

    def _next(self, b: Bit) -> int:
        return _NEXT + self._bit[b]

    def _placed(self, v: int) -> int:
        """A literal of the step, its next-state variables in their frame."""
        if abs(v) <= _NEXT:
            return v
        return (abs(v) - _NEXT + self.stride) * (1 if v > 0 else -1)

    # Time

    def at(self, literal: int, time: int) -> int:
        """The literal of frame 0, at that time."""
        shift = time * self.stride
        return literal + shift if literal > 0 else literal - shift

    def frame(self, time: int) -> Iterable[Clause]:
        """The clauses that define the parts of formulas at that time."""
        return (tuple(self.at(v, time) for v in clause) for clause in self._frame)

    def step(self, time: int) -> Iterable[Clause]:
        """The clauses of the step from that time to the next."""
        return (tuple(self.at(v, time) for v in clause) for clause in self._step)

    def init(self, time: int = 0) -> int:
        """The literal that says: initial at that time."""
        return self.at(self._init, time)

    def goal(self, time: int) -> int:
        """The literal that says: a goal state at that time."""
        return self.at(self._goal, time)

    def bit(self, b: Bit, time: int) -> int:
        """The variable of a bit at that time."""
        return self.at(self._bit[b], time)

    def action(self, number: int, time: int) -> int:
        """The variable that says: that action happens from that time to the next."""
        return self.at(self._action[number], time)

    # Reading a solver's answer

    def state(self, true: Assignment, time: int) -> State:
        """The state at that time, from the variables that are true."""
        return frozenset(b for b in self.model.bits if self.bit(b, time) in true)

    def actions(self, true: Assignment, time: int) -> list[Action]:
        """The actions from that time to the next, in an order in which they can happen; without walks."""
        numbers = (number for number in self._action if number not in self._walks)
        return [self.model.actions[number] for number in numbers if self.action(number, time) in true]


def free_walks(model: Model, metric: str) -> frozenset[int]:
    """The numbers of the walks that cost nothing, where a step can take them in: from one initial state."""
    initial = literals(model.init)
    if initial is None or len(initial) < len(model.bits):
        return frozenset()
    return frozenset(number for number in walks(model) if cost_of(model.actions[number], metric) == 0)


_NEXT = 1 << 40  # added to a bit's variable to name its next state until the stride is known


def _contradict(one: Cube | None, other: Cube | None) -> bool:
    """Is there a bit that one says must hold, and the other must not?"""
    if one is None or other is None:
        return False
    return any(other.get(b, value) != value for b, value in one.items())
