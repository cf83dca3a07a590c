"""A system: variables with finite domains, actions, a goal. Authors build one for each level.

From it come the plain rules (`evaluation`) and the model (`compilation`).
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any as Anything
from typing import TypeGuard, TypeVar

from puzzlemc.encodings.modelling.language.expressions import (
    NUMBER,
    TRUTH,
    Constant,
    Expression,
    Variable,
    kind_of,
    lift,
    truth,
)
from puzzlemc.encodings.modelling.language.functions import Family
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.nearest import nearest

MOST_VALUES = 100_000  # of a domain
ERROR, DISABLE = OUTSIDE = ("error", "disable")  # what happens if an action gives a value outside a domain

SET = ("goal", "lost", "winner", "variables", "start", "actions", "named", "outside", "is_constraint", "mover")
TAKEN = ("and", "or", "not", "true", "false", "stuck", "dead", "solved", "lost")  # words of formulas, and atoms
FACT = re.compile(rf"(?!(?:{'|'.join(TAKEN)})\Z)[a-z][a-z0-9_]*")
NAME = re.compile(r"[^\s;](?:[^\n\r;]*[^\s;])?")  # of an action, or of a variable

Key = TypeVar("Key", bound=Hashable)
Place = tuple[int, int]  # row and column, from 0


@dataclass(frozen=True)
class Action:
    """A guard, and values that variables get if it is done, all at once.

    costs     a number for all metrics, or one for each by name
    side      whose action it is in a game, 0 or 1; None for both
    disables  a value outside its domain disables the action; otherwise it is an error
    """

    name: str
    guard: Expression
    updates: tuple[tuple[Variable, Expression], ...]
    costs: int | Mapping[str, int]
    side: int | None
    disables: bool

    def cost(self, metric: str) -> int:
        """The cost under a metric. Raises ModelError if it has none."""
        if isinstance(self.costs, int):
            return self.costs
        if metric not in self.costs:
            raise ModelError(f"action {self.name}: found costs {dict(self.costs)!r}, expected one for {metric!r}")
        return self.costs[metric]


@dataclass(frozen=True)
class Fact:
    """A named truth value, for formulas. Facts of places are drawn as a map of the board."""

    name: str
    truth: Expression
    meaning: str
    place: Place | None = None


class System:
    """Variables, actions and a goal.

    goal     the truth value of solved positions
    lost     holds only in positions from which no solved one can be reached: a promise of the author, which each
             solution is checked by
    outside  what happens if an action gives a variable a value outside its domain: "error" or "disable"
    turn     in a game of two sides, the side to move: 0 or 1; at the start it is `first`. `mover` is it, or None
    winner   in a game, where the first side has won, and where the second

    A constraint has no actions, and the start of its variables plays no role: it asks which values make the goal
    true.
    """

    def __init__(self, sides: int = 1, outside: str = ERROR, first: int = 0, *, constraint: bool = False) -> None:
        if sides not in (1, 2):
            raise ModelError(f"sides: found {sides!r}, expected 1 or 2")
        if outside not in OUTSIDE:
            raise ModelError(f"outside: found {outside!r}, expected one of {', '.join(OUTSIDE)}")
        if constraint and sides != 1:
            raise ModelError("found a constraint of two sides, expected System(constraint=True)")
        self.is_constraint = constraint
        self._token = object()  # of its variables
        self.variables: list[Variable] = []
        self.start: list[Hashable] = []
        self.actions: list[Action] = []
        self.named: list[Fact] = []
        self.outside = outside
        self._goal: Expression | None = lift(False) if sides == 2 else None
        self._lost: Expression = lift(False)
        self._winner: tuple[Expression, Expression] = (lift(False), lift(False))
        self._names = set[str]()
        self.mover: Variable | None = self.number("turn", 0, 1, first) if sides == 2 else None

    def __setattr__(self, name: str, value: object) -> None:
        """Set the goal, for example. Raises ModelError for a name that a system does not have."""
        if not name.startswith("_") and name not in SET:
            expected = f"one of goal, lost, winner{nearest(name, SET)}"
            raise ModelError(f"found system.{name} = …, expected {expected}")
        super().__setattr__(name, value)

    @property
    def turn(self) -> Variable:
        """The side to move. Raises ModelError if there are no sides."""
        if self.mover is None:
            raise ModelError("found system.turn of a system without sides, expected System(sides=2)")
        return self.mover

    # Variables.

    def flag(self, name: str, start: bool = False) -> Variable:
        """A truth value."""
        return self._add(name, None, (False, True), bool(start))

    def flags(self, name: str, start: "Mapping[Key, bool] | Iterable[Key]") -> "Family[Key]":
        """Truth values by index: from index to start, or the indices alone, for all false at the start."""
        return self._family(name, start, lambda _: (False, True), False)

    def number(self, name: str, low: int, high: int, start: int | None = None) -> Variable:
        """A whole number from `low` to `high`, both included; at the start `low`, if nothing else is said."""
        return self._add(name, None, _range(name, low, high), low if start is None else start)

    def numbers(
        self, name: str, start: "Mapping[Key, int] | Iterable[Key]", low: "Anything", high: "Anything"
    ) -> "Family[Key]":
        """Whole numbers by index: from index to start, or the indices alone. Bounds may be mappings or lists."""

        def domain(index: Key) -> Sequence[Hashable]:
            return _range(name, _at(low, index), _at(high, index))

        return self._family(name, start, domain, None)

    def choice(self, name: str, values: Iterable[Hashable], start: Hashable = None) -> Variable:
        """One of some values; at the start the first, if nothing else is said."""
        domain = _domain(name, values)
        return self._add(name, None, domain, domain[0] if start is None else start)

    def choices(
        self, name: str, start: "Mapping[Key, Hashable] | Iterable[Key]", values: Iterable[Hashable]
    ) -> "Family[Key]":
        """Choices among the same values, by index: from index to start, or the indices alone."""
        domain = _domain(name, values)
        return self._family(name, start, lambda _: domain, None)

    # Actions and conditions.

    def action(
        self,
        name: str | int,
        when: object,
        then: Mapping[Variable, object],
        cost: int | Mapping[str, int] = 1,
        by: int | None = None,
        outside: str | None = None,
    ) -> None:
        """Add an action: where `when` holds, the variables of `then` may get their new values, all at once.

        Several actions may have one name, if no position enables two of them. A number is a name, too.
        """
        what = f"action {name}"
        if self.is_constraint:
            raise ModelError(f"{what}: found an action of a constraint, expected System() for a puzzle of moves")
        if not isinstance(name, str | int) or not NAME.fullmatch(str(name)):
            raise ModelError(f"found the name {name!r} of an action, expected a text of one line, without ;")
        guard = self._truth(f"{what}: when", when)
        if not isinstance(then, Mapping):
            raise ModelError(f"{what}: found {then!r}, expected a mapping {{variable: value}}")
        if not isinstance(cost, int | Mapping):
            raise ModelError(f"{what}: found the cost {cost!r}, expected a whole number, or one for each metric")
        for metric, number in ({"cost": cost} if isinstance(cost, int) else dict(cost)).items():
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                raise ModelError(f"{what}: found {number!r} for {metric}, expected a whole number from 0 on")
        if outside not in (None, *OUTSIDE):
            raise ModelError(f"{what}: outside: found {outside!r}, expected one of {', '.join(OUTSIDE)}")
        if by is not None and (self.mover is None or by not in (0, 1)):
            expected = "0 or 1" if self.mover is not None else "System(sides=2) before"
            raise ModelError(f"{what}: found by={by!r}, expected {expected}")
        updates = [self._update(what, variable, value) for variable, value in then.items()]
        if self.mover is not None:
            if by is not None:
                guard = (self.turn == by) & guard
            if self.turn not in then:
                updates.append((self.turn, 1 - self.turn))
        disables = (outside or self.outside) == DISABLE
        if isinstance(guard, Constant) and not guard.value:
            return
        self.actions.append(Action(str(name), guard, tuple(updates), cost, by, disables))

    @property
    def goal(self) -> Expression:
        """The truth value of solved positions. Raises ModelError if the author has set none."""
        if self._goal is None:
            raise ModelError("found no goal, expected system.goal = …")
        return self._goal

    @goal.setter
    def goal(self, value: object) -> None:
        self._goal = self._truth("goal", value)

    @property
    def lost(self) -> Expression:
        """The truth value of positions that are lost for sure."""
        return self._lost

    @lost.setter
    def lost(self, value: object) -> None:
        self._lost = self._truth("lost", value)

    @property
    def winner(self) -> tuple[Expression, Expression]:
        """Where the first side of a game has won, and where the second."""
        return self._winner

    @winner.setter
    def winner(self, value: tuple[object, object]) -> None:
        if not isinstance(value, tuple | list) or len(value) != 2:
            raise ModelError(f"winner: found {value!r}, expected two truth values, one for each side")
        self._winner = (self._truth("winner", value[0]), self._truth("winner", value[1]))

    def fact(self, name: str, holds: object, meaning: str = "") -> None:
        """Name a truth value, for formulas: `AG EF safe`."""
        self._name_fact(name)
        self.named.append(Fact(name, self._truth(f"fact {name}", holds), meaning))

    def facts(self, name: str, holds: Mapping[Place, object], meaning: str = "") -> None:
        """Name a truth value of each place: `wet@(2,3)` in formulas, and a map of the board in reports."""
        self._name_fact(name)
        for place, value in holds.items():
            if not is_place(place):
                raise ModelError(f"facts {name}: found {place!r}, expected a place (row, column), from 0")
            self.named.append(Fact(name, self._truth(f"facts {name}", value), meaning, place))

    # Checks.

    def check(self, metrics: Sequence[str] = ()) -> None:
        """Raise ModelError for a system without variables, a goal (if it is no game), or a cost of an action."""
        if not self.variables:
            raise ModelError("found no variables, expected at least one, as system.flag(name) makes")
        if self.mover is None:
            _ = self.goal
        for action in self.actions:
            for metric in metrics:
                action.cost(metric)

    def _truth(self, what: str, value: object) -> Expression:
        """The truth value of an author. Raises ModelError for one with a variable of another system."""
        found = truth(what, value)
        if not found.owners <= {self._token}:
            raise ModelError(f"{what}: found a variable of another system: {found!r}, expected those of this one")
        return found

    def _name_fact(self, name: str) -> None:
        """Take the name of a fact. Raises ModelError for one that formulas cannot hold.

        Facts of a constraint are the parts of its goal, for people, and may have any other name.
        """
        self._name(name)
        is_free = self.is_constraint and name not in TAKEN and "@(" not in name
        if not is_free and not FACT.fullmatch(name):
            expected = f"small letters, digits and _, and none of: {', '.join(TAKEN)}"
            raise ModelError(f"found the name {name!r} of a fact, expected {expected}")

    def _name(self, name: str) -> None:
        if not isinstance(name, str) or not name:
            raise ModelError(f"found the name {name!r}, expected a text")
        if name in self._names:
            raise ModelError(f"found two of the name {name!r}, expected each once")
        self._names.add(name)

    def _family(
        self,
        name: str,
        start: "Mapping[Key, Anything] | Iterable[Key]",
        domain: "Anything",
        default: Hashable,
    ) -> "Family[Key]":
        self._name(name)
        found = Family[Key]()
        for index in start:
            values = domain(index)
            first = values[0] if default is None else default
            value = start[index] if isinstance(start, Mapping) else first
            found[index] = self._new(_member(name, index), values, value, name, index)
        return found

    def _add(self, name: str, index: Hashable, domain: Sequence[Hashable], start: Hashable) -> Variable:
        self._name(name)
        return self._new(name, domain, start, name, index)

    def _new(
        self, name: str, domain: Sequence[Hashable], start: Hashable, family: str, index: Hashable
    ) -> Variable:
        if index is not None:
            self._name(name)
        if not NAME.fullmatch(name):
            raise ModelError(f"found a variable called {name!r}, expected a text of one line, without ;")
        if start not in domain:
            raise ModelError(f"{name}: found the start {start!r}, expected one of {_shown(domain)}")
        kind = NUMBER if isinstance(domain, range) else kind_of(domain)
        variable = Variable(len(self.variables), name, domain, family, index, self._token, kind=kind)
        self.variables.append(variable)
        self.start.append(start)
        return variable

    def _update(self, what: str, variable: object, value: object) -> tuple[Variable, Expression]:
        own = isinstance(variable, Variable) and variable.number < len(self.variables)
        if not own or self.variables[variable.number] is not variable:  # type: ignore[attr-defined]
            raise ModelError(f"{what}: found {variable!r} on the left, expected a variable of this system")
        assert isinstance(variable, Variable)
        new = lift(value)
        if not new.owners <= {self._token}:
            raise ModelError(f"{what}: found a variable of another system: {new!r}, expected those of this one")
        if isinstance(new, Constant) and new.value not in variable.domain:
            expected = f"one of {_shown(variable.domain)}"
            raise ModelError(f"{what}: found {new.value!r} for {variable.name}, expected {expected}")
        for kind, words in ((TRUTH, "a truth value"), (NUMBER, "a number")):
            if variable.kind == kind and new.kind not in (kind, None):
                raise ModelError(f"{what}: found {new!r} for {variable.name}, expected {words}")
        return variable, new


def is_place(index: object) -> TypeGuard[Place]:
    """Is an index or a value a row and a column?"""
    if not isinstance(index, tuple) or len(index) != 2:
        return False
    return all(type(number) is int and number >= 0 for number in index)


def _member(name: str, index: Hashable) -> str:
    """The name of a member of a family, for people: rows and columns count from 1."""
    if is_place(index):
        row, column = index
        return f"{name} ({row + 1},{column + 1})"
    words = ",".join(map(str, index)) if isinstance(index, tuple) else str(index)
    return f"{name} {words}"


def _range(name: str, low: object, high: object) -> range:
    if type(low) is not int or type(high) is not int or low > high:
        raise ModelError(f"{name}: found the bounds {low!r} and {high!r}, expected whole numbers, low first")
    if high - low >= MOST_VALUES:
        raise ModelError(f"{name}: found {high - low + 1} values, expected at most {MOST_VALUES}")
    return range(low, high + 1)


def _domain(name: str, values: Iterable[Hashable]) -> tuple[Hashable, ...]:
    found = tuple(dict.fromkeys(values))
    if not found:
        raise ModelError(f"{name}: found no values, expected at least one")
    if len(found) > MOST_VALUES:
        raise ModelError(f"{name}: found {len(found)} values, expected at most {MOST_VALUES}")
    return found


def _at(bound: "Anything", index: "Anything") -> object:
    """A bound of one member: the same for all, or by its index."""
    return bound if isinstance(bound, int) else bound[index]


def _shown(domain: Sequence[Hashable]) -> str:
    """A domain in messages."""
    if isinstance(domain, range):
        return f"{domain[0]} to {domain[-1]}"
    words = [repr(value) for value in domain]
    return ", ".join(words[:8]) + (", …" if len(words) > 8 else "")
