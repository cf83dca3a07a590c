"""Random systems of a few variables of all kinds, with expressions and actions of all kinds, by their numbers."""

import random
from collections.abc import Callable
from typing import Any

from puzzlemc.encodings.modelling.language.expressions import (
    NUMBER,
    TRUTH,
    All,
    AnyOf,
    Constant,
    Expression,
    If,
    Variable,
    lift,
)
from puzzlemc.encodings.modelling.language.functions import Count, Distinct, Family, Max, Min, Sum, apply
from puzzlemc.encodings.modelling.language.system import System

PLACES = ((0, 0), (0, 1), (1, 0), (1, 1))


class RandomSystem:
    """Makes one random system.

    faults  whether values may leave their domains, and functions raise exceptions
    """

    def __init__(self, seed: int, *, faults: bool = True) -> None:
        self.rng = random.Random(seed)
        self.faults = faults
        self.system = System(outside="error" if faults and self.rng.random() < 0.3 else "disable")
        self.flags: list[Variable] = []
        self.numbers: list[Variable] = []
        self.others: list[Variable] = []
        self.family: Family[int] | None = None
        self._variables()
        self._actions()
        self._goal()

    def _variables(self) -> None:
        rng, system = self.rng, self.system
        self.flags += [system.flag(f"flag {n}", rng.random() < 0.5) for n in range(rng.randint(0, 3))]
        if rng.random() < 0.4:
            lamps = system.flags("lamp", {place: rng.random() < 0.5 for place in rng.sample(PLACES, 2)})
            self.flags += lamps.values()
        for n in range(rng.randint(0, 2)):
            low = rng.randint(-1, 1)
            high = low + rng.choice((0, 1, 2, 3, 5, 70) if n == 0 else (1, 2, 3))
            self.numbers.append(system.number(f"x{n}", low, high, rng.randint(low, high)))
        if rng.random() < 0.4:
            self.family = system.numbers("jug", {0: 0, 1: 1, 2: rng.randint(0, 2)}, 0, {0: 2, 1: 3, 2: 2})
            self.numbers += self.family.values()
        if rng.random() < 0.3:
            self.others.append(system.choice("sledge", PLACES, rng.choice(PLACES)))
        if rng.random() < 0.4 or not system.variables:
            values = rng.sample(["red", "green", 1, 0, None, (1, 2), "blue"], rng.randint(2, 5))
            self.others.append(system.choice("kind", values, rng.choice([v for v in values if v is not None])))
        if rng.random() < 0.2:
            self.flags.append(system.choice("odd", (True, False), rng.random() < 0.5))

    def _actions(self) -> None:
        rng, system = self.rng, self.system
        for n in range(rng.randint(3, 8)):
            when = self._guard()
            variables = rng.sample(system.variables, min(len(system.variables), rng.randint(1, 3)))
            then = {each: self._new(each) for each in variables}
            cost: Any = rng.choice((1, 1, 2, {"moves": rng.randint(0, 3)}))
            outside = rng.choice((None, None, "disable"))
            system.action(f"a{n}", when, then, cost, outside=outside)

    def _goal(self) -> None:
        rng, system = self.rng, self.system
        system.goal = All(self._test() for _ in range(rng.randint(1, 3))) if rng.random() < 0.6 else self.truth(2)
        if rng.random() < 0.5:
            system.fact("safe", self.truth(2))
        if rng.random() < 0.3:
            system.lost = self.truth(1)
        if rng.random() < 0.3:
            system.facts("wet", {place: self.truth(1) for place in PLACES[:2]})

    def _guard(self) -> Expression:
        rng = self.rng
        parts = [self._test() for _ in range(rng.choice((0, 0, 0, 1, 2)))]
        parts += [self.truth(rng.randint(1, 2)) for _ in range(rng.choice((0, 0, 0, 1, 2)))]
        rng.shuffle(parts)
        return All(parts)

    def _test(self) -> Expression:
        each = self.rng.choice(self.system.variables)
        if each.kind == TRUTH and self.rng.random() < 0.8:
            return each if self.rng.random() < 0.5 else ~each
        value = self.rng.choice(each.domain)
        return each == value if self.rng.random() < 0.8 else lift(value) == each

    def _new(self, variable: Variable) -> object:
        """A new value for a variable; without faults it may leave the domain only where that disables."""
        rng = self.rng
        if rng.random() < 0.3:
            return rng.choice(variable.domain)
        if variable.kind == TRUTH:
            return ~variable if rng.random() < 0.4 else self.truth(2)
        if variable.kind == NUMBER:
            low, size = variable.domain[0], len(variable.domain)
            found = rng.choice(
                (
                    lambda: variable + rng.choice((-1, 1, 2)),
                    lambda: (variable - low + 1) % size + low,
                    lambda: Min(variable + 1, variable.domain[-1]),
                    lambda: self.number(2),
                    lambda: rng.choice(self.numbers or [variable]),
                )
            )()
            if isinstance(found, Constant) and found.value not in variable.domain:
                return low
            if not self.faults:
                return Max(Min(found, variable.domain[-1]), low)
            return found
        if rng.random() < 0.3 and self.faults:
            return apply(self._partial(variable), *rng.sample(self.system.variables, 1))
        other = rng.choice([each for each in self.others if set(each.domain) <= set(variable.domain)])
        return If(self.truth(1), rng.choice(variable.domain), other)

    def _partial(self, variable: Variable) -> Callable[[Any], Any]:
        """A function of one value that raises an exception, or gives odd values, for some."""
        rng = self.rng
        table = {str(n): rng.choice([*variable.domain, "odd", []]) for n in rng.sample(range(-1, 5), 4)}
        table |= {str(value): rng.choice(variable.domain) for value in (True, False, *variable.domain)}
        return lambda value: table[str(int(value) if type(value) is float else value)]

    def truth(self, depth: int) -> Expression:
        """A truth value."""
        rng = self.rng
        if not depth:
            return self._test()
        kinds: list[Callable[[], Expression]] = [
            lambda: All(self.truth(depth - 1), self.truth(depth - 1)),
            lambda: AnyOf(self.truth(depth - 1), self._test(), self.truth(depth - 1)),
            lambda: ~self.truth(depth - 1),
            lambda: self.truth(depth - 1) ^ self.truth(depth - 1),
            lambda: If(self.truth(depth - 1), self.truth(depth - 1), self.truth(depth - 1)),
            lambda: Count(self.truth(depth - 1) for _ in range(3)) >= rng.randint(0, 3),
            lambda: apply(_is_odd, self.truth(depth - 1), self.truth(depth - 1)),
        ]
        if self.numbers:
            kinds += [
                lambda: self.number(depth - 1) < self.number(depth - 1),
                lambda: self.number(depth - 1) == self.number(depth - 1),
                lambda: self.number(depth) >= rng.randint(-1, 3),
                lambda: Distinct(self.number(0), self.number(0), rng.randint(0, 3)),
            ]
        if self.others:
            kinds.append(lambda: rng.choice(self.others) != rng.choice(self.others))
        if self.faults:
            kinds += [lambda: apply(_fragile, rng.choice(self.system.variables))]
        return rng.choice(kinds)()

    def number(self, depth: int) -> Expression:
        """A number."""
        rng = self.rng
        if not depth or not self.numbers:
            return rng.choice(self.numbers) if self.numbers and rng.random() < 0.7 else lift(rng.randint(-1, 3))
        kinds: list[Callable[[], Expression]] = [
            lambda: self.number(depth - 1) + self.number(depth - 1),
            lambda: self.number(depth - 1) - self.number(depth - 1),
            lambda: self.number(depth - 1) * self.number(0),
            lambda: abs(self.number(depth - 1)) // 2,
            lambda: self.number(depth - 1) % 3,
            lambda: Sum(self.number(depth - 1) for _ in range(3)),
            lambda: Min(self.number(depth - 1), self.number(0)),
            lambda: Max(self.number(depth - 1), self.number(0), 1),
            lambda: If(self.truth(depth - 1), self.number(depth - 1), self.number(0)),
            lambda: Count(self.flags) if self.flags else self.number(0),
        ]
        if self.faults:
            kinds.append(lambda: self.number(depth - 1) // self.number(0))
            if self.family is not None:
                kinds.append(lambda: self.family[self.number(depth - 1)] + 0)  # type: ignore[index]
        return rng.choice(kinds)()


def _is_odd(one: bool, other: bool) -> bool:
    return one is not other


def _fragile(value: Any) -> Any:
    """True for most numbers, no truth value or an exception for others."""
    if value == 2:
        raise ValueError("two")
    return 7 if value == "red" else value not in (0, "green")


def random_system(seed: int, *, faults: bool = True) -> System:
    """The system of a number."""
    return RandomSystem(seed, faults=faults).system
