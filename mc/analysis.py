"""What all reachable states of a model tell: how many, how deep, which are lost, how many ways lead to the goal.

Everything is exact and nothing is pruned. Words, used here and in reports:

depth      of a state, under a metric: the least cost of a run from an initial state to it
solvable   a goal state can be reached from the state; otherwise it is *dead*
stuck      no action is enabled in the state
lost       dead and stuck
losing     an action that leads from a solvable state to a dead one
solution   under a metric: a cheapest run from an initial state to a goal state. Two solutions are the same where
           they take the same *paid* steps, each with the state that it leads to; a paid step is an action that
           costs something. What costs nothing, as a walk under `pushes`, is no step and is not counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from puzzlemc.mc.graph import StateGraph
from puzzlemc.mc.verdict import Trace


@dataclass(frozen=True)
class Visits:
    """Of the reachable states in which an atom holds: how many there are, and how many of them are solvable.

    For `player@(r,c)` and `box@(r,c)` these are heat maps. An atom with reachable states and no solvable one is
    *dead*: a box on such a square is lost.
    """

    states: int
    solvable: int | None

    @property
    def is_dead(self) -> bool:
        """Does the atom hold in some reachable state, and in no solvable one?"""
        return self.states > 0 and self.solvable == 0


@dataclass(frozen=True)
class Solutions:
    """The shortest solutions under a metric.

    cost         what each of them costs
    count        how many there are: exact, of any size
    trace        one of them, with the fewest free actions between its paid steps
    forced       so many first paid steps are the same in all of them
    on_some      states between paid steps (the initial one, and those that paid steps lead to) on some of them
    on_all       the same, on all of them
    """

    cost: int
    count: int
    trace: Trace
    forced: int
    on_some: int
    on_all: int

    @property
    def is_unique(self) -> bool:
        """Is there just one?"""
        return self.count == 1


@dataclass(frozen=True)
class Losing:
    """Losing actions by depth under a metric.

    by_depth     `by_depth[d]` losing actions leave states of depth d
    first        the cheapest run that ends with a losing action, that one included; None where none is
    on_shortest  so many losing actions leave a state of some shortest solution: the wrong turns beside it
    """

    by_depth: tuple[int, ...]
    first: Trace | None
    on_shortest: int

    @property
    def earliest(self) -> int | None:
        """The least depth of a state that a losing action leaves."""
        return next((depth for depth, count in enumerate(self.by_depth) if count), None)


@dataclass(frozen=True)
class ByMetric:
    """What depends on how runs are measured.

    states     `states[d]` reachable states have depth d; where the search was cut short, the depths known for sure
    dead       likewise, of the dead ones
    solutions  the shortest ones; None where there is none, or where it is not known (see `Analysis.missing`)
    losing     None where it is not known
    """

    states: tuple[int, ...]
    dead: tuple[int, ...] | None
    solutions: Solutions | None
    losing: Losing | None

    @property
    def diameter(self) -> int:
        """The depth of the deepest state."""
        return len(self.states) - 1


@dataclass(frozen=True)
class Analysis:
    """All that is told of a model. Numbers that a limit kept from being known are None and named in `missing`.

    states    reachable; where the search was cut short, those found
    edges     actions between them, each counted in each state that enables it
    goals     goal states
    solvable, dead, stuck, lost   states, see the top of this file
    atoms     by name, in the order of the model: `player@(1,2)`, `box@(1,2)`, …
    metrics   by metric, in the order asked for; a metric that is not known at all is left out
    reason    None where everything is known; else the limit: `timeout` or `memory`
    missing   what is not known, in words
    graph     the states themselves
    """

    graph: StateGraph
    states: int
    edges: int | None
    goals: int
    solvable: int | None
    dead: int | None
    stuck: int | None
    lost: int | None
    atoms: Mapping[str, Visits] = field(default_factory=dict)
    metrics: Mapping[str, ByMetric] = field(default_factory=dict)
    reason: str | None = None
    missing: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Is everything known?"""
        return self.reason is None
