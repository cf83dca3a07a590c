"""Transition systems over boolean state: the one thing that engines know.

A model has finite-domain variables encoded in bits, an initial condition, guarded actions with costs, and
a goal. An action is enabled where its guard holds; it sets the bits of its update all at once, to
constants or to the values of formulas over the old state, and every other bit keeps its value.

Costs are non-negative integers by metric, so that one model serves all metrics: under `pushes` a step of
the player costs nothing. Hints make engines faster and never change an answer.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations

from pyeda.boolalg.expr import And, Or

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.formula import Bit, Cube, Expression, Formula, State, bit, conjunction, holds, literals, support
from puzzlemc.mc.limits import Watch


@dataclass(frozen=True)
class Variable:
    """A finite domain and its boolean encoding: `codes[i]` are the values of `bits` that mean `values[i]`."""

    name: str
    values: tuple[Hashable, ...]
    bits: tuple[Bit, ...]
    codes: tuple[tuple[bool, ...], ...]

    def literals(self, value: Hashable) -> dict[Bit, bool]:
        """The cube that says: this variable has that value. Raises ModelError for a foreign value."""
        try:
            return dict(zip(self.bits, self.codes[self._index[value]], strict=True))
        except KeyError:
            raise ModelError(f"variable {self.name} has no value {value!r}") from None

    def equals(self, value: Hashable) -> Expression:
        """The expression that says: this variable has that value."""
        return conjunction(self.literals(value))

    def read(self, state: State) -> Hashable:
        """The value in a state. Raises ModelError where the bits are no code."""
        code = tuple(b in state for b in self.bits)
        try:
            return self._value[code]
        except KeyError:
            raise ModelError(f"variable {self.name}: {code} is not the code of any value") from None

    @cached_property
    def _index(self) -> dict[Hashable, int]:
        return {value: i for i, value in enumerate(self.values)}

    @cached_property
    def _value(self) -> dict[tuple[bool, ...], Hashable]:
        return dict(zip(self.codes, self.values, strict=True))


def boolean(name: str, *indices: int) -> Variable:
    """A variable of one bit."""
    return Variable(name, (False, True), (bit(name, *indices),), ((False,), (True,)))


def binary(name: str, values: Iterable[Hashable], *indices: int) -> Variable:
    """A variable whose i-th value is the binary number i, least bit first."""
    domain = tuple(values)
    bits = tuple(bit(name, *indices, i) for i in range(max(1, (len(domain) - 1).bit_length())))
    codes = tuple(tuple(bool(number >> i & 1) for i in range(len(bits))) for number in range(len(domain)))
    return Variable(name if not indices else f"{name}{indices}", domain, bits, codes)


def one_hot(name: str, values: Iterable[Hashable]) -> Variable:
    """A variable with one bit a value, of which exactly one holds."""
    domain = tuple(values)
    bits = tuple(bit(name, i) for i in range(len(domain)))
    return Variable(name, domain, bits, _one_hot_codes(len(domain)))


@cache
def _one_hot_codes(number: int) -> tuple[tuple[bool, ...], ...]:
    """The codes of a variable with so many values: they are shared, since there may be many large ones."""
    return tuple(tuple(i == value for i in range(number)) for value in range(number))


@dataclass(frozen=True)
class Action:
    """A guarded simultaneous update: `update` maps a bit to a constant or to a formula over the old state."""

    name: str
    guard: Formula
    update: Mapping[Bit, bool | Formula]
    costs: Mapping[str, int]

    @cached_property
    def cube(self) -> Cube | None:
        """The guard as literals, if that is what it is."""
        return literals(self.guard)

    @cached_property
    def constants(self) -> Cube:
        """The bits that it sets to constants."""
        return {b: new for b, new in self.update.items() if isinstance(new, bool)}

    @cached_property
    def formulas(self) -> Mapping[Bit, Formula]:
        """The bits that it sets to the values of formulas."""
        return {b: new for b, new in self.update.items() if not isinstance(new, bool)}

    @property
    def is_plain(self) -> bool:
        """Has it a literal guard and constant updates?"""
        return self.cube is not None and not self.formulas

    @cached_property
    def reads(self) -> frozenset[Bit]:
        """The bits that its guard and its updates speak of."""
        return support([self.guard, *self.formulas.values()])

    def enabled(self, state: State) -> bool:
        """May this action happen in the state?"""
        return holds(self.guard if self.cube is None else self.cube, state)

    def fire(self, state: State) -> State:
        """The state after the action, whose guard must hold."""
        held = {b for b, value in self.constants.items() if value}
        held.update(b for b, new in self.formulas.items() if holds(new, state))
        return state.difference(self.update) | held


@dataclass(frozen=True)
class Relaxation:
    """The same actions played with only `keep` of the objects: what is dead there is dead in the model.

    Take any run of the model, and follow `keep` of its objects (see `Hints.objects`) while all others are
    cleared: the result must be a run again, and where the model's goal holds, at least `held` of the targets must
    hold. So a state cannot reach the model's goal if it holds `keep` objects that, with the same location, cannot
    come to hold so many targets.
    """

    keep: int
    targets: tuple[Bit, ...]
    held: int

    @property
    def goal(self) -> Expression:
        """That enough of the targets hold."""
        found: Expression = Or(*[And(*chosen) for chosen in combinations(self.targets, self.held)])
        return found


Conserved = tuple[tuple[Expression, ...], int]


@dataclass(frozen=True)
class Hints:
    """What an encoding knows of its model; engines may use it for speed and for nothing else.

    location     a variable that engines may enumerate: a set of states becomes one diagram for each value
    conserved    (formulas, n): in every reachable state exactly n of them hold, and every action keeps it so
    objects      bits that stand for an object at a value of the location (a box on a square), to that value;
                 in every reachable state the location has the value of none of its objects
    order        variable order for diagrams, top first
    potential    weights on literals: their sum over a state estimates its distance to the goal
    relaxations  smaller systems that simulate this one
    guess        of a model without actions: a search for a state that is initial and a goal; None where it finds
                 none, which means nothing. Raises LimitReached
    """

    location: Variable | None = None
    conserved: tuple[Conserved, ...] = ()
    objects: Mapping[Bit, Hashable] = field(default_factory=dict)
    order: tuple[Bit, ...] = ()
    potential: Mapping[tuple[Bit, bool], int] = field(default_factory=dict)
    relaxations: tuple[Relaxation, ...] = ()
    guess: Callable[[Watch], State | None] | None = None


@dataclass(frozen=True)
class Model:
    """A transition system with a goal. `atoms` are named formulas that properties speak of."""

    variables: tuple[Variable, ...]
    init: Formula
    actions: tuple[Action, ...]
    goal: Formula
    atoms: Mapping[str, Formula] = field(default_factory=dict)
    hints: Hints = field(default_factory=Hints)

    @cached_property
    def bits(self) -> tuple[Bit, ...]:
        """All bits, in the order of the variables."""
        return tuple(b for variable in self.variables for b in variable.bits)

    @cached_property
    def keeps_objects(self) -> bool:
        """Are there objects, always as many of them, and does each action tell which of them it moves where?

        Without that, what relaxations tell is no evidence.
        """
        objects = self.hints.objects.keys()
        if not objects or not any(objects == frozenset(formulas) for formulas, _ in self.hints.conserved):
            return False
        for action in self.actions:
            moved = objects & action.update.keys()
            if not moved:
                continue
            cube, constants = action.cube, action.constants
            if cube is None or any(b not in constants or cube.get(b) != (not constants[b]) for b in moved):
                return False
            if 2 * sum(constants[b] for b in moved) != len(moved):
                return False
        return True

    def validate(self) -> None:
        """Raise ModelError where a formula or an update names a foreign bit, or a cost is negative."""
        bits = set(self.bits)
        if len(bits) < len(self.bits):
            raise ModelError("two variables share a bit")
        for what, formula in [("init", self.init), ("goal", self.goal), *self.atoms.items()]:
            if foreign := support([formula]) - bits:
                raise ModelError(f"{what} speaks of bits of no variable: {sorted(map(str, foreign))}")
        sizes = [relaxation.keep for relaxation in self.hints.relaxations]
        if len(set(sizes)) < len(sizes):
            raise ModelError("two relaxations keep the same number of objects")
        for action in self.actions:
            if foreign := (action.reads | action.update.keys()) - bits:
                raise ModelError(f"action {action.name}: bits of no variable: {sorted(map(str, foreign))}")
            for metric, cost in action.costs.items():
                if cost < 0:
                    raise ModelError(f"action {action.name}: cost {cost} of {metric} is negative")


ANY = "any"


def cost_of(action: Action, metric: str) -> int:
    """What the action costs under the metric; under `any` every action costs 1. Raises ModelError."""
    if metric == ANY:
        return 1
    try:
        return action.costs[metric]
    except KeyError:
        raise ModelError(f"action {action.name} has no cost for metric {metric!r}") from None
