"""Hints: facts about a model that its encoding knows. They make engines faster and change no answer."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.expressions import And, Or
from puzzlemc.mc.model.formula import Bit, Expression, State, holds
from puzzlemc.mc.model.variables import Variable


@dataclass(frozen=True)
class Relaxation:
    """The relaxation of a model to `keep` of its objects (see `Hints.objects`): states that are dead in it are
    dead.

    Take any run of the model, and clear all but `keep` of its objects in every state. The result must be a run
    again, and in a goal state of the model at least `held` of `targets` must hold. So a state of the model is dead
    if it contains `keep` objects that, with the same location, cannot reach a state in which `held` targets hold.
    """

    keep: int
    targets: tuple[Bit, ...]
    held: int

    @property
    def goal(self) -> Expression:
        """The formula: at least `held` of the targets hold."""
        found: Expression = Or(*[And(*chosen) for chosen in combinations(self.targets, self.held)])
        return found


Conserved = tuple[tuple[Expression, ...], int]


@dataclass(frozen=True)
class Hints:
    """Facts about a model. Engines use them for speed only.

    location     a variable whose values engines may enumerate: a set of states becomes one diagram for each value
    conserved    pairs (formulas, n): in every reachable state exactly n of the formulas hold; every action keeps
                 this
    exclusive    groups of bits: in every reachable state at most one of each group holds; every action keeps this
                 for all groups together
    objects      bit -> value of the location: the bit says that an object is at that place. In no reachable state
                 is the location at the place of an object
    order        the variable order for diagrams, top first
    potential    weights of literals: the sum over the literals that hold estimates the distance to the goal
    relaxations  relaxations to fewer objects
    symmetries   permutations of the location's values, and of the objects with them, that may keep the model; with
                 each two of them, the permutation one after the other
    sparse       whether goal states with few true bits are easier to find than others
    plan_finder  (metric, budget, work) -> plans: a search for plans, for a model with one initial state. Each plan
                 that it yields costs less under the metric than the plan before. It stops after `work` units of
                 work, which it counts itself; None: no such limit. To yield no plan proves nothing. Raises
                 LimitReached
    known_plan   () -> plan: a plan that is known before the search
    plan_improver  (plan, metric, budget, work) -> plans: the same search, which may begin with this plan
    solution_finder  (budget) -> state: a search for a state that is initial and a goal, for a model without
                 actions. None proves nothing. Raises LimitReached
    """

    location: Variable | None = None
    conserved: tuple[Conserved, ...] = ()
    exclusive: tuple[tuple[Bit, ...], ...] = ()
    objects: Mapping[Bit, Hashable] = field(default_factory=dict)
    order: Sequence[Bit] = ()
    potential: Mapping[tuple[Bit, bool], int] = field(default_factory=dict)
    relaxations: tuple[Relaxation, ...] = ()
    symmetries: Sequence[Mapping[Hashable, Hashable]] = ()
    sparse: bool = False
    plan_finder: Callable[[str, Budget, int | None], Iterable[Sequence[Action]]] | None = None
    known_plan: Callable[[], Sequence[Action]] | None = None
    plan_improver: Callable[[Sequence[Action], str, Budget, int], Iterable[Sequence[Action]]] | None = None
    solution_finder: Callable[[Budget], State | None] | None = None

    @property
    def guide_search(self) -> bool:
        """Does the encoding say how to search: by objects, by distances, or by a search of its own?"""
        bring = (self.location, self.objects, self.potential, self.relaxations, self.plan_finder)
        return self.sparse or any(each is not None and each != () and each != {} for each in bring)

    def allow(self, state: State) -> bool:
        """Do the conserved counts hold, and is the location at no object? This is an invariant of the model."""

        for formulas, total in self.conserved:
            if sum(holds(formula, state) for formula in formulas) != total:
                return False
        if any(len(state.intersection(group)) > 1 for group in self.exclusive):
            return False
        if self.location is None or not self.objects:
            return True
        here = self.location.read(state)
        return not any(b in state for b, value in self.objects.items() if value == here)
