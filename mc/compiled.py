"""Explicit search in compiled code, with dead patterns: what is quickest where states are few.

For models of literal guards, constant updates, and a goal that is a disjunction of cubes. A state is an integer,
its bits those of the location and then the others, split into 64-bit words for `kernel`.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from puzzlemc.mc import kernel
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.formula import Bit, Formula, State, fold, holds, literals
from puzzlemc.mc.kernel import Ints, Space, Tables
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY, Action, Model, Relaxation, cost_of
from puzzlemc.mc.verdict import Reachable, Statistics, Trace, Unknown, Unreachable, Verdict

STEPS = 200_000  # between two looks at the clock
WORD = (1 << 64) - 1
MOST_LOCATION_BITS = 16
NEVER = 1 << 62  # the cost of no meeting


@dataclass(frozen=True)
class Rule:
    """An action on states as integers: enabled where `state & mask == value`; leads to `state & ~clear | set`."""

    mask: int
    value: int
    clear: int
    set: int
    price: int
    number: int

    def source(self, key: int) -> int:
        """The location code, under the key, that it leads from."""
        return self.value & key

    def target(self, key: int) -> int:
        """The location code, under the key, that it leads to."""
        return (self.value & ~self.clear | self.set) & key

    def reverse(self, price: int) -> "Rule":
        """The rule that takes the action back, at that price. Raises ModelError where that is no single rule."""
        changed = self.clear | self.set
        if changed & ~self.mask:
            raise ModelError("an action forgets what it changes")
        return Rule(self.mask, self.value & ~changed | self.set, changed, self.value & changed, price, self.number)


class Packing:
    """Which bit of the integer each bit of a model is: first those of the location."""

    def __init__(self, model: Model) -> None:
        location = model.hints.location
        first = location.bits if location is not None else ()
        if len(first) > MOST_LOCATION_BITS:
            raise ModelError("the location has too many bits for a table")
        self.bits = (*first, *(b for b in model.bits if b not in first))
        self.one = {b: 1 << number for number, b in enumerate(self.bits)}
        self.key = (1 << len(first)) - 1
        self.words = max(1, -(-len(self.bits) // 64))
        # By location code, the objects that would stand there: the location is never on one.
        objects = model.hints.objects
        self.excluded: dict[int, int] = {}
        if location is not None and objects:
            at = {value: self.one[b] for b, value in objects.items()}
            for value in location.values:
                code = self.integer(b for b, held in location.literals(value).items() if held)
                self.excluded[code] = at.get(value, 0)

    def integer(self, held: Iterable[Bit]) -> int:
        """The state in which just these bits hold."""
        return sum(self.one[b] for b in held)

    def state(self, integer: int) -> State:
        """The state of an integer."""
        return frozenset(b for b, one in self.one.items() if integer & one)

    def rows(self, integers: list[int]) -> kernel.Words:
        """States as rows of words."""
        if self.words == 1:
            return np.array(integers, np.uint64).reshape(-1, 1)
        words = [[integer >> 64 * word & WORD for word in range(self.words)] for integer in integers]
        return np.array(words, np.uint64).reshape(-1, self.words)

    def unpacked(self, rows: kernel.Words) -> npt.NDArray[np.bool_]:
        """The bits of rows, as (rows, bits)."""
        octets = np.ascontiguousarray(rows).view(np.uint8)
        return np.unpackbits(octets, axis=1, bitorder="little")[:, : len(self.bits)].astype(np.bool_)

    def packed(self, held: npt.NDArray[np.bool_]) -> kernel.Words:
        """The rows of bits, as (rows, words)."""
        octets = np.zeros((len(held), 8 * self.words), np.uint8)
        some = np.packbits(held, axis=1, bitorder="little")
        octets[:, : some.shape[1]] = some
        return octets.view(np.uint64)

    def rule(self, action: Action, price: int, number: int) -> Rule:
        """The rule of an action. Raises ModelError where it has a formula that is no cube."""
        cube = literals(action.guard)
        if cube is None or not all(isinstance(new, bool) for new in action.update.values()):
            raise ModelError(f"action {action.name} has formulas")
        one = self.one
        value = sum(one[b] for b, held in cube.items() if held)
        return Rule(
            sum(one[b] for b in cube) | self.excluded.get(value & self.key, 0),
            value,
            sum(one[b] for b, new in action.update.items() if not new),
            sum(one[b] for b, new in action.update.items() if new),
            price,
            number,
        )

    def tables(
        self,
        rules: Iterable[Rule],
        dead: Callable[[Rule], int] | None = None,
        free: Iterable[Rule] = (),
    ) -> Tables:
        """Rules as arrays, sorted by location; one that needs no location stands with each.

        `free` are the rules that only move between locations of a region.
        """
        groups: list[list[Rule]] = [[] for _ in range(self.key + 1)]
        for rule in rules:
            if rule.mask & self.key == self.key:
                groups[rule.value & self.key].append(rule)
            else:
                for code, group in enumerate(groups):
                    if code & rule.mask == rule.value & self.key:
                        group.append(rule)
        ordered = [rule for group in groups for rule in group]
        full = (1 << 64 * self.words) - 1
        return Tables(
            np.uint64(self.key),
            np.cumsum([0, *map(len, groups)], dtype=np.int64),
            self.rows([rule.mask for rule in ordered]),
            self.rows([rule.value for rule in ordered]),
            self.rows([full & ~rule.clear for rule in ordered]),
            self.rows([rule.set for rule in ordered]),
            self.rows([dead(rule) if dead else 0 for rule in ordered]),
            np.array([rule.price for rule in ordered], np.int64),
            np.array([rule.number for rule in ordered], np.int64),
            *self._free_steps(free),
        )

    def _free_steps(self, free: Iterable[Rule]) -> tuple[Ints, Ints, kernel.Words, kernel.Words]:
        steps = sorted(free, key=lambda rule: rule.source(self.key))
        starts = np.bincount([rule.source(self.key) for rule in steps] or [0], minlength=self.key + 1)
        if not steps:
            starts[:] = 0
        return (
            np.cumsum([0, *starts], dtype=np.int64),
            np.array([rule.target(self.key) for rule in steps], np.int64),
            self.rows([rule.mask & ~self.key for rule in steps]),
            self.rows([rule.value & ~self.key for rule in steps]),
        )


def start_space(rows: kernel.Words, widest: int) -> Space:
    """A search about to begin from the rows, for costs up to `widest` an action."""
    room = max(1 << 12, 2 * len(rows))
    slots = np.full(4 * (1 << (room - 1).bit_length()), -1, np.int64)
    space = Space(
        rows=np.zeros((room, rows.shape[1]), np.uint64),
        parent=np.full(room, -1, np.int64),
        action=np.full(room, -1, np.int64),
        cost=np.zeros(room, np.int64),
        closed=np.zeros(room, np.uint8),
        slots=slots,
        queues=np.zeros((widest + 1, room), np.int64),
        sizes=np.zeros(widest + 1, np.int64),
        scalars=np.array([len(rows), 0, 0, 0], np.int64),
    )
    space.rows[: len(rows)] = rows
    space.queues[0, : len(rows)] = np.arange(len(rows))
    space.sizes[0] = len(rows)
    for number, row in enumerate(rows):
        slots[kernel.find(space.rows, slots, row)] = number
    return space


def compiled(model: Model, metric: str, watch: Watch, most_states: int | None = None) -> Verdict:
    """Decide reachability of the goal state by state, in order of cost, in compiled code.

    Stops with *unknown*, reason `bound`, past `most_states`. Raises ModelError where the model has formulas that
    are no cubes, more than one initial state, or no cost for the metric.
    """
    try:
        return _search(model, metric, watch, most_states)
    except LimitReached as limit:
        return Unknown(limit.reason, watch.bound)
    except MemoryError:
        return Unknown("memory", watch.bound)


def _search(model: Model, metric: str, watch: Watch, most_states: int | None) -> Verdict:
    packing = Packing(model)
    initial = literals(model.init)
    if initial is None or len(initial) < len(model.bits):
        raise ModelError("more than one initial state")
    goal = _cubes(model.goal)
    goal_mask = packing.rows([packing.integer(cube) for cube in goal])
    goal_value = packing.rows([packing.integer(b for b, held in cube.items() if held) for cube in goal])
    rules = [packing.rule(action, cost_of(action, metric), number) for number, action in enumerate(model.actions)]
    dead = DeadRows(packing, model, rules, watch)
    rules = [rule for rule in rules if not dead.enters(rule)]
    widest = max((rule.price for rule in rules), default=0)
    start = packing.rows([packing.integer(b for b, held in initial.items() if held)])
    free = _regions(packing, rules, goal)
    rules = [rule for rule in rules if rule not in free]
    forward_tables = packing.tables(rules, dead.partners, free)
    forward = Side(forward_tables, start_space(_settled(forward_tables, start), widest))
    ends = _goal_states(packing, model, goal)
    nobody = start_space(start[:0], 0)
    backward = None
    if ends is not None:
        tables = packing.tables([rule.reverse(rule.price) for rule in rules], None, free)
        backward = Side(tables, start_space(_settled(tables, ends), widest))
        goal_mask = goal_value = start[:0]  # the sides meet instead

    bytes_per_state = 2 * (8 * packing.words + 3 * 8 + 1) + 4 * 8 + 16
    room = watch.limits.memory // bytes_per_state
    most = room if most_states is None else min(room, most_states)
    best = np.array([NEVER, -1, -1], np.int64)  # cost, row of the forward side, row of the backward side
    while True:
        sides = [forward] if backward is None else [forward, backward]
        ended = [side for side in sides if side.ended]
        settled = forward.cost + (backward.cost - widest if backward is not None else 0)
        if backward is not None and best[0] <= (NEVER - 1 if ended else settled):
            actions = _run(model, forward.space, int(best[1]))[::-1] + _run(model, backward.space, int(best[2]))
            statistics = Statistics(forward.cost + backward.cost + 1, forward.size + backward.size)
            return Reachable(walk(packing, model, free, actions), int(best[0]), metric != ANY, statistics)
        if ended and all(side.began for side in sides):
            return Unreachable(
                dead.invariant(ended[0].space, ended[0].tables, backward=ended[0] is backward),
                ended[0].statistics(),
            )
        watch.prove(min(settled, int(best[0])))
        side = min((side for side in sides if not side.ended), key=lambda side: (side.began, side.next_layer))
        other = nobody if backward is None else (backward if side is forward else forward).space
        meeting = best if side is forward else best[[0, 2, 1]]
        status, hit = kernel.PAUSED, -1
        while status == kernel.PAUSED:
            watch.check()
            states = sum(side.size for side in sides)
            if states >= most:
                return Unknown("memory" if most == room else "bound", watch.bound, Statistics(states=states))
            status, hit, side.space = kernel.explore(
                side.tables, goal_mask, goal_value, side.space, other, meeting, most, STEPS
            )
        best = meeting if side is forward else meeting[[0, 2, 1]]
        side.began, side.ended = True, status == kernel.EXHAUSTED
        if status == kernel.FOUND:
            trace = walk(packing, model, free, _run(model, side.space, hit)[::-1])
            return Reachable(trace, int(side.space.cost[hit]), metric != ANY, side.statistics())


def _goal_states(packing: Packing, model: Model, goal: list[dict[Bit, bool]]) -> kernel.Words | None:
    """The goal states as rows, where a cube and a conserved count tell all bits but the location; else None."""
    location = model.hints.location
    first = location.bits if location is not None else ()
    rest = frozenset(packing.bits[len(first) :])
    if len(goal) != 1 or not goal[0].keys() <= rest:
        return None
    held = {b for b, value in goal[0].items() if value}
    told = goal[0].keys() >= rest or any(
        rest == frozenset(formulas) and total == len(held) for formulas, total in model.hints.conserved
    )
    if not told:
        return None
    goal_bits = packing.integer(held)
    if location is None:
        return packing.rows([goal_bits])
    codes = [packing.integer(b for b, on in location.literals(v).items() if on) for v in location.values]
    return packing.rows([code | goal_bits for code in codes if not packing.excluded.get(code, 0) & goal_bits])


def _regions(packing: Packing, rules: list[Rule], goal: list[dict[Bit, bool]]) -> frozenset[Rule]:
    """The rules that cost nothing and only move between locations, if there is a way back for each; else none.

    The locations between which they lead from a state form a region, and one of them stands for all.
    """
    key = packing.key
    free = [rule for rule in rules if not rule.price and not (rule.clear | rule.set) & ~key]
    ways = {(rule.source(key), rule.target(key), rule.mask, rule.value & ~key) for rule in free}
    if any(packing.integer(cube) & key for cube in goal) or any(rule.mask & key != key for rule in free):
        return frozenset()
    if any((end, start, mask, value) not in ways for start, end, mask, value in ways):
        return frozenset()
    return frozenset(free)


def _settled(tables: Tables, rows: kernel.Words) -> kernel.Words:
    """Each row's region, once."""
    if not len(tables.free_to):
        return rows
    rows = rows.copy()
    codes = np.empty(len(tables.first) - 1, np.int64)
    seen = np.zeros_like(codes)
    for stamp, row in enumerate(rows, start=1):
        kernel.settle(tables, row, codes, seen, stamp)
    return np.unique(rows, axis=0)


@dataclass
class Side:
    """One of the two searches."""

    tables: Tables
    space: Space
    began: bool = False
    ended: bool = False

    @property
    def cost(self) -> int:
        """All states of less cost have been entered."""
        return int(self.space.scalars[1])

    @property
    def size(self) -> int:
        """States seen."""
        return int(self.space.scalars[0])

    @property
    def next_layer(self) -> int:
        """States that wait in the next layer."""
        return int(self.space.sizes[self.cost % len(self.space.sizes)])

    def statistics(self) -> Statistics:
        """What this side did."""
        return Statistics(self.cost + 1, self.size)


def _cubes(goal: Formula) -> list[dict[Bit, bool]]:
    cube = literals(goal)
    if cube is not None:
        return [cube]
    if goal.is_zero():
        return []
    parts = [literals(part) for part in goal.xs] if goal.ASTOP == "or" else [None]
    cubes = [part for part in parts if part is not None]
    if len(cubes) < len(parts):
        raise ModelError("the goal is no disjunction of cubes")
    return cubes


def _run(model: Model, space: Space, number: int) -> list[Action]:
    """The actions from the row of that number back to where its side started."""
    actions: list[Action] = []
    while space.parent[number] >= 0:
        actions.append(model.actions[int(space.action[number])])
        number = int(space.parent[number])
    return actions


def walk(packing: Packing, model: Model, free: Iterable[Rule], actions: list[Action]) -> Trace:
    """The run of the actions from the initial state, with the free steps between them that they need."""
    initial = literals(model.init) or {}
    states = [frozenset(b for b, held in initial.items() if held)]
    taken: list[Action] = []
    steps: dict[int, list[Rule]] = {}
    for rule in free:
        steps.setdefault(rule.value & packing.key, []).append(rule)
    for action in actions:
        here = packing.integer(states[-1])
        came: dict[int, Rule | None] = {here: None}
        waiting = deque([here])
        while waiting and not _enabled(packing, action, waiting[0]):
            at = waiting.popleft()
            for rule in steps.get(at & packing.key, ()):
                after = at & ~rule.clear | rule.set
                if at & rule.mask == rule.value and after not in came:
                    came[after] = rule
                    waiting.append(after)
        at, way = waiting[0], []
        while (last := came[at]) is not None:
            way.append(model.actions[last.number])
            at = at & ~(last.clear | last.set) | last.value & (last.clear | last.set)
        for step in [*reversed(way), action]:
            taken.append(step)
            states.append(step.fire(states[-1]))
    return Trace(tuple(states), tuple(taken))


def _enabled(packing: Packing, action: Action, integer: int) -> bool:
    cube = literals(action.guard) or {}
    return all(bool(integer & packing.one[b]) == value for b, value in cube.items())


def _satisfying(formula: Formula, objects: list[Bit], keep: int) -> list[tuple[Bit, ...]]:
    """The sets of `keep` objects that satisfy the formula, all other objects being absent."""
    chosen = list(combinations(range(len(objects)), keep))
    held = np.zeros((len(chosen), len(objects)), np.bool_)
    held[np.arange(len(chosen))[:, None], np.array(chosen, np.int64).reshape(-1, keep)] = True
    column = {b: held[:, number] for number, b in enumerate(objects)}
    good = fold(
        formula,
        lambda b, value: column[b] == value,
        lambda parts: np.logical_and.reduce([np.ones(len(chosen), np.bool_), *parts]),
        lambda parts: np.logical_or.reduce([np.zeros(len(chosen), np.bool_), *parts]),
    )
    return [tuple(objects[n] for n in chosen[at]) for at in np.nonzero(good)[0]]


class DeadRows:
    """Dead single objects and pairs by the relaxations of a model, as `deadness` has them, in rows."""

    def __init__(self, packing: Packing, model: Model, rules: list[Rule], watch: Watch) -> None:
        self._packing = packing
        self._model = model
        self._objects: dict[Bit, int] = {}
        self._one: npt.NDArray[np.bool_] | None = None  # (location code, object): alive
        self._two: npt.NDArray[np.bool_] | None = None  # (location code, object, object): alive
        location = model.hints.location
        if location is None or not model.hints.objects:
            return
        for relaxation in model.hints.relaxations:
            objects = tuple(model.hints.objects)
            if set(objects) != set(packing.bits[len(location.bits) :]):
                raise ModelError("the objects of a relaxation must be all the bits outside the location")
            self._objects = {b: number for number, b in enumerate(objects)}
            if relaxation.keep == 1:
                self._one = self._alive(relaxation, rules, watch)
            elif relaxation.keep == 2:
                spared = [rule for rule in rules if not self.enters(rule)]
                self._two = self._alive(relaxation, spared, watch)

    def _alive(self, relaxation: Relaxation, rules: list[Rule], watch: Watch) -> npt.NDArray[np.bool_]:
        """For each location code and `keep` objects: can they reach the relaxed goal?"""
        packing, location = self._packing, self._model.hints.location
        assert location is not None
        objects, keep = list(self._objects), relaxation.keep
        codes = [packing.integer(b for b, held in location.literals(v).items() if held) for v in location.values]
        kept = [packing.integer(some) for some in _satisfying(relaxation.goal, objects, keep)]
        start = packing.rows([code | pair for code in codes for pair in kept])
        alive = np.zeros((packing.key + 1, *(len(objects),) * keep), np.bool_)
        if not len(start):
            return alive
        tables = packing.tables(rule.reverse(0) for rule in rules)
        space = start_space(start, 0)
        nothing = np.zeros((0, packing.words), np.uint64)
        nobody = start_space(nothing, 0)
        never = np.array([0, -1, -1], np.int64)
        status = kernel.PAUSED
        while status in (kernel.PAUSED, kernel.LAYER):
            status, _, space = kernel.explore(tables, nothing, nothing, space, nobody, never, 1 << 40, STEPS)
            watch.check()
        rows = space.rows[: space.scalars[0]]
        columns = [packing.bits.index(b) for b in objects]
        held = packing.unpacked(rows)[:, columns]
        where = (rows[:, 0] & np.uint64(packing.key)).astype(np.int64)
        at = np.nonzero(held)[1].reshape(-1, keep)
        if keep == 1:
            alive[where, at[:, 0]] = True
        else:
            alive[where, at[:, 0], at[:, 1]] = alive[where, at[:, 1], at[:, 0]] = True
        return alive

    def _placed(self, rule: Rule) -> list[tuple[int, int]]:
        """Target location code and object, for each object that the rule places."""
        after = rule.value & ~rule.clear | rule.set
        code = after & self._packing.key
        return [(code, n) for b, n in self._objects.items() if rule.set & self._packing.one[b]]

    def enters(self, rule: Rule) -> bool:
        """Does the rule place an object where it is dead by itself?"""
        one = self._one
        return one is not None and any(not one[code, number] for code, number in self._placed(rule))

    def partners(self, rule: Rule) -> int:
        """The objects that make a dead pair with one that the rule places."""
        if self._two is None:
            return 0
        found = 0
        for code, number in self._placed(rule):
            row = self._two[code, number]
            for b, other in self._objects.items():
                if other != number and not row[other]:
                    found |= self._packing.one[b]
        return found

    def invariant(self, space: Space, tables: Tables, *, backward: bool) -> Callable[[State], bool]:
        """The invariant of a search that ended: reached or dead, or, backward, not reached."""
        packing, model, location = self._packing, self._model, self._model.hints.location

        def dead(state: State) -> bool:
            if location is None or not self._objects:
                return False
            here = location.read(state)
            code = packing.integer(b for b in location.bits if b in state)
            objects = model.hints.objects
            held = [self._objects[b] for b in objects if b in state]
            if any(objects[b] == here for b in objects if b in state):
                return False
            one, two = self._one, self._two
            return (one is not None and any(not one[code, n] for n in held)) or (
                two is not None and any(not two[code, n, m] for n, m in combinations(held, 2))
            )

        def invariant(state: State) -> bool:
            if any(sum(holds(f, state) for f in formulas) != total for formulas, total in model.hints.conserved):
                return False
            (row,) = _settled(tables, packing.rows([packing.integer(state)]))
            reached = bool(space.slots[kernel.find(space.rows, space.slots, row)] >= 0)
            return not reached if backward else reached or dead(state)

        return invariant
