"""What an encoding knows of its model besides: hints make engines faster, and change no answer."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from pyeda.boolalg.expr import And, Or

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Bit, Expression, State, holds
from puzzlemc.mc.model.variables import Variable


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
    objects      bits that say that an object is at a value of the location, to that value;
                 in every reachable state the location has the value of none of its objects
    order        variable order for diagrams, top first
    potential    weights on literals: their sum over a state estimates its distance to the goal
    relaxations  smaller systems that simulate this one
    sparse       goal states with few bits that hold are easier to find than others
    plan_finder  (metric, budget, work) -> plans: a search for plans, for a model with one initial state. Each plan
                 that it yields costs less under the metric than the plan before. It stops after `work` units of
                 work, which it counts itself; None: no such limit. To yield no plan proves nothing. Raises
                 LimitReached
    solution_finder  (budget) -> state: a search for a state that is initial and a goal, for a model without
                 actions. None proves nothing. Raises LimitReached
    """

    location: Variable | None = None
    conserved: tuple[Conserved, ...] = ()
    objects: Mapping[Bit, Hashable] = field(default_factory=dict)
    order: tuple[Bit, ...] = ()
    potential: Mapping[tuple[Bit, bool], int] = field(default_factory=dict)
    relaxations: tuple[Relaxation, ...] = ()
    sparse: bool = False
    plan_finder: Callable[[str, Budget, int | None], Iterable[Sequence[Action]]] | None = None
    solution_finder: Callable[[Budget], State | None] | None = None

    def allow(self, state: State) -> bool:
        """Do the conserved counts hold, and is the location on none of the objects? Every action keeps it so."""
        for formulas, total in self.conserved:
            if sum(holds(formula, state) for formula in formulas) != total:
                return False
        if self.location is None or not self.objects:
            return True
        here = self.location.read(state)
        return not any(b in state for b, value in self.objects.items() if value == here)
