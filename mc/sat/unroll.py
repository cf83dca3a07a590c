"""The transition relation of a model as clauses, unrolled over time: the common part of the SAT engines.

The clauses of one step are made once; step t has the same clauses with t strides added to every variable. In frame
t, variables 1, 2, … are the bits of the state after t steps, then the actions taken from it, then the parts of
formulas (Tseitin 1968). A bit changes only by an action that changes it (explanatory frame axioms: Haas 1987). A
step is exactly one action; with `parallel`, any set of pairwise independent actions, which read and set no bit
that another one sets, so that they could happen in any order (Kautz and Selman 1996).
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from pysat.card import CardEnc, EncType

from puzzlemc.mc.model.action import Action, cost_of
from puzzlemc.mc.model.formula import Bit, Cube, Formula, Gates, State, fold, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.passes.free_moves import walks
from puzzlemc.mc.proofs.layered import kept_counts
from puzzlemc.mc.sat.solvers import Assignment

Clause = tuple[int, ...]


class Unroller:
    """The variables and clauses of a model over time. Variables are positive integers; minus is negation."""

    def __init__(
        self, model: Model, *, parallel: bool = False, counts: bool = False, walks: frozenset[int] = frozenset()
    ) -> None:
        """With `counts`, every frame has clauses for the conserved counts and the groups of exclusive bits, which
        hold in all reachable states.

        `walks` are numbers of actions, from `free_walks`: a step is any number of walks followed by another
        action.
        """
        self.model = model
        self._walks = walks
        self.parallel = parallel
        self._bit = {b: number for number, b in enumerate(model.bits, start=1)}
        self._action = {number: len(self._bit) + 1 + number for number in range(len(model.actions))}
        self._last = len(self._bit) + len(self._action)
        self._known: dict[object, int] = {}
        self._gates: dict[Gates, dict[int, int]] = {}  # the literals of circuits
        self._conjunctions: dict[tuple[int, ...], int] = {}
        # Clauses over one frame, and clauses over a frame and the bits of the next one.
        self._frame: list[Clause] = []
        self._step: list[Clause] = []
        self._init = self.literal(model.init)
        self._goal = self.literal(model.goal)
        if counts:
            number = {str(b): variable for b, variable in self._bit.items()}
            for count in kept_counts(model):
                self._count([number[name] for name in count.bits], count.total)
            for group in model.hints.exclusive:
                self._frame += [(-self._bit[one], -self._bit[other]) for one, other in combinations(group, 2)]
        self._write_step()
        self.stride = self._last
        self._step = [tuple(self._placed(v) for v in clause) for clause in self._step]

    # Formulas

    def literal(self, formula: Formula) -> int:
        """The literal of frame 0 that is equivalent to the formula; its defining clauses are in `frame`."""
        key = frozenset(formula.items()) if isinstance(formula, Mapping) else formula
        if key not in self._known:
            self._known[key] = fold(
                formula,
                lambda b, value: self._bit[b] if value else -self._bit[b],
                self._conjunction,
                lambda parts: -self._conjunction([-part for part in parts]),
                self._gates,
            )
        return self._known[key]

    def _conjunction(self, parts: Sequence[int]) -> int:
        if len(parts) == 1:
            return parts[0]
        key = tuple(sorted(parts))
        if key not in self._conjunctions:
            self._last += 1
            self._frame += [(-self._last, part) for part in parts]
            self._frame.append((self._last, *(-part for part in parts)))
            self._conjunctions[key] = self._last
        return self._conjunctions[key]

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
        """For each location code, the variable that implies that walks from the state lead there."""
        location = self.model.hints.location
        assert location is not None
        self._location = location.bits
        codes = location.codes
        # Unrolled over the number of walks: a shortest path of walks has fewer walks than there are locations.
        near = dict(zip(codes, self._new(len(codes)), strict=True))
        for code, variable in near.items():
            self._frame += [
                (-variable, self._bit[b] if value else -self._bit[b])
                for b, value in zip(self._location, code, strict=True)
            ]
        walks = [self.model.actions[number] for number in sorted(self._walks)]
        for _ in range(len(codes) - 1):
            further = dict(zip(codes, self._new(len(codes)), strict=True))
            arriving: dict[tuple[bool, ...], list[int]] = {code: [near[code]] for code in codes}
            for action, taken in zip(walks, self._new(len(walks)), strict=True):
                cube = action.cube or {}
                self._frame.append((-taken, near[tuple(cube[b] for b in self._location)]))
                self._frame += [
                    (-taken, self._bit[b] if value else -self._bit[b])
                    for b, value in cube.items()
                    if b not in self._location
                ]
                arriving[tuple(action.constants.get(b, cube[b]) for b in self._location)].append(taken)
            self._frame += [(-further[code], *some) for code, some in arriving.items()]
            near = further
        return near

    def _new(self, number: int) -> range:
        self._last += number
        return range(self._last - number + 1, self._last + 1)

    def _exclude(self, one: Action, other: Action) -> bool:
        """Is a clause needed that excludes the two actions from the same step?"""
        first, second = self._on_state(one), self._on_state(other)
        if _contradict(first, second) or _contradict(one.constants, other.constants):
            return False  # other clauses already exclude this
        if not self.parallel:
            return True
        return bool(
            one.update.keys() & (other.reads | other.update.keys())
            or other.update.keys() & (one.reads | one.update.keys())
        )

    def _on_state(self, action: Action) -> Cube | None:
        """The part of the guard about the state before the walks, if it is a cube: all but the location."""
        cube = action.cube
        if cube is None or not self._walks:
            return cube
        return {b: value for b, value in cube.items() if b not in self._location}

    def _next(self, b: Bit) -> int:
        return _NEXT + self._bit[b]

    def _placed(self, v: int) -> int:
        """The literal with a next-state variable moved to its frame."""
        if abs(v) <= _NEXT:
            return v
        return (abs(v) - _NEXT + self.stride) * (1 if v > 0 else -1)

    # Time

    def at(self, literal: int, time: int) -> int:
        """The literal of frame 0 moved to that time."""
        shift = time * self.stride
        return literal + shift if literal > 0 else literal - shift

    def frame(self, time: int) -> Iterable[Clause]:
        """The clauses that define the parts of formulas at that time."""
        return (tuple(self.at(v, time) for v in clause) for clause in self._frame)

    def step(self, time: int) -> Iterable[Clause]:
        """The clauses of the step from that time to the next."""
        return (tuple(self.at(v, time) for v in clause) for clause in self._step)

    def init(self, time: int = 0) -> int:
        """The literal: the state at that time is initial."""
        return self.at(self._init, time)

    def goal(self, time: int) -> int:
        """The literal: the state at that time is a goal state."""
        return self.at(self._goal, time)

    def bit(self, b: Bit, time: int) -> int:
        """The variable of a bit at that time."""
        return self.at(self._bit[b], time)

    def action(self, number: int, time: int) -> int:
        """The variable: this action happens in the step from that time."""
        return self.at(self._action[number], time)

    # Reading a solver's answer

    def state(self, true: Assignment, time: int) -> State:
        """The state at that time in a satisfying assignment."""
        return frozenset(b for b in self.model.bits if self.bit(b, time) in true)

    def actions(self, true: Assignment, time: int) -> list[Action]:
        """The actions of the step from that time, without walks, in a possible order."""
        numbers = (number for number in self._action if number not in self._walks)
        return [self.model.actions[number] for number in numbers if self.action(number, time) in true]


def free_walks(model: Model, metric: str) -> frozenset[int]:
    """The numbers of the walks without cost that a step can include; none unless there is one initial state."""
    initial = literals(model.init)
    if initial is None or len(initial) < len(model.bits):
        return frozenset()
    return frozenset(number for number in walks(model) if cost_of(model.actions[number], metric) == 0)


_NEXT = 1 << 40  # offset of next-state variables until the stride is known


def _contradict(one: Cube | None, other: Cube | None) -> bool:
    """Do the two cubes require different values of a bit?"""

    if one is None or other is None:
        return False
    return any(other.get(b, value) != value for b, value in one.items())
