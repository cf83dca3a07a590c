"""IC3, property-directed reachability (Bradley 2011; Een, Mishchenko and Brayton 2011).

Frame i is a conjunction of clauses that holds in all states within i steps. A state that can reach a goal is
blocked by a clause, as general as solving finds it, or traced back to an initial state. When a frame equals the
next one, its clauses are an inductive invariant. Each clause is kept at the last frame where it is known to hold.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from puzzlemc.mc.errors import LIMITS, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, Action, cost_of
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import run_to_goal
from puzzlemc.mc.proofs.circuit import Circuit
from puzzlemc.mc.proofs.layered import LayeredProof, exclusion, kept_counts
from puzzlemc.mc.sat.solvers import Cadical
from puzzlemc.mc.sat.unroll import Unroller
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Unreachable, Verdict

Cube = frozenset[int]  # literals over the bits of a state


@dataclass(frozen=True)
class Obligation:
    """A cube of states that reach a goal: by `action` into the cube of `following`, or they are goal states."""

    cube: Cube
    action: Action | None = None
    following: "Obligation | None" = None


def ic3(model: Model, metric: str, budget: Budget) -> Verdict:
    """Decide reachability by IC3; a trace is not claimed to be shortest.

    Raises ModelError for an unknown metric.
    """
    for action in model.actions:
        cost_of(action, metric)
    search = _Search(model, budget)
    try:
        return search.run(metric)
    except LIMITS as limit:
        return Unknown(reason_of(limit), budget.bound, search.statistics)


class _Search:
    def __init__(self, model: Model, budget: Budget) -> None:
        self._model = model
        self._unroller = unroller = Unroller(model, counts=True)
        self._solver = Cadical(budget)
        self._fresh = count(2 * unroller.stride + len(model.bits) + 1)
        self._outside = 0  # the literal that activates the clause of the last query
        self._active: list[int] = []  # by frame: the literal that activates its clauses
        self._blocked: list[set[Cube]] = []  # by frame: the cubes blocked in it and in no later frame
        self._bits = {unroller.bit(b, 0): b for b in model.bits}
        # A query about a step assumes that an action happens. A goal state need not have a successor.
        self._moving = next(self._fresh)
        some = tuple(unroller.action(number, 0) for number in range(len(model.actions)))
        steps = (clause if clause != some else (*clause, -self._moving) for clause in unroller.step(0))
        self._solver.add([*unroller.frame(0), *steps, *unroller.frame(1)])
        self._add_frame()
        self._solver.add([(-self._active[0], unroller.init(0))])

    @property
    def statistics(self) -> Statistics:
        """The frames so far."""
        return Statistics(len(self._active))

    def run(self, metric: str) -> Verdict:
        unroller = self._unroller
        if self._solver.solve([unroller.init(0), unroller.goal(0)]):
            return self._trace(Obligation(self._cube(self._state())), metric)
        while True:
            self._add_frame()
            while self._solver.solve([*self._from(len(self._active) - 1), unroller.goal(0)]):
                bad = Obligation(self._lift(self._cube(self._state()), [-unroller.goal(0)]))
                if (start := self._block(bad)) is not None:
                    return self._trace(start, metric)
            if (closed := self._propagate()) is not None:
                return Unreachable(self._invariant(closed), self.statistics, self._proof(closed))

    # Frames

    def _add_frame(self) -> None:
        self._active.append(next(self._fresh))
        self._blocked.append(set())

    def _from(self, frame: int) -> list[int]:
        """The assumptions that activate a frame: its own clauses, and those of all later frames."""
        return self._active[frame:]

    def _cube(self, state: State) -> Cube:
        return frozenset(v if b in state else -v for v, b in self._bits.items())

    def _state(self) -> State:
        """The state of the last solution."""
        return self._unroller.state(self._solver.solution(), 0)

    def _primed(self, cube: Iterable[int]) -> list[int]:
        return [self._unroller.at(literal, 1) for literal in cube]

    def _lift(self, cube: Cube, refuted: list[int]) -> Cube:
        """A part of the cube that contradicts the literals, from an unsatisfiable core."""
        if self._solver.solve([*refuted, *cube]):
            return cube
        return cube & self._solver.core()

    # Blocking

    def _block(self, bad: Obligation) -> Obligation | None:
        """Block a cube in the last frame, or return the obligation whose cube contains an initial state."""
        order = count()
        queue = [(len(self._active) - 1, next(order), bad)]
        while queue:
            frame, _, obligation = heappop(queue)
            if self._is_initial(obligation.cube):
                return obligation
            if frame == 0:
                continue
            before = self._predecessor(obligation, frame)
            if before is None:
                cube = self._generalise(obligation.cube & self._core_of_next(), frame, obligation.cube)
                while frame < len(self._active) - 1 and not self._has_predecessor(cube, frame + 1):
                    frame += 1
                self._learn(cube, frame)
                if frame < len(self._active) - 1:
                    heappush(queue, (frame + 1, next(order), obligation))
                continue
            heappush(queue, (frame - 1, next(order), before))
            heappush(queue, (frame, next(order), obligation))
        return None

    def _has_predecessor(self, cube: Cube, frame: int) -> bool:
        """Does a step lead into the cube, from outside it and from the previous frame? If not, a core is left."""
        if self._outside:
            self._solver.add([(-self._outside,)])  # the clause of the last query is not needed any more
        self._outside = next(self._fresh)
        self._solver.add([(-self._outside, *(-literal for literal in cube))])
        return self._solver.solve([self._outside, self._moving, *self._from(frame - 1), *self._primed(cube)])

    def _predecessor(self, obligation: Obligation, frame: int) -> Obligation | None:
        """A cube of states of the previous frame with an action into the cube; None if there is no such state."""
        if not self._has_predecessor(obligation.cube, frame):
            return None
        true, unroller = self._solver.solution(), self._unroller
        (action,) = unroller.actions(true, 0)
        return Obligation(
            self._enough(self._cube(unroller.state(true, 0)), action, obligation.cube), action, obligation
        )

    def _core_of_next(self) -> Cube:
        """The literals of the cube whose next-state copies are in the unsatisfiable core of the last query."""
        core = self._solver.core()
        return frozenset(v for b in self._bits for v in (b, -b) if self._unroller.at(v, 1) in core)

    def _enough(self, before: Cube, action: Action, after: Cube) -> Cube:
        """A part of the state that suffices for the action to be enabled and to lead into the cube `after`."""
        unroller = self._unroller
        guard = action.cube
        if guard is None:
            needed = [unroller.literal(action.guard)]
        else:
            needed = [unroller.bit(b, 0) if value else -unroller.bit(b, 0) for b, value in guard.items()]
        for literal in after:
            b = self._bits[abs(literal)]
            if b not in action.update:
                needed.append(literal)
            elif b in action.formulas:
                result = unroller.literal(action.formulas[b])
                needed.append(result if literal > 0 else -result)
        parts = [literal for literal in needed if abs(literal) not in self._bits]
        enough = frozenset(needed).difference(parts)
        if parts:
            missed = next(self._fresh)
            self._solver.add([(-missed, *(-part for part in parts))])
            enough |= self._lift(before, [missed])
            self._solver.add([(-missed,)])
        return enough

    def _is_initial(self, cube: Cube) -> bool:
        return self._solver.solve([self._unroller.init(0), *cube])

    def _generalise(self, cube: Cube, frame: int, whole: Cube) -> Cube:
        """Drop literals while the cube has no initial state and no step from the previous frame leads into it."""
        if self._is_initial(cube):
            cube = whole
        for literal in sorted(cube, key=abs):
            smaller = cube - {literal}
            if literal not in cube or not smaller or self._is_initial(smaller):
                continue
            if not self._has_predecessor(smaller, frame):
                core = smaller & self._core_of_next()
                cube = smaller if self._is_initial(core) else core
        return cube

    def _learn(self, cube: Cube, frame: int) -> None:
        self._blocked[frame].add(cube)
        self._solver.add([(-self._active[frame], *(-literal for literal in cube))])

    # The end

    def _propagate(self) -> int | None:
        """Move clauses to the next frame if they hold there; return a frame that equals the next one, or None."""
        for frame in range(1, len(self._active) - 1):
            for cube in sorted(self._blocked[frame], key=sorted):
                if not self._solver.solve([self._moving, *self._from(frame), *self._primed(cube)]):
                    self._blocked[frame].remove(cube)
                    self._learn(cube, frame + 1)
            if not self._blocked[frame]:
                return frame
        return None

    def _proof(self, frame: int) -> LayeredProof:
        circuit = Circuit([str(b) for b in self._model.bits])
        clauses = [
            circuit.conj(circuit.input(self._bits[abs(literal)]) ^ (literal < 0) for literal in cube) ^ 1
            for cube in self._excluded(frame)
        ]
        layer = circuit.conj([exclusion(self._model, circuit), *clauses])
        return LayeredProof(circuit, (layer,), kept_counts(self._model))

    def _excluded(self, frame: int) -> list[Cube]:
        """The cubes that the invariant excludes."""

        return [cube for blocked in self._blocked[frame + 1 :] for cube in blocked]

    def _invariant(self, frame: int) -> Callable[[State], bool]:
        cubes, counts = self._excluded(frame), kept_counts(self._model)
        groups = self._model.hints.exclusive

        def invariant(state: State) -> bool:
            held = self._cube(state)
            names = {str(b) for b in state}
            if any(len(names.intersection(count.bits)) != count.total for count in counts):
                return False
            if any(len(state.intersection(group)) > 1 for group in groups):
                return False
            return not any(cube <= held for cube in cubes)

        return invariant

    def _trace(self, start: Obligation, metric: str) -> Reachable:
        self._solver.solve([self._unroller.init(0), *start.cube])
        states, actions = [self._state()], []
        obligation = start
        while obligation.action is not None and obligation.following is not None:
            actions.append(obligation.action)
            states.append(obligation.action.fire(states[-1]))
            obligation = obligation.following
        trace = run_to_goal(self._model, states, actions)
        return Reachable(trace, trace.cost(metric), metric != ANY and not actions, self.statistics)
