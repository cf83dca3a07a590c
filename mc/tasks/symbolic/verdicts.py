"""The answers of symbolic search. "Not found" is never "impossible"."""

from dataclasses import dataclass, field
from typing import TypeAlias

from puzzlemc.mc.verdict import Statistics


@dataclass(frozen=True)
class Solved:
    """A plan, by the numbers of its operators, and its cost. If `optimal`, no plan costs less."""

    plan: tuple[int, ...]
    cost: int
    optimal: bool
    statistics: Statistics = field(default_factory=Statistics)


@dataclass(frozen=True)
class Unsolvable:
    """There is no plan: all states that can be reached, or from which the goal can be, were visited."""

    statistics: Statistics = field(default_factory=Statistics)


@dataclass(frozen=True)
class Unknown:
    """A limit stopped the search.

    reason  `timeout`, `memory`, or `cancelled`
    bound   no plan costs less
    best    the cheapest plan that was found, if any
    """

    reason: str
    bound: int
    statistics: Statistics = field(default_factory=Statistics)
    best: Solved | None = None


TaskVerdict: TypeAlias = Solved | Unsolvable | Unknown
